//! A column's own vertices and offsets, without those of the rows that it leaves out.

use std::ops::Range;

use super::Column;
use crate::batch::rows::Shared;
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
    /// They lie in the shared memory, one after the other.
    There(Range<usize>),
    Copied(Vec<Point>),
}

/// A part of some memory.
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
    pub(super) fn nbytes(&self) -> usize {
        let copied = match &self.vertices {
            Vertices::There(_) => 0,
            Vertices::Copied(coords) => size_of_val(&**coords),
        };
        let offsets = self.ring_offsets.capacity() + self.polygon_offsets.capacity();
        copied + offsets * size_of::<usize>()
    }

    pub(super) fn new(column: &Column) -> Self {
        let (view, mut ring_offsets, mut polygon_offsets) = (column.view(), vec![0], vec![0]);
        let mut there: Option<Range<usize>> = Some(0..0);
        let mut total = 0;
        for row in 0..column.len() {
            for span in view.spans(row) {
                total += span.len();
                ring_offsets.push(total);
                there = there.and_then(|range| joined(range, span));
            }
            polygon_offsets.push(ring_offsets.len() - 1);
        }
        let vertices = there.map_or_else(
            || Vertices::Copied(view.copied(column.len(), total)),
            Vertices::There,
        );
        Self {
            vertices,
            ring_offsets,
            polygon_offsets,
        }
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
