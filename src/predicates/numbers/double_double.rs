//! Double-double arithmetic with a proven error bound, which also knows where nothing was rounded: on
//! a grid, and for most points that lie exactly on a line.

use super::bounded::{TOO_LARGE, UNIT_ROUNDOFF};
use super::error_free::{SMALLEST_PRODUCT, product_of_pairs, sum_of_pairs, two_sum};
use super::polynomial::Number;
use super::sign::Sign;
use crate::geom::WideFloat;

/// An upper bound of the relative error of one sum or product: the algorithms have 3 and 7
/// times the square of the unit roundoff, plus cubes of it (Joldes, Muller and Popescu, "Tight
/// and rigorous error bounds for basic building blocks of double-word arithmetic", 2017).
/// Test: `the_error_of_a_product_grows_with_each_factor`.
const OPERATION_ERROR: f64 = 8.0 * UNIT_ROUNDOFF * UNIT_ROUNDOFF;

/// Input numbers up to this absolute value (2^-70), except zero, and from [`TOO_LARGE`] on have no
/// error bound. A product has at most ten factors; in one polynomial twelve, six of which are at least 1 (see `bounded`).
/// Its last error, about 2^-106 of it, is then still a normal float. Test:
/// `products_of_numbers_that_have_a_bound_are_normal`.
const TOO_SMALL: f64 = f64::from_bits((1023 - 70) << 52);

/// The sum of two floats, the magnitude of the polynomial as in the filter, and the largest number of
/// sums and products that a term took part in.
///
/// The bound is that of [`super::bounded::Bounded`] with [`OPERATION_ERROR`] in place of a rounding.
#[derive(Clone, Copy, Debug)]
pub struct DoubleDouble {
    high: f64,
    low: f64,
    magnitude: f64,
    steps: u32,
    /// Whether all operations that led to it were exact.
    is_exact: bool,
}

impl DoubleDouble {
    #[inline(always)]
    fn exact(high: f64, low: f64) -> Self {
        let size = high.abs();
        let is_usual = (size < TOO_LARGE) & ((size > TOO_SMALL) | (size == 0.0));
        Self {
            high,
            low,
            magnitude: if is_usual { size } else { f64::INFINITY },
            steps: 0,
            is_exact: low.is_finite(),
        }
    }

    /// The error bound; infinite or NaN where there is none.
    #[inline(always)]
    pub fn error(self) -> f64 {
        // Two more for the roundings of the magnitude, which ignores the low parts.
        f64::from(self.steps + 2) * OPERATION_ERROR * self.magnitude
    }

    /// The float nearest to the sum, and the rest.
    #[inline(always)]
    pub fn parts(self) -> [f64; 2] {
        [self.high, self.low]
    }

    /// Whether it is the exact value.
    #[inline(always)]
    pub fn is_exact(self) -> bool {
        self.is_exact
    }

    /// The sign, if it is certain.
    #[inline(always)]
    pub fn sign(self) -> Option<Sign> {
        let certain = Sign::of_rounded(self.high * 0.5, self.error());
        certain.or(self.is_exact.then(|| Sign::of(self.high)))
    }

    /// The value rounded to a float, if its relative error is `tolerance` or less.
    #[inline(always)]
    pub(super) fn value_within(self, tolerance: f64) -> Option<WideFloat> {
        let is_within = self.is_exact || self.high.abs() * 0.5 * tolerance > self.error();
        is_within.then(|| WideFloat::from(self.high))
    }

    #[inline(always)]
    fn sum(&self, high: f64, low: f64, other: &Self) -> Self {
        let ([high, low], [lost, also_lost]) = sum_of_pairs([self.high, self.low], [high, low]);
        Self {
            high,
            low,
            magnitude: self.magnitude + other.magnitude,
            steps: self.steps.max(other.steps) + 1,
            is_exact: self.is_exact & other.is_exact & (lost == 0.0) & (also_lost == 0.0),
        }
    }
}

impl Number for DoubleDouble {
    #[inline(always)]
    fn difference(a: f64, b: f64) -> Self {
        let (high, low) = two_sum(a, -b);
        Self::exact(high, low)
    }

    #[inline(always)]
    fn of(a: f64) -> Self {
        Self::exact(a, 0.0)
    }

    #[inline(always)]
    fn plus(&self, other: &Self) -> Self {
        self.sum(other.high, other.low, other)
    }

    #[inline(always)]
    fn minus(&self, other: &Self) -> Self {
        self.sum(-other.high, -other.low, other)
    }

    #[inline(always)]
    fn times(&self, other: &Self) -> Self {
        let ([high, low], [product, error]) = product_of_pairs(self.parts(), other.parts());
        let is_zero = self.high == 0.0 || other.high == 0.0;
        let is_lossless = is_zero || (product.abs() >= SMALLEST_PRODUCT && error.is_finite());
        let are_floats = self.low == 0.0 && other.low == 0.0;
        Self {
            high,
            low,
            magnitude: self.magnitude * other.magnitude,
            steps: self.steps + other.steps + 1,
            is_exact: self.is_exact & other.is_exact & is_lossless & are_floats,
        }
    }
}
