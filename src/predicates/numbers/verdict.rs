//! The three-valued answer of a filter: yes, no, or undecided.

use crate::simd::lanes::Lanes;

/// The answer of a filter in every lane; undecided where neither is set.
#[derive(Clone, Copy, Debug)]
pub struct Verdict<L: Lanes> {
    /// Certainly yes.
    pub yes: L::Mask,
    /// Certainly no.
    pub no: L::Mask,
}

impl<L: Lanes> Verdict<L> {
    /// Whether a value is at least zero, where its error is at most `error`. An error of zero means
    /// that nothing was rounded: a value of zero is then a yes.
    #[inline(always)]
    pub fn at_least_zero(value: L, error: L) -> Self {
        let zero = value.all(0.0);
        let is_exact = error.same(zero);
        Self {
            yes: value.above(error) | (is_exact & value.same(zero)),
            no: (zero - error).above(value),
        }
    }

    /// Whether two values have opposite signs, where their errors are at most `error`; undecided where one
    /// may be zero.
    #[inline(always)]
    pub fn straddles_zero([value, other]: [L; 2], error: L) -> Self {
        let below = error.all(0.0) - error;
        let [is_above, is_below] = [value.above(error), below.above(value)];
        let [other_above, other_below] = [other.above(error), below.above(other)];
        Self {
            yes: (is_above & other_below) | (is_below & other_above),
            no: (is_above & other_above) | (is_below & other_below),
        }
    }

    /// Whether both hold.
    #[inline(always)]
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            yes: self.yes & other.yes,
            no: self.no | other.no,
        }
    }

    /// Where the filter can't tell.
    #[inline(always)]
    pub fn undecided(&self) -> L::Mask {
        !(self.yes | self.no)
    }
}

impl Verdict<f64> {
    /// The answer, or `None` where it is left to the exact form.
    #[inline(always)]
    pub fn decided(self) -> Option<bool> {
        (self.yes | self.no).then_some(self.yes)
    }
}
