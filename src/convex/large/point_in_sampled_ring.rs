//! Whether a point lies inside a ring, as far as some of its vertices tell.

use fearless_simd::prelude::*;

use crate::convex::cyclic::Cyclic;
use crate::convex::table::load_vertices::{eight, slide_to_next};
use crate::geom::{Bounds, Point};
use crate::predicates::bounds::error_bounds::{box_error, certainly_positive};
use crate::simd::lanes::{Lanes, Vectors};
use crate::simd::load::{self, LANES, Lane};

/// How far a point lies inside the polygon of some of a ring's vertices, which is convex too and
/// leaves out little of the ring: the least cross product of its edges with the point.
#[inline(always)]
pub(super) fn depth_among_samples<S: Simd>(simd: S, ring: &[Point], point: Point) -> f64 {
    let point = load::splat(simd, point);
    if ring.len() < LANES {
        let (mut corners, mut following, mut index) = ([ring[0]; LANES], [ring[0]; LANES], 0);
        for lane in 0..LANES {
            corners[lane] = ring[index];
            index = ring.next(index);
            following[lane] = ring[index];
        }
        let [corners, following] = [corners, following].map(
            #[inline(always)]
            |eight| load::points(simd, &eight),
        );
        return (following - corners).cross(point - corners).reduce_min();
    }
    if ring.len() < 2 * LANES {
        let corners = samples(simd, ring, 0, LANES);
        return depth(corners, corners, point).reduce_min();
    }
    let [low, high] = [
        samples(simd, ring, 0, 2 * LANES),
        samples(simd, ring, LANES, 2 * LANES),
    ];
    let [first, second] = [depth(low, high, point), depth(high, low, point)];
    first.smaller(second).reduce_min()
}

/// Whether a point certainly lies inside a counterclockwise ring with these bounds, as far as some
/// of its vertices tell.
#[inline(always)]
pub(crate) fn surely_holds<S: Simd>(
    simd: S,
    ring: &[Point],
    bounds: &Bounds,
    point: Point,
) -> bool {
    let size = bounds.union(&point.into()).size();
    certainly_positive(
        depth_among_samples(simd, ring, point),
        box_error(size, size),
    )
}

/// Eight samples from the first on, of so many at equal distances round the ring.
#[inline(always)]
fn samples<S: Simd>(simd: S, ring: &[Point], first: usize, of: usize) -> Vectors<Lane<S>> {
    let mut eight = [ring[0]; LANES];
    for lane in 0..LANES {
        eight[lane] = ring[(first + lane) * ring.len() / of];
    }
    super::point_in_sampled_ring::eight(simd, &eight, 0)
}

/// How far a point lies to the left of the edges from each corner to the next, the last one to the
/// first of the corners that follow.
#[inline(always)]
fn depth<S: Simd>(
    corners: Vectors<Lane<S>>,
    following: Vectors<Lane<S>>,
    point: Vectors<Lane<S>>,
) -> Lane<S> {
    let next = corners.with(following, slide_to_next);
    (next - corners).cross(point - corners)
}
