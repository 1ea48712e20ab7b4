//! Numbers that are known to ten digits: bounds of them, and how they compare.

use std::cmp::Ordering;

/// Covers the difference of two numbers that are each off by 1e-10 of themselves, as the public contract promises,
/// and of their squares. Test: `bounds_of_ten_digits_hold_numbers_and_squares`.
pub const ROOM_FOR_TEN_DIGITS: f64 = 1e-9;

/// Whether a distance is at most `limit`. The distance is given with the relative error of 1e-10 that the
/// public contract promises, and is zero only if it is exactly zero. `None` if the error leaves the answer
/// open.
/// Test: `a_distance_within_ten_digits_of_a_limit_is_open`.
pub fn accurately_below(distance: f64, limit: f64) -> Option<bool> {
    let error = distance * ROOM_FOR_TEN_DIGITS;
    match distance {
        0.0 => Some(true),
        _ if distance + error < limit => Some(true),
        _ if distance - error > limit => Some(false),
        _ => None,
    }
}

/// An upper bound of a number that is 0 or more and known to ten digits; the smallest normal float covers
/// underflow.
pub fn ten_digits_above(number: f64) -> f64 {
    number * (1.0 + ROOM_FOR_TEN_DIGITS) + f64::MIN_POSITIVE
}

/// An upper bound of the square of such a number.
pub fn square_of_ten_digits_above(number: f64) -> f64 {
    ten_digits_above(number * number)
}

/// A lower bound of a number that is 0 or more and known to ten digits.
pub fn ten_digits_below(number: f64) -> f64 {
    number * (1.0 - ROOM_FOR_TEN_DIGITS) - f64::MIN_POSITIVE
}

/// Compares two numbers that are 0 or more and known to ten digits, if these tell.
/// Test: `numbers_of_ten_digits_are_in_order_where_these_tell`.
pub fn compare_ten_digits(one: f64, other: f64) -> Option<Ordering> {
    let (small, large) = if one < other {
        (one, other)
    } else {
        (other, one)
    };
    let is_certain = large.is_normal() && small < large * (1.0 - ROOM_FOR_TEN_DIGITS);
    is_certain.then(|| one.total_cmp(&other))
}
