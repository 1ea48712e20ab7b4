//! The positions of many points relative to one polygon.

use crate::geom::Point;
use crate::shape::boundary::point_in_polygon::{self, Location};
use crate::shape::checked_shape::Shape;

/// The position of each point relative to a polygon, in order.
pub fn locate_each(points: &[Point], polygon: &Shape<'_>, tell: impl FnMut(Location)) {
    point_in_polygon::locate_each(points, polygon.boundary(), tell);
}

/// Makes what [`locate_each`] needs and a column keeps, if that was not done.
pub fn prepare_to_locate(polygon: &Shape<'_>) {
    point_in_polygon::prepare(polygon.boundary());
}
