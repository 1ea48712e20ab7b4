//! Overlap and minimum translation vector of two rings, as far as a support table can tell.

use crate::convex::table::axis::{Axis, LeastOverlap, Measure, axis};
use crate::convex::table::facing_edge::FacingEdge;
use crate::convex::table::lane_corners::Corners;
use crate::convex::table::precise_overlaps::least_precisely;
use crate::convex::table::support_table::SupportTable;
use crate::predicates::bounds::error_bounds::error_along;
use crate::predicates::numbers::verdict::Verdict;
use crate::simd::lanes::{Lanes, Mask, Vectors};

/// The filter's answer to a SAT query.
#[derive(Clone, Copy, Debug)]
pub struct FilteredSat<L: Lanes> {
    /// Where the answer is certain, and its numbers accurate.
    pub(crate) is_certain: L::Mask,
    /// Whether the rings intersect.
    pub(crate) intersects: L::Mask,
    /// Along the axis of least overlap, or a separating one.
    pub(crate) measure: Measure<L>,
}

impl<L: Lanes> FilteredSat<L> {
    /// This answer, but in some lanes that of rings that certainly meet.
    #[inline(always)]
    pub(super) fn or_where(&self, mask: L::Mask, measure: Measure<L>) -> Self {
        Self {
            is_certain: self.is_certain | mask,
            intersects: self.intersects | mask,
            measure: Measure {
                size: mask.choose(measure.size, self.measure.size),
                normal: Vectors::choose(mask, measure.normal, self.measure.normal),
            },
        }
    }

    /// The penetration depth; zero where apart.
    #[inline(always)]
    pub(crate) fn depth(&self) -> L {
        let size = self.measure.size;
        self.intersects.choose(size, size.all(0.0))
    }

    /// The minimum translation vector; zero where apart.
    #[inline(always)]
    pub(crate) fn mtv(&self) -> Vectors<L> {
        let zero = Vectors::both(self.measure.size.all(0.0));
        Vectors::choose(self.intersects, self.measure.translation(), zero)
    }

    /// Minus the depth, or the gap.
    #[inline(always)]
    pub(crate) fn separation(&self) -> L {
        let size = self.measure.size;
        self.intersects.choose(size.all(0.0) - size, size)
    }
}

/// The overlap of two rings, and the axis of least overlap or one that separates them.
#[inline(always)]
pub(crate) fn sat<L: Lanes, R: Corners<L> + ?Sized>(
    table: &SupportTable<'_, L, R>,
) -> (FilteredSat<L>, Axis<L>) {
    let least = LeastOverlap::of(
        table.edges.len(),
        #[inline(always)]
        |index| axis(table, index),
    );
    // Most often nothing is tied, and the edges need not be compared again.
    let overlaps = Verdict::at_least_zero(least.overlap, table.error);
    let is_chosen = overlaps.no | least.is_certain(least.overlap, table.error);
    let sat = sat_along(table, overlaps, &least.axis, is_chosen);
    if !(!sat.is_certain).any() {
        return (sat, least.axis);
    }
    let (sat, axis) = sat_on_grid(table, &least, sat.is_certain);
    if !(!sat.is_certain).any() {
        return (sat, axis);
    }
    let (meet, measure, axis) = least_precisely(table, !sat.is_certain, &axis);
    (sat.or_where(meet, measure), axis)
}

/// The overlap and the axis of [`sat`], with an error of zero where the corners are on a grid, given the axis of least
/// overlap in floats, and where that is certain.
#[inline(always)]
fn sat_on_grid<L: Lanes, R: Corners<L> + ?Sized>(
    table: &SupportTable<'_, L, R>,
    least: &LeastOverlap<L>,
    is_certain: L::Mask,
) -> (FilteredSat<L>, Axis<L>) {
    let table = &table.on_grid(!is_certain, None).unwrap_or(*table);
    let error = table.error;
    let mut axis = least.axis;
    axis.depth.error = error;
    let least = LeastOverlap { axis, ..*least };
    let overlaps = Verdict::at_least_zero(least.overlap, error);
    let has_margin = least.is_certain(least.overlap, error);
    let mut is_chosen = overlaps.no | has_margin;
    let is_tied = overlaps.yes & !has_margin;
    if is_tied.any() {
        let (chosen, is_sure) = choose_of_equals(&least, table);
        axis = Axis::choose(is_tied, &chosen, &axis);
        is_chosen = is_chosen | is_sure;
    }
    (sat_along(table, overlaps, &axis, is_chosen), axis)
}

/// The overlap of two rings grown by radii of this sum, given that of the rings: where these overlap, their
/// depth and the sum, along the same axis; otherwise the nearest features give the axis.
#[inline(always)]
fn rounded_sat<L: Lanes, R: Corners<L> + ?Sized>(
    table: &SupportTable<'_, L, R>,
    (sharp, axis): (&FilteredSat<L>, &Axis<L>),
    radius: L,
) -> FilteredSat<L> {
    let zero = radius.all(0.0);
    let is_sharp = sharp.is_certain;
    let nearest = FacingEdge::of_axis(table, axis).nearest();
    let (beyond, is_known) = nearest.distance_beyond(radius);
    let meets = sharp.intersects & is_sharp;
    // Adding zero turns a negative zero into a positive one.
    let positive = |vector: Vectors<L>| vector.map(|component| component + zero);
    let normal = Vectors::choose(meets, sharp.measure.normal, nearest.direction());
    let rounded = FilteredSat {
        is_certain: meets | is_known,
        intersects: meets | zero.above(beyond),
        measure: Measure {
            size: meets.choose(sharp.measure.size + radius, beyond.abs()),
            normal: positive(normal),
        },
    };
    let has_radius = if table.is_thin() {
        zero.same(zero)
    } else {
        radius.above(zero)
    };
    FilteredSat {
        is_certain: has_radius.either(rounded.is_certain, is_sharp),
        intersects: has_radius.either(rounded.intersects, sharp.intersects),
        measure: Measure {
            size: has_radius.choose(rounded.measure.size, sharp.measure.size),
            normal: Vectors::choose(has_radius, rounded.measure.normal, sharp.measure.normal),
        },
    }
}

/// The overlap of two rings without their radii, the axis of least overlap, and the overlap with radii of this sum,
/// if any row has one.
#[inline(always)]
pub(crate) fn sat_of_cores<L: Lanes, R: Corners<L> + ?Sized>(
    table: &SupportTable<'_, L, R>,
    radius: Option<L>,
) -> (FilteredSat<L>, Axis<L>, FilteredSat<L>) {
    let (mut cores, axis) = sat(table);
    if table.is_thin() {
        // How shapes without an interior overlap is left to the exact form.
        cores.is_certain = cores.is_certain & !cores.is_certain;
        cores.intersects = cores.is_certain;
    }
    let zero = table.error.all(0.0);
    let rounded = if radius.is_some() || table.is_thin() {
        rounded_sat(table, (&cores, &axis), radius.unwrap_or(zero))
    } else {
        cores
    };
    (cores, axis, rounded)
}

/// The answer along an axis, where that is certainly the one to choose.
#[inline(always)]
fn sat_along<L: Lanes, R: ?Sized>(
    table: &SupportTable<'_, L, R>,
    overlaps: Verdict<L>,
    axis: &Axis<L>,
    is_chosen: L::Mask,
) -> FilteredSat<L> {
    let separates = Verdict::at_least_zero(axis.depth.overlap, table.error).no;
    let is_accurate = axis.is_accurate(error_along(axis.direction, table.size));
    FilteredSat {
        is_certain: ((overlaps.no & separates) | overlaps.yes) & is_chosen & is_accurate,
        intersects: overlaps.yes,
        measure: Measure::of(axis),
    }
}

/// Chooses between overlaps that may all be the least: of equally good ones, one of `a`. Also
/// returns whether the choice is certain.
///
/// Of one ring's edges within seven degrees of each other only one may face the other ring, and error bounds
/// can't tell which; so the choice is open where one of the other ring is added to them.
#[inline(always)]
fn choose_of_equals<L: Lanes, R: Corners<L> + ?Sized>(
    least: &LeastOverlap<L>,
    table: &SupportTable<'_, L, R>,
) -> (Axis<L>, L::Mask) {
    let count_of_a = table.rings[0].count();
    let zero = least.overlap.all(0.0);
    let none = zero.above(zero);
    let mut is_of_a = none;
    for index in 0..count_of_a {
        is_of_a = is_of_a | least.axis.equals(&axis(table, index));
    }
    let extent = table.size.x.larger(table.size.y);
    let mut chosen = least.axis;
    let slack = chosen.depth.slack(extent);
    for index in 0..count_of_a {
        let axis = axis(table, index);
        let [may_be, as_good] = least.axis.depth.rivals(&axis.depth);
        let as_good = as_good & least.axis.depth.is_within(&axis.depth, slack);
        let replaces = !is_of_a & may_be & as_good;
        chosen = Axis::choose(replaces, &axis, &chosen);
        is_of_a = is_of_a | replaces;
    }
    let mut is_sure = least.compares_normal_numbers();
    let slack = chosen.depth.slack(extent);
    let [mut is_found, mut has_parallel] = [none; 2];
    for index in 0..table.edges.len() {
        let axis = axis(table, index);
        let [may_be, as_good] = chosen.depth.rivals(&axis.depth);
        let as_good = as_good & chosen.depth.is_within(&axis.depth, slack);
        let is_same_owner = !table.is_of_other(index, is_of_a);
        // Only the first match is the chosen edge: another edge may have exactly the same numbers.
        let is_itself = is_same_owner & chosen.equals(&axis) & !is_found;
        is_found = is_found | is_itself;
        let is_rival = may_be & !is_itself;
        let is_parallel = is_rival & chosen.is_within_seven_degrees(&axis);
        let is_one_too_many = is_parallel & (is_same_owner | has_parallel);
        is_sure = is_sure & !is_one_too_many & (!is_rival | as_good);
        has_parallel = has_parallel | is_parallel;
    }
    (chosen, is_sure)
}
