//! The arc through two poses: by how much the heading turns from one to the other, and about which point.
//!
//! The center is `(p + q) / 2 + J (q - p) / (2 tan(turn / 2))` for positions `p` and `q`, where `J` is the quarter turn
//! counterclockwise. Only the tangent and the last sum are rounded: sums, differences and the quotient are pairs of
//! floats. With M the largest coordinate of the poses and of the center, and u = 2^-53, a component of the quotient is at
//! most 2 M, and the tangent of the library is within 0.65 units in the last place, or 1.3 u: the error is at most
//! 2.6 u M and the last rounding, less than 4 units in the last place of M (test:
//! `a_center_is_within_four_units_in_the_last_place`).

use std::f64::consts::TAU;

use super::primitives::Point;

/// How a pose moves to the next one along an arc.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ArcStep {
    /// The difference of the headings as `math.remainder(to - from, math.tau)`, in radians, counterclockwise.
    pub turn: f64,
    /// The center of the arc: NaN where the turn is 0, a component infinite where it overflows.
    pub center: Point,
}

impl ArcStep {
    /// Turns below this (2^-26) are their own tangents: these differ by a twelfth of the square of the turn, relative to it,
    /// which is less than a tenth of a unit in the last place.
    const SMALL_TURN: f64 = f64::from_bits((1023 - 26) << 52);

    /// Coordinates from this (2^500) on are divided by [`Self::DIVISOR`], so that no sum or difference overflows. What small
    /// coordinates lose by it, divided by the least turn, stays far below the last place of this.
    const LARGE: f64 = f64::from_bits((1023 + 500) << 52);

    /// A power of two.
    const DIVISOR: f64 = 256.0;

    /// The arc from a pose `[x, y, heading]` to another; of finite numbers.
    pub fn between(from: [f64; 3], to: [f64; 3]) -> Self {
        let turn = Self::turn(from[2], to[2]);
        let center = Self::center([from[0], from[1]], [to[0], to[1]], turn);
        Self { turn, center }
    }

    /// The turn from a heading to another, the short way round.
    pub fn turn(from: f64, to: f64) -> f64 {
        let difference = to - from;
        if difference.is_finite() {
            return libm::remainder(difference, TAU);
        }
        // The headings are so far apart that their difference overflows.
        libm::remainder(libm::remainder(to, TAU) - libm::remainder(from, TAU), TAU)
    }

    fn center(from: [f64; 2], to: [f64; 2], turn: f64) -> Point {
        if turn == 0.0 {
            return Point::NAN;
        }
        let is_large = |number: &f64| number.abs() >= Self::LARGE;
        let divisor = if from.iter().chain(&to).any(is_large) {
            Self::DIVISOR
        } else {
            1.0
        };
        let [from, to] = [from, to].map(|position| position.map(|number| number / divisor));
        let double_tangent = if turn.abs() < Self::SMALL_TURN {
            turn
        } else {
            2.0 * libm::tan(0.5 * turn)
        };
        let [middle_x, middle_y] = [0, 1].map(|axis| {
            let (sum, error) = two_sum(from[axis], to[axis]);
            (0.5 * sum, 0.5 * error)
        });
        let [along_x, along_y] = [0, 1].map(|axis| two_sum(to[axis], -from[axis]));
        let across_x = quotient((-along_y.0, -along_y.1), double_tangent);
        let across_y = quotient(along_x, double_tangent);
        let component = |middle, across| divisor * rounded_sum(middle, across);
        Point::new(component(middle_x, across_x), component(middle_y, across_y))
    }
}

/// `a + b` as a float and its error (Knuth).
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let b_part = sum - a;
    let a_part = sum - b_part;
    (sum, (a - a_part) + (b - b_part))
}

/// A sum of two floats divided by a float other than 0, as a float and its error; infinite, without error, where it
/// overflows. Exponents are kept apart, so that the rest of the division is a float.
fn quotient((high, low): (f64, f64), divisor: f64) -> (f64, f64) {
    let (mantissa, exponent) = libm::frexp(high);
    let (divisor, divisor_exponent) = libm::frexp(divisor);
    let ratio = mantissa / divisor;
    let rest = libm::fma(-ratio, divisor, mantissa) + libm::scalbn(low, -exponent);
    let scaled = |number| libm::scalbn(number, exponent - divisor_exponent);
    let whole = scaled(ratio);
    if whole.is_finite() {
        (whole, scaled(rest / divisor))
    } else {
        (whole, 0.0)
    }
}

/// The sum of two sums of two floats, 0.0 instead of -0.0; the second may be infinite.
fn rounded_sum(one: (f64, f64), other: (f64, f64)) -> f64 {
    if !other.0.is_finite() {
        return other.0;
    }
    let (sum, error) = two_sum(one.0, other.0);
    sum + (error + (one.1 + other.1)) + 0.0
}
