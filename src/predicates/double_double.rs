//! Double-double arithmetic with a proven error bound.

use super::error_free::{two_product, two_sum};
use super::filter::UNIT_ROUNDOFF;
use super::number::Number;
use super::sign::Sign;
use crate::geom::WideFloat;

/// An upper bound of the relative error of one sum or product of pairs: the algorithms have 3 and 7
/// times the square of the unit roundoff, plus cubes of it (Joldes, Muller and Popescu, "Tight
/// and rigorous error bounds for basic building blocks of double-word arithmetic", 2017).
const STEP: f64 = 8.0 * UNIT_ROUNDOFF * UNIT_ROUNDOFF;

/// Input numbers up to this absolute value (2^-70), except zero, make it abstain: in a product of ten
/// larger ones the last error, about 2^-106 of it, is still a normal float.
const SMALLEST: f64 = f64::from_bits((1023 - 70) << 52);

/// Input numbers from this absolute value (2^64) make it abstain: no product overflows.
const LARGEST: f64 = f64::from_bits((1023 + 64) << 52);

/// The sum of two floats, the magnitude of the polynomial as in the filter, and the largest number of
/// sums and products that a term took part in.
///
/// The bound is that of [`super::filter::Bounded`] with [`STEP`] in place of a rounding.
#[derive(Clone, Copy, Debug)]
pub struct DoubleDouble {
    high: f64,
    low: f64,
    magnitude: f64,
    steps: u32,
}

impl DoubleDouble {
    #[inline(always)]
    fn exact(high: f64, low: f64) -> Self {
        let size = high.abs();
        let is_usual = (size < LARGEST) & ((size > SMALLEST) | (size == 0.0));
        Self {
            high,
            low,
            magnitude: if is_usual { size } else { f64::INFINITY },
            steps: 0,
        }
    }

    /// The error bound; infinite or NaN where there is none.
    #[inline(always)]
    pub fn error(self) -> f64 {
        // Two more for the roundings of the magnitude, which ignores the low parts.
        f64::from(self.steps + 2) * STEP * self.magnitude
    }

    /// The float nearest to the sum, and the rest.
    #[inline(always)]
    pub fn parts(self) -> [f64; 2] {
        [self.high, self.low]
    }

    /// The sign, if the bound decides it.
    #[inline(always)]
    pub fn sign(self) -> Option<Sign> {
        (self.high.abs() * 0.5 > self.error()).then(|| Sign::of(self.high))
    }

    /// The value rounded to a float, if the bound on its relative error is `tolerance` or less.
    #[inline(always)]
    pub(super) fn value_within(self, tolerance: f64) -> Option<WideFloat> {
        (self.high.abs() * 0.5 * tolerance > self.error()).then(|| WideFloat::from(self.high))
    }

    #[inline(always)]
    fn sum(&self, high: f64, low: f64, magnitude: f64, steps: u32) -> Self {
        let (sum, error) = two_sum(self.high, high);
        let (low_sum, low_error) = two_sum(self.low, low);
        let (sum, error) = quick_two_sum(sum, error + low_sum);
        let (high, low) = quick_two_sum(sum, low_error + error);
        Self {
            high,
            low,
            magnitude: self.magnitude + magnitude,
            steps: self.steps.max(steps) + 1,
        }
    }
}

/// `a + b` as a float and its error, where `a` is the larger one in absolute value.
#[inline(always)]
fn quick_two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    (sum, b - (sum - a))
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
        self.sum(other.high, other.low, other.magnitude, other.steps)
    }

    #[inline(always)]
    fn minus(&self, other: &Self) -> Self {
        self.sum(-other.high, -other.low, other.magnitude, other.steps)
    }

    #[inline(always)]
    fn times(&self, other: &Self) -> Self {
        let (product, error) = two_product(self.high, other.high);
        let across = self.high * other.low + self.low * other.high;
        let (high, low) = quick_two_sum(product, error + across);
        Self {
            high,
            low,
            magnitude: self.magnitude * other.magnitude,
            steps: self.steps + other.steps + 1,
        }
    }
}
