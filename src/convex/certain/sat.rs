//! Overlap and the way out.

use super::axis::{Axis, Measure, Shallowest, TINY, is_accurate};
use super::field::{Field, Verdict};
use crate::convex::ring::Corners;
use crate::predicates::about::error_along;
use crate::predicates::lanes::{Lanes, Mask, Vectors};

/// What is known of two rings' overlap.
#[derive(Clone, Copy, Debug)]
pub struct Sat<L: Lanes> {
    /// Where the answer is certain, and its numbers accurate.
    pub(crate) is_certain: L::Mask,
    /// Whether they intersect.
    pub(crate) intersects: L::Mask,
    /// Along the axis of least overlap, or one that separates.
    pub(crate) measure: Measure<L>,
    pub(super) axis: Axis<L>,
}

impl<L: Lanes> Sat<L> {
    #[inline(always)]
    fn choose(mask: L::Mask, yes: &Self, no: &Self) -> Self {
        let either = |yes, no| (mask & yes) | (!mask & no);
        Self {
            is_certain: either(yes.is_certain, no.is_certain),
            intersects: either(yes.intersects, no.intersects),
            measure: Measure::choose(mask, &yes.measure, &no.measure),
            axis: Axis::choose(mask, &yes.axis, &no.axis),
        }
    }
}

impl<L: Lanes> Sat<L> {
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

/// The axis of least overlap of two rings, or one that separates them.
#[inline(always)]
pub(crate) fn sat<L: Lanes, R: Corners<L> + ?Sized>(field: &Field<'_, L, R>) -> Sat<L> {
    let sat = rounded_sat(field);
    if (!sat.is_certain).any()
        && let Some(exact) = field.on_grid(None)
    {
        return Sat::choose(sat.is_certain, &sat, &rounded_sat(&exact));
    }
    sat
}

#[inline(always)]
fn rounded_sat<L: Lanes, R: Corners<L> + ?Sized>(field: &Field<'_, L, R>) -> Sat<L> {
    let count = field.reaches.len();
    let axis_of = |index: usize| {
        let reach = field.reaches[index];
        Axis::new(index, reach.direction, reach.overlap, field.error)
    };
    let overlap = Verdict::reached(field.least_overlap(), field.error);
    let least = Shallowest::of(count, axis_of);
    let is_clear = least.is_clear();
    let mut axis = least.axis;
    let mut is_chosen = overlap.no | is_clear;
    let to_settle = overlap.yes & !is_clear;
    if to_settle.any() {
        let (settled, is_settled) = settle(&least, axis_of, [field.rings[0].count(), count]);
        axis = Axis::choose(to_settle, &settled, &axis);
        is_chosen = is_chosen | is_settled;
    }
    let zero = field.error.all(0.0);
    let is_separate = overlap.no & (zero - field.error).above(axis.overlap);
    let is_accurate = is_accurate(&axis, error_along(axis.direction, field.size));
    Sat {
        is_certain: (is_separate | overlap.yes) & is_chosen & is_accurate,
        intersects: overlap.yes,
        measure: Measure::of(&axis),
        axis,
    }
}

/// Has a closer look at overlaps that may be the least: all must be as good, and of two parallel
/// edges it is that of `a`. Of one ring's edges that are nearly parallel only one may face the
/// other ring, and bounds can't tell which.
#[inline(always)]
fn settle<L: Lanes>(
    least: &Shallowest<L>,
    axis_of: impl Fn(usize) -> Axis<L>,
    [count_of_a, count]: [usize; 2],
) -> (Axis<L>, L::Mask) {
    let is_of_b = |axis: &Axis<L>| {
        axis.position
            .above(axis.position.all(count_of_a as f64 - 0.5))
    };
    let mut chosen = least.axis;
    for index in 0..count_of_a {
        let axis = axis_of(index);
        let [may_be, as_good] = least.axis.rivals(&axis);
        chosen = Axis::choose(is_of_b(&chosen) & may_be & as_good, &axis, &chosen);
    }
    let zero = chosen.overlap.all(0.0);
    let mut is_sure = least.shortest.above(zero.all(TINY));
    for index in 0..count {
        let axis = axis_of(index);
        let [may_be, as_good] = chosen.rivals(&axis);
        let is_itself = axis.position.same(chosen.position);
        let same_owner = !(is_of_b(&chosen) ^ is_of_b(&axis));
        let turned = chosen
            .direction
            .cross(axis.direction)
            .abs()
            .above(axis.error);
        let opposite = zero.above(chosen.direction.dot(axis.direction));
        let told = as_good & (!same_owner | turned | opposite);
        is_sure = is_sure & (is_itself | !may_be | told);
    }
    (chosen, is_sure)
}
