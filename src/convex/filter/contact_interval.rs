//! When two convex rings touch, as far as a support table can tell.

use super::swept_collision::swept_collision;
use crate::convex::table::lane_corners::Corners;
use crate::convex::table::support_table::{EdgeSupport, SupportTable};
use crate::predicates::bounds::error_bounds::{ACCURATE, box_error};
use crate::predicates::signs::time_order_filter::{LATER, is_before};
use crate::simd::lanes::{Lanes, Mask, Vectors};

/// The filter's answer for the times at which two rings touch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FilteredInterval<L: Lanes> {
    /// Where the answer is certain, and the times accurate.
    pub(crate) is_certain: L::Mask,
    /// Whether the rings touch at all.
    pub(crate) touch: L::Mask,
    /// From when until when, where they do.
    pub(crate) times: Vectors<L>,
}

impl<L: Lanes> FilteredInterval<L> {
    /// Lane by lane, one of two.
    #[inline(always)]
    pub(crate) fn choose(mask: L::Mask, yes: &Self, no: &Self) -> Self {
        Self {
            is_certain: mask.either(yes.is_certain, no.is_certain),
            touch: mask.either(yes.touch, no.touch),
            times: Vectors::choose(mask, yes.times, no.times),
        }
    }
}

/// The times at which the rings touch, the first moving by `velocity`.
///
/// They begin as a sweep's do. The origin leaves through the first edge whose line it crosses from
/// inside.
#[inline(always)]
pub(crate) fn contact_interval<L: Lanes, R: Corners<L> + ?Sized>(
    table: &SupportTable<'_, L, R>,
    velocity: Vectors<L>,
) -> FilteredInterval<L> {
    let speed = velocity.map(L::abs);
    let sweep = swept_collision(table, velocity, speed, true);
    let velocity_error = box_error(table.size, speed);
    let mut exit = Exit::new(table.edges, table.error, velocity, velocity_error);
    let open = sweep.will_intersect & !exit.is_certain;
    if open.any()
        && let Some(table) = table.on_grid(open, Some(velocity))
    {
        let zero = velocity_error.all(0.0);
        let error = table.error.same(zero).choose(zero, velocity_error);
        exit = Exit::new(table.edges, table.error, velocity, error);
    }
    // A moment of touching is left to the exact form, which gives it equal ends.
    let lasts = is_before(
        [sweep.time, exit.depth.all(1.0)],
        [exit.depth, exit.speed],
        LATER,
    );
    FilteredInterval {
        is_certain: sweep.is_certain & (!sweep.will_intersect | (exit.is_certain & lasts)),
        touch: sweep.will_intersect,
        times: Vectors::new(sweep.time, exit.depth / exit.speed),
    }
}

/// The exit of the origin from the difference: its distance from the edge that it leaves through, and its
/// speed towards this edge, both times the edge's length. Both are 1 if the origin is inside at the end of
/// the frame.
struct Exit<L: Lanes> {
    depth: L,
    speed: L,
    /// Where the time is accurate, and 1 only if it is cut by the end of the frame.
    is_certain: L::Mask,
}

impl<L: Lanes> Exit<L> {
    #[inline(always)]
    fn new(edges: &[EdgeSupport<L>], error: L, velocity: Vectors<L>, velocity_error: L) -> Self {
        let (zero, one) = (error.all(0.0), error.all(1.0));
        let (mut depth, mut speed) = (one, one);
        let mut is_cut = !zero.above(zero);
        for edge in edges {
            let its_speed = zero - edge.approach(velocity);
            let is_sooner = its_speed.above(velocity_error)
                & is_before([edge.overlap, its_speed], [depth, speed], 1.0);
            depth = is_sooner.choose(edge.overlap, depth);
            speed = is_sooner.choose(its_speed, speed);
            is_cut = is_cut & !is_sooner;
        }
        let mut is_certain = is_cut | is_before([depth, speed], [one, one], LATER);
        for edge in edges {
            let at_least = edge.overlap - error;
            let at_most = velocity_error - edge.approach(velocity);
            let is_sooner = is_before([at_least, at_most], [depth, speed], 1.0 + ACCURATE);
            is_certain = is_certain & !(at_most.above(zero) & is_sooner);
        }
        Self {
            depth,
            speed,
            is_certain,
        }
    }
}
