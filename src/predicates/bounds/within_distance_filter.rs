//! Float filter for whether shapes or points come within a distance of each other.

use super::error_bounds::ROUNDINGS;
use super::square_errors::Squares;
use crate::predicates::numbers::verdict::Verdict;
use crate::simd::lanes::{Lanes, Vectors};

/// Whether two shapes come within a distance of each other, as far as one direction tells: `step` leads
/// from the vertex of the first that is farthest along it to the vertex of the second that is farthest
/// against it, by rounded dot products of differences in the box of `squares`, which covers the
/// distance, too.
///
/// With `e` the error of a dot product, below a third of `squares.error`, either vertex is within
/// `2 e` of the farthest, and the dot product of the step is off by `e`: the gap is off by `5 e`.
/// Test: `gaps_are_within_their_bound`.
#[inline(always)]
pub fn gap_within<L: Lanes>(
    step: Vectors<L>,
    direction: Vectors<L>,
    distance: L,
    squares: &Squares<L>,
) -> Verdict<L> {
    let (error, zero) = (squares.error, distance.all(0.0));
    let square = distance * distance;
    let gap = step.dot(direction) - error - error;
    let most = square * direction.length_squared() * zero.all(1.0 + ROUNDINGS);
    Verdict {
        yes: (zero - error).at_least(step.length_squared() - square),
        no: gap.above(zero) & (gap * gap).above(most),
    }
}

/// Whether two points, one of which moves along a path, may pass each other within a distance, given its square. The gap
/// across the path, times its length, is off by `error` at most.
/// Test: `points_that_may_pass_within_a_distance_are_not_told_apart`.
pub fn may_pass_within(gap: f64, error: f64, path_squared: f64, square: f64) -> bool {
    let gap = gap.abs() - error;
    // A comparison with NaN is false, so that NaN excludes nothing.
    let is_beyond = gap > 0.0 && gap * gap > square * path_squared * (1.0 + ROUNDINGS);
    !is_beyond
}
