//! Which of two times that are quotients is certainly earlier.

use crate::predicates::bounds::error_bounds::ACCURATE;
use crate::simd::lanes::Lanes;

/// By what factor a time has to be later than another for their order to be certain, where both are quotients of two
/// values with a relative error of [`ACCURATE`]. Test: `times_beyond_the_factor_are_in_order`.
pub const LATER: f64 = 1.0 + 5.0 * ACCURATE;

/// Whether the time `gap / speed` is certainly before another one, even if multiplied by `scale`.
#[inline(always)]
pub fn is_before<L: Lanes>(
    [gap, speed]: [L; 2],
    [other_gap, other_speed]: [L; 2],
    scale: f64,
) -> L::Mask {
    (other_gap * speed).above(gap * other_speed * gap.all(scale))
}
