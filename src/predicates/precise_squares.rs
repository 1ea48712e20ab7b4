//! Squared distances of points from edges in double-double arithmetic, with a bound on the error: for those that floats
//! can't tell apart, such as the edges around the center of a circle.

use super::bounded::UNIT_ROUNDOFF;
use super::error_bounds::SMALLEST_SQUARED_LENGTH;
use super::error_free::two_sum;
use super::square_errors::are_usual;
use crate::simd::lanes::{Lanes, Mask, Vectors};

/// Bounds the error of a [`PreciseSquare`] in units of the sum of the squares of gap and edge.
///
/// With `u` the unit roundoff, `g` the gap and `e` the edge, products have a relative error of `8 u²` and sums one of
/// `3 u²`. A cross product is off by `11 u² |e| |g|`, its square over that of `e` by twice that times the distance over
/// `|e|`, `22 u² g²` at most, and by `34 u²` of itself for the roundings of square and quotient. The end of an edge is
/// taken for nearest, or not, by a rounded dot product: that is off by `4 u |e| |g|`, which changes the squared distance
/// by the square of this over `e²`, `16 u² g²`. The sum is below `72 u² g²`.
/// Test: `precise_squares_are_within_their_bound`.
const PRECISE_ERROR: f64 = 128.0 * UNIT_ROUNDOFF * UNIT_ROUNDOFF;

/// A number as the sum of two, such as a squared distance.
#[derive(Clone, Copy, Debug)]
pub struct PreciseSquare<L> {
    /// The sum, rounded.
    pub high: L,
    /// The rest.
    pub low: L,
}

/// A [`PreciseSquare`] and a bound on its error; NaN where it is not known.
#[derive(Clone, Copy, Debug)]
pub struct BoundedSquare<L> {
    /// The squared distance.
    pub square: PreciseSquare<L>,
    /// The error is not above this.
    pub error: L,
}

impl<L: Lanes> BoundedSquare<L> {
    /// The squared distance of a point from the edge between two points.
    #[inline(always)]
    pub fn new(point: Vectors<L>, start: Vectors<L>, end: Vectors<L>) -> Self {
        let (edge, gap) = (Exact::between(start, end), Exact::between(start, point));
        let past_end = Exact::between(end, point);
        let zero = point.x.all(0.0);
        let is_before = zero.at_least(edge.rounded().dot(gap.rounded()));
        let is_past = edge.rounded().dot(past_end.rounded()).at_least(zero);
        let is_beside = !(is_before | is_past);
        let mut square = gap.choose(is_before, past_end).length_squared();
        let [of_edge, of_gap] = [edge, gap].map(|it| it.rounded().length_squared());
        let mut is_known = are_usual(of_edge + of_gap);
        if is_beside.any() {
            let length = edge.length_squared();
            let across = edge.cross(gap);
            let from_line = across.times(across).over(length);
            square = from_line.choose(is_beside, square);
            let is_long = length.high.at_least(zero.all(SMALLEST_SQUARED_LENGTH));
            is_known = is_known & (is_long | !is_beside);
        }
        let error = (of_edge + of_gap) * zero.all(PRECISE_ERROR);
        let error = is_known.choose(error, zero.all(f64::NAN));
        Self { square, error }
    }

    /// From these [`Self::numbers`].
    #[inline(always)]
    pub fn from_numbers([high, low, error]: [L; 3]) -> Self {
        let square = PreciseSquare { high, low };
        Self { square, error }
    }

    /// The square, as a sum of two, and the bound.
    #[inline(always)]
    pub fn numbers(self) -> [L; 3] {
        [self.square.high, self.square.low, self.error]
    }

    /// Whether the square is certainly larger than another.
    #[inline(always)]
    pub fn is_above(self, other: Self) -> L::Mask {
        (self.square.minus(other.square)).above(self.error + other.error)
    }

    /// The one with the lower upper bound, of those for which the mask is set, and `other`.
    #[inline(always)]
    #[must_use]
    pub fn or_lower(self, mask: L::Mask, other: Self) -> Self {
        let upper = self.square.minus(other.square) + (self.error - other.error);
        let is_lower = mask & upper.all(0.0).above(upper);
        Self {
            square: self.square.choose(is_lower, other.square),
            error: is_lower.choose(self.error, other.error),
        }
    }
}

impl<L: Lanes> PreciseSquare<L> {
    /// `self - other`, rounded; exact where they are nearly equal.
    #[inline(always)]
    fn minus(self, other: Self) -> L {
        (self.high - other.high) + (self.low - other.low)
    }

    #[inline(always)]
    fn choose(self, mask: L::Mask, other: Self) -> Self {
        Self {
            high: mask.choose(self.high, other.high),
            low: mask.choose(self.low, other.low),
        }
    }

    #[inline(always)]
    fn of_two((high, low): (L, L)) -> Self {
        Self { high, low }
    }

    #[inline(always)]
    fn reversed(self) -> Self {
        let zero = self.high.all(0.0);
        Self {
            high: zero - self.high,
            low: zero - self.low,
        }
    }

    /// By Joldes, Muller and Popescu's algorithm 6.
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        let (sum, error) = two_sum(self.high, other.high);
        let (low_sum, low_error) = two_sum(self.low, other.low);
        let (sum, error) = two_sum(sum, error + low_sum);
        Self::of_two(two_sum(sum, low_error + error))
    }

    #[inline(always)]
    fn times(self, other: Self) -> Self {
        let product = self.high * other.high;
        let error = self.high.times_less_exactly(other.high, product);
        let across = self.high * other.low + self.low * other.high;
        Self::of_two(two_sum(product, error + across))
    }

    #[inline(always)]
    fn over(self, other: Self) -> Self {
        let quotient = self.high / other.high;
        let whole = Self {
            high: quotient,
            low: quotient.all(0.0),
        };
        let rest = self.plus(other.times(whole).reversed());
        Self::of_two(two_sum(quotient, rest.high / other.high))
    }
}

/// A difference of two points, each component as a float and its error.
#[derive(Clone, Copy)]
struct Exact<L> {
    x: PreciseSquare<L>,
    y: PreciseSquare<L>,
}

impl<L: Lanes> Exact<L> {
    #[inline(always)]
    fn between(from: Vectors<L>, to: Vectors<L>) -> Self {
        let zero = from.x.all(0.0);
        let difference = |to: L, from: L| PreciseSquare::of_two(two_sum(to, zero - from));
        Self {
            x: difference(to.x, from.x),
            y: difference(to.y, from.y),
        }
    }

    #[inline(always)]
    fn choose(self, mask: L::Mask, other: Self) -> Self {
        Self {
            x: self.x.choose(mask, other.x),
            y: self.y.choose(mask, other.y),
        }
    }

    #[inline(always)]
    fn rounded(self) -> Vectors<L> {
        Vectors::new(self.x.high, self.y.high)
    }

    #[inline(always)]
    fn cross(self, other: Self) -> PreciseSquare<L> {
        self.x.times(other.y).plus(self.y.times(other.x).reversed())
    }

    #[inline(always)]
    fn length_squared(self) -> PreciseSquare<L> {
        self.x.times(self.x).plus(self.y.times(self.y))
    }
}
