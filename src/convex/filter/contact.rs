//! The ends of a contact, as far as floats can tell.

use super::sat::FilteredSat;
use crate::convex::table::axis::{Axis, LeastOverlap};
use crate::convex::table::lane_corners::Corners;
use crate::convex::table::support_table::SupportTable;
use crate::predicates::bounds::square_errors::Squares;
use crate::predicates::numbers::compensated_differences::{
    Compensated, extent, is_accurate_fraction, is_usual_extent,
};
use crate::predicates::numbers::unrounded_grid::Grid;
use crate::simd::lanes::{Lanes, Mask, Vectors};

/// The ends of a contact.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FilteredContact<L: Lanes> {
    /// Where they are certain, and accurate.
    pub(crate) is_certain: L::Mask,
    pub(crate) ends: [Vectors<L>; 2],
    /// Whether the edge that was clipped is one of `b`.
    is_of_b: L::Mask,
}

/// The ends of the contact of two rings along their axis of least overlap; NaN where they do not
/// intersect.
///
/// The edge most opposed to the reference edge is the one most opposed of those at the deepest
/// vertex: round a convex ring, that is where the edges' directions pass the opposite one.
#[inline(always)]
pub(crate) fn contact<L: Lanes, R: Corners<L> + ?Sized>(
    table: &SupportTable<'_, L, R>,
    axis: &Axis<L>,
    intersects: L::Mask,
) -> FilteredContact<L> {
    let zero = table.error.all(0.0);
    let nan = Vectors::both(zero.all(f64::NAN));
    if !intersects.any() {
        return FilteredContact {
            is_certain: !intersects,
            ends: [nan; 2],
            is_of_b: intersects,
        };
    }
    let (reference, is_of_a) = table.find_edge(
        #[inline(always)]
        |index| axis.equals(&crate::convex::table::axis::axis(table, index)),
    );
    let error = Squares::new(table.size, zero).error;
    // On the difference, opposed edges run the same way.
    let opposed = LeastOverlap::of(
        table.edges.len(),
        #[inline(always)]
        |index| {
            let direction = table.edges[index].direction;
            let along = axis.direction.dot(direction);
            let against = table.is_of_other(index, is_of_a).choose(zero - along, zero);
            Axis::new(direction, against, error)
        },
    );
    let Axis { direction, depth } = opposed.axis;
    let (incident, _) = table.find_edge(
        #[inline(always)]
        |index| {
            let Vectors { x, y } = table.edges[index].direction;
            table.is_of_other(index, is_of_a) & direction.x.same(x) & direction.y.same(y)
        },
    );
    let (ends, is_clipped) = clip(incident, reference);
    let is_incident = opposed.is_certain(zero - depth.overlap, error);
    FilteredContact {
        is_certain: !intersects | (is_clipped & is_incident),
        ends: Vectors::choose_ends(intersects, ends, [nan; 2]),
        is_of_b: is_of_a,
    }
}

impl<L: Lanes> FilteredContact<L> {
    /// The contact of shapes of which one is a point, with radii, where they intersect; NaN elsewhere. Its core is a point
    /// of `b` or of `a`.
    #[inline(always)]
    pub(crate) fn of_point(
        (core, is_of_b): (Vectors<L>, L::Mask),
        sat: &FilteredSat<L>,
        radii: [L; 2],
    ) -> Self {
        let zero = core.x.all(0.0);
        let sharp = Self {
            is_certain: sat.is_certain,
            // The sum makes a negative zero a positive one.
            ends: [core + Vectors::both(zero); 2],
            is_of_b,
        };
        let rounded = sharp.rounded(sat.measure.normal, radii);
        let nan = Vectors::both(zero.all(f64::NAN));
        Self {
            ends: rounded.ends_where(sat.intersects, [nan; 2]),
            ..rounded
        }
    }

    /// The contact of rings with these radii: the ends are moved towards the other ring by the radius of their own.
    #[inline(always)]
    pub(crate) fn rounded(&self, normal: Vectors<L>, [of_a, of_b]: [L; 2]) -> Self {
        let by = normal.times(self.is_of_b.choose(of_b, of_a.all(0.0) - of_a));
        let [first, last] = self.ends;
        Self {
            ends: [first + by, last + by],
            ..*self
        }
    }

    /// These ends where the mask is set, elsewhere others.
    #[inline(always)]
    pub(super) fn ends_where(&self, mask: L::Mask, others: [Vectors<L>; 2]) -> [Vectors<L>; 2] {
        Vectors::choose_ends(mask, self.ends, others)
    }
}

/// The part of the first edge that lies between the perpendiculars through the ends of the second
/// and on its left, by Liang and Barsky's clipping: its ends, and where they are certain. They are not where that is nothing.
#[inline(always)]
pub(crate) fn clip<L: Lanes>(
    incident: [Vectors<L>; 2],
    reference: [Vectors<L>; 2],
) -> ([Vectors<L>; 2], L::Mask) {
    let [start, end] = incident;
    let [from, to] = reference;
    let edge = end - start;
    let zero = edge.x.all(0.0);
    let extent = extent([start, end, from, to]);
    let longest = edge.largest();
    let grid = Grid::new(extent);
    let is_usual = is_usual_extent(extent);
    let is_exact = is_usual
        & grid.holds_both(start)
        & grid.holds_both(end)
        & grid.holds_both(from)
        & grid.holds_both(to);

    let (along, back) = (Compensated::new(to, from), Compensated::new(from, to));
    let left = along.turned_left();
    let (mut first, mut last) = (zero, zero.all(1.0));
    let mut is_certain = is_usual;
    for (inward, limit) in [(along, from), (back, to), (left, from)] {
        let before = inward.dot(&Compensated::new(start, limit));
        let after = inward.dot(&Compensated::new(end, limit));
        let (starts_outside, ends_outside) = (zero.above(before.value), zero.above(after.value));
        let enters = starts_outside & !ends_outside;
        let leaves = ends_outside & !starts_outside;
        let is_accurate = is_accurate_fraction([before, after], extent, longest);
        let is_known = before.has_sign() & after.has_sign() & (is_accurate | !(enters | leaves));
        is_certain = is_certain & (is_exact | is_known) & !(starts_outside & ends_outside);
        let fraction = before.value / (before.value - after.value);
        first = enters.choose(first.larger(fraction), first);
        last = leaves.choose(last.smaller(fraction), last);
    }
    (
        [point_along(incident, first), point_along(incident, last)],
        is_certain & last.at_least(first),
    )
}

/// The point a fraction of the way along an edge; exactly its ends for 0 and 1.
#[inline(always)]
fn point_along<L: Lanes>([start, end]: [Vectors<L>; 2], fraction: L) -> Vectors<L> {
    let point = start + (end - start).times(fraction);
    let point = Vectors::choose(fraction.same(fraction.all(1.0)), end, point);
    // Adding zero turns a negative zero into a positive one.
    point + Vectors::both(fraction.all(0.0))
}
