//! All pairs of edges, one of each of two boundaries, that meet, and the points in which they cross.

use std::ops::{ControlFlow, Range};

use crate::convex::Cyclic;
use crate::geom::{Bounds, Edge, Point};
use crate::predicates::{Sign, side};
use crate::shape::boundary::Boundary;
use crate::shape::boundary::edge_block::{EdgeBlock, may_meet, ones};
use crate::shape::boundary::edge_pairs::meeting_blocks;
use crate::shape::rest::intersects::{EdgeMeeting, meeting};

/// Visits all pairs of edges that meet, of a path those of the way there, until the visitor breaks.
pub(crate) fn edge_meetings(
    [a, b]: [&Boundary; 2],
    mut visit: impl FnMut([usize; 2], EdgeMeeting) -> ControlFlow<bool>,
) -> ControlFlow<bool> {
    let mut answer = ControlFlow::Continue(());
    let _ = meeting_blocks([a, b], |of_a, of_b| {
        let [[_, there_a], [_, there_b]] = [of_a, of_b].map(EdgeBlock::there);
        let near = may_meet(of_a, of_b);
        for i in ones(there_a) {
            for j in ones(near[i] & there_b) {
                let edges = [of_a.range().start + i, of_b.range().start + j];
                let met = meeting(a.edge(edges[0]), b.edge(edges[1]));
                if met != EdgeMeeting::Apart {
                    answer = visit(edges, met);
                    if answer.is_break() {
                        return ControlFlow::Break(());
                    }
                }
            }
        }
        ControlFlow::Continue(())
    });
    answer
}

/// The point in which an edge of one boundary crosses one of another. It is not computed.
pub(crate) struct EdgeCrossing {
    edges: [Edge; 2],
    boxes: [Bounds; 2],
}

impl EdgeCrossing {
    pub(crate) fn new([a, b]: [&Boundary; 2], [of_a, of_b]: [usize; 2]) -> Self {
        let edges = [a.edge(of_a), b.edge(of_b)];
        Self {
            edges,
            boxes: edges.map(Bounds::from),
        }
    }

    pub(crate) fn edges(&self) -> [Edge; 2] {
        self.edges
    }

    /// The crossing as one of the points that are given for each edge of a boundary near it, if it is one.
    pub(super) fn find<P: IntoIterator<Item = Point>>(
        &self,
        boundary: &Boundary,
        points: impl Fn(usize, Edge) -> P,
    ) -> Option<Point> {
        let may_have_it = |bounds: &Bounds| self.boxes.iter().all(|it| it.meets(bounds));
        let is_crossing = |point: &Point| {
            may_have_it(&Bounds::from(*point))
                && (self.edges.iter()).all(|&edge| side(edge, *point) == Sign::Zero)
        };
        let mut found = None;
        let _ = boundary.search(may_have_it, |index, edge| {
            found = points(index, edge).into_iter().find(is_crossing);
            found.map_or(ControlFlow::Continue(()), |_| ControlFlow::Break(()))
        });
        found
    }
}

/// The edges of a ring, without those of a path's way back.
pub(super) fn edges_there(boundary: &Boundary, ring: usize) -> Range<usize> {
    let Range { start, end } = boundary.rings[ring].corners;
    if boundary.kind.is_polygonal() {
        start..end
    } else {
        start..start + (end - start) / 2
    }
}

/// Whether an edge is not on a path's way back.
pub(super) fn is_there(boundary: &Boundary, edge: usize) -> bool {
    boundary.kind.is_polygonal() || edges_there(boundary, boundary.ring_of(edge)).contains(&edge)
}
