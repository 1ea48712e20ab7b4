//! Whether shapes come within a distance of each other.

use std::borrow::Cow;
use std::ops::ControlFlow;

use super::circle_polygon::reaches_core;
use super::distance::core_distance;
use super::intersects::intersects;
use super::quick_intersects::{block_facing, certainly_intersects};
use crate::convex::{self, filter};
use crate::geom::{Bounds, Circle, Edge, Motion, Point, RadiusSum};
use crate::predicates::bounds::square_errors::Squares;
use crate::predicates::bounds::within_distance_filter::gap_within;
use crate::predicates::numbers::ten_digits::{accurately_below, square_of_ten_digits_above};
use crate::shape::boundary::Boundary;
use crate::shape::boundary::edge_block::{EdgeBlock, blocks_meet};
use crate::shape::boundary::edge_pairs::block_pairs;
use crate::shape::checked_shape::{Shape, convex_rings, radius_sum};
use crate::shape::kind::ShapeKind;
use crate::shape::pair::nearest_pairs_filter::LeastSquare;
use crate::shape::straight::rounded_sweep::MovingPair;
use crate::simd::lanes::Vectors;

/// Vertices up to which it takes less time to look at all of them than to search trees of boxes.
const FEW_VERTICES: usize = 64;

/// Pairs of blocks compared without a result after which it is asked whether boundaries meet. Where edges lie on one line,
/// no pair is certainly within a tiny margin.
const MANY_PAIRS: usize = 32;

/// Whether the distance of two shapes is at most a margin; with a margin of 0, whether they have a point
/// in common.
#[inline]
pub fn is_within(a: &Shape<'_>, b: &Shape<'_>, margin: f64) -> bool {
    let radius = radius_sum(a, b, margin);
    if radius.is_zero()
        && let Some((a, b)) = convex_rings(a, b)
    {
        return convex::intersects(a, b);
    }
    if radius.is_zero()
        && let Some(meet) = points_meet_convex(a, b).or_else(|| points_meet_convex(b, a))
    {
        return meet;
    }
    let circle = |center| Circle { center, radius };
    match (a.as_point(), b.as_point()) {
        (Some(point), _) => reaches_core(circle(point), b),
        (_, Some(point)) => reaches_core(circle(point), a),
        _ if certainly_intersects(a, b) => true,
        _ if radius.is_zero() => intersects(a.boundary(), b.boundary()),
        _ => cores_are_within(a, b, radius),
    }
}

/// Whether several points and an exactly convex polygon of few vertices have a point in common; `None` for other shapes.
/// Each point is compared with all edges of the polygon. Its boundary, which is not needed here, takes two to six times
/// as long where no point is inside.
fn points_meet_convex(points: &Shape<'_>, polygon: &Shape<'_>) -> Option<bool> {
    let is_small = polygon.is_exactly_convex() && polygon.is_short();
    if points.kind() != ShapeKind::MultiPoint || !is_small {
        return None;
    }
    let (bounds, radius) = (polygon.bounds(), RadiusSum::ZERO);
    let visit = |_, Edge { start: center, .. }: Edge| {
        if reaches_core(Circle { center, radius }, polygon) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let search = (points.boundary()).search(|of_point| of_point.meets(&bounds), visit);
    Some(search.is_break())
}

/// Whether the distance of two shapes without their radii is at most this sum, which is not 0.
fn cores_are_within(a: &Shape<'_>, b: &Shape<'_>, radius: RadiusSum) -> bool {
    let bounds @ [below, above] = radius.bounds();
    let are_few = a.vertices() + b.vertices() <= FEW_VERTICES;
    let are_convex = convex_rings(a, b).is_some();
    let by_extremes = || {
        let certain = certainly_within([a, b], below)?;
        (certain || below == above).then_some(certain)
    };
    let by_distance = || {
        if !are_convex {
            return boundaries_certainly_within([a.boundary(), b.boundary()], bounds);
        }
        let distance = core_distance(a, b).distance();
        let within = accurately_below(distance, below).filter(|&it| it || below == above);
        within.or_else(|| accurately_below(distance, above).filter(|is_within| !is_within))
    };
    let by_blocks = || (!are_convex && blocks_near_are_within([a, b], bounds)).then_some(true);
    let attempt = are_few.then(by_extremes).flatten();
    let attempt = attempt.or_else(by_blocks).or_else(by_distance);
    let exact = || MovingPair::new([a, b], None, Motion::NONE, radius).meet_at_start();
    attempt.unwrap_or_else(exact)
}

/// Whether two blocks of edges that lie near each other are certainly within a distance that lies between these bounds.
/// They are found quickly, without the boundary of a convex polygon, and often decide it.
fn blocks_near_are_within([a, b]: [&Shape<'_>; 2], radius: [f64; 2]) -> bool {
    let of_a = block_near(a, b.bounds().middle());
    let of_b = block_near(b, of_a.bounds.middle());
    let are_points = [a, b].map(|it| it.kind().is_of_points());
    let [below, _] = radius;
    of_a.bounds.are_certainly_within(&of_b.bounds, below) || {
        let mut least = LeastSquare::new(are_points, Some(radius));
        least.compare([&of_a, &of_b]);
        least.are_within() == Some(true)
    }
}

/// A block of edges of a shape not far from a point.
fn block_near<'s>(shape: &'s Shape<'_>, point: Point) -> Cow<'s, EdgeBlock> {
    match shape.exactly_convex() {
        Some(ring) => Cow::Owned(block_facing(ring, point)),
        None => Cow::Borrowed(shape.boundary().block_near(point)),
    }
}

/// Whether two shapes come within a distance that lies between these bounds, if floats can tell.
fn boundaries_certainly_within(boundaries: [&Boundary; 2], radius: [f64; 2]) -> Option<bool> {
    let [a, b] = boundaries;
    let [below, above] = radius;
    let are_points = boundaries.map(|it| it.kind.is_of_points());
    let mut least = LeastSquare::new(are_points, Some(radius));
    let mut are_within = |[of_a, of_b]: [&EdgeBlock; 2]| {
        let certainly_meet = || blocks_meet(of_a, of_b, |_, _| false);
        of_a.bounds.are_certainly_within(&of_b.bounds, below) || certainly_meet() || {
            least.compare([of_a, of_b]);
            least.are_within() == Some(true)
        }
    };
    let bound = Bounds::squared_distance_below;
    let reach = square_of_ten_digits_above(above);
    let mut visited = 0;
    let search = block_pairs(boundaries, Boundary::tree_there, bound, reach, |blocks| {
        visited += 1;
        if are_within(blocks) || visited == MANY_PAIRS && intersects(a, b) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(reach)
        }
    });
    if search.is_break() || visited < MANY_PAIRS && intersects(a, b) {
        return Some(true);
    }
    least.are_within()
}

/// Whether two shapes are certainly farther apart than a distance; `false` says nothing.
pub fn certainly_farther(a: &Shape<'_>, b: &Shape<'_>, distance: f64) -> bool {
    let [_, above] = radius_sum(a, b, distance).bounds();
    certainly_within([a, b], above) == Some(false)
}

/// Whether two shapes at rest come within a margin of each other, as far as their extreme vertices
/// along one direction tell: the shapes are no farther apart than these two, and no nearer than the
/// gap along the direction. `None` if that leaves it open.
pub(crate) fn certainly_within(shapes: [&Shape<'_>; 2], margin: f64) -> Option<bool> {
    let [box_a, box_b] = shapes.map(Shape::bounds);
    if !box_a.may_be_within(&box_b, margin) {
        return Some(false);
    }
    let direction = box_b.middle() - box_a.middle();
    let from = extreme(shapes[0], direction);
    let to = extreme(shapes[1], direction.times(-1.0));
    let size = box_a.union(&box_b).size();
    gap_within(to - from, direction, margin, &Squares::new(size, margin)).decided()
}

/// The vertex that is farthest in a direction, but for rounding.
fn extreme(shape: &Shape<'_>, direction: Vectors<f64>) -> Vectors<f64> {
    if let Some(point) = shape.as_point() {
        return point.into();
    }
    if let Some(ring) = shape.exactly_convex() {
        return filter::extreme(ring.len(), |index| ring[index].into(), direction);
    }
    let corners = &shape.boundary().corners;
    let corner = |index: usize| corners[index].point.into();
    filter::extreme(corners.len(), corner, direction)
}
