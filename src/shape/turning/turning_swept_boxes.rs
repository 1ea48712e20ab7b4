//! Boxes that the boxes of one shape sweep in a range of time, as seen from another, while both turn.

use super::relative_vertex_motion::turned_half_size;
use super::turning_origin::OriginArc;
use crate::geom::{Bounds, Motion, Point, Vec2};
use crate::predicates::RelativePose;
use crate::shape::relative_motion::RelativeMotion;

/// Bound on the error of a placed box, relative to the numbers that take part: the error of [`RelativePose`], and about
/// forty roundings.
pub(crate) const ROUNDING: f64 = RelativePose::ERROR + 40.0 * f64::EPSILON;

/// The errors of smaller numbers are not relative to them: products of numbers near the least float are off by half of
/// it, and [`ROUNDING`] of this is 200 times the least float.
pub(crate) const UNDERFLOW: f64 = 1e-307;

/// Shorter ranges of time are halved only while there were fewer than [`MANY`]: shapes that pass at great speed need
/// them, but where small ones pass slowly there would be too many.
const SHORTEST: f64 = 1e-6;

/// The number of ranges of time from which on none shorter than [`SHORTEST`] is halved.
const MANY: usize = 10_000;

/// [`ROUNDING`] times the sum of the sizes of some numbers; the sum alone may overflow.
fn rounding_of(sizes: &[f64]) -> f64 {
    sizes.iter().map(|size| ROUNDING * size.abs()).sum()
}

/// Where boxes of `a` may be during a range of time, in a frame that turns with `b`.
pub(super) struct SweptBoxes {
    /// From a point of `a`, relative to its origin, to one relative to the origin of `b`.
    pose: RelativePose,
    origins: [Point; 2],
    /// Bounds of the speed: of the origin of `a`, and of turning.
    speed: f64,
    spin: f64,
    /// The speed of the origin of `a` in world axes, a bound of that of the origin of `b`, and how fast both turn there.
    speeds_at_rest: [f64; 2],
    turns: [f64; 2],
    half: f64,
    reach: f64,
    /// The part of a rounding that does not depend on the box.
    rounding: f64,
}

/// A box of `a` in the middle of a range of time.
struct PlacedBox {
    /// Its middle relative to the origin of `b`, and half its size before it turned.
    place: Vec2,
    half_size: Vec2,
    /// A bound of the distance of its points from the origin of `a`.
    arm: f64,
    /// By how much its points move during half the range.
    movement: f64,
}

impl SweptBoxes {
    pub(crate) fn new(
        motion: &RelativeMotion,
        origins: [Point; 2],
        reach: f64,
        [middle, half]: [f64; 2],
    ) -> Self {
        let turns @ [turn_a, turn_b] = motion.both_turns();
        let arms = [0, 1].map(|side| origins[side] - turns[side].center);
        let [arc_a, arc_b] = [0, 1].map(|side: usize| {
            let turn = turns[side].angle;
            let vector = arms[side].times(turn);
            OriginArc { turn, vector }
        });
        let [of_a, of_b] = origins;
        let offset = motion.offset.map_or(Vec2::ZERO, Motion::rounded);
        let velocity = motion.velocity.rounded();
        let by_turning = arc_a.moved(middle) - arc_b.moved(middle);
        let gap = of_a - of_b + offset + velocity.times(middle) + by_turning;
        let [fastest, farthest] = [Some(motion.velocity), motion.offset]
            .map(|motion| motion.map_or(Vec2::ZERO, Motion::size))
            .map(|size| size.x + size.y);
        // The velocity relative to `b`, minus that of turning with `b`, anywhere on the path: it changes by what the
        // velocity turns with `b`, and by what the arc of `a` turns relative to `b`. The arc of `b` turns with it.
        let along = velocity + (arc_a.velocity(middle) - arc_b.velocity(middle));
        let relative = along - gap.turned_left().times(turn_b.angle);
        let spin = (turn_a.angle - turn_b.angle).abs();
        let length = |vector: Vec2| libm::hypot(vector.x, vector.y);
        let [by_arc_a, by_arc_b] = [arc_a, arc_b].map(|arc| length(arc.vector));
        let bend = turn_b.angle.abs() * fastest + spin * by_arc_a;
        let speed = length(relative) + bend * half;
        let turns = [turn_a, turn_b].map(|turn| turn.angle.abs());
        let rounding = rounding_of(&[
            of_a.x,
            of_a.y,
            of_b.x,
            of_b.y,
            (fastest + by_arc_a + by_arc_b) * (middle + half),
            farthest,
            reach,
            UNDERFLOW,
        ]);
        Self {
            pose: RelativePose::new(gap, [turn_a.angle, turn_b.angle], middle),
            origins,
            speed,
            spin,
            speeds_at_rest: [length(velocity) + by_arc_a, by_arc_b],
            turns,
            half,
            reach,
            rounding: rounding * (1.0 + turns[0] + turns[1]),
        }
    }

    /// The points of `a` in a box.
    fn placed(&self, Bounds { min, max }: Bounds) -> PlacedBox {
        let (x, y) = (0.5 * (min.x + max.x), 0.5 * (min.y + max.y));
        let half_size = Vec2::new(0.5 * (max.x - min.x), 0.5 * (max.y - min.y));
        let arm = Point::new(x, y) - self.origins[0];
        let place = self.pose.place(arm);
        let farthest = |of: Vec2| of.x.abs() + of.y.abs() + half_size.x + half_size.y;
        let [arm, from_b] = [arm, place].map(farthest);
        // Two bounds of the speed. The first is low where both turn by the same angle. The second is low where
        // the origin of `a` is far from both, as of a car that drives almost straight on: what the origin moves in
        // the frame that turns with `b` and what `a` turns all but cancel each other there.
        let by_origin = self.speed + self.spin * arm;
        let [of_a, of_b] = self.speeds_at_rest;
        let at_rest = of_a + self.turns[0] * arm;
        let at_rest = at_rest + of_b;
        let by_place = at_rest + self.turns[1] * (from_b + at_rest * self.half);
        PlacedBox {
            place,
            half_size,
            arm,
            movement: by_origin.min(by_place) * self.half,
        }
    }

    /// A box that contains the points of `a` in this one, grown by the radius, at any time of the range.
    pub(crate) fn of(&self, bounds: Bounds) -> Bounds {
        let placed = self.placed(bounds);
        let (min, Vec2 { x, y }) = (bounds.min, placed.place);
        let [_, origin] = self.origins;
        let at = Point::new(origin.x + x, origin.y + y);
        // Of the two bounds of the movement the lower one counts, so that its roundings are no larger than those of
        // the other.
        let rounding = self.rounding + rounding_of(&[min.x, min.y, placed.arm]) * (1.0 + self.spin);
        let grown = placed.movement + self.reach + rounding;
        let half_size = turned_half_size(placed.half_size, self.pose.rotation);
        let placed = Bounds::around(at, half_size + Vec2::both(grown));
        if placed.is_finite() {
            placed
        } else {
            Bounds::around(Point::ORIGIN, Vec2::both(f64::INFINITY))
        }
    }

    /// Whether points move by more than a part of the larger shape's size, and halves tell more, given how many ranges
    /// there were before.
    pub(super) fn is_too_long(&self, [a, b]: [Bounds; 2], before: usize) -> bool {
        let size = |of: &Bounds| (of.max.x - of.min.x).max(of.max.y - of.min.y);
        let movement = self.placed(a).movement;
        let is_large = movement > 0.25 * (size(&a).max(size(&b)) + self.reach);
        let is_seen = movement > self.rounding && (self.half > SHORTEST || before < MANY);
        is_large && is_seen && movement.is_finite()
    }
}
