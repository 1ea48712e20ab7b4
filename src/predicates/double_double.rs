//! The second attempt: pairs of floats with a proven bound on their error.

use super::error_free::{two_product, two_sum};
use super::filter::UNIT_ROUNDOFF;
use super::number::Number;
use super::sign::Sign;
use crate::geom::WideFloat;

/// The relative error of one sum or product of pairs, generously: the algorithms used have 3 and 7
/// times the square of the unit roundoff, and some cubes of it (Joldes, Muller and Popescu, "Tight
/// and rigorous error bounds for basic building blocks of double-word arithmetic", 2017).
const STEP: f64 = 8.0 * UNIT_ROUNDOFF * UNIT_ROUNDOFF;

/// Numbers this small (2^-70) or smaller, but for zero, make it abstain: in a product of ten larger
/// ones the error of the last, some 2^-106 of it, is still a normal float.
const SMALLEST: f64 = f64::from_bits((1023 - 70) << 52);

/// Numbers from here on (2^64) make it abstain, so that no product overflows.
const LARGEST: f64 = f64::from_bits((1023 + 64) << 52);

/// Two floats that stand for their sum, the same polynomial with every term taken absolutely, and
/// how many sums and products at most a term has gone through.
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

    /// The most by which the sum of both floats can be wrong, or infinity (or NaN).
    #[inline(always)]
    pub fn error(self) -> f64 {
        // Two more for the roundings of the magnitude, which leaves the low parts out.
        f64::from(self.steps + 2) * STEP * self.magnitude
    }

    /// The float nearest to the sum, and what that leaves.
    #[inline(always)]
    pub fn parts(self) -> [f64; 2] {
        [self.high, self.low]
    }

    /// The sign, if the bound settles it.
    #[inline(always)]
    pub fn sign(self) -> Option<Sign> {
        (self.high.abs() * 0.5 > self.error()).then(|| Sign::of(self.high))
    }

    /// The value rounded to a float, if it is known to a relative error of `tolerance`.
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

/// `a + b` as a float and its error, where a is the larger one.
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
