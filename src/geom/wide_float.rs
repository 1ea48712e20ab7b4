//! Floats that neither overflow nor underflow: results are computed with them.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// `mantissa * 2^exponent`, with the precision of an `f64` and the range of an `i32` exponent.
///
/// Coordinates may reach 1e308, so a determinant and the length that divides it may reach 1e617;
/// the quotient is a float again. In ordinary use the exponent stays zero and all operations are
/// those of `f64`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WideFloat {
    /// Zero, or of absolute value between [`Self::SMALL`] and [`Self::LARGE`].
    mantissa: f64,
    exponent: i32,
}

impl WideFloat {
    const SMALL: f64 = f64::from_bits((1023 - 256) << 52);
    const LARGE: f64 = f64::from_bits((1023 + 256) << 52);
    pub(crate) const ZERO: Self = Self::plain(0.0);
    pub(crate) const ONE: Self = Self::plain(1.0);

    const fn plain(mantissa: f64) -> Self {
        Self {
            mantissa,
            exponent: 0,
        }
    }

    /// `mantissa * 2^exponent`.
    #[inline]
    pub(crate) fn new(mantissa: f64, exponent: i32) -> Self {
        let size = mantissa.abs();
        if (Self::SMALL..=Self::LARGE).contains(&size) {
            Self { mantissa, exponent }
        } else {
            Self::normalised(mantissa, exponent)
        }
    }

    /// The least power of two that is larger than the absolute value; 0 for zero.
    pub(crate) fn exponent(self) -> i32 {
        libm::frexp(self.mantissa).1 + self.exponent
    }

    #[cold]
    fn normalised(mantissa: f64, exponent: i32) -> Self {
        if mantissa == 0.0 || !mantissa.is_finite() {
            return Self::plain(mantissa);
        }
        let (mantissa, shift) = libm::frexp(mantissa);
        Self {
            mantissa,
            exponent: exponent + shift,
        }
    }

    /// `a - b`, correctly rounded even where the difference of floats would overflow.
    #[inline]
    pub(crate) fn difference(a: f64, b: f64) -> Self {
        let difference = a - b;
        if difference.is_finite() {
            Self::from(difference)
        } else {
            Self::new(a / 2.0 - b / 2.0, 1)
        }
    }

    #[inline]
    pub(crate) fn sqrt(self) -> Self {
        if self.exponent % 2 == 0 {
            Self::new(self.mantissa.sqrt(), self.exponent / 2)
        } else {
            Self::new((2.0 * self.mantissa).sqrt(), (self.exponent - 1) / 2)
        }
    }

    #[inline]
    pub(crate) fn abs(self) -> Self {
        Self {
            mantissa: self.mantissa.abs(),
            ..self
        }
    }

    #[inline]
    pub(crate) fn is_zero(self) -> bool {
        self.mantissa == 0.0
    }

    #[inline]
    pub(crate) fn is_negative(self) -> bool {
        self.mantissa < 0.0
    }

    /// The nearest float: infinite above the largest, zero only for zero.
    #[inline]
    pub(crate) fn to_f64(self) -> f64 {
        if self.exponent == 0 {
            // Adding zero turns minus zero into zero.
            self.mantissa + 0.0
        } else {
            self.rounded()
        }
    }

    #[cold]
    fn rounded(self) -> f64 {
        let rounded = libm::scalbn(self.mantissa, self.exponent);
        if rounded == 0.0 && self.mantissa != 0.0 {
            f64::from_bits(1).copysign(self.mantissa)
        } else {
            rounded
        }
    }
}

impl From<f64> for WideFloat {
    #[inline]
    fn from(value: f64) -> Self {
        Self::new(value, 0)
    }
}

impl PartialEq for WideFloat {
    fn eq(&self, other: &Self) -> bool {
        (*self - *other).is_zero()
    }
}

impl PartialOrd for WideFloat {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        (*self - *other).mantissa.partial_cmp(&0.0)
    }
}

impl Neg for WideFloat {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        Self {
            mantissa: -self.mantissa,
            exponent: self.exponent,
        }
    }
}

impl Add for WideFloat {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        if self.exponent == other.exponent {
            return Self::new(self.mantissa + other.mantissa, self.exponent);
        }
        if self.is_zero() {
            return other;
        }
        if other.is_zero() {
            return self;
        }
        let (high, low) = if self.exponent > other.exponent {
            (self, other)
        } else {
            (other, self)
        };
        let aligned = libm::scalbn(low.mantissa, low.exponent - high.exponent);
        Self::new(high.mantissa + aligned, high.exponent)
    }
}

impl Sub for WideFloat {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for WideFloat {
    type Output = Self;

    #[inline]
    fn mul(self, other: Self) -> Self {
        Self::new(
            self.mantissa * other.mantissa,
            self.exponent + other.exponent,
        )
    }
}

impl Div for WideFloat {
    type Output = Self;

    #[inline]
    fn div(self, other: Self) -> Self {
        Self::new(
            self.mantissa / other.mantissa,
            self.exponent - other.exponent,
        )
    }
}
