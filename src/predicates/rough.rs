//! A float with a bound on its error that the caller derives: a filter for many values that share it.

use super::sign::Sign;

/// A value and a bound on its error, of roundings alone: products that underflow are not bounded.
#[derive(Clone, Copy, Debug)]
pub struct Rough {
    /// The value.
    pub value: f64,
    /// The bound; NaN if there is none.
    pub error: f64,
}

/// Room for the roundings of a quotient. Test: `times_enclose_all_that_the_bounds_allow`.
const ROUNDINGS: f64 = 8.0 * f64::EPSILON;

impl Rough {
    /// Whether the bound covers underflow too, and nothing overflowed.
    #[inline(always)]
    fn is_bounded(&self) -> bool {
        self.error > f64::MIN_POSITIVE && self.value.is_finite()
    }

    /// The sign, if it is certain.
    #[inline(always)]
    pub fn sign(&self) -> Option<Sign> {
        let certain = Sign::of_rounded(self.value, self.error);
        certain.filter(|_| self.is_bounded())
    }

    /// Lower and upper bound of the time at which a value that is not negative becomes zero, given its rate
    /// of change. Both are infinite if it certainly never does. If an error is unknown they are zero and
    /// infinity. The lower one may be negative.
    #[inline(always)]
    pub fn times(&self, rate: &Self) -> [f64; 2] {
        if !(self.is_bounded() && rate.is_bounded()) {
            return [0.0, f64::INFINITY];
        }
        if rate.value > rate.error {
            return [f64::INFINITY; 2];
        }
        let speed = -rate.value;
        let least = (self.value - self.error).max(0.0) / (speed.abs() + rate.error);
        let most = if speed > rate.error {
            (self.value + self.error) / (speed - rate.error)
        } else {
            f64::INFINITY
        };
        // Roundings of quotients that underflow are less than the least normal float.
        let least = least * (1.0 - ROUNDINGS) - f64::MIN_POSITIVE;
        [least, most * (1.0 + ROUNDINGS) + f64::MIN_POSITIVE]
    }
}
