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

/// A range of some memory.
struct Part {
    whole: Shared<Point>,
    range: Range<usize>,
}

impl AsRef<[Point]> for Part {
    fn as_ref(&self) -> &[Point] {
        &(*self.whole).as_ref()[self.range.clone()]
    }
}

impl Compacted {
    pub(super) fn new(view: View<'_>, memory: &Shared<Point>) -> Self {
        let (mut ring_offsets, mut polygons, mut shapes) = (vec![0], vec![0], vec![0]);
        let has_several = (0..view.len()).any(|row| !view.polygons(row).is_empty());
        let mut stored: Option<Range<usize>> = Some(0..0);
        let mut total = 0;
        for row in 0..view.len() {
            for span in view.spans(row) {
                total += span.len();
                ring_offsets.push(total);
                stored = stored.and_then(|range| joined(range, span));
            }
            let rings = ring_offsets.len() - 1;
            match view.polygons(row) {
                // Without vertices the row is missing, whatever its polygons are.
                [_, ..] if view.rings(row).is_none() => {}
                [first, starts @ ..] => {
                    let before = rings - (starts.last().unwrap_or(first) - first);
                    polygons.extend(starts.iter().map(|start| before + start - first));
                }
                [] => polygons.push(rings),
            }
            shapes.push(polygons.len() - 1);
        }
        let copied = if stored.is_none() { total } else { 0 };
        let offsets = ring_offsets.capacity() + polygons.capacity() + shapes.capacity();
        let coords: Shared<Point> = if let Some(range) = stored {
            let whole = Arc::clone(memory);
            Arc::new(Part { whole, range })
        } else {
            let spans = (0..view.len()).flat_map(|row| view.spans(row));
            let parts: Vec<_> = spans.map(|span| &view.coords[span]).collect();
            Arc::new(parts.concat())
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
