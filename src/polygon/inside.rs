//! Where a point lies to a ring.

use crate::convex::Cyclic;
use crate::geom::{Edge, Point};
use crate::predicates::{Sign, side};

/// Where a point lies to a ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Location {
    Inside,
    Boundary,
    Outside,
}

/// Counts the edges that cross the ray from a point to the right (Shimrat, 1962). Each edge owns
/// its lower end and not its upper one, so that a vertex on the ray counts once or twice, rightly.
pub(crate) fn locate(point: Point, ring: &[Point]) -> Location {
    let mut inside = false;
    for index in 0..ring.len() {
        let edge = ring.edge(index);
        if on_edge(point, edge) {
            return Location::Boundary;
        }
        let upward = edge.start.y <= point.y && point.y < edge.end.y;
        let downward = edge.end.y <= point.y && point.y < edge.start.y;
        inside ^= (upward && side(edge, point) == Sign::Positive)
            || (downward && side(edge, point) == Sign::Negative);
    }
    if inside {
        Location::Inside
    } else {
        Location::Outside
    }
}

fn on_edge(point: Point, edge: Edge) -> bool {
    let between = |a: f64, b: f64, c: f64| a.min(b) <= c && c <= a.max(b);
    between(edge.start.x, edge.end.x, point.x)
        && between(edge.start.y, edge.end.y, point.y)
        && side(edge, point) == Sign::Zero
}
