//! Points and directions of shapes that have turned, in any kind of numbers.

use crate::geom::{Displacement, Edge, Motion, Point, Turn};
use crate::predicates::numbers::ball::Ball;
use crate::predicates::numbers::number_vector::Vector;

/// Bits of the times and sines that positions are computed with.
pub(super) const MOMENT_BITS: usize = 120;

/// A point of a shape that has turned about a center by the angle of this cosine and sine, if it has, and
/// moved by these multiples of motions.
pub fn placed<B: Ball>(
    point: Point,
    turned: Option<(Point, &[B; 2])>,
    motions: &[(Motion, B)],
) -> [B; 2] {
    let of = |point: Point| Displacement::between(Point::ORIGIN, point).vector::<B>();
    let turned = turned.map_or_else(
        || of(point),
        |(center, rotation)| {
            let arm = Displacement::between(center, point).vector::<B>();
            of(center).plus(&arm.turned(rotation))
        },
    );
    let moved =
        |sum: Vector<B>, (motion, factor): &(Motion, B)| sum.plus(&motion.terms().times(factor));
    motions.iter().fold(turned, moved).components()
}

/// The unit vector along an edge that has turned by the angle of this cosine and sine, if it has.
pub fn direction<B: Ball>(edge: Edge, rotation: Option<&[B; 2]>) -> [B; 2] {
    let along = edge.displacement().vector::<B>();
    let length = along.length_squared().root(MOMENT_BITS);
    let turned = rotation.map_or(along.clone(), |rotation| along.turned(rotation));
    turned.components().map(|x| x.over(&length, MOMENT_BITS))
}

/// The cosine and the sine of the angle by which a shape has turned at a time.
pub fn rotation<B: Ball>(turn: Turn, time: &B) -> [B; 2] {
    B::of(turn.angle)
        .times(time)
        .cos_sin(bits_of_sines(MOMENT_BITS, turn.angle))
}

/// The bits that sines and cosines of a small angle need, to be exact to so many bits of the angle. Their errors are
/// multiplied by the distance from the center, which may be great where the angle is small.
pub(super) fn bits_of_sines(bits: usize, angle: f64) -> usize {
    let (_, exponent) = libm::frexp(angle);
    bits + usize::try_from(-exponent).unwrap_or(0)
}
