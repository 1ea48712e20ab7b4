//! Float filter for a moving circle and the edges of a boundary, eight at a time: the edge or vertex that it reaches
//! first. Nothing need be convex: each edge is judged by itself.

use fearless_simd::prelude::*;

use crate::predicates::bounds::point_edge_filter::EdgeProjection;
use crate::predicates::bounds::swept_circle_filter::{CirclePath, certainly_before};
use crate::predicates::numbers::ten_digits::ten_digits_above;
use crate::shape::boundary::edge_block::EdgeBlock;
use crate::simd::instructions::with_instructions;
use crate::simd::lanes::{Lanes, Mask, Vectors};
use crate::simd::load;

/// The first vertex or interior of an edge that a moving circle reaches, of those of some blocks: a circle that
/// reaches none at the start.
pub(super) struct FirstArrival {
    center: Vectors<f64>,
    path: CirclePath<f64>,
    /// The least times so far, infinite where there are none.
    times: [f64; 2],
    /// The index of the edge of which something is reached first, and whether it is the interior, not the start.
    pub(crate) feature: Option<(usize, bool)>,
    is_open: bool,
}

impl FirstArrival {
    pub(crate) fn new(center: Vectors<f64>, path: CirclePath<f64>) -> Self {
        Self {
            center,
            path,
            times: [f64::INFINITY; 2],
            feature: None,
            is_open: false,
        }
    }

    /// Adds the edges of a block; the time above which no arrival is as early, below 0 if one is open.
    pub(crate) fn add(&mut self, block: &EdgeBlock) -> f64 {
        let (lane, times, are_edges, is_open) = with_instructions!(simd => {
            let [start, end] = block.ends(simd);
            let at = EdgeProjection::new(load::splat(simd, self.center.into()), start, end);
            let path = self.path.splat(at.dot);
            let (edge, vertex) = (path.to_edge(&at), path.to_vertex(&at));
            let is_edge = fearless_simd::mask64x8::from_bitmask(simd, block.edges());
            let none = at.dot.all(f64::INFINITY);
            // A circle that touches an edge between its ends reaches neither end first.
            let of_vertex = vertex.verdict.yes.choose(vertex.time, none);
            let time = is_edge.select(edge.verdict.yes.choose(edge.time, of_vertex), none);
            let open = is_edge & (edge.verdict.undecided() | vertex.verdict.undecided());
            let (lane, times) = load::least_two(simd, time);
            (lane, times, edge.verdict.yes.to_bitmask(), open.any())
        });
        if times[0] < self.times[0] {
            self.feature = Some((block.range().start + lane, are_edges >> lane & 1 == 1));
        }
        for time in times {
            let [first, second] = self.times;
            self.times = [first.min(time), second.min(first.max(time))];
        }
        self.is_open |= is_open;
        if self.is_open {
            return -1.0;
        }
        ten_digits_above(self.times[0]).min(1.0)
    }

    /// Whether it is certain what is reached first, or that nothing is.
    pub(crate) fn is_certain(&self) -> bool {
        let [first, second] = self.times;
        !self.is_open && (self.feature.is_none() || certainly_before(first, second))
    }
}
