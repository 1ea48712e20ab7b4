//! Kinds of numbers and generators that the tests share.

use std::cmp::Ordering;

use carom::geom::{Displacement, Edge, Motion, Point, Vec2};
use carom::predicates::numbers::polynomial::Number;
use carom::simd::lanes::Vectors;
use num_bigint::BigInt;
use num_traits::{Signed, float::FloatCore};
use proptest::prelude::*;

/// `significand * 2^exponent`, over a library of big integers that the crate itself doesn't use.
#[derive(Clone, Debug)]
pub(crate) struct Rational {
    significand: BigInt,
    exponent: i64,
}

impl Rational {
    pub(crate) fn power_of_two(exponent: i64) -> Self {
        Self {
            significand: BigInt::from(1),
            exponent,
        }
    }

    pub(crate) fn sign(&self) -> Ordering {
        self.significand.cmp(&BigInt::ZERO)
    }

    pub(crate) fn is_at_most(&self, other: &Self) -> bool {
        self.minus(other).sign() != Ordering::Greater
    }

    pub(crate) fn abs(self) -> Self {
        Self {
            significand: self.significand.abs(),
            ..self
        }
    }

    /// How many bits the significand has, without zeros at its end.
    pub(crate) fn bits(&self) -> u64 {
        self.significand.bits() - self.significand.trailing_zeros().unwrap_or(0)
    }

    pub(crate) fn power(&self, exponent: u32) -> Self {
        (0..exponent).fold(Self::of(1.0), |product, _| product.times(self))
    }

    fn aligned(&self, exponent: i64) -> BigInt {
        &self.significand << (self.exponent - exponent)
    }
}

impl Number for Rational {
    fn difference(a: f64, b: f64) -> Self {
        Self::of(a).minus(&Self::of(b))
    }

    fn of(a: f64) -> Self {
        let (significand, exponent, sign) = a.integer_decode();
        Self {
            significand: BigInt::from(significand) * sign,
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

/// Counts how many roundings the terms of a polynomial go through at most.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Roundings(pub(crate) u32);

impl Number for Roundings {
    fn difference(_: f64, _: f64) -> Self {
        Self(1)
    }

    fn of(_: f64) -> Self {
        Self(0)
    }

    fn plus(&self, other: &Self) -> Self {
        Self(self.0.max(other.0) + 1)
    }

    fn minus(&self, other: &Self) -> Self {
        self.plus(other)
    }

    fn times(&self, other: &Self) -> Self {
        Self(self.0 + other.0 + 1)
    }
}

/// The largest size of a value, and the largest error that rounding leaves it, in units of some sum of terms.
#[derive(Clone)]
pub(crate) struct Worst {
    size: Rational,
    error: Rational,
}

impl Worst {
    /// A value so large after this many roundings of its terms.
    pub(crate) fn new(size: f64, roundings: u32) -> Self {
        let above = Rational::of(1.0)
            .plus(&Rational::power_of_two(-53))
            .power(roundings);
        Self {
            size: Rational::of(size),
            error: above.minus(&Rational::of(1.0)).times(&Rational::of(size)),
        }
    }

    fn rounded(size: Rational, error: &Rational) -> Self {
        let rounding = size.plus(error).times(&Rational::power_of_two(-53));
        Self {
            size,
            error: error.plus(&rounding),
        }
    }

    /// The sum, or the difference.
    pub(crate) fn plus(&self, other: &Self) -> Self {
        Self::rounded(self.size.plus(&other.size), &self.error.plus(&other.error))
    }

    /// The largest size of the value with its error.
    pub(crate) fn most(&self) -> Rational {
        self.size.plus(&self.error)
    }

    pub(crate) fn times(&self, other: &Self) -> Self {
        let size = self.size.times(&other.size);
        let error = self.most().times(&other.most()).minus(&size);
        Self::rounded(size, &error)
    }

    /// The same of a value that is known to be no larger.
    pub(crate) fn no_larger_than(self, size: f64) -> Self {
        Self {
            size: Rational::of(size),
            ..self
        }
    }

    /// Whether a bound covers the error, though it was rounded up to twenty times itself.
    pub(crate) fn is_within(&self, bound: f64) -> bool {
        let below = Rational::of(1.0)
            .minus(&Rational::power_of_two(-53))
            .power(20);
        self.error.is_at_most(&Rational::of(bound).times(&below))
    }
}

/// Any finite float, each exponent as likely as the next.
pub(crate) fn any_finite() -> impl Strategy<Value = f64> {
    any::<u64>()
        .prop_map(f64::from_bits)
        .prop_filter("finite", |value| value.is_finite())
}

/// Floats that make polynomials vanish or nearly so: small integers, their neighbours, and floats
/// of one magnitude.
pub(crate) fn close_by() -> impl Strategy<Value = f64> {
    let integer = (-4i8..=4).prop_map(f64::from);
    let beside = (-4i8..=4, -2i64..=2).prop_map(|(integer, steps)| step(f64::from(integer), steps));
    prop_oneof![
        integer,
        beside,
        with_all_bits(),
        (0.5f64..1.0).prop_map(|x| x * 1e9)
    ]
}

/// Floats up to 4. Those that a range yields are multiples of a quantum, so that their differences are exact.
pub(crate) fn with_all_bits() -> impl Strategy<Value = f64> {
    (-4.0..4.0f64, 0.0..1.0f64).prop_map(|(value, factor)| value * factor)
}

/// The float so many places above.
pub(crate) fn step(value: f64, steps: i64) -> f64 {
    (0..steps.abs()).fold(value, |value, _| {
        if steps > 0 {
            value.next_up()
        } else {
            value.next_down()
        }
    })
}

/// A vector whose components are a few floats away from these.
pub(crate) fn beside(vector: Vectors<f64>, [x, y]: [i64; 2]) -> Vectors<f64> {
    Vectors {
        x: step(vector.x, x),
        y: step(vector.y, y),
    }
}

/// Coordinates of one kind throughout a query, at one of many scales.
pub(crate) fn coordinate() -> impl Strategy<Value = f64> {
    prop_oneof![6 => close_by(), 1 => any_finite()]
}

/// Exponents by which points are scaled, with those at which squares leave the range of floats, or lose bits.
pub(crate) fn exponent() -> impl Strategy<Value = i32> {
    prop_oneof![-1020..=1020, -560..-440, 480..=520, -120..=120]
}

/// Zeros, and floats of sizes at which products leave the range of floats, or their last bits do.
pub(crate) fn wide() -> impl Strategy<Value = f64> {
    let exponent = prop_oneof![Just(0), -40..=30, -560..-500, -1010..-900, 500..=900];
    let scaled = (close_by(), exponent).prop_map(|(value, exponent)| value * 2f64.powi(exponent));
    prop_oneof![2 => scaled, 1 => Just(0.0)]
}

/// Angles of every size, from a generator of period 2^64 (Knuth).
pub(crate) fn angles(count: usize) -> impl Iterator<Item = f64> {
    let mut state = 1u64;
    let mut random = move || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 53) as f64
    };
    (0..count).map(move |_| {
        let exponent = 24.0 - (random() * 40.0).floor();
        (2.0 * random() - 1.0) * exponent.exp2()
    })
}

pub(crate) fn point() -> impl Strategy<Value = Point> {
    (coordinate(), coordinate()).prop_map(|(x, y)| Point::new(x, y))
}

pub(crate) fn vector() -> impl Strategy<Value = Vec2> {
    (coordinate(), coordinate()).prop_map(|(x, y)| Vec2::new(x, y))
}

pub(crate) fn edge() -> impl Strategy<Value = Edge> {
    (point(), point()).prop_map(|(start, end)| Edge::new(start, end))
}

pub(crate) fn motion() -> impl Strategy<Value = Motion> {
    let straight = (point(), point())
        .prop_map(|(from, to)| Motion::between(from, to))
        .boxed();
    let steps = (-50i8..=50).prop_map(f64::from);
    let drifting = ((point(), point()), vector(), steps)
        .prop_map(|((from, to), drift, steps)| Motion::between(from, to).with_drift(drift, steps));
    let relative = (straight.clone(), straight.clone())
        .prop_map(|(motion, observer): (Motion, Motion)| motion.relative_to(observer));
    prop_oneof![
        3 => vector().prop_map(Motion::from),
        1 => straight,
        1 => drifting,
        1 => relative
    ]
}

pub(crate) fn displacement() -> impl Strategy<Value = Displacement> {
    (point(), point(), proptest::option::of(motion())).prop_map(|(from, to, shift)| Displacement {
        from,
        to,
        shift,
    })
}
