//! Queries about one ring and a circle, as far as floats can tell: edge by edge, or eight edges at a time where the ring
//! has many vertices.

use fearless_simd::prelude::*;

use super::circle_polygon::{
    CircleInBox, FilteredCircle, RingAndCircle, circle_reaches, nearest_feature, size_with,
    squares_of,
};
use super::sat_of_point::{FilteredPointSat, sat_of_point};
use super::swept_circle::{FilteredSweptCircle, swept_circle};
use crate::convex::cyclic::Cyclic;
use crate::convex::large::point_in_sampled_ring::surely_holds;
use crate::convex::ring::Ring;
use crate::convex::table::lane_corners::bounds;
use crate::convex::table::load_vertices;
use crate::geom::{Circle, Point, Vec2};
use crate::predicates::bounds::box_distance_bounds::is_circle_apart;
use crate::predicates::bounds::point_edge_filter::{Closeness, EdgeProjection, FAR, LeastDistance};
use crate::predicates::bounds::square_errors::Squares;
use crate::simd::instructions::with_instructions;
use crate::simd::lanes::{Lanes, Mask, Vectors};
use crate::simd::load::{self, LANES, Lane};

/// Vertices up to which a circle is compared with edges one by one, not with eight at a time; both have the same numbers.
const FEW: usize = 32;

/// Applies a filter to a counterclockwise ring and a circle.
#[inline(always)]
fn filtered<T>(
    ring: &[Point],
    Circle { center, radius }: Circle,
    is_sum: bool,
    filter: impl Fn(&RingAndCircle<'_, f64, [Point]>) -> T,
) -> T {
    let around = |ring| RingAndCircle::new(ring, bounds([ring]), (center.into(), radius), is_sum);
    match <&[Point; 4]>::try_from(ring) {
        // The most usual length, for which the loops unroll.
        Ok(quad) => filter(&around(&quad[..])),
        Err(_) => filter(&around(ring)),
    }
}

/// Whether a circle reaches a counterclockwise ring, if that is certain.
pub(crate) fn certainly_reaches(ring: &Ring<'_>, circle: Circle) -> Option<bool> {
    if ring.len() <= FEW {
        return filtered(ring, circle, false, circle_reaches).decided();
    }
    with_instructions!(simd => certainly_reaches_large(simd, ring, circle))
}

/// [`certainly_reaches`] for a ring of more than [`FEW`] vertices.
#[inline(always)]
fn certainly_reaches_large<S: Simd>(simd: S, ring: &Ring<'_>, circle: Circle) -> Option<bool> {
    let Circle { center, radius } = circle;
    let bounds = &ring.bounds();
    let sides = [bounds.min.into(), bounds.max.into()];
    if is_circle_apart(sides, center.into(), radius, None) {
        return Some(false);
    }
    // Most circles that reach a ring at all have their center well inside.
    if surely_holds(simd, ring, bounds, center) {
        return Some(true);
    }
    let centers = load::splat(simd, center);
    let radii = Lane::splat(simd, radius);
    let mut closeness = Closeness::of_none(radii);
    for block in 0..ring.len().div_ceil(LANES) {
        let (start, end) = load_vertices::edges(simd, ring, block);
        closeness = closeness.with(&EdgeProjection::new(centers, start, end), radii);
    }
    let closeness = Closeness {
        inside: closeness.inside.reduce_min(),
        from_vertex: closeness.from_vertex.reduce_min(),
        from_edge: closeness.from_edge.reduce_min(),
        shortest: closeness.shortest.reduce_min(),
    };
    let squares = Squares::new(size_with(center.into(), sides), radius);
    closeness.verdict(radius, &squares).decided()
}

/// Whether a point certainly lies inside a ring, as far as some of its vertices tell.
pub(crate) fn certainly_holds(ring: &Ring<'_>, point: Point) -> bool {
    with_instructions!(simd => surely_holds(simd, ring, &ring.bounds(), point))
}

/// The feature of a counterclockwise ring nearest to a circle's center, if it is certain. The radius may be a sum of
/// three rounded terms.
pub(crate) fn certainly_nearest(
    ring: &Ring<'_>,
    circle: Circle,
    is_sum: bool,
) -> Option<FilteredCircle<f64>> {
    let quick = beside_nearest_edge(ring, circle, is_sum, FilteredCircle::of_edge);
    let quick = quick.filter(|(nearest, _)| nearest.is_certain);
    if let Some((nearest, position)) = quick {
        return Some(FilteredCircle {
            position,
            ..nearest
        });
    }
    let nearest = filtered(ring, circle, is_sum, nearest_feature);
    nearest.is_certain.then_some(nearest)
}

/// Overlap of a counterclockwise ring and a point with a radius, if it is certain. The radius may be a sum of three rounded
/// terms.
pub(crate) fn certainly_sat_of_point(
    ring: &Ring<'_>,
    circle: Circle,
    is_sum: bool,
) -> Option<FilteredPointSat<f64>> {
    let quick = beside_nearest_edge(ring, circle, is_sum, FilteredPointSat::of_edge);
    let quick = quick.map(|(sat, _)| sat).filter(|sat| sat.is_certain);
    let sat = quick.unwrap_or_else(|| filtered(ring, circle, is_sum, sat_of_point));
    sat.is_certain.then_some(sat)
}

/// What an edge of a ring of more than [`FEW`] vertices tells of a circle, and its index, if no other edge is as
/// near to the circle's center.
fn beside_nearest_edge<T>(
    ring: &Ring<'_>,
    circle: Circle,
    is_sum: bool,
    of_edge: impl Fn([Vectors<f64>; 2], &CircleInBox<f64>, &Squares<f64>) -> T,
) -> Option<(T, f64)> {
    if ring.len() <= FEW {
        return None;
    }
    let around = CircleInBox::new(circle, ring.bounds());
    let squares = squares_of(around.size, around.radius, is_sum);
    let position = with_instructions!(simd => {
        nearest_edge_of_large(simd, ring, circle.center, squares.error)
    })?;
    let edge = ring.edge(to_index(position));
    let found = of_edge([edge.start.into(), edge.end.into()], &around, &squares);
    Some((found, position))
}

/// The index of the edge nearest to a point, if it is certain, of a ring of more than [`FEW`] vertices. Each lane
/// finds the nearest of its edges: circles and 256-gons, read from memory, take a quarter of the time of edges one by one.
#[inline(always)]
fn nearest_edge_of_large<S: Simd>(
    simd: S,
    ring: &Ring<'_>,
    center: Point,
    error: f64,
) -> Option<f64> {
    let center = load::splat(simd, center);
    let (none, lanes) = (
        Lane::splat(simd, FAR),
        Lane::from_fn(simd, |lane| lane as f64),
    );
    let mut least = LeastDistance::of(none, none, none.above(none));
    let mut position = lanes;
    for block in 0..ring.len().div_ceil(LANES) {
        let (start, end) = load_vertices::edges(simd, ring, block);
        let at = EdgeProjection::new(center, start, end);
        let index = lanes + none.all(load_vertices::first(block, ring.len()) as f64);
        // The last block repeats edges.
        let is_new = index.at_least(none.all((block * LANES) as f64));
        let square = is_new.choose(at.distance_squared(none.all(error)), none);
        let is_nearer = least.offer_square(square, at.edge_squared);
        position = is_nearer.choose(index, position);
    }
    let (lane, least) = least.of_lanes(simd);
    let position = position.to_array()[lane];
    least.is_certain(error).then_some(position)
}

/// The index that a filter gives as a float: a whole number below the length of a ring.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
pub(crate) fn to_index(position: f64) -> usize {
    position as usize
}

/// Whether and when a moving circle meets a counterclockwise ring, if that is certain. The radius may be a sum of three
/// rounded terms.
pub(crate) fn certainly_swept(
    ring: &[Point],
    circle: Circle,
    velocity: Vec2,
    is_sum: bool,
) -> Option<FilteredSweptCircle<f64>> {
    let first = filtered(
        ring,
        circle,
        is_sum,
        #[inline(always)]
        |around| swept_circle(around, velocity),
    );
    first.is_certain.then_some(first)
}
