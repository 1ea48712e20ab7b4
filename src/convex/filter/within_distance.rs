//! Float filter for whether two convex rings come within a distance of each other.

use super::intersects;
use crate::convex::ring::Corners;
use crate::predicates::circle_error_bounds::{Closeness, EdgeProjection};
use crate::predicates::error_bounds::{Squares, gap_within};
use crate::predicates::verdict::Verdict;
use crate::simd::lanes::{Lanes, Mask, Vectors};

/// Directions along which extreme vertices are compared before all edges are: the first leads from
/// ring to ring, each of the others from one of the extreme vertices to the other.
const DIRECTIONS: usize = 3;

/// Whether two rings come within a distance of each other. `squares` bounds the errors of vectors in
/// their common bounding box and of the distance; `scratch` has an entry for each of their vertices.
#[inline(always)]
pub(crate) fn within_distance<L: Lanes, R: Corners<L> + ?Sized>(
    rings: [&R; 2],
    size: Vectors<L>,
    squares: &Squares<L>,
    distance: L,
    scratch: &mut [Vectors<L>],
) -> Verdict<L> {
    let [a, b] = rings;
    let zero = distance.all(0.0);
    let across = |index: [usize; 2]| b.corner(index[1]) - a.corner(index[0]);
    let opposite = across([a.count() / 2, b.count() / 2]);
    let mut direction = (across([0, 0]) + opposite).times(zero.all(0.5));
    let none = zero.above(zero);
    let mut verdict: Verdict<L> = Verdict {
        yes: none,
        no: none,
    };
    for _ in 0..DIRECTIONS {
        let from = extreme(
            a.count(),
            #[inline(always)]
            |index| a.corner(index),
            direction,
        );
        let to = extreme(
            b.count(),
            #[inline(always)]
            |index| b.corner(index),
            direction.times(zero.all(-1.0)),
        );
        let step = to - from;
        let other = gap_within(step, direction, distance, squares);
        verdict = Verdict {
            yes: verdict.yes | other.yes,
            no: verdict.no | other.no,
        };
        if !verdict.undecided().any() {
            return verdict;
        }
        direction = step;
    }
    let intersect = intersects(rings, size, scratch);
    let mut closeness = Closeness::of_none(zero);
    for [ring, other] in [[a, b], [b, a]] {
        for vertex in 0..ring.count() {
            for index in 0..other.count() {
                let [start, end] = other.ends(index);
                let projection = EdgeProjection::new(ring.corner(vertex), start, end);
                closeness = closeness.with(&projection, distance);
            }
        }
    }
    let close = closeness.verdict(distance, squares);
    Verdict {
        yes: verdict.yes | intersect.yes | close.yes,
        no: verdict.no | (intersect.no & close.no),
    }
}

/// Of some vertices the one that is farthest in a direction, but for rounding.
#[inline(always)]
pub(crate) fn extreme<L: Lanes>(
    count: usize,
    vertex: impl Fn(usize) -> Vectors<L>,
    direction: Vectors<L>,
) -> Vectors<L> {
    let first = vertex(0);
    let mut best = (direction.x.all(0.0), first);
    for index in 1..count {
        let other = vertex(index);
        let along = direction.dot(other - first);
        let is_farther = along.above(best.0);
        best = (
            is_farther.choose(along, best.0),
            Vectors::choose(is_farther, other, best.1),
        );
    }
    best.1
}
