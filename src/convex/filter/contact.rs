//! The ends of a contact.

use super::axis::{Axis, LeastOverlap};
use super::support::SupportTable;
use crate::convex::ring::Corners;
use crate::predicates::compensated::{Compensated, SMALLEST, allowed, extent, is_usual};
use crate::predicates::error_bounds::{Grid, Squares};
use crate::simd::lanes::{Lanes, Mask, Vectors};

/// The ends of a contact.
#[derive(Clone, Copy, Debug)]
pub struct FilteredContact<L: Lanes> {
    /// Where they are certain, and accurate.
    pub(crate) is_certain: L::Mask,
    pub(crate) ends: [Vectors<L>; 2],
}

/// The ends of the contact of two rings, along their axis of least overlap, where they intersect;
/// elsewhere there certainly is none, which is NaN.
///
/// The edge most opposed to the reference edge is the one most opposed of those at the deepest
/// vertex: round a convex ring, that is where the edges' directions pass the opposite one.
#[inline(always)]
pub(crate) fn contact<L: Lanes, R: Corners<L> + ?Sized>(
    table: &SupportTable<'_, L, R>,
    axis: &Axis<L>,
    intersects: L::Mask,
) -> FilteredContact<L> {
    let zero = axis.overlap.all(0.0);
    let nowhere = Vectors::both(zero.all(f64::NAN));
    if !intersects.any() {
        return FilteredContact {
            is_certain: !intersects,
            ends: [nowhere; 2],
        };
    }
    let (reference, is_of_a) = table.edge(
        #[inline(always)]
        |index| axis.is(&table.axis(index)),
    );
    let error = Squares::new(table.size, zero).error;
    // On the difference, opposed edges run the same way.
    let opposed = LeastOverlap::of(
        table.reaches.len(),
        #[inline(always)]
        |index| {
            let direction = table.reaches[index].direction;
            let along = axis.direction.dot(direction);
            let against = table.is_of_other(index, is_of_a).choose(zero - along, zero);
            Axis::new(direction, against, error)
        },
    );
    let Vectors { x, y } = opposed.axis.direction;
    let (incident, _) = table.edge(
        #[inline(always)]
        |index| {
            let direction = table.reaches[index].direction;
            table.is_of_other(index, is_of_a) & direction.x.same(x) & direction.y.same(y)
        },
    );
    let FilteredContact {
        is_certain,
        ends: [from, to],
    } = clip(incident, reference);
    FilteredContact {
        is_certain: !intersects | (is_certain & opposed.is_clearly_opposed(error)),
        ends: [
            Vectors::choose(intersects, from, nowhere),
            Vectors::choose(intersects, to, nowhere),
        ],
    }
}

/// The part of the first edge that lies between the perpendiculars through the ends of the second
/// and on its left, by Liang and Barsky's clipping; not certain where that is nothing.
///
/// With `e` and `f` the errors of values `s` and `t` of opposite sign, `s / (s - t)` is wrong by
/// `(|t| e + |s| f) / (s - t)²` and two roundings, where `e` and `f` are small beside `s - t`; the
/// edge and its product with that make two more.
#[inline(always)]
pub(crate) fn clip<L: Lanes>(
    incident: [Vectors<L>; 2],
    reference: [Vectors<L>; 2],
) -> FilteredContact<L> {
    let all = |number| incident[0].x.all(number);
    let (zero, one) = (all(0.0), all(1.0));
    let [start, end] = incident;
    let [from, to] = reference;
    let edge = end - start;
    let extent = extent([start, end, from, to]);
    let grid = Grid::new(extent);
    let is_usual = is_usual(extent);
    let is_exact = is_usual
        & grid.holds_both(start)
        & grid.holds_both(end)
        & grid.holds_both(from)
        & grid.holds_both(to);
    let longest = edge.x.abs().larger(edge.y.abs());
    let allowed = allowed(extent, longest);

    let (along, back) = (Compensated::new(to, from), Compensated::new(from, to));
    let left = along.turned_left();
    let limits = [(along, from), (back, to), (left, from)];
    let (mut first, mut last) = (zero, one);
    let mut is_certain = is_usual;
    for (inward, limit) in limits {
        let (before, its_error) = inward.dot(&Compensated::new(start, limit));
        let (after, error) = inward.dot(&Compensated::new(end, limit));
        let is_known = before.abs().above(its_error + all(SMALLEST))
            & after.abs().above(error + all(SMALLEST));
        let (starts_outside, ends_outside) = (zero.above(before), zero.above(after));
        let (comes, goes) = (
            starts_outside & !ends_outside,
            ends_outside & !starts_outside,
        );
        let apart = before - after;
        let doubt = (after.abs() * its_error + before.abs() * error) * longest;
        let is_accurate = (allowed * apart * apart).above(doubt)
            & apart.abs().above((its_error + error) * all(64.0));
        is_certain = is_certain
            & (is_exact | (is_known & (is_accurate | !(comes | goes))))
            & !(starts_outside & ends_outside);
        let fraction = before / apart;
        first = comes.choose(first.larger(fraction), first);
        last = goes.choose(last.smaller(fraction), last);
    }
    FilteredContact {
        is_certain: is_certain & last.at_least(first),
        ends: [place_along(incident, first), place_along(incident, last)],
    }
}

/// The place a fraction of the way along an edge; its ends exactly.
#[inline(always)]
fn place_along<L: Lanes>([start, end]: [Vectors<L>; 2], fraction: L) -> Vectors<L> {
    // A negative zero becomes a positive one.
    let place = start + (end - start).times(fraction) + Vectors::both(fraction.all(0.0));
    Vectors::choose(fraction.same(fraction.all(1.0)), end, place)
}
