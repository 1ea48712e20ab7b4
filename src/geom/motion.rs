//! Motions within a frame.

use super::{Displacement, Point, Vec2, WideFloat};

/// How far something moves, not rounded: `to - from + steps * drift`.
///
/// That is a velocity, the difference of two velocities, that of two positions less a velocity, or
/// how far something has drifted after some steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion {
    /// What is taken away.
    pub from: Point,
    /// What it is taken from.
    pub to: Point,
    /// What is added for every step.
    pub drift: Vec2,
    /// How many steps, a whole number; below zero they are taken back.
    pub steps: f64,
}

impl Motion {
    /// No motion at all.
    pub const NONE: Self = Self::between(Point::ORIGIN, Point::ORIGIN);

    /// From one point to another.
    pub const fn between(from: Point, to: Point) -> Self {
        Self {
            from,
            to,
            drift: Vec2::ZERO,
            steps: 0.0,
        }
    }

    /// So many steps of a drift.
    pub const fn drifting(drift: Vec2, steps: f64) -> Self {
        Self::between(Point::ORIGIN, Point::ORIGIN).with_drift(drift, steps)
    }

    /// This motion and so many steps of a drift, in place of any other.
    #[must_use]
    pub const fn with_drift(self, drift: Vec2, steps: f64) -> Self {
        Self {
            drift,
            steps,
            ..self
        }
    }

    /// This drift and then a motion of the same drift, as a step follows those before it.
    #[must_use]
    pub fn then(self, next: Self) -> Self {
        debug_assert!(self.from == self.to && (next.steps == 0.0 || next.drift == self.drift));
        next.with_drift(self.drift, self.steps + next.steps)
    }

    /// The displacement that this is.
    pub fn displacement(self) -> Displacement {
        let Self {
            from,
            to,
            drift,
            steps,
        } = self;
        let straight = Displacement::between(from, to);
        if steps == 0.0 {
            straight
        } else {
            straight.shifted(Self::drifting(drift, steps))
        }
    }

    /// What happens the other way round.
    #[must_use]
    pub const fn reversed(self) -> Self {
        Self {
            from: self.to,
            to: self.from,
            drift: self.drift,
            steps: -self.steps,
        }
    }

    /// The motion itself, if it is a vector as it stands.
    pub fn vector(self) -> Option<Vec2> {
        (self.from == Point::ORIGIN && self.steps == 0.0).then(|| Vec2::new(self.to.x, self.to.y))
    }

    /// The motion rounded.
    pub fn rounded(self) -> Vec2 {
        let Self {
            from,
            to,
            drift,
            steps,
        } = self;
        Vec2::new(
            to.x - from.x + steps * drift.x,
            to.y - from.y + steps * drift.y,
        )
    }

    /// The sizes of its parts, summed and rounded.
    pub fn size(self) -> Vec2 {
        let Self {
            from,
            to,
            drift,
            steps,
        } = self;
        Vec2::new(
            (to.x - from.x).abs() + (steps * drift.x).abs(),
            (to.y - from.y).abs() + (steps * drift.y).abs(),
        )
    }

    /// The motion's components, rounded in any range.
    pub(crate) fn scaled(self) -> [WideFloat; 2] {
        let Self {
            from,
            to,
            drift,
            steps,
        } = self;
        let sum = |from, to, drift| {
            let straight = WideFloat::difference(to, from);
            if steps == 0.0 {
                straight
            } else {
                straight + WideFloat::from(drift) * WideFloat::from(steps)
            }
        };
        [sum(from.x, to.x, drift.x), sum(from.y, to.y, drift.y)]
    }

    /// Vectors between whose components those of the motion lie.
    pub fn range(self) -> [Vec2; 2] {
        if let Some(vector) = self.vector() {
            return [vector; 2];
        }
        // Three roundings, each of half a unit in the last place of something no larger than the
        // size; the smallest normal
        // float covers underflow.
        let (Vec2 { x, y }, size) = (self.rounded(), self.size());
        let around = |value: f64, size: f64| {
            let error = 4.0 * f64::EPSILON * size + f64::MIN_POSITIVE;
            if error.is_finite() {
                [value - error, value + error]
            } else {
                [f64::NEG_INFINITY, f64::INFINITY]
            }
        };
        let ([left, right], [down, up]) = (around(x, size.x), around(y, size.y));
        [Vec2::new(left, down), Vec2::new(right, up)]
    }
}

impl From<Vec2> for Motion {
    fn from(vector: Vec2) -> Self {
        Self::between(Point::ORIGIN, Point::new(vector.x, vector.y))
    }
}
