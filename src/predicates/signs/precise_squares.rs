//! Squared distances of points from edges in double-double arithmetic, with a bound on the error: for those that floats
//! can't tell apart, such as the edges around the center of a circle.

use crate::predicates::bounds::error_bounds::SMALLEST_SQUARED_LENGTH;
use crate::predicates::bounds::square_errors::are_usual;
use crate::predicates::numbers::bounded::UNIT_ROUNDOFF;
use crate::predicates::numbers::compensated_differences::Compensated;
use crate::predicates::numbers::error_free::{
    negated, product_of_usual_pairs, quotient_of_pairs, sum_of_pairs,
};
use crate::simd::lanes::{Lanes, Mask, Vectors};

/// Bounds the error of a [`BoundedSquare`] in units of the sum of the squares of gap and edge.
///
/// With `u` the unit roundoff, `g` the gap and `e` the edge, products have a relative error below `8 u²` and sums one of
/// `3 u²`. A cross product is off by `11 u² |e| |g|`, its square over that of `e` by twice that times the distance over
/// `|e|`, `22 u² g²` at most, and by `34 u²` of itself for the roundings of square and quotient. The end of an edge is
/// taken for nearest, or not, by a rounded dot product: that is off by `4 u |e| |g|`, which changes the squared distance
/// by the square of this over `e²`, `16 u² g²`. The sum is below `72 u² g²`.
/// Test: `precise_squares_are_within_their_bound`.
const PRECISE_ERROR: f64 = 128.0 * UNIT_ROUNDOFF * UNIT_ROUNDOFF;

/// A squared distance as the sum of two floats, and a bound on its error; NaN where it is not known.
#[derive(Clone, Copy, Debug)]
pub struct BoundedSquare<L> {
    /// The squared distance, rounded, and the rest.
    pub square: [L; 2],
    /// The error is not above this.
    pub error: L,
}

impl<L: Lanes> BoundedSquare<L> {
    /// The squared distance of a point from the edge between two points.
    #[inline(always)]
    pub fn new(point: Vectors<L>, start: Vectors<L>, end: Vectors<L>) -> Self {
        let (edge, gap) = (Compensated::new(end, start), Compensated::new(point, start));
        let past_end = Compensated::new(point, end);
        let zero = point.x.all(0.0);
        let is_before = zero.at_least(edge.rounded().dot(gap.rounded()));
        let is_past = edge.rounded().dot(past_end.rounded()).at_least(zero);
        let is_beside = !(is_before | is_past);
        let sizes = edge.rounded().length_squared() + gap.rounded().length_squared();
        let (edge, gap, past_end) = (edge.components(), gap.components(), past_end.components());
        let mut square = [zero; 2];
        if (!is_beside).any() {
            // Not by `map` of an array, which could stay a call.
            let to_end = [
                choose(is_before, gap[0], past_end[0]),
                choose(is_before, gap[1], past_end[1]),
            ];
            square = length_squared(to_end);
        }
        let mut is_known = are_usual(sizes);
        if is_beside.any() {
            let length = length_squared(edge);
            let across = cross(edge, gap);
            let from_line = quotient_of_pairs(product_of_usual_pairs(across, across), length);
            square = choose(is_beside, from_line, square);
            let is_long = length[0].at_least(zero.all(SMALLEST_SQUARED_LENGTH));
            is_known = is_known & (is_long | !is_beside);
        }
        let error = sizes * zero.all(PRECISE_ERROR);
        let error = is_known.choose(error, zero.all(f64::NAN));
        Self { square, error }
    }

    /// From these [`Self::numbers`].
    #[inline(always)]
    pub fn from_numbers([high, low, error]: [L; 3]) -> Self {
        let square = [high, low];
        Self { square, error }
    }

    /// The square, as a sum of two, and the bound.
    #[inline(always)]
    pub fn numbers(self) -> [L; 3] {
        [self.square[0], self.square[1], self.error]
    }

    /// Whether the square is certainly larger than another.
    #[inline(always)]
    pub fn is_above(self, other: Self) -> L::Mask {
        difference(self.square, other.square).above(self.error + other.error)
    }

    /// The one with the lower upper bound, of those for which the mask is set, and `other`.
    #[inline(always)]
    #[must_use]
    pub fn or_lower(self, mask: L::Mask, other: Self) -> Self {
        let upper = difference(self.square, other.square) + (self.error - other.error);
        let is_lower = mask & upper.all(0.0).above(upper);
        Self {
            square: choose(is_lower, self.square, other.square),
            error: is_lower.choose(self.error, other.error),
        }
    }
}

/// `one - other`, rounded; exact where they are nearly equal.
#[inline(always)]
fn difference<L: Lanes>(one: [L; 2], other: [L; 2]) -> L {
    (one[0] - other[0]) + (one[1] - other[1])
}

#[inline(always)]
fn choose<L: Lanes>(mask: L::Mask, yes: [L; 2], no: [L; 2]) -> [L; 2] {
    [mask.choose(yes[0], no[0]), mask.choose(yes[1], no[1])]
}

#[inline(always)]
fn cross<L: Lanes>([x, y]: [[L; 2]; 2], [u, v]: [[L; 2]; 2]) -> [L; 2] {
    sum_of_pairs(
        product_of_usual_pairs(x, v),
        negated(product_of_usual_pairs(y, u)),
    )
    .0
}

#[inline(always)]
fn length_squared<L: Lanes>([x, y]: [[L; 2]; 2]) -> [L; 2] {
    sum_of_pairs(product_of_usual_pairs(x, x), product_of_usual_pairs(y, y)).0
}
