//! Exact evaluation, for where no error bound decides.
//!
//! Coordinates on a grid hardly round at all, and there [`Unrounded`] is enough: a float that knows
//! whether it was ever rounded. [`DoubleDouble`] decides most others; [`Big`] decides all.

use dashu_base::{BitTest, FloatEncoding, Signed};
use dashu_int::IBig;

use super::double_double::DoubleDouble;
use super::error_free::{two_product, two_sum};
use super::number::{Number, Polynomial};
use super::sign::Sign;
use crate::geom::WideFloat;

/// The sign of a polynomial, for every input.
#[cold]
#[inline(never)]
pub fn sign<P: Polynomial>(polynomial: &P) -> Sign {
    polynomial
        .evaluate::<Unrounded>()
        .sign()
        .or_else(|| polynomial.evaluate::<DoubleDouble>().sign())
        .unwrap_or_else(|| polynomial.evaluate::<Big>().sign())
}

/// The value of a polynomial to within a unit in the last place, for every input.
#[cold]
#[inline(never)]
pub(crate) fn value<P: Polynomial>(polynomial: &P) -> WideFloat {
    polynomial
        .evaluate::<Unrounded>()
        .value()
        .unwrap_or_else(|| polynomial.evaluate::<Big>().value())
}

/// Products below this (2^-960) may have an error that no float represents.
const SMALLEST_PRODUCT: f64 = f64::from_bits((1023 - 960) << 52);

/// A float, and whether all operations that led to it were exact.
#[derive(Clone, Copy, Debug)]
pub struct Unrounded {
    value: f64,
    exact: bool,
}

impl Unrounded {
    /// The sign, unless something was rounded.
    pub fn sign(self) -> Option<Sign> {
        self.exact.then(|| Sign::of(self.value))
    }

    fn value(self) -> Option<WideFloat> {
        self.exact.then(|| WideFloat::from(self.value))
    }
}

impl Number for Unrounded {
    #[inline(always)]
    fn difference(a: f64, b: f64) -> Self {
        Self::of(a).minus(&Self::of(b))
    }

    #[inline(always)]
    fn of(a: f64) -> Self {
        Self {
            value: a,
            exact: true,
        }
    }

    #[inline(always)]
    fn plus(&self, other: &Self) -> Self {
        let (value, error) = two_sum(self.value, other.value);
        Self {
            value,
            exact: self.exact & other.exact & (error == 0.0),
        }
    }

    #[inline(always)]
    fn minus(&self, other: &Self) -> Self {
        self.plus(&Self {
            value: -other.value,
            ..*other
        })
    }

    #[inline(always)]
    fn times(&self, other: &Self) -> Self {
        let (value, error) = two_product(self.value, other.value);
        let lossless = value.abs() >= SMALLEST_PRODUCT || self.value == 0.0 || other.value == 0.0;
        Self {
            value,
            exact: self.exact & other.exact & lossless & (error == 0.0),
        }
    }
}

/// An exact value `significand * 2^exponent`.
#[derive(Clone, Debug)]
pub struct Big {
    significand: IBig,
    exponent: isize,
}

impl Big {
    /// The significand for an exponent no larger than its own.
    fn aligned(&self, exponent: isize) -> IBig {
        &self.significand << self.exponent.abs_diff(exponent)
    }

    /// The sign.
    pub fn sign(&self) -> Sign {
        if self.significand.is_zero() {
            Sign::Zero
        } else if self.significand.is_negative() {
            Sign::Negative
        } else {
            Sign::Positive
        }
    }

    fn value(&self) -> WideFloat {
        // 64 bits go into the rounding; those cut off are below a thousandth of its half unit.
        let cut = self.significand.bit_len().saturating_sub(64);
        let leading = (&self.significand >> cut).to_f64().value();
        let exponent = self.exponent + isize::try_from(cut).unwrap_or(isize::MAX);
        WideFloat::new(leading, i32::try_from(exponent).unwrap_or(i32::MAX))
    }
}

impl Number for Big {
    fn difference(a: f64, b: f64) -> Self {
        Self::of(a).minus(&Self::of(b))
    }

    /// Infinities and NaN, which only unchecked input has, count as zero.
    fn of(a: f64) -> Self {
        // A zero is decoded with the least exponent, for which all others would be shifted.
        let decoded = a.decode().ok().filter(|&(significand, _)| significand != 0);
        let (significand, exponent) = decoded.unwrap_or((0, 0));
        Self {
            significand: significand.into(),
            exponent: exponent.into(),
        }
    }

    fn plus(&self, other: &Self) -> Self {
        let exponent = self.exponent.min(other.exponent);
        Self {
            significand: self.aligned(exponent) + other.aligned(exponent),
            exponent,
        }
    }

    fn minus(&self, other: &Self) -> Self {
        let exponent = self.exponent.min(other.exponent);
        Self {
            significand: self.aligned(exponent) - other.aligned(exponent),
            exponent,
        }
    }

    fn times(&self, other: &Self) -> Self {
        Self {
            significand: &self.significand * &other.significand,
            exponent: self.exponent + other.exponent,
        }
    }
}
