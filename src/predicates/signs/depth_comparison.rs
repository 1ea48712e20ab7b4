//! Depths of overlaps, compared by their squares, with bounds on the errors: which is less, and which tie.

use crate::predicates::bounds::error_bounds::{ROUNDINGS, SMALLEST_SQUARED_LENGTH};
use crate::simd::lanes::{Lanes, Mask};

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
