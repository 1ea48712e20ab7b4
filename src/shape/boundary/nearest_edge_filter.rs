//! Float filter for a point and the edges of a boundary, eight at a time: the edge nearest to it. Nothing need be convex:
//! each edge is judged by itself.

use fearless_simd::prelude::*;

use super::edge_block::EdgeBlock;
use crate::geom::Point;
use crate::predicates::bounds::point_edge_filter::{EdgeProjection, FAR, LeastDistance};
use crate::simd::instructions::with_instructions;
use crate::simd::lanes::Lanes;
use crate::simd::load;

/// The edge nearest to a point, of those of some blocks, where the start of an edge counts as part of it and
/// the end does not.
pub(crate) struct NearestEdge {
    least: LeastDistance<f64>,
    /// The index of the edge, if there is one.
    index: Option<usize>,
}

impl NearestEdge {
    /// No edge yet.
    pub(crate) fn new() -> Self {
        Self {
            least: LeastDistance::of(FAR, FAR, false),
            index: None,
        }
    }

    /// Adds the edges of a block; the squared distance above which no other edge is as near.
    pub(crate) fn add(&mut self, point: Point, block: &EdgeBlock) -> f64 {
        let (lane, squares, shortest) = with_instructions!(simd => {
            let [start, end] = block.ends(simd);
            let at = EdgeProjection::new(load::splat(simd, point), start, end);
            let is_edge = fearless_simd::mask64x8::from_bitmask(simd, block.edges());
            let none = at.dot.all(FAR);
            let (lane, squares) = load::least_two(simd, is_edge.select(at.distance_squared(), none));
            (lane, squares, is_edge.select(at.edge_squared, none).reduce_min())
        });
        let [least, second] = squares;
        if self.least.offer_square(least, shortest) {
            self.index = Some(block.range().start + lane);
        }
        self.least.offer_square(second, shortest);
        self.least.limit()
    }

    /// The index of the edge, if it is certainly the nearest; `error` is that of the products.
    pub(crate) fn certain(&self, error: f64) -> Option<usize> {
        self.index.filter(|_| self.least.is_certain(error))
    }
}
