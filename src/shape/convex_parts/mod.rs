//! A polygon cut into convex parts, without a new vertex.
//!
//! `earcut` triangulates in floats; whether its triangles tile the polygon is decided exactly, and
//! where they don't, an exact triangulation takes over. Diagonals that no convexity needs are then
//! taken out (Hertel and Mehlhorn, 1983), which leaves at most four times the least number of
//! parts.

mod merge;
mod tiling;
mod triangulate;

use std::collections::HashMap;

use super::Polygon;
use super::boundary::Boundary;
use crate::convex::Cyclic;
use crate::geom::Point;

/// Convex polygons that tile a polygon: counterclockwise, without collinear vertices. None only
/// for a polygon that is not valid.
pub fn convex_parts(polygon: &Polygon<'_>) -> Option<Vec<Vec<Point>>> {
    if let Some(ring) = polygon.exactly_convex() {
        return Some(vec![ring.to_vec()]);
    }
    let region = Region::of(polygon.boundary());
    let triangles = triangulate::by_ears(polygon.boundary(), &region)
        .filter(|triangles| tiling::is_tiling(triangles, &region))
        .or_else(|| {
            triangulate::by_front(polygon.boundary(), &region)
                .filter(|triangles| tiling::is_tiling(triangles, &region))
        })?;
    Some(merge::merged(&triangles, &region))
}

/// The number of a place among those of a polygon's corners.
type VertexId = u32;

/// Three places, counterclockwise.
type Triangle = [VertexId; 3];

/// A polygon's corners as numbered places, so that rings that touch share them, and its edges.
struct Region {
    points: Vec<Point>,
    /// The place of each corner of the boundary.
    places: Vec<VertexId>,
    /// From place to place, with the inside on the left.
    edges: Vec<[VertexId; 2]>,
}

impl Region {
    fn of(boundary: &Boundary) -> Self {
        let mut known = HashMap::new();
        let mut points = Vec::new();
        let mut place = |point: Point| {
            // Adding zero makes both zeros one.
            let key = [point.x, point.y].map(|value| (value + 0.0).to_bits());
            *known.entry(key).or_insert_with(|| {
                points.push(point);
                VertexId::try_from(points.len() - 1).expect("fewer than 2^32 vertices")
            })
        };
        let corners = boundary.corners().iter();
        let places: Vec<VertexId> = corners.map(|corner| place(corner.point)).collect();
        let edge = |index| [places[index], places[boundary.next(index)]];
        let edges = (0..places.len()).map(edge).collect();
        Self {
            points,
            places,
            edges,
        }
    }

    fn point(&self, place: VertexId) -> Point {
        self.points[place as usize]
    }

    fn edge(&self, [start, end]: [VertexId; 2]) -> crate::geom::Edge {
        crate::geom::Edge::new(self.point(start), self.point(end))
    }
}

/// The sides of a triangle.
fn sides([a, b, c]: Triangle) -> [[VertexId; 2]; 3] {
    [[a, b], [b, c], [c, a]]
}
