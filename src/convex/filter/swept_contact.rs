//! Contact normal and points of a sweep of rings, with radii or without, as far as floats can tell.

use super::circle_polygon::RingAndCircle;
use super::contact::{FilteredContact, contact};
use super::rounded_sweep::EntryFeatures;
use super::sat::{FilteredSat, sat, sat_of_cores};
use super::sat_of_point::sat_of_point;
use super::swept_circle::{FilteredSweptCircle, later_touch};
use super::swept_collision::FilteredSweep;
use crate::convex::table::lane_corners::Corners;
use crate::convex::table::support_table::SupportTable;
use crate::predicates::bounds::error_bounds::{SMALLEST_SQUARED_LENGTH, box_error};
use crate::predicates::numbers::compensated_differences::{
    Compensated, Rounded, extent, is_accurate_time,
};
use crate::simd::lanes::{Lanes, Mask, Vectors};

/// More than the relative error of a rounding.
const ROUNDING: f64 = 0.51 * f64::EPSILON;

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
        impact = impact.or_later(is_later, &later_impact(table, sweep, velocity));
    }
    if sweep.intersects.any() {
        let (sat, axis) = sat(table);
        impact = impact.at_start(sweep, &sat, &contact(table, &axis, sweep.intersects));
    }
    impact
}

/// How two rings with these radii touch, where `radius` is the sum of the radii and a margin, given the features that meet
/// later, if any do.
#[inline(always)]
pub(crate) fn rounded_impact<L: Lanes, R: Corners<L> + ?Sized>(
    table: &SupportTable<'_, L, R>,
    sweep: &FilteredSweep<L>,
    features: Option<&EntryFeatures<L>>,
    velocity: Vectors<L>,
    radius: L,
    radii: [L; 2],
) -> FilteredImpact<L> {
    let mut impact = FilteredImpact::never(sweep);
    let is_later = sweep.will_intersect & !sweep.intersects;
    if let Some(features) = features
        && is_later.any()
    {
        impact = impact.or_later(is_later, &features.impact(velocity, radius, radii[1]));
    }
    if !sweep.intersects.any() {
        return impact;
    }
    let (cores, axis, mut sat) = sat_of_cores(table, Some(radius));
    // The contact of cores that are apart is left to the exact form, too.
    sat.is_certain = sat.is_certain & cores.intersects;
    let contact = contact(table, &axis, cores.intersects);
    impact.at_start(sweep, &sat, &contact.rounded(sat.measure.normal, radii))
}

/// How a ring and a point with a radius, one of which moves, touch, given the sweep of the circle that the point is. Of
/// shapes that are apart at the start the contact is certain only where `b` has no radius, and is the point itself or
/// touches the point with a vertex.
#[inline(always)]
pub(crate) fn impact_of_point<L: Lanes, R: Corners<L> + ?Sized>(
    around: &RingAndCircle<'_, L, R>,
    sweep: &FilteredSweptCircle<L>,
    point_is_b: bool,
    radii: [L; 2],
    with_contact: bool,
) -> FilteredImpact<L> {
    let zero = radii[1].all(0.0);
    let mut touch = later_touch(around, sweep, radii[1]);
    if point_is_b {
        // A point without a radius is the contact.
        let is_sharp = radii[1].same(zero);
        touch.has_contact = touch.has_normal & (is_sharp | !sweep.will_intersect);
        let nan = Vectors::both(zero.all(f64::NAN));
        touch.contact = Vectors::choose(sweep.will_intersect, around.circle.center, nan);
        touch.normal = touch.normal.reversed();
    }
    let impact = FilteredImpact {
        is_certain: if with_contact {
            touch.has_contact
        } else {
            touch.has_normal
        },
        normal: touch.normal,
        // The sum makes a negative zero a positive one.
        contact: [touch.contact + Vectors::both(zero); 2],
    };
    if !sweep.intersects.any() {
        return impact;
    }
    let sat = sat_of_point(around);
    let contact = sat.contact(around.circle.center, point_is_b, radii);
    impact.at_start(&sweep.sweep(), &sat.sat(point_is_b), &contact)
}

impl<L: Lanes> EntryFeatures<L> {
    /// How these come into contact, where they certainly do and nothing else does.
    ///
    /// At a corner the normal is known to ten digits. That is enough for the contact where the second shape has no radius, so
    /// that it is the vertex itself; with one, the contact lies along the normal and needs all digits.
    #[inline(always)]
    pub(crate) fn impact(
        &self,
        velocity: Vectors<L>,
        radius: L,
        radius_of_b: L,
    ) -> FilteredImpact<L> {
        let zero = radius.all(0.0);
        let (outward, has_length) = right_normal(self.ends);
        let outward = Vectors::choose(self.is_at_edge, outward, self.normal);
        // From the second shape to the first.
        let normal = Vectors::choose(self.is_of_a, outward.reversed(), outward);
        let reach = radius - radius_of_b;
        let (path, is_accurate) =
            path_to_distance(self.ends, [self.ends[0], self.vertex], velocity, radius);
        let on_edge = Vectors::choose(
            self.is_of_a,
            self.vertex + normal.times(radius_of_b),
            self.vertex + path - normal.times(reach),
        );
        let at_corner = Vectors::choose(self.is_of_a, self.vertex, self.corner);
        let point = Vectors::choose(self.is_at_edge, on_edge, at_corner) + Vectors::both(zero);
        let is_on_edge = self.is_at_edge & has_length & (self.is_of_a | is_accurate);
        let is_at_corner = radius_of_b.same(zero) & (self.normal.x.same(self.normal.x));
        FilteredImpact {
            is_certain: radius.above(zero) & self.is_at_edge.either(is_on_edge, is_at_corner),
            normal: normal + Vectors::both(zero),
            contact: [point; 2],
        }
    }
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

    /// This answer, but for rings that first touch later.
    #[inline(always)]
    fn or_later(&self, is_later: L::Mask, later: &Self) -> Self {
        Self {
            is_certain: is_later.either(later.is_certain, self.is_certain),
            normal: Vectors::choose(is_later, later.normal, self.normal),
            contact: [Vectors::choose(is_later, later.contact[0], self.contact[0]); 2],
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
    line: [Vectors<L>; 2],
    gap: [Vectors<L>; 2],
    velocity: Vectors<L>,
) -> (Vectors<L>, L::Mask) {
    path_over(height(line, gap), line, gap, velocity, velocity.x.all(0.0))
}

/// How far a point moves until it is at a distance to the right of a line, as in [`path_to_line`]; accurate enough for a step
/// of that length to follow.
///
/// The distance times the line's length is off by seven roundings, and the difference by one more. The step makes ten
/// roundings of the distance, for which [`path_over`] leaves sixteen.
/// Test: `test_convex_rings_with_a_margin_answer_as_parts_of_a_shape_do`.
#[inline(always)]
fn path_to_distance<L: Lanes>(
    line: [Vectors<L>; 2],
    gap: [Vectors<L>; 2],
    velocity: Vectors<L>,
    distance: L,
) -> (Vectors<L>, L::Mask) {
    let Rounded { value, error } = height(line, gap);
    let grown = distance * (line[1] - line[0]).length_squared().sqrt();
    let value = value - grown;
    let height = Rounded {
        value,
        error: error + (grown * grown.all(8.0) + value.abs()) * grown.all(ROUNDING),
    };
    path_over(height, line, gap, velocity, distance * grown.all(4.0))
}

/// How far a point lies to the right of a line, times the line's length.
#[inline(always)]
fn height<L: Lanes>([from, to]: [Vectors<L>; 2], [point, mover]: [Vectors<L>; 2]) -> Rounded<L> {
    let outward = Compensated::new(from, to).turned_left();
    outward.dot(&Compensated::new(mover, point))
}

/// The path over a height; room is left for a step of a length.
#[inline(always)]
fn path_over<L: Lanes>(
    height: Rounded<L>,
    [from, to]: [Vectors<L>; 2],
    [point, mover]: [Vectors<L>; 2],
    velocity: Vectors<L>,
    step: L,
) -> (Vectors<L>, L::Mask) {
    let inward = Compensated::new(to, from).turned_left();
    let speed = inward.dot(&Compensated::exact(velocity));
    let time = (height.value / speed.value).smaller(height.value.all(1.0));
    let longest = velocity.largest();
    let extent = extent([from, to, point, mover]).larger(longest);
    let is_accurate = is_accurate_time(time, [height, speed], extent, longest + step);
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
