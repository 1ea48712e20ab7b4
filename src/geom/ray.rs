//! Rays.

use super::primitives::{Point, Vec2};

/// The points `origin + t * direction` for `t` from 0 on; a single point if the direction is zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// The point at time 0.
    pub origin: Point,
    /// The displacement in a unit of time.
    pub direction: Vec2,
}
