//! Whether, and when, a moving shape meets another, and the way out of the whole sweep.

use super::axis::{ACCURATE, Axis, LeastOverlap, Measure, ROUNDINGS, is_accurate};
use super::support::{EdgeSupport, SupportTable, Verdict};
use crate::convex::ring::Corners;
use crate::predicates::error_bounds::{box_error, error_along};
use crate::simd::lanes::{Lanes, Mask, Vectors};

/// More than any usual overlap, and little enough that products with it stay finite (2^250).
const FAR: f64 = f64::from_bits((1023 + 250) << 52);

/// What is known of a sweep.
#[derive(Clone, Copy, Debug)]
pub struct FilteredSweep<L: Lanes> {
    /// Where the answer is certain, and the time accurate.
    pub(crate) is_certain: L::Mask,
    /// Whether they intersect at the start.
    pub(crate) intersects: L::Mask,
    /// Whether they intersect at some time.
    pub(crate) will_intersect: L::Mask,
    /// The first time, if they do.
    pub(super) time: L,
    /// How far outside the edge through which the path enters, and how fast it comes to it, both
    /// times the edge's length.
    pub(super) gap: L,
    pub(super) pace: L,
}

impl<L: Lanes> FilteredSweep<L> {
    /// The time of the first contact; infinite where there is none.
    #[inline(always)]
    pub(crate) fn time(&self) -> L {
        self.will_intersect
            .choose(self.time, self.time.all(f64::INFINITY))
    }

    #[inline(always)]
    fn choose(mask: L::Mask, yes: &Self, no: &Self) -> Self {
        Self {
            is_certain: mask.either(yes.is_certain, no.is_certain),
            intersects: mask.either(yes.intersects, no.intersects),
            will_intersect: mask.either(yes.will_intersect, no.will_intersect),
            time: mask.choose(yes.time, no.time),
            gap: mask.choose(yes.gap, no.gap),
            pace: mask.choose(yes.pace, no.pace),
        }
    }
}

/// Whether and when the origin meets the difference, moving by a velocity of no more than this
/// speed in either component; whether the velocity is such to the last digit.
///
/// It does if no edge has both its ends outside, and the difference lies on neither side of the
/// path: the normals of the sum of a shape and a segment are those of the shape and the two across
/// the segment. It enters through the last of the edges that it comes to from outside.
#[inline(always)]
pub(crate) fn swept_collision<L: Lanes, R: Corners<L> + ?Sized>(
    table: &SupportTable<'_, L, R>,
    velocity: Vectors<L>,
    speed: Vectors<L>,
    is_given: bool,
) -> FilteredSweep<L> {
    let sweep = rounded_sweep(table, velocity, speed);
    if (!sweep.is_certain).any()
        && is_given
        && let Some(exact) = table.on_grid(velocity)
    {
        let exact = rounded_sweep(&exact, velocity, speed);
        return FilteredSweep::choose(sweep.is_certain, &sweep, &exact);
    }
    sweep
}

#[inline(always)]
fn rounded_sweep<L: Lanes, R: Corners<L> + ?Sized>(
    table: &SupportTable<'_, L, R>,
    velocity: Vectors<L>,
    speed: Vectors<L>,
) -> FilteredSweep<L> {
    let zero = table.error.all(0.0);
    let one = zero.all(1.0);
    let is_exact = table.error.same(zero);
    let doubt = is_exact.choose(zero, box_error(table.size, speed));
    let mut least = table.reaches[0].farthest(velocity);
    for reach in &table.reaches[1..] {
        least = least.smaller(reach.farthest(velocity));
    }
    let along = Verdict::reached(least, table.error + doubt);
    let [right, left] = table.widths(velocity);
    let across = Verdict::reached(right.smaller(left), doubt + doubt);
    let now = Verdict::reached(table.least_overlap(), table.error);
    let never = along.no | across.no;
    let will = along.yes & across.yes;

    let (mut gap, mut pace) = (zero, one);
    for reach in table.reaches {
        let (its_gap, its_pace) = (zero - reach.overlap, reach.approach(velocity));
        let is_later = (its_gap * pace).above(gap * its_pace) & its_gap.above(table.error);
        gap = is_later.choose(its_gap, gap);
        pace = is_later.choose(its_pace, pace);
    }
    let mut is_last = gap.above(table.error);
    let scale = one + one.all(ACCURATE);
    for reach in table.reaches {
        let at_most = table.error - reach.overlap;
        let at_least = reach.approach(velocity) - doubt;
        let is_inside = !(at_most.above(zero));
        let is_earlier = !(at_most * pace).above(gap * at_least * scale);
        is_last = is_last & (is_inside | is_earlier);
    }
    FilteredSweep {
        is_certain: never | now.yes | (will & now.no & is_last),
        intersects: now.yes,
        will_intersect: now.yes | (will & !never),
        time: now.yes.choose(zero, (gap / pace).smaller(one)),
        gap,
        pace,
    }
}

/// Whether the path may enter last through another edge than the one that was found.
#[inline(always)]
pub(super) fn has_rivals<L: Lanes, R: ?Sized>(
    table: &SupportTable<'_, L, R>,
    sweep: &FilteredSweep<L>,
    velocity: Vectors<L>,
) -> L::Mask {
    let zero = table.error.all(0.0);
    let none = zero.above(zero);
    let doubt = box_error(table.size, velocity.map(L::abs));
    let (at_least, at_most) = (sweep.gap - table.error, sweep.pace + doubt);
    let scale = zero.all(1.0 + ROUNDINGS);
    let [mut is_found, mut has_rivals] = [none; 2];
    for reach in table.reaches {
        let is_itself = sweep.is_through(reach, velocity) & !is_found;
        is_found = is_found | is_itself;
        let its_gap = table.error - reach.overlap;
        let its_pace = reach.approach(velocity) - doubt;
        let is_inside = !its_gap.above(zero);
        let is_earlier = (at_least * its_pace).above(its_gap * at_most * scale);
        has_rivals = has_rivals | !(is_itself | is_inside | is_earlier);
    }
    has_rivals
}

impl<L: Lanes> FilteredSweep<L> {
    /// Whether it is this edge that the path enters through.
    #[inline(always)]
    pub(super) fn is_through(&self, reach: &EdgeSupport<L>, velocity: Vectors<L>) -> L::Mask {
        let gap = self.gap.all(0.0) - reach.overlap;
        gap.same(self.gap) & reach.approach(velocity).same(self.pace)
    }
}

impl<L: Lanes> EdgeSupport<L> {
    /// How fast the origin comes from outside, times the edge's length.
    #[inline(always)]
    pub(super) fn approach(&self, velocity: Vectors<L>) -> L {
        self.direction.cross(velocity)
    }

    /// The overlap at the start or at the end, whichever is more.
    #[inline(always)]
    fn farthest(&self, velocity: Vectors<L>) -> L {
        self.overlap + self.approach(velocity).larger(self.overlap.all(0.0))
    }
}

impl<L: Lanes, R: Corners<L> + ?Sized> SupportTable<'_, L, R> {
    /// How far the first ring's leftmost vertex lies to the left of the second's rightmost, seen
    /// along a direction and times its length; and the same with left and right exchanged.
    #[inline(always)]
    fn widths(&self, direction: Vectors<L>) -> [L; 2] {
        let (of_a, of_b) = self.reaches.split_at(self.rings[0].count());
        let [low_a, high_a] = range(of_a, direction);
        let [low_b, high_b] = range(of_b, direction);
        [high_a - low_b, high_b - low_a]
    }
}

/// How far the vertices of a ring lie to the left of the first ring's first, at least and at most.
#[inline(always)]
fn range<L: Lanes>(reaches: &[EdgeSupport<L>], direction: Vectors<L>) -> [L; 2] {
    let [mut low, mut high] = [direction.cross(reaches[0].start); 2];
    for reach in &reaches[1..] {
        let left = direction.cross(reach.start);
        (low, high) = (low.smaller(left), high.larger(left));
    }
    [low, high]
}

/// What is known of the way out of a whole sweep.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FilteredClearance<L: Lanes> {
    /// Where the answer is certain, and its numbers accurate.
    pub(crate) is_certain: L::Mask,
    /// Where they meet at all; nothing else is looked at.
    meets: L::Mask,
    /// Along the axis of least overlap.
    pub(super) measure: Measure<L>,
}

impl<L: Lanes> FilteredClearance<L> {
    /// The way out; zero where they never meet.
    #[inline(always)]
    pub(crate) fn mtv(&self) -> Vectors<L> {
        let nothing = Vectors::both(self.measure.size.all(0.0));
        Vectors::choose(self.meets, self.measure.translation(), nothing)
    }
}

/// The axis of least overlap of a sweep, of those that meet.
#[inline(always)]
pub(crate) fn sweep_clearance<L: Lanes, R: Corners<L> + ?Sized>(
    table: &SupportTable<'_, L, R>,
    velocity: Vectors<L>,
    meets: L::Mask,
) -> FilteredClearance<L> {
    let zero = table.error.all(0.0);
    if !meets.any() {
        return FilteredClearance {
            is_certain: !meets,
            meets,
            measure: Measure {
                size: zero,
                normal: Vectors::both(zero),
            },
        };
    }
    let clearance = rounded_clearance(table, velocity, meets);
    if (!clearance.is_certain).any()
        && let Some(exact) = table.on_grid(velocity)
    {
        let exact = rounded_clearance(&exact, velocity, meets);
        let measure = Measure::choose(clearance.is_certain, &clearance.measure, &exact.measure);
        let is_certain = clearance.is_certain | exact.is_certain;
        return FilteredClearance {
            is_certain,
            meets,
            measure,
        };
    }
    clearance
}

#[inline(always)]
fn rounded_clearance<L: Lanes, R: Corners<L> + ?Sized>(
    table: &SupportTable<'_, L, R>,
    velocity: Vectors<L>,
    meets: L::Mask,
) -> FilteredClearance<L> {
    let zero = table.error.all(0.0);
    let is_exact = table.error.same(zero);
    let speed = Vectors {
        x: velocity.x.abs(),
        y: velocity.y.abs(),
    };
    let doubt = is_exact.choose(zero, box_error(table.size, speed));
    let [right, left] = table.widths(velocity);
    let reversed = Vectors {
        x: zero - velocity.x,
        y: zero - velocity.y,
    };
    let axes = SweepAxes {
        sides: [side(right, velocity, doubt), side(left, reversed, doubt)],
        reaches: table.reaches,
        velocity,
        error: table.error + doubt,
    };
    let count = table.reaches.len() + 2;
    let least = LeastOverlap::of(
        count,
        #[inline(always)]
        |index| axes.axis(index),
    );
    let axis = least.axis;
    let mut is_sure = least.is_clear(table.error + doubt + doubt);
    if (meets & !is_sure).any() {
        let mut as_good_as_all = least.is_usual();
        for index in 0..count {
            let other = axes.axis(index);
            let [may_be, as_good] = axis.rivals(&other);
            let overlaps = Verdict::reached(other.overlap, other.error).yes;
            as_good_as_all = as_good_as_all & overlaps & (!may_be | as_good);
        }
        is_sure = is_sure | as_good_as_all;
    }
    let error = error_along(axis.direction, table.size) + error_along(axis.direction, speed);
    FilteredClearance {
        is_certain: !meets | (is_sure & is_accurate(&axis, error)),
        meets,
        measure: Measure::of(&axis),
    }
}

/// The axes along which a shape may get out of a sweep.
struct SweepAxes<'r, L> {
    sides: [Axis<L>; 2],
    reaches: &'r [EdgeSupport<L>],
    velocity: Vectors<L>,
    error: L,
}

impl<L: Lanes> SweepAxes<'_, L> {
    #[inline(always)]
    fn axis(&self, index: usize) -> Axis<L> {
        match index {
            0 | 1 => self.sides[index],
            _ => {
                let reach = self.reaches[index - 2];
                Axis::new(reach.direction, reach.farthest(self.velocity), self.error)
            }
        }
    }
}

/// The axis across a path. Without a path there is none, and no depth is below that of an edge.
#[inline(always)]
fn side<L: Lanes>(overlap: L, path: Vectors<L>, doubt: L) -> Axis<L> {
    let zero = overlap.all(0.0);
    let is_still = path.x.same(zero) & path.y.same(zero);
    let overlap = is_still.choose(zero.all(FAR), overlap);
    let x = is_still.choose(zero.all(1.0), path.x);
    Axis::new(Vectors { x, y: path.y }, overlap, doubt + doubt)
}
