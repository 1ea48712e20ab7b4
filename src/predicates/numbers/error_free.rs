//! Error-free transformations: the exact rounding errors of sums and products (Knuth; Dekker, 1971).

use crate::simd::lanes::Lanes;

/// 2^27 + 1: cuts a float into two halves whose products are exact.
const SPLITTER: f64 = 134_217_729.0;

/// `a + b` as a float and its error.
#[inline(always)]
pub(crate) fn two_sum<L: Lanes>(a: L, b: L) -> (L, L) {
    let sum = a + b;
    let b_part = sum - a;
    let a_part = sum - b_part;
    (sum, (a - a_part) + (b - b_part))
}

/// Products below this (2^-960) may have an error that no float represents.
/// Test: `a_product_passes_as_exact_only_if_its_error_is_a_float`.
pub(super) const SMALLEST_PRODUCT: f64 = f64::from_bits((1023 - 960) << 52);

/// `a * b` as a float and its error.
#[inline(always)]
pub(crate) fn two_product<L: Lanes>(a: L, b: L) -> (L, L) {
    let product = a * b;
    let (a_high, a_low) = split(a);
    let (b_high, b_low) = split(b);
    let error = ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low;
    (product, error)
}

/// The product of two sums of two floats, with a relative error of 7 squares of the unit roundoff, and the product of
/// the first of each with its error (Joldes, Muller and Popescu, 2017, algorithm 11).
#[inline(always)]
pub(crate) fn product_of_pairs<L: Lanes>(one: [L; 2], other: [L; 2]) -> ([L; 2], [L; 2]) {
    let (product, error) = two_product(one[0], other[0]);
    let across = one[0] * other[1] + one[1] * other[0];
    let (high, low) = two_sum(product, error + across);
    ([high, low], [product, error])
}

/// [`product_of_pairs`] of numbers none of whose products overflows, or has an error that no float represents: the error is
/// one instruction where there is such a one.
#[inline(always)]
pub(crate) fn product_of_usual_pairs<L: Lanes>(one: [L; 2], other: [L; 2]) -> [L; 2] {
    if !L::FUSES {
        return product_of_pairs(one, other).0;
    }
    let product = one[0] * other[0];
    let error = one[0].times_less(other[0], product);
    let across = one[0] * other[1] + one[1] * other[0];
    let (high, low) = two_sum(product, error + across);
    [high, low]
}

/// The sum of two such sums, with an error of 3 squares of the unit roundoff, and what is lost (the same, algorithm 6).
#[inline(always)]
pub(crate) fn sum_of_pairs<L: Lanes>(one: [L; 2], other: [L; 2]) -> ([L; 2], [L; 2]) {
    let (sum, error) = two_sum(one[0], other[0]);
    let (low_sum, low_error) = two_sum(one[1], other[1]);
    let (error, lost) = two_sum(error, low_sum);
    let (sum, error) = two_sum(sum, error);
    let (error, also_lost) = two_sum(low_error, error);
    let (high, low) = two_sum(sum, error);
    ([high, low], [lost, also_lost])
}

/// The quotient of two such sums of usual size, with a relative error of 15 squares of the unit roundoff (algorithm 17).
#[inline(always)]
pub(crate) fn quotient_of_pairs<L: Lanes>(one: [L; 2], other: [L; 2]) -> [L; 2] {
    let quotient = one[0] / other[0];
    let whole = [quotient, quotient.all(0.0)];
    let (rest, _) = sum_of_pairs(one, negated(product_of_usual_pairs(other, whole)));
    let (high, low) = two_sum(quotient, rest[0] / other[0]);
    [high, low]
}

/// Minus such a sum.
#[inline(always)]
pub(crate) fn negated<L: Lanes>([high, low]: [L; 2]) -> [L; 2] {
    let zero = high.all(0.0);
    [zero - high, zero - low]
}

#[inline(always)]
fn split<L: Lanes>(a: L) -> (L, L) {
    let shifted = a.all(SPLITTER) * a;
    let high = shifted - (shifted - a);
    (high, a - high)
}
