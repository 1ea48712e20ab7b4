//! Whether boundaries meet.

use super::inside::{Location, locate};
use crate::convex::Cyclic;
use crate::geom::{Edge, Point};
use crate::predicates::{Sign, side};

/// Whether two edges have a point in common.
pub(crate) fn meet(first: Edge, second: Edge) -> bool {
    if !boxes_meet(first, second) {
        return false;
    }
    let straddles = |line: Edge, edge: Edge| {
        side(line, edge.start).times(side(line, edge.end)) != Sign::Positive
    };
    // On one line, boxes that meet are edges that meet.
    straddles(first, second) && straddles(second, first)
}

fn boxes_meet(first: Edge, second: Edge) -> bool {
    let overlap = |a: f64, b: f64, c: f64, d: f64| a.min(b) <= c.max(d) && c.min(d) <= a.max(b);
    overlap(first.start.x, first.end.x, second.start.x, second.end.x)
        && overlap(first.start.y, first.end.y, second.start.y, second.end.y)
}

/// Whether two simple rings, with what they enclose, have a point in common.
pub(crate) fn intersects(a: &[Point], b: &[Point]) -> bool {
    let boundaries_meet = || (0..a.len()).any(|i| (0..b.len()).any(|j| meet(a.edge(i), b.edge(j))));
    boundaries_meet()
        || locate(a[0], b) != Location::Outside
        || locate(b[0], a) != Location::Outside
}
