//! Overlap and the way out.

use super::axis::{Axis, LeastOverlap, Measure, is_accurate};
use super::support::{EdgeSupport, SupportTable, Verdict, error_on_grid};
use crate::convex::ring::Corners;
use crate::predicates::error_bounds::error_along;
use crate::simd::lanes::{Lanes, Mask, Vectors};

/// What is known of two rings' overlap.
#[derive(Clone, Copy, Debug)]
pub struct FilteredSat<L: Lanes> {
    /// Where the answer is certain, and its numbers accurate.
    pub(crate) is_certain: L::Mask,
    /// Whether they intersect.
    pub(crate) intersects: L::Mask,
    /// Along the axis of least overlap, or one that separates.
    pub(crate) measure: Measure<L>,
}

impl<L: Lanes> FilteredSat<L> {
    /// The depth; zero where apart.
    #[inline(always)]
    pub(crate) fn depth(&self) -> L {
        let size = self.measure.size;
        self.intersects.choose(size, size.all(0.0))
    }

    /// The way out; zero where apart.
    #[inline(always)]
    pub(crate) fn mtv(&self) -> Vectors<L> {
        let way = self.measure.translation();
        way.map(|component| self.intersects.choose(component, component.all(0.0)))
    }

    /// Minus the depth, or the gap.
    #[inline(always)]
    pub(crate) fn separation(&self) -> L {
        let size = self.measure.size;
        self.intersects.choose(size.all(0.0) - size, size)
    }
}

/// What is known of two rings' overlap, and the axis of least overlap, or one that separates them.
#[inline(always)]
pub(crate) fn sat<L: Lanes, R: Corners<L> + ?Sized>(
    table: &SupportTable<'_, L, R>,
) -> (FilteredSat<L>, Axis<L>) {
    let least = LeastOverlap::of(
        table.reaches.len(),
        #[inline(always)]
        |index| table.axis(index),
    );
    let sat = clear_sat(table, &least);
    if !(!sat.is_certain).any() {
        return (sat, least.axis);
    }
    let on_grid = error_on_grid(table.rings, table.size, None, table.error);
    // What is certain stays as it is, in whatever company it was asked about.
    let error = sat.is_certain.choose(table.error, on_grid);
    let table = &SupportTable { error, ..*table };
    let least = LeastOverlap {
        axis: Axis {
            error,
            ..least.axis
        },
        ..least
    };
    let overlap = Verdict::reached(least.overlap, error);
    let is_clear = least.is_clear(error);
    let to_settle = overlap.yes & !is_clear;
    let mut axis = least.axis;
    let mut is_chosen = overlap.no | is_clear;
    if to_settle.any() {
        let (settled, is_settled) = settle(&least, table);
        axis = Axis::choose(to_settle, &settled, &axis);
        is_chosen = is_chosen | is_settled;
    }
    (sat_along(table, overlap, &axis, is_chosen), axis)
}

/// What an axis tells that is certainly the one to choose, or is not.
#[inline(always)]
fn sat_along<L: Lanes, R: ?Sized>(
    table: &SupportTable<'_, L, R>,
    overlap: Verdict<L>,
    axis: &Axis<L>,
    is_chosen: L::Mask,
) -> FilteredSat<L> {
    let zero = table.error.all(0.0);
    let is_separate = overlap.no & (zero - table.error).above(axis.overlap);
    let is_accurate = is_accurate(axis, error_along(axis.direction, table.size));
    FilteredSat {
        is_certain: (is_separate | overlap.yes) & is_chosen & is_accurate,
        intersects: overlap.yes,
        measure: Measure::of(axis),
    }
}

/// What is known without a closer look; the edges are not looked at.
#[inline(always)]
pub(super) fn clear_sat<L: Lanes, R: ?Sized>(
    table: &SupportTable<'_, L, R>,
    least: &LeastOverlap<L>,
) -> FilteredSat<L> {
    let overlap = Verdict::reached(least.overlap, table.error);
    let is_chosen = overlap.no | least.is_clear(table.error);
    sat_along(table, overlap, &least.axis, is_chosen)
}

/// Has a closer look at overlaps that may be the least: of equally good ones it is one of `a`.
///
/// Of one ring's edges that are nearly parallel only one may face the other ring, and bounds can't
/// tell which; so it is where one of the other ring comes to them.
#[inline(always)]
fn settle<L: Lanes, R: Corners<L> + ?Sized>(
    least: &LeastOverlap<L>,
    table: &SupportTable<'_, L, R>,
) -> (Axis<L>, L::Mask) {
    let count_of_a = table.rings[0].count();
    let zero = least.overlap.all(0.0);
    let none = zero.above(zero);
    let mut is_of_a = none;
    for index in 0..count_of_a {
        is_of_a = is_of_a | least.axis.is(&table.axis(index));
    }
    let extent = table.size.x.larger(table.size.y);
    let mut chosen = least.axis;
    let slack = chosen.slack(extent);
    for index in 0..count_of_a {
        let axis = table.axis(index);
        let [may_be, as_good] = least.axis.rivals(&axis);
        let as_good = as_good & least.axis.is_as_deep(&axis, slack);
        let replaces = !is_of_a & may_be & as_good;
        chosen = Axis::choose(replaces, &axis, &chosen);
        is_of_a = is_of_a | replaces;
    }
    let mut is_sure = least.is_usual();
    let slack = chosen.slack(extent);
    let [mut is_found, mut has_neighbor] = [none; 2];
    for index in 0..table.reaches.len() {
        let axis = table.axis(index);
        let [may_be, as_good] = chosen.rivals(&axis);
        let as_good = as_good & chosen.is_as_deep(&axis, slack);
        let is_same_owner = if index < count_of_a {
            is_of_a
        } else {
            !is_of_a
        };
        // Another edge may have the very numbers of the chosen one.
        let is_itself = is_same_owner & chosen.is(&axis) & !is_found;
        is_found = is_found | is_itself;
        let is_rival = may_be & !is_itself;
        let is_neighbor = is_rival & chosen.is_nearly_parallel(&axis);
        let is_one_too_many = is_neighbor & (is_same_owner | has_neighbor);
        is_sure = is_sure & !is_one_too_many & (!is_rival | as_good);
        has_neighbor = has_neighbor | is_neighbor;
    }
    (chosen, is_sure)
}

impl<L: Lanes, R: ?Sized> SupportTable<'_, L, R> {
    /// An edge's direction and the overlap along its normal.
    #[inline(always)]
    pub(super) fn axis(&self, index: usize) -> Axis<L> {
        let EdgeSupport {
            overlap, direction, ..
        } = self.reaches[index];
        Axis::new(direction, overlap, self.error)
    }
}

impl Axis<f64> {
    /// The edge whose normal this is, those of b after those of a; of equals the first.
    pub(super) fn position<R: ?Sized>(&self, table: &SupportTable<'_, f64, R>) -> usize {
        (0..table.reaches.len())
            .find(|&index| self.is(&table.axis(index)))
            .expect("the axis of an edge")
    }
}
