//! The convex hull of a polygon that is its own hull but for rounding.

use std::cmp::Ordering;

use super::convex_hull::convex_hull;
use crate::convex::{Cyclic, Ring};
use crate::geom::{Displacement, Edge, Point};
use crate::invalid_shape::InvalidShape;
use crate::predicates::{Length, Sign, compare_lengths};
use crate::shape::boundary::Boundary;

/// How far inside the hull a vertex may lie and still count as misplaced by rounding, in units in
/// the last place of its largest coordinate: a rotation matrix rounds each coordinate three times,
/// and those of the vertex's neighbours.
const ROUNDING: f64 = 8.0;

/// The hull, if no vertex lies inside it by more than rounding.
pub(crate) fn nearly_convex_hull(boundary: &Boundary) -> Result<Ring<'static>, InvalidShape> {
    if boundary.rings.len() > 1 {
        return Err(InvalidShape::HasHole);
    }
    let corners = &boundary.corners;
    let points: Vec<Point> = corners.iter().map(|corner| corner.point).collect();
    let hull = convex_hull(&points);
    // Reflex vertices first: where some lie deep inside, the first of them is the one to report.
    let reflex_first = (0..points.len())
        .filter(|&k| points.turn_at(k) == Sign::Negative)
        .chain(0..points.len());
    let nearby = nearby_edges(&points, &hull);
    for k in reflex_first {
        if !near_edge(points[k], hull.edge(nearby[k])) {
            return Err(InvalidShape::NotConvex {
                vertex: corners[k].position as usize,
                value: points[k],
            });
        }
    }
    Ok(Ring::owned(hull.into_iter()))
}

/// For each vertex of a simple ring, the edge of the hull between those corners that come before and after it
/// in the ring. A vertex near another edge alone is no rounding: a notch reaches across the polygon.
fn nearby_edges(points: &[Point], hull: &[Point]) -> Vec<usize> {
    let start = points.iter().position(|&point| point == hull[0]);
    let start = start.unwrap_or(0);
    let (mut edges, mut edge) = (vec![0; points.len()], 0);
    for k in (start..points.len()).chain(0..start) {
        if points[k] == hull[hull.next(edge)] {
            edge = hull.next(edge);
        }
        edges[k] = edge;
    }
    edges
}

fn near_edge(vertex: Point, edge: Edge) -> bool {
    let allowed = Length::from(ROUNDING * unit_in_last_place(vertex));
    let inside = Length::Across(edge, Displacement::between(edge.start, vertex));
    compare_lengths(inside, allowed) != Ordering::Greater
}

/// The distance between neighbouring floats at a point's largest coordinate.
fn unit_in_last_place(point: Point) -> f64 {
    let largest = point.x.abs().max(point.y.abs()).min(f64::MAX.next_down());
    largest.next_up() - largest
}
