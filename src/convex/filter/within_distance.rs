//! Float filter for whether two convex rings come within a distance of each other.

use super::intersects::overlaps;
use crate::convex::table::facing_edge::FacingEdge;
use crate::convex::table::lane_corners::Corners;
use crate::convex::table::support_table::{EdgeSupport, SupportTable};
use crate::predicates::bounds::point_edge_filter::{Closeness, EdgeProjection};
use crate::predicates::bounds::square_errors::Squares;
use crate::predicates::bounds::within_distance_filter::gap_within;
use crate::predicates::numbers::verdict::Verdict;
use crate::simd::lanes::{Lanes, Mask, Vectors};

/// Whether two rings come within a distance of each other. `squares` bounds the errors of vectors in
/// their common bounding box, which has this size, and of the distance; `scratch` has an entry for each
/// of their edges.
#[inline(always)]
pub(crate) fn within_distance<L: Lanes, R: Corners<L> + ?Sized>(
    rings: [&R; 2],
    size: Vectors<L>,
    squares: &Squares<L>,
    distance: L,
    scratch: &mut [EdgeSupport<L>],
) -> Verdict<L> {
    // Wide margins and points: two extreme vertices tell, in three quarters of the time.
    let is_wide = (distance * distance.all(4.0)).above(size.x + size.y);
    let are_points = rings.map(Corners::count) == [1, 1];
    if are_points || !(!is_wide).any() {
        let verdict = extremes_within(rings, squares, distance);
        if !verdict.undecided().any() {
            return verdict;
        }
    }
    let table = &SupportTable::new(rings, size, scratch);
    let overlaps = overlaps(table.rings, table.size, table.least_overlap());
    let facing = FacingEdge::farthest(table, None);
    let verdict: Verdict<L> = Verdict {
        yes: overlaps.yes | facing.is_near(distance, squares),
        no: overlaps.no & facing.are_beyond(distance, squares),
    };
    if !verdict.undecided().any() {
        return verdict;
    }
    // Several features may be the nearest.
    let close = closeness(table.rings, distance).verdict(distance, squares);
    Verdict {
        yes: verdict.yes | close.yes,
        no: verdict.no | (overlaps.no & close.no),
    }
}

/// Whether two rings come within a distance, as far as the vertices farthest along a line from ring to ring tell.
#[inline(always)]
fn extremes_within<L: Lanes, R: Corners<L> + ?Sized>(
    [a, b]: [&R; 2],
    squares: &Squares<L>,
    distance: L,
) -> Verdict<L> {
    let zero = distance.all(0.0);
    let across = |index: [usize; 2]| b.corner(index[1]) - a.corner(index[0]);
    let opposite = across([a.count() / 2, b.count() / 2]);
    let direction = (across([0, 0]) + opposite).times(zero.all(0.5));
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
    gap_within(to - from, direction, distance, squares)
}

#[inline(always)]
fn closeness<L: Lanes, R: Corners<L> + ?Sized>([a, b]: [&R; 2], distance: L) -> Closeness<L> {
    let mut closeness = Closeness::of_none(distance);
    for [ring, other] in [[a, b], [b, a]] {
        for vertex in 0..ring.count() {
            for index in 0..other.count() {
                let [start, end] = other.ends(index);
                let projection = EdgeProjection::new(ring.corner(vertex), start, end);
                closeness = closeness.with(&projection, distance);
            }
        }
    }
    closeness
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
