//! The interior angle at a point of a ring, and the order of directions.

use std::cmp::Ordering;

use super::Boundary;
use crate::convex::{Cyclic, ascends};
use crate::geom::{Displacement, Edge, Point};
use crate::predicates::{have_same_direction, is_within_angle, turn};

/// The order of directions counterclockwise, from that of the x axis on.
pub(crate) fn by_angle(one: Edge, other: Edge) -> Ordering {
    // The filter can't decide that edges are parallel, and those that shapes share are.
    if one == other {
        return Ordering::Equal;
    }
    let halves = ascends(other).cmp(&ascends(one));
    halves.then_with(|| turn(other, one).ordering())
}

/// The two directions along a ring from a point of it, which bound the interior angle there.
pub(crate) struct Directions {
    back: Edge,
    on: Edge,
}

impl Directions {
    /// Where one edge follows another.
    pub(crate) fn at_vertex(arriving: Edge, leaving: Edge) -> Self {
        Self {
            back: arriving.reversed(),
            on: leaving,
        }
    }

    /// From a point of an edge.
    pub(crate) fn through(boundary: &Boundary, index: usize, point: Point) -> Self {
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
    pub(crate) fn both(&self) -> [Edge; 2] {
        [self.back, self.on]
    }

    /// Whether both rings have a direction in common.
    pub(crate) fn share(&self, other: &Self) -> bool {
        let shares = |one| other.both().iter().any(|it| have_same_direction(one, *it));
        self.both().into_iter().any(shares)
    }

    /// Whether another ring, which has no direction in common, passes from one side to the other.
    pub(crate) fn cross(&self, other: &Self) -> bool {
        self.inside(other.back.displacement()) != self.inside(other.on.displacement())
    }

    /// Whether a direction points into the interior angle, from `on` to `back`.
    pub(crate) fn inside(&self, direction: Displacement) -> bool {
        // The end of a path has both directions in common, and nothing between them.
        is_within_angle(self.on.displacement(), direction, self.back.displacement())
    }
}
