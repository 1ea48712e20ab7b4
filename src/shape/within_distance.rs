//! Whether polygons come within a distance of each other.

use std::cmp::Ordering;
use std::ops::ControlFlow;

use super::boundary::{Boundary, PairBound, edge_pairs, zero_if_met};
use super::swept_circle::reaches;
use crate::convex::beside;
use crate::geom::{Bounds, Circle, Displacement, Edge, Motion, Point};
use crate::predicates::{Length, compare_lengths};

/// Places where a moving boundary comes within a margin of another.
struct MarginBound {
    velocity: Motion,
    margin: f64,
}

impl PairBound for MarginBound {
    fn bound(&self, a: &Bounds, b: &Bounds) -> f64 {
        zero_if_met(&self.prepared(*a), b)
    }

    fn prepared(&self, a: Bounds) -> Bounds {
        a.swept(self.velocity).grown(self.margin)
    }

    fn bound_of_edges(&self, prepared: &Bounds, b: &Bounds) -> f64 {
        zero_if_met(prepared, b)
    }
}

/// Whether the boundary of `a`, moving along a path if there is one, comes within the margin of
/// that of `b` where they don't meet: a vertex of one is then as near to an edge of the other.
pub(crate) fn boundaries_come_within(
    [a, b]: [&Boundary; 2],
    path: Option<Edge>,
    margin: f64,
) -> bool {
    let velocity = path.map_or(Motion::NONE, |path| Motion::between(path.start, path.end));
    let reach = MarginBound { velocity, margin };
    let near = |center: Point, edge: Edge, path: Option<Edge>| {
        let circle = Circle {
            center,
            radius: margin,
        };
        touches(circle, edge) || path.is_some_and(|path| reaches(circle, path, edge))
    };
    edge_pairs([a, b], &reach, 0.0, |_, [first, second]| {
        let back = path.map(Edge::reversed);
        if near(first.start, second, path) || near(second.start, first, back) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(0.0)
        }
    })
    .is_break()
}

/// Whether a circle and an edge without its end have a point in common.
fn touches(circle: Circle, edge: Edge) -> bool {
    let gap = Displacement::between(edge.start, circle.center);
    let is_near =
        |length| compare_lengths(length, Length::Given(circle.radius)) != Ordering::Greater;
    is_near(Length::Whole(gap)) || is_near(Length::Across(edge, gap)) && beside(edge, circle.center)
}
