//! What the rows of an answer are computed from: where each operand's rows lie in memory, and
//! which of them belongs to a row of the answer.

use std::fmt;
use std::sync::Arc;

use crate::batch::column::{Column, RowBoxes, View};
use crate::batch::invalid_row::{ArgumentRow, InvalidRow};
use crate::batch::row_kinds::{EightKindCodes, KindCodes};
use crate::batch::tile_rows::TileRows;
use crate::error::InvalidPolygon;
use crate::geom::{Bounds, Point};
use crate::shape::{Polygon, Rings, open};
use crate::simd::tile::LANES;

/// Memory that outlives the call, whoever owns it.
pub type Shared<T> = Arc<dyn AsRef<[T]> + Send + Sync>;

/// Which row of an operand takes part in a row of the answer.
pub enum Rows {
    /// The row of the same number.
    Same,
    /// The only row there is.
    One,
    /// By broadcasting: the answer's axes, each with its length and the operand's stride in rows.
    Spread(Vec<(usize, usize)>),
    /// By index, each known to be one of so many rows. Someone else may write to the indices
    /// meanwhile, and what is no row then counts as the last.
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

    fn view(&self) -> RowsView<'_> {
        match self {
            Self::Same => RowsView::Same,
            Self::One => RowsView::One,
            Self::Spread(axes) => RowsView::Spread(axes),
            Self::Picked(index, rows) => {
                RowsView::Picked((**index).as_ref(), rows.saturating_sub(1))
            }
        }
    }
}

#[derive(Clone, Copy)]
enum RowsView<'a> {
    Same,
    One,
    Spread(&'a [(usize, usize)]),
    Picked(&'a [i64], usize),
}

impl RowsView<'_> {
    #[inline]
    fn at(self, row: usize) -> usize {
        match self {
            Self::Same => row,
            Self::One => 0,
            Self::Spread(axes) => spread(axes, row),
            Self::Picked(index, last) => usize::try_from(index[row]).unwrap_or(last).min(last),
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

/// An operand: its name and leading dimensions for messages, its memory, and which of its rows
/// takes part in a row of the answer. The memory is private: rows that the caller repeats by a
/// stride of 0 are stored once, so that without the row map an index means nothing.
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
    /// An operand that the caller calls `argument`, with the leading dimensions `shape`, of which
    /// these rows take part.
    pub fn new(argument: &'static str, shape: Vec<usize>, items: S, rows: Rows) -> Self {
        Self {
            argument,
            shape,
            items,
            rows,
        }
    }

    /// What messages call the operand's part in a row of the answer.
    pub(super) fn place(&self, row: usize) -> ArgumentRow {
        ArgumentRow::row(self.argument, &self.shape, self.rows.view().at(row))
    }
}

impl Source<Shapes> {
    /// How many vertices the longest row has.
    pub(super) fn longest(&self) -> usize {
        self.items.longest()
    }
}

impl<T: Copy> Source<Shared<T>> {
    /// The item that takes part in a row of the answer.
    pub(super) fn at(&self, row: usize) -> T {
        (*self.items).as_ref()[self.rows.view().at(row)]
    }

    /// The items, for a part of the answer that starts at this row.
    pub(super) fn view(&self, start: usize) -> ItemRows<'_, T> {
        ItemRows {
            start,
            all: (*self.items).as_ref(),
            rows: self.rows.view(),
        }
    }
}

/// The items of an operand, for a part of the answer.
#[derive(Clone, Copy)]
pub(super) struct ItemRows<'a, T> {
    start: usize,
    all: &'a [T],
    rows: RowsView<'a>,
}

impl<T: Copy> ItemRows<'_, T> {
    /// The item that takes part in a row of the part.
    #[inline]
    pub(super) fn at(&self, row: usize) -> T {
        self.all[self.rows.at(self.start + row)]
    }

    /// Those of eight rows.
    #[inline(always)]
    pub(super) fn eight(&self, rows: &TileRows) -> [T; LANES] {
        match (self.rows, rows) {
            (RowsView::One, _) => return [self.all[0]; LANES],
            (RowsView::Same, TileRows::Run(first)) => {
                let run = self.all.get(self.start + first..);
                if let Some(eight) = run.and_then(<[T]>::first_chunk) {
                    return *eight;
                }
            }
            _ => {}
        }
        let mut eight = [self.all[0]; LANES];
        for (lane, item) in eight.iter_mut().enumerate() {
            *item = self.at(rows.row(lane));
        }
        eight
    }
}

/// The rows of an operand that holds polygons.
pub enum Shapes {
    /// One ring per row, all with as many vertices.
    Dense {
        /// Ring after ring.
        vertices: Shared<Point>,
        /// Vertices of a ring.
        per_row: usize,
    },
    /// A column.
    Column(Arc<Column>),
}

impl Shapes {
    /// How many vertices the longest row has.
    fn longest(&self) -> usize {
        match self {
            Self::Dense { per_row, .. } => *per_row,
            Self::Column(column) => column.longest(),
        }
    }

    fn view(&self) -> ShapesView<'_> {
        match self {
            Self::Dense { vertices, per_row } => ShapesView::Dense((**vertices).as_ref(), *per_row),
            Self::Column(column) => ShapesView::Column(column.view()),
        }
    }
}

#[derive(Clone, Copy)]
enum ShapesView<'a> {
    Dense(&'a [Point], usize),
    Column(View<'a>),
}

impl<'a> ShapesView<'a> {
    #[inline]
    fn rings(self, row: usize) -> Option<Rings<'a>> {
        match self {
            Self::Dense(_, 0) => None,
            Self::Dense(vertices, per_row) => Some((&vertices[row * per_row..][..per_row]).into()),
            Self::Column(column) => column.rings(row),
        }
    }
}

/// The rows of an operand that are single rings, for those who take several at a time in a part of
/// the answer.
#[derive(Clone, Copy)]
pub(super) struct RingRows<'a> {
    start: usize,
    items: ShapesView<'a>,
    rows: RowsView<'a>,
    even: Option<EvenRings<'a>>,
}

/// Rings that lie in memory one after the other, all with as many vertices.
#[derive(Clone, Copy)]
pub(super) struct EvenRings<'a> {
    pub(super) vertices: &'a [Point],
    pub(super) per_row: usize,
    /// How many vertices a ring has without closing ones: each that is known to be convex, or, if
    /// nothing is known, the first.
    pub(super) size: usize,
    /// What each row is, if it is known.
    pub(super) known: Option<KindCodes<'a>>,
}

impl<'a> RingRows<'a> {
    /// For a part of the answer that starts at this row.
    pub(super) fn new(source: &'a Source<Shapes>, start: usize) -> Self {
        let items = source.items.view();
        let even = match items {
            ShapesView::Dense(vertices, per_row) => {
                vertices.get(..per_row).map(|first| EvenRings {
                    vertices,
                    per_row,
                    size: open(first).len(),
                    known: None,
                })
            }
            ShapesView::Column(column) => column.even(),
        };
        Self {
            start,
            items,
            rows: source.rows.view(),
            even: even.filter(|even| even.per_row > 0 && !even.vertices.is_empty()),
        }
    }

    /// Which row of the operand takes part in a row.
    #[inline(always)]
    pub(super) fn place(&self, row: usize) -> usize {
        self.rows.at(self.start + row)
    }

    /// The box round the polygon of a row, if it is kept.
    #[inline(always)]
    pub(super) fn known_bounds(&self, row: usize) -> Option<Bounds> {
        let ShapesView::Column(column) = self.items else {
            return None;
        };
        column.known_bounds(self.place(row))
    }

    /// The boxes round polygons, if they are kept.
    pub(super) fn boxes(&self) -> Option<RowBoxes<'a>> {
        match self.items {
            ShapesView::Column(column) => column.boxes(matches!(self.rows, RowsView::Same)),
            ShapesView::Dense(..) => None,
        }
    }

    /// The boxes round the polygons of eight rows.
    #[inline(always)]
    pub(super) fn eight_boxes(&self, boxes: RowBoxes<'a>, rows: &TileRows) -> [Bounds; LANES] {
        if let (RowsView::Same, TileRows::Run(first)) = (self.rows, rows)
            && let Some(eight) = boxes.eight(self.start + first)
        {
            return *eight;
        }
        let mut eight = [Bounds::EMPTY; LANES];
        for (lane, bounds) in eight.iter_mut().enumerate() {
            *bounds = boxes.at(self.rows.at(self.start + rows.row(lane)));
        }
        eight
    }

    /// How many vertices the ring of each row has, if all are alike; closing vertices apart, where
    /// the first row has one.
    #[inline]
    pub(super) fn size(&self) -> Option<usize> {
        Some(self.even?.size)
    }

    /// The vertices of eight rows from this one on, if they lie in memory one after the other, so
    /// many each, and what the rows are, if it is known.
    #[inline(always)]
    pub(super) fn run(
        &self,
        first: usize,
        count: usize,
    ) -> Option<(&'a [Point], Option<EightKindCodes>)> {
        let even = self.even?;
        if even.per_row != count || !matches!(self.rows, RowsView::Same) {
            return None;
        }
        let first = self.start + first;
        let vertices = even.vertices.get(first * count..)?.get(..LANES * count)?;
        let known = match even.known {
            None => None,
            Some(known) => Some(known.eight(first)?),
        };
        Some((vertices, known))
    }

    /// So many vertices of a row; whether they run clockwise, if it is known to be convex as it is;
    /// and whether they are all its vertices.
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
        match even.known {
            None => (ring, None, is_whole),
            Some(known) => {
                let winding = known.winding(place);
                (ring, winding.or(Some(false)), is_whole && winding.is_some())
            }
        }
    }

    /// The only ring of a row, and whether it runs clockwise, if it is known to be convex as it is.
    /// None if the row is missing or known to be something else.
    #[inline]
    pub(super) fn ring(&self, row: usize) -> Option<(&'a [Point], Option<bool>)> {
        let place = self.place(row);
        match self.items {
            ShapesView::Column(column) if column.is_examined() => {
                let (ring, clockwise) = column.convex(place)?;
                Some((ring, Some(clockwise)))
            }
            items => {
                let rings = items.rings(place)?;
                (rings.len() == 1).then(|| (rings.ring(0), None))
            }
        }
    }
}

/// Walks through the rows of an operand; a row used again at once is not made again.
pub struct PolygonCursor<'a> {
    source: &'a Source<Shapes>,
    items: ShapesView<'a>,
    rows: RowsView<'a>,
    check: bool,
    last: usize,
    polygon: Result<Option<Polygon<'a>>, InvalidPolygon>,
}

impl fmt::Debug for PolygonCursor<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PolygonCursor({:?})", self.source)
    }
}

impl<'a> PolygonCursor<'a> {
    pub(super) fn new(source: &'a Source<Shapes>, check: bool) -> Self {
        Self {
            source,
            items: source.items.view(),
            rows: source.rows.view(),
            check,
            last: usize::MAX,
            polygon: Ok(None),
        }
    }

    /// The polygon of a row of the answer; `None` when it is missing, or refused unchecked.
    pub(super) fn at(&mut self, row: usize) -> Result<Option<&Polygon<'a>>, InvalidRow> {
        let place = self.rows.at(row);
        if place != self.last {
            self.polygon = self.make(place);
            self.last = place;
        }
        match &self.polygon {
            Ok(polygon) => Ok(polygon.as_ref()),
            Err(why) => Err(InvalidRow::Polygon(self.source.place(row), *why)),
        }
    }

    fn make(&self, place: usize) -> Result<Option<Polygon<'a>>, InvalidPolygon> {
        match self.items {
            ShapesView::Column(column) if column.is_examined() => Ok(column.polygon(place)),
            items => match items.rings(place) {
                None => Ok(None),
                Some(rings) if self.check => Polygon::new(rings).map(Some),
                Some(rings) => Ok(Polygon::trusted(rings).ok()),
            },
        }
    }
}
