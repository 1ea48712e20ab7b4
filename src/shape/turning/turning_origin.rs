//! Points near shapes, which turn with these: relative to them floats lose no digits where a center is far away.

use crate::geom::{Motion, Point, Vec2};
use crate::predicates::Rotation;
use crate::shape::checked_shape::Shape;
use crate::shape::relative_motion::RelativeMotion;

/// How many times farther from the shapes than these are large, or move, a center is far away.
const FAR: f64 = 8.0;

/// The origins of two shapes: of each its center, or the middle of its box where the center is far away.
pub(crate) fn origins(shapes: [&Shape<'_>; 2], motion: &RelativeMotion) -> [Point; 2] {
    let size = |vector: Vec2| vector.x.abs().max(vector.y.abs());
    let boxes = shapes.map(Shape::bounds);
    let middles = boxes.map(|bounds| bounds.middle());
    let [a, b] = boxes.map(|bounds| size(bounds.size()));
    let [velocity, offset] = [Some(motion.velocity), motion.offset]
        .map(|motion| motion.map_or(0.0, |it| size(Motion::size(it))));
    let between = size(middles[1] - middles[0]);
    // Infinite where it overflows: then no center is far away.
    let extent = [a, b, between, velocity, offset]
        .into_iter()
        .fold(0.0, f64::max);
    let turns = motion.both_turns();
    [0, 1].map(|side| {
        let (middle, center) = (middles[side], turns[side].center);
        let is_far = FAR * extent < size(middle - center);
        if is_far { middle } else { center }
    })
}

/// How an origin moves by turning about its center.
#[derive(Clone, Copy)]
pub(super) struct OriginArc {
    pub(crate) turn: f64,
    /// The vector from the center to the origin at the start, times the turn; zero for a center.
    pub(crate) vector: Vec2,
}

impl OriginArc {
    /// How far the origin has moved.
    pub(crate) fn moved(&self, time: f64) -> Vec2 {
        if self.vector == Vec2::ZERO {
            return Vec2::ZERO;
        }
        let angle = self.turn * time;
        // The sine of the angle, and 1 minus its cosine, over the turn.
        let [sin, versine] = if angle.abs() < 1e-9 {
            [time, 0.5 * angle * time]
        } else {
            let Rotation { sin, cos } = Rotation::new(self.turn, 0.5 * time);
            [2.0 * sin * cos / self.turn, 2.0 * sin * sin / self.turn]
        };
        self.vector.turned_left().times(sin) - self.vector.times(versine)
    }

    /// How fast it moves.
    pub(crate) fn velocity(&self, time: f64) -> Vec2 {
        if self.vector == Vec2::ZERO {
            return Vec2::ZERO;
        }
        let rotation = Rotation::new(self.turn, time);
        rotation.of(self.vector).turned_left()
    }
}
