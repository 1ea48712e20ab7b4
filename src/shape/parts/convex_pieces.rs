//! Convex pieces that tile a shape, with a tree of their boxes.

use crate::broad::BoxTree;
use crate::geom::{Bounds, Point};

/// The rings of convex pieces, counterclockwise and without collinear vertices.
#[derive(Clone, Debug)]
pub(crate) struct ConvexPieces {
    pub(crate) rings: Vec<Vec<Point>>,
    /// A tree over the boxes of all pieces.
    pub(crate) tree: BoxTree,
}

/// Vertices of a cap that is cut off a large ring. A query about a piece of this size is cheap even if it
/// tries all vertices.
const CAP: usize = 16;

/// The most vertices of a piece: larger rings are cut, as the cost of a query about a piece grows with its
/// vertices.
const MANY_VERTICES: usize = 64;

impl ConvexPieces {
    /// The pieces of polygons. Large rings are cut further.
    pub(crate) fn of_polygons(rings: Vec<Vec<Point>>) -> Self {
        if rings.iter().all(|ring| ring.len() <= MANY_VERTICES) {
            return Self::new(rings);
        }
        let mut pieces = Vec::new();
        for ring in rings {
            cut_caps(ring, &mut pieces);
        }
        Self::new(pieces)
    }

    fn new(rings: Vec<Vec<Point>>) -> Self {
        let bounds = |ring: &Vec<Point>| ring.iter().map(|&vertex| Bounds::from(vertex)).collect();
        let tree = BoxTree::new(rings.iter().map(bounds));
        Self { rings, tree }
    }

    /// The only piece of a convex shape, which may be a segment or a point. It is not cut: a segment or a
    /// point may meet another shape only in a seam, where no interiors meet.
    pub(crate) fn of_one(ring: &[Point]) -> Self {
        Self::new(vec![ring.to_vec()])
    }

    /// Bytes of heap memory that the pieces own.
    pub(crate) fn nbytes(&self) -> usize {
        let rings = self.rings.iter().map(|ring| size_of_val(&**ring));
        self.rings.capacity() * size_of::<Vec<Point>>() + rings.sum::<usize>() + self.tree.nbytes()
    }
}

/// Adds pieces that tile a convex ring: caps along its boundary, thin where the ring is smooth, and what they
/// leave inside.
fn cut_caps(mut ring: Vec<Point>, pieces: &mut Vec<Vec<Point>>) {
    while ring.len() > MANY_VERTICES {
        let starts = (0..ring.len()).step_by(CAP - 1);
        let inner: Vec<Point> = starts.map(|start| ring[start]).collect();
        let ends = inner.iter().skip(1).chain(&inner[..1]);
        let caps = ring.chunks(CAP - 1).zip(ends);
        // The last chunk may be a single edge.
        let caps = caps.filter(|(chunk, _)| chunk.len() > 1);
        pieces.extend(caps.map(|(chunk, &end)| [chunk, &[end]].concat()));
        ring = inner;
    }
    pieces.push(ring);
}
