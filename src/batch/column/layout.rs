//! Where the vertices of a column's rows lie in memory.

use std::ops::Range;
use std::sync::Arc;

/// Memory that outlives the call, whoever owns it.
pub type Shared<T> = Arc<dyn AsRef<[T]> + Send + Sync>;

/// Which vertices each ring has, and which rings each row.
pub(super) enum Layout {
    /// One ring per row, all with this number of vertices.
    Even(usize),
    Offsets {
        rings: Vec<usize>,
        /// Where each row starts among the rings; `None`: one ring per row.
        rows: Option<Vec<usize>>,
    },
}

impl Layout {
    /// The vertices of all rings of a row.
    #[inline]
    pub(super) fn span(&self, row: usize) -> Range<usize> {
        match self {
            Self::Even(per_row) => row * per_row..(row + 1) * per_row,
            Self::Offsets { rings, rows: None } => rings[row]..rings[row + 1],
            Self::Offsets {
                rings,
                rows: Some(rows),
            } => rings[rows[row]]..rings[rows[row + 1]],
        }
    }

    /// Where its rings start and the last one ends; empty for a row that is always one ring.
    #[inline]
    pub(super) fn offsets(&self, row: usize) -> &[usize] {
        match self {
            Self::Offsets {
                rings,
                rows: Some(rows),
            } => &rings[rows[row]..=rows[row + 1]],
            _ => &[],
        }
    }

    /// The number of offsets that are stored.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Even(_) => 0,
            Self::Offsets { rings, rows } => rings.len() + rows.as_ref().map_or(0, Vec::len),
        }
    }
}

/// The stored rows that make up a column.
#[derive(Clone)]
pub(super) enum RowSelection {
    Run(Range<usize>),
    Listed(Arc<[usize]>),
}

impl RowSelection {
    /// The stored row that is row `row` of the column.
    #[inline]
    pub(super) fn stored(&self, row: usize) -> usize {
        match self {
            Self::Run(rows) => rows.start + row,
            Self::Listed(rows) => rows[row],
        }
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Self::Run(rows) => rows.len(),
            Self::Listed(rows) => rows.len(),
        }
    }
}

/// Whether offsets rise from 0 to `length`.
pub(super) fn divide(offsets: &[usize], length: usize) -> bool {
    offsets.first() == Some(&0) && offsets.last() == Some(&length) && offsets.is_sorted()
}

/// The difference of successive offsets, if it is constant.
pub(super) fn stride(offsets: &[usize]) -> Option<usize> {
    let [start, end, ..] = *offsets else {
        return None;
    };
    let even = offsets
        .windows(2)
        .all(|ends| ends[1] - ends[0] == end - start);
    even.then_some(end - start)
}
