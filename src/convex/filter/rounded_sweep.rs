//! Float filter for two convex rings with radii, one moving: whether, when and how they meet, and the minimum
//! translation that clears the sweep.
//!
//! The difference of the rings, grown by the sum of the radii, is convex: where the origin's path enters it
//! is the first contact. There the nearest feature is an edge, shifted by the radius, or the disc round a
//! corner. Whichever feature is tried, what certifies it is that no other vertex lies beyond it.

use super::contact_interval::FilteredInterval;
use super::facing_edge::{FacingEdge, FoundEdge};
use super::intersects::overlaps;
use super::sat::sat_of_cores;
use super::sweep_mtv::{FilteredSweepMtv, sweep_mtv};
use super::swept_collision::{FilteredSweep, overlaps_across, swept_collision};
use super::swept_contact::FilteredImpact;
use crate::convex::lane_corners::Corners;
use crate::convex::support_table::SupportTable;
use crate::predicates::error_bounds::{ROUNDINGS, box_error, certainly_positive};
use crate::predicates::point_edge_filter::EdgeProjection;
use crate::predicates::swept_circle_filter::{CirclePath, NORMAL_ERROR};
use crate::predicates::time_order::is_before;
use crate::predicates::verdict::Verdict;
use crate::simd::lanes::{Lanes, Mask, Vectors};

/// Whether and when two rings of a table, grown by radii of this sum, meet while the first moves by a
/// velocity, which is exact. Of the answer only the decisions and the time are known.
#[inline(always)]
pub(crate) fn rounded_sweep<L: Lanes, R: Corners<L> + ?Sized>(
    table: &SupportTable<'_, L, R>,
    velocity: Vectors<L>,
    radius: L,
) -> FilteredSweep<L> {
    let (sweep, _) = rounded_entry(table, velocity, radius, None);
    sweep
}

/// The same where `a` is displaced at the start, and the features that meet where the sweep arrives later; `None` if
/// no lane needs them. No vector between vertices, displaced or not, may be longer than half the size of the table,
/// and the displacement must be parallel to the velocity.
#[inline(always)]
pub(super) fn rounded_entry<L: Lanes, R: Corners<L> + ?Sized>(
    table: &SupportTable<'_, L, R>,
    velocity: Vectors<L>,
    radius: L,
    shift: Option<Vectors<L>>,
) -> (FilteredSweep<L>, Option<EntryFeatures<L>>) {
    let zero = radius.all(0.0);
    let velocity_error = box_error(table.size, velocity.map(L::abs));
    let [right, left] = overlaps_across(table, velocity);
    let reach = radius * velocity.length_squared().sqrt();
    let across = right.smaller(left) + reach;
    let across_error = velocity_error + velocity_error + reach * zero.all(ROUNDINGS);
    let passes = Verdict::at_least_zero(across, across_error).no;
    let meets = match shift {
        None => overlaps(table.rings, table.size, table.least_overlap()).yes,
        Some(shift) => displaced_meet(table, shift),
    };
    let (facing, stays_outside) = last_entered(table, velocity, velocity_error, radius, shift);
    let never = passes | stays_outside;
    if !(!(never | meets)).any() {
        let sweep = FilteredSweep::known(never | meets, meets, meets, zero);
        return (sweep, None);
    }
    let contact = contact(&facing, table.size, velocity, radius);
    let intersects = meets | contact.meets_at_start;
    let never = never | contact.misses;
    let is_certain = never | intersects | contact.arrives;
    let arrives = contact.arrives & !never;
    let sweep = FilteredSweep::known(is_certain, intersects, arrives, contact.time);
    (sweep, Some(contact.features))
}

/// Where two rings, of which `a` is displaced, certainly have interior points in common.
#[inline(always)]
fn displaced_meet<L: Lanes, R: Corners<L> + ?Sized>(
    table: &SupportTable<'_, L, R>,
    shift: Vectors<L>,
) -> L::Mask {
    let zero = table.error.all(0.0);
    if table.is_thin() {
        return zero.above(zero);
    }
    let mut least = table.edges[0].overlap_displaced(Some(shift));
    for edge in &table.edges[1..] {
        least = least.smaller(edge.overlap_displaced(Some(shift)));
    }
    certainly_positive(least, table.error)
}

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
    let enter = rounded_sweep(table, velocity, radius);
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
    let (leave, features) = rounded_entry(&displaced, velocity.reversed(), radius, Some(velocity));
    let is_accurate = match features {
        Some(features) => leave.intersects | features.has_accurate_time(velocity, radius, size),
        None => leave.intersects,
    };
    let last = leave.intersects.choose(one, one - leave.time());
    // A moment of touching is left to the exact form, which gives it equal ends.
    let lasts = (last - enter.time()).above(zero.all(A_MOMENT));
    interval.is_certain = interval.is_certain
        | (enter.is_certain
            & enter.will_intersect
            & leave.is_certain
            & leave.will_intersect
            & is_accurate
            & lasts);
    interval.times = Vectors {
        x: enter.time(),
        y: last,
    };
    interval
}

/// Times less apart than this may be the same.
const A_MOMENT: f64 = 1e-9;

/// A vertex of one ring and an edge of the other, or the end of it that meets the vertex.
pub(crate) struct EntryFeatures<L: Lanes> {
    pub(crate) vertex: Vectors<L>,
    /// The end of the edge that is nearer to the contact.
    pub(crate) corner: Vectors<L>,
    /// Where the edge starts.
    pub(crate) start: Vectors<L>,
    /// Whether the edge is one of `a`.
    pub(crate) is_of_a: L::Mask,
    /// Whether the vertex meets the edge between its ends.
    pub(crate) is_at_edge: L::Mask,
    /// The normal where it meets the corner.
    normal: Vectors<L>,
}

/// How two rings of a table, grown by radii of this sum, touch at the start of their sweep. How they touch later is
/// left to the exact form.
#[inline(always)]
pub(crate) fn rounded_impact<L: Lanes, R: Corners<L> + ?Sized>(
    table: &SupportTable<'_, L, R>,
    sweep: &FilteredSweep<L>,
    radius: L,
) -> FilteredImpact<L> {
    let zero = radius.all(0.0);
    let none = Vectors::both(zero.all(f64::NAN));
    let impact = FilteredImpact {
        is_certain: !sweep.will_intersect,
        normal: Vectors::both(zero),
        contact: [none; 2],
    };
    if !sweep.intersects.any() {
        return impact;
    }
    let (cores, axis, sat) = sat_of_cores(table, Some(radius));
    let contact = super::contact(table, &axis, cores.intersects);
    // Neither is the contact of cores that are apart known.
    let is_certain = sat.is_certain & contact.is_certain & cores.intersects;
    FilteredImpact {
        is_certain: sweep.intersects.either(is_certain, impact.is_certain),
        normal: Vectors::choose(sweep.intersects, sat.measure.normal, impact.normal),
        contact: contact.ends_where(sweep.intersects, impact.contact),
    }
}

/// The minimum translation that clears a whole sweep of rings grown by radii of this sum, where the sweep of the rings
/// themselves certainly meets: theirs and the sum, along the same axis; zero where the grown rings never meet.
#[inline(always)]
pub(crate) fn rounded_mtv<L: Lanes, R: Corners<L> + ?Sized>(
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

/// The edge whose line, shifted outward by the radius, the origin crosses last from outside; where it is
/// inside of all, the edge that it is farthest from. And where the path certainly stays outside of one.
#[inline(always)]
fn last_entered<'t, 'r, L: Lanes, R: Corners<L> + ?Sized>(
    table: &'t SupportTable<'r, L, R>,
    velocity: Vectors<L>,
    velocity_error: L,
    radius: L,
    shift: Option<Vectors<L>>,
) -> (FacingEdge<'t, 'r, L, R>, L::Mask) {
    let zero = radius.all(0.0);
    let [mut gap, mut speed] = [zero, zero.all(1.0)];
    let [mut stays_outside, mut starts_outside] = [zero.above(zero); 2];
    let mut found = FoundEdge::first(table);
    for (index, edge) in table.edges.iter().enumerate() {
        // Distance from the shifted edge and speed towards it, times the edge's length.
        let grown = radius * edge.direction.length_squared().sqrt();
        let overlap = edge.overlap_displaced(shift);
        let (its_gap, its_speed) = (zero - overlap - grown, edge.approach(velocity));
        let error = table.error + grown * zero.all(ROUNDINGS);
        let is_outside = certainly_positive(its_gap, error);
        let at_end = its_gap - its_speed.larger(zero);
        stays_outside = stays_outside | certainly_positive(at_end, error + velocity_error);
        starts_outside = starts_outside | is_outside;
        let is_later = is_before([gap, speed], [its_gap, its_speed], 1.0) & is_outside;
        gap = is_later.choose(its_gap, gap);
        speed = is_later.choose(its_speed, speed);
        found.replace(is_later, table, index);
    }
    if (!(starts_outside | stays_outside)).any() {
        found = FoundEdge::choose(starts_outside, &found, &FoundEdge::farthest(table, shift));
    }
    (FacingEdge::displaced(table, found, shift), stays_outside)
}

impl<L: Lanes> EntryFeatures<L> {
    /// Whether the time at which a displaced vertex meets a corner is known to 1e-10 although the difference of the two
    /// may have cancelled. Its error is below a unit in the last place of the size: the time is off by that over the
    /// speed along the normal, and the normal by that over the radius.
    #[inline(always)]
    fn has_accurate_time(&self, velocity: Vectors<L>, radius: L, size: Vectors<L>) -> L::Mask {
        let least = (size.x + size.y) * radius.all(LEAST_PART);
        let speed = self.normal.dot(velocity).abs();
        self.is_at_edge | (speed.above(least) & radius.above(least))
    }
}

/// Part of the size of which a unit in the last place is less than 1e-11: 2^-15.
const LEAST_PART: f64 = f64::from_bits((1023 - 15) << 52);

/// The contact of a vertex with an edge or one of its ends.
struct EntryContact<L: Lanes> {
    /// Where the two are in contact at the start.
    meets_at_start: L::Mask,
    /// Where the rings come into contact there first, after the start.
    arrives: L::Mask,
    /// Where the rings are never in contact.
    misses: L::Mask,
    time: L,
    /// What meets, where they arrive.
    features: EntryFeatures<L>,
}

/// How the vertex of a facing edge comes into contact with it. The origin enters a convex set where it is on
/// the boundary and comes from outside; before that, it was not in the set.
#[inline(always)]
fn contact<L: Lanes, R: Corners<L> + ?Sized>(
    facing: &FacingEdge<'_, '_, L, R>,
    size: Vectors<L>,
    velocity: Vectors<L>,
    radius: L,
) -> EntryContact<L> {
    let zero = radius.all(0.0);
    // The vertex moves past the edge's ring.
    let back = velocity.reversed();
    let velocity = Vectors::choose(facing.is_of_a, back, velocity);
    let path = CirclePath::new(size, radius, velocity).of_sum();
    let to_edge = path.to_edge(&facing.at);
    let is_at_edge = to_edge.verdict.yes & facing.is_alone;
    let meets_at_start = facing.is_near(radius, &path.squares());

    let time = to_edge.time.larger(zero).smaller(zero.all(1.0));
    let time = time.same(time).choose(time, zero);
    let corner = facing.corner(facing.at.dot + time * facing.at.edge.dot(velocity));
    let gap = facing.gap(corner);
    let to_vertex = path.to_vertex(&EdgeProjection::along(gap, facing.at.edge));
    let is_at_vertex = to_vertex.verdict.yes & to_vertex.has_normal;
    let near = path.comes_near(gap);
    // Along this step the vertices face each other: at the time of contact, at the start or at the end.
    let normal = to_vertex
        .outward
        .map(|component| component / to_vertex.length);
    let step = Vectors::choose(near.recedes, gap, gap + velocity);
    let step = Vectors::choose(is_at_vertex, normal, step);
    let normal_error = (size.x + size.y) * zero.all(NORMAL_ERROR);
    let error = is_at_vertex.choose(normal_error, path.squares().error);
    let is_sure = facing.faces_alone(corner, step, error);
    EntryContact {
        meets_at_start,
        arrives: is_at_edge | (is_at_vertex & is_sure),
        misses: (near.recedes | near.falls_short) & is_sure & !is_at_vertex,
        time: is_at_edge.choose(to_edge.time, to_vertex.time),
        features: EntryFeatures {
            vertex: facing.vertex,
            corner,
            start: facing.ends[0],
            is_of_a: facing.is_of_a,
            is_at_edge,
            normal,
        },
    }
}
