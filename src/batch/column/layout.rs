//! Where the vertices of a column's rows lie in memory.

use std::iter;
use std::ops::Range;
use std::sync::Arc;

use crate::shape::ShapeKind;

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

    /// The rings of a row.
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

    /// Where its rings start and the last one ends; empty for a row that is always one ring.
    #[inline]
    pub(super) fn offsets(&self, row: usize) -> &[usize] {
        self.span_and_offsets(row).1
    }

    /// [`Self::span`] and [`Self::offsets`].
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

/// What the stored rows are besides their vertices.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct RowAttributes {
    /// The kind of each row; `None`: polygons.
    pub(super) kinds: Option<Vec<ShapeKind>>,
    /// The radius of each row; `None`: 0.
    pub(super) radii: Option<Vec<f64>>,
    /// The rows that are missing because they were invalid, in order, and why.
    pub(super) faults: Vec<(usize, String)>,
}

impl RowAttributes {
    /// The kind of a row.
    #[inline(always)]
    pub(super) fn kind(&self, row: usize) -> ShapeKind {
        (self.kinds.as_ref()).map_or(ShapeKind::Polygon, |kinds| kinds[row])
    }

    /// The radius of a row.
    #[inline(always)]
    pub(super) fn radius(&self, row: usize) -> f64 {
        self.radii.as_ref().map_or(0.0, |radii| radii[row])
    }

    /// Why a row is missing, if it was invalid.
    pub(super) fn fault(&self, row: usize) -> Option<&str> {
        let at = self.faults.binary_search_by_key(&row, |(row, _)| *row);
        at.ok().map(|at| &*self.faults[at].1)
    }

    /// The attributes of some rows.
    pub(super) fn of_rows(&self, rows: impl Iterator<Item = usize> + Clone) -> Self {
        let kinds = self.kinds.as_ref();
        let radii = self.radii.as_ref();
        let faults = rows.clone().enumerate();
        let fault = |(row, stored)| Some((row, self.fault(stored)?.to_owned()));
        Self {
            kinds: kinds.map(|kinds| rows.clone().map(|row| kinds[row]).collect()),
            radii: radii.map(|radii| rows.map(|row| radii[row]).collect()),
            faults: if self.faults.is_empty() {
                Vec::new()
            } else {
                faults.filter_map(fault).collect()
            },
        }
    }

    /// Whether all rows are polygons without a radius.
    #[inline(always)]
    pub(super) fn are_plain(&self) -> bool {
        self.kinds.is_none() && self.radii.is_none()
    }

    /// Bytes of memory held.
    pub(super) fn nbytes(&self) -> usize {
        let faults = self.faults.iter().map(|(_, why)| why.capacity());
        self.kinds.as_ref().map_or(0, Vec::capacity)
            + self.radii.as_ref().map_or(0, Vec::capacity) * size_of::<f64>()
            + self.faults.capacity() * size_of::<(usize, String)>()
            + faults.sum::<usize>()
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
