//! Rotations during a frame.

use super::primitives::Point;

/// How a shape turns over a frame: about its center, which moves with the shape, uniformly in time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Turn {
    /// The angle in radians, counterclockwise; finite, and of absolute value 1e6 at most.
    pub angle: f64,
    /// The point that it turns about, where the shape is at the start.
    pub center: Point,
}
