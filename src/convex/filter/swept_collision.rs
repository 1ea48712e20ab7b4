//! Time of impact of two rings, as far as a support table can tell.

use crate::convex::table::lane_corners::Corners;
use crate::convex::table::support_table::{EdgeSupport, SupportTable, error_on_grid};
use crate::predicates::bounds::error_bounds::{ACCURATE, ROUNDINGS, box_error, certainly_positive};
use crate::predicates::numbers::verdict::Verdict;
use crate::predicates::signs::time_order_filter::is_before;
use crate::simd::lanes::{Lanes, Mask, Vectors};

/// The filter's answer to a sweep.
#[derive(Clone, Copy, Debug)]
pub struct FilteredSweep<L: Lanes> {
    /// Where the answer is certain, and the time accurate.
    pub(crate) is_certain: L::Mask,
    /// Whether the rings intersect at the start.
    pub(crate) intersects: L::Mask,
    /// Whether they intersect at some time.
    pub(crate) will_intersect: L::Mask,
    /// The time of impact, where they intersect.
    pub(super) time: L,
    /// The distance from the edge through which the origin enters the difference, and the speed
    /// towards it, both times the edge's length.
    gap: L,
    speed: L,
}

impl<L: Lanes> FilteredSweep<L> {
    /// The time of impact; infinite where there is none.
    #[inline(always)]
    pub(crate) fn time(&self) -> L {
        self.will_intersect
            .choose(self.time, self.time.all(f64::INFINITY))
    }

    /// Nothing certain, in as many lanes as `like` has.
    #[inline(always)]
    pub(crate) fn unknown(like: L) -> Self {
        let zero = like.all(0.0);
        let none = zero.above(zero);
        Self::known(none, none, none, zero)
    }

    /// Lane by lane, one of two.
    #[inline(always)]
    pub(crate) fn choose(mask: L::Mask, yes: &Self, no: &Self) -> Self {
        Self {
            is_certain: mask.either(yes.is_certain, no.is_certain),
            intersects: mask.either(yes.intersects, no.intersects),
            will_intersect: mask.either(yes.will_intersect, no.will_intersect),
            time: mask.choose(yes.time, no.time),
            gap: mask.choose(yes.gap, no.gap),
            speed: mask.choose(yes.speed, no.speed),
        }
    }

    /// An answer of which only the decisions and the time are known.
    #[inline(always)]
    pub(crate) fn known(
        is_certain: L::Mask,
        intersects: L::Mask,
        arrives: L::Mask,
        time: L,
    ) -> Self {
        let zero = time.all(0.0);
        Self {
            is_certain,
            intersects,
            will_intersect: intersects | arrives,
            time: intersects.choose(zero, time.smaller(zero.all(1.0))),
            gap: zero,
            speed: zero,
        }
    }

    /// Whether this is the edge through which the origin enters.
    #[inline(always)]
    pub(super) fn is_through(&self, edge: &EdgeSupport<L>, velocity: Vectors<L>) -> L::Mask {
        let gap = self.gap.all(0.0) - edge.overlap;
        gap.same(self.gap) & edge.approach(velocity).same(self.speed)
    }

    /// Whether the origin may enter through this edge, given the errors of overlaps and of speeds:
    /// not where it certainly crosses the edge's line before that of the edge found, or is already
    /// past it.
    #[inline(always)]
    pub(super) fn may_be_entry(
        &self,
        edge: &EdgeSupport<L>,
        error: L,
        velocity: Vectors<L>,
        velocity_error: L,
    ) -> L::Mask {
        let at_most = error - edge.overlap;
        let at_least = edge.approach(velocity) - velocity_error;
        let found = [self.gap - error, self.speed + velocity_error];
        at_most.above(error.all(0.0)) & !is_before([at_most, at_least], found, 1.0 + ROUNDINGS)
    }
}

/// Whether and when the origin meets the difference; `speed` bounds both components of the
/// velocity, which is exact if `is_exact`.
///
/// The rings meet if no edge has both ends of the path outside, and the difference lies on neither
/// side of the path: the normals of the sum of a shape and a segment are those of the shape and the
/// two across the segment. The origin enters through the last edge whose line it crosses from
/// outside.
#[inline(always)]
pub(crate) fn swept_collision<L: Lanes, R: Corners<L> + ?Sized>(
    table: &SupportTable<'_, L, R>,
    velocity: Vectors<L>,
    speed: Vectors<L>,
    is_exact: bool,
) -> FilteredSweep<L> {
    let velocity_error = box_error(table.size, speed);
    let sweep = sweep_with_error(table, velocity, velocity_error);
    let open = !sweep.is_certain;
    if open.any()
        && let Some(on_grid) = table.on_grid(open, None)
    {
        // Overlaps are exact even where products with the velocity are not.
        let error = if is_exact {
            error_on_grid(table.rings, table.size, Some(velocity), velocity_error)
        } else {
            velocity_error
        };
        return sweep_with_error(&on_grid, velocity, open.choose(error, velocity_error));
    }
    sweep
}

#[inline(always)]
fn sweep_with_error<L: Lanes, R: Corners<L> + ?Sized>(
    table: &SupportTable<'_, L, R>,
    velocity: Vectors<L>,
    velocity_error: L,
) -> FilteredSweep<L> {
    let error = table.error;
    let zero = error.all(0.0);
    let mut least = table.edges[0].swept_overlap(velocity);
    for edge in &table.edges[1..] {
        least = least.smaller(edge.swept_overlap(velocity));
    }
    let along = Verdict::at_least_zero(least, error + velocity_error);
    let [right, left] = overlaps_across(table, velocity);
    let across = Verdict::at_least_zero(right.smaller(left), velocity_error + velocity_error);
    let now = Verdict::at_least_zero(table.least_overlap(), error);
    let never = along.no | across.no;
    let will = along.yes & across.yes;

    let (mut gap, mut speed) = (zero, zero.all(1.0));
    for edge in table.edges {
        let (its_gap, its_speed) = (zero - edge.overlap, edge.approach(velocity));
        let is_later =
            is_before([gap, speed], [its_gap, its_speed], 1.0) & certainly_positive(its_gap, error);
        gap = is_later.choose(its_gap, gap);
        speed = is_later.choose(its_speed, speed);
    }
    // Accurate: no other edge is crossed later by more than the relative error allowed.
    let mut is_accurate = certainly_positive(gap, error);
    for edge in table.edges {
        let at_most = error - edge.overlap;
        let at_least = edge.approach(velocity) - velocity_error;
        let is_later = is_before([gap, speed], [at_most, at_least], 1.0 + ACCURATE);
        is_accurate = is_accurate & !(at_most.above(zero) & is_later);
    }
    FilteredSweep {
        is_certain: never | now.yes | (will & now.no & is_accurate),
        intersects: now.yes,
        will_intersect: now.yes | (will & !never),
        time: now.yes.choose(zero, (gap / speed).smaller(zero.all(1.0))),
        gap,
        speed,
    }
}

/// The overlaps of the two rings across a direction, to its right and to its left, times its
/// length.
#[inline(always)]
pub(super) fn overlaps_across<L: Lanes, R: Corners<L> + ?Sized>(
    table: &SupportTable<'_, L, R>,
    direction: Vectors<L>,
) -> [L; 2] {
    let (of_a, of_b) = table.edges.split_at(table.rings[0].count());
    let [low_a, high_a] = range_across(of_a, direction);
    let [low_b, high_b] = range_across(of_b, direction);
    [high_a - low_b, high_b - low_a]
}

/// How far the vertices of a ring lie to the left of the first vertex of `a`, at least and at most.
#[inline(always)]
fn range_across<L: Lanes>(edges: &[EdgeSupport<L>], direction: Vectors<L>) -> [L; 2] {
    let [mut low, mut high] = [direction.cross(edges[0].start); 2];
    for edge in &edges[1..] {
        let left = direction.cross(edge.start);
        (low, high) = (low.smaller(left), high.larger(left));
    }
    [low, high]
}
