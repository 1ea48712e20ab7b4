//! The result of a closest approach.

use crate::geom::Point;

/// The least distance of two shapes within a frame in which the first moves.
#[derive(Clone, Copy, Debug)]
pub struct ClosestApproach {
    /// The least distance; zero if they meet.
    pub distance: f64,
    /// When it is reached: where they meet, the first contact.
    pub time: f64,
    /// The point of the first shape nearest to the second at that time; NaN if they meet.
    pub closest_a: Point,
    /// The point of the second shape nearest to the first, where that is at the start; NaN if they meet.
    pub closest_b: Point,
}

impl ClosestApproach {
    /// The answer for shapes that meet at this time.
    pub(super) const fn meeting(time: f64) -> Self {
        Self {
            distance: 0.0,
            time,
            closest_a: Point::NAN,
            closest_b: Point::NAN,
        }
    }
}
