//! Floats with a bound on their error each, for many terms under one bound.
//!
//! [`super::filter`] bounds each value by its own terms; here one bound covers the products of a
//! direction with every vector of a box, so that a loop over vertices need not look at it.

use crate::geom::{Point, Vec2};

use super::filter::UNIT_ROUNDOFF;
use crate::simd::lanes::{Lanes, Mask, Vectors};

/// A bound on the error of a cross product, or of the difference of two with the same direction, in
/// units of the terms' sizes. Two differences, the product and the sum make four roundings; twice
/// that and a ninth for a difference, and a tenth for a sum of two such values. The terms' sizes
/// are rounded as often as the terms. `tests/core/predicates.rs` holds it.
const ERROR: f64 = 12.0 * UNIT_ROUNDOFF;

/// Sizes below 2^-100 or above 2^100 are not usual, nor are error bounds below 2^-200: in between,
/// no product of two squares with a third leaves the normal range of floats.
const SMALLEST_SIZE: f64 = f64::from_bits((1023 - 100) << 52);
const LARGEST_SIZE: f64 = f64::from_bits((1023 + 100) << 52);
const SMALLEST_ERROR: f64 = f64::from_bits((1023 - 200) << 52);

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

/// How wrong a cross product can be of any two vectors that are no longer than these in either
/// component, both of them differences of points, rounded; and how wrong the difference of two such
/// products. Zero if it is of nothing but zeros.
#[inline(always)]
pub fn box_error<L: Lanes>(size: Vectors<L>, other: Vectors<L>) -> L {
    let all = |number| size.x.all(number);
    let terms = size.x * other.y + size.y * other.x;
    let error = terms * all(ERROR);
    let larger = size.x.larger(size.y).larger(other.x.larger(other.y));
    let is_usual = error.above(all(SMALLEST_ERROR)) & all(LARGEST_SIZE).above(larger);
    let is_zero = (other.x + other.y).same(all(0.0));
    is_zero.choose(all(0.0), is_usual.choose(error, all(f64::INFINITY)))
}

/// How wrong the cross product of one direction with any such vector can be, or the difference of
/// two, as long as that of [`box_error`] is finite and the direction is no shorter than 2^-300: with
/// a shorter one products may leave the normal range of floats.
#[inline(always)]
pub fn error_along<L: Lanes>(direction: Vectors<L>, size: Vectors<L>) -> L {
    let terms = direction.x.abs() * size.y + direction.y.abs() * size.x;
    terms * terms.all(ERROR)
}

/// A bound on the error of squares and products of vectors, in units of the sum of all squares. A
/// difference of points is rounded once, so that a product of two, summed, makes four roundings of
/// terms whose sizes add up to that sum at most; the difference of two such values is wrong by twice
/// that and one rounding more. The rest is room. `tests/core/predicates.rs` holds it.
const SQUARE_ERROR: f64 = 16.0 * UNIT_ROUNDOFF;

/// How wrong squares can be, and products of squares.
#[derive(Clone, Copy, Debug)]
pub struct Squares<L> {
    /// At least the sum of the squares of all sizes.
    pub sum: L,
    /// How wrong the cross or the dot product of any two vectors of a box can be, the square of a
    /// vector's or of the given length, and the difference of two of these.
    pub error: L,
    /// How wrong the difference of two products can be, each of two such squares.
    ///
    /// With `e` the error of a square, below a third of `error`, that of a product of two is
    /// `2 e sum` and a rounding: for two of them 18 roundings of the sum's square, where this is 32.
    pub error_of_products: L,
}

impl<L: Lanes> Squares<L> {
    /// For vectors no longer than `size` in either component, differences of points, rounded; and
    /// for a length. Where a product could leave the range of floats the errors are NaN: all
    /// comparisons with them are false.
    #[inline(always)]
    pub fn new(size: Vectors<L>, length: L) -> Self {
        let all = |number| length.all(number);
        let sum = size.length_squared() + length * length;
        let error = sum * all(SQUARE_ERROR);
        let larger = size.x.larger(size.y).larger(length);
        let is_usual = error.above(all(SMALLEST_ERROR)) & all(LARGEST_SIZE).above(larger);
        Self {
            sum,
            error: is_usual.choose(error, all(f64::NAN)),
            error_of_products: is_usual.choose(error * sum * all(2.0), all(f64::NAN)),
        }
    }

    /// The same, where it is known that nothing is rounded.
    #[inline(always)]
    pub fn exact(self, is_exact: L::Mask) -> Self {
        let zero = self.sum.all(0.0);
        Self {
            error: is_exact.choose(zero, self.error),
            error_of_products: is_exact.choose(zero, self.error_of_products),
            ..self
        }
    }
}

/// Where coordinates are multiples of a common quantum, so few of which span the box that no
/// difference, and no product or sum of products of two differences, is rounded.
///
/// A sum with a number 2^29 times the span is rounded to a multiple of half that number's last
/// place, the quantum. The span is below 2^25 of these, and a product of two below 2^50.
#[derive(Clone, Copy, Debug)]
pub struct Grid<L: Lanes> {
    rounder: L,
}

impl<L: Lanes> Grid<L> {
    /// The finest grid for differences up to `span`.
    #[inline(always)]
    pub fn new(span: L) -> Self {
        let rounder = span * span.all(f64::from(1 << 29));
        Self { rounder }
    }

    /// The finest grid on which not even products of four differences are rounded, nor the
    /// difference of two such: the span is below 2^12 quanta, a cross product below 2^25 of their
    /// squares, and the difference below 2^51 of their fourth powers.
    #[inline(always)]
    pub fn for_products_of_squares(span: L) -> Self {
        let rounder = span * span.all((1_u64 << 42) as f64);
        Self { rounder }
    }

    /// Whether a coordinate is on the grid. Far from the origin, where the sum could be rounded
    /// less finely, the answer is no.
    #[inline(always)]
    pub fn holds(&self, coordinate: L) -> L::Mask {
        let eighth = self.rounder * self.rounder.all(0.125);
        let rounded = (coordinate + self.rounder) - self.rounder;
        rounded.same(coordinate) & eighth.above(coordinate.abs())
    }

    /// Whether both coordinates are.
    #[inline(always)]
    pub fn holds_both(&self, place: Vectors<L>) -> L::Mask {
        self.holds(place.x) & self.holds(place.y)
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
