//! The least of several overlaps.

use crate::simd::lanes::{Lanes, Mask, Vectors};

/// The part of a depth's square up to which another counts as equally good: facing parallel edges,
/// which rounding has turned a little, tie in every heap of boxes. Half of what the public contract
/// calls equal.
pub(in crate::convex) const EQUALLY_GOOD: f64 = 1e-12;

/// The part of a depth's square up to which another gets a closer look.
const ALIKE: f64 = 1e-9;

/// Overlaps this many times their error are good to so few parts of [`ALIKE`] that, where squares
/// are not alike, their order is certain.
const CLEAR: f64 = 4e10;

/// The relative error that numbers may have: a tenth of what the public contract allows.
pub(in crate::convex) const ACCURATE: f64 = 1e-11;

/// The relative error of a handful of roundings.
pub(in crate::convex) const ROUNDINGS: f64 = 16.0 * f64::EPSILON;

/// Squares of lengths from which on a product with 2^-400, the square of the smallest usual bound,
/// is a normal float.
pub(in crate::convex) const TINY: f64 = f64::from_bits((1023 - 600) << 52);

/// A direction and how far the shapes overlap along its normal; negative where they are apart.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Axis<L> {
    pub(in crate::convex) direction: Vectors<L>,
    /// Times the length of the direction.
    pub(in crate::convex) overlap: L,
    /// The most by which that can be wrong.
    pub(in crate::convex) error: L,
    /// The square of the overlap, with its sign.
    pub(in crate::convex) square: L,
    pub(in crate::convex) length_squared: L,
}

impl<L: Lanes> Axis<L> {
    #[inline(always)]
    pub(in crate::convex) fn new(direction: Vectors<L>, overlap: L, error: L) -> Self {
        Self {
            direction,
            overlap,
            error,
            square: overlap * overlap.abs(),
            length_squared: direction.length_squared(),
        }
    }

    #[inline(always)]
    pub(in crate::convex) fn choose(mask: L::Mask, yes: &Self, no: &Self) -> Self {
        Self {
            direction: Vectors::choose(mask, yes.direction, no.direction),
            overlap: mask.choose(yes.overlap, no.overlap),
            error: mask.choose(yes.error, no.error),
            square: mask.choose(yes.square, no.square),
            length_squared: mask.choose(yes.length_squared, no.length_squared),
        }
    }

    /// Whether it is another's, number for number.
    #[inline(always)]
    pub(in crate::convex) fn is(&self, other: &Self) -> L::Mask {
        let [own, others] = [self.direction, other.direction];
        own.x.same(others.x) & own.y.same(others.y) & self.overlap.same(other.overlap)
    }

    /// The square of the depth and that of another's, both times the same factor.
    #[inline(always)]
    pub(in crate::convex) fn beside(&self, other: &Self) -> [L; 2] {
        let own = self.square * other.length_squared;
        [own, other.square * self.length_squared]
    }

    /// Whether another's direction is within some seven degrees of this one.
    #[inline(always)]
    pub(in crate::convex) fn is_nearly_parallel(&self, other: &Self) -> L::Mask {
        let [own, others] = [self.direction, other.direction];
        let eighth = own.dot(others) * self.overlap.all(0.125);
        eighth.above(own.cross(others).abs())
    }

    #[inline(always)]
    fn doubt(&self, other: &Self) -> L {
        self.error * self.overlap.abs() * other.length_squared
    }

    /// Whether another's depth may be as small for all that is known, and whether it is then as
    /// good.
    #[inline(always)]
    pub(in crate::convex) fn rivals(&self, other: &Self) -> [L::Mask; 2] {
        let [own, others] = self.beside(other);
        // With e the error of an overlap above it, its square is wrong by 3 e times it at most.
        let doubt = (self.doubt(other) + other.doubt(self)) * own.all(3.0)
            + (own.abs() + others.abs()) * own.all(ROUNDINGS);
        let may_be = !(others - own).abs().above(doubt);
        let as_good = !doubt.above(own.abs() * own.all(EQUALLY_GOOD));
        [may_be, as_good]
    }

    /// By how much the square of another's depth, times the square of this length, may differ from
    /// that of this one for the depths to be the same but for some units in the last place of the
    /// extent, as the public contract wants it of lengths.
    #[inline(always)]
    pub(in crate::convex) fn slack(&self, extent: L) -> L {
        let twice = extent * extent.all(4.0 * f64::EPSILON);
        twice * self.overlap.abs() * self.length_squared.sqrt()
    }

    /// Whether another's depth is the same within the slack.
    #[inline(always)]
    pub(in crate::convex) fn is_as_deep(&self, other: &Self, slack: L) -> L::Mask {
        let [own, others] = self.beside(other);
        !(others - own).abs().above(slack * other.length_squared)
    }
}

/// The least of several overlaps, each over the length of its direction.
#[derive(Clone, Copy, Debug)]
pub(in crate::convex) struct LeastOverlap<L: Lanes> {
    pub(in crate::convex) axis: Axis<L>,
    /// Whether another may be as shallow: yes where in doubt.
    pub(in crate::convex) is_tied: L::Mask,
    /// The least overlap, and the least square of a length.
    pub(in crate::convex) overlap: L,
    pub(in crate::convex) shortest: L,
}

impl<L: Lanes> LeastOverlap<L> {
    /// Of six axes or more.
    #[inline(always)]
    pub(in crate::convex) fn of(count: usize, axis: impl Fn(usize) -> Axis<L>) -> Self {
        // Each comparison waits for the one before: four rows of them need not wait for each other.
        let mut rows = [
            Self::first(axis(0)),
            Self::first(axis(1)),
            Self::first(axis(2)),
            Self::first(axis(3)),
        ];
        for index in 4..count {
            rows[index % 4] = rows[index % 4].with(&Self::first(axis(index)));
        }
        let [first, second, third, fourth] = rows;
        first.with(&second).with(&third.with(&fourth))
    }

    /// Of one axis.
    #[inline(always)]
    pub(in crate::convex) fn first(axis: Axis<L>) -> Self {
        let zero = axis.overlap.all(0.0);
        Self {
            is_tied: zero.above(zero),
            overlap: axis.overlap,
            shortest: axis.length_squared,
            axis,
        }
    }

    /// Of these and others.
    #[inline(always)]
    pub(in crate::convex) fn with(self, other: &Self) -> Self {
        let [own, others] = self.axis.beside(&other.axis);
        let is_shallower = own.above(others);
        let is_alike = !(own - others).abs().above(own.abs() * own.all(ALIKE));
        Self {
            axis: Axis::choose(is_shallower, &other.axis, &self.axis),
            // What was alike the one is not alike another that is far below it.
            is_tied: is_alike | is_shallower.either(other.is_tied, self.is_tied),
            overlap: self.overlap.smaller(other.overlap),
            shortest: self.shortest.smaller(other.shortest),
        }
    }

    /// Where comparisons were between normal numbers.
    #[inline(always)]
    pub(in crate::convex) fn is_usual(&self) -> L::Mask {
        self.shortest.above(self.shortest.all(TINY))
    }

    /// Where the least is certainly below zero, and no other alike, if none is wrong by more than
    /// the error.
    #[inline(always)]
    pub(in crate::convex) fn is_clearly_opposed(&self, error: L) -> L::Mask {
        let below = error.all(0.0) - self.axis.overlap;
        !self.is_tied & below.above(error * error.all(CLEAR)) & self.is_usual()
    }

    /// Where the axis is certain without a closer look, if overlaps are wrong by no more than the
    /// error.
    #[inline(always)]
    pub(in crate::convex) fn is_clear(&self, error: L) -> L::Mask {
        let is_clear = self.overlap.above(error * error.all(CLEAR));
        !self.is_tied & is_clear & self.is_usual()
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
    pub(in crate::convex) fn of(axis: &Axis<L>) -> Self {
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
    pub(in crate::convex) fn choose(mask: L::Mask, yes: &Self, no: &Self) -> Self {
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
pub(in crate::convex) fn is_accurate<L: Lanes>(axis: &Axis<L>, error: L) -> L::Mask {
    let is_exact = axis.error.same(error.all(0.0));
    is_exact | (axis.overlap.abs() * error.all(ACCURATE)).above(error)
}
