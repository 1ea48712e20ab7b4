//! Large convex rings, one moving, by the steps of `gjk`: whether the origin is inside of the difference, passes it by,
//! or enters it, and through which edge; and the edge through which it leaves.

use fearless_simd::Simd;

use super::gjk::{
    MAX_STEPS, SweptExtent, enclose_origin, farthest, initial_direction, intersects_now, separates,
};
use crate::convex::one::minkowski_difference::{
    Corner, DifferenceEdge, MinkowskiDifference, OriginPath, Owner,
};
use crate::geom::{Bounds, Motion, Vec2};
use crate::predicates::Sign;
use crate::simd::instructions::with_instructions;

/// What the origin does within a frame.
pub(crate) fn swept_collision(
    difference: MinkowskiDifference<'_>,
    velocity: Motion,
    bounds: Option<[Bounds; 2]>,
) -> Option<OriginPath> {
    let bounds = bounds.map(|[a, b]| [difference.offset.map_or(a, |offset| a.moved(offset)), b]);
    if bounds.is_some_and(|[a, b]| !a.swept(velocity).meets(&b)) {
        return Some(OriginPath::Misses);
    }
    with_instructions!(simd => origin_path(simd, difference, velocity, bounds))
}

#[inline(always)]
fn origin_path<S: Simd>(
    simd: S,
    difference: MinkowskiDifference<'_>,
    velocity: Motion,
    bounds: Option<[Bounds; 2]>,
) -> Option<OriginPath> {
    let direction = initial_direction(difference, bounds);
    let may_overlap = bounds.is_none_or(|[a, b]| a.meets(&b));
    // With an offset, rounded corners have no error bound here: exact predicates decide.
    let bounds = bounds.filter(|_| difference.offset.is_none());
    if may_overlap && intersects_now(simd, difference, bounds) == Some(true) {
        return Some(OriginPath::Inside);
    }
    let path = entry(simd, difference, velocity);
    if path.is_none() {
        // Without it sweeps of 32-gons take 1.6 times the instructions, of 256-gons five times.
        let swept = SweptExtent::new(bounds, Some(velocity));
        if enclose_origin(simd, difference, &swept, direction) == Err(Some(false)) {
            return Some(OriginPath::Misses);
        }
    }
    path
}

/// What the origin does, if it crosses an edge from outside and between its ends within the frame,
/// or stops before it, or passes by.
#[inline(always)]
fn entry<S: Simd>(
    simd: S,
    difference: MinkowskiDifference<'_>,
    velocity: Motion,
) -> Option<OriginPath> {
    let path = velocity.rounded();
    let left = Vec2::new(-path.y, path.x);
    let gap = |corner| difference.gap(corner).rounded();
    let directions = [-left, left];
    let sides = [
        farthest(simd, difference, directions[0]),
        farthest(simd, difference, directions[1]),
    ];
    for (corner, direction) in sides.into_iter().zip(directions) {
        if direction.dot(gap(corner)) < 0.0
            && separates(difference, Some(velocity), direction, corner)?
        {
            return Some(OriginPath::Misses);
        }
    }
    for edge in crossed_edges(simd, difference, path, sides) {
        if difference.edge_start(edge.owner, edge.from) != edge.from {
            continue;
        }
        if difference.is_entered(&edge, velocity) {
            return Some(OriginPath::Enters(
                Some(edge),
                difference.crossing(&edge, velocity).rounded_time(),
            ));
        }
        let crossing = difference.crossing(&edge, velocity);
        if crossing.before() == Sign::Negative && crossing.after() == Sign::Negative {
            return Some(OriginPath::Misses);
        }
    }
    None
}

/// The edge through which the origin's line leaves the difference, if it does so between the edge's ends.
pub(crate) fn exit(
    difference: MinkowskiDifference<'_>,
    velocity: Motion,
) -> Option<DifferenceEdge> {
    with_instructions!(simd => {
        let path = -velocity.rounded();
        let left = Vec2::new(-path.y, path.x);
        let sides = [-left, left];
        let sides = [
            farthest(simd, difference, sides[0]),
            farthest(simd, difference, sides[1]),
        ];
        let ahead = |corner| difference.ahead(corner, velocity);
        let mut found = None;
        for edge in crossed_edges(simd, difference, path, sides) {
            if found.is_none()
                && difference.edge_start(edge.owner, edge.from) == edge.from
                && ahead(edge.from).times(ahead(difference.end(&edge))) == Sign::Negative
                && difference.crossing(&edge, velocity).approach() == Sign::Negative
            {
                found = Some(edge);
            }
        }
        found
    })
}

/// Edges one of which the line of a path enters, rounding apart, given the corners farthest to its right
/// and to its left.
#[inline(always)]
fn crossed_edges<S: Simd>(
    simd: S,
    difference: MinkowskiDifference<'_>,
    path: Vec2,
    [mut right, mut left]: [Corner; 2],
) -> [DifferenceEdge; 3] {
    let gap = |corner| difference.gap(corner).rounded();
    for _ in 0..MAX_STEPS {
        let [start, end] = [gap(right), gap(left)];
        let direction = Vec2::new(end.y - start.y, start.x - end.x);
        let apex = farthest(simd, difference, direction);
        if apex == right || apex == left {
            break;
        }
        if path.cross(gap(apex)) > 0.0 {
            left = apex;
        } else {
            right = apex;
        }
    }
    let of_a = DifferenceEdge::new(Owner::A, right);
    let of_b = DifferenceEdge::new(Owner::B, right);
    [
        of_a,
        of_b,
        DifferenceEdge::new(Owner::B, difference.end(&of_a)),
    ]
}
