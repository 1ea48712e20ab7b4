//! Bounds on the errors of rounded products, and what a rounded value with such a bound proves.
//!
//! [`super::bounded`] bounds each value by its own terms. Here one bound covers the products of a
//! direction with every vector of a box, so that a loop over vertices does not compute its own.
//! `tests/core/rounding_counts.rs` rederives every constant in rationals, and `predicates.rs` beside it holds
//! each against random inputs. The file is long because most of it says why each bound holds.

use std::cmp::Ordering;

use super::TO_TEN_DIGITS;
use super::bounded::UNIT_ROUNDOFF;
use super::verdict::Verdict;
use crate::geom::Vec2;
use crate::simd::lanes::{Lanes, Mask, Vectors};

/// Bounds the error of a cross product, or of the difference of two with the same direction, in
/// units of the sum of the terms' sizes. Two differences, the product and the sum make four
/// roundings; twice that and a ninth for a difference, and a tenth for a sum of two such values.
/// The terms' sizes are rounded as often as the terms.
/// Test: `the_bounds_of_a_box_cover_sums_of_two_cross_products`.
const ERROR: f64 = 12.0 * UNIT_ROUNDOFF;

/// Smallest and largest size of a box, and smallest error bound, for which filters decide: 2^-100,
/// 2^100 and 2^-200. In between, no product of two squares with a third leaves the normal range.
/// Test: `products_of_usual_sizes_are_normal`.
pub const SMALLEST_SIZE: f64 = f64::from_bits((1023 - 100) << 52);
/// See [`SMALLEST_SIZE`].
pub const LARGEST_SIZE: f64 = f64::from_bits((1023 + 100) << 52);
/// See [`SMALLEST_SIZE`].
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

/// By what factor a time has to be later than another for their order to be certain, where both are quotients of two
/// values with a relative error of [`ACCURATE`]. Test: `times_beyond_the_factor_are_in_order`.
pub const LATER: f64 = 1.0 + 5.0 * ACCURATE;

/// Bounds the relative error that sixteen roundings leave; the comparisons of squared depths and of
/// entry times have ten at most. Test: `the_room_for_roundings_covers_ten_of_each_of_two_values`.
pub const ROUNDINGS: f64 = 16.0 * f64::EPSILON;

/// Relative difference of two squared depths up to which they count as equal: half of the 1e-12 that
/// the public contract calls equally good, as a square doubles a relative difference. Facing
/// parallel edges, turned a little by rounding, tie in every heap of boxes.
/// Test: `quotients_of_accurate_values_have_ten_digits`.
pub const EQUALLY_GOOD: f64 = 1e-12;

/// Relative difference of two squared depths up to which they are compared with their error bounds.
/// Test: `squares_that_do_not_tie_are_in_order`.
pub const TIED_DEPTHS: f64 = 1e-9;

/// Ratio of an overlap to its error from which on the order of two squared depths that do not tie by
/// [`TIED_DEPTHS`] is certain: the squares are then off by 1e-10 of themselves at most.
/// Test: `squares_that_do_not_tie_are_in_order`.
pub const DEPTH_MARGIN: f64 = 4e10;

/// Whether a value that is off by `error` at most is certainly above zero.
#[inline(always)]
pub fn certainly_positive<L: Lanes>(value: L, error: L) -> L::Mask {
    value.above(error)
}

/// Whether the time `gap / speed` is certainly before another one, even if multiplied by `scale`.
#[inline(always)]
pub fn is_before<L: Lanes>(
    [gap, speed]: [L; 2],
    [other_gap, other_speed]: [L; 2],
    scale: f64,
) -> L::Mask {
    (other_gap * speed).above(gap * other_speed * gap.all(scale))
}

/// Whether a value's relative error is at most [`ACCURATE`], if its error is at most `error`.
#[inline(always)]
pub fn is_accurate<L: Lanes>(value: L, error: L) -> L::Mask {
    (value.abs() * error.all(ACCURATE)).above(error)
}

/// Whether a value is so far above its error bound that [`DEPTH_MARGIN`] applies.
#[inline(always)]
pub fn has_margin<L: Lanes>(value: L, error: L) -> L::Mask {
    value.above(error * error.all(DEPTH_MARGIN))
}

/// Whether two squares tie by [`TIED_DEPTHS`].
#[inline(always)]
pub fn may_tie<L: Lanes>(square: L, other: L) -> L::Mask {
    !(square - other)
        .abs()
        .above(square.abs() * square.all(TIED_DEPTHS))
}

/// The quotient of an overlap and the length of its direction, compared by squares: a depth, or a
/// gap if negative.
#[derive(Clone, Copy, Debug)]
pub struct Depth<L> {
    /// The overlap: a cross product, not divided by the length.
    pub overlap: L,
    /// Bound on the overlap's error.
    pub error: L,
    /// The square of the overlap, with its sign.
    pub square: L,
    /// The square of the length.
    pub length_squared: L,
}

impl<L: Lanes> Depth<L> {
    /// The depth of an overlap along a direction with this squared length.
    #[inline(always)]
    pub fn new(overlap: L, error: L, length_squared: L) -> Self {
        Self {
            overlap,
            error,
            square: overlap * overlap.abs(),
            length_squared,
        }
    }

    /// `yes` in the lanes where the mask is set, else `no`.
    #[inline(always)]
    pub fn choose(mask: L::Mask, yes: &Self, no: &Self) -> Self {
        Self {
            overlap: mask.choose(yes.overlap, no.overlap),
            error: mask.choose(yes.error, no.error),
            square: mask.choose(yes.square, no.square),
            length_squared: mask.choose(yes.length_squared, no.length_squared),
        }
    }

    /// The squares of this depth and of another, both times the two squared lengths.
    #[inline(always)]
    pub fn squares(&self, other: &Self) -> [L; 2] {
        let own = self.square * other.length_squared;
        [own, other.square * self.length_squared]
    }

    /// Whether another depth may equal this one within the error bounds, and whether it is then
    /// [`EQUALLY_GOOD`].
    ///
    /// With `e` the error of an overlap above it, its square is off by `3 e` times it at most.
    /// Test: `depths_that_may_be_equal_are_rivals`.
    #[inline(always)]
    pub fn rivals(&self, other: &Self) -> [L::Mask; 2] {
        let [own, others] = self.squares(other);
        let error_of =
            |one: &Self, length_squared: L| one.error * one.overlap.abs() * length_squared;
        let error = (error_of(self, other.length_squared) + error_of(other, self.length_squared))
            * own.all(3.0)
            + (own.abs() + others.abs()) * own.all(ROUNDINGS);
        let may_be = !(others - own).abs().above(error);
        let as_good = !error.above(own.abs() * own.all(EQUALLY_GOOD));
        [may_be, as_good]
    }

    /// By how much the square of another depth, times this squared length, may differ from that of
    /// this one for the depths to differ by `2 ε extent` at most: four units in the last place of
    /// the extent, where the public contract allows a length eight.
    #[inline(always)]
    pub fn slack(&self, extent: L) -> L {
        let twice = extent * extent.all(4.0 * f64::EPSILON);
        twice * self.overlap.abs() * self.length_squared.sqrt()
    }

    /// Whether another depth is the same within the slack.
    #[inline(always)]
    pub fn is_within(&self, other: &Self, slack: L) -> L::Mask {
        let [own, others] = self.squares(other);
        !(others - own).abs().above(slack * other.length_squared)
    }
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

/// Bounds of the quotient of an overlap, which is wrong by `error` at most, and a length, of which the
/// square is given with a few roundings. Test: `depths_are_in_their_range`.
pub fn depth_range(overlap: f64, error: f64, length_squared: f64) -> [f64; 2] {
    let length = length_squared.sqrt();
    let [least, most] = [(overlap - error) / length, (overlap + error) / length];
    if error < f64::INFINITY && length_squared > SMALLEST_SQUARED_LENGTH {
        [
            least - least.abs() * ROUNDINGS,
            most + most.abs() * ROUNDINGS,
        ]
    } else {
        [f64::NEG_INFINITY, f64::INFINITY]
    }
}

/// Whether a depth in this range may be the least of several, or may be zero or less. `most` is an
/// upper bound of the least depth.
pub fn may_be_least([least, _]: [f64; 2], most: f64) -> bool {
    least <= most.max(0.0)
}

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

/// A bound on the error of squares and products of vectors, in units of the sum of all squares. A
/// difference of points is rounded once, so that a product of two, summed, makes four roundings of
/// terms whose sizes add up to that sum at most; the difference of two such values is wrong by twice
/// that and one rounding more. The rest is room.
/// Test: `the_bounds_of_squares_cover_differences_and_products`.
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
    /// The bounds for vectors whose components are at most `size`, which may be rounded differences
    /// of points, and for a length. Where a product could leave the range of floats the errors are
    /// NaN: all comparisons with them are false.
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

    /// The same bounds for a length that is a sum of three rounded terms. Its relative error is `3 u`, so
    /// that its square has an error of `7 u`, where that of a float has `u`; doubling all bounds covers this.
    /// Test: `circles_of_rounded_radius_are_told_within_their_bound`.
    #[inline(always)]
    #[must_use]
    pub fn of_sum(self) -> Self {
        Self {
            error: self.error + self.error,
            error_of_products: self.error_of_products + self.error_of_products,
            ..self
        }
    }

    /// These bounds, zero in the lanes where nothing is rounded.
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

/// Where coordinates are multiples of a common quantum, so few of which span the box that no
/// difference, and no product or sum of products of two differences, is rounded.
///
/// A sum with a number 2^29 times the span is rounded to a multiple of half that number's last
/// place, the quantum. The span is below 2^25 of these, and a product of two below 2^50.
/// Test: `on_a_grid_nothing_is_rounded`.
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

/// Whether a size is such that comparisons stay in the range of floats.
pub fn is_usual_size(size: f64) -> bool {
    (SMALLEST_SIZE..LARGEST_SIZE).contains(&size)
}
