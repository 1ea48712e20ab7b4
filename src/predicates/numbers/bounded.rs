//! The filter of polynomials: floats with a proven error bound.

use super::polynomial::Number;
use super::sign::Sign;
use crate::simd::lanes::{Lanes, Mask, Vectors};

/// Half a unit in the last place of 1: the relative error of one rounding.
pub(crate) const UNIT_ROUNDOFF: f64 = f64::EPSILON / 2.0;

/// Input numbers up to this absolute value (2^-100), except zero, make the filter abstain.
///
/// A product of ten larger ones is above 2^-1000: nothing underflows, and a magnitude of zero means that
/// every term has a factor that is exactly zero. More factors occur in one polynomial, the difference of the
/// squares of two lengths across motions: twelve, six of which are numbers of steps, 1 or more.
/// Test: `products_of_numbers_that_have_a_bound_are_normal`.
const TOO_SMALL: f64 = f64::from_bits((1023 - 100) << 52);

/// Input numbers from this absolute value (2^64) make the filter abstain: no product overflows.
/// Test: `products_of_numbers_that_have_a_bound_are_normal`.
pub(super) const TOO_LARGE: f64 = f64::from_bits((1023 + 64) << 52);

/// Where the filter does not abstain for the size of a number.
#[inline(always)]
pub(crate) fn is_in_range<L: Lanes>(number: L) -> L::Mask {
    let (size, zero) = (number.abs(), number.all(0.0));
    zero.all(TOO_LARGE).above(size) & (size.above(zero.all(TOO_SMALL)) | size.same(zero))
}

/// Where the filter abstains for the size of neither component of a vector.
#[inline(always)]
pub(crate) fn are_in_range<L: Lanes>(vector: Vectors<L>) -> L::Mask {
    is_in_range(vector.x) & is_in_range(vector.y)
}

/// A value, the sum of the absolute values of the polynomial's terms (its magnitude), and the largest
/// number of roundings of a term.
///
/// With `u` the unit roundoff and `k` the roundings, the error is at most
/// `((1 + u)^k - 1) * magnitude` in exact arithmetic; the magnitude is itself rounded `k` times at
/// most. `(k + 2) * u * magnitude` covers both as long as `k * k * u` is far below 1;
/// `tests/core/predicates.rs` rederives it.
#[derive(Clone, Copy, Debug)]
pub struct Bounded {
    value: f64,
    magnitude: f64,
    roundings: u32,
}

impl Bounded {
    /// A sum of terms that were rounded so often.
    #[inline(always)]
    pub(crate) fn new(value: f64, magnitude: f64, roundings: u32) -> Self {
        Self {
            value,
            magnitude,
            roundings,
        }
    }

    #[inline(always)]
    fn rounded(value: f64, roundings: u32) -> Self {
        let magnitude = is_in_range(value).choose(value.abs(), f64::INFINITY);
        Self::new(value, magnitude, roundings)
    }

    /// The value.
    #[inline(always)]
    pub fn value(self) -> f64 {
        self.value
    }

    /// The largest number of roundings of a term.
    #[inline(always)]
    pub fn roundings(self) -> u32 {
        self.roundings
    }

    /// The error bound; infinite or NaN where there is none.
    #[inline(always)]
    pub fn error(self) -> f64 {
        f64::from(self.roundings + 2) * UNIT_ROUNDOFF * self.magnitude
    }

    /// The sign, if the bound decides it. Comparisons with NaN are false, so that it abstains.
    #[inline(always)]
    pub fn sign(self) -> Option<Sign> {
        let is_zero = self.magnitude == 0.0;
        Sign::of_rounded(self.value, self.error()).or(is_zero.then_some(Sign::Zero))
    }

    /// The value, if the bound on its relative error is `tolerance` or less.
    #[inline(always)]
    pub fn value_within(self, tolerance: f64) -> Option<f64> {
        let sure = self.value.abs() * tolerance > self.error() || self.magnitude == 0.0;
        sure.then_some(self.value)
    }
}

impl Number for Bounded {
    #[inline(always)]
    fn difference(a: f64, b: f64) -> Self {
        Self::rounded(a - b, 1)
    }

    #[inline(always)]
    fn of(a: f64) -> Self {
        Self::rounded(a, 0)
    }

    #[inline(always)]
    fn plus(&self, other: &Self) -> Self {
        Self {
            value: self.value + other.value,
            magnitude: self.magnitude + other.magnitude,
            roundings: self.roundings.max(other.roundings) + 1,
        }
    }

    #[inline(always)]
    fn minus(&self, other: &Self) -> Self {
        Self {
            value: self.value - other.value,
            magnitude: self.magnitude + other.magnitude,
            roundings: self.roundings.max(other.roundings) + 1,
        }
    }

    #[inline(always)]
    fn times(&self, other: &Self) -> Self {
        Self {
            value: self.value * other.value,
            magnitude: self.magnitude * other.magnitude,
            roundings: self.roundings + other.roundings + 1,
        }
    }
}
