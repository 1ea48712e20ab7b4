//! Large convex rings, by steps towards the origin (Gilbert, Johnson and Keerthi, 1988): each step
//! asks only which corner of the Minkowski difference lies farthest in a direction, which a search
//! by halves finds in either ring.
//!
//! Floats choose the directions; exact predicates decide what was found. What the steps leave open
//! goes to the walk round the difference.

use super::certain::Named;
use super::minkowski::{Boundary, Corner, DifferenceEdge, Owner};
use super::ring::Cyclic;
use super::swept_collision::Passage;
use crate::geom::{Displacement, Edge, Motion, Point, Vec2};
use crate::predicates::about::{cross, vector};
use crate::predicates::{Sign, between, dot, turn};

/// Pairs of vertices above which this takes less time than a look at every edge.
const LARGE: usize = 150;

/// Steps after which the walk takes over. Each about halves the range of directions, and shapes
/// that neither nearly touch nor are needles need five.
const STEPS: usize = 24;

/// Whether rings are so large that a look at every edge would take longer.
pub(super) fn pays(a: usize, b: usize) -> bool {
    a * b > LARGE
}

/// Whether two rings have a point in common.
pub(super) fn intersects(boundary: Boundary<'_>) -> Option<bool> {
    meets(boundary, None)
}

/// Whether, and through which edge of the difference, the origin enters it.
pub(super) fn swept_collision(boundary: Boundary<'_>, velocity: Motion) -> Option<Passage> {
    match meets(boundary, Some(velocity)) {
        Some(false) => Some(Passage::Never),
        _ if meets(boundary, None) == Some(true) => Some(Passage::Overlap),
        _ => entry(boundary, velocity).map(|entry| Passage::Entry(Some(entry), None)),
    }
}

/// Whether the difference, or with a velocity all that it passes, holds the origin.
fn meets(boundary: Boundary<'_>, velocity: Option<Motion>) -> Option<bool> {
    let gap = |corner, way| match velocity {
        Some(velocity) if along(way, velocity.rounded()) > 0.0 => {
            boundary.gap(corner).after(velocity)
        }
        _ => boundary.gap(corner),
    };
    let any = boundary.gap(Corner { a: 0, b: 0 });
    let way = -rounded(any);
    let far = farthest(boundary, way);
    if separates(boundary, velocity, way, far)? {
        return Some(false);
    }
    // The origin lies to the left of what leads from the first to the second.
    let far = gap(far, way);
    let mut base = match between(any, far) {
        Sign::Positive => [any, far],
        Sign::Negative => [far, any],
        Sign::Zero => return None,
    };
    for _ in 0..STEPS {
        let [from, to] = base;
        let (start, end) = (rounded(from), rounded(to));
        let way = Vec2::new(start.y - end.y, end.x - start.x);
        let apex = farthest(boundary, way);
        if separates(boundary, velocity, way, apex)? {
            return Some(false);
        }
        let apex = gap(apex, way);
        if apex == from || apex == to {
            return None;
        }
        // Weights of the triangle's corners, of which that of the apex is above zero: where none
        // is below, the triangle holds the origin, be it on its boundary.
        base = match (between(to, apex), between(apex, from)) {
            (Sign::Negative, _) => [apex, to],
            (_, Sign::Negative) => [from, apex],
            _ => return Some(true),
        };
    }
    None
}

/// Whether the difference lies short of the origin along a direction, in which this corner was
/// found to be farthest, now and with a velocity at the end; `None` where it can't be told.
fn separates(
    boundary: Boundary<'_>,
    velocity: Option<Motion>,
    way: Vec2,
    far: Corner,
) -> Option<bool> {
    if !way.is_finite() {
        return None;
    }
    let line = Edge::from_origin(way);
    let is_short = |gap| dot(line, gap) == Sign::Negative;
    let is_short_after = |velocity| is_short(boundary.gap(far).after(velocity));
    if !(is_short(boundary.gap(far)) && velocity.is_none_or(is_short_after)) {
        return Some(false);
    }
    // Round a convex ring the way along a direction rises once and falls once.
    let is_farthest = |ring: &[Point], vertex: usize, line: Edge| {
        let rise = |index| dot(line, ring.edge(index).displacement());
        rise(ring.previous(vertex)) != Sign::Negative && rise(vertex) != Sign::Positive
    };
    let proven =
        is_farthest(boundary.a(), far.a, line) && is_farthest(boundary.b(), far.b, line.reversed());
    proven.then_some(true)
}

/// The edge that the origin's path crosses between its ends, from outside and within the frame.
fn entry(boundary: Boundary<'_>, velocity: Motion) -> Option<Named> {
    let path = velocity.rounded();
    let left = Vec2::new(-path.y, path.x);
    let [mut right, mut left] = [-left, left].map(|way| farthest(boundary, way));
    for _ in 0..STEPS {
        let [start, end] = [right, left].map(|corner| rounded(boundary.gap(corner)));
        let apex = farthest(boundary, Vec2::new(end.y - start.y, start.x - end.x));
        if apex == right || apex == left {
            break;
        }
        if cross(path, rounded(boundary.gap(apex))) > 0.0 {
            left = apex;
        } else {
            right = apex;
        }
    }
    let of_a = boundary.edge(Owner::A, right);
    let of_b = boundary.edge(Owner::B, right);
    let next_of_b = boundary.edge(Owner::B, boundary.end(&of_a));
    [of_a, of_b, next_of_b]
        .iter()
        .find(|edge| is_edge(boundary, edge) && boundary.is_entered(edge, velocity))
        .map(|edge| (edge.owner, edge.from))
}

/// Whether a walk round the difference comes to this edge.
fn is_edge(boundary: Boundary<'_>, edge: &DifferenceEdge) -> bool {
    let turned_from = |other: DifferenceEdge| turn(other.support.direction, edge.support.direction);
    boundary.leaving(edge.from).owner == edge.owner
        && match edge.owner {
            Owner::A => turned_from(boundary.before_by_b(edge.from)) == Sign::Positive,
            Owner::B => turned_from(boundary.before_by_a(edge.from)) != Sign::Negative,
        }
}

/// The corner farthest along a direction, or another where rounding misleads the search.
fn farthest(boundary: Boundary<'_>, way: Vec2) -> Corner {
    Corner {
        a: farthest_vertex(boundary.a(), way),
        b: farthest_vertex(boundary.b(), -way),
    }
}

fn along(way: Vec2, vector: Vec2) -> f64 {
    way.x * vector.x + way.y * vector.y
}

fn rounded(gap: Displacement) -> Vec2 {
    let Vec2 { x, y } = vector(gap.from, gap.to);
    let shift = gap.shift.map_or(Vec2::ZERO, Motion::rounded);
    Vec2::new(x + shift.x, y + shift.y)
}

/// The vertex farthest along a direction, rounding apart: where the edges, which turn once round,
/// have turned to the left of it by a right angle.
#[inline]
fn farthest_vertex(ring: &[Point], way: Vec2) -> usize {
    let across = Vec2::new(-way.y, way.x);
    let edge = |index: usize| vector(ring[index], ring[ring.next(index)]);
    let first = edge(0);
    // Without branches, which would be taken at random.
    let past_half = |direction: Vec2| {
        let turned = cross(first, direction);
        (turned < 0.0) | ((turned == 0.0) & (along(first, direction) < 0.0))
    };
    let goal_past_half = past_half(across);
    let (mut start, mut size) = (0, ring.len());
    while size > 0 {
        let middle = start + size / 2;
        let direction = edge(middle);
        let same_half = past_half(direction) == goal_past_half;
        let precedes =
            (same_half & (cross(direction, across) > 0.0)) | (!same_half & goal_past_half);
        start = if precedes { middle + 1 } else { start };
        size = if precedes {
            size - size / 2 - 1
        } else {
            size / 2
        };
    }
    if start == ring.len() { 0 } else { start }
}
