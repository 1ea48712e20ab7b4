//! Which row of an operand takes part in a row of the answer.

use crate::batch::Shared;
use crate::batch::tile::tile_rows::TileRows;

/// The row map: which row of an operand takes part in a row of the answer.
pub enum Rows {
    /// The row with the same number.
    Same,
    /// Row 0.
    One,
    /// By broadcasting: each axis of the answer with its length and the operand's stride in rows.
    Strided(Vec<(usize, usize)>),
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
        Self::Strided(axes)
    }

    pub(crate) fn from(&self, start: usize) -> RowMap<'_> {
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
pub(crate) struct RowMap<'a> {
    /// Row of the answer at which the part starts.
    start: usize,
    pub(crate) rows: &'a Rows,
    /// The indices of [`Rows::Picked`]. Kept as a slice: reading them through the trait object
    /// would cost a call each time.
    picked: &'a [i64],
}

impl RowMap<'_> {
    /// The row of the operand that takes part in a row of the part.
    #[inline]
    pub(crate) fn at(self, row: usize) -> usize {
        let row = self.start + row;
        match self.rows {
            Rows::Same => row,
            Rows::One => 0,
            Rows::Strided(axes) => {
                let digits = axes.iter().rev().scan(row, |rest, &(length, stride)| {
                    let digit = *rest % length;
                    *rest /= length;
                    Some(digit * stride)
                });
                digits.sum()
            }
            Rows::Picked(_, rows) => {
                let last = rows.saturating_sub(1);
                usize::try_from(self.picked[row]).unwrap_or(last).min(last)
            }
        }
    }

    /// The first row of the operand for eight consecutive rows, if its rows are consecutive too.
    #[inline(always)]
    pub(crate) fn run(self, rows: &TileRows) -> Option<usize> {
        match (self.rows, rows) {
            (Rows::Same, TileRows::Run(first)) => Some(self.start + first),
            _ => None,
        }
    }
}
