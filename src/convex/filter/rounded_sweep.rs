//! Float filter for two convex rings with radii, one moving: whether and when they meet, and which features do.
//!
//! The difference of the rings, grown by the sum of the radii, is convex: where the origin's path enters it
//! is the first contact. There the nearest feature is an edge, shifted by the radius, or the disc round a
//! corner. Whichever feature is tried, what certifies it is that no other vertex lies beyond it.

use super::intersects::overlaps;
use super::swept_collision::{FilteredSweep, overlaps_across};
use crate::convex::table::facing_edge::{FacingEdge, FoundEdge};
use crate::convex::table::lane_corners::Corners;
use crate::convex::table::support_table::SupportTable;
use crate::predicates::bounds::error_bounds::{ROUNDINGS, box_error, certainly_positive};
use crate::predicates::bounds::point_edge_filter::EdgeProjection;
use crate::predicates::bounds::swept_circle_filter::{CirclePath, NORMAL_ERROR};
use crate::predicates::numbers::verdict::Verdict;
use crate::predicates::signs::time_order_filter::is_before;
use crate::simd::lanes::{Lanes, Mask, Vectors};

/// Whether and when two rings of a table, grown by radii of this sum, meet while the first moves by a
/// velocity, which is exact: of the answer only the decisions and the time are known. Also the
/// features that meet, where they meet after the start; `None` if no lane does.
///
/// The first may be displaced at the start, by a vector parallel to the velocity. Then no vector between vertices,
/// displaced or not, may be longer than half the size of the table: such a vector is rounded twice.
#[inline(always)]
pub(crate) fn rounded_sweep<L: Lanes, R: Corners<L> + ?Sized>(
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

/// A vertex of one ring and an edge of the other, or the end of it that meets the vertex.
pub(crate) struct EntryFeatures<L: Lanes> {
    pub(crate) vertex: Vectors<L>,
    /// The end of the edge that is nearer to the contact.
    pub(crate) corner: Vectors<L>,
    /// Where the edge starts and ends.
    pub(crate) ends: [Vectors<L>; 2],
    /// Whether the edge is one of `a`.
    pub(crate) is_of_a: L::Mask,
    /// Whether the vertex meets the edge between its ends.
    pub(crate) is_at_edge: L::Mask,
    /// The normal where it meets the corner.
    pub(super) normal: Vectors<L>,
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
    (FacingEdge::new(table, found, shift), stays_outside)
}

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
            ends: facing.ends,
            is_of_a: facing.is_of_a,
            is_at_edge,
            normal,
        },
    }
}
