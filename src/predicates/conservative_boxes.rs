//! Boxes that contain what moves or turns, and bounds of the distances between boxes and of the times at which they
//! meet. All roundings widen a box or a bound, so that what these exclude is certain. The squared distance alone may be
//! too large by the least floats where squares underflow: what it is compared with must be larger by [`UNDERFLOW`].
//!
//! [`ROUNDINGS`] covers relative errors: it is the room for ten roundings of each of two values. `tests/core/bounds.rs`
//! holds each function against rationals, and `tests/core/rounding_counts.rs` counts the roundings.

use std::f64::consts::PI;

use super::error_bounds::{ROUNDINGS, error_along};
use crate::geom::{Bounds, Motion, Point, Turn, Vec2};
use crate::simd::lanes::{Lanes, Vectors};

/// Make up for the roundings of a lower and of an upper bound that is not negative.
/// Test: `the_room_for_roundings_covers_ten_of_each_of_two_values`.
pub(super) const BELOW: f64 = 1.0 - ROUNDINGS;
/// See [`BELOW`].
pub(super) const ABOVE: f64 = 1.0 + ROUNDINGS;

/// Covers what underflow takes from a few products or quotients: the smallest normal float.
/// Test: `tiny_boxes_are_within_their_bounds`.
pub(super) const UNDERFLOW: f64 = f64::MIN_POSITIVE;

/// The least and the greatest coordinates of a shape.
pub type LaneBox<L> = [Vectors<L>; 2];

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

/// A box that contains all points within a distance of the given one, unless that has no points. A sum is rounded
/// once, unless it is subnormal and exact.
#[inline(always)]
pub fn grown<L: Lanes>([low, high]: LaneBox<L>, distance: L) -> LaneBox<L> {
    let error = |side: L| (side.abs() + distance) * side.all(ROUNDINGS);
    [
        low.map(|side| side - distance - error(side)),
        high.map(|side| side + distance + error(side)),
    ]
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
    /// A box that contains all points within a distance of this one; the box itself for 0.
    #[inline]
    #[must_use]
    pub fn grown(&self, distance: f64) -> Self {
        if distance == 0.0 {
            return *self;
        }
        let by = Vec2::new(distance, distance);
        self.moved_within([-by, by])
    }

    /// A box that contains this one all along its motion by `velocity`.
    #[inline]
    #[must_use]
    pub fn swept(&self, velocity: Motion) -> Self {
        let [low, high] = range(velocity);
        let down = |x: f64, by: f64| if by < 0.0 { (x + by).next_down() } else { x };
        let up = |x: f64, by: f64| if by > 0.0 { (x + by).next_up() } else { x };
        Self {
            min: Point::new(down(self.min.x, low.x), down(self.min.y, low.y)),
            max: Point::new(up(self.max.x, high.x), up(self.max.y, high.y)),
        }
    }

    /// A box that contains this one after its motion by `shift`.
    #[inline]
    #[must_use]
    pub fn moved(&self, shift: Motion) -> Self {
        self.moved_within(range(shift))
    }

    /// A sum is rounded to the nearest float, so that the next one bounds it.
    #[inline]
    fn moved_within(&self, [low, high]: [Vec2; 2]) -> Self {
        Self {
            min: Point::new(
                (self.min.x + low.x).next_down(),
                (self.min.y + low.y).next_down(),
            ),
            max: Point::new(
                (self.max.x + high.x).next_up(),
                (self.max.y + high.y).next_up(),
            ),
        }
    }

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

    /// A lower bound of the time in the frame at which this box, moving by `velocity`, first meets
    /// another; infinite if it does not.
    #[inline]
    pub fn meeting_time_below(&self, other: &Self, velocity: Motion) -> f64 {
        let times = self.meeting_times(other, velocity);
        times.map_or(f64::INFINITY, |[first, _]| first)
    }

    /// The same, and an upper bound of the time at which it last meets it; `None` if it does not.
    #[inline]
    pub fn meeting_times(&self, other: &Self, velocity: Motion) -> Option<[f64; 2]> {
        let [low, high] = range(velocity);
        let (near, far) = (other.min - self.max, other.max - self.min);
        let (enter_x, exit_x) = crossing_times([near.x, far.x], [low.x, high.x]);
        let (enter_y, exit_y) = crossing_times([near.y, far.y], [low.y, high.y]);
        let enter = enter_x.max(enter_y).max(0.0);
        let exit = exit_x.min(exit_y).min(1.0);
        // A comparison with NaN is false, so that NaN never excludes a contact.
        if enter > exit {
            None
        } else {
            Some([enter, exit])
        }
    }
}

/// Lower and upper bounds of the components of a motion: of a sum of a difference and of a difference that is
/// multiplied, four roundings of numbers no larger than its size.
#[inline]
fn range(motion: Motion) -> [Vec2; 2] {
    if let Some(vector) = motion.vector() {
        return [vector; 2];
    }
    let interval = |value: f64, size: f64| {
        let error = ROUNDINGS * size + UNDERFLOW;
        if error.is_finite() {
            [value - error, value + error]
        } else {
            [f64::NEG_INFINITY, f64::INFINITY]
        }
    };
    let (Vec2 { x, y }, size) = (motion.rounded(), motion.size());
    let ([left, right], [down, up]) = (interval(x, size.x), interval(y, size.y));
    [Vec2::new(left, down), Vec2::new(right, up)]
}

/// Bounds of the times at which a point that starts at 0 enters and leaves `near..=far`, at a speed
/// between `low` and `high`: a lower bound of the first and an upper bound of the second. A difference, the quotient
/// and the factor make three roundings.
#[inline]
fn crossing_times([near, far]: [f64; 2], [low, high]: [f64; 2]) -> (f64, f64) {
    let begin = |enter: f64| (if enter > 0.0 { enter * BELOW } else { enter }) - UNDERFLOW;
    let end = |exit: f64| (if exit > 0.0 { exit * ABOVE } else { exit }) + UNDERFLOW;
    if low > 0.0 {
        let enter = near / if near > 0.0 { high } else { low };
        return (begin(enter), end(far / if far > 0.0 { low } else { high }));
    }
    if high < 0.0 {
        let enter = far / if far < 0.0 { low } else { high };
        return (
            begin(enter),
            end(near / if near < 0.0 { high } else { low }),
        );
    }
    // The speed may be zero, so that it may never leave; it enters first at the largest speed.
    let enter = if near > 0.0 {
        near / high.abs()
    } else if far < 0.0 {
        far.abs() / low.abs()
    } else {
        f64::NEG_INFINITY
    };
    (begin(enter), f64::INFINITY)
}

impl Turn {
    /// A box that contains these points at all times of the frame, while the center stays in place.
    ///
    /// An arc lies within its sagitta of its chord, and both are short where the center is far away. Sines and cosines are
    /// off by two roundings: with a difference, the products and the sum the chord is off by eight of itself, and its end
    /// by one more. The sagitta is off by seven. Half of the least angles is off by a part of the least float.
    /// Test: `the_box_of_a_turn_holds_all_places`.
    pub fn bounds(self, points: impl IntoIterator<Item = Point>) -> Bounds {
        let Self { angle, center } = self;
        if angle == 0.0 {
            return points.into_iter().map(Bounds::from).collect();
        }
        let (sin, cos) = libm::sincos(angle / 2.0);
        let (mut ends, mut reach_squared, mut farthest) = (Bounds::EMPTY, 0.0_f64, Vec2::ZERO);
        for point in points {
            let arm = point - center;
            let chord = arm.rotated([cos, sin]).turned_left().times(2.0 * sin);
            let turned = Point::from(Vec2::from(point) + chord);
            ends = ends.union(&point.into()).union(&turned.into());
            reach_squared = reach_squared.max(arm.length_squared());
            farthest = Vec2::new(farthest.x.max(arm.x.abs()), farthest.y.max(arm.y.abs()));
        }
        let reach = if reach_squared < f64::INFINITY {
            reach_squared.sqrt() * ABOVE + UNDERFLOW.sqrt()
        } else {
            // The square overflows.
            libm::hypot(farthest.x, farthest.y) * ABOVE
        };
        if angle.abs() > PI {
            return Bounds::from(center).grown(reach);
        }
        let quarter = libm::sin(angle / 4.0).abs();
        let sagitta = reach * quarter * (2.0 * quarter) * ABOVE;
        let chord = reach * (2.0 * sin.abs());
        let largest = ends
            .numbers()
            .map(f64::abs)
            .into_iter()
            .fold(chord, f64::max);
        let by_least_angles = reach * (8.0 * f64::from_bits(1));
        ends.grown(sagitta + ROUNDINGS * largest + by_least_angles + UNDERFLOW)
    }
}
