//! The rows of a tile: eight of them side by side, or fewer.

use crate::simd::load::LANES;

/// The rows of a tile.
#[derive(Clone, Copy)]
pub(crate) enum TileRows {
    /// Eight consecutive rows.
    Run(usize),
    /// The rows of the first `.1` lanes. The other lanes are filled up with rows that are answered
    /// elsewhere.
    Listed([usize; LANES], usize),
}

impl TileRows {
    /// Consecutive rows, eight or fewer.
    #[inline(always)]
    pub(crate) fn run(first: usize, count: usize) -> Self {
        if count == LANES {
            return Self::Run(first);
        }
        let mut rows = [first; LANES];
        for (lane, row) in rows[..count].iter_mut().enumerate() {
            *row += lane;
        }
        Self::Listed(rows, count)
    }

    /// Number of rows.
    #[inline(always)]
    pub(crate) fn count(&self) -> usize {
        match self {
            Self::Run(_) => LANES,
            Self::Listed(_, count) => *count,
        }
    }

    /// The row of a lane.
    #[inline(always)]
    pub(crate) fn row(&self, lane: usize) -> usize {
        match self {
            Self::Run(first) => first + lane,
            Self::Listed(rows, _) => rows[lane],
        }
    }

    /// Writes one item per row.
    #[inline(always)]
    pub(crate) fn write<T: Copy>(&self, column: &mut [T], values: [T; LANES]) {
        match self {
            Self::Run(first) => column[*first..][..LANES].copy_from_slice(&values),
            Self::Listed(rows, count) => {
                for (&row, value) in rows[..*count].iter().zip(values) {
                    column[row] = value;
                }
            }
        }
    }
}
