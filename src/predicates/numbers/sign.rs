//! The sign of an exact value.

use std::cmp::Ordering;

/// The sign of an exact value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sign {
    /// Below zero.
    Negative,
    /// Zero itself.
    Zero,
    /// Above zero.
    Positive,
}

impl Sign {
    /// The sign of a float; NaN counts as zero.
    pub fn of(value: f64) -> Self {
        if value > 0.0 {
            Self::Positive
        } else if value < 0.0 {
            Self::Negative
        } else {
            Self::Zero
        }
    }

    /// The sign of a value that is off by `error` at most, if that is certain.
    #[inline(always)]
    pub(crate) fn of_rounded(value: f64, error: f64) -> Option<Self> {
        (value.abs() > error).then(|| Self::of(value))
    }

    /// The order of two numbers whose difference has this sign.
    pub(crate) fn ordering(self) -> Ordering {
        self.cmp(&Self::Zero)
    }

    pub(crate) fn times(self, other: Self) -> Self {
        match other {
            Self::Negative => -self,
            Self::Zero => Self::Zero,
            Self::Positive => self,
        }
    }
}

impl std::ops::Neg for Sign {
    type Output = Self;

    fn neg(self) -> Self {
        match self {
            Self::Negative => Self::Positive,
            Self::Zero => Self::Zero,
            Self::Positive => Self::Negative,
        }
    }
}
