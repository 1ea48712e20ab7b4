//! Numbers with an error bound, over which motions with turns are evaluated.

use super::bounded::UNIT_ROUNDOFF;
use super::error_free::two_sum;
use super::polynomial::Number;
use super::sign::Sign;

/// A middle and a radius: the interval of the numbers that a value may have. Every operation gives an
/// interval that contains all results for numbers of its operands.
///
/// Where a number of bits is asked for, the radius of an operation that is not exact is about
/// `2^-bits`, relative to a quotient or a root and absolute for sines.
pub trait Ball: Number {
    /// The middle alone.
    fn middle(&self) -> Self;
    /// The radius alone.
    fn radius(&self) -> Self;
    /// An upper bound of the absolute values of all numbers in the interval.
    fn size(&self) -> Self;
    /// The interval, extended on both sides by the size of `by`.
    fn widened(&self, by: &Self) -> Self;
    /// The sign, if all numbers have the same.
    fn sign(&self) -> Option<Sign>;
    /// The quotient by an interval that does not contain zero. If it does, a ball of floats gets an infinite
    /// radius.
    fn over(&self, divisor: &Self, bits: usize) -> Self;
    /// The square root of numbers of which none is negative.
    fn root(&self, bits: usize) -> Self;
    /// The cosine and the sine; of floats, the radius is relative to each.
    fn cos_sin(&self, bits: usize) -> [Self; 2];
    /// A ball that contains this one, whose middle is rounded to about `bits` bits.
    fn shortened(self, bits: usize) -> Self;
    /// The middle, rounded.
    fn to_f64(&self) -> f64;

    /// Whether the interval certainly does not contain zero.
    fn is_not_zero(&self) -> bool {
        matches!(self.sign(), Some(Sign::Negative | Sign::Positive))
    }

    /// Whether the first number is certainly below the second.
    fn is_below(&self, other: &Self) -> bool {
        other.minus(self).sign() == Some(Sign::Positive)
    }
}

/// A ball of floats.
#[derive(Clone, Copy, Debug)]
pub struct FloatBall {
    middle: f64,
    radius: f64,
}

/// The radius of a result is computed by a few operations on positive numbers; this factor covers their
/// roundings. Test: `the_radius_of_a_float_ball_makes_up_for_its_own_roundings`.
const ABOVE: f64 = 1.0 + 16.0 * UNIT_ROUNDOFF;

/// Below this, parts of the error of a product may be smaller than any normal float.
const MAY_UNDERFLOW: f64 = f64::MIN_POSITIVE / (UNIT_ROUNDOFF * UNIT_ROUNDOFF);

/// The least positive float.
const LEAST: f64 = f64::from_bits(1);

/// An upper bound of the error of `libm::sincos`, relative to the result: its authors claim less than one unit in the
/// last place, which is at most twice the unit roundoff. `tests/core/turning.rs` compares it with [`crate::predicates::BigBall`].
const SINE_ERROR: f64 = 4.0 * UNIT_ROUNDOFF;

impl FloatBall {
    /// The numbers that differ from a middle by no more than a radius.
    #[inline(always)]
    pub fn new(middle: f64, radius: f64) -> Self {
        Self { middle, radius }
    }

    #[inline(always)]
    fn is_zero(&self) -> bool {
        self.middle == 0.0 && self.radius == 0.0
    }

    /// A result that was rounded once, of operands with errors that amount to this radius.
    #[inline(always)]
    fn rounded(middle: f64, radius: f64) -> Self {
        Self::new(middle, (radius + UNIT_ROUNDOFF * middle.abs()) * ABOVE)
    }
}

impl Number for FloatBall {
    #[inline(always)]
    fn difference(a: f64, b: f64) -> Self {
        let (middle, error) = two_sum(a, -b);
        Self::new(middle, error.abs())
    }

    #[inline(always)]
    fn of(a: f64) -> Self {
        Self::new(a, 0.0)
    }

    #[inline(always)]
    fn plus(&self, other: &Self) -> Self {
        Self::rounded(self.middle + other.middle, self.radius + other.radius)
    }

    #[inline(always)]
    fn minus(&self, other: &Self) -> Self {
        Self::rounded(self.middle - other.middle, self.radius + other.radius)
    }

    #[inline(always)]
    fn times(&self, other: &Self) -> Self {
        let (a, b) = (self.middle.abs(), other.middle.abs());
        let radius = a * other.radius + (b + other.radius) * self.radius;
        let middle = self.middle * other.middle;
        // A factor of zero makes an exact zero; any other product may underflow, or those of its radius.
        let lost = if middle.abs() < MAY_UNDERFLOW && !self.is_zero() && !other.is_zero() {
            f64::MIN_POSITIVE
        } else {
            0.0
        };
        Self::rounded(middle, radius + lost)
    }
}

impl Ball for FloatBall {
    #[inline(always)]
    fn middle(&self) -> Self {
        Self::of(self.middle)
    }

    #[inline(always)]
    fn radius(&self) -> Self {
        Self::of(self.radius)
    }

    #[inline(always)]
    fn size(&self) -> Self {
        Self::of((self.middle.abs() + self.radius) * ABOVE)
    }

    #[inline(always)]
    fn widened(&self, by: &Self) -> Self {
        let radius = (self.radius + by.middle.abs() + by.radius) * ABOVE;
        Self { radius, ..*self }
    }

    #[inline(always)]
    fn sign(&self) -> Option<Sign> {
        if self.middle.abs() > self.radius {
            Some(Sign::of(self.middle))
        } else {
            self.is_zero().then_some(Sign::Zero)
        }
    }

    #[inline(always)]
    fn over(&self, divisor: &Self, _: usize) -> Self {
        let middle = self.middle / divisor.middle;
        let least = (divisor.middle.abs() - divisor.radius) * (1.0 - 4.0 * UNIT_ROUNDOFF);
        // The product may underflow.
        let spread = self.radius + middle.abs() * ABOVE * divisor.radius + f64::MIN_POSITIVE;
        let spread = if least > 0.0 {
            spread / least
        } else {
            f64::INFINITY
        };
        Self::rounded(middle, spread * ABOVE + f64::MIN_POSITIVE)
    }

    #[inline(always)]
    fn root(&self, _: usize) -> Self {
        let middle = self.middle.max(0.0).sqrt();
        // The root of a sum is at most the sum of the roots, and changes by radius / root at most.
        let spread = if middle * middle > self.radius {
            self.radius / middle
        } else {
            self.radius.sqrt()
        };
        Self::rounded(middle, spread * ABOVE + f64::MIN_POSITIVE)
    }

    #[inline(always)]
    fn cos_sin(&self, _: usize) -> [Self; 2] {
        let (sin, cos) = libm::sincos(self.middle);
        // That of the least numbers may underflow.
        let error = |value: f64| SINE_ERROR * value.abs() + LEAST;
        [cos, sin].map(|value| Self::new(value, (self.radius + error(value)) * ABOVE))
    }

    #[inline(always)]
    fn shortened(self, _: usize) -> Self {
        self
    }

    #[inline(always)]
    fn to_f64(&self) -> f64 {
        self.middle
    }
}
