//! Polynomials: the filter, double-doubles and big integers against each other, at numbers that make them vanish.

use arbitrary::{Result, Unstructured};
use carom::geom::{Displacement, Edge, Motion, Point, RadiusSum, Vec2};
use carom::predicates::numbers::bounded::Bounded;
use carom::predicates::numbers::double_double::DoubleDouble;
use carom::predicates::numbers::exact::{self, Big};
use carom::predicates::numbers::polynomial::{Number, Polynomial};
use carom::predicates::{
    CoordinateAtCrossing, Cross, Crossing, Dot, GapAtTime, Length, Sign, SquareDifference,
    SquaredLength, TimeDifference,
};
use num_bigint::BigInt;
use num_traits::{Zero, float::FloatCore};

use crate::Answers;

/// `significand * 2^exponent`, over a library of big integers that the crate doesn't use.
#[derive(Clone, Debug)]
struct Rational(BigInt, i64);

impl Rational {
    fn aligned(&self, exponent: i64) -> BigInt {
        &self.0 << (self.1 - exponent)
    }

    fn sign(&self) -> Sign {
        match self.0.sign() {
            num_bigint::Sign::Minus => Sign::Negative,
            num_bigint::Sign::NoSign => Sign::Zero,
            num_bigint::Sign::Plus => Sign::Positive,
        }
    }

    fn is_within(&self, error: f64) -> bool {
        let size = Self(BigInt::from(self.0.magnitude().clone()), self.1);
        !error.is_finite() || size.minus(&Self::of(error)).sign() != Sign::Positive
    }
}

impl Number for Rational {
    fn difference(a: f64, b: f64) -> Self {
        Self::of(a).minus(&Self::of(b))
    }

    fn of(a: f64) -> Self {
        let (significand, exponent, sign) = a.integer_decode();
        Self(BigInt::from(significand) * sign, exponent.into())
    }

    fn plus(&self, other: &Self) -> Self {
        let exponent = self.1.min(other.1);
        Self(self.aligned(exponent) + other.aligned(exponent), exponent)
    }

    fn minus(&self, other: &Self) -> Self {
        let exponent = self.1.min(other.1);
        Self(self.aligned(exponent) - other.aligned(exponent), exponent)
    }

    fn times(&self, other: &Self) -> Self {
        if self.0.is_zero() || other.0.is_zero() {
            return Self(BigInt::zero(), 0);
        }
        Self(&self.0 * &other.0, self.1 + other.1)
    }
}

/// See the module.
pub fn predicates(data: &[u8]) -> Answers {
    decoded(&mut Unstructured::new(data)).ok()
}

struct Numbers<'u, 'd> {
    bytes: &'u mut Unstructured<'d>,
    pool: Vec<f64>,
}

impl Numbers<'_, '_> {
    fn next(&mut self) -> Result<f64> {
        let way = self.bytes.arbitrary::<u8>()?;
        let count = self.pool.len();
        let value = match way % 8 {
            0..=2 if count > 0 => self.pool[usize::from(self.bytes.arbitrary::<u8>()?) % count],
            3 if count > 0 => {
                self.pool[usize::from(self.bytes.arbitrary::<u8>()?) % count].next_up()
            }
            4 if count > 0 => -self.pool[usize::from(self.bytes.arbitrary::<u8>()?) % count],
            5 if count > 1 => self.pool[count - 1] + self.pool[count - 2],
            6 => f64::from_bits(self.bytes.arbitrary()?),
            _ => {
                f64::from(self.bytes.arbitrary::<i8>()?)
                    * [1.0, 0.1, 1e-12, 1e8][usize::from(way >> 6)]
            }
        };
        let value = if value.is_finite() { value } else { 1.0 };
        self.pool.push(value);
        Ok(value)
    }

    fn point(&mut self) -> Result<Point> {
        Ok(Point::new(self.next()?, self.next()?))
    }

    fn edge(&mut self) -> Result<Edge> {
        Ok(Edge::new(self.point()?, self.point()?))
    }

    fn motion(&mut self) -> Result<Motion> {
        let straight = Motion::between(self.point()?, self.point()?);
        Ok(match self.bytes.arbitrary::<u8>()? % 4 {
            0 => {
                let drift = Vec2::new(self.next()?, self.next()?);
                straight.with_drift(drift, f64::from(self.bytes.arbitrary::<i8>()?))
            }
            1 => straight.relative_to(Motion::between(self.point()?, self.point()?)),
            _ => straight,
        })
    }

    fn displacement(&mut self) -> Result<Displacement> {
        let straight = Displacement::between(self.point()?, self.point()?);
        let shift = if self.bytes.arbitrary()? {
            Some(self.motion()?)
        } else {
            None
        };
        Ok(Displacement { shift, ..straight })
    }

    fn length(&mut self) -> Result<Length> {
        Ok(match self.bytes.arbitrary::<u8>()? % 4 {
            0 => Length::Across(self.edge()?, self.displacement()?),
            1 => Length::Whole(self.displacement()?),
            2 => Length::Number(RadiusSum::new(
                [self.next()?, self.next()?, self.next()?].map(f64::abs),
            )),
            _ => Length::AcrossMotion(self.motion()?, self.displacement()?),
        })
    }

    fn crossing(&mut self) -> Result<Crossing> {
        Ok(Crossing {
            line: self.edge()?,
            gap: self.displacement()?,
            velocity: self.motion()?,
        })
    }
}

fn decoded(bytes: &mut Unstructured<'_>) -> Result<Vec<u64>> {
    let mut from = Numbers {
        bytes,
        pool: Vec::new(),
    };
    let is_y = from.bytes.arbitrary()?;
    let bits = match from.bytes.arbitrary::<u8>()? % 7 {
        0 => agrees(&Cross(from.displacement()?, from.displacement()?)),
        1 => agrees(&Dot(from.displacement()?, from.displacement()?)),
        2 => agrees(&SquaredLength(from.displacement()?)),
        3 => agrees(&SquareDifference(from.length()?, from.length()?)),
        4 => agrees(&TimeDifference(from.crossing()?, from.crossing()?)),
        5 => agrees(&GapAtTime(from.crossing()?, from.next()?)),
        _ => {
            let crossing = from.crossing()?;
            agrees(&CoordinateAtCrossing {
                crossing,
                start: from.displacement()?,
                is_y,
            })
        }
    };
    Ok(bits)
}

fn agrees<P: Polynomial + std::fmt::Debug>(polynomial: &P) -> Vec<u64> {
    let truth = polynomial.evaluate::<Rational>();
    let expected = truth.sign();
    let bounded = polynomial.evaluate::<Bounded>();
    if let Some(sign) = bounded.sign() {
        assert_eq!(sign, expected, "filter {polynomial:?}");
        let error = Rational::of(bounded.value()).minus(&truth);
        assert!(error.is_within(bounded.error()), "bound {polynomial:?}");
    }
    let doubled = polynomial.evaluate::<DoubleDouble>();
    if let Some(sign) = doubled.sign() {
        assert_eq!(sign, expected, "double-double {polynomial:?}");
    }
    let [high, low] = doubled.parts();
    if high.is_finite() && low.is_finite() {
        let error = Rational::of(high).plus(&Rational::of(low)).minus(&truth);
        assert!(
            !doubled.is_exact() || error.sign() == Sign::Zero,
            "exactness {polynomial:?}"
        );
        assert!(
            error.is_within(doubled.error()),
            "bound of double-double {polynomial:?}"
        );
    }
    assert_eq!(
        polynomial.evaluate::<Big>().sign(),
        expected,
        "big {polynomial:?}"
    );
    assert_eq!(exact::sign(polynomial), expected, "exact {polynomial:?}");
    vec![expected as u64]
}
