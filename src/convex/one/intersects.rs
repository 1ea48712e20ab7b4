//! Whether two convex rings have a point in common.

use super::minkowski_difference::MinkowskiDifference;
use crate::convex::cyclic::Cyclic;
use crate::convex::filter::one_pair;
use crate::convex::large::gjk;
use crate::convex::ring::Ring;
use crate::geom::{Edge, Point};
use crate::predicates::{Sign, side};

/// Whether two convex rings have a point in common.
///
/// Where floats leave it open, they still tell of most edges that they don't separate: squares that touch edge to edge,
/// turned by any angle, have two edges left. All others decided exactly, too, took half as long again.
#[inline]
pub(crate) fn intersects(a: &Ring<'_>, b: &Ring<'_>) -> bool {
    let difference = MinkowskiDifference::<[Point]>::new(a, b, None);
    if gjk::is_faster(a.len(), b.len()) {
        let attempt = gjk::intersects(difference, gjk::known_bounds(a, b));
        return attempt.unwrap_or_else(|| {
            let mut edges = difference.edges();
            edges.all(|edge| difference.support(&edge).overlap() != Sign::Negative)
        });
    }
    let separates = |position: usize| match position.checked_sub(a.len()) {
        None => is_beyond(b, a.edge(position)),
        Some(position) => is_beyond(a, b.edge(position)),
    };
    one_pair::intersects(&difference)
        .unwrap_or_else(|may_separate| !may_separate.into_iter().any(separates))
}

/// Whether all of a ring lies on the outer side of an edge of another.
fn is_beyond(ring: &[Point], edge: Edge) -> bool {
    ring.iter()
        .all(|&vertex| side(edge, vertex) == Sign::Negative)
}
