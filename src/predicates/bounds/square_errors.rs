//! Bounds on the errors of squares and of products of vectors.

use super::error_bounds::{LARGEST_SIZE, SMALLEST_ERROR};
use crate::predicates::numbers::bounded::UNIT_ROUNDOFF;
use crate::simd::lanes::{Lanes, Mask, Vectors};

/// A bound on the error of squares and products of vectors, in units of the sum of all squares. A
/// difference of points is rounded once, so that a product of two, summed, makes four roundings of
/// terms whose sizes add up to that sum at most; the difference of two such values is wrong by twice
/// that and one rounding more. The rest is room.
/// Test: `the_bounds_of_squares_cover_differences_and_products`.
const SQUARE_ERROR: f64 = 16.0 * UNIT_ROUNDOFF;

/// How wrong squares can be, and products of squares.
#[derive(Clone, Copy, Debug)]
pub struct Squares<L> {
    /// At least the sum of the squares of all sizes.
    pub sum: L,
    /// How wrong the cross or the dot product of any two vectors of a box can be, the square of a
    /// vector's or of the given length, and the difference of two of these.
    pub error: L,
    /// How wrong the difference of two products can be, each of two such squares.
    ///
    /// With `e` the error of a square, below a third of `error`, that of a product of two is
    /// `2 e sum` and a rounding: for two of them 18 roundings of the sum's square, where this is 32.
    pub error_of_products: L,
}

/// Whether products of squares stay in the range of floats, given the sum of these squares.
#[inline(always)]
pub(crate) fn are_usual<L: Lanes>(sum: L) -> L::Mask {
    let all = |number| sum.all(number);
    let error = sum * all(SQUARE_ERROR);
    error.above(all(SMALLEST_ERROR)) & all(LARGEST_SIZE * LARGEST_SIZE).above(sum)
}

impl<L: Lanes> Squares<L> {
    /// The bounds for vectors whose components are at most `size`, which may be rounded differences
    /// of points, and for a length. Where a product could leave the range of floats the errors are
    /// NaN: all comparisons with them are false.
    #[inline(always)]
    pub fn new(size: Vectors<L>, length: L) -> Self {
        let all = |number| length.all(number);
        let sum = size.length_squared() + length * length;
        let error = sum * all(SQUARE_ERROR);
        let is_usual = are_usual(sum);
        Self {
            sum,
            error: is_usual.choose(error, all(f64::NAN)),
            error_of_products: is_usual.choose(error * sum * all(2.0), all(f64::NAN)),
        }
    }

    /// These bounds in every lane.
    #[inline(always)]
    pub fn splat<M: Lanes>(self, like: M) -> Squares<M>
    where
        L: Into<f64>,
    {
        let all = |number: L| like.all(number.into());
        Squares {
            sum: all(self.sum),
            error: all(self.error),
            error_of_products: all(self.error_of_products),
        }
    }

    /// The bounds for a length that is a sum of three rounded terms. Its relative error is `3 u`, so
    /// that its square has an error of `7 u`, where that of a float has `u`; doubling all bounds covers this.
    /// Test: `circles_of_rounded_radius_are_told_within_their_bound`.
    #[inline(always)]
    #[must_use]
    pub fn of_sum(self) -> Self {
        Self {
            error: self.error + self.error,
            error_of_products: self.error_of_products + self.error_of_products,
            ..self
        }
    }

    /// These bounds, zero in the lanes where nothing is rounded.
    #[inline(always)]
    pub fn exact(self, is_exact: L::Mask) -> Self {
        let zero = self.sum.all(0.0);
        Self {
            error: is_exact.choose(zero, self.error),
            error_of_products: is_exact.choose(zero, self.error_of_products),
            ..self
        }
    }
}
