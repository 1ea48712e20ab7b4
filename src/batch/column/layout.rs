//! Where the vertices of a column's rows lie in memory.

use std::iter;
use std::ops::Range;
use std::sync::Arc;

/// Memory with shared ownership, which outlives the call that provided it.
pub type Shared<T> = Arc<dyn AsRef<[T]> + Send + Sync>;

/// Which vertices each ring has, and which rings each row.
pub(super) enum Layout {
    /// One ring per row, all with this number of vertices.
    Even(usize),
    Offsets(RaggedOffsets),
}

/// Where the rings, polygons and rows of a column start, each with the end of the last one.
#[derive(Clone, Debug, Default)]
pub struct RaggedOffsets {
    /// Where each ring starts among the vertices.
    pub rings: Vec<usize>,
    /// Where each polygon starts among the rings; `None`: each ring is one. All points or paths of a row
    /// count as one polygon.
    pub polygons: Option<Vec<usize>>,
    /// Where each row starts among the polygons; `None`: each polygon is one.
    pub shapes: Option<Vec<usize>>,
}

impl RaggedOffsets {
    /// The offsets that are stored, those of rings first.
    pub(super) fn levels(&self) -> impl Iterator<Item = &Vec<usize>> {
        iter::once(&self.rings)
            .chain(&self.polygons)
            .chain(&self.shapes)
    }

    #[inline]
    fn rings_of(&self, row: usize) -> Range<usize> {
        let polygons = (self.shapes.as_ref()).map_or(row..row + 1, |it| it[row]..it[row + 1]);
        match &self.polygons {
            Some(starts) => starts[polygons.start]..starts[polygons.end],
            None => polygons,
        }
    }
}

impl Layout {
    /// The vertices of all rings of a row.
    #[inline]
    pub(super) fn span(&self, row: usize) -> Range<usize> {
        match self {
            Self::Even(per_row) => row * per_row..(row + 1) * per_row,
            Self::Offsets(offsets) => {
                let rings = offsets.rings_of(row);
                offsets.rings[rings.start]..offsets.rings[rings.end]
            }
        }
    }

    /// [`Self::span`], and where its rings start and the last one ends; empty for a row that is always one ring.
    #[inline]
    pub(super) fn span_and_offsets(&self, row: usize) -> (Range<usize>, &[usize]) {
        match self {
            Self::Offsets(offsets) if offsets.polygons.is_some() => {
                let rings = offsets.rings_of(row);
                let offsets = &offsets.rings[rings.start..=rings.end];
                (offsets[0]..offsets[offsets.len() - 1], offsets)
            }
            _ => (self.span(row), &[]),
        }
    }

    /// Where its polygons start among all rings and the last one ends; empty for a row that is always
    /// one polygon.
    #[inline]
    pub(super) fn polygons(&self, row: usize) -> &[usize] {
        match self {
            Self::Offsets(RaggedOffsets {
                polygons: Some(polygons),
                shapes: Some(shapes),
                ..
            }) => &polygons[shapes[row]..=shapes[row + 1]],
            _ => &[],
        }
    }

    /// Bytes of memory held.
    pub(super) fn nbytes(&self) -> usize {
        match self {
            Self::Even(_) => 0,
            Self::Offsets(offsets) => {
                offsets.levels().map(Vec::len).sum::<usize>() * size_of::<usize>()
            }
        }
    }
}

/// The stored rows that make up a column.
#[derive(Clone, PartialEq)]
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
