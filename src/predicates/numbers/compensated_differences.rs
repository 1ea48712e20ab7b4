//! Differences of points that keep their rounding error, for values accurate to the last places.

use super::bounded::UNIT_ROUNDOFF;
use super::error_free::{negated, product_of_pairs, sum_of_pairs};
use crate::predicates::TO_TEN_DIGITS;
use crate::simd::lanes::{Lanes, Vectors};

/// Bounds the error of [`Compensated::dot`] from the rounding of the products, in units of the terms' sizes. The remaining
/// sixteenth covers second-order terms.
/// Test: `the_bound_of_compensated_products_covers_all_roundings`.
const TERM_ERROR: f64 = 1.0625 * UNIT_ROUNDOFF;
/// Bounds the rest, in units of the value: the sum is rounded, then its sum with the correction.
const VALUE_ERROR: f64 = 2.125 * UNIT_ROUNDOFF;

/// Bounds the error of [`Compensated::cross`], but for the rounding of the value itself, in units of
/// [`box_error`](crate::predicates::bounds::error_bounds::box_error): that is twelve roundings of the terms' sizes, and a
/// [`DoubleDouble`](super::double_double::DoubleDouble) allows 32 squares of a rounding, where this is 48.
/// Test: `the_bound_of_precise_cross_products_is_that_of_double_doubles`.
pub const PRECISE: f64 = 4.0 * UNIT_ROUNDOFF;

/// Roundings of a term of a cross product in floats, as [`super::bounded::Bounded`] counts them, and two more.
/// Test: `rounded_cross_products_are_taken_where_the_filter_takes_them`.
const CROSS_ROUNDINGS: f64 = 6.0;

/// Largest extent, and smallest product of two differences, for which products of four differences,
/// and of such a product with a fifth, stay in the normal range: 2^200 and 2^-400.
/// Test: `products_of_differences_in_an_extent_that_passes_as_usual_are_normal`.
const LARGEST_EXTENT: f64 = f64::from_bits((1023 + 200) << 52);
/// Smaller values may be the result of underflow. See [`LARGEST_EXTENT`].
const SMALLEST_VALUE: f64 = f64::from_bits((1023 - 400) << 52);

/// Error allowed to a point that is placed along a vector, in units of the rounding of the extent:
/// the public contract allows eight units in the last place, which are eight such roundings at
/// least. Test: `a_fraction_leaves_room_for_the_roundings_of_a_path`.
const ALLOWED: f64 = 7.8;
/// Roundings made in placing a point along a vector: of the fraction, the difference, the product
/// and the sum. Test: `a_fraction_leaves_room_for_the_roundings_of_a_path`.
const PATH_ROUNDINGS: f64 = 4.1;

/// Ratio of a denominator to its error from which on `1 / (1 - error)` is taken as 1: the error of
/// the quotient grows by a 64th, which [`ALLOWED`] has room for.
/// Test: `a_fraction_leaves_room_for_the_roundings_of_a_path`.
const WELL_KNOWN: f64 = 64.0;

/// A value and a bound on its error.
#[derive(Clone, Copy, Debug)]
pub struct Rounded<L> {
    /// The value.
    pub value: L,
    /// The most by which it is wrong, underflow apart.
    pub error: L,
}

impl<L: Lanes> Rounded<L> {
    /// Whether the sign is certain.
    #[inline(always)]
    pub fn has_sign(&self) -> L::Mask {
        self.value
            .abs()
            .above(self.error + self.error.all(SMALLEST_VALUE))
    }
}

/// The difference of two points, and its rounding error.
#[derive(Clone, Copy, Debug)]
pub struct Compensated<L> {
    high: Vectors<L>,
    low: Vectors<L>,
}

impl<L: Lanes> Compensated<L> {
    /// `to - from`.
    #[inline(always)]
    pub fn new(to: Vectors<L>, from: Vectors<L>) -> Self {
        let high = to - from;
        // Knuth's two-sum: a sum and its rounding error.
        let less = high - to;
        let low = (to - (high - less)) - (from + less);
        Self { high, low }
    }

    /// A vector that is exact.
    #[inline(always)]
    pub fn exact(vector: Vectors<L>) -> Self {
        Self {
            high: vector,
            low: Vectors::both(vector.x.all(0.0)),
        }
    }

    #[inline(always)]
    pub(crate) fn rounded(&self) -> Vectors<L> {
        self.high
    }

    /// Each component as a float and its error.
    #[inline(always)]
    pub(crate) fn components(self) -> [[L; 2]; 2] {
        [[self.high.x, self.low.x], [self.high.y, self.low.y]]
    }

    /// The cross product as the value of a [`DoubleDouble`](super::double_double::DoubleDouble), to the bit, and whether it is
    /// certainly exact. Its sign is certain if it is above [`PRECISE`] times the error bound of a cross product in floats, as
    /// long as that is finite.
    #[inline(always)]
    pub fn cross(&self, other: &Self) -> (L, L::Mask) {
        let zero = self.high.x.all(0.0);
        let ([x, y], [u, v]) = (self.components(), other.components());
        let (first, _) = product_of_pairs(x, v);
        let (second, _) = product_of_pairs(y, u);
        let ([value, _], [lost, also_lost]) = sum_of_pairs(first, negated(second));
        let lows = self.low.largest().larger(other.low.largest());
        let is_exact = lows.same(zero)
            & lost.same(zero)
            & also_lost.same(zero)
            & is_lossless(x[0], v[0], first[0])
            & is_lossless(y[0], u[0], second[0]);
        (value, is_exact)
    }

    /// The cross product in floats, and whether the filter of polynomials takes it for one with ten digits.
    #[inline(always)]
    pub fn rounded_cross(&self, other: &Self) -> (L, L::Mask) {
        let (first, second) = (self.high.x * other.high.y, self.high.y * other.high.x);
        let all = |number| first.all(number);
        let error = (first.abs() + second.abs()) * all(CROSS_ROUNDINGS * UNIT_ROUNDOFF);
        let value = first - second;
        (value, (value.abs() * all(TO_TEN_DIGITS)).above(error))
    }

    /// The difference, turned left by a quarter.
    #[inline(always)]
    pub fn turned_left(self) -> Self {
        Self {
            high: self.high.turned_left(),
            low: self.low.turned_left(),
        }
    }

    /// The dot product, as long as no product of two differences other than zero is smaller than
    /// 2^-400 or overflows.
    #[inline(always)]
    pub fn dot(&self, other: &Self) -> Rounded<L> {
        let Vectors { x, y } = self.high.products(other.high);
        let all = |number| x.all(number);
        let rest = self.high.dot(other.low) + self.low.dot(other.high);
        let value = (x + y) + rest;
        let error = (x.abs() + y.abs()) * all(TERM_ERROR) + value.abs() * all(VALUE_ERROR);
        Rounded { value, error }
    }
}

/// Whether the error of a product of two floats is a float.
#[inline(always)]
fn is_lossless<L: Lanes>(one: L, other: L, product: L) -> L::Mask {
    let zero = product.all(0.0);
    let is_normal = product.abs().above(zero.all(SMALLEST_VALUE));
    is_normal | one.same(zero) | other.same(zero)
}

/// The larger side of the bounding box of four points.
#[inline(always)]
pub fn extent<L: Lanes>(points: [Vectors<L>; 4]) -> L {
    let [mut low, mut high] = [points[0]; 2];
    for point in &points[1..] {
        low = low.with(*point, L::smaller);
        high = high.with(*point, L::larger);
    }
    let size = high - low;
    size.x.larger(size.y)
}

/// Whether products of differences stay in the normal range, given an extent.
#[inline(always)]
pub fn is_usual_extent<L: Lanes>(extent: L) -> L::Mask {
    extent.above(extent.all(SMALLEST_VALUE)) & extent.all(LARGEST_EXTENT).above(extent)
}

/// The error allowed to a fraction of a vector, times the vector's larger component.
#[inline(always)]
fn allowed<L: Lanes>(extent: L, longest: L) -> L {
    let all = |number| extent.all(number);
    (extent * all(ALLOWED) - longest * all(PATH_ROUNDINGS)) * all(UNIT_ROUNDOFF)
}

/// Whether `s / (s - t)` of two values with opposite signs places a point accurately along a
/// vector with this larger component, within this extent.
///
/// With `e` and `f` the errors of `s` and `t` the fraction is off by `(|t| e + |s| f) / (s - t)²`
/// and two roundings, where `e` and `f` are small beside `s - t`.
#[inline(always)]
pub fn is_accurate_fraction<L: Lanes>([s, t]: [Rounded<L>; 2], extent: L, longest: L) -> L::Mask {
    let difference = s.value - t.value;
    let error = (t.value.abs() * s.error + s.value.abs() * t.error) * longest;
    (allowed(extent, longest) * difference * difference).above(error)
        & difference
            .abs()
            .above((s.error + t.error) * error.all(WELL_KNOWN))
}

/// Whether `time`, the distance to a line over the speed towards it, is certainly positive and
/// places a point accurately along a path with this larger component, within this extent.
///
/// With `e` and `f` the errors of distance and speed, the time is off by `(e + time f) / speed` and
/// a rounding, where `f` is small beside the speed.
#[inline(always)]
pub fn is_accurate_time<L: Lanes>(
    time: L,
    [distance, speed]: [Rounded<L>; 2],
    extent: L,
    longest: L,
) -> L::Mask {
    let all = |number| extent.all(number);
    let error = (distance.error + time * speed.error) * longest;
    is_usual_extent(extent)
        & distance.value.above(distance.error + all(SMALLEST_VALUE))
        & speed
            .value
            .above(speed.error * all(WELL_KNOWN) + all(SMALLEST_VALUE))
        & (allowed(extent, longest) * speed.value).above(error)
}
