//! Convex decomposition of a polygon, without new vertices.
//!
//! `earcut` triangulates in floats; whether its triangles tile the polygon is decided exactly, and
//! where they don't, an exact triangulation takes over. Diagonals between parts whose union is convex
//! are then removed (Hertel and Mehlhorn, 1983), which leaves at most four times the least number
//! of parts.

use super::planar_graph::Region;
use super::{half_edges, merge, triangulate};
use crate::geom::Point;
use crate::shape::checked_shape::Shape;

/// Convex polygons that tile one or several polygons, one after the other: counterclockwise, without
/// collinear vertices. None for an invalid polygon, and for points and paths.
pub fn convex_parts(polygon: &Shape<'_>) -> Option<Vec<Vec<Point>>> {
    if let Some(ring) = polygon.exactly_convex() {
        return Some(vec![ring.to_vec()]);
    }
    if !polygon.kind().is_polygonal() {
        return None;
    }
    let boundary = polygon.boundary();
    if boundary.parts() > 1 {
        let of_one = |rings| convex_parts(&Shape::trusted(rings).ok()?);
        let parts: Option<Vec<_>> = polygon.rings().polygons().map(of_one).collect();
        return parts.map(|parts| parts.concat());
    }
    let region = Region::new(boundary);
    let tiling = |triangles: Vec<_>| half_edges::half_edges(&triangles, &region);
    let half_edges = triangulate::by_ears(boundary, &region)
        .and_then(tiling)
        .or_else(|| triangulate::by_front(boundary, &region).and_then(tiling))?;
    Some(merge::merged(half_edges, &region))
}
