//! Exact evaluation, for where the filter's bound does not decide: [`DoubleDouble`] decides most
//! signs, [`Big`] all.

use dashu_base::{BitTest, FloatEncoding, Signed, UnsignedAbs};
use dashu_int::IBig;

use super::double_double::DoubleDouble;
use super::polynomial::{Number, Polynomial};
use super::sign::Sign;
use crate::geom::WideFloat;

/// The sign of a polynomial, for every input.
#[cold]
#[inline(never)]
pub fn sign<P: Polynomial>(polynomial: &P) -> Sign {
    evaluated::<P, DoubleDouble>(polynomial)
        .sign()
        .unwrap_or_else(|| evaluated::<P, Big>(polynomial).sign())
}

/// The value of a polynomial to within this relative error and a unit in the last place, for every
/// input.
#[cold]
#[inline(never)]
pub(crate) fn value<P: Polynomial>(polynomial: &P, tolerance: f64) -> WideFloat {
    evaluated::<P, DoubleDouble>(polynomial)
        .value_within(tolerance)
        .unwrap_or_else(|| evaluated::<P, Big>(polynomial).value())
}

/// Not inlined: [`sign`] and [`value`] share it.
#[inline(never)]
fn evaluated<P: Polynomial, N: Number>(polynomial: &P) -> N {
    polynomial.evaluate()
}

/// An exact value `significand * 2^exponent`.
#[derive(Clone, Debug)]
pub struct Big {
    significand: IBig,
    exponent: isize,
}

impl Big {
    /// `significand * 2^exponent`.
    pub(crate) fn new(significand: IBig, exponent: isize) -> Self {
        Self {
            significand,
            exponent,
        }
    }

    pub(crate) fn zero() -> Self {
        Self::new(IBig::ZERO, 0)
    }

    /// The significand and the exponent.
    pub(crate) fn parts(&self) -> (&IBig, isize) {
        (&self.significand, self.exponent)
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.significand.is_zero()
    }

    /// An upper bound of the absolute value, of about so many bits.
    pub(super) fn rounded_up(&self, bits: usize) -> Self {
        let size = IBig::from(self.significand.clone().unsigned_abs());
        let cut = size.bit_len().saturating_sub(bits);
        if cut == 0 {
            return Self::new(size, self.exponent);
        }
        let exponent = self.exponent + isize::try_from(cut).unwrap_or(isize::MAX);
        Self::new((size >> cut) + IBig::ONE, exponent)
    }

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

    pub(crate) fn value(&self) -> WideFloat {
        // 64 bits go into the rounding; those cut off are below a thousandth of its half unit.
        let cut = self.significand.bit_len().saturating_sub(64);
        let leading = (&self.significand >> cut).to_f64().value();
        let exponent = self.exponent + isize::try_from(cut).unwrap_or(isize::MAX);
        WideFloat::new(leading, i32::try_from(exponent).unwrap_or(i32::MAX))
    }
}

/// Not inlined: polynomials have many operations, and allocations take longer than calls.
impl Number for Big {
    #[inline(never)]
    fn difference(a: f64, b: f64) -> Self {
        Self::of(a).minus(&Self::of(b))
    }

    /// Infinities and NaN count as zero: numbers of unchecked input alone may be such.
    #[inline(never)]
    fn of(a: f64) -> Self {
        // A zero is decoded with the least exponent, for which all others would be shifted.
        let decoded = a.decode().ok().filter(|&(significand, _)| significand != 0);
        let (significand, exponent) = decoded.unwrap_or((0, 0));
        Self {
            significand: significand.into(),
            exponent: exponent.into(),
        }
    }

    #[inline(never)]
    fn plus(&self, other: &Self) -> Self {
        if self.is_zero() || other.is_zero() {
            return if self.is_zero() { other } else { self }.clone();
        }
        let exponent = self.exponent.min(other.exponent);
        Self {
            significand: self.aligned(exponent) + other.aligned(exponent),
            exponent,
        }
    }

    #[inline(never)]
    fn minus(&self, other: &Self) -> Self {
        if other.is_zero() {
            return self.clone();
        }
        let exponent = self.exponent.min(other.exponent);
        Self {
            significand: self.aligned(exponent) - other.aligned(exponent),
            exponent,
        }
    }

    #[inline(never)]
    fn times(&self, other: &Self) -> Self {
        Self {
            significand: &self.significand * &other.significand,
            exponent: self.exponent + other.exponent,
        }
    }
}
