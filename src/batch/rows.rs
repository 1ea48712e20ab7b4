//! Operands of a batch: the memory of their rows, and which of them takes part in a row of the
//! answer.

use std::fmt;
use std::sync::Arc;

use crate::batch::column::{Column, EvenRings, RowBoxes, Shared, View};
use crate::batch::invalid_row::{ArgumentRow, InvalidRow};
use crate::batch::row_kinds::EightKindCodes;
use crate::batch::tile_rows::TileRows;
use crate::error::InvalidPolygon;
use crate::geom::{Bounds, Point};
use crate::shape::Polygon;
use crate::simd::tile::LANES;

/// The row map: which row of an operand takes part in a row of the answer.
pub enum Rows {
    /// The row with the same number.
    Same,
    /// Row 0.
    One,
    /// By broadcasting: each axis of the answer with its length and the operand's stride in rows.
    Spread(Vec<(usize, usize)>),
    /// By index, each checked to be below this number of rows. If another thread changes an index
    /// to one out of range, the last row is taken.
    Picked(Shared<i64>, usize),
}

impl Rows {
    /// Broadcasts an operand with leading dimensions `shape` to those of the answer.
    pub fn broadcast(shape: &[usize], answer: &[usize]) -> Self {
        if shape.iter().all(|&length| length == 1) {
            return Self::One;
        }
        if shape == answer {
            return Self::Same;
        }
        let mut axes: Vec<_> = answer.iter().map(|&length| (length, 0)).collect();
        let mut stride = 1;
        for (axis, &length) in axes.iter_mut().rev().zip(shape.iter().rev()) {
            axis.1 = if length == 1 { 0 } else { stride };
            stride *= length;
        }
        Self::Spread(axes)
    }

    fn from(&self, start: usize) -> RowMap<'_> {
        RowMap {
            start,
            rows: self,
            picked: match self {
                Self::Picked(index, _) => (**index).as_ref(),
                _ => &[],
            },
        }
    }
}

/// A row map for a part of the answer.
#[derive(Clone, Copy)]
struct RowMap<'a> {
    /// Row of the answer at which the part starts.
    start: usize,
    rows: &'a Rows,
    /// The indices of [`Rows::Picked`], behind whose trait object a call would hide.
    picked: &'a [i64],
}

impl RowMap<'_> {
    /// The row of the operand that takes part in a row of the part.
    #[inline]
    fn at(self, row: usize) -> usize {
        let row = self.start + row;
        match self.rows {
            Rows::Same => row,
            Rows::One => 0,
            Rows::Spread(axes) => spread(axes, row),
            Rows::Picked(_, rows) => {
                let last = rows.saturating_sub(1);
                usize::try_from(self.picked[row]).unwrap_or(last).min(last)
            }
        }
    }

    /// The first row of the operand for eight consecutive rows, if its rows are consecutive too.
    #[inline(always)]
    fn run(self, rows: &TileRows) -> Option<usize> {
        match (self.rows, rows) {
            (Rows::Same, TileRows::Run(first)) => Some(self.start + first),
            _ => None,
        }
    }
}

fn spread(axes: &[(usize, usize)], mut row: usize) -> usize {
    let mut place = 0;
    for &(length, stride) in axes.iter().rev() {
        place += (row % length) * stride;
        row /= length;
    }
    place
}

/// An operand: its name and leading dimensions for messages, its memory and its row map. The memory
/// is private: rows that the caller repeats by a stride of 0 are stored once, so that an index means
/// nothing without the row map.
pub struct Source<S> {
    argument: &'static str,
    shape: Vec<usize>,
    items: S,
    rows: Rows,
}

impl<S> fmt::Debug for Source<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Source({}, {:?})", self.argument, self.shape)
    }
}

impl<S> Source<S> {
    /// An operand that the caller calls `argument`, with the leading dimensions `shape`.
    pub fn new(argument: &'static str, shape: Vec<usize>, items: S, rows: Rows) -> Self {
        Self {
            argument,
            shape,
            items,
            rows,
        }
    }

    /// The operand's row for a row of the answer, for messages.
    pub(super) fn place(&self, row: usize) -> ArgumentRow {
        ArgumentRow::row(self.argument, &self.shape, self.rows.from(0).at(row))
    }
}

impl<T: Copy> Source<Shared<T>> {
    /// The item for a row of the answer.
    pub(super) fn at(&self, row: usize) -> T {
        self.view(0).at(row)
    }

    /// The items for a part of the answer that starts at this row.
    pub(super) fn view(&self, start: usize) -> ItemRows<'_, T> {
        ItemRows {
            all: (*self.items).as_ref(),
            rows: self.rows.from(start),
        }
    }
}

/// The items of an operand, for a part of the answer.
#[derive(Clone, Copy)]
pub(super) struct ItemRows<'a, T> {
    all: &'a [T],
    rows: RowMap<'a>,
}

impl<T: Copy> ItemRows<'_, T> {
    /// The item for a row of the part.
    #[inline]
    pub(super) fn at(&self, row: usize) -> T {
        self.all[self.rows.at(row)]
    }

    /// The items for the rows of a tile.
    #[inline(always)]
    pub(super) fn eight(&self, rows: &TileRows) -> [T; LANES] {
        let mut eight = [self.all[0]; LANES];
        if let Rows::One = self.rows.rows {
            return eight;
        }
        let run = self.rows.run(rows).and_then(|first| self.all.get(first..));
        if let Some(run) = run.and_then(<[T]>::first_chunk) {
            return *run;
        }
        for (lane, item) in eight.iter_mut().enumerate() {
            *item = self.at(rows.row(lane));
        }
        eight
    }
}

/// The memory of an operand that holds polygons.
pub enum Shapes {
    /// An array of rings with the same number of vertices, as a column that is not examined.
    Dense(Column),
    /// A column of the caller's.
    Column(Arc<Column>),
}

impl Shapes {
    /// Rings with `per_row` vertices each.
    pub fn dense(vertices: Shared<Point>, per_row: usize) -> Self {
        let rows = (*vertices).as_ref().len() / per_row.max(1);
        Self::Dense(Column::of_rows(vertices, rows, per_row))
    }

    fn column(&self) -> &Column {
        match self {
            Self::Dense(column) => column,
            Self::Column(column) => column,
        }
    }
}

impl Source<Shapes> {
    /// An upper bound of the vertices of a row.
    pub(super) fn longest(&self) -> usize {
        self.items.column().longest()
    }
}

/// The polygons of an operand, for a part of the answer.
#[derive(Clone, Copy)]
pub(super) struct RingRows<'a> {
    column: View<'a>,
    rows: RowMap<'a>,
    even: Option<EvenRings<'a>>,
}

impl<'a> RingRows<'a> {
    /// For a part of the answer that starts at this row.
    pub(super) fn new(source: &'a Source<Shapes>, start: usize) -> Self {
        let column = source.items.column().view();
        Self {
            column,
            rows: source.rows.from(start),
            even: column.even(),
        }
    }

    /// The operand's row for a row of the part.
    #[inline(always)]
    pub(super) fn place(&self, row: usize) -> usize {
        self.rows.at(row)
    }

    /// The box of a row that is known to be strictly convex, if it is stored.
    #[inline(always)]
    pub(super) fn convex_bounds(&self, row: usize) -> Option<Bounds> {
        self.column.convex_bounds(self.place(row))
    }

    /// The boxes of the operand's rows, if they are stored.
    pub(super) fn boxes(&self) -> Option<RowBoxes<'a>> {
        self.column.boxes(matches!(self.rows.rows, Rows::Same))
    }

    /// The boxes for the rows of a tile.
    #[inline(always)]
    pub(super) fn eight_boxes(&self, boxes: RowBoxes<'a>, rows: &TileRows) -> [Bounds; LANES] {
        let run = self.rows.run(rows).and_then(|first| boxes.eight(first));
        if let Some(eight) = run {
            return *eight;
        }
        let mut eight = [Bounds::EMPTY; LANES];
        for (lane, bounds) in eight.iter_mut().enumerate() {
            *bounds = boxes.at(self.place(rows.row(lane)));
        }
        eight
    }

    /// Vertices per ring, if all rows are alike; without closing vertices if the first row has one.
    #[inline]
    pub(super) fn size(&self) -> Option<usize> {
        Some(self.even?.size)
    }

    /// The vertices for the rows of a tile, if they are consecutive in memory with `count` each, and
    /// the kinds of the rows, if they were examined.
    #[inline(always)]
    pub(super) fn run(
        &self,
        rows: &TileRows,
        count: usize,
    ) -> Option<(&'a [Point], Option<EightKindCodes>)> {
        let (even, first) = (self.even?, self.rows.run(rows)?);
        if even.per_row != count {
            return None;
        }
        let vertices = even.vertices.get(first * count..)?.get(..LANES * count)?;
        let kinds = match even.kinds {
            None => None,
            Some(kinds) => Some(kinds.eight(first)?),
        };
        Some((vertices, kinds))
    }

    /// The first `count` vertices of a row; whether it is clockwise, if it is known to be strictly
    /// convex; and whether the ring has no other vertices.
    #[inline]
    pub(super) fn taken(&self, row: usize, count: usize) -> (&'a [Point], Option<bool>, bool) {
        let Some(even) = self.even else {
            let (ring, winding) = self.ring(row).expect("a row that was found to fit");
            return (ring, winding, true);
        };
        let place = self.place(row);
        let row = &even.vertices[place * even.per_row..][..even.per_row];
        let (ring, rest) = row.split_at(count);
        let is_whole = rest.iter().all(|vertex| *vertex == ring[0]);
        match even.kinds {
            None => (ring, None, is_whole),
            Some(kinds) => {
                let winding = kinds.winding(place);
                (ring, winding.or(Some(false)), is_whole && winding.is_some())
            }
        }
    }

    /// The only ring of a row, and whether it is clockwise, if it is known to be strictly convex.
    /// `None` if the row is missing, has holes, or is known not to be strictly convex.
    #[inline]
    pub(super) fn ring(&self, row: usize) -> Option<(&'a [Point], Option<bool>)> {
        let place = self.place(row);
        if self.column.is_examined() {
            let (ring, clockwise) = self.column.convex(place)?;
            return Some((ring, Some(clockwise)));
        }
        let rings = self.column.rings(place)?;
        (rings.len() == 1).then(|| (rings.ring(0), None))
    }
}

/// Reads the polygons of an operand; a row that follows itself is not validated again.
pub struct PolygonCursor<'a> {
    source: &'a Source<Shapes>,
    column: View<'a>,
    rows: RowMap<'a>,
    check: bool,
    last: usize,
    polygon: Result<Option<Polygon<'a>>, InvalidPolygon>,
}

impl<'a> PolygonCursor<'a> {
    pub(super) fn new(source: &'a Source<Shapes>, check: bool) -> Self {
        Self {
            source,
            column: source.items.column().view(),
            rows: source.rows.from(0),
            check,
            last: usize::MAX,
            polygon: Ok(None),
        }
    }

    /// Goes to a row of the answer.
    pub(super) fn seek(&mut self, row: usize) -> Result<(), InvalidRow> {
        let place = self.rows.at(row);
        if place != self.last {
            self.polygon = self.make(place);
            self.last = place;
        }
        match &self.polygon {
            Ok(_) => Ok(()),
            Err(why) => Err(InvalidRow::Polygon(self.source.place(row), *why)),
        }
    }

    /// The polygon of the row; `None` if it is missing, or invalid and not checked.
    pub(super) fn polygon(&self) -> Option<&Polygon<'a>> {
        self.polygon.as_ref().ok()?.as_ref()
    }

    fn make(&self, place: usize) -> Result<Option<Polygon<'a>>, InvalidPolygon> {
        if self.column.is_examined() {
            return Ok(self.column.polygon(place));
        }
        match self.column.rings(place) {
            None => Ok(None),
            Some(rings) if self.check => Polygon::new(rings).map(Some),
            Some(rings) => Ok(Polygon::trusted(rings).ok()),
        }
    }
}
