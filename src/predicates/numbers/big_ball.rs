//! Balls of any precision.

use dashu_base::{BitTest, SquareRoot, UnsignedAbs};
use dashu_int::IBig;

use super::ball::Ball;
use super::exact::Big;
use super::polynomial::Number;
use super::sign::Sign;
use crate::geom::WideFloat;

/// A ball whose middle has any number of bits. Sums and products of middles are exact.
#[derive(Clone, Debug)]
pub struct BigBall {
    middle: Big,
    /// Not negative; of few bits.
    radius: Big,
}

/// Binary exponent up to which an angle is small enough for the series.
const SMALL_ANGLE: isize = -8;

/// Bits of a radius.
const RADIUS_BITS: usize = 60;

impl BigBall {
    /// A number without an error.
    pub fn exactly(middle: Big) -> Self {
        Self {
            middle,
            radius: Big::zero(),
        }
    }

    fn with_radius(middle: Big, radius: &Big) -> Self {
        Self {
            middle,
            radius: radius.rounded_up(RADIUS_BITS),
        }
    }

    /// The middle, rounded.
    pub(crate) fn to_wide(&self) -> WideFloat {
        self.middle.value()
    }

    /// A lower bound of the absolute values; not positive where the ball contains zero.
    fn least(&self) -> Big {
        if self.middle.sign() == Sign::Negative {
            Big::zero().minus(&self.middle.plus(&self.radius))
        } else {
            self.middle.minus(&self.radius)
        }
    }

    /// `significand * 2^exponent` with an error of at most `units * 2^exponent`.
    fn fixed(significand: IBig, exponent: isize, units: u64) -> Self {
        Self {
            middle: Big::new(significand, exponent),
            radius: Big::new(units.into(), exponent),
        }
    }
}

impl Number for BigBall {
    fn difference(a: f64, b: f64) -> Self {
        Self::exactly(Big::difference(a, b))
    }

    fn of(a: f64) -> Self {
        Self::exactly(Big::of(a))
    }

    fn plus(&self, other: &Self) -> Self {
        let radius = self.radius.plus(&other.radius);
        Self::with_radius(self.middle.plus(&other.middle), &radius)
    }

    fn minus(&self, other: &Self) -> Self {
        let radius = self.radius.plus(&other.radius);
        Self::with_radius(self.middle.minus(&other.middle), &radius)
    }

    fn times(&self, other: &Self) -> Self {
        let middle = self.middle.times(&other.middle);
        if self.radius.is_zero() && other.radius.is_zero() {
            return Self::exactly(middle);
        }
        let [a, b] = [self, other].map(|ball| ball.middle.rounded_up(RADIUS_BITS));
        let radius = (a.times(&other.radius))
            .plus(&b.times(&self.radius))
            .plus(&self.radius.times(&other.radius));
        Self::with_radius(middle, &radius)
    }
}

impl Ball for BigBall {
    fn middle(&self) -> Self {
        Self::exactly(self.middle.clone())
    }

    fn radius(&self) -> Self {
        Self::exactly(self.radius.clone())
    }

    fn size(&self) -> Self {
        let size = self.middle.rounded_up(RADIUS_BITS).plus(&self.radius);
        Self::exactly(size.rounded_up(RADIUS_BITS))
    }

    fn widened(&self, by: &Self) -> Self {
        let radius = self.radius.plus(&by.size().middle);
        Self::with_radius(self.middle.clone(), &radius)
    }

    fn sign(&self) -> Option<Sign> {
        match self.middle.sign() {
            Sign::Zero => self.radius.is_zero().then_some(Sign::Zero),
            sign => (self.least().sign() == Sign::Positive).then_some(sign),
        }
    }

    fn over(&self, divisor: &Self, bits: usize) -> Self {
        let (significand, exponent) = self.middle.parts();
        let (by, by_exponent) = divisor.middle.parts();
        let shift = (bits + by.bit_len() + 1).saturating_sub(significand.bit_len());
        let quotient = Self::fixed(
            (significand << shift) / by,
            exponent - by_exponent - signed(shift),
            1,
        );
        if self.radius.is_zero() && divisor.radius.is_zero() {
            return quotient;
        }
        // The quotient of the numbers differs by (radius + |quotient| radius of divisor) / |number|.
        let spread = (self.radius)
            .plus(&quotient.size().middle.times(&divisor.radius))
            .rounded_up(2 * RADIUS_BITS);
        let least = divisor.least();
        let (spread, spread_exponent) = spread.parts();
        let (least, least_exponent) = least.parts();
        let shift = RADIUS_BITS + least.bit_len();
        let radius = Big::new(
            (spread << shift) / least + IBig::ONE,
            spread_exponent - least_exponent - signed(shift),
        );
        quotient.widened(&Self::exactly(radius))
    }

    fn root(&self, bits: usize) -> Self {
        let (significand, exponent) = self.middle.parts();
        let short = (2 * bits).saturating_sub(significand.bit_len());
        let shift = short + usize::from((exponent - signed(short)) % 2 != 0);
        let root = (significand << shift).unsigned_abs().sqrt();
        let root = Self::fixed(root.into(), (exponent - signed(shift)) / 2, 1);
        if self.radius.is_zero() {
            return root;
        }
        // A root changes by radius / root at most.
        let change = self.radius().over(&root.middle(), RADIUS_BITS);
        root.widened(&change)
    }

    /// Computed by the exponential series of the angle halved several times; the result is squared
    /// as many times.
    fn cos_sin(&self, bits: usize) -> [Self; 2] {
        let (angle, exponent) = self.middle.parts();
        let size = signed(angle.bit_len()) + exponent;
        let halvings = usize::try_from(size - SMALL_ANGLE).unwrap_or(0);
        // The series loses less than a unit in each of fewer than `bits` terms, a squaring doubles the
        // error and adds less than four units.
        let guard = halvings + 8 + bits.bit_len();
        let places = bits + guard;
        let x = shifted(angle, exponent - signed(halvings) + signed(places));
        let (mut cos, mut sin) = (IBig::ONE << places, IBig::ZERO);
        let (mut term, mut order) = (cos.clone(), 0u32);
        loop {
            order += 1;
            term = ((term * &x) >> places) / IBig::from(order);
            if term.is_zero() || term == IBig::NEG_ONE {
                break;
            }
            let sum = if order % 2 == 0 { &mut cos } else { &mut sin };
            if order % 4 < 2 {
                *sum += &term;
            } else {
                *sum -= &term;
            }
        }
        for _ in 0..halvings {
            let product = (&cos * &sin) >> (places - 1);
            cos = (&cos * &cos - &sin * &sin) >> places;
            sin = product;
        }
        [cos, sin].map(|value| {
            let value = Self::fixed(value >> guard, -signed(bits), 3);
            value.widened(&self.radius())
        })
    }

    fn shortened(self, bits: usize) -> Self {
        let (significand, exponent) = self.middle.parts();
        let cut = significand.bit_len().saturating_sub(bits);
        if cut == 0 {
            return self;
        }
        let short = Self::fixed(significand >> cut, exponent + signed(cut), 1);
        short.widened(&self.radius())
    }

    fn to_f64(&self) -> f64 {
        self.middle.value().to_f64()
    }
}

fn signed(bits: usize) -> isize {
    isize::try_from(bits).unwrap_or(isize::MAX)
}

/// `value * 2^shift`, rounded down.
fn shifted(value: &IBig, shift: isize) -> IBig {
    if shift < 0 {
        value >> shift.unsigned_abs()
    } else {
        value << shift.unsigned_abs()
    }
}
