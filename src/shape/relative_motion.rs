//! How one shape moves relative to another.

use super::checked_shape::Shape;
use crate::geom::{Motion, Turn, Vec2};

/// Slightly more than a full turn.
const FULL_TURN: f64 = 6.283_186;

/// The motion of one shape relative to another within a frame.
#[derive(Clone, Copy, Debug)]
pub struct RelativeMotion {
    /// The displacement at the start, if any.
    pub offset: Option<Motion>,
    /// The displacement over the frame; of shapes that turn, of the first one's center relative to the
    /// second one's.
    pub velocity: Motion,
    /// How the first shape and the second turn, if they do.
    pub turns: Option<[Turn; 2]>,
}

impl RelativeMotion {
    /// This motion of shapes that also turn.
    #[must_use]
    pub fn turning(self, turns: [Turn; 2]) -> Self {
        Self {
            turns: Turn::of_both(turns),
            ..self
        }
    }

    /// This motion of these shapes: a point about itself does not turn. Where a shape does not turn,
    /// its center has no meaning, and is put near it.
    pub(super) fn of_shapes(self, shapes: [&Shape<'_>; 2]) -> Self {
        let Some(turns) = self.turns else {
            return self;
        };
        self.turning([0, 1].map(|side: usize| {
            let (turn, bounds) = (turns[side], shapes[side].bounds());
            let is_about_itself = bounds.min == turn.center && bounds.max == turn.center;
            if turn.angle != 0.0 && !is_about_itself {
                return turn;
            }
            Turn {
                center: bounds.min,
                angle: 0.0,
            }
        }))
    }

    /// How the first shape and the second turn; by an angle of zero, if neither does.
    pub(super) fn both_turns(&self) -> [Turn; 2] {
        self.turns.unwrap_or([Turn::NONE; 2])
    }

    /// A time after which nothing new happens: at most that of a full turn, if nothing else moves.
    pub(super) fn period(&self) -> f64 {
        let [turn_a, turn_b] = self.both_turns().map(|it| it.angle.abs());
        if self.velocity.size() == Vec2::ZERO && turn_a.min(turn_b) == 0.0 {
            (FULL_TURN / turn_a.max(turn_b)).min(1.0)
        } else {
            1.0
        }
    }
}

impl<M: Into<Motion>> From<M> for RelativeMotion {
    fn from(velocity: M) -> Self {
        Self {
            offset: None,
            velocity: velocity.into(),
            turns: None,
        }
    }
}
