//! Turns about a center.

use super::primitives::Point;

/// How a shape turns over a frame, uniformly in time. A point `p` of the shape is at
/// `center + R(t * angle) * (p - center)` at time `t`, plus what the center has moved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Turn {
    /// The angle over the whole frame, in radians, counterclockwise; of at most [`Self::MOST`].
    pub angle: f64,
    /// The position of the center of rotation at the start.
    pub center: Point,
}

impl Turn {
    /// No turn.
    pub const NONE: Self = Self {
        angle: 0.0,
        center: Point::ORIGIN,
    };

    /// The largest angle, in either direction.
    pub const MOST: f64 = 1e6;

    /// The turn by an angle; none, if the angle is 0.
    pub fn new(angle: f64, center: Point) -> Self {
        if angle == 0.0 {
            Self::NONE
        } else {
            Self { angle, center }
        }
    }

    /// The turns of two shapes; `None` if neither turns.
    pub fn of_both(turns: [Self; 2]) -> Option<[Self; 2]> {
        let turns_at_all = turns.iter().any(|turn| turn.angle != 0.0);
        turns_at_all.then_some(turns)
    }

    /// This turn. If the angle is 0, the center has no meaning and is replaced by the given one.
    #[must_use]
    pub fn or_about(self, center: Point) -> Self {
        match self.angle {
            0.0 => Self { center, ..self },
            _ => self,
        }
    }

    /// Whether a call about so many vertices, one shape of which turns by this angle, must be open to interrupts. Pairs of
    /// vertices and edges that all but touch are searched with big numbers, in milliseconds each, once in each full turn.
    pub fn is_long(angle: f64, vertices: usize) -> bool {
        angle != 0.0 && (vertices > 32 || angle.abs() > 100.0)
    }

    /// Whether a turn can have this angle; NaN can't be one.
    pub fn is_angle(angle: f64) -> bool {
        angle.abs() <= Self::MOST
    }
}
