//! Queries about shapes at rest.

pub(super) mod area;
pub(super) mod circle_polygon;
pub(super) mod circle_polygon_result;
pub(super) mod distance;
pub(super) mod intersects;
pub(super) mod locate;
pub(super) mod overlap_area;
mod quick_intersects;
pub(super) mod sat;
pub(super) mod within_distance;
