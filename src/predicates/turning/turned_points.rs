//! Points and directions of shapes that have turned, in any kind of numbers.

use crate::geom::{Displacement, Edge, Motion, Point, Turn};
use crate::predicates::numbers::ball::Ball;
use crate::predicates::numbers::number_vector::Vector;

/// Bits of the times and sines that positions are computed with.
pub(super) const MOMENT_BITS: usize = 120;

/// The cosine and the sine of an angle, and what the cosine lacks of 1.
#[derive(Clone, Debug)]
pub struct BallRotation<B> {
    /// The cosine and the sine.
    pub cos_sin: [B; 2],
    /// 1 minus the cosine, as precise as itself however small the angle is.
    versine: B,
}

/// How a point of a shape moves that turns about a center by the angle of a rotation, if it does, and is moved by these
/// multiples of motions. Nothing is lost where the center is far away and the angle small.
pub fn moved<B: Ball>(
    point: Point,
    turned: Option<(Point, &BallRotation<B>)>,
    motions: &[(Motion, B)],
) -> [B; 2] {
    let turned = turned.map(|(center, BallRotation { cos_sin, versine })| {
        let arm = Displacement::between(center, point).vector::<B>();
        let [_, sin] = cos_sin;
        arm.left().times(sin).minus(&arm.times(versine))
    });
    let motions = motions.iter();
    let motions = motions.map(|(motion, factor)| motion.terms().times(factor));
    let all = turned.into_iter().chain(motions);
    let sum = all.reduce(|sum, by| sum.plus(&by));
    sum.map_or_else(|| [B::of(0.0), B::of(0.0)], Vector::components)
}

/// A point in balls.
pub fn at<B: Ball>(point: Point) -> [B; 2] {
    [point.x, point.y].map(B::of)
}

/// The unit vector along an edge that has turned by the angle of a rotation, if it has.
pub fn direction<B: Ball>(edge: Edge, rotation: Option<&BallRotation<B>>) -> [B; 2] {
    let along = edge.displacement().vector::<B>();
    let length = along.length_squared().root(MOMENT_BITS);
    let turned = rotation.map_or(along.clone(), |it| along.turned(&it.cos_sin));
    turned.components().map(|x| x.over(&length, MOMENT_BITS))
}

/// The rotation by the angle by which a shape has turned at a time.
pub fn rotation<B: Ball>(turn: Turn, time: &B) -> BallRotation<B> {
    let half = B::of(turn.angle).times(time).times(&B::of(0.5));
    let [cos, sin] = half.cos_sin(bits_of_sines(MOMENT_BITS, turn.angle));
    let two = B::of(2.0);
    let versine = sin.squared().times(&two);
    BallRotation {
        cos_sin: [B::of(1.0).minus(&versine), sin.times(&cos).times(&two)],
        versine,
    }
}

/// The bits that sines and cosines of a small angle need, to be exact to so many bits of the angle. Their errors are
/// multiplied by the distance from the center, which may be great where the angle is small.
pub(super) fn bits_of_sines(bits: usize, angle: f64) -> usize {
    let (_, exponent) = libm::frexp(angle);
    bits + usize::try_from(-exponent).unwrap_or(0)
}
