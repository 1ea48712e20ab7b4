//! The ends of a contact.

use super::axis::{Axis, Shallowest};
use super::field::Field;
use crate::convex::ring::{Corners, following};
use crate::predicates::about::{Grid, Squares};
use crate::predicates::filter::UNIT_ROUNDOFF;
use crate::predicates::lanes::{Lanes, Mask, Vectors};

/// A bound on the error of [`Difference::dot`], in units of the terms' sizes, and of its own: the
/// products are rounded, then their sum, then what is added to it. The rest is room.
const ERROR: f64 = 1.0625 * UNIT_ROUNDOFF;
const OWN_ERROR: f64 = 2.125 * UNIT_ROUNDOFF;

/// Sizes between which products of four differences, and of such a product with a fifth, stay in
/// the normal range of floats: 2^200, and for a product of two 2^-400.
const LARGEST: f64 = f64::from_bits((1023 + 200) << 52);
const SMALLEST: f64 = f64::from_bits((1023 - 400) << 52);

/// The ends of a contact.
#[derive(Clone, Copy, Debug)]
pub struct Contact<L: Lanes> {
    /// Where they are certain, and accurate.
    pub(crate) is_certain: L::Mask,
    pub(crate) ends: [Vectors<L>; 2],
}

impl<L: Lanes> Contact<L> {
    /// The same where shapes intersect; elsewhere there certainly is none, which is NaN.
    #[inline(always)]
    pub(crate) fn of_those(self, intersecting: L::Mask) -> Self {
        let some_number = |end: Vectors<L>| {
            end.map(
                #[inline(always)]
                |component| intersecting.choose(component, component.all(f64::NAN)),
            )
        };
        Self {
            is_certain: self.is_certain | !intersecting,
            ends: self.ends.map(some_number),
        }
    }
}

/// The ends of the contact of two rings that intersect, along their axis of least overlap.
///
/// The edge most opposed to the reference edge is the one most opposed of those at the deepest
/// vertex: round a convex ring, that is where the edges' directions pass the opposite one.
#[inline(always)]
pub(crate) fn contact<L: Lanes, R: Corners<L> + ?Sized>(
    field: &Field<'_, L, R>,
    axis: &Axis<L>,
) -> Contact<L> {
    let zero = axis.overlap.all(0.0);
    let (reference, is_of_a) = field.edge(
        #[inline(always)]
        |index| axis.is(&field.axis(index)),
    );
    let count_of_a = field.rings[0].count();
    let is_other = |index: usize| {
        if index < count_of_a {
            !is_of_a
        } else {
            is_of_a
        }
    };
    let error = Squares::new(field.size, zero).error;
    // On the difference, opposed edges run the same way.
    let opposed = Shallowest::of(
        field.reaches.len(),
        #[inline(always)]
        |index| {
            let direction = field.reaches[index].direction;
            let along = axis.direction.dot(direction);
            let against = is_other(index).choose(zero - along, zero);
            Axis::new(direction, against, error)
        },
    );
    let Vectors { x, y } = opposed.axis.direction;
    let (incident, _) = field.edge(
        #[inline(always)]
        |index| {
            let direction = field.reaches[index].direction;
            is_other(index) & direction.x.same(x) & direction.y.same(y)
        },
    );
    let Contact { is_certain, ends } = clip(incident, reference);
    Contact {
        is_certain: is_certain & opposed.is_clearly_opposed(error),
        ends,
    }
}

impl<L: Lanes, R: Corners<L> + ?Sized> Field<'_, L, R> {
    /// The ends of the first edge of which this is true, and whether it is one of `a`.
    #[inline(always)]
    fn edge(&self, is_it: impl Fn(usize) -> L::Mask) -> ([Vectors<L>; 2], L::Mask) {
        let zero = self.error.all(0.0);
        let none = zero.above(zero);
        let mut ends = [Vectors { x: zero, y: zero }; 2];
        let mut is_found = none;
        let mut is_of_a = none;
        let mut position = 0;
        for ring in self.rings {
            for start in 0..ring.count() {
                let is_this = is_it(position) & !is_found;
                is_found = is_found | is_this;
                let [from, to] = ends;
                ends = [
                    Vectors::choose(is_this, ring.corner(start), from),
                    Vectors::choose(is_this, ring.corner(following(ring, start)), to),
                ];
                position += 1;
            }
            if position == self.rings[0].count() {
                is_of_a = is_found;
            }
        }
        (ends, is_of_a)
    }
}

/// The part of the first edge that lies between the perpendiculars through the ends of the second
/// and on its left, by Liang and Barsky's clipping; not certain where that is nothing.
///
/// With `e` and `f` the errors of values `s` and `t` of opposite sign, `s / (s - t)` is wrong by
/// `(|t| e + |s| f) / (s - t)²` and two roundings, where `e` and `f` are small beside `s - t`; the
/// edge and its product with that make two more. The public contract allows a point eight units in
/// the last place of the extent, which are eight roundings of it at least.
#[inline(always)]
pub(crate) fn clip<L: Lanes>(incident: [Vectors<L>; 2], reference: [Vectors<L>; 2]) -> Contact<L> {
    let all = |number| incident[0].x.all(number);
    let (zero, one) = (all(0.0), all(1.0));
    let [start, end] = incident;
    let [from, to] = reference;
    let edge = end - start;
    let extent = extent([start, end, from, to]);
    let grid = Grid::new(extent);
    let is_usual = extent.above(all(SMALLEST)) & all(LARGEST).above(extent);
    let is_exact = is_usual
        & grid.holds_both(start)
        & grid.holds_both(end)
        & grid.holds_both(from)
        & grid.holds_both(to);
    let longest = edge.x.abs().larger(edge.y.abs());
    let allowed = (extent * all(4.0) - longest * all(2.05)) * all(f64::EPSILON);

    let (along, back) = (Difference::new(to, from), Difference::new(from, to));
    let left = along.turned_left();
    let limits = [(along, from), (back, to), (left, from)];
    let (mut first, mut last) = (zero, one);
    let mut is_certain = is_usual;
    for (inward, limit) in limits {
        let (before, its_error) = inward.dot(&Difference::new(start, limit));
        let (after, error) = inward.dot(&Difference::new(end, limit));
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
    let place = |fraction: L| {
        let beyond = edge.map(|component| component * fraction);
        // A negative zero becomes a positive one.
        let place = start.with(beyond, |start, beyond| start + beyond + zero);
        Vectors::choose(fraction.same(one), end, place)
    };
    Contact {
        is_certain: is_certain & last.at_least(first),
        ends: [place(first), place(last)],
    }
}

/// The difference of two places, and what its rounding left.
#[derive(Clone, Copy)]
struct Difference<L> {
    high: Vectors<L>,
    low: Vectors<L>,
}

impl<L: Lanes> Difference<L> {
    #[inline(always)]
    fn new(to: Vectors<L>, from: Vectors<L>) -> Self {
        let high = to - from;
        // Knuth's sum of two floats and its error.
        let less = high - to;
        let of_from = from.with(less, |from, less| from + less);
        let low = (to - (high - less)) - of_from;
        Self { high, low }
    }

    #[inline(always)]
    fn turned_left(self) -> Self {
        let turned = |Vectors { x, y }: Vectors<L>| Vectors {
            x: x.all(0.0) - y,
            y: x,
        };
        Self {
            high: turned(self.high),
            low: turned(self.low),
        }
    }

    /// The scalar product and a bound on its error.
    #[inline(always)]
    fn dot(&self, other: &Self) -> (L, L) {
        let Vectors { x, y } = self.high.products(other.high);
        let all = |number| x.all(number);
        let rest = self.high.dot(other.low) + self.low.dot(other.high);
        let dot = (x + y) + rest;
        let error = (x.abs() + y.abs()) * all(ERROR) + dot.abs() * all(OWN_ERROR);
        (dot, error)
    }
}

/// The larger side of the box round some places.
#[inline(always)]
fn extent<L: Lanes>(places: [Vectors<L>; 4]) -> L {
    let [mut low, mut high] = [places[0]; 2];
    for place in &places[1..] {
        low = low.with(*place, L::smaller);
        high = high.with(*place, L::larger);
    }
    let size = high - low;
    size.x.larger(size.y)
}
