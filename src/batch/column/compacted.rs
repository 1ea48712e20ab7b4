//! A column's own vertices and offsets, without those of rows that were not selected.

use std::ops::Range;

use super::layout::Shared;
use super::view::View;
use crate::geom::Point;

/// A column as three flat arrays.
#[derive(Clone)]
pub(super) struct Compacted {
    pub(super) vertices: Vertices,
    pub(super) ring_offsets: Vec<usize>,
    pub(super) polygon_offsets: Vec<usize>,
}

#[derive(Clone)]
pub(super) enum Vertices {
    /// A range of the shared memory.
    Stored(Range<usize>),
    Copied(Vec<Point>),
}

/// A range of some memory.
pub(super) struct Part {
    pub(super) whole: Shared<Point>,
    pub(super) range: Range<usize>,
}

impl AsRef<[Point]> for Part {
    fn as_ref(&self) -> &[Point] {
        &(*self.whole).as_ref()[self.range.clone()]
    }
}

impl Compacted {
    pub(super) fn new(view: View<'_>) -> Self {
        let (mut ring_offsets, mut polygon_offsets) = (vec![0], vec![0]);
        let mut stored: Option<Range<usize>> = Some(0..0);
        let mut total = 0;
        for row in 0..view.len() {
            for span in view.spans(row) {
                total += span.len();
                ring_offsets.push(total);
                stored = stored.and_then(|range| joined(range, span));
            }
            polygon_offsets.push(ring_offsets.len() - 1);
        }
        let vertices =
            stored.map_or_else(|| Vertices::Copied(view.copied(total)), Vertices::Stored);
        Self {
            vertices,
            ring_offsets,
            polygon_offsets,
        }
    }

    pub(super) fn nbytes(&self) -> usize {
        let copied = match &self.vertices {
            Vertices::Stored(_) => 0,
            Vertices::Copied(coords) => size_of_val(&**coords),
        };
        let offsets = self.ring_offsets.capacity() + self.polygon_offsets.capacity();
        copied + offsets * size_of::<usize>()
    }
}

/// Both ranges as one, if the second begins where the first ends.
fn joined(first: Range<usize>, second: Range<usize>) -> Option<Range<usize>> {
    if first.is_empty() {
        return Some(second);
    }
    let follows = second.is_empty() || first.end == second.start;
    follows.then(|| first.start..first.end.max(second.end))
}
