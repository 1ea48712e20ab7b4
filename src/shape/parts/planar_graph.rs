//! A polygon as a planar graph of shared vertices.

use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::convex::Cyclic;
use crate::geom::{Edge, Point};
use crate::shape::boundary::{Boundary, BoundaryCorner};

/// The index of a point of a [`Region`].
pub(super) type VertexId = u32;

/// Three vertices, counterclockwise.
pub(super) type Triangle = [VertexId; 3];

/// The vertices of a polygon, shared where rings touch, and its edges.
pub(super) struct Region {
    points: Vec<Point>,
    /// The vertex of each corner of the boundary.
    pub(crate) vertices: Vec<VertexId>,
    /// Directed edges, with the interior on the left.
    pub(crate) edges: Vec<[VertexId; 2]>,
}

impl Region {
    pub(crate) fn new(boundary: &Boundary) -> Self {
        let count = boundary.corners.len();
        let mut known = FxHashMap::with_capacity_and_hasher(count, FxBuildHasher);
        let mut points = Vec::with_capacity(count);
        let mut vertex = |corner: &BoundaryCorner| {
            // Adding zero makes both zeros equal.
            let Point { x, y } = corner.point;
            let key = [x, y].map(|value| (value + 0.0).to_bits());
            *known.entry(key).or_insert_with(|| {
                points.push(corner.point);
                VertexId::try_from(points.len() - 1).expect("fewer than 2^32 vertices")
            })
        };
        let vertices: Vec<VertexId> = boundary.corners.iter().map(&mut vertex).collect();
        let edge = |index| [vertices[index], vertices[boundary.next(index)]];
        let edges = (0..vertices.len()).map(edge).collect();
        Self {
            points,
            vertices,
            edges,
        }
    }

    pub(crate) fn point(&self, vertex: VertexId) -> Point {
        self.points[vertex as usize]
    }

    pub(crate) fn edge(&self, [start, end]: [VertexId; 2]) -> Edge {
        Edge::new(self.point(start), self.point(end))
    }
}

pub(crate) fn sides([a, b, c]: Triangle) -> [[VertexId; 2]; 3] {
    [[a, b], [b, c], [c, a]]
}
