//! Evidence from points. A point has no boundary.

use std::ops::ControlFlow;

use super::super::boundary::{Boundary, Corner};
use super::super::checked_shape::Shape;
use super::super::point_in_polygon::{Location, locate};
use super::intersections::{Intersections, Search};
use super::paths::is_end;
use crate::geom::{Bounds, Point};

/// Points, and points.
pub(super) fn relate_to_points(search: &mut Search, shapes: [&Shape<'_>; 2]) -> ControlFlow<bool> {
    for (outside, [own, other]) in [
        (Intersections::IE, shapes),
        (Intersections::EI, [shapes[1], shapes[0]]),
    ] {
        if !search.wants(outside | Intersections::II) {
            continue;
        }
        for point in points(own) {
            search.add(if has_point(other, point) {
                Intersections::II
            } else {
                outside
            })?;
        }
    }
    ControlFlow::Continue(())
}

/// Points, then a path.
pub(super) fn relate_to_path(
    search: &mut Search,
    shape: &Shape<'_>,
    path: &Boundary,
) -> ControlFlow<bool> {
    for point in points(shape) {
        search.add(match locate(point, path) {
            Location::Outside => Intersections::IE,
            _ if is_end(path, point) => Intersections::IB,
            _ => Intersections::II,
        })?;
    }
    ControlFlow::Continue(())
}

/// Points, then a polygon.
pub(super) fn relate_to_area(
    search: &mut Search,
    shape: &Shape<'_>,
    polygon: &Boundary,
) -> ControlFlow<bool> {
    for point in points(shape) {
        search.add(match locate(point, polygon) {
            Location::Inside => Intersections::II,
            Location::Boundary => Intersections::IB,
            Location::Outside => Intersections::IE,
        })?;
    }
    ControlFlow::Continue(())
}

/// The points of a shape that consists of points.
fn points<'s>(shape: &'s Shape<'_>) -> impl Iterator<Item = Point> + use<'s> {
    let only = shape.as_point();
    let several: &[Corner] = match only {
        Some(_) => &[],
        None => &shape.boundary().corners,
    };
    only.into_iter()
        .chain(several.iter().map(|corner| corner.point))
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
