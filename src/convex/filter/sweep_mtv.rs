//! The minimum translation that clears a whole sweep of one ring from another, with radii or without, as far as a
//! support table can tell.

use super::swept_collision::{FilteredSweep, overlaps_across, swept_collision};
use crate::convex::table::axis::{Axis, LeastOverlap, Measure};
use crate::convex::table::lane_corners::Corners;
use crate::convex::table::support_table::{EdgeSupport, SupportTable};
use crate::predicates::bounds::error_bounds::{BEYOND_ANY_OVERLAP, box_error, error_along};
use crate::predicates::numbers::verdict::Verdict;
use crate::simd::lanes::{Lanes, Mask, Vectors};

/// The filter's answer for the minimum translation that clears a sweep.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FilteredSweepMtv<L: Lanes> {
    /// Where the answer is certain, and its numbers accurate.
    pub(crate) is_certain: L::Mask,
    /// Where the rings meet at some time; the other lanes are not computed.
    meets: L::Mask,
    /// Along the axis of least overlap.
    measure: Measure<L>,
}

impl<L: Lanes> FilteredSweepMtv<L> {
    /// The minimum translation; zero where the rings never meet.
    #[inline(always)]
    pub(crate) fn mtv(&self) -> Vectors<L> {
        let zero = Vectors::both(self.measure.size.all(0.0));
        Vectors::choose(self.meets, self.measure.translation(), zero)
    }
}

/// The axis of least overlap of a sweep, where the rings meet. The velocity is exact.
#[inline(always)]
pub(crate) fn sweep_mtv<L: Lanes, R: Corners<L> + ?Sized>(
    table: &SupportTable<'_, L, R>,
    velocity: Vectors<L>,
    meets: L::Mask,
) -> FilteredSweepMtv<L> {
    if !meets.any() {
        let zero = table.error.all(0.0);
        return FilteredSweepMtv {
            is_certain: !meets,
            meets,
            measure: Measure {
                size: zero,
                normal: Vectors::both(zero),
            },
        };
    }
    let velocity_error = box_error(table.size, velocity.map(L::abs));
    let filtered = mtv_with_error(table, velocity, velocity_error, meets);
    let open = !filtered.is_certain;
    if open.any()
        && let Some(table) = table.on_grid(open, Some(velocity))
    {
        let zero = velocity_error.all(0.0);
        let error = table.error.same(zero).choose(zero, velocity_error);
        return mtv_with_error(&table, velocity, error, meets);
    }
    filtered
}

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

#[inline(always)]
fn mtv_with_error<L: Lanes, R: Corners<L> + ?Sized>(
    table: &SupportTable<'_, L, R>,
    velocity: Vectors<L>,
    velocity_error: L,
    meets: L::Mask,
) -> FilteredSweepMtv<L> {
    let speed = velocity.map(L::abs);
    let [right, left] = overlaps_across(table, velocity);
    let sides = [
        axis_across(right, velocity, velocity_error),
        axis_across(left, velocity.reversed(), velocity_error),
    ];
    let error = table.error + velocity_error;
    let count = table.edges.len() + 2;
    let least = LeastOverlap::of(
        count,
        #[inline(always)]
        |index| sweep_axis(table.edges, &sides, velocity, error, index),
    );
    let mut is_least = least.is_certain(least.overlap, error + velocity_error);
    if (meets & !is_least).any() {
        let mut as_good_as_all = least.compares_normal_numbers();
        for index in 0..count {
            let other = sweep_axis(table.edges, &sides, velocity, error, index).depth;
            let [may_be, as_good] = least.axis.depth.rivals(&other);
            let overlaps = Verdict::at_least_zero(other.overlap, other.error).yes;
            as_good_as_all = as_good_as_all & overlaps & (!may_be | as_good);
        }
        is_least = is_least | as_good_as_all;
    }
    let direction = least.axis.direction;
    let error = error_along(direction, table.size) + error_along(direction, speed);
    FilteredSweepMtv {
        is_certain: !meets | (is_least & least.axis.is_accurate(error)),
        meets,
        measure: Measure::of(&least.axis),
    }
}

/// The two axes across the path, then those of the edges.
#[inline(always)]
fn sweep_axis<L: Lanes>(
    edges: &[EdgeSupport<L>],
    sides: &[Axis<L>; 2],
    velocity: Vectors<L>,
    error: L,
    index: usize,
) -> Axis<L> {
    if index < 2 {
        return sides[index];
    }
    let edge = &edges[index - 2];
    Axis::new(edge.direction, edge.swept_overlap(velocity), error)
}

/// The axis across a path. A path of length zero has none: its axis has more overlap than any edge.
#[inline(always)]
fn axis_across<L: Lanes>(overlap: L, path: Vectors<L>, error: L) -> Axis<L> {
    let zero = overlap.all(0.0);
    let is_still = path.x.same(zero) & path.y.same(zero);
    let overlap = is_still.choose(zero.all(BEYOND_ANY_OVERLAP), overlap);
    let x = is_still.choose(zero.all(1.0), path.x);
    Axis::new(Vectors { x, y: path.y }, overlap, error + error)
}
