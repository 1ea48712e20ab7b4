//! The edges of a shape round a point, and between which of them a direction lies.

use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use super::super::boundary::Boundary;
use super::super::interior_angle::by_angle;
use super::super::nesting::edges_through;
use super::edge_meetings::is_there;
use crate::convex::Cyclic;
use crate::geom::{Edge, Point};

/// A direction in which an edge leads away from a point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ray {
    /// The edge, reversed if it leads to the point.
    along: Edge,
    /// Whether the edge leads away from the point: then the interior of a polygon is on the left of the ray, else on
    /// its right.
    leaves: bool,
}

/// Where the first part of a ray lies relative to a polygon.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place {
    Inside,
    Outside,
    /// Along an edge of its boundary, in that edge's direction.
    Along,
    /// Along an edge of its boundary, in the opposite direction.
    AlongReversed,
}

/// The points that were looked at: where many edges meet in one point, each pair of them gives it.
#[derive(Debug, Default)]
pub(super) struct KnownPoints(FxHashSet<[u64; 2]>);

impl KnownPoints {
    /// Adds a point; whether it is new.
    pub(super) fn insert(&mut self, Point { x, y }: Point) -> bool {
        // A sum with zero is never -0.0.
        self.0.insert([x + 0.0, y + 0.0].map(f64::to_bits))
    }
}

/// The rays of all edges through a point, counterclockwise.
pub(super) fn rays(boundary: &Boundary, point: Point) -> SmallVec<[Ray; 4]> {
    let mut rays: SmallVec<[Ray; 4]> = SmallVec::new();
    for index in edges_through(boundary, point) {
        if !is_there(boundary, index) {
            continue;
        }
        let edge = boundary.edge(index);
        if edge.end != point {
            rays.push(Ray {
                along: edge,
                leaves: true,
            });
        }
        if edge.start != point {
            rays.push(Ray {
                along: edge.reversed(),
                leaves: false,
            });
        }
    }
    rays.sort_unstable_by(|one, other| by_angle(one.along, other.along));
    rays
}

impl Ray {
    /// Where the ray lies relative to a polygon that has these rays round the point. Its interior and its exterior
    /// alternate between them.
    pub(super) fn place(&self, others: &[Self]) -> Option<Place> {
        let is_before = |other: &Self| by_angle(other.along, self.along).is_lt();
        let after = others.partition_point(is_before);
        let beside = others.get(after);
        if let Some(same) = beside.filter(|it| by_angle(it.along, self.along).is_eq()) {
            return Some(if same.leaves == self.leaves {
                Place::Along
            } else {
                Place::AlongReversed
            });
        }
        let before = if after == 0 {
            others.last()
        } else {
            others.get(after - 1)
        };
        let is_inside = before?.leaves;
        Some(if is_inside {
            Place::Inside
        } else {
            Place::Outside
        })
    }
}
