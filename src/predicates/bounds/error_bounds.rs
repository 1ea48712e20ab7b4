//! Bounds on the errors of rounded products, and what a rounded value with such a bound proves.
//!
//! [`crate::predicates::numbers::bounded`] bounds each value by its own terms. Here one bound covers the products of a
//! direction with every vector of a box, so that a loop over vertices does not compute its own.
//! `tests/core/rounding_counts.rs` rederives every constant in rationals, and `predicates.rs` beside it holds
//! each against random inputs.

use crate::geom::Vec2;
use crate::predicates::TO_TEN_DIGITS;
use crate::predicates::numbers::bounded::UNIT_ROUNDOFF;
use crate::simd::lanes::{Lanes, Mask, Vectors};

/// Bounds the error of a cross product, or of the difference of two with the same direction, in
/// units of the sum of the terms' sizes. Two differences, the product and the sum make four
/// roundings; twice that and a ninth for a difference, and a tenth for a sum of two such values.
/// The terms' sizes are rounded as often as the terms.
/// Test: `the_bounds_of_a_box_cover_sums_of_two_cross_products`.
const ERROR: f64 = 12.0 * UNIT_ROUNDOFF;

/// Smallest size of a box for which filters decide: 2^-100. From there to [`LARGEST_SIZE`], no product of two squares
/// with a third leaves the normal range.
/// Test: `products_of_usual_sizes_are_normal`.
pub const SMALLEST_SIZE: f64 = f64::from_bits((1023 - 100) << 52);
/// Largest size of a box for which filters decide: 2^100.
pub const LARGEST_SIZE: f64 = f64::from_bits((1023 + 100) << 52);
/// Smallest error bound for which filters decide: 2^-200.
pub const SMALLEST_ERROR: f64 = f64::from_bits((1023 - 200) << 52);

/// Products of coordinates up to this don't overflow: 2^500.
/// Test: `products_of_numbers_that_have_a_bound_are_normal`.
pub const LARGEST_FACTOR: f64 = f64::from_bits((1023 + 500) << 52);

/// Smallest squared length for which squared depths are compared: 2^-600. Its product with the
/// square of the smallest error bound, 2^-400, is a normal float.
/// Test: `products_of_usual_sizes_are_normal`.
pub const SMALLEST_SQUARED_LENGTH: f64 = f64::from_bits((1023 - 600) << 52);

/// Larger than any overlap in a box of usual size (a cross product below 2^202), and so small that
/// its square times a squared length stays finite: 2^250. Test: `products_of_usual_sizes_are_normal`.
pub const BEYOND_ANY_OVERLAP: f64 = f64::from_bits((1023 + 250) << 52);

/// Bounds the relative error of a value that a filter returns: a tenth of the 1e-10 that the public
/// contract allows. The rest is for quotients of two such values and their roundings.
/// Test: `quotients_of_accurate_values_have_ten_digits`.
pub const ACCURATE: f64 = TO_TEN_DIGITS;

/// Bounds the relative error that sixteen roundings leave; the comparisons of squared depths and of
/// entry times have ten at most. Test: `the_room_for_roundings_covers_ten_of_each_of_two_values`.
pub const ROUNDINGS: f64 = 16.0 * f64::EPSILON;

/// Whether a value that is off by `error` at most is certainly above zero.
#[inline(always)]
pub fn certainly_positive<L: Lanes>(value: L, error: L) -> L::Mask {
    value.above(error)
}

/// Whether a value's relative error is at most [`ACCURATE`], if its error is at most `error`.
#[inline(always)]
pub fn is_accurate<L: Lanes>(value: L, error: L) -> L::Mask {
    (value.abs() * error.all(ACCURATE)).above(error)
}

/// How wrong the cross product of a direction can be with any vector that is no longer than `size`
/// in either component; direction and vector may be differences of points, rounded.
#[inline(always)]
pub fn cross_error(direction: Vec2, size: Vec2) -> f64 {
    let error = error_along(direction, size);
    let is_zero = (direction.x == 0.0 || size.y == 0.0) && (direction.y == 0.0 || size.x == 0.0);
    if error > SMALLEST_ERROR || is_zero {
        error
    } else {
        f64::INFINITY
    }
}

/// Bounds the error of the cross product of any two vectors whose components are at most these, and
/// of the difference of two such products. The vectors may be rounded differences of points. Zero
/// if all components are zero.
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

/// Bounds the error of the cross product of one direction with any vector whose components are at most
/// `size`, and of the difference of two such products, as long as that of [`box_error`] is finite and the
/// direction is no shorter than 2^-300: with a shorter one products may leave the normal range of floats.
#[inline(always)]
pub fn error_along<L: Lanes>(direction: Vectors<L>, size: Vectors<L>) -> L {
    let terms = direction.x.abs() * size.y + direction.y.abs() * size.x;
    terms * terms.all(ERROR)
}

/// Bounds the error of the distance of a point from a line, a cross product over the direction's
/// length, in a box of this size: the point is a difference, the direction the sum of two
/// differences of the same sign. Test: `the_bound_of_distances_from_chords_covers_all_roundings`.
///
/// The direction is rounded twice: with the difference, the product and the sum, five roundings of
/// terms whose sizes add up to `|d.x| size.y + |d.y| size.x`, at most the length times
/// `size.x + size.y`. The length has five roundings of a distance no larger than that. [`ERROR`]
/// has twelve, and twice that covers both.
#[inline(always)]
pub fn distance_error(size: Vectors<f64>) -> f64 {
    2.0 * error_along(Vectors::both(1.0), size)
}

/// Bounds the error of the distance of an edge from the origin, in units of the largest coordinate: 128 roundings, a
/// few times what the foot of the perpendicular takes. Test: `distances_from_edges_are_within_their_bound`.
pub const DISTANCE_ERROR: f64 = 128.0 * f64::EPSILON;

/// Whether a size is such that comparisons stay in the range of floats.
pub fn is_usual_size(size: f64) -> bool {
    (SMALLEST_SIZE..LARGEST_SIZE).contains(&size)
}
