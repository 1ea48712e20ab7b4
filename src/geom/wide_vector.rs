//! Vectors of floats that neither overflow nor underflow.

use std::ops::{Div, Mul, Neg};

use super::primitives::{Point, Vec2, Vectors};
use super::wide_float::WideFloat;

/// A displacement or a direction that results are computed with.
pub(crate) type WideVector = Vectors<WideFloat>;

impl WideVector {
    pub(crate) const ZERO: Self = Self::new(WideFloat::ZERO, WideFloat::ZERO);
    pub(crate) const ALONG_X: Self = Self::new(WideFloat::ONE, WideFloat::ZERO);

    /// `to - from`, each component correctly rounded.
    #[inline]
    pub(crate) fn between(from: Point, to: Point) -> Self {
        Self::new(
            WideFloat::difference(to.x, from.x),
            WideFloat::difference(to.y, from.y),
        )
    }

    /// The nearest vector of floats.
    #[inline]
    pub(crate) fn to_vec2(self) -> Vec2 {
        Vec2::new(self.x.to_f64(), self.y.to_f64())
    }

    pub(crate) fn length(self) -> WideFloat {
        self.length_squared().sqrt()
    }

    /// The vector of length 1 in the same direction.
    pub(crate) fn unit(self) -> Self {
        self / self.length()
    }

    pub(crate) fn turned_left(self) -> Self {
        Self::new(-self.y, self.x)
    }

    pub(crate) fn turned_right(self) -> Self {
        Self::new(self.y, -self.x)
    }
}

impl From<Vec2> for WideVector {
    fn from(vector: Vec2) -> Self {
        Self::new(vector.x.into(), vector.y.into())
    }
}

impl Neg for WideVector {
    type Output = Self;

    fn neg(self) -> Self {
        Self::new(-self.x, -self.y)
    }
}

impl Mul<WideFloat> for WideVector {
    type Output = Self;

    #[inline]
    fn mul(self, factor: WideFloat) -> Self {
        self.times(factor)
    }
}

impl Div<WideFloat> for WideVector {
    type Output = Self;

    #[inline]
    fn div(self, divisor: WideFloat) -> Self {
        Self::new(self.x / divisor, self.y / divisor)
    }
}
