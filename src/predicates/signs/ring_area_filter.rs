//! Twice the area of a ring in floats, eight vertices at a time, with a bound on the error: by a plain sum, or
//! by a compensated one for rings that have many vertices or that notches have left little area.
//!
//! The shoelace formula is used in the form `sum of x[i] (y[i + 1] - y[i - 1])`, which has one product for each
//! vertex.

use std::ops::Range;

use fearless_simd::prelude::*;

use crate::geom::{Bounds, Point};
use crate::predicates::numbers::bounded::UNIT_ROUNDOFF;
use crate::predicates::numbers::compensated_differences::Rounded;
use crate::predicates::numbers::error_free::two_sum;
use crate::simd::instructions::with_instructions;
use crate::simd::lanes::{Lanes, Vectors};
use crate::simd::load::{self, LANES, Lane};

/// Groups of eight vertices whose terms are added one by one; the sums of such blocks are then added.
const GROUPS_PER_BLOCK: usize = 32;

/// Roundings of a term: both differences and their product.
const TERM_ROUNDINGS: usize = 3;

/// Covers all that is lost to underflow, at most 2^-1073 for each of less than 2^50 vertices.
pub(crate) const UNDERFLOW: f64 = f64::MIN_POSITIVE;

/// Number of vertices up to which a plain sum is worth a try: with more, notches soon make its error too large, and
/// a compensated sum takes less than twice the time.
pub(crate) const MOST_IN_A_PLAIN_SUM: usize = 2048;

/// The number of groups of eight vertices that follow the first vertex of a ring, such that the vertex after a group
/// is there without wrapping around; and the indices of the vertices after them.
#[inline(always)]
fn groups(ring: &[Point]) -> (usize, Range<usize>) {
    let count = ring.len().saturating_sub(2) / LANES;
    (count, 1 + count * LANES..ring.len())
}

/// Reads the groups of a ring in order. Each vertex is loaded once: neighbours are lanes moved by one.
struct GroupReader<'r, S: Simd> {
    ring: &'r [Point],
    /// The vertices from the one before the next group on.
    here: Vectors<Lane<S>>,
}

impl<'r, S: Simd> GroupReader<'r, S> {
    /// `None` if a ring has no group.
    #[inline(always)]
    fn new(simd: S, ring: &'r [Point]) -> Option<Self> {
        let (first, ring) = ring.split_first_chunk()?;
        let here = load::points(simd, first);
        Some(Self { ring, here })
    }

    /// What the terms of the next group need: the coordinates along x of the vertices, those along y of the vertices
    /// before and after them.
    #[inline(always)]
    fn next(&mut self, simd: S) -> [Lane<S>; 3] {
        let next = if let Some((first, ring)) = self.ring.split_first_chunk() {
            self.ring = ring;
            load::points(simd, first)
        } else {
            // The last group, which needs two of them.
            let mut last = [self.ring[1]; LANES];
            last[0] = self.ring[0];
            load::points(simd, &last)
        };
        let (before, x) = (self.here.y, self.here.x.slide::<1>(next.x));
        let after = before.slide::<2>(next.y);
        self.here = next;
        [x, before, after]
    }
}

/// The coordinate along x of one vertex, and those along y of the vertices before and after it.
#[inline(always)]
fn single(ring: &[Point], index: usize) -> [f64; 3] {
    let last = ring.len() - 1;
    let before = if index == 0 { last } else { index - 1 };
    let after = if index == last { 0 } else { index + 1 };
    [ring[index].x, ring[before].y, ring[after].y]
}

/// A plain sum, and that of the absolute values of its terms.
#[derive(Clone, Copy)]
struct PlainSum<L> {
    value: L,
    magnitude: L,
}

impl<L: Lanes> PlainSum<L> {
    #[inline(always)]
    fn term(origin: L, [x, y_before, y_after]: [L; 3]) -> Self {
        let value = (x - origin) * (y_after - y_before);
        Self {
            value,
            magnitude: value.abs(),
        }
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        Self {
            value: self.value + other.value,
            magnitude: self.magnitude + other.magnitude,
        }
    }
}

/// Twice the area on the left of a ring, negative if it is clockwise, by a plain sum.
///
/// With `k` roundings of a term, sums included, and `u` the unit roundoff, the bound is that of
/// [`crate::predicates::numbers::bounded::Bounded`]: `(k + 2) u` times the sum of the absolute values.
/// Tests: `areas_of_rings_are_within_their_bounds`, `bounds_of_plain_areas_count_the_roundings_of_each_term`.
#[inline(always)]
pub(crate) fn plain_twice_area<S: Simd>(simd: S, ring: &[Point]) -> Rounded<f64> {
    let (count, others) = groups(ring);
    // Seen from the first vertex, its own term is zero.
    let x = ring.first().map_or(0.0, |vertex| vertex.x);
    let zero = PlainSum {
        value: 0.0,
        magnitude: 0.0,
    };
    let mut total = zero;
    let mut roundings = TERM_ROUNDINGS;
    if let Some(mut reader) = GroupReader::new(simd, ring)
        && count > 0
    {
        let origin = Lane::splat(simd, x);
        let mut sum = PlainSum::term(origin, reader.next(simd));
        for _ in 1..count.min(GROUPS_PER_BLOCK) {
            sum = sum.plus(PlainSum::term(origin, reader.next(simd)));
        }
        for first in (GROUPS_PER_BLOCK..count).step_by(GROUPS_PER_BLOCK) {
            let mut block = PlainSum::term(origin, reader.next(simd));
            for _ in first + 1..count.min(first + GROUPS_PER_BLOCK) {
                block = block.plus(PlainSum::term(origin, reader.next(simd)));
            }
            sum = sum.plus(block);
        }
        total = PlainSum {
            value: of_lanes(sum.value),
            magnitude: of_lanes(sum.magnitude),
        };
        roundings += GROUPS_PER_BLOCK + count / GROUPS_PER_BLOCK + 3;
    }
    roundings += others.len();
    for index in others {
        total = total.plus(PlainSum::term(x, single(ring, index)));
    }
    Rounded {
        value: total.value,
        error: (roundings + 2) as f64 * UNIT_ROUNDOFF * total.magnitude + UNDERFLOW,
    }
}

/// The sum of all lanes: of halves, quarters, and the last two.
#[inline(always)]
fn of_lanes<S: Simd>(lanes: Lane<S>) -> f64 {
    let (low, high) = lanes.split();
    let (low, high) = (low + high).split();
    let [first, second] = (low + high).to_array();
    first + second
}

/// A sum that keeps the rounding errors of its terms and of its partial sums: the algorithm Dot2 of Ogita, Rump and
/// Oishi, "Accurate sum and dot product", 2005.
#[derive(Clone, Copy, Debug)]
pub(super) struct CompensatedSum<L> {
    pub(crate) high: L,
    /// The sum of what was lost.
    pub(crate) low: L,
}

impl<L: Lanes> CompensatedSum<L> {
    #[inline(always)]
    pub(crate) fn zero(like: L) -> Self {
        let zero = like.all(0.0);
        Self {
            high: zero,
            low: zero,
        }
    }

    /// Adds the term of a vertex; `x - origin` must be exact.
    #[inline(always)]
    fn plus_term(self, origin: L, [x, y_before, y_after]: [L; 3]) -> Self {
        let x = x - origin;
        let (rise, rest) = two_sum(y_after, y_before.all(0.0) - y_before);
        let high = x * rise;
        let low = x * rest + x.times_less_exactly(rise, high);
        self.plus(Self { high, low })
    }

    #[inline(always)]
    pub(crate) fn plus(self, other: Self) -> Self {
        let (high, rest) = two_sum(self.high, other.high);
        Self {
            high,
            low: self.low + (other.low + rest),
        }
    }
}

impl<S: Simd> CompensatedSum<Lane<S>> {
    /// The sum of all lanes.
    #[inline(always)]
    pub(crate) fn of_lanes(self) -> CompensatedSum<f64> {
        let (high, low) = (self.high.to_array(), self.low.to_array());
        let mut total = CompensatedSum::zero(0.0);
        for (high, low) in high.into_iter().zip(low) {
            total = total.plus(CompensatedSum { high, low });
        }
        total
    }
}

/// A number near the coordinates from `min` to `max` such that its differences from these are exact (Sterbenz'
/// lemma), or zero where the coordinates are not much larger than their range.
#[inline(always)]
pub(super) fn exact_origin(min: f64, max: f64) -> f64 {
    if min > 0.0 && max <= 2.0 * min {
        min
    } else if max < 0.0 && min >= 2.0 * max {
        max
    } else {
        0.0
    }
}

/// Twice the area on the left of a ring in a box, negative if it is clockwise, by a compensated sum.
///
/// Let `M` be the sum of the absolute values of all terms, at most the number of vertices times the largest `x` times
/// the height of the box; `h` the number of sums on the way of a term; and `u` the unit roundoff. What a term loses is
/// at most `2.1 u` of it, and what the sums lose is at most `h u M` in all. These numbers are added with `2 h + 4`
/// roundings each. With the last sum the error is at most `2 (h + 3)^2 u^2 M + u |value|`.
/// Tests: `areas_of_rings_are_within_their_bounds`, `the_bounds_of_compensated_sums_cover_all_roundings`,
/// `bounds_of_compensated_areas_count_the_sums_on_the_way`.
#[inline(always)]
pub(crate) fn compensated_twice_area<S: Simd>(
    simd: S,
    ring: &[Point],
    bounds: &Bounds,
) -> Rounded<f64> {
    let Bounds { min, max } = *bounds;
    let x = exact_origin(min.x, max.x);
    let (count, others) = groups(ring);
    let origin = Lane::splat(simd, x);
    let mut sum = CompensatedSum::zero(origin);
    if let Some(mut reader) = GroupReader::new(simd, ring) {
        for first in (0..count).step_by(GROUPS_PER_BLOCK) {
            let mut block = CompensatedSum::zero(origin);
            for _ in first..count.min(first + GROUPS_PER_BLOCK) {
                block = block.plus_term(origin, reader.next(simd));
            }
            sum = sum.plus(block);
        }
    }
    let mut total = sum.of_lanes();
    let sums = GROUPS_PER_BLOCK + count.div_ceil(GROUPS_PER_BLOCK) + LANES + others.len() + 1;
    for index in std::iter::once(0).chain(others) {
        total = total.plus_term(x, single(ring, index));
    }
    let value = total.high + total.low;
    let magnitude = ring.len() as f64 * (max.x - x).abs().max((min.x - x).abs()) * (max.y - min.y);
    let roundings = (sums + 3) as f64 * UNIT_ROUNDOFF;
    Rounded {
        value,
        // A sixteenth more covers the roundings of the bound and its terms of higher order.
        error: 2.125 * roundings * roundings * magnitude + UNIT_ROUNDOFF * value.abs() + UNDERFLOW,
    }
}

/// [`plain_twice_area`] and [`compensated_twice_area`] of a ring, in the instruction set in use.
pub fn twice_areas_of_ring(ring: &[Point]) -> [Rounded<f64>; 2] {
    let bounds: Bounds = ring.iter().map(|&vertex| Bounds::from(vertex)).collect();
    with_instructions!(simd => [
        plain_twice_area(simd, ring),
        compensated_twice_area(simd, ring, &bounds),
    ])
}

/// A sum of areas of rings.
#[derive(Clone, Copy, Debug)]
pub struct AreaSum {
    sum: CompensatedSum<f64>,
    magnitude: f64,
    error: f64,
    count: usize,
}

impl AreaSum {
    /// No area.
    pub const ZERO: Self = Self {
        sum: CompensatedSum {
            high: 0.0,
            low: 0.0,
        },
        magnitude: 0.0,
        error: 0.0,
        count: 0,
    };

    /// Adds an area, or subtracts that of a hole.
    #[inline(always)]
    pub fn add(&mut self, area: Rounded<f64>, is_hole: bool) {
        let size = area.value.abs();
        self.sum = self.sum.plus(CompensatedSum {
            high: if is_hole { -size } else { size },
            low: 0.0,
        });
        self.magnitude += size;
        self.error += area.error;
        self.count += 1;
    }

    /// The sum. What is lost is at most `count * u` of the magnitude, and is added with as many roundings; the sums of
    /// errors and of magnitudes are rounded as often, and `count * u` is far below 1.
    /// Test: `sums_of_areas_are_within_their_bound`.
    #[inline(always)]
    pub fn rounded(self) -> Rounded<f64> {
        let value = self.sum.high + self.sum.low;
        let roundings = (self.count + 3) as f64 * UNIT_ROUNDOFF;
        let of_sums = 2.125 * roundings * roundings * self.magnitude;
        let error = self.error * (1.0 + 2.0 * roundings) + of_sums + UNIT_ROUNDOFF * value.abs();
        Rounded { value, error }
    }
}
