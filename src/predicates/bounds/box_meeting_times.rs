//! Bounds of the times at which two boxes, one of which moves, first and last meet. All roundings widen a bound, so that
//! what it excludes is certain.
//!
//! `tests/core/bounds.rs` holds each function against rationals, and `tests/core/rounding_counts.rs` counts the
//! roundings.

use super::conservative_boxes::{ABOVE, BELOW, UNDERFLOW, range};
use crate::geom::{Bounds, Motion};

impl Bounds {
    /// A lower bound of the time in the frame at which this box, moving by `velocity`, first meets
    /// another; infinite if it does not.
    #[inline]
    pub fn meeting_time_below(&self, other: &Self, velocity: Motion) -> f64 {
        let times = self.meeting_times(other, velocity);
        times.map_or(f64::INFINITY, |[first, _]| first)
    }

    /// A lower bound of the time at which this box, moving by `velocity`, first meets another, and an upper bound of that
    /// at which it last does; `None` if it does not.
    #[inline]
    pub fn meeting_times(&self, other: &Self, velocity: Motion) -> Option<[f64; 2]> {
        let [low, high] = range(velocity);
        let (near, far) = (other.min - self.max, other.max - self.min);
        let (enter_x, exit_x) = crossing_times([near.x, far.x], [low.x, high.x]);
        let (enter_y, exit_y) = crossing_times([near.y, far.y], [low.y, high.y]);
        let enter = enter_x.max(enter_y).max(0.0);
        let exit = exit_x.min(exit_y).min(1.0);
        // A comparison with NaN is false, so that NaN never excludes a contact.
        if enter > exit {
            None
        } else {
            Some([enter, exit])
        }
    }
}

/// Bounds of the times at which a point that starts at 0 enters and leaves `near..=far`, at a speed
/// between `low` and `high`: a lower bound of the first and an upper bound of the second. A difference, the quotient
/// and the factor make three roundings.
#[inline]
fn crossing_times([near, far]: [f64; 2], [low, high]: [f64; 2]) -> (f64, f64) {
    let begin = |enter: f64| (if enter > 0.0 { enter * BELOW } else { enter }) - UNDERFLOW;
    let end = |exit: f64| (if exit > 0.0 { exit * ABOVE } else { exit }) + UNDERFLOW;
    if low > 0.0 {
        let enter = near / if near > 0.0 { high } else { low };
        return (begin(enter), end(far / if far > 0.0 { low } else { high }));
    }
    if high < 0.0 {
        let enter = far / if far < 0.0 { low } else { high };
        return (
            begin(enter),
            end(near / if near < 0.0 { high } else { low }),
        );
    }
    // The speed may be zero, so that it may never leave; it enters first at the largest speed.
    let enter = if near > 0.0 {
        near / high.abs()
    } else if far < 0.0 {
        far.abs() / low.abs()
    } else {
        f64::NEG_INFINITY
    };
    (begin(enter), f64::INFINITY)
}
