//! Cross and dot products of displacements: orientation tests.

use crate::geom::{Displacement, Edge, Point, WideFloat};
use crate::predicates::numbers::adaptive::{sign, value};
use crate::predicates::numbers::polynomial::{Number, Polynomial};
use crate::predicates::numbers::sign::Sign;

/// The cross product of two displacements. Degree 2.
#[derive(Clone, Copy, Debug)]
pub struct Cross(pub Displacement, pub Displacement);

impl Polynomial for Cross {
    #[inline(always)]
    fn evaluate<N: Number>(&self) -> N {
        self.0.vector::<N>().cross(&self.1.vector())
    }
}

/// The dot product of two displacements. Degree 2.
#[derive(Clone, Copy, Debug)]
pub struct Dot(pub Displacement, pub Displacement);

impl Polynomial for Dot {
    #[inline(always)]
    fn evaluate<N: Number>(&self) -> N {
        self.0.vector::<N>().dot(&self.1.vector())
    }
}

/// Positive when `displacement` points to the left of `direction`. Degree 2.
#[inline(always)]
pub fn cross(direction: impl Into<Displacement>, displacement: Displacement) -> Sign {
    sign(&Cross(direction.into(), displacement))
}

/// Whether a direction lies within the counterclockwise angle from one direction to another, which is less than
/// a full turn; not along either.
pub fn is_within_angle(from: Displacement, direction: Displacement, to: Displacement) -> bool {
    let after = cross(from, direction) == Sign::Positive;
    let before = cross(direction, to) == Sign::Positive;
    match cross(from, to) {
        // An angle of zero has nothing within.
        Sign::Positive | Sign::Zero => after && before,
        Sign::Negative => after || before,
    }
}

/// Positive when `displacement` makes an acute angle with `direction`. Degree 2.
#[inline(always)]
pub fn dot(direction: impl Into<Displacement>, displacement: Displacement) -> Sign {
    sign(&Dot(direction.into(), displacement))
}

/// The value behind [`cross`].
pub(crate) fn cross_value(
    direction: impl Into<Displacement>,
    displacement: Displacement,
    tolerance: f64,
) -> WideFloat {
    value(&Cross(direction.into(), displacement), tolerance)
}

/// The value behind [`dot`].
pub(crate) fn dot_value(
    direction: impl Into<Displacement>,
    displacement: Displacement,
    tolerance: f64,
) -> WideFloat {
    value(&Dot(direction.into(), displacement), tolerance)
}

/// Positive when `point` lies to the left of the line along `edge`. Degree 2.
#[inline(always)]
pub fn side(edge: Edge, point: Point) -> Sign {
    cross(edge, Displacement::between(edge.start, point))
}

/// Positive when `second` turns left of `first`. Degree 2.
#[inline(always)]
pub fn turn(first: Edge, second: Edge) -> Sign {
    cross(first, second.displacement())
}

/// Whether two edges have the same direction; a point has none.
pub(crate) fn have_same_direction(first: Edge, second: Edge) -> bool {
    turn(first, second) == Sign::Zero && dot(first, second.displacement()) == Sign::Positive
}
