//! Error-free transformations: the exact rounding errors of sums and products (Knuth; Dekker, 1971).

use crate::simd::lanes::Lanes;

/// 2^27 + 1: cuts a float into two halves whose products are exact.
const SPLITTER: f64 = 134_217_729.0;

/// `a + b` as a float and its error.
#[inline(always)]
pub(super) fn two_sum<L: Lanes>(a: L, b: L) -> (L, L) {
    let sum = a + b;
    let b_part = sum - a;
    let a_part = sum - b_part;
    (sum, (a - a_part) + (b - b_part))
}

/// Products below this (2^-960) may have an error that no float represents.
/// Test: `a_product_passes_as_exact_only_if_its_error_is_a_float`.
pub(super) const SMALLEST_PRODUCT: f64 = f64::from_bits((1023 - 960) << 52);

/// `a * b` as a float and its error.
#[inline]
pub(crate) fn two_product(a: f64, b: f64) -> (f64, f64) {
    let product = a * b;
    let (a_high, a_low) = split(a);
    let (b_high, b_low) = split(b);
    let error = ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low;
    (product, error)
}

#[inline]
fn split(a: f64) -> (f64, f64) {
    let shifted = SPLITTER * a;
    let high = shifted - (shifted - a);
    (high, a - high)
}
