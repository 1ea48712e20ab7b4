//! Operands of a batch: the memory of their rows, and which of them takes part in a row of the
//! answer.

use std::fmt;
use std::sync::Arc;

use super::polygon_operand::PolygonOperand;
use super::row_map::RowMap;
use crate::batch::memory::{self, OutOfMemory};
use crate::batch::tile::tile_rows::TileRows;
use crate::batch::{ArgumentRow, Column, ExamineError, InvalidRow, OnInvalid, Rows, Shared};
use crate::geom::Vec2;
use crate::invalid_shape::InvalidShape;
use crate::simd::load::LANES;

/// An operand: its name and leading dimensions for messages, its memory and its row map. The memory
/// is private: rows that the caller repeats by a stride of 0 are stored once, so that an index means
/// nothing without the row map.
pub struct OperandRows<S> {
    argument: &'static str,
    shape: Vec<usize>,
    items: S,
    rows: Rows,
    /// The fault of the only polygon, if it was examined in advance and is invalid.
    refused: Option<InvalidShape>,
}

impl<S> fmt::Debug for OperandRows<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "OperandRows({}, {:?})", self.argument, self.shape)
    }
}

impl<S> OperandRows<S> {
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
    pub(crate) fn argument_row(&self, row: usize) -> ArgumentRow {
        ArgumentRow::row(self.argument, &self.shape, self.rows.from(0).at(row))
    }

    /// The operand's row that is at this position in memory, for messages.
    pub(crate) fn stored_row(&self, position: usize) -> ArgumentRow {
        ArgumentRow::row(self.argument, &self.shape, position)
    }

    /// Whether one item stands for all rows.
    pub(crate) fn is_one(&self) -> bool {
        matches!(self.rows, Rows::One)
    }
}

impl<T: Copy + Send + Sync + 'static> OperandRows<Shared<T>> {
    /// The operand with a copy of the items: for queries that outlive the call that gave them.
    pub(crate) fn owned(self) -> Result<Self, OutOfMemory> {
        let (items, mut copy) = ((*self.items).as_ref(), Vec::new());
        memory::reserve(&mut copy, items.len())?;
        copy.extend_from_slice(items);
        let items: Shared<T> = Arc::new(copy);
        Ok(Self { items, ..self })
    }
}

impl OperandRows<Shared<f64>> {
    /// Whether all items are 0.
    pub fn is_zero(&self) -> bool {
        !self.any(|item| item != 0.0)
    }

    /// Whether any item is such a number.
    pub(crate) fn any(&self, is_such: impl Fn(f64) -> bool) -> bool {
        (*self.items).as_ref().iter().any(|&item| is_such(item))
    }

    /// Checks the radius or the margin in a row.
    pub(crate) fn check_radius(&self, row: usize) -> Result<(), InvalidRow> {
        InvalidRow::check_radius(self.at(row), || self.argument_row(row))
    }
}

impl OperandRows<Shared<Vec2>> {
    /// Checks that the vector in a row is finite.
    pub(crate) fn check_finite(&self, row: usize) -> Result<(), InvalidRow> {
        let Vec2 { x, y } = self.at(row);
        InvalidRow::check_finite(&[x, y], || self.argument_row(row))
    }
}

impl<T: Copy> OperandRows<Shared<T>> {
    /// The item for a row of the answer.
    pub(crate) fn at(&self, row: usize) -> T {
        self.view(0).at(row)
    }

    /// The items for a row of the answer, of an operand each row of which has so many.
    pub(crate) fn items_of(&self, row: usize, count: usize) -> &[T] {
        let start = self.rows.from(0).at(row) * count;
        &(*self.items).as_ref()[start..start + count]
    }

    /// The items of each row in memory, of an operand each row of which has so many.
    pub(crate) fn stored(&self, count: usize) -> impl Iterator<Item = &[T]> {
        (*self.items).as_ref().chunks(count.max(1))
    }

    /// The items for a part of the answer that starts at this row.
    pub(crate) fn view(&self, start: usize) -> ItemRows<'_, T> {
        ItemRows {
            all: (*self.items).as_ref(),
            rows: self.rows.from(start),
        }
    }
}

/// The items of an operand, for a part of the answer.
#[derive(Clone, Copy)]
pub(crate) struct ItemRows<'a, T> {
    all: &'a [T],
    rows: RowMap<'a>,
}

impl<T: Copy> ItemRows<'_, T> {
    /// The item for a row of the part.
    #[inline]
    pub(crate) fn at(&self, row: usize) -> T {
        self.all[self.rows.at(row)]
    }

    #[inline(always)]
    pub(crate) fn eight(&self, rows: &TileRows) -> [T; LANES] {
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

impl OperandRows<Arc<Column>> {
    /// Examines in advance a polygon that takes part in all `rows` rows of the answer, which otherwise each
    /// chunk would validate again. The polygon is copied first, as another thread may change the caller's
    /// memory.
    pub(super) fn examine_repeated(&mut self, rows: usize, check: bool) {
        let vertices = rows.saturating_mul(self.longest());
        if self.items.len() != 1 || self.items.is_examined() || rows == 1 || vertices < REPEATED {
            return;
        }
        let mut copy = self.items.mapped(|_, vertex| vertex);
        self.refused = match copy.examine(OnInvalid::Raise.validation(check), 1) {
            Ok(()) => None,
            Err(ExamineError::Invalid(_, why)) => Some(why),
            // Each chunk examines it.
            Err(ExamineError::OutOfMemory(_)) => return,
        };
        self.items = Arc::new(copy);
    }

    /// An upper bound of the vertices of a row.
    pub(crate) fn longest(&self) -> usize {
        self.items.longest()
    }

    /// The polygons for a part of the answer that starts at this row.
    pub(crate) fn rings(&self, start: usize) -> PolygonOperand<'_> {
        PolygonOperand::new(self.items.view(), self.rows.from(start), self.refused)
    }
}
