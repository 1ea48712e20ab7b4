//! Which ring of a boundary lies directly in which, where no two rings cross.
//!
//! The leftmost corner of a ring tells: the edge directly below the lower of its two edges there belongs to a ring that
//! holds it, or to one that lies in the same rings. Where rings touch there, what counts is the order of their edges just
//! to the right. Branch and bound mostly finds that edge after a few blocks, where a count of all edges below would look
//! at every ring there. A plane sweep knows it anyway.

use std::cmp::Ordering;
use std::ops::ControlFlow;

use smallvec::{SmallVec, smallvec};

use super::plane_sweep::{DirectedEdge, Vertex};
use crate::convex::Cyclic;
use crate::geom::{Bounds, Point};
use crate::shape::boundary::Boundary;
use crate::shape::boundary::point_in_polygon::Probe;
use crate::shape::parts::convex_hull::order;

/// For each ring the innermost of the others that it lies in. Of one ring, the usual case, nothing is allocated.
pub(super) struct Nesting<'b> {
    boundary: &'b Boundary,
    parents: SmallVec<[Option<usize>; 1]>,
    is_known: SmallVec<[bool; 1]>,
}

impl<'b> Nesting<'b> {
    /// Nothing is known yet.
    pub(crate) fn new(boundary: &'b Boundary) -> Self {
        let count = boundary.rings.len();
        Self {
            boundary,
            parents: smallvec![None; count],
            is_known: smallvec![false; count],
        }
    }

    /// Adds the rings whose leftmost corner is this vertex. All vertices must be visited, from left to right.
    pub(crate) fn visit(&mut self, vertex: &Vertex<'_>) {
        let mut below = vertex.below;
        for &edge in vertex.onward {
            self.add(self.boundary.ring_of(edge), below);
            below = Some(edge);
        }
    }

    /// Adds a ring, if it is not known, by the edge directly below its leftmost corner.
    fn add(&mut self, ring: usize, below: Option<usize>) {
        if !self.is_known[ring] {
            self.is_known[ring] = true;
            self.parents[ring] = below.and_then(|edge| {
                // It begins farther left, so that its own parent is known.
                let other = self.boundary.ring_of(edge);
                if is_inside_above(self.boundary, edge) {
                    Some(other)
                } else {
                    self.parents[other]
                }
            });
        }
    }

    /// For each ring the innermost of the others that it lies in, by a search for each that is not known.
    pub(super) fn parents(mut self) -> SmallVec<[Option<usize>; 1]> {
        let boundary = self.boundary;
        let mut first_edges: Vec<DirectedEdge> = (boundary.rings.iter())
            .map(|ring| {
                let along = |&one: &usize, &other: &usize| {
                    order(boundary.vertex(one), boundary.vertex(other))
                };
                let first = ring
                    .corners
                    .clone()
                    .min_by(along)
                    .expect("rings have corners");
                let edges =
                    [boundary.previous(first), first].map(|index| directed(boundary, index));
                edges[usize::from(edges[1].order(&edges[0]) == Ordering::Less)]
            })
            .collect();
        if self.is_known.contains(&false) {
            first_edges.sort_unstable_by(|one, other| {
                order(one.edge.start, other.edge.start).then_with(|| one.order(other))
            });
            for edge in first_edges {
                self.add(boundary.ring_of(edge.index), first_below(boundary, edge));
            }
        }
        self.parents
    }
}

/// The edges that hold a point.
pub(crate) fn edges_through(boundary: &Boundary, point: Point) -> SmallVec<[usize; 4]> {
    let (at, probe) = (Bounds::from(point), Probe::moved(point, None));
    let mut found = SmallVec::new();
    let _ = boundary.search(
        |bounds| bounds.meets(&at),
        |index, edge| {
            if probe.is_on(edge) {
                found.push(index);
            }
            ControlFlow::Continue(())
        },
    );
    found
}

/// An edge of a boundary, directed to the right.
fn directed(boundary: &Boundary, index: usize) -> DirectedEdge {
    DirectedEdge::new((index, boundary.edge(index)))
}

/// The edge directly below one that starts at the leftmost corner of a ring, just to the right of that corner.
fn first_below(boundary: &Boundary, above: DirectedEdge) -> Option<usize> {
    let point = above.edge.start;
    // Half the heights: their difference may be too large for a float.
    let is_beside = |bounds: &Bounds| bounds.min.x <= point.x && point.x <= bounds.max.x;
    let bound = |bounds: &Bounds| {
        if is_beside(bounds) && bounds.min.y <= point.y {
            point.y.midpoint(-bounds.max.y)
        } else {
            f64::INFINITY
        }
    };
    let (mut first, mut limit): (Option<DirectedEdge>, f64) = (None, f64::MAX);
    boundary.search_least(boundary.tree(), bound, limit, |block| {
        for (lane, index) in block.range().enumerate() {
            let [start, end] = block.ends_of(lane);
            // Most edges of a block don't cross the vertical line through the point.
            if start.x.min(end.x) > point.x || start.x.max(end.x) <= point.x {
                continue;
            }
            let edge = directed(boundary, index);
            if edge.order(&above) == Ordering::Less
                && first.is_none_or(|first| first.order(&edge) == Ordering::Less)
            {
                first = Some(edge);
                limit = point.y.midpoint(-start.y.min(end.y));
            }
        }
        limit
    });
    first.map(|edge| edge.index)
}

/// Whether what lies above an edge, which is not vertical, lies in its ring.
fn is_inside_above(boundary: &Boundary, index: usize) -> bool {
    // The interior of a polygon is on the left of its edges.
    let edge = boundary.edge(index);
    let is_interior_above = edge.start.x < edge.end.x;
    is_interior_above != boundary.rings[boundary.ring_of(index)].is_hole
}
