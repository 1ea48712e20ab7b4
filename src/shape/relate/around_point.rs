//! The edges of a shape round a point, and between which of them a direction lies.

use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use super::edge_meetings::is_there;
use crate::convex::Cyclic;
use crate::geom::{Edge, Point};
use crate::shape::boundary::Boundary;
use crate::shape::boundary::interior_angle::by_angle;
use crate::shape::validity::nesting::edges_through;

/// An edge at a point of it, in the direction in which it leads away from that point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EdgeEnd {
    index: usize,
    /// The edge, reversed if it leads to the point.
    along: Edge,
    /// Whether the edge leads away from the point: then the interior of a polygon is on its left, else on
    /// its right.
    leaves: bool,
}

/// Where the piece of boundary or path that begins with an edge end lies relative to a polygon.
#[derive(Clone, Copy, Debug)]
pub(crate) enum PieceLocation {
    Inside,
    Outside,
    /// Along an edge of its boundary, in that edge's direction.
    Along,
    /// Along an edge of its boundary, in the opposite direction.
    AlongReversed,
}

/// The points that were looked at: where many edges meet in one point, each pair of them gives it.
#[derive(Debug, Default)]
pub(crate) struct KnownPoints(FxHashSet<[u64; 2]>);

impl KnownPoints {
    /// Adds a point; whether it is new.
    pub(crate) fn insert(&mut self, Point { x, y }: Point) -> bool {
        // A sum with zero is never -0.0.
        self.0.insert([x + 0.0, y + 0.0].map(f64::to_bits))
    }
}

/// The ends of all edges through a point there, counterclockwise; of an edge that goes through it, both parts.
pub(crate) fn edge_ends(boundary: &Boundary, point: Point) -> SmallVec<[EdgeEnd; 4]> {
    let mut ends: SmallVec<[EdgeEnd; 4]> = SmallVec::new();
    for index in edges_through(boundary, point) {
        if !is_there(boundary, index) {
            continue;
        }
        let edge = boundary.edge(index);
        if edge.end != point {
            ends.push(EdgeEnd {
                index,
                along: edge,
                leaves: true,
            });
        }
        if edge.start != point {
            ends.push(EdgeEnd {
                index,
                along: edge.reversed(),
                leaves: false,
            });
        }
    }
    ends.sort_unstable_by(|one, other| by_angle(one.along, other.along));
    ends
}

impl EdgeEnd {
    pub(crate) fn index(&self) -> usize {
        self.index
    }

    /// Whether the edge leads away from the point.
    pub(crate) fn leaves(&self) -> bool {
        self.leaves
    }

    /// Where the piece lies relative to a polygon that has these edge ends round the point. Its interior and its exterior
    /// alternate between them.
    pub(crate) fn location(&self, others: &[Self]) -> Option<PieceLocation> {
        let is_before = |other: &Self| by_angle(other.along, self.along).is_lt();
        let after = others.partition_point(is_before);
        let beside = others.get(after);
        if let Some(same) = beside.filter(|it| by_angle(it.along, self.along).is_eq()) {
            return Some(if same.leaves == self.leaves {
                PieceLocation::Along
            } else {
                PieceLocation::AlongReversed
            });
        }
        let before = if after == 0 {
            others.last()
        } else {
            others.get(after - 1)
        };
        let is_inside = before?.leaves;
        Some(if is_inside {
            PieceLocation::Inside
        } else {
            PieceLocation::Outside
        })
    }
}
