//! Evidence from points. A point has no boundary.

use std::ops::ControlFlow;

use super::intersections::{Intersections, PredicateSearch};
use super::paths::is_end;
use crate::geom::{Bounds, Point};
use crate::shape::boundary::Boundary;
use crate::shape::boundary::point_in_polygon::{Location, locate};
use crate::shape::checked_shape::Shape;

/// Points, and points.
pub(super) fn relate_to_points(
    search: &mut PredicateSearch,
    shapes: [&Shape<'_>; 2],
) -> ControlFlow<bool> {
    for (outside, [own, other]) in [
        (Intersections::IE, shapes),
        (Intersections::EI, [shapes[1], shapes[0]]),
    ] {
        points_in(own, &other.bounds(), |point| {
            if !search.wants(outside | Intersections::II) {
                return ControlFlow::Continue(());
            }
            search.add(if has_point(other, point) {
                Intersections::II
            } else {
                outside
            })
        })?;
    }
    ControlFlow::Continue(())
}

/// Points, then a path.
pub(super) fn relate_to_path(
    search: &mut PredicateSearch,
    shape: &Shape<'_>,
    path: &Boundary,
) -> ControlFlow<bool> {
    points_in(shape, &path.bounds(), |point| {
        search.add(match locate(point, path) {
            Location::Outside => Intersections::IE,
            _ if is_end(path, point) => Intersections::IB,
            _ => Intersections::II,
        })
    })
}

/// Points, then a polygon.
pub(super) fn relate_to_area(
    search: &mut PredicateSearch,
    shape: &Shape<'_>,
    polygon: &Boundary,
) -> ControlFlow<bool> {
    points_in(shape, &polygon.bounds(), |point| {
        search.add(match locate(point, polygon) {
            Location::Inside => Intersections::II,
            Location::Boundary => Intersections::IB,
            Location::Outside => Intersections::IE,
        })
    })
}

/// Visits those points in a box of a shape that consists of points, until the visitor breaks. That others lie outside a
/// shape in this box is known from the boxes of both.
fn points_in(
    shape: &Shape<'_>,
    bounds: &Bounds,
    mut visit: impl FnMut(Point) -> ControlFlow<bool>,
) -> ControlFlow<bool> {
    if let Some(only) = shape.as_point() {
        return visit(only);
    }
    let mut answer = ControlFlow::Continue(());
    let _ = shape.boundary().search(
        |block| block.meets(bounds),
        |_, at| {
            answer = visit(at.start);
            answer.map_break(|_| ())
        },
    );
    answer
}

fn has_point(shape: &Shape<'_>, point: Point) -> bool {
    if let Some(only) = shape.as_point() {
        return only == point;
    }
    let at = Bounds::from(point);
    let is_same = |_, _| ControlFlow::Break(());
    let found = shape.boundary().search(|bounds| bounds.meets(&at), is_same);
    found.is_break()
}
