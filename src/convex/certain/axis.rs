//! The least of several overlaps.

use crate::predicates::lanes::{Lanes, Mask, Vectors};

/// The part of a depth's square up to which another counts as equally good: facing parallel edges,
/// which rounding has turned a little, tie in every heap of boxes. Half of what the public contract
/// calls equal.
pub(super) const EQUALLY_GOOD: f64 = 1e-12;

/// The part of a depth's square up to which another gets a closer look.
const ALIKE: f64 = 1e-9;

/// Overlaps this many times their error are good to so few parts of [`ALIKE`] that, where squares
/// are not alike, their order is certain.
const CLEAR: f64 = 4e10;

/// The relative error that numbers may have: a tenth of what the public contract allows.
pub(super) const ACCURATE: f64 = 1e-11;

/// The relative error of a handful of roundings.
pub(super) const ROUNDINGS: f64 = 16.0 * f64::EPSILON;

/// Squares of lengths from which on a product with 2^-400, the square of the smallest usual bound,
/// is a normal float.
pub(super) const TINY: f64 = f64::from_bits((1023 - 600) << 52);

/// A direction and how far the shapes overlap along its normal; negative where they are apart.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axis<L> {
    /// The edge's position, those of b after those of a; or what else the direction is.
    pub(super) position: L,
    pub(super) direction: Vectors<L>,
    /// Times the length of the direction.
    pub(super) overlap: L,
    /// The most by which that can be wrong.
    pub(super) error: L,
    /// The square of the overlap, with its sign.
    pub(super) square: L,
    pub(super) length_squared: L,
}

impl<L: Lanes> Axis<L> {
    #[inline(always)]
    pub(super) fn new(position: usize, direction: Vectors<L>, overlap: L, error: L) -> Self {
        Self {
            position: overlap.all(position as f64),
            direction,
            overlap,
            error,
            square: overlap * overlap.abs(),
            length_squared: direction.length_squared(),
        }
    }

    #[inline(always)]
    pub(super) fn choose(mask: L::Mask, yes: &Self, no: &Self) -> Self {
        Self {
            position: mask.choose(yes.position, no.position),
            direction: Vectors::choose(mask, yes.direction, no.direction),
            overlap: mask.choose(yes.overlap, no.overlap),
            error: mask.choose(yes.error, no.error),
            square: mask.choose(yes.square, no.square),
            length_squared: mask.choose(yes.length_squared, no.length_squared),
        }
    }

    /// The square of the depth and that of another's, both times the same factor.
    #[inline(always)]
    pub(super) fn beside(&self, other: &Self) -> [L; 2] {
        let own = self.square * other.length_squared;
        [own, other.square * self.length_squared]
    }

    /// Whether another's depth may be as small for all that is known, and whether it is then as
    /// good.
    #[inline(always)]
    pub(super) fn rivals(&self, other: &Self) -> [L::Mask; 2] {
        let [own, others] = self.beside(other);
        // With e the error of an overlap above it, its square is wrong by 3 e times it at most.
        let doubt = |one: &Self, other: &Self| one.error * one.overlap.abs() * other.length_squared;
        let doubt = (doubt(self, other) + doubt(other, self)) * own.all(3.0)
            + (own.abs() + others.abs()) * own.all(ROUNDINGS);
        let may_be = !(others - own).abs().above(doubt);
        let as_good = !doubt.above(own.abs() * own.all(EQUALLY_GOOD));
        [may_be, as_good]
    }
}

/// The least of several overlaps, each over the length of its direction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shallowest<L: Lanes> {
    pub(super) axis: Axis<L>,
    /// Whether another may be as shallow: yes where in doubt.
    pub(super) is_tied: L::Mask,
    /// The least overlap in units of its error that any of them had, at most, and the least square
    /// of a length.
    pub(super) margin: L,
    pub(super) shortest: L,
}

impl<L: Lanes> Shallowest<L> {
    #[inline(always)]
    pub(super) fn of(count: usize, axis: impl Fn(usize) -> Axis<L>) -> Self {
        let mut least = Self::first(axis(0));
        for index in 1..count {
            least = least.with(&axis(index));
        }
        least
    }

    #[inline(always)]
    fn first(axis: Axis<L>) -> Self {
        let zero = axis.overlap.all(0.0);
        Self {
            is_tied: zero.above(zero),
            margin: Self::margin(&axis),
            shortest: axis.length_squared,
            axis,
        }
    }

    #[inline(always)]
    fn margin(axis: &Axis<L>) -> L {
        axis.overlap - axis.error * axis.error.all(CLEAR)
    }

    #[inline(always)]
    fn with(self, axis: &Axis<L>) -> Self {
        let [own, least] = axis.beside(&self.axis);
        let is_shallower = least.above(own);
        let is_alike = !(own - least).abs().above(least.abs() * own.all(ALIKE));
        Self {
            axis: Axis::choose(is_shallower, axis, &self.axis),
            // What was alike the former least is not alike one that is far below it.
            is_tied: is_alike | (self.is_tied & !is_shallower),
            margin: self.margin.smaller(Self::margin(axis)),
            shortest: self.shortest.smaller(axis.length_squared),
        }
    }

    /// Where the axis is certain without a closer look.
    #[inline(always)]
    pub(super) fn is_clear(&self) -> L::Mask {
        let zero = self.margin.all(0.0);
        !self.is_tied & self.margin.above(zero) & self.shortest.above(zero.all(TINY))
    }
}

/// What an axis measures.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Measure<L> {
    /// The size of the overlap or of the gap.
    pub(crate) size: L,
    /// The unit vector along which the first shape gets out.
    pub(crate) normal: Vectors<L>,
}

impl<L: Lanes> Measure<L> {
    #[inline(always)]
    pub(super) fn of(axis: &Axis<L>) -> Self {
        let one = axis.overlap.all(1.0);
        let zero = axis.overlap.all(0.0);
        let per_length = one / axis.length_squared.sqrt();
        let Vectors { x, y } = axis.direction;
        Self {
            size: axis.overlap.abs() * per_length,
            normal: Vectors { x: y, y: zero - x }.map(|component| component * per_length),
        }
    }

    #[inline(always)]
    pub(super) fn choose(mask: L::Mask, yes: &Self, no: &Self) -> Self {
        Self {
            size: mask.choose(yes.size, no.size),
            normal: Vectors::choose(mask, yes.normal, no.normal),
        }
    }

    /// The way out.
    #[inline(always)]
    pub(crate) fn translation(&self) -> Vectors<L> {
        // The sum makes a negative zero a positive one.
        self.normal
            .map(|component| component * self.size + self.size.all(0.0))
    }
}

/// Whether the overlap along an axis is known to ten digits; `error` is the most by which it can
/// be wrong where anything was rounded.
#[inline(always)]
pub(super) fn is_accurate<L: Lanes>(axis: &Axis<L>, error: L) -> L::Mask {
    let is_exact = axis.error.same(error.all(0.0));
    is_exact | (axis.overlap.abs() * error.all(ACCURATE)).above(error)
}
