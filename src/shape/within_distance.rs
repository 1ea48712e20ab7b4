//! Whether polygons come within a distance of each other.

use std::ops::ControlFlow;

use super::boundary::{Boundary, edge_pairs, zero_if_met};
use super::boundary_feature::BoundaryFeature;
use super::polygon::Polygon;
use super::swept_circle::Approach;
use crate::geom::{Bounds, Circle, Edge, Motion, Point};
use crate::predicates::error_bounds::{Squares, gap_within};
use crate::simd::lanes::Vectors;

/// Whether two polygons at rest come within a margin of each other, as far as their extreme vertices
/// along one direction tell: the polygons are no farther apart than these two, and no nearer than the
/// gap along the direction. `None` if that leaves it open.
pub(crate) fn certainly_within(polygons: [&Polygon<'_>; 2], margin: f64) -> Option<bool> {
    let [box_a, box_b] = polygons.map(Polygon::bounds);
    if !box_a.may_be_within(&box_b, margin) {
        return Some(false);
    }
    let middle =
        |of: Bounds| Vectors::from(of.min).with(of.max.into(), |low, high| 0.5 * (low + high));
    let direction = middle(box_b) - middle(box_a);
    let origin = Vectors::from(box_a.min);
    let along = |point: Point| direction.dot(Vectors::from(point) - origin);
    let from = extreme(polygons[0], along);
    let to = extreme(polygons[1], |point| -along(point));
    let all = box_a.union(&box_b);
    let size = Vectors::from(all.max) - Vectors::from(all.min);
    gap_within(to - from, direction, margin, &Squares::new(size, margin)).decided()
}

/// The vertex with the greatest key.
fn extreme(polygon: &Polygon<'_>, key: impl Fn(Point) -> f64) -> Vectors<f64> {
    let mut best = (f64::NEG_INFINITY, Point::ORIGIN);
    let mut offer = |point: Point| {
        let own = key(point);
        if own > best.0 {
            best = (own, point);
        }
    };
    match polygon.exactly_convex() {
        Some(ring) => ring.iter().for_each(|&point| offer(point)),
        None => (polygon.boundary().corners.iter()).for_each(|corner| offer(corner.point)),
    }
    best.1.into()
}

/// Whether the boundary of `a`, moving along a path if there is one, comes within the margin of the
/// boundary of `b`, which it does not meet: then a vertex of one comes that near to an edge of the
/// other.
pub(crate) fn boundaries_come_within(
    [a, b]: [&Boundary; 2],
    path: Option<Edge>,
    margin: f64,
) -> bool {
    let velocity = path.map_or(Motion::NONE, |path| Motion::between(path.start, path.end));
    let back = path.map(Edge::reversed);
    let radius = margin;
    let near = |center: Point, edge, path| reaches(Circle { center, radius }, edge, path);
    let swept = |a: Bounds| a.swept(velocity).grown(margin);
    let bound_of_blocks = |a: &Bounds, b: &Bounds| zero_if_met(&swept(*a), b);
    let visit = |_: [usize; 2], [first, second]: [Edge; 2]| {
        if near(first.start, second, path) || near(second.start, first, back) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(0.0)
        }
    };
    edge_pairs([a, b], swept, zero_if_met, bound_of_blocks, 0.0, visit).is_break()
}

/// Whether a circle touches an edge, or reaches it on its path, if there is one, from the edge's
/// right. The end of the edge, which is another's start, is left out.
fn reaches(circle: Circle, edge: Edge, path: Option<Edge>) -> bool {
    let (arriving, leaving) = (edge, edge);
    let start = BoundaryFeature::Vertex { arriving, leaving };
    let interior = BoundaryFeature::Edge(edge);
    start.is_reached(circle)
        || interior.is_reached(circle) && interior.faces(circle.center)
        || path.is_some_and(|velocity| {
            let arrives = |feature| Approach::new(feature, circle, velocity).arrives();
            arrives(start) || arrives(interior)
        })
}
