//! How near two shapes come to each other, one moving.

use super::straight_approach::{ClosestApproach, straight_approach};
use super::swept_collision::meeting;
use crate::geom::Point;
use crate::shape::checked_shape::Shape;
use crate::shape::relative_motion::RelativeMotion;
use crate::shape::turning::turning_approach::turning_approach;

/// How near `a`, moving relative to `b`, comes to it within the frame.
pub fn closest_approach(
    a: &Shape<'_>,
    b: &Shape<'_>,
    motion: impl Into<RelativeMotion>,
) -> ClosestApproach {
    let motion = motion.into();
    let meeting = meeting(a, b, motion, 0.0);
    if meeting.will_intersect() {
        return ClosestApproach {
            distance: 0.0,
            time: meeting.time(),
            closest_a: Point::NAN,
            closest_b: Point::NAN,
        };
    }
    approach_apart(a, b, motion)
}

/// How near shapes come that don't meet within the frame.
pub fn approach_apart(a: &Shape<'_>, b: &Shape<'_>, motion: RelativeMotion) -> ClosestApproach {
    let motion = motion.of_shapes([a, b]);
    if motion.turns.is_some() {
        turning_approach(a, b, motion)
    } else {
        straight_approach([a, b], motion.offset, motion.velocity)
    }
}
