//! Whether two rings have a point in common, as far as floats can tell.

use crate::convex::table::lane_corners::Corners;
use crate::convex::table::precise_overlaps::overlaps_precisely;
use crate::convex::table::support_table::{error_on_grid, overlap};
use crate::predicates::bounds::error_bounds::box_error;
use crate::predicates::numbers::verdict::Verdict;
use crate::simd::lanes::{Lanes, Mask, Vectors};

/// Whether two rings, whose common bounding box has this size, have a point in common. `scratch`
/// has an entry for each of their vertices.
#[inline(always)]
pub(crate) fn intersects<L: Lanes, R: Corners<L> + ?Sized>(
    rings: [&R; 2],
    size: Vectors<L>,
    scratch: &mut [Vectors<L>],
) -> Verdict<L> {
    let [a, b] = rings;
    let (of_a, of_b) = scratch.split_at_mut(a.count());
    let origin = a.corner(0);
    for (ring, vertices) in [(a, &mut *of_a), (b, &mut *of_b)] {
        for (index, vertex) in vertices.iter_mut().enumerate() {
            *vertex = ring.corner(index) - origin;
        }
    }
    let behind_a = least_overlap(a, of_a, of_b);
    let behind_b = least_overlap(b, of_b, of_a);
    overlaps(rings, size, behind_a.smaller(behind_b))
}

/// Whether two rings have a point in common, given the least overlap behind an edge.
#[inline(always)]
pub(crate) fn overlaps<L: Lanes, R: Corners<L> + ?Sized>(
    rings: [&R; 2],
    size: Vectors<L>,
    least: L,
) -> Verdict<L> {
    let error = box_error(size, size);
    let verdict = Verdict::at_least_zero(least, error);
    if let [1, 1] = rings.map(Corners::count) {
        let gap = rings[1].corner(0) - rings[0].corner(0);
        let zero = error.all(0.0);
        let yes = gap.x.same(zero) & gap.y.same(zero);
        return Verdict { yes, no: !yes };
    }
    if rings.iter().any(|ring| ring.count() < 3) {
        // Without an interior zero tells nothing: the difference may be part of a line.
        let yes = verdict.yes & least.above(least.all(0.0));
        return Verdict { yes, ..verdict };
    }
    if !verdict.undecided().any() {
        return verdict;
    }
    let verdict = Verdict::at_least_zero(least, error_on_grid(rings, size, None, error));
    let open = verdict.undecided();
    if !open.any() {
        return verdict;
    }
    let precise = overlaps_precisely(rings, size, open);
    Verdict {
        yes: verdict.yes | precise.yes,
        no: verdict.no | precise.no,
    }
}

/// The least overlap of another ring behind an edge of this one, not divided by the edge's length:
/// for its sign.
#[inline(always)]
fn least_overlap<L: Lanes, R: Corners<L> + ?Sized>(
    ring: &R,
    vertices: &[Vectors<L>],
    others: &[Vectors<L>],
) -> L {
    let mut least = vertices[0].x.all(f64::INFINITY);
    if vertices.len() == 1 {
        // A point has no edge.
        return least;
    }
    let vertex = |vertex: &Vectors<L>| *vertex;
    for (index, start) in vertices.iter().enumerate() {
        let edge = ring.edge_vector(index);
        let overlap = overlap(edge, *start, others, vertex, Vectors::cross_contracted);
        least = least.smaller(overlap);
    }
    least
}
