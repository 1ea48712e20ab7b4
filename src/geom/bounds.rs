//! Axis-aligned boxes.

use super::primitives::{Edge, Point, Vec2};

/// An axis-aligned box, its boundary included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Least x and y.
    pub min: Point,
    /// Greatest x and y.
    pub max: Point,
}

impl Bounds {
    /// The empty box, the identity of [`Self::union`].
    pub const EMPTY: Self = Self {
        min: Point::new(f64::INFINITY, f64::INFINITY),
        max: Point::new(f64::NEG_INFINITY, f64::NEG_INFINITY),
    };

    /// The box with this middle and half of its width and height, rounded.
    pub(crate) fn around(middle: Point, half_size: Vec2) -> Self {
        let (Point { x, y }, by) = (middle, half_size);
        Self {
            min: Point::new(x - by.x, y - by.y),
            max: Point::new(x + by.x, y + by.y),
        }
    }

    /// Whether the box is empty.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.min.x > self.max.x
    }

    /// `[min.x, min.y, max.x, max.y]`.
    pub fn numbers(&self) -> [f64; 4] {
        let Self { min, max } = self;
        [min.x, min.y, max.x, max.y]
    }

    /// Whether no number is infinite or NaN.
    pub fn is_finite(&self) -> bool {
        self.min.is_finite() && self.max.is_finite()
    }

    /// The middle, rounded. Halves are added, since a sum could overflow.
    #[inline]
    pub(crate) fn middle(&self) -> Point {
        let middle = |min: f64, max: f64| 0.5 * min + 0.5 * max;
        Point::new(
            middle(self.min.x, self.max.x),
            middle(self.min.y, self.max.y),
        )
    }

    /// Width and height, rounded.
    #[inline(always)]
    pub(crate) fn size(&self) -> Vec2 {
        self.max - self.min
    }

    /// Half of the larger side, rounded. It is halved first, because the difference of two floats may overflow.
    pub(crate) fn half_size(&self) -> f64 {
        let half = |min: f64, max: f64| max / 2.0 - min / 2.0;
        half(self.min.x, self.max.x).max(half(self.min.y, self.max.y))
    }

    /// The smallest box that contains both.
    #[inline]
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        Self {
            min: Point::new(self.min.x.min(other.min.x), self.min.y.min(other.min.y)),
            max: Point::new(self.max.x.max(other.max.x), self.max.y.max(other.max.y)),
        }
    }

    /// Whether the boxes have a point in common.
    #[inline]
    pub fn meets(&self, other: &Self) -> bool {
        (self.min.x <= other.max.x)
            & (other.min.x <= self.max.x)
            & (self.min.y <= other.max.y)
            & (other.min.y <= self.max.y)
    }

    /// Whether the other box is part of this one.
    #[inline]
    pub fn contains(&self, other: &Self) -> bool {
        (self.min.x <= other.min.x)
            & (other.max.x <= self.max.x)
            & (self.min.y <= other.min.y)
            & (other.max.y <= self.max.y)
    }

    /// The box with all coordinates multiplied by `factor`.
    #[must_use]
    pub fn scaled(&self, factor: f64) -> Self {
        let [min, max] =
            [self.min, self.max].map(|Point { x, y }| Point::new(x * factor, y * factor));
        Self { min, max }
    }
}

/// The smallest box that contains all of them.
impl FromIterator<Self> for Bounds {
    #[inline]
    fn from_iter<I: IntoIterator<Item = Self>>(boxes: I) -> Self {
        // `<` and `>` are false for NaN, and the box so far is never NaN: they take a third of the instructions of
        // `f64::min` and `f64::max`.
        let less = |all: f64, one: f64| if one < all { one } else { all };
        let greater = |all: f64, one: f64| if one > all { one } else { all };
        let with = |Self { min, max }: Self, one: Self| Self {
            min: Point::new(less(min.x, one.min.x), less(min.y, one.min.y)),
            max: Point::new(greater(max.x, one.max.x), greater(max.y, one.max.y)),
        };
        boxes.into_iter().fold(Self::EMPTY, with)
    }
}

impl From<Edge> for Bounds {
    #[inline]
    fn from(Edge { start, end }: Edge) -> Self {
        Self {
            min: Point::new(start.x.min(end.x), start.y.min(end.y)),
            max: Point::new(start.x.max(end.x), start.y.max(end.y)),
        }
    }
}

impl From<Point> for Bounds {
    #[inline]
    fn from(point: Point) -> Self {
        Self {
            min: point,
            max: point,
        }
    }
}
