//! The interior angle at a point of a ring, and the order of directions.

use std::cmp::Ordering;

use super::boundary::Boundary;
use crate::convex::{Cyclic, ascends};
use crate::geom::{Displacement, Edge, Point};
use crate::predicates::{have_same_direction, is_within_angle, turn};

/// The order of directions counterclockwise, from that of the x axis on.
pub(super) fn by_angle(one: Edge, other: Edge) -> Ordering {
    // The filter can't decide that edges are parallel, and those that shapes share are.
    if one == other {
        return Ordering::Equal;
    }
    let halves = ascends(other).cmp(&ascends(one));
    halves.then_with(|| turn(other, one).ordering())
}

/// The two directions along a ring from a point of it, which bound the interior angle there.
pub(super) struct Directions {
    back: Edge,
    on: Edge,
}

impl Directions {
    /// Where one edge follows another.
    pub(super) fn at_vertex(arriving: Edge, leaving: Edge) -> Self {
        Self {
            back: arriving.reversed(),
            on: leaving,
        }
    }

    /// From a point of an edge.
    pub(super) fn through(boundary: &Boundary, index: usize, point: Point) -> Self {
        let edge = boundary.edge(index);
        let [arriving, leaving] = if point == edge.start {
            boundary.edges_at(index)
        } else if point == edge.end {
            boundary.edges_at(boundary.next(index))
        } else {
            [edge; 2]
        };
        Self::at_vertex(arriving, leaving)
    }

    /// Both directions.
    pub(super) fn both(&self) -> [Edge; 2] {
        [self.back, self.on]
    }

    /// Whether both rings have a direction in common.
    pub(super) fn share(&self, other: &Self) -> bool {
        let shares = |one| other.both().iter().any(|it| have_same_direction(one, *it));
        self.both().into_iter().any(shares)
    }

    /// Whether another ring, which has no direction in common, passes from one side to the other.
    pub(super) fn cross(&self, other: &Self) -> bool {
        self.inside(other.back.displacement()) != self.inside(other.on.displacement())
    }

    /// Whether a direction points into the interior angle, from `on` to `back`.
    pub(super) fn inside(&self, direction: Displacement) -> bool {
        // The end of a path has both directions in common, and nothing between them.
        is_within_angle(self.on.displacement(), direction, self.back.displacement())
    }
}
