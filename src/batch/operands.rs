//! Operands of a batch: the memory of their rows, and which of them takes part in a row of the
//! answer.

use std::fmt;
use std::hint::black_box;
use std::sync::Arc;

use crate::batch::column::{Column, EvenRings, ExamineError, RowBoxes, Shared, Validation, View};
use crate::batch::invalid_row::{ArgumentRow, InvalidRow, is_radius};
use crate::batch::memory::{self, OutOfMemory};
use crate::batch::row_map::{RowMap, Rows};
use crate::batch::tile_output::TileRows;
use crate::error::{InvalidRing, InvalidShape};
use crate::geom::{Bounds, Point, Vec2};
use crate::shape::Shape;
use crate::simd::load::LANES;

/// An operand: its name and leading dimensions for messages, its memory and its row map. The memory
/// is private: rows that the caller repeats by a stride of 0 are stored once, so that an index means
/// nothing without the row map.
pub struct Source<S> {
    argument: &'static str,
    shape: Vec<usize>,
    items: S,
    rows: Rows,
    /// The fault of the only polygon, if it was examined in advance and is invalid.
    refused: Option<InvalidShape>,
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
            refused: None,
        }
    }

    /// The operand's row for a row of the answer, for messages.
    pub(super) fn argument_row(&self, row: usize) -> ArgumentRow {
        ArgumentRow::row(self.argument, &self.shape, self.rows.from(0).at(row))
    }
}

impl<T: Copy + Send + Sync + 'static> Source<Shared<T>> {
    /// The same with a copy of the items: for queries that outlive the call that gave them.
    ///
    /// # Errors
    ///
    /// If there is no memory for the copy.
    pub(super) fn owned(self) -> Result<Self, OutOfMemory> {
        let (items, mut copy) = ((*self.items).as_ref(), Vec::new());
        memory::reserve(&mut copy, items.len())?;
        copy.extend_from_slice(items);
        let items: Shared<T> = Arc::new(copy);
        Ok(Self { items, ..self })
    }
}

impl Source<Shared<f64>> {
    /// Whether all items are 0.
    pub fn is_zero(&self) -> bool {
        (*self.items).as_ref().iter().all(|&item| item == 0.0)
    }

    /// Whether any item is such a number.
    pub(super) fn any(&self, is_such: impl Fn(f64) -> bool) -> bool {
        (*self.items).as_ref().iter().any(|&item| is_such(item))
    }

    /// Whether one item stands for all rows.
    pub(super) fn is_one(&self) -> bool {
        matches!(self.rows, Rows::One)
    }

    /// What is wrong with the radius or the margin in a row, if anything.
    pub fn invalid_radius(&self, row: usize) -> Option<InvalidRow> {
        let radius = self.at(row);
        (!is_radius(radius)).then(|| InvalidRow::Radius(self.argument_row(row), radius))
    }
}

impl Source<Shared<Vec2>> {
    /// What is wrong with the velocity in a row, if anything.
    pub fn invalid_velocity(&self, row: usize) -> Option<InvalidRow> {
        let velocity = self.at(row);
        let numbers = || vec![velocity.x, velocity.y];
        let fault = || InvalidRow::NotFinite(self.argument_row(row), numbers());
        (!velocity.is_finite()).then(fault)
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

/// Vertices in all rows of the answer together from which on a single polygon is examined in
/// advance. Without that, 64 rows with a quadrilateral take four times as long.
const REPEATED: usize = 256;

impl Source<Arc<Column>> {
    /// Examines in advance a polygon that takes part in all `rows` rows of the answer, which otherwise each
    /// chunk would validate again. The polygon is copied first, as another thread may change the caller's
    /// memory.
    pub(super) fn examine_repeated(&mut self, rows: usize, check: bool) {
        let vertices = rows.saturating_mul(self.longest());
        if self.items.len() != 1 || self.items.is_examined() || rows == 1 || vertices < REPEATED {
            return;
        }
        let mut copy = self.items.mapped(|_, vertex| vertex);
        let validation = if check {
            Validation::Raise
        } else {
            Validation::Trust
        };
        self.refused = match copy.examine(validation, 1) {
            Ok(()) => None,
            Err(ExamineError::Invalid(_, why)) => Some(why),
            // Each chunk examines it.
            Err(ExamineError::OutOfMemory(_)) => return,
        };
        self.items = Arc::new(copy);
    }

    /// An upper bound of the vertices of a row.
    pub(super) fn longest(&self) -> usize {
        self.items.longest()
    }

    /// The polygons for a part of the answer that starts at this row; with `rounded`, those with a
    /// radius, segments and points count as convex, too.
    pub(super) fn rings(&self, start: usize, rounded: bool) -> RingRows<'_> {
        let mut column = self.items.view();
        column.rounded = rounded;
        RingRows {
            column,
            rows: self.rows.from(start),
            even: column.even(),
            refused: self.refused,
        }
    }
}

/// The polygons of an operand, for a part of the answer.
#[derive(Clone, Copy)]
pub(super) struct RingRows<'a> {
    pub(super) column: View<'a>,
    rows: RowMap<'a>,
    even: Option<EvenRings>,
    refused: Option<InvalidShape>,
}

impl<'a> RingRows<'a> {
    /// The radii for the rows of a tile, if some rows have any.
    #[inline(always)]
    pub(super) fn eight_radii(&self, rows: &TileRows) -> Option<[f64; LANES]> {
        if !self.column.has_radii() {
            return None;
        }
        let run = self.rows.run(rows);
        if let Some(radii) = run.and_then(|first| self.column.eight_radii(first)) {
            return Some(radii);
        }
        let mut radii = [0.0; LANES];
        for (lane, radius) in radii.iter_mut().enumerate() {
            *radius = self.column.radius(self.rows.at(rows.row(lane)));
        }
        Some(radii)
    }

    /// The shape of an examined column that takes part in all rows, if it is one and not missing.
    pub(super) fn only(&self) -> Option<Shape<'a>> {
        match self.rows.rows {
            Rows::One if self.refused.is_none() => self.column.polygon(0),
            _ => None,
        }
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
            *bounds = boxes.at(self.rows.at(rows.row(lane)));
        }
        eight
    }

    /// Vertices per ring, if that is the same for all convex rows; without closing vertices if the
    /// first row has one.
    #[inline]
    pub(super) fn size(&self) -> Option<usize> {
        Some(self.even?.size)
    }

    /// The rings of `count` vertices in memory, if all are known to be at a stride: those of an examined
    /// column perhaps with closing vertices between them.
    #[inline(always)]
    fn strided(&self, count: usize) -> Option<EvenRings> {
        self.even
            .filter(|even| even.per_row == count || even.size == count && self.column.is_examined())
    }

    /// The vertices for the rows of a tile, if they are consecutive in memory at a stride, `count` of each
    /// to be taken; and, if the rows were examined, a bit for each that is strictly convex and one for
    /// each of these that is clockwise.
    #[inline(always)]
    pub(super) fn run(
        &self,
        rows: &TileRows,
        count: usize,
    ) -> Option<(&'a [Point], Option<[u64; 2]>)> {
        let (even, first) = (self.strided(count)?, self.rows.run(rows)?);
        self.column.eight(even.first + first, even.per_row)
    }

    /// The ring of a row, which has `count` vertices, and whether it is clockwise, if it is known
    /// to be strictly convex. If the row has no such ring: `Err` with other vertices.
    #[inline]
    pub(super) fn ring_of(
        &self,
        row: usize,
        count: usize,
    ) -> Result<(&'a [Point], Option<bool>), &'a [Point]> {
        if let Some(even) = self.strided(count) {
            // Without a look at the vertices, which need not be in the cache yet.
            let row = even.first + self.rows.at(row);
            return self.column.even_ring(row, even.per_row, count);
        }
        let ring = self.ring(row).filter(|(ring, _)| ring.len() == count);
        ring.ok_or_else(|| self.column.vertices(self.rows.at(row), count))
    }

    /// The only ring of a row, and whether it is clockwise, if it is known to be strictly convex.
    /// `None` if the row is missing, has holes, or is known not to be strictly convex.
    #[inline]
    pub(super) fn ring(&self, row: usize) -> Option<(&'a [Point], Option<bool>)> {
        let row = self.rows.at(row);
        if self.column.is_examined() {
            let (ring, clockwise) = self.column.convex(row)?;
            return Some((ring, Some(clockwise)));
        }
        Some((self.column.unexamined_ring(row)?, None))
    }

    /// The polygon of a row of the operand; `None` if it is missing, or invalid and not to be
    /// checked.
    ///
    /// # Errors
    ///
    /// If the row is invalid and to be checked.
    #[inline(always)]
    fn polygon(&self, row: usize, check: bool) -> Result<Option<Shape<'a>>, InvalidShape> {
        if let Some(why) = self.refused {
            return Err(why);
        }
        if self.column.is_examined() {
            return Ok(self.column.polygon(row));
        }
        match self.column.rings(row) {
            None if check && self.column.is_unread(row) => Err(InvalidShape::Ring {
                ring: 0,
                why: InvalidRing::Empty,
            }),
            None => Ok(None),
            Some(rings) if check => Shape::new(rings).map(Some),
            Some(rings) => Ok(Shape::trusted(rings).ok()),
        }
    }
}

/// Reads polygons one by one. A row of the operand that the next row of the answer takes again is
/// not validated again.
pub struct ShapeCursor<'a> {
    rings: RingRows<'a>,
    last: Option<(usize, Result<Option<Shape<'a>>, InvalidShape>)>,
}

impl<'a> ShapeCursor<'a> {
    pub(super) fn new(rings: RingRows<'a>) -> Self {
        Self { rings, last: None }
    }

    /// Reads memory of the polygons of some rows of the answer.
    pub(super) fn prefetch(&self, rows: &[usize]) {
        let RingRows {
            column, rows: map, ..
        } = self.rings;
        let read = rows.iter().map(|&row| column.read_ahead(map.at(row)));
        black_box(read.sum::<f64>());
    }

    /// The polygon of a row of the answer: see [`RingRows::polygon`].
    #[inline]
    pub(super) fn at(
        &mut self,
        row: usize,
        check: bool,
    ) -> Result<Option<&Shape<'a>>, InvalidShape> {
        let row = self.rings.rows.at(row);
        if self.last.as_ref().is_none_or(|(last, _)| *last != row) {
            self.last = Some((row, self.rings.polygon(row, check)));
        }
        let (_, polygon) = self.last.as_ref().expect("just read");
        polygon.as_ref().map(Option::as_ref).map_err(|why| *why)
    }
}
