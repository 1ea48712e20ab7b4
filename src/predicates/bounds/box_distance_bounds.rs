//! Bounds of the distances between boxes, and of a circle from a box, also while one moves. All roundings widen a
//! bound, so that what it excludes is certain. The squared distance alone may be too large by the least floats where
//! squares underflow: what it is compared with must be larger by [`UNDERFLOW`].
//!
//! `tests/core/bounds.rs` holds each function against rationals, and `tests/core/rounding_counts.rs` counts the
//! roundings.

use super::conservative_boxes::{ABOVE, BELOW, LaneBox, UNDERFLOW};
use super::error_bounds::{ROUNDINGS, error_along};
use crate::geom::{Bounds, Vec2};
use crate::simd::lanes::{Lanes, Vectors};

/// A lower bound of the squared distance between two boxes; zero where a difference is NaN. The difference counts
/// twice in its square: with the sum and the factor, these are five roundings.
#[inline(always)]
fn squared_distance_below<L: Lanes>([low_a, high_a]: LaneBox<L>, [low_b, high_b]: LaneBox<L>) -> L {
    let zero = Vectors::both(low_a.x.all(0.0));
    let gap = (low_b - high_a).with(low_a - high_b, L::larger);
    gap.with(zero, L::larger).length_squared() * zero.x.all(BELOW)
}

/// An upper bound of the square of a distance: three roundings.
#[inline(always)]
fn square_above<L: Lanes>(distance: L) -> L {
    distance * distance * distance.all(ABOVE) + distance.all(UNDERFLOW)
}

/// Where neither component is infinite or NaN.
#[inline(always)]
fn is_finite<L: Lanes>(vector: Vectors<L>) -> L::Mask {
    let infinity = vector.x.all(f64::INFINITY);
    infinity.above(vector.x.abs()) & infinity.above(vector.y.abs())
}

/// The lanes in which two boxes are certainly apart while the first moves by a velocity. Not set
/// where a box has no points or the velocity is not finite.
///
/// Rounding keeps the order of numbers: a rounded sum that lies beyond a coordinate does so before
/// it is rounded.
#[inline(always)]
pub fn are_apart<L: Lanes>(
    [[low_a, high_a], [low_b, high_b]]: [LaneBox<L>; 2],
    velocity: Option<Vectors<L>>,
) -> L::Mask {
    let zero = low_a.x.all(0.0);
    let apart = |low: Vectors<L>, high: Vectors<L>| {
        low.x.above(high_b.x)
            | low_b.x.above(high.x)
            | low.y.above(high_b.y)
            | low_b.y.above(high.y)
    };
    let are_boxes = high_a.x.at_least(low_a.x) & high_b.x.at_least(low_b.x);
    let Some(velocity) = velocity else {
        return apart(low_a, high_a) & are_boxes;
    };
    let low = low_a + velocity.map(|by| by.smaller(zero));
    let high = high_a + velocity.map(|by| by.larger(zero));
    apart(low, high) & are_boxes & is_finite(velocity)
}

/// The lanes in which a circle certainly stays apart from a box while it moves by a velocity, if
/// there is one. Not set where the circle is invalid or the box has no points.
#[inline(always)]
pub fn is_circle_apart<L: Lanes>(
    [low, high]: LaneBox<L>,
    center: Vectors<L>,
    radius: L,
    velocity: Option<Vectors<L>>,
) -> L::Mask {
    let zero = radius.all(0.0);
    let mut is_circle =
        is_finite(center) & radius.all(f64::INFINITY).above(radius) & radius.at_least(zero);
    let mut path = [center; 2];
    if let Some(velocity) = velocity {
        is_circle = is_circle & is_finite(velocity);
        // Two roundings; sums that are subnormal are not rounded.
        let error = center.with(velocity, |center, by| {
            (center.abs() + by.abs()) * by.all(ROUNDINGS)
        });
        path = [
            center + velocity.map(|by| by.smaller(zero)) - error,
            center + velocity.map(|by| by.larger(zero)) + error,
        ];
    }
    let is_box = high.x.at_least(low.x);
    let is_far = squared_distance_below(path, [low, high]).above(square_above(radius));
    is_circle & is_box & is_far
}

impl Bounds {
    /// A lower bound of the squared distance between two boxes.
    #[inline]
    pub fn squared_distance_below(&self, other: &Self) -> f64 {
        let gap = |min: f64, max: f64| min.max(max).max(0.0);
        let x = gap(other.min.x - self.max.x, self.min.x - other.max.x);
        let y = gap(other.min.y - self.max.y, self.min.y - other.max.y);
        (x * x + y * y) * BELOW
    }

    /// A lower bound of the squared distance between two boxes while this one moves by `velocity`: of the
    /// gaps along the axes, and across the path. The boxes and the velocity are below 2^100.
    #[inline]
    pub fn squared_distance_below_moving(&self, other: &Self, velocity: Vec2) -> f64 {
        let swept = self.swept(velocity.into());
        // The least and the greatest of the other box less this one, across the path.
        let (low, high) = (other.min - self.max, other.max - self.min);
        let [is_left, is_down] = [velocity.x < 0.0, velocity.y < 0.0];
        let pick = |first: bool, one: f64, other: f64| if first { one } else { other };
        let across = |x: f64, y: f64| velocity.cross(Vec2::new(x, y));
        let least = across(pick(is_down, low.x, high.x), pick(is_left, high.y, low.y));
        let most = across(pick(is_down, high.x, low.x), pick(is_left, low.y, high.y));
        let farthest = low.map(f64::abs).with(high.map(f64::abs), f64::larger);
        // Three roundings of the terms.
        let error = error_along(velocity, farthest);
        let gap = (least.max(-most) - error).max(0.0);
        let speed_squared = velocity.length_squared();
        // Seven roundings, if the divisor is normal.
        let beside = if speed_squared > UNDERFLOW {
            (gap * gap - UNDERFLOW) / speed_squared * BELOW
        } else {
            0.0
        };
        // The square and the quotient may underflow.
        (swept.squared_distance_below(other).max(beside) - UNDERFLOW).max(0.0)
    }

    /// Whether two boxes may come within a distance of each other: false only if they certainly do not.
    #[inline]
    pub fn may_be_within(&self, other: &Self, distance: f64) -> bool {
        self.squared_distance_below(other) <= square_above(distance)
    }

    /// Whether all points of two boxes are certainly within a distance of each other.
    #[inline]
    pub fn are_certainly_within(&self, other: &Self, distance: f64) -> bool {
        let farthest = (other.max - self.min).with(self.max - other.min, f64::larger);
        // Six roundings. Strictly below, since both may overflow.
        farthest.length_squared() < distance * distance * BELOW - UNDERFLOW
    }
}
