//! How far a convex shape must move along a direction until its distance from another is a given radius.
//!
//! Moving, it leaves a convex set, the Minkowski difference of the cores grown by the radius. That is where a
//! vertex of one is at the distance from a vertex of the other, or beside an edge of the other: the last of
//! these times. Which of them there are is decided exactly: a radius may be far less than the rounding of the
//! place where the shape leaves, and a time left out would make the way too short.

use std::cmp::Ordering;

use crate::convex::{Cyclic, MinkowskiDifference};
use crate::geom::{Displacement, Edge, Motion, Point, RadiusSum, Vec2, WideFloat};
use crate::predicates::{
    DistanceTimes, FootSquares, Length, Sign, TO_THE_LAST_PLACE, compare_lengths, cross,
    cross_value, length, length_difference,
};

/// The multiple of a direction by which the first of two convex rings, which may be segments or points, must
/// move, if it overlaps the second when that is grown by a radius.
pub(super) fn rounded_exit(
    [a, b]: [&[Point]; 2],
    radius: RadiusSum,
    direction: Vec2,
) -> Option<WideFloat> {
    let direction = Motion::from(direction);
    let mut last: Option<WideFloat> = None;
    let mut offer = |time: Option<WideFloat>| {
        if let Some(time) = time.filter(|time| last.is_none_or(|last| last < *time)) {
            last = Some(time);
        }
    };
    for [i, j] in corners([a, b]) {
        let (of_a, of_b) = (a[i], b[j]);
        let gap = Displacement::between(of_b, of_a);
        offer(from_vertex(gap, direction, Length::Number(radius)));
        offer(from_edge(b.edge(j), gap, direction, radius));
        let back = Displacement::between(of_a, of_b);
        offer(from_edge(a.edge(i), back, direction.reversed(), radius));
    }
    last
}

/// The vertices of two rings that are corners of their Minkowski difference; all pairs, if one has no interior.
fn corners([a, b]: [&[Point]; 2]) -> Vec<[usize; 2]> {
    if a.len() > 2 && b.len() > 2 {
        let edges = MinkowskiDifference::new(a, b, None).edges();
        return edges.map(|edge| [edge.from.a, edge.from.b]).collect();
    }
    let with_all = |i: usize| (0..b.len()).map(move |j| [i, j]);
    (0..a.len()).flat_map(with_all).collect()
}

/// When a point that starts at this gap from a vertex is last at the distance from it.
fn from_vertex(gap: Displacement, direction: Motion, radius: Length) -> Option<WideFloat> {
    let across = Length::AcrossMotion(direction, gap);
    let is_met = compare_lengths(across, radius) != Ordering::Greater;
    is_met.then(|| DistanceTimes::new(gap, direction, radius).leave())
}

/// When a point that starts at this gap from an edge's start is at the distance to the right of the edge and
/// beside it, on its way out.
fn from_edge(
    edge: Edge,
    gap: Displacement,
    direction: Motion,
    radius: RadiusSum,
) -> Option<WideFloat> {
    if edge.start == edge.end || cross(edge, direction.displacement()) != Sign::Negative {
        return None;
    }
    // On the way back it reaches the distance there.
    let foot_past = |gap| {
        let velocity = direction.reversed();
        let foot = FootSquares {
            edge,
            gap,
            velocity,
            radius,
        };
        foot.foot_past()
    };
    let gap_to_end = Displacement::between(edge.end, gap.to);
    if foot_past(gap) == Sign::Negative || foot_past(gap_to_end) == Sign::Positive {
        return None;
    }
    let radius = Length::Number(radius);
    let to_line = if cross(edge, gap) == Sign::Negative {
        length_difference(radius, Length::Across(edge, gap), TO_THE_LAST_PLACE) * length(edge)
    } else {
        // No less than without a radius, to the last bit.
        let across = cross_value(edge, gap, TO_THE_LAST_PLACE);
        across + radius.value(TO_THE_LAST_PLACE) * length(edge)
    };
    Some(-to_line / cross_value(edge, direction.displacement(), TO_THE_LAST_PLACE))
}
