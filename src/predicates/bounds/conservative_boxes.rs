//! Boxes that contain what grows, moves or turns. All roundings widen a box, so that what it excludes is certain.
//!
//! [`ROUNDINGS`] covers relative errors: it is the room for ten roundings of each of two values. `tests/core/bounds.rs`
//! holds each function against rationals, and `tests/core/rounding_counts.rs` counts the roundings.

use std::f64::consts::PI;

use super::error_bounds::ROUNDINGS;
use crate::geom::{Bounds, Motion, Point, Turn, Vec2};
use crate::simd::lanes::{Lanes, Vectors};

/// Makes up for the roundings of a lower bound that is not negative.
/// Test: `the_room_for_roundings_covers_ten_of_each_of_two_values`.
pub(super) const BELOW: f64 = 1.0 - ROUNDINGS;
/// Makes up for the roundings of an upper bound, like [`BELOW`].
pub(crate) const ABOVE: f64 = 1.0 + ROUNDINGS;

/// Covers what underflow takes from a few products or quotients: the smallest normal float.
/// Test: `tiny_boxes_are_within_their_bounds`.
pub(crate) const UNDERFLOW: f64 = f64::MIN_POSITIVE;

/// The least and the greatest coordinates of a shape.
pub type LaneBox<L> = [Vectors<L>; 2];

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
}

/// Lower and upper bounds of the components of a motion: of a sum of a difference and of a difference that is
/// multiplied, four roundings of numbers no larger than its size.
#[inline]
pub(crate) fn range(motion: Motion) -> [Vec2; 2] {
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
