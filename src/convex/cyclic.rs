//! Vertices of closed rings: those before and after each, and the edges between them.

use crate::geom::{Displacement, Edge, Point};
use crate::predicates::{Sign, turn};

/// Vertices of a closed ring: after the last comes the first.
pub(crate) trait Cyclic {
    /// A vertex.
    fn vertex(&self, index: usize) -> Point;
    /// The vertex after this one.
    fn next(&self, index: usize) -> usize;
    /// The vertex before this one.
    fn previous(&self, index: usize) -> usize;

    /// The edge that starts at a vertex.
    #[inline(always)]
    fn edge(&self, index: usize) -> Edge {
        Edge::new(self.vertex(index), self.vertex(self.next(index)))
    }

    /// The edge that arrives at a vertex and the one that leaves it.
    #[inline(always)]
    fn edges_at(&self, vertex: usize) -> [Edge; 2] {
        [self.previous(vertex), vertex].map(|start| self.edge(start))
    }

    /// The turn at a vertex, positive to the left.
    #[inline(always)]
    fn turn_at(&self, vertex: usize) -> Sign {
        let [arriving, leaving] = self.edges_at(vertex);
        turn(arriving, leaving)
    }

    /// The edge that arrives at a vertex and the one that leaves it, between which a direction points out
    /// of the shape. Where parts of a shape meet at the vertex, these may be edges of two of them.
    #[inline(always)]
    fn edges_facing(&self, vertex: usize, _direction: Displacement) -> [usize; 2] {
        [self.previous(vertex), vertex]
    }
}

impl Cyclic for [Point] {
    #[inline(always)]
    fn vertex(&self, index: usize) -> Point {
        self[index]
    }

    #[inline(always)]
    fn next(&self, index: usize) -> usize {
        if index + 1 == self.len() {
            0
        } else {
            index + 1
        }
    }

    #[inline(always)]
    fn previous(&self, index: usize) -> usize {
        index.checked_sub(1).unwrap_or(self.len() - 1)
    }
}
