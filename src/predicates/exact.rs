//! The last word: numbers that lose nothing.
//!
//! Coordinates on a grid hardly round at all, and there [`Unrounded`] is enough: a float that knows
//! whether it ever was. [`Expansion`] holds a value as a sum of floats (Shewchuk, "Adaptive precision floating-point
//! arithmetic and fast robust geometric predicates", 1997) and says so when a product left the
//! range in which that works. [`Big`] has no range and answers then.

use dashu_base::{BitTest, Signed};
use dashu_int::IBig;
use smallvec::SmallVec;

use super::Sign;
use super::double_double::DoubleDouble;
use super::number::{Number, Polynomial};
use crate::geom::WideFloat;

/// The sign of a polynomial, for every input.
#[cold]
#[inline(never)]
pub fn sign<P: Polynomial>(polynomial: &P) -> Sign {
    polynomial
        .evaluate::<Unrounded>()
        .sign()
        .or_else(|| polynomial.evaluate::<DoubleDouble>().sign())
        .or_else(|| polynomial.evaluate::<Expansion>().sign())
        .unwrap_or_else(|| polynomial.evaluate::<Big>().sign())
}

/// The value of a polynomial to within a unit in the last place, for every input.
#[cold]
#[inline(never)]
pub(crate) fn value<P: Polynomial>(polynomial: &P) -> WideFloat {
    polynomial
        .evaluate::<Unrounded>()
        .value()
        .or_else(|| polynomial.evaluate::<Expansion>().value())
        .unwrap_or_else(|| polynomial.evaluate::<Big>().value())
}

/// Products below this (2^-960) may have an error term that a float cannot hold.
const SMALLEST_PRODUCT: f64 = f64::from_bits((1023 - 960) << 52);

/// 2^27 + 1: cuts a float into two halves whose products are exact.
const SPLITTER: f64 = 134_217_729.0;

/// `a + b` as a float and its error.
#[inline]
pub(super) fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let b_part = sum - a;
    let a_part = sum - b_part;
    (sum, (a - a_part) + (b - b_part))
}

/// `a * b` as a float and its error.
#[inline]
pub(super) fn two_product(a: f64, b: f64) -> (f64, f64) {
    let product = a * b;
    let (a_high, a_low) = split(a);
    let (b_high, b_low) = split(b);
    let error = ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low;
    (product, error)
}

#[inline]
fn split(a: f64) -> (f64, f64) {
    let shifted = SPLITTER * a;
    let high = shifted - (shifted - a);
    (high, a - high)
}

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
        let (value, error) = two_sum(self.value, -other.value);
        Self {
            value,
            exact: self.exact & other.exact & (error == 0.0),
        }
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

/// An exact value as an unevaluated sum of nonadjacent floats, smallest first, zeros left out.
#[derive(Clone, Debug)]
pub struct Expansion {
    terms: SmallVec<[f64; 8]>,
    /// False once an overflow or underflow may have cost a bit.
    exact: bool,
}

impl Expansion {
    fn pair(high: f64, low: f64) -> Self {
        let mut terms = SmallVec::new();
        terms.extend([low, high].into_iter().filter(|&term| term != 0.0));
        let mut pair = Self {
            terms,
            exact: high.is_finite(),
        };
        pair.shed();
        pair
    }

    /// Adds one float: Shewchuk's grow-expansion, which asks of the terms only that they do not
    /// overlap, and keeps them nonadjacent if they were.
    fn grow(&mut self, summand: f64) {
        let mut carry = summand;
        let mut kept = 0;
        for index in 0..self.terms.len() {
            let (sum, error) = two_sum(carry, self.terms[index]);
            carry = sum;
            if error != 0.0 {
                self.terms[kept] = error;
                kept += 1;
            }
        }
        self.terms.truncate(kept);
        if carry != 0.0 {
            self.terms.push(carry);
        }
        self.exact &= carry.is_finite();
        self.shed();
    }

    /// Drops terms that are worth nothing: NaN would never cancel, and they would multiply.
    fn shed(&mut self) {
        if !self.exact {
            self.terms.clear();
        }
    }

    /// Multiplies by one float: Shewchuk's scale-expansion.
    fn scaled(&self, factor: f64) -> Self {
        let mut terms = SmallVec::new();
        let mut exact = self.exact;
        let mut carry = 0.0;
        let mut keep = |term: f64| {
            if term != 0.0 {
                terms.push(term);
            }
        };
        for &term in &self.terms {
            let (product, product_error) = two_product(term, factor);
            exact &= product.abs() >= SMALLEST_PRODUCT && product_error.is_finite();
            let (sum, sum_error) = two_sum(carry, product_error);
            keep(sum_error);
            let (high, low) = two_sum(product, sum);
            keep(low);
            carry = high;
        }
        keep(carry);
        let mut scaled = Self { terms, exact };
        scaled.shed();
        scaled
    }

    fn sum_of_terms(&self) -> f64 {
        self.terms.iter().sum()
    }

    /// The sign, unless bits may have been lost: it is that of the largest term.
    pub fn sign(&self) -> Option<Sign> {
        self.exact
            .then(|| Sign::of(self.terms.last().copied().unwrap_or(0.0)))
    }

    /// The value rounded to a float, unless bits may have been lost.
    fn value(&self) -> Option<WideFloat> {
        if !self.exact {
            return None;
        }
        // One sum of the terms is off by a few units; adding what it left over mends that.
        let estimate = self.sum_of_terms();
        let mut left_over = self.clone();
        left_over.grow(-estimate);
        left_over
            .exact
            .then(|| WideFloat::from(estimate + left_over.sum_of_terms()))
    }
}

impl Number for Expansion {
    fn difference(a: f64, b: f64) -> Self {
        let (high, low) = two_sum(a, -b);
        Self::pair(high, low)
    }

    fn of(a: f64) -> Self {
        Self::pair(a, 0.0)
    }

    fn plus(&self, other: &Self) -> Self {
        let mut sum = self.clone();
        sum.exact &= other.exact;
        for &term in &other.terms {
            sum.grow(term);
        }
        sum
    }

    fn minus(&self, other: &Self) -> Self {
        let mut difference = self.clone();
        difference.exact &= other.exact;
        for &term in &other.terms {
            difference.grow(-term);
        }
        difference
    }

    fn times(&self, other: &Self) -> Self {
        let mut product = Self {
            terms: SmallVec::new(),
            exact: self.exact && other.exact,
        };
        for &factor in &other.terms {
            product = product.plus(&self.scaled(factor));
        }
        product
    }
}

/// An exact value `significand * 2^exponent`.
#[derive(Clone, Debug)]
pub struct Big {
    significand: IBig,
    exponent: isize,
}

impl Big {
    fn aligned(&self, exponent: isize) -> IBig {
        &self.significand << self.exponent.abs_diff(exponent)
    }

    fn combine(&self, other: &Self, operation: impl Fn(IBig, IBig) -> IBig) -> Self {
        let exponent = self.exponent.min(other.exponent);
        Self {
            significand: operation(self.aligned(exponent), other.aligned(exponent)),
            exponent,
        }
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

    /// Infinities and NaN, which only unchecked input can bring, count as zero.
    fn of(a: f64) -> Self {
        let bits = a.to_bits();
        let fraction = bits & ((1 << 52) - 1);
        let (magnitude, exponent) = match i16::try_from(bits >> 52 & 0x7ff).unwrap_or(0) {
            0x7ff => (0, 0),
            0 => (fraction, -1074),
            biased => (fraction | (1 << 52), isize::from(biased) - 1075),
        };
        let magnitude = IBig::from(magnitude);
        Self {
            significand: if a < 0.0 { -magnitude } else { magnitude },
            exponent,
        }
    }

    fn plus(&self, other: &Self) -> Self {
        self.combine(other, |a, b| a + b)
    }

    fn minus(&self, other: &Self) -> Self {
        self.combine(other, |a, b| a - b)
    }

    fn times(&self, other: &Self) -> Self {
        Self {
            significand: &self.significand * &other.significand,
            exponent: self.exponent + other.exponent,
        }
    }
}
