//! How far a convex shape must move along a direction until its distance from another is a given radius.
//!
//! Moving, it leaves a convex set, the Minkowski difference of the cores grown by the radius. That is where a
//! vertex of one is at the distance from a vertex of the other, or beside an edge of the other: the last of
//! these times.

use std::cmp::Ordering;

use crate::convex::Cyclic;
use crate::geom::{Displacement, Edge, Motion, Point, RadiusSum, Vec2, WideFloat};
use crate::predicates::{
    Length, Sign, TO_THE_LAST_PLACE, compare_lengths, cross, cross_value, dot_value, length,
    length_difference, square_difference,
};

/// The multiple of a direction by which the first of two convex rings, which may be segments or points, must
/// move, if it overlaps the second when that is grown by a radius.
pub(super) fn rounded_exit(
    [a, b]: [&[Point]; 2],
    radius: RadiusSum,
    direction: Vec2,
) -> Option<WideFloat> {
    let (direction, radius) = (Motion::from(direction), Length::Number(radius));
    let mut last: Option<WideFloat> = None;
    let mut offer = |time: Option<WideFloat>| {
        if let Some(time) = time.filter(|time| last.is_none_or(|last| last < *time)) {
            last = Some(time);
        }
    };
    for (i, &of_a) in a.iter().enumerate() {
        for (j, &of_b) in b.iter().enumerate() {
            let gap = Displacement::between(of_b, of_a);
            offer(from_vertex(gap, direction, radius));
            offer(from_edge(b.edge(j), gap, direction, radius));
            let back = Displacement::between(of_a, of_b);
            offer(from_edge(a.edge(i), back, direction.reversed(), radius));
        }
    }
    last
}

/// When a point that starts at this gap from a vertex is last at the distance from it: the greater root of
/// `|gap + t direction|² = radius²`, in a form without cancellation.
fn from_vertex(gap: Displacement, direction: Motion, radius: Length) -> Option<WideFloat> {
    let across = Length::AcrossMotion(direction, gap);
    if compare_lengths(across, radius) == Ordering::Greater {
        return None;
    }
    let speed = length(direction);
    let half_chord = square_difference(radius, across, TO_THE_LAST_PLACE).sqrt() * speed;
    let approach = -dot_value(direction.displacement(), gap, TO_THE_LAST_PLACE);
    if approach.is_negative() {
        let inside = square_difference(radius, Length::Whole(gap), TO_THE_LAST_PLACE);
        Some(inside / (half_chord - approach))
    } else {
        Some((approach + half_chord) / (speed * speed))
    }
}

/// When a point that starts at this gap from an edge's start is at the distance to the right of the edge and
/// beside it, on its way out.
fn from_edge(
    edge: Edge,
    gap: Displacement,
    direction: Motion,
    radius: Length,
) -> Option<WideFloat> {
    if edge.start == edge.end || cross(edge, direction.displacement()) != Sign::Negative {
        return None;
    }
    let across = Length::Across(edge, gap);
    let to_line = if cross(edge, gap) == Sign::Negative {
        length_difference(radius, across, TO_THE_LAST_PLACE)
    } else {
        radius.value(TO_THE_LAST_PLACE) + across.value(TO_THE_LAST_PLACE)
    };
    let edge_length = length(edge);
    let speed = cross_value(edge, direction.displacement(), TO_THE_LAST_PLACE);
    let time = -(to_line * edge_length) / speed;
    // At an end of the edge, where rounding could decide, the time is that of the vertex.
    let along = dot_value(edge, gap, TO_THE_LAST_PLACE)
        + time * dot_value(edge, direction.displacement(), TO_THE_LAST_PLACE);
    let is_beside = !along.is_negative() && along <= edge_length * edge_length;
    is_beside.then_some(time)
}
