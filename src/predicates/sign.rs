//! The sign of an exact value.

use std::cmp::Ordering;

/// On which side of zero an exact value lies.
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

    /// How a difference with this sign orders its operands.
    pub(crate) fn ordering(self) -> Ordering {
        self.cmp(&Self::Zero)
    }

    /// The sign of a product.
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
