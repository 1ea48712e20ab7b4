//! Convex decomposition of a polygon, without new vertices.
//!
//! `earcut` triangulates in floats; whether its triangles tile the polygon is decided exactly, and
//! where they don't, an exact triangulation takes over. Diagonals between parts whose union is convex
//! are then removed (Hertel and Mehlhorn, 1983), which leaves at most four times the least number
//! of parts.

mod merge;
mod region;
mod tiling;
mod triangulate;

use super::polygon::Polygon;
use crate::geom::Point;
use region::Region;

/// Convex polygons that tile a polygon: counterclockwise, without collinear vertices. None only
/// for an invalid polygon.
pub fn convex_parts(polygon: &Polygon<'_>) -> Option<Vec<Vec<Point>>> {
    if let Some(ring) = polygon.exactly_convex() {
        return Some(vec![ring.to_vec()]);
    }
    let boundary = polygon.boundary();
    let region = Region::new(boundary);
    let is_tiling = |triangles: &Vec<_>| tiling::is_tiling(triangles, &region);
    let triangles = triangulate::by_ears(boundary, &region)
        .filter(is_tiling)
        .or_else(|| triangulate::by_front(boundary, &region).filter(is_tiling))?;
    Some(merge::merged(&triangles, &region))
}
