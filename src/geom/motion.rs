//! Motions, kept as unrounded sums.

use super::primitives::{Edge, Point, Vec2};
use super::wide_float::WideFloat;
use super::wide_vector::WideVector;

/// A motion within a frame, not rounded: `to - from + steps * (drift - drift_from)`.
///
/// It represents a velocity, a difference of two velocities, the drift after some steps, or a
/// difference of two positions minus a velocity or minus another such difference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion {
    /// The point that is subtracted.
    pub from: Point,
    /// The point from which `from` is subtracted.
    pub to: Point,
    /// The velocity that is added for each step.
    pub drift: Vec2,
    /// What is subtracted from `drift`. Zero, unless the drift is the difference of two positions.
    pub drift_from: Vec2,
    /// The number of steps, an integer; negative steps are subtracted.
    pub steps: f64,
}

impl Motion {
    /// No motion.
    pub const NONE: Self = Self::between(Point::ORIGIN, Point::ORIGIN);

    /// `to - from`.
    pub const fn between(from: Point, to: Point) -> Self {
        Self {
            from,
            to,
            drift: Vec2::ZERO,
            drift_from: Vec2::ZERO,
            steps: 0.0,
        }
    }

    /// `steps * drift`.
    pub const fn drifting(drift: Vec2, steps: f64) -> Self {
        Self::NONE.with_drift(drift, steps)
    }

    /// This motion with its drift replaced by `steps * drift`.
    #[must_use]
    pub const fn with_drift(self, drift: Vec2, steps: f64) -> Self {
        Self {
            drift,
            drift_from: Vec2::ZERO,
            steps,
            ..self
        }
    }

    /// `motion - observer`, of two differences of positions.
    #[must_use]
    pub fn relative_to(self, observer: Self) -> Self {
        debug_assert!(self.steps == 0.0 && observer.steps == 0.0);
        if observer.from == observer.to {
            return self;
        }
        Self {
            drift: observer.to.into(),
            drift_from: observer.from.into(),
            steps: -1.0,
            ..self
        }
    }

    /// The sum of this motion, which must be a drift alone, and a motion with the same drift or
    /// none.
    #[must_use]
    pub fn then(self, next: Self) -> Self {
        debug_assert!(self.from == self.to && (next.steps == 0.0 || next.drift == self.drift));
        debug_assert!(next.drift_from == Vec2::ZERO);
        next.with_drift(self.drift, self.steps + next.steps)
    }

    /// The motion multiplied by a power of two.
    #[must_use]
    pub(crate) fn scaled_by(self, factor: f64) -> Self {
        let point = |Point { x, y }: Point| Point::new(x * factor, y * factor);
        let vector = |Vec2 { x, y }: Vec2| Vec2::new(x * factor, y * factor);
        Self {
            from: point(self.from),
            to: point(self.to),
            drift: vector(self.drift),
            drift_from: vector(self.drift_from),
            steps: self.steps,
        }
    }

    /// The opposite motion.
    #[must_use]
    pub const fn reversed(self) -> Self {
        Self {
            from: self.to,
            to: self.from,
            steps: -self.steps,
            ..self
        }
    }

    /// The motion, which must have no drift, as the edge between its two points: its direction, not rounded.
    pub(crate) fn path(self) -> Edge {
        debug_assert!(self.steps == 0.0, "a drift would be lost");
        Edge::new(self.from, self.to)
    }

    /// The motion as a vector, if that needs no rounding because it starts at the origin.
    pub fn vector(self) -> Option<Vec2> {
        (self.from == Point::ORIGIN && self.steps == 0.0).then(|| Vec2::new(self.to.x, self.to.y))
    }

    /// The motion as a vector, if that needs no rounding.
    pub fn exact_vector(self) -> Option<Vec2> {
        if self.steps != 0.0 {
            return None;
        }
        // The rounding error of a difference (Knuth); NaN where it overflows.
        let is_exact = |from: f64, to: f64| {
            let difference = to - from;
            let part = difference - to;
            (to - (difference - part)) - (from + part) == 0.0
        };
        let exact = is_exact(self.from.x, self.to.x) && is_exact(self.from.y, self.to.y);
        exact.then(|| self.rounded())
    }

    /// The motion rounded.
    pub fn rounded(self) -> Vec2 {
        Vec2::new(
            self.to.x - self.from.x + self.steps * (self.drift.x - self.drift_from.x),
            self.to.y - self.from.y + self.steps * (self.drift.y - self.drift_from.y),
        )
    }

    /// The absolute values of its two terms, summed and rounded.
    pub fn size(self) -> Vec2 {
        Vec2::new(
            (self.to.x - self.from.x).abs()
                + (self.steps * (self.drift.x - self.drift_from.x)).abs(),
            (self.to.y - self.from.y).abs()
                + (self.steps * (self.drift.y - self.drift_from.y)).abs(),
        )
    }

    /// The components, rounded, without overflow or underflow.
    pub(crate) fn wide(self) -> WideVector {
        let straight = WideVector::between(self.from, self.to);
        if self.steps == 0.0 {
            return straight;
        }
        let drift = WideVector::between(self.drift_from.into(), self.drift.into());
        straight + drift * WideFloat::from(self.steps)
    }
}

impl From<Vec2> for Motion {
    fn from(vector: Vec2) -> Self {
        Self::between(Point::ORIGIN, Point::new(vector.x, vector.y))
    }
}
