//! Decisions by the bounding boxes of shapes.

use crate::simd::lanes::{Lanes, Vectors};

/// The least and the greatest coordinates of a shape.
pub(crate) type Box<L> = [Vectors<L>; 2];

/// A box that contains all points within a distance of the given one, unless that has no points.
#[inline(always)]
pub(crate) fn grown<L: Lanes>([low, high]: Box<L>, distance: L) -> Box<L> {
    // Twice the rounding of a sum; sums that are subnormal are not rounded.
    let error = |side: L| (side.abs() + distance) * side.all(2.0 * f64::EPSILON);
    [
        low.map(|side| side - distance - error(side)),
        high.map(|side| side + distance + error(side)),
    ]
}

/// The lanes in which two boxes are certainly apart while the first moves by a velocity. Not set
/// where a box has no points or the velocity is not finite.
///
/// Rounding keeps the order of numbers: a rounded sum that lies beyond a coordinate does so before
/// it is rounded.
#[inline(always)]
pub(crate) fn apart<L: Lanes>(
    [[low_a, high_a], [low_b, high_b]]: [Box<L>; 2],
    velocity: Option<Vectors<L>>,
) -> L::Mask {
    let zero = low_a.x.all(0.0);
    let is_moved = |coordinate: L, by: Option<L>| by.map_or(coordinate, |by| coordinate + by);
    let down = velocity.map(|velocity| velocity.map(|by| by.smaller(zero)));
    let up = velocity.map(|velocity| velocity.map(|by| by.larger(zero)));
    let left = is_moved(low_a.x, down.map(|down| down.x));
    let right = is_moved(high_a.x, up.map(|up| up.x));
    let bottom = is_moved(low_a.y, down.map(|down| down.y));
    let top = is_moved(high_a.y, up.map(|up| up.y));
    let are_apart =
        left.above(high_b.x) | low_b.x.above(right) | bottom.above(high_b.y) | low_b.y.above(top);
    let are_boxes = high_a.x.at_least(low_a.x) & high_b.x.at_least(low_b.x);
    let Some(velocity) = velocity else {
        return are_apart & are_boxes;
    };
    let infinity = zero.all(f64::INFINITY);
    let is_finite = infinity.above(velocity.x.abs()) & infinity.above(velocity.y.abs());
    are_apart & are_boxes & is_finite
}

/// The lanes in which a circle certainly stays apart from a box while it moves by a velocity, if
/// there is one. Not set where the circle is invalid or the box has no points.
#[inline(always)]
pub(crate) fn beyond<L: Lanes>(
    [low, high]: Box<L>,
    center: Vectors<L>,
    radius: L,
    velocity: Option<Vectors<L>>,
) -> L::Mask {
    let zero = radius.all(0.0);
    let infinity = radius.all(f64::INFINITY);
    let is_finite =
        |vector: Vectors<L>| infinity.above(vector.x.abs()) & infinity.above(vector.y.abs());
    let mut is_circle = is_finite(center) & infinity.above(radius) & radius.at_least(zero);
    let [mut from, mut to] = [center; 2];
    if let Some(velocity) = velocity {
        is_circle = is_circle & is_finite(velocity);
        // Two roundings, and twice as much for room; sums that are subnormal are not rounded.
        let error = center.with(velocity, |center, by| {
            (center.abs() + by.abs()) * by.all(4.0 * f64::EPSILON)
        });
        from = center + velocity.map(|by| by.smaller(zero)) - error;
        to = center + velocity.map(|by| by.larger(zero)) + error;
    }
    let [before, beyond] = [low - to, from - high];
    let gap = Vectors { x: zero, y: zero }.with(before.with(beyond, L::larger), L::larger);
    // Five roundings at most, and the square of the radius is rounded once, where these are normal
    // floats.
    let apart = gap.length_squared() * radius.all(1.0 - 8.0 * f64::EPSILON);
    let square = radius * radius * radius.all(1.0 + f64::EPSILON);
    let is_box = high.x.at_least(low.x);
    is_circle & is_box & apart.above(square) & apart.above(radius.all(f64::MIN_POSITIVE))
}
