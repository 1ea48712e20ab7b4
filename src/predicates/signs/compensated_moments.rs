//! Area and first moments of the region on the left of edges by compensated sums, eight edges at a time, with bounds
//! on the errors: for regions that notches have left little of, where those of plain sums are too large.

use fearless_simd::prelude::*;

use super::area_moments::edge_group;
use super::ring_area_filter::{CompensatedSum, UNDERFLOW, exact_origin};
use crate::geom::{Bounds, Point};
use crate::predicates::numbers::bounded::UNIT_ROUNDOFF;
use crate::predicates::numbers::compensated_differences::Rounded;
use crate::predicates::numbers::error_free::two_sum;
use crate::simd::instructions::with_instructions;
use crate::simd::lanes::{Lanes, Vectors};
use crate::simd::load::{self, LANES, Lane};

/// Groups of eight edges whose terms are added one by one; the sums of such blocks are then added.
const GROUPS_PER_BLOCK: usize = 32;

/// The terms of edges, or sums of them: twice the area, and six times the moments along x and y, from the origin.
#[derive(Clone, Copy)]
struct CompensatedMoments<L>([CompensatedSum<L>; 3]);

impl<L: Lanes> CompensatedMoments<L> {
    #[inline(always)]
    fn zero(like: L) -> Self {
        Self([CompensatedSum::zero(like); 3])
    }

    /// The terms of one edge in each lane, whose differences from the origin must be exact.
    #[inline(always)]
    fn of_edges(origin: Vectors<L>, [start, end]: [Vectors<L>; 2]) -> Self {
        let (from, to) = (start - origin, end - origin);
        let zero = from.x.all(0.0);
        let (first, second) = (from.x * to.y, from.y * to.x);
        let (triangle, rest) = two_sum(first, zero - second);
        let of_products =
            from.x.times_less_exactly(to.y, first) - from.y.times_less_exactly(to.x, second);
        let area = CompensatedSum {
            high: triangle,
            low: rest + of_products,
        };
        Self([area, moment(area, from.x, to.x), moment(area, from.y, to.y)])
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        let ([a, b, c], [d, e, f]) = (self.0, other.0);
        Self([a.plus(d), b.plus(e), c.plus(f)])
    }
}

/// The area of a triangle times the sum of two coordinates.
#[inline(always)]
fn moment<L: Lanes>(area: CompensatedSum<L>, from: L, to: L) -> CompensatedSum<L> {
    let (both, rest) = two_sum(from, to);
    let high = area.high * both;
    let low = area.high.times_less_exactly(both, high) + (area.high * rest + area.low * both);
    CompensatedSum { high, low }
}

/// An origin, and seen from there twice the area on the left of edges in a box and six times its moments along x and
/// y, over `count` times eight edges from `ends`.
///
/// Let `X` and `Y` be the largest coordinates seen from the origin and `u` the unit roundoff. A triangle is at most
/// `2 X Y`, a term along x at most `m = 4 X X Y`. With `m` for that bound of each sum, what a term loses is at most
/// `4 u m`, and is known to `15 u^2 m`. With `h` sums on the way of each of `n` terms, what the sums lose is at most
/// `h u n m` in all. These numbers are added with `2 h + 4` roundings each: with the last sum the error is at most
/// `2 (h + 4)^2 u^2 n m + u |value|`. Tests:
/// `areas_of_rings_are_within_their_bounds`, `the_bounds_of_compensated_sums_cover_all_roundings`,
/// `bounds_of_compensated_moments_count_the_sums_on_the_way`.
#[inline(always)]
pub(crate) fn compensated_moments<S: Simd>(
    simd: S,
    bounds: &Bounds,
    count: usize,
    ends: impl Fn(usize) -> [Vectors<Lane<S>>; 2],
) -> (Point, [Rounded<f64>; 3]) {
    let Bounds { min, max } = *bounds;
    let origin = Point::new(exact_origin(min.x, max.x), exact_origin(min.y, max.y));
    let size = |origin: f64, min: f64, max: f64| (max - origin).abs().max((min - origin).abs());
    let (x, y) = (size(origin.x, min.x, max.x), size(origin.y, min.y, max.y));
    let at = load::splat(simd, origin);
    let mut sum = CompensatedMoments::zero(at.x);
    for first in (0..count).step_by(GROUPS_PER_BLOCK) {
        let mut block = CompensatedMoments::zero(at.x);
        for index in first..count.min(first + GROUPS_PER_BLOCK) {
            block = block.plus(CompensatedMoments::of_edges(at, ends(index)));
        }
        sum = sum.plus(block);
    }
    let sums = GROUPS_PER_BLOCK + count.div_ceil(GROUPS_PER_BLOCK) + LANES;
    let roundings = (sums + 4) as f64 * UNIT_ROUNDOFF;
    // A sixteenth more covers the roundings of the bound and its terms of higher order.
    let relative = 2.125 * roundings * roundings * (count * LANES) as f64;
    let triangle = 2.0 * x * y;
    let mut rounded = [Rounded {
        value: 0.0,
        error: 0.0,
    }; 3];
    let mosts = [
        (triangle, 0.0),
        (triangle * 2.0 * x, x),
        (triangle * 2.0 * y, y),
    ];
    for ((rounded, sum), (most, arm)) in rounded.iter_mut().zip(sum.0).zip(mosts) {
        let total = sum.of_lanes();
        let value = total.high + total.low;
        // What underflow takes from a triangle is multiplied by the arm.
        let error = relative * most + UNIT_ROUNDOFF * value.abs() + UNDERFLOW * (1.0 + arm);
        *rounded = Rounded { value, error };
    }
    (origin, rounded)
}

/// [`compensated_moments`] of the edges of a ring, in the instruction set in use.
pub fn moments_of_ring(ring: &[Point]) -> (Point, [Rounded<f64>; 3]) {
    let bounds: Bounds = ring.iter().map(|&vertex| Bounds::from(vertex)).collect();
    with_instructions!(simd => compensated_moments(
        simd,
        &bounds,
        ring.len().div_ceil(LANES),
        #[inline(always)]
        |group| edge_group(simd, ring, group),
    ))
}
