//! Convex pieces that tile a shape, with a tree of their boxes.

use crate::broad::BoxTree;
use crate::geom::{Bounds, Point};

/// The rings of convex pieces, counterclockwise and without collinear vertices.
#[derive(Clone, Debug)]
pub(crate) struct ConvexPieces {
    rings: Vec<Vec<Point>>,
    tree: BoxTree,
}

impl ConvexPieces {
    pub(crate) fn new(rings: Vec<Vec<Point>>) -> Self {
        let boxes = rings.iter().map(|ring| bounds(ring));
        let tree = BoxTree::new(boxes);
        Self { rings, tree }
    }

    /// Of one convex shape.
    pub(crate) fn of_one(ring: &[Point]) -> Self {
        Self::new(vec![ring.to_vec()])
    }

    /// The vertices of a piece.
    pub(crate) fn ring(&self, index: usize) -> &[Point] {
        &self.rings[index]
    }

    /// A tree over the boxes of all pieces.
    pub(crate) fn tree(&self) -> &BoxTree {
        &self.tree
    }

    /// The memory it owns, without itself.
    pub(crate) fn nbytes(&self) -> usize {
        let rings = self.rings.iter().map(|ring| size_of_val(&**ring));
        self.rings.capacity() * size_of::<Vec<Point>>() + rings.sum::<usize>() + self.tree.nbytes()
    }
}

fn bounds(ring: &[Point]) -> Bounds {
    ring.iter().map(|&vertex| Bounds::from(vertex)).collect()
}
