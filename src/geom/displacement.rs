//! Displacements, kept as unrounded sums.

use super::motion::Motion;
use super::primitives::{Edge, Point, Vec2};

/// `to - from + shift`, not rounded: a motion is never added to a coordinate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Displacement {
    /// The start.
    pub from: Point,
    /// The end, without the shift.
    pub to: Point,
    /// A motion of the end, if any.
    pub shift: Option<Motion>,
}

impl Displacement {
    /// `to - from + shift`.
    #[inline(always)]
    pub const fn new(from: Point, to: Point, shift: Option<Motion>) -> Self {
        Self { from, to, shift }
    }

    /// `to - from`.
    pub const fn between(from: Point, to: Point) -> Self {
        Self::new(from, to, None)
    }

    /// This displacement with its shift replaced by `shift`.
    #[must_use]
    pub const fn shifted(self, shift: Motion) -> Self {
        Self {
            shift: Some(shift),
            ..self
        }
    }

    /// The displacement rounded.
    #[inline(always)]
    pub fn rounded(self) -> Vec2 {
        (self.to - self.from) + self.shift.map_or(Vec2::ZERO, Motion::rounded)
    }

    /// This displacement after its end moved by `velocity`.
    #[must_use]
    pub fn after(self, velocity: Motion) -> Self {
        self.shifted(self.shift.map_or(velocity, |shift| shift.then(velocity)))
    }
}

impl Edge {
    /// `end - start`.
    pub const fn displacement(self) -> Displacement {
        Displacement::between(self.start, self.end)
    }
}

impl Motion {
    /// The motion as a displacement.
    pub fn displacement(self) -> Displacement {
        let straight = Displacement::between(self.from, self.to);
        if self.steps == 0.0 {
            straight
        } else {
            straight.shifted(Self {
                from: Point::ORIGIN,
                to: Point::ORIGIN,
                ..self
            })
        }
    }
}

impl From<Edge> for Displacement {
    #[inline(always)]
    fn from(edge: Edge) -> Self {
        edge.displacement()
    }
}

impl From<Motion> for Displacement {
    #[inline(always)]
    fn from(motion: Motion) -> Self {
        motion.displacement()
    }
}
