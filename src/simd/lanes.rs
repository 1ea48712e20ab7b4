//! Arithmetic over lanes: one `f64`, or eight in a vector register.
//!
//! A function over [`Lanes`] is the scalar form and the form for a tile at once. It uses additions,
//! subtractions, multiplications, divisions and square roots only, each rounded once on every
//! processor: each lane has the bits of the scalar result. Only [`Lanes::times_less`] may fuse two
//! operations, where nothing but a sign depends on the result, or the result is exact if they are fused.

use std::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Not, Sub};

use fearless_simd::prelude::*;
use fearless_simd::{f64x8, mask64x8};

use super::instructions::has_wide_registers;
pub use crate::geom::Vectors;

/// A number per lane.
pub trait Lanes:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self>
{
    /// A boolean per lane.
    type Mask: Mask<Self>;

    /// Whether [`Self::times_less`] rounds once.
    const FUSES: bool;

    /// `number` in every lane.
    fn all(self, number: f64) -> Self;
    /// `self > other`.
    fn above(self, other: Self) -> Self::Mask;
    /// `self >= other`.
    fn at_least(self, other: Self) -> Self::Mask;
    /// `self == other`.
    fn same(self, other: Self) -> Self::Mask;
    /// `self * other - less`, rounded once or twice, whichever is faster: for a sign within an error
    /// bound, or where that tells whether it is exact ([`Self::FUSES`]), never for the digits of an answer.
    fn times_less(self, other: Self, less: Self) -> Self;
    /// `self * other - less`, rounded once on every processor. Slow where there is no such instruction.
    fn times_less_exactly(self, other: Self, less: Self) -> Self;
    /// The absolute value.
    fn abs(self) -> Self;
    /// The square root.
    fn sqrt(self) -> Self;
    /// The larger of two; either of two zeros; either or NaN if one is NaN.
    fn larger(self, other: Self) -> Self;
    /// The smaller of two, likewise.
    fn smaller(self, other: Self) -> Self;
    /// Compiles a function with the instructions of these lanes, for a caller that is not inlined into a kernel.
    fn vectorize<T>(self, function: impl FnOnce() -> T) -> T;
}

/// A boolean per lane.
pub trait Mask<L>:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self> + Not<Output = Self>
{
    /// `yes` where the mask is set, else `no`.
    fn choose(self, yes: L, no: L) -> L;
    /// Whether it is set in any lane.
    fn any(self) -> bool;

    /// `yes` where the mask is set, else `no`.
    #[inline(always)]
    fn either(self, yes: Self, no: Self) -> Self {
        (self & yes) | (!self & no)
    }
}

impl Lanes for f64 {
    type Mask = bool;

    const FUSES: bool = false;

    #[inline(always)]
    fn all(self, number: f64) -> Self {
        number
    }

    #[inline(always)]
    fn above(self, other: Self) -> bool {
        self > other
    }

    #[inline(always)]
    fn at_least(self, other: Self) -> bool {
        self >= other
    }

    #[inline(always)]
    fn same(self, other: Self) -> bool {
        self == other
    }

    #[inline(always)]
    fn times_less(self, other: Self, less: Self) -> Self {
        self * other - less
    }

    #[inline(always)]
    fn times_less_exactly(self, other: Self, less: Self) -> Self {
        self.mul_add(other, -less)
    }

    #[inline(always)]
    fn abs(self) -> Self {
        self.abs()
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        self.sqrt()
    }

    #[inline(always)]
    fn larger(self, other: Self) -> Self {
        if self > other { self } else { other }
    }

    #[inline(always)]
    fn smaller(self, other: Self) -> Self {
        if self < other { self } else { other }
    }

    #[inline(always)]
    fn vectorize<T>(self, function: impl FnOnce() -> T) -> T {
        function()
    }
}

impl Mask<f64> for bool {
    #[inline(always)]
    fn choose(self, yes: f64, no: f64) -> f64 {
        if self { yes } else { no }
    }

    #[inline(always)]
    fn any(self) -> bool {
        self
    }
}

impl<S: Simd> Lanes for f64x8<S> {
    type Mask = mask64x8<S>;

    const FUSES: bool = has_wide_registers::<S>();

    #[inline(always)]
    fn all(self, number: f64) -> Self {
        Self::splat(self.simd, number)
    }

    #[inline(always)]
    fn above(self, other: Self) -> Self::Mask {
        self.simd_gt(other)
    }

    #[inline(always)]
    fn at_least(self, other: Self) -> Self::Mask {
        self.simd_ge(other)
    }

    #[inline(always)]
    fn same(self, other: Self) -> Self::Mask {
        self.simd_eq(other)
    }

    #[inline(always)]
    fn times_less(self, other: Self, less: Self) -> Self {
        self.mul_sub(other, less)
    }

    #[inline(always)]
    fn times_less_exactly(self, other: Self, less: Self) -> Self {
        self.mul_sub_precise(other, less)
    }

    #[inline(always)]
    fn abs(self) -> Self {
        self.simd.abs_f64x8(self)
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        self.simd.sqrt_f64x8(self)
    }

    #[inline(always)]
    fn larger(self, other: Self) -> Self {
        self.max(other)
    }

    #[inline(always)]
    fn smaller(self, other: Self) -> Self {
        self.min(other)
    }

    #[inline(always)]
    fn vectorize<T>(self, function: impl FnOnce() -> T) -> T {
        self.simd.vectorize(function)
    }
}

impl<S: Simd> Mask<f64x8<S>> for mask64x8<S> {
    #[inline(always)]
    fn choose(self, yes: f64x8<S>, no: f64x8<S>) -> f64x8<S> {
        self.select(yes, no)
    }

    #[inline(always)]
    fn any(self) -> bool {
        self.any_true()
    }
}

/// Memory that a kernel fills before it reads it.
pub trait Scratch<L>: Copy {
    /// One item, in as many lanes as `like` has.
    fn scratch(like: L) -> Self;
}

impl<L> Scratch<L> for () {
    fn scratch(_: L) {}
}

impl<L: Lanes> Scratch<L> for Vectors<L> {
    #[inline(always)]
    fn scratch(like: L) -> Self {
        Self::both(like)
    }
}

impl<L: Lanes> Vectors<L> {
    /// The vector turned left by 90 degrees.
    #[inline(always)]
    pub fn turned_left(self) -> Self {
        Self {
            x: self.x.all(0.0) - self.y,
            y: self.x,
        }
    }

    /// The vector turned round.
    #[inline(always)]
    pub fn reversed(self) -> Self {
        self.map(|component| component.all(0.0) - component)
    }

    /// `self × other`, for its sign only: see [`Lanes::times_less`].
    #[inline(always)]
    pub fn cross_contracted(self, other: Self) -> L {
        self.x.times_less(other.y, self.y * other.x)
    }

    /// The larger of the absolute components.
    #[inline(always)]
    pub fn largest(self) -> L {
        self.x.abs().larger(self.y.abs())
    }

    /// `yes` where the mask is set, else `no`.
    #[inline(always)]
    pub fn choose(mask: L::Mask, yes: Self, no: Self) -> Self {
        yes.with(no, |yes, no| mask.choose(yes, no))
    }

    /// [`Self::choose`] for both ends of an edge.
    #[inline(always)]
    pub fn choose_ends(mask: L::Mask, yes: [Self; 2], no: [Self; 2]) -> [Self; 2] {
        [
            Self::choose(mask, yes[0], no[0]),
            Self::choose(mask, yes[1], no[1]),
        ]
    }
}
