//! How one shape moves relative to another.

use crate::geom::{Motion, Turn};

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
    /// The turns, if one is not zero.
    pub(super) fn real_turns(&self) -> Option<[Turn; 2]> {
        self.turns
            .filter(|turns| turns.iter().any(|turn| turn.angle != 0.0))
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
