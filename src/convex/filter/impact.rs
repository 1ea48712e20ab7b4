//! How two rings touch when a moving one first does.

use super::axis::TINY;
use super::contact::{FilteredContact, contact};
use super::sat::sat;
use super::support::SupportTable;
use super::swept_collision::{FilteredSweep, has_rivals};
use crate::convex::ring::Corners;
use crate::predicates::compensated::{Compensated, SMALLEST, allowed, extent, is_usual};
use crate::simd::lanes::{Lanes, Mask, Vectors};

/// How two rings touch when they first do.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FilteredImpact<L: Lanes> {
    /// Where that is certain.
    pub(crate) is_certain: L::Mask,
    /// From the second to the first; zero where they never touch.
    pub(crate) normal: Vectors<L>,
    /// NaN where they never do.
    pub(crate) contact: [Vectors<L>; 2],
}

impl<L: Lanes> FilteredImpact<L> {
    #[inline(always)]
    fn choose(mask: L::Mask, yes: &Self, no: &Self) -> Self {
        let ([from, to], [no_from, no_to]) = (yes.contact, no.contact);
        Self {
            is_certain: mask.either(yes.is_certain, no.is_certain),
            normal: Vectors::choose(mask, yes.normal, no.normal),
            contact: [
                Vectors::choose(mask, from, no_from),
                Vectors::choose(mask, to, no_to),
            ],
        }
    }
}

/// How two rings touch at the start, if they overlap, or at the end of a path that is a vector to
/// the last digit: a vertex inside an edge, or it is not certain.
#[inline(always)]
pub(crate) fn impact<L: Lanes, R: Corners<L> + ?Sized>(
    table: &SupportTable<'_, L, R>,
    sweep: &FilteredSweep<L>,
    velocity: Vectors<L>,
) -> FilteredImpact<L> {
    let zero = table.error.all(0.0);
    let nowhere = Vectors::both(zero.all(f64::NAN));
    let never = FilteredImpact {
        is_certain: !sweep.will_intersect,
        normal: Vectors::both(zero),
        contact: [nowhere; 2],
    };
    let mut impact = never;
    let arrives = sweep.will_intersect & !sweep.intersects;
    if arrives.any() {
        impact = FilteredImpact::choose(arrives, &later_impact(table, sweep, velocity), &impact);
    }
    if sweep.intersects.any() {
        let (sat, axis) = sat(table);
        let FilteredContact { is_certain, ends } = contact(table, &axis, sweep.intersects);
        let now = FilteredImpact {
            is_certain: sat.is_certain & is_certain,
            normal: sat.measure.normal,
            contact: ends,
        };
        impact = FilteredImpact::choose(sweep.intersects, &now, &impact);
    }
    impact
}

#[inline(always)]
fn later_impact<L: Lanes, R: Corners<L> + ?Sized>(
    table: &SupportTable<'_, L, R>,
    sweep: &FilteredSweep<L>,
    velocity: Vectors<L>,
) -> FilteredImpact<L> {
    let zero = table.error.all(0.0);
    let (edge, is_of_a) = table.edge(
        #[inline(always)]
        |index| sweep.is_through(&table.reaches[index], velocity),
    );
    let is_only = !has_rivals(table, sweep, velocity);
    let (vertex, is_alone) = table.deepest(edge, is_of_a);
    let [start, end] = edge;
    // On the difference it runs from b to a, an edge of a backward.
    let line = [
        Vectors::choose(is_of_a, end, start),
        Vectors::choose(is_of_a, start, end),
    ];
    let gap = [
        Vectors::choose(is_of_a, vertex, start),
        Vectors::choose(is_of_a, start, vertex),
    ];
    let (way, is_accurate) = way(line, gap, velocity);
    // The other's vertex meets the edge; that of b rests.
    // A negative zero becomes a positive one.
    let place = Vectors::choose(is_of_a, vertex, vertex + way) + Vectors::both(zero);
    let (normal, has_length) = right_normal(line);
    FilteredImpact {
        is_certain: is_only
            & is_alone
            & passes_beside(velocity, [vertex, start])
            & passes_beside(velocity, [vertex, end])
            & has_length
            & (is_of_a | is_accurate),
        normal,
        contact: [place; 2],
    }
}

/// Whether one of two places, moving this way, certainly does not come upon the other.
#[inline(always)]
fn passes_beside<L: Lanes>(velocity: Vectors<L>, [from, to]: [Vectors<L>; 2]) -> L::Mask {
    let path = Compensated::exactly(velocity).turned_left();
    let (side, error) = path.dot(&Compensated::new(to, from));
    side.abs().above(error + error.all(SMALLEST))
}

/// How far a mover gets by the time it reaches a line, given by two of its points; the gap runs
/// from a point of the line to the mover. And whether that is accurate, and the mover comes to the
/// line from its right within the frame.
///
/// With `e` and `f` the errors of the distance and of the speed, the time is wrong by
/// `(e + time f) / speed` and a rounding, where `f` is small beside the speed.
#[inline(always)]
pub(crate) fn way<L: Lanes>(
    line: [Vectors<L>; 2],
    gap: [Vectors<L>; 2],
    velocity: Vectors<L>,
) -> (Vectors<L>, L::Mask) {
    let all = |number| velocity.x.all(number);
    let [from, to] = line;
    let [point, mover] = gap;
    let inward = Compensated::new(to, from).turned_left();
    let (before, error) = inward.dot(&Compensated::new(mover, point));
    let (speed, speed_error) = inward.dot(&Compensated::exactly(velocity));
    let distance = all(0.0) - before;
    let time = (distance / speed).smaller(all(1.0));
    let longest = velocity.x.abs().larger(velocity.y.abs());
    let extent = extent([from, to, point, mover]).larger(longest);
    let doubt = (error + time * speed_error) * longest;
    let is_accurate = is_usual(extent)
        & distance.above(error + all(SMALLEST))
        & speed.above(speed_error * all(64.0) + all(SMALLEST))
        & (allowed(extent, longest) * speed).above(doubt);
    (velocity.times(time), is_accurate)
}

/// The unit vector to the right of the line through two points, and whether floats can tell.
#[inline(always)]
pub(crate) fn right_normal<L: Lanes>([from, to]: [Vectors<L>; 2]) -> (Vectors<L>, L::Mask) {
    let along = to - from;
    let length_squared = along.length_squared();
    let all = |number| length_squared.all(number);
    let right = (from - to).turned_left();
    let has_length = length_squared.above(all(TINY)) & all(1.0 / TINY).above(length_squared);
    (right.times(all(1.0) / length_squared.sqrt()), has_length)
}
