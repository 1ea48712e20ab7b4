//! A float with a bound on its error that many values share, and the points and lines of penetration whose bounds
//! these are. `tests/core/penetration_error_bounds.rs` rederives all of them.

use super::sign::Sign;
use crate::geom::{Vec2, WideFloat};
use crate::predicates::signs::crossing_time::Crossing;

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

/// Relative error of a rough time, and of the path to it: large enough that floats mostly tell the time.
/// Test: `crossings_of_paths_are_within_their_bound`.
const ROUGH: f64 = 1e-9;

/// Error of the path where it underflows: four of the least floats, each half of which a product loses.
/// Test: `crossings_among_the_least_floats_are_within_their_bound`.
const UNDERFLOW: f64 = f64::from_bits(4);

/// A point of a path, rounded.
pub struct RoughPoint {
    /// The point.
    pub at: Vec2,
    /// Bounds the error of each component; NaN where floats overflow.
    pub error: f64,
    /// The velocity of the path, rounded.
    velocity: Vec2,
}

impl RoughPoint {
    /// A difference of two points, rounded, and the velocity there.
    pub fn new(at: Vec2, velocity: Vec2) -> Self {
        Self::with_error(at, 0.0, velocity)
    }

    /// Where a point that starts at a rounded difference crosses a line.
    pub fn at_crossing(start: Vec2, velocity: Vec2, crossing: &Crossing) -> Self {
        let time = crossing.time_within(ROUGH / 8.0);
        // Where the direction is long and the shapes are small, the time is no float.
        let step = velocity.map(|it| (WideFloat::from(it) * time).to_f64());
        let error = ROUGH * step.largest() + 4.0 * f64::EPSILON * start.largest() + UNDERFLOW;
        Self::with_error(start + step, error, velocity)
    }

    fn with_error(at: Vec2, error: f64, velocity: Vec2) -> Self {
        let error = error + f64::EPSILON * at.largest();
        Self {
            at,
            error,
            velocity,
        }
    }

    /// This point for comparisons in a union of this extent: the bound also covers the roundings of lines
    /// through other points, and of products with them, six of half a unit in the last place of the largest
    /// coordinate. Test: `sides_of_rough_lines_are_within_their_bound`.
    #[inline(always)]
    #[must_use]
    pub fn within(mut self, extent: f64) -> Self {
        self.error += 8.0 * f64::EPSILON * (extent + self.at.largest());
        self
    }
}

/// A line, rounded.
pub struct RoughLine {
    direction: Vec2,
    through: Vec2,
    /// The sum of the absolute components of the direction.
    length: f64,
}

impl RoughLine {
    /// Along a direction, through a point, both rounded.
    #[inline(always)]
    pub fn through(direction: Vec2, through: Vec2) -> Self {
        Self {
            direction,
            through,
            length: direction.x.abs() + direction.y.abs(),
        }
    }

    /// How far a point lies to the left, times the length of the direction.
    #[inline(always)]
    pub fn side(&self, point: &RoughPoint) -> Rough {
        Rough {
            value: self.direction.cross(point.at - self.through),
            error: self.length * point.error,
        }
    }

    /// How that changes along the path of the point. Three roundings of the direction and of the velocity, the
    /// product and the sum. Test: `rates_across_rough_lines_are_within_their_bound`.
    pub fn rate(&self, point: &RoughPoint) -> Rough {
        Rough {
            value: self.direction.cross(point.velocity),
            error: self.length * 4.0 * f64::EPSILON * point.velocity.largest(),
        }
    }
}
