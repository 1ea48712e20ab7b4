//! The minimum translation that clears a whole sweep of one convex shape from another.

use super::minkowski_difference::{MinkowskiDifference, Support, right_normal};
use crate::convex::cyclic::Cyclic;
use crate::convex::filter;
use crate::convex::filter::one_pair::with_table;
use crate::convex::ring::Ring;
use crate::geom::{Edge, Motion, Point, Vec2, WideFloat, WideVector};
use crate::predicates::{Sign, cross, shortest};

/// The minimum translation that clears `b` from the whole sweep of `a`: where `a`, moved by the
/// velocity and this, does not overlap `b`.
///
/// The sweep is the sum of `a` and a segment, so its normals are those of `a` and the two across
/// the velocity; without the latter the translation would be too long.
pub(crate) fn sweep_mtv(a: &Ring<'_>, b: &Ring<'_>, velocity: Motion) -> Vec2 {
    if let Some(velocity) = velocity.vector() {
        let filtered = with_table([a, b], |table| filter::sweep_mtv(table, velocity, true));
        if filtered.is_certain {
            return filtered.mtv();
        }
    }
    let difference = MinkowskiDifference::<[Point]>::new(a, b, None);
    let edges = difference.edges().map(|edge| difference.support(&edge));
    let least = least_of_sweep(difference, edges, velocity).expect("a ring has edges");
    least.translation()
}

/// Of the supporting lines along some edges and along the velocity, that of the sweep's least overlap.
fn least_of_sweep(
    difference: MinkowskiDifference<'_>,
    supports: impl Iterator<Item = Support>,
    velocity: Motion,
) -> Option<Support> {
    debug_assert_eq!(velocity.steps, 0.0, "a sweep along an edge");
    let path = Edge::new(velocity.from, velocity.to);
    let swept = supports.map(|mut support| {
        let inward = cross(support.direction, path.displacement());
        if inward == Sign::Positive {
            support.gap = support.gap.shifted(velocity);
        }
        support
    });
    let sides = [path, path.reversed()]
        .into_iter()
        .filter(|_| velocity != Motion::NONE)
        .map(|direction| difference.support_along(direction));
    shortest(swept.chain(sides), Support::length)
}

/// Vertices of two shapes up to which [`sweep_depth`] compares all with each edge: an eighth faster for rectangles. Two
/// 64-gons took five times as long so as where each edge's search starts from the last one's vertex.
const FEW: usize = 16;

/// Length and direction of the minimum translation that clears a sweep of convex shapes, given by their corners, also
/// by one or two. `None` if nothing has a direction.
pub(crate) fn sweep_depth(
    a: &[Point],
    b: &[Point],
    velocity: Motion,
) -> Option<(WideFloat, WideVector)> {
    let difference = MinkowskiDifference::<[Point]>::new(a, b, None);
    let least = if a.len() + b.len() <= FEW {
        let edges = |ring: &[Point]| -> Vec<Edge> {
            let count = if ring.len() < 2 { 0 } else { ring.len() };
            (0..count).map(|index| ring.edge(index)).collect()
        };
        let of_a = edges(a).into_iter().map(Edge::reversed);
        let supports = of_a.chain(edges(b));
        let supports = supports.map(|direction| difference.support_along(direction));
        least_of_sweep(difference, supports, velocity)?
    } else {
        let supports = (difference.edges_of_rings()).map(|edge| difference.support(&edge));
        least_of_sweep(difference, supports, velocity)?
    };
    Some((least.depth(), right_normal(least.direction)))
}
