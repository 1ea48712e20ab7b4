//! Floats with a bound on their error each, for many terms under one bound.
//!
//! [`super::filter`] bounds each value by its own terms; here one bound covers the products of a
//! direction with every vector of a box, so that a loop over vertices need not look at it.

use crate::geom::{Point, Vec2};

use super::filter::UNIT_ROUNDOFF;

/// A bound on the error of a cross product, in units of its terms' sizes. Two differences, the
/// product and the sum make four roundings, and a fifth comes with a sum of two such values; the
/// terms' sizes are rounded as often as the terms. `tests/core/predicates.rs` holds it.
const ERROR: f64 = 8.0 * UNIT_ROUNDOFF;

/// What covers the handful of roundings in a comparison of bounds.
pub const SLACK: f64 = 1.0 + 32.0 * UNIT_ROUNDOFF;

/// Sizes below 2^-100 or above 2^100 are not usual, nor are error bounds below 2^-200: in between,
/// no product of two squares with a third leaves the normal range of floats.
const SMALLEST_SIZE: f64 = f64::from_bits((1023 - 100) << 52);
const LARGEST_SIZE: f64 = f64::from_bits((1023 + 100) << 52);
const SMALLEST_ERROR: f64 = f64::from_bits((1023 - 200) << 52);

/// A number and the most by which it can be wrong.
#[derive(Clone, Copy, Debug)]
pub struct About {
    /// The number.
    pub value: f64,
    /// The bound.
    pub error: f64,
}

impl About {
    /// Whether it is above zero beyond doubt.
    pub fn is_positive(self) -> bool {
        self.value > self.error
    }

    /// Whether it is below zero beyond doubt.
    pub fn is_negative(self) -> bool {
        self.value < -self.error
    }

    /// The sum of two cross products.
    pub fn plus(self, other: Self) -> Self {
        Self {
            value: self.value + other.value,
            error: (self.error + other.error) * SLACK,
        }
    }

    /// The number with the other sign.
    pub fn negated(self) -> Self {
        Self {
            value: -self.value,
            ..self
        }
    }

    /// Bounds on `self / other`, both positive.
    pub fn over(self, other: Self) -> Interval {
        Interval {
            low: (self.value - self.error) / ((other.value + other.error) * SLACK),
            high: (self.value + self.error) * SLACK / (other.value - other.error),
        }
    }
}

/// What a time lies between.
#[derive(Clone, Copy, Debug)]
pub struct Interval {
    /// It is not earlier.
    pub low: f64,
    /// It is not later.
    pub high: f64,
}

impl Interval {
    /// Later than any time.
    pub const NEVER: Self = Self {
        low: f64::INFINITY,
        high: f64::INFINITY,
    };

    /// Bounds on the later of two times.
    pub fn later(self, other: Self) -> Self {
        Self {
            low: self.low.max(other.low),
            high: self.high.max(other.high),
        }
    }

    /// Bounds on the earlier of two times.
    pub fn earlier(self, other: Self) -> Self {
        Self {
            low: self.low.min(other.low),
            high: self.high.min(other.high),
        }
    }
}

/// `direction × vector`, rounded.
#[inline(always)]
pub fn cross(direction: Vec2, vector: Vec2) -> f64 {
    direction.x * vector.y - direction.y * vector.x
}

/// How wrong [`cross`] can be for any vector that is no longer than `size` in either component;
/// direction and vector may be differences of points, rounded.
#[inline(always)]
pub fn cross_error(direction: Vec2, size: Vec2) -> f64 {
    let error = ERROR * (direction.x.abs() * size.y + direction.y.abs() * size.x);
    if error > SMALLEST_ERROR || is_zero(direction, size) {
        error
    } else {
        f64::INFINITY
    }
}

/// Whether no term of the product is anything but zero.
fn is_zero(direction: Vec2, size: Vec2) -> bool {
    (direction.x == 0.0 || size.y == 0.0) && (direction.y == 0.0 || size.x == 0.0)
}

/// Whether a size is such that comparisons stay in the range of floats.
pub fn is_usual(size: f64) -> bool {
    (SMALLEST_SIZE..LARGEST_SIZE).contains(&size)
}

/// The width and height of the box round points, if they are [usual](is_usual).
#[inline(always)]
pub fn usual_size<'p>(points: impl IntoIterator<Item = &'p Point>) -> Option<Vec2> {
    let mut points = points.into_iter();
    let &first = points.next()?;
    let (mut low, mut high) = (first, first);
    for point in points {
        low = Point::new(smaller(low.x, point.x), smaller(low.y, point.y));
        high = Point::new(larger(high.x, point.x), larger(high.y, point.y));
    }
    let size = vector(low, high);
    is_usual(larger(size.x, size.y)).then_some(size)
}

/// What leads from one point to another, rounded.
#[inline(always)]
pub fn vector(from: Point, to: Point) -> Vec2 {
    Vec2::new(to.x - from.x, to.y - from.y)
}

/// The larger of two numbers, in one instruction where neither is NaN.
#[inline(always)]
pub fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// The smaller of two numbers, likewise.
#[inline(always)]
pub fn smaller(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}
