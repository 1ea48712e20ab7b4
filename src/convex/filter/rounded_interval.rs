//! Float filter for two convex rings with radii, one moving: from when until when they touch.

use super::contact_interval::FilteredInterval;
use super::rounded_sweep::{EntryFeatures, rounded_sweep};
use crate::convex::table::lane_corners::Corners;
use crate::convex::table::support_table::SupportTable;
use crate::predicates::BEFORE_END;
use crate::predicates::bounds::error_bounds::box_error;
use crate::predicates::bounds::swept_circle_filter::{A_MOMENT, EARLY, is_time_of_displaced_known};
use crate::simd::lanes::{Lanes, Mask, Vectors};

/// When two rings of a table, grown by radii of this sum, touch while the first moves by a velocity, which is exact.
///
/// They leave each other when they meet in the reverse motion, from the end of the frame.
#[inline(always)]
pub(crate) fn rounded_interval<L: Lanes, R: Corners<L> + ?Sized>(
    table: &SupportTable<'_, L, R>,
    velocity: Vectors<L>,
    radius: L,
) -> FilteredInterval<L> {
    let (zero, one) = (radius.all(0.0), radius.all(1.0));
    let (enter, _) = rounded_sweep(table, velocity, radius, None);
    let mut interval = FilteredInterval {
        is_certain: enter.is_certain & !enter.will_intersect,
        touch: enter.will_intersect,
        times: Vectors::both(zero),
    };
    if !(enter.is_certain & enter.will_intersect).any() {
        return interval;
    }
    let speed = velocity.map(L::abs);
    // Twice as large as need be: for the rounding of the displaced vectors.
    let size = (table.size + speed).times(zero.all(2.0));
    let displaced = SupportTable {
        size,
        error: box_error(size, size),
        ..*table
    };
    let (leave, features) = rounded_sweep(&displaced, velocity.reversed(), radius, Some(velocity));
    let is_accurate = match features {
        Some(features) => leave.intersects | features.has_accurate_time(velocity, radius, size),
        None => leave.intersects,
    };
    // 1 only where they touch at the end of the frame.
    let before_end = (one - leave.time()).smaller(zero.all(BEFORE_END));
    let last = leave.intersects.choose(one, before_end);
    // A moment of touching is left to the exact form, which gives it equal ends.
    let lasts = (last - enter.time()).above(zero.all(A_MOMENT)) & last.above(zero.all(EARLY));
    interval.is_certain = interval.is_certain
        | (enter.is_certain
            & enter.will_intersect
            & leave.is_certain
            & leave.will_intersect
            & is_accurate
            & lasts);
    interval.times = Vectors::new(enter.time(), last);
    interval
}

impl<L: Lanes> EntryFeatures<L> {
    /// Whether the time at which these meet is known to 1e-10, of a ring that is displaced at the start.
    #[inline(always)]
    fn has_accurate_time(&self, velocity: Vectors<L>, radius: L, size: Vectors<L>) -> L::Mask {
        let speed = self.normal.dot(velocity).abs();
        self.is_at_edge | is_time_of_displaced_known(speed, radius, size)
    }
}
