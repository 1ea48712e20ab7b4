//! Depths of two rings behind each other's edges, eight edges at a time, for rings of some dozens of vertices.

use fearless_simd::prelude::*;

use crate::convex::vertex_blocks::{self, LANES, Lane};
use crate::geom::Point;
use crate::predicates::error_bounds::{ROUNDINGS, SMALLEST_SQUARED_LENGTH};
use crate::simd::lanes::{Lanes, Mask, Vectors};
use crate::simd::load;

/// Edges for which [`EdgeDepths`] has room.
const MOST_EDGES: usize = 32;

/// How deep another ring lies behind the edges of one, eight edges at a time.
///
/// For 16-gons SAT takes five sixths of the instructions that it takes by EPA, for 32-gons nine
/// tenths; for 64-gons EPA takes fewer.
pub(crate) struct EdgeDepths<S: Simd> {
    /// The squared overlap of each edge, and its squared length.
    squares: [Lane<S>; MOST_EDGES / LANES],
    lengths_squared: [Lane<S>; MOST_EDGES / LANES],
    /// How many edges there are.
    count: usize,
}

impl<S: Simd> EdgeDepths<S> {
    /// The depths of two rings that share the point `middle`. `None` if they have too few or too
    /// many edges, or if one has no overlap or is too short for squares to be compared.
    #[inline(always)]
    pub(crate) fn new(simd: S, ring: &[Point], others: &[Point], middle: Point) -> Option<Self> {
        if ![ring, others]
            .iter()
            .all(|ring| (LANES..=MOST_EDGES).contains(&ring.len()))
        {
            return None;
        }
        let zero = Lane::splat(simd, 0.0);
        let [mut squares, mut lengths_squared] = [[zero; MOST_EDGES / LANES]; 2];
        let mut centered = [Vectors { x: 0.0, y: 0.0 }; MOST_EDGES];
        let centered = &mut centered[..others.len()];
        for index in 0..others.len() {
            centered[index] = Vectors::from(others[index]) - Vectors::from(middle);
        }
        let middle = load::splat(simd, middle);
        let [mut least, mut shortest] = [Lane::splat(simd, f64::INFINITY); 2];
        for block in 0..ring.len().div_ceil(LANES) {
            let (start, end) = vertex_blocks::edges(simd, ring, block);
            let direction = end - start;
            let (fours, rest) = centered.as_chunks::<4>();
            let mut deepest = Lane::splat(simd, f64::NEG_INFINITY);
            for four in fours {
                let [first, second] = [
                    cross_all(direction, four[0]).larger(cross_all(direction, four[1])),
                    cross_all(direction, four[2]).larger(cross_all(direction, four[3])),
                ];
                deepest = deepest.larger(first.larger(second));
            }
            for other in rest {
                deepest = deepest.larger(cross_all(direction, *other));
            }
            let overlap = deepest - direction.cross(start - middle);
            squares[block] = overlap * overlap;
            lengths_squared[block] = direction.length_squared();
            least = least.smaller(overlap);
            shortest = shortest.smaller(lengths_squared[block]);
        }
        let is_usual = least.reduce_min() > 0.0 && shortest.reduce_min() > SMALLEST_SQUARED_LENGTH;
        is_usual.then_some(Self {
            squares,
            lengths_squared,
            count: ring.len(),
        })
    }

    /// The least squared depth behind the edges of either ring.
    #[inline(always)]
    pub(crate) fn least(rings: [&Self; 2]) -> f64 {
        let (mut square, mut length_squared) = (rings[0].squares[0], rings[0].lengths_squared[0]);
        for ring in rings {
            for block in 0..ring.count.div_ceil(LANES) {
                let (own, length) = (ring.squares[block], ring.lengths_squared[block]);
                let is_less = (square * length).above(own * length_squared);
                square = is_less.choose(own, square);
                length_squared = is_less.choose(length, length_squared);
            }
        }
        (square / length_squared).reduce_min()
    }

    /// A bit for each edge whose depth, within rounding, is not above `depth`.
    #[inline(always)]
    pub(crate) fn within(&self, depth: f64) -> u64 {
        let limit = depth * depth * (1.0 + ROUNDINGS);
        let mut bits = 0;
        for block in 0..self.count.div_ceil(LANES) {
            let (own, length) = (self.squares[block], self.lengths_squared[block]);
            let is_within = !own.above(length * length.all(limit));
            bits |= is_within.to_bitmask() << vertex_blocks::first(block, self.count);
        }
        bits
    }
}

/// `direction × vector` for eight directions and one vector.
#[inline(always)]
fn cross_all<S: Simd>(direction: Vectors<Lane<S>>, vector: Vectors<f64>) -> Lane<S> {
    direction.x * direction.x.all(vector.y) - direction.y * direction.y.all(vector.x)
}
