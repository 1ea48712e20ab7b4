//! Axes of a pair of shapes, each with the overlap along it, and the axis of least overlap.

use super::support_table::SupportTable;
use crate::predicates::bounds::error_bounds::{self, SMALLEST_SQUARED_LENGTH};
use crate::predicates::signs::depth_comparison::{Depth, has_margin, may_tie};
use crate::simd::lanes::{Lanes, Mask, Vectors};

/// A direction and how far the shapes overlap along its right normal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Axis<L> {
    pub(crate) direction: Vectors<L>,
    /// Negative where the shapes are apart.
    pub(crate) depth: Depth<L>,
}

impl<L: Lanes> Axis<L> {
    #[inline(always)]
    pub(crate) fn new(direction: Vectors<L>, overlap: L, error: L) -> Self {
        Self {
            direction,
            depth: Depth::new(overlap, error, direction.length_squared()),
        }
    }

    #[inline(always)]
    pub(crate) fn choose(mask: L::Mask, yes: &Self, no: &Self) -> Self {
        Self {
            direction: Vectors::choose(mask, yes.direction, no.direction),
            depth: Depth::choose(mask, &yes.depth, &no.depth),
        }
    }

    /// Whether direction and overlap are the same numbers.
    #[inline(always)]
    pub(crate) fn equals(&self, other: &Self) -> L::Mask {
        let [own, others] = [self.direction, other.direction];
        own.x.same(others.x) & own.y.same(others.y) & self.depth.overlap.same(other.depth.overlap)
    }

    /// Whether another direction is within seven degrees of this one.
    #[inline(always)]
    pub(crate) fn is_within_seven_degrees(&self, other: &Self) -> L::Mask {
        let [own, others] = [self.direction, other.direction];
        let eighth = own.dot(others) * own.x.all(0.125);
        eighth.above(own.cross(others).abs())
    }

    /// Whether the overlap is accurate, if its error is at most `error` where anything was rounded.
    #[inline(always)]
    pub(crate) fn is_accurate(&self, error: L) -> L::Mask {
        let is_exact = self.depth.error.same(error.all(0.0));
        is_exact | error_bounds::is_accurate(self.depth.overlap, error)
    }
}

/// The least of several depths.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LeastOverlap<L: Lanes> {
    pub(crate) axis: Axis<L>,
    /// Whether the depth along another axis may be the same.
    pub(crate) is_tied: L::Mask,
    /// The least overlap, not divided by a length.
    pub(crate) overlap: L,
    /// The least squared length of a direction.
    pub(crate) shortest: L,
}

impl<L: Lanes> LeastOverlap<L> {
    /// The least overlap of several axes.
    #[inline(always)]
    pub(crate) fn of(count: usize, axis: impl Fn(usize) -> Axis<L>) -> Self {
        // Each comparison depends on the one before, so four independent sequences of them are
        // interleaved.
        let mut rows = [
            Self::first(axis(0)),
            Self::first(axis(1)),
            Self::first(axis(2.min(count - 1))),
            Self::first(axis(3.min(count - 1))),
        ];
        for index in 4..count {
            rows[index % 4] = rows[index % 4].with(&Self::first(axis(index)));
        }
        let [first, second, third, fourth] = rows;
        first.with(&second).with(&third.with(&fourth))
    }

    /// The overlap along the first axis.
    #[inline(always)]
    pub(crate) fn first(axis: Axis<L>) -> Self {
        let zero = axis.depth.overlap.all(0.0);
        Self {
            is_tied: zero.above(zero),
            overlap: axis.depth.overlap,
            shortest: axis.depth.length_squared,
            axis,
        }
    }

    /// The least overlap of these axes and of others.
    #[inline(always)]
    pub(crate) fn with(self, other: &Self) -> Self {
        let [own, others] = self.axis.depth.squares(&other.axis.depth);
        let is_shallower = own.above(others);
        Self {
            axis: Axis::choose(is_shallower, &other.axis, &self.axis),
            // An axis that ties with the deeper of two does not tie with the shallower one.
            is_tied: may_tie(own, others) | is_shallower.either(other.is_tied, self.is_tied),
            overlap: self.overlap.smaller(other.overlap),
            shortest: self.shortest.smaller(other.shortest),
        }
    }

    /// Whether all comparisons were between normal numbers.
    #[inline(always)]
    pub(crate) fn compares_normal_numbers(&self) -> L::Mask {
        self.shortest
            .above(self.shortest.all(SMALLEST_SQUARED_LENGTH))
    }

    /// Whether the axis certainly has the least depth, if no overlap is off by more than `error`
    /// and none that matters is closer to zero than `overlap`.
    #[inline(always)]
    pub(crate) fn is_certain(&self, overlap: L, error: L) -> L::Mask {
        !self.is_tied & has_margin(overlap, error) & self.compares_normal_numbers()
    }
}

/// The size of an overlap or a gap, and the normal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Measure<L> {
    /// The size of the overlap or of the gap.
    pub(crate) size: L,
    /// The unit vector from the second shape to the first.
    pub(crate) normal: Vectors<L>,
}

impl<L: Lanes> Measure<L> {
    #[inline(always)]
    pub(crate) fn of(axis: &Axis<L>) -> Self {
        let depth = &axis.depth;
        let zero = depth.overlap.all(0.0);
        let per_length = zero.all(1.0) / depth.length_squared.sqrt();
        let Vectors { x, y } = axis.direction;
        Self {
            size: depth.overlap.abs() * per_length,
            normal: Vectors { x: y, y: zero - x }.times(per_length),
        }
    }

    /// The minimum translation of the first shape.
    #[inline(always)]
    pub(crate) fn translation(&self) -> Vectors<L> {
        // Adding zero turns a negative zero into a positive one.
        self.normal
            .map(|component| component * self.size + self.size.all(0.0))
    }
}

/// The outward normal of an edge as an axis.
#[inline(always)]
pub(crate) fn axis<L: Lanes, R: ?Sized>(table: &SupportTable<'_, L, R>, index: usize) -> Axis<L> {
    let edge = &table.edges[index];
    Axis::new(edge.direction, edge.overlap, table.error)
}
