//! Contact normal and points of a sweep of rings, with radii or without, as far as floats can tell.

use super::contact::{FilteredContact, contact};
use super::sat::{FilteredSat, sat, sat_of_cores};
use super::swept_collision::FilteredSweep;
use crate::convex::lane_corners::Corners;
use crate::convex::support_table::SupportTable;
use crate::predicates::compensated_differences::{Compensated, Rounded, extent, is_accurate_time};
use crate::predicates::error_bounds::{SMALLEST_SQUARED_LENGTH, box_error};
use crate::simd::lanes::{Lanes, Mask, Vectors};

/// Normal and points of the first contact.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FilteredImpact<L: Lanes> {
    /// Where they are certain, and accurate.
    pub(crate) is_certain: L::Mask,
    /// From the second shape to the first; zero where they never touch.
    pub(crate) normal: Vectors<L>,
    /// NaN where they never touch.
    pub(crate) contact: [Vectors<L>; 2],
}

/// How two rings touch at the start, if they overlap, or when they first meet. The velocity is
/// exact. Of later contacts only those of a vertex inside an edge are certain.
#[inline(always)]
pub(crate) fn impact<L: Lanes, R: Corners<L> + ?Sized>(
    table: &SupportTable<'_, L, R>,
    sweep: &FilteredSweep<L>,
    velocity: Vectors<L>,
) -> FilteredImpact<L> {
    let mut impact = FilteredImpact::never(sweep);
    let is_later = sweep.will_intersect & !sweep.intersects;
    if is_later.any() {
        let later = later_impact(table, sweep, velocity);
        impact = FilteredImpact {
            is_certain: is_later.either(later.is_certain, impact.is_certain),
            normal: Vectors::choose(is_later, later.normal, impact.normal),
            contact: [Vectors::choose(is_later, later.contact[0], impact.contact[0]); 2],
        };
    }
    if sweep.intersects.any() {
        let (sat, axis) = sat(table);
        impact = impact.at_start(sweep, &sat, &contact(table, &axis, sweep.intersects));
    }
    impact
}

/// How two rings with these radii touch at the start, where `radius` is the sum of the radii and a margin. How they touch
/// later is left to the exact form.
#[inline(always)]
pub(crate) fn rounded_impact<L: Lanes, R: Corners<L> + ?Sized>(
    table: &SupportTable<'_, L, R>,
    sweep: &FilteredSweep<L>,
    radius: L,
    radii: [L; 2],
) -> FilteredImpact<L> {
    let impact = FilteredImpact::never(sweep);
    if !sweep.intersects.any() {
        return impact;
    }
    let (cores, axis, mut sat) = sat_of_cores(table, Some(radius));
    // The contact of cores that are apart is left to the exact form, too.
    sat.is_certain = sat.is_certain & cores.intersects;
    let contact = contact(table, &axis, cores.intersects);
    impact.at_start(sweep, &sat, &contact.rounded(sat.measure.normal, radii))
}

impl<L: Lanes> FilteredImpact<L> {
    /// The answer where they never touch.
    #[inline(always)]
    fn never(sweep: &FilteredSweep<L>) -> Self {
        let zero = sweep.time.all(0.0);
        Self {
            is_certain: !sweep.will_intersect,
            normal: Vectors::both(zero),
            contact: [Vectors::both(zero.all(f64::NAN)); 2],
        }
    }

    /// This answer, but for rings that overlap at the start.
    #[inline(always)]
    fn at_start(
        &self,
        sweep: &FilteredSweep<L>,
        sat: &FilteredSat<L>,
        contact: &FilteredContact<L>,
    ) -> Self {
        let (overlap, is_certain) = (sweep.intersects, sat.is_certain & contact.is_certain);
        Self {
            is_certain: overlap.either(is_certain, self.is_certain),
            normal: Vectors::choose(overlap, sat.measure.normal, self.normal),
            contact: contact.ends_where(overlap, self.contact),
        }
    }
}

/// The contact of a vertex with the edge through which the origin enters the difference.
#[inline(always)]
fn later_impact<L: Lanes, R: Corners<L> + ?Sized>(
    table: &SupportTable<'_, L, R>,
    sweep: &FilteredSweep<L>,
    velocity: Vectors<L>,
) -> FilteredImpact<L> {
    let zero = table.error.all(0.0);
    let velocity_error = box_error(table.size, velocity.map(L::abs));
    let none = zero.above(zero);
    let [mut is_found, mut has_rivals] = [none; 2];
    for edge in table.edges {
        let is_itself = sweep.is_through(edge, velocity) & !is_found;
        is_found = is_found | is_itself;
        let may_be = sweep.may_be_entry(edge, table.error, velocity, velocity_error);
        has_rivals = has_rivals | (may_be & !is_itself);
    }
    let (edge, is_of_a) = table.find_edge(
        #[inline(always)]
        |index| sweep.is_through(&table.edges[index], velocity),
    );
    let (vertex, is_alone) = table.deepest(edge, is_of_a);
    let [start, end] = edge;
    // On the difference {b - a} the edges of a run backward.
    let line = [
        Vectors::choose(is_of_a, end, start),
        Vectors::choose(is_of_a, start, end),
    ];
    let gap = [
        Vectors::choose(is_of_a, vertex, start),
        Vectors::choose(is_of_a, start, vertex),
    ];
    let (path, is_accurate) = path_to_line(line, gap, velocity);
    // The vertex of the other ring meets the edge; a vertex of b rests. Adding zero turns a
    // negative zero into a positive one.
    let point = Vectors::choose(is_of_a, vertex, vertex + path) + Vectors::both(zero);
    let (normal, has_length) = right_normal(line);
    FilteredImpact {
        is_certain: !has_rivals
            & is_alone
            & misses(velocity, vertex, start)
            & misses(velocity, vertex, end)
            & has_length
            & (is_of_a | is_accurate),
        normal,
        contact: [point; 2],
    }
}

/// Whether a moving point certainly does not meet another.
#[inline(always)]
fn misses<L: Lanes>(velocity: Vectors<L>, mover: Vectors<L>, other: Vectors<L>) -> L::Mask {
    let across = Compensated::exact(velocity).turned_left();
    across.dot(&Compensated::new(other, mover)).has_sign()
}

/// How far a point moves until it reaches a line, given by two points; `gap` runs from a point of
/// the line to the mover. Also whether that is accurate, and the mover certainly comes from the
/// right of the line.
#[inline(always)]
pub(crate) fn path_to_line<L: Lanes>(
    [from, to]: [Vectors<L>; 2],
    [point, mover]: [Vectors<L>; 2],
    velocity: Vectors<L>,
) -> (Vectors<L>, L::Mask) {
    let inward = Compensated::new(to, from).turned_left();
    let Rounded { value, error } = inward.dot(&Compensated::new(mover, point));
    let distance = Rounded {
        value: value.all(0.0) - value,
        error,
    };
    let speed = inward.dot(&Compensated::exact(velocity));
    let time = (distance.value / speed.value).smaller(value.all(1.0));
    let longest = velocity.largest();
    let extent = extent([from, to, point, mover]).larger(longest);
    let is_accurate = is_accurate_time(time, [distance, speed], extent, longest);
    (velocity.times(time), is_accurate)
}

/// The unit vector to the right of the line through two points, and whether floats can tell.
#[inline(always)]
pub(crate) fn right_normal<L: Lanes>([from, to]: [Vectors<L>; 2]) -> (Vectors<L>, L::Mask) {
    let length_squared = (to - from).length_squared();
    let all = |number| length_squared.all(number);
    let has_length = length_squared.above(all(SMALLEST_SQUARED_LENGTH))
        & all(1.0 / SMALLEST_SQUARED_LENGTH).above(length_squared);
    let right = (from - to).turned_left();
    (right.times(all(1.0) / length_squared.sqrt()), has_length)
}
