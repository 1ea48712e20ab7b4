//! Float filter for two convex rings with radii, one moving: the minimum translation that clears the sweep.

use super::sweep_mtv::{FilteredSweepMtv, sweep_mtv};
use super::swept_collision::{FilteredSweep, swept_collision};
use crate::convex::lane_corners::Corners;
use crate::convex::support_table::SupportTable;
use crate::simd::lanes::{Lanes, Vectors};

/// The minimum translation that clears a whole sweep of rings grown by radii of this sum, where the sweep of the rings
/// themselves certainly meets: theirs and the sum, along the same axis; zero where the grown rings never meet.
#[inline(always)]
pub(crate) fn rounded_sweep_mtv<L: Lanes, R: Corners<L> + ?Sized>(
    table: &SupportTable<'_, L, R>,
    sweep: &FilteredSweep<L>,
    velocity: Vectors<L>,
    radius: L,
) -> FilteredSweepMtv<L> {
    let cores = swept_collision(table, velocity, velocity.map(L::abs), true);
    let meet = cores.is_certain & cores.will_intersect & sweep.will_intersect;
    let mut mtv = sweep_mtv(table, velocity, meet);
    mtv.is_certain = !sweep.will_intersect | (meet & mtv.is_certain);
    mtv.measure.size = mtv.measure.size + radius;
    mtv
}
