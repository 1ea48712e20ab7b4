//! Whether shapes have a point in common.

use super::support::{Verdict, error_on_grid, overlap};
use crate::convex::ring::{Corners, outgoing};
use crate::predicates::error_bounds::box_error;
use crate::simd::lanes::{Lanes, Mask, Vectors};

/// Whether two rings, the box round which has this size, have a point in common. There must be room
/// for all their vertices.
#[inline(always)]
pub(crate) fn intersects<L: Lanes, R: Corners<L> + ?Sized>(
    rings: [&R; 2],
    size: Vectors<L>,
    room: &mut [Vectors<L>],
) -> Verdict<L> {
    let [a, b] = rings;
    let (places_of_a, places_of_b) = room.split_at_mut(a.count());
    let origin = a.corner(0);
    for (ring, places) in [(a, &mut *places_of_a), (b, &mut *places_of_b)] {
        for (index, place) in places.iter_mut().enumerate() {
            *place = ring.corner(index) - origin;
        }
    }
    let behind_a = least_overlap(a, places_of_a, places_of_b);
    let behind_b = least_overlap(b, places_of_b, places_of_a);
    verdict(rings, size, behind_a.smaller(behind_b))
}

/// The same where the least overlap behind an edge is known.
#[inline(always)]
pub(super) fn verdict<L: Lanes, R: Corners<L> + ?Sized>(
    rings: [&R; 2],
    size: Vectors<L>,
    least: L,
) -> Verdict<L> {
    let error = box_error(size, size);
    let verdict = Verdict::reached(least, error);
    if verdict.open().any() {
        return Verdict::reached(least, error_on_grid(rings, size, None, error));
    }
    verdict
}

/// How far another ring reaches behind an edge of this one, times the edge's length, for that edge
/// behind which it is least: for the sign alone.
#[inline(always)]
fn least_overlap<L: Lanes, R: Corners<L> + ?Sized>(
    ring: &R,
    places: &[Vectors<L>],
    others: &[Vectors<L>],
) -> L {
    let mut least = places[0].x.all(f64::INFINITY);
    let place = |place: &Vectors<L>| *place;
    for (index, start) in places.iter().enumerate() {
        let edge = outgoing(ring, index);
        let overlap = overlap(edge, *start, others, place, Vectors::cross_contracted);
        least = least.smaller(overlap);
    }
    least
}
