//! A column's own vertices and offsets, without those of rows that were not selected.

use std::ops::Range;
use std::sync::Arc;

use super::layout::{RaggedOffsets, Shared};
use super::view::View;
use crate::geom::Point;

/// A column as three flat arrays.
#[derive(Clone)]
pub(super) struct Compacted {
    /// A range of the column's memory, or a copy.
    pub(super) coords: Shared<Point>,
    pub(super) offsets: RaggedOffsets,
    /// Bytes of memory held besides the column's.
    pub(super) nbytes: usize,
}

struct MemoryRange {
    whole: Shared<Point>,
    range: Range<usize>,
}

impl AsRef<[Point]> for MemoryRange {
    fn as_ref(&self) -> &[Point] {
        &(*self.whole).as_ref()[self.range.clone()]
    }
}

/// How much a column has without rows that were not selected.
pub(super) struct Extent {
    rows: usize,
    rings: usize,
    polygons: usize,
    vertices: usize,
    /// Where the vertices are in memory, if they follow each other.
    stored: Option<Range<usize>>,
}

impl Extent {
    pub(super) fn of(view: View<'_>) -> Self {
        let mut extent = Self {
            rows: view.len(),
            rings: 0,
            polygons: 0,
            vertices: 0,
            stored: Some(0..0),
        };
        for row in 0..view.len() {
            for span in view.spans(row) {
                extent.rings += 1;
                extent.vertices += span.len();
                extent.stored = extent.stored.and_then(|range| joined(range, span));
            }
            extent.polygons += view.polygons(row).len().max(2) - 1;
        }
        extent
    }

    /// Bytes that [`Compacted::new`] allocates.
    pub(super) fn bytes(&self) -> usize {
        let offsets = self.rings + self.polygons + self.rows + 3;
        let copied = match self.stored {
            Some(_) => 0,
            None => self.rings * size_of::<&[Point]>() + self.vertices * size_of::<Point>(),
        };
        offsets * size_of::<usize>() + copied
    }
}

impl Compacted {
    pub(super) fn new(view: View<'_>, memory: &Shared<Point>, extent: Extent) -> Self {
        let starts = |count: usize| {
            let mut starts = Vec::with_capacity(count + 1);
            starts.push(0);
            starts
        };
        let (mut ring_offsets, mut polygons) = (starts(extent.rings), starts(extent.polygons));
        let mut shapes = starts(extent.rows);
        let has_several = extent.polygons > extent.rows;
        let mut total = 0;
        for row in 0..view.len() {
            for span in view.spans(row) {
                total += span.len();
                ring_offsets.push(total);
            }
            let rings = ring_offsets.len() - 1;
            match view.polygons(row) {
                // Without vertices the row is missing, whatever its polygons are. It counts as one where
                // each row does.
                [_, ..] if view.rings(row).is_none() => {
                    polygons.extend((!has_several).then_some(rings));
                }
                [first, starts @ ..] => {
                    let before = rings - (starts.last().unwrap_or(first) - first);
                    polygons.extend(starts.iter().map(|start| before + start - first));
                }
                [] => polygons.push(rings),
            }
            shapes.push(polygons.len() - 1);
        }
        let offsets = ring_offsets.capacity() + polygons.capacity() + shapes.capacity();
        let (coords, copied): (Shared<Point>, usize) = if let Some(range) = extent.stored {
            let whole = Arc::clone(memory);
            (Arc::new(MemoryRange { whole, range }), 0)
        } else {
            let spans = (0..view.len()).flat_map(|row| view.spans(row));
            let mut parts = Vec::with_capacity(extent.rings);
            parts.extend(spans.map(|span| &view.coords[span]));
            (Arc::new(parts.concat()), extent.vertices)
        };
        Self {
            coords,
            offsets: RaggedOffsets {
                rings: ring_offsets,
                polygons: Some(polygons),
                shapes: has_several.then_some(shapes),
            },
            nbytes: copied * size_of::<Point>() + offsets * size_of::<usize>(),
        }
    }
}

/// Both ranges as one, if the second begins where the first ends.
fn joined(first: Range<usize>, second: Range<usize>) -> Option<Range<usize>> {
    if second.is_empty() {
        return Some(first);
    } else if first.is_empty() {
        return Some(second);
    }
    (first.end == second.start).then_some(first.start..second.end)
}
