//! Float filter for a moving circle and a convex ring: whether and when they meet.
//!
//! The first contact is with an edge's interior or with a vertex. Each arrival is decided on its
//! own; where all are certain, the earliest is the answer.

use super::circle_polygon::{RingAndCircle, circle_reaches, nearest_feature};
use super::swept_collision::FilteredSweep;
use crate::convex::table::lane_corners::Corners;
use crate::predicates::bounds::swept_circle_filter::{Arrival, CirclePath, certainly_before};
use crate::simd::lanes::{Lanes, Mask, Vectors};

/// The first contact of a moving circle and a ring.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FilteredSweptCircle<L: Lanes> {
    /// Where the answer is certain, and the time accurate.
    pub(crate) is_certain: L::Mask,
    /// Whether they intersect at the start.
    pub(crate) intersects: L::Mask,
    /// Whether they intersect at some time.
    pub(crate) will_intersect: L::Mask,
    /// Whether the contact is with an edge's interior.
    pub(crate) is_edge: L::Mask,
    /// Index of the edge, or of the vertex.
    pub(crate) position: L,
    /// The time of an arrival; infinite where there is none.
    arrival: L,
    /// The time of the second arrival, likewise.
    second: L,
    /// The outward normal times `length`.
    outward: Vectors<L>,
    length: L,
    /// Where the normal is accurate.
    is_accurate: L::Mask,
}

impl<L: Lanes> FilteredSweptCircle<L> {
    /// Compares an arrival, where the mask says that there is one, with those before.
    #[inline(always)]
    fn offer(&mut self, mask: L::Mask, arrival: &Arrival<L>, is_edge: L::Mask, index: usize) {
        let all = |number: f64| self.arrival.all(number);
        let time = mask.choose(arrival.time, all(f64::INFINITY));
        let mask = self.arrival.above(time);
        self.second = self.second.smaller(mask.choose(self.arrival, time));
        self.position = mask.choose(all(index as f64), self.position);
        self.is_edge = mask.either(is_edge, self.is_edge);
        self.arrival = self.arrival.smaller(time);
        self.outward = Vectors::choose(mask, arrival.outward, self.outward);
        self.length = mask.choose(arrival.length, self.length);
        self.is_accurate = mask.either(arrival.has_normal, self.is_accurate);
    }

    /// The time of the first contact; infinite where there is none.
    #[inline(always)]
    pub(crate) fn time(&self) -> L {
        let zero = self.arrival.all(0.0);
        let time = self.arrival.smaller(zero.all(1.0));
        let time = self.intersects.choose(zero, time);
        self.will_intersect.choose(time, zero.all(f64::INFINITY))
    }

    /// The decisions and the time.
    #[inline(always)]
    pub(crate) fn sweep(&self) -> FilteredSweep<L> {
        let arrives = self.will_intersect;
        FilteredSweep::known(self.is_certain, self.intersects, arrives, self.arrival)
    }

    /// Where the normal is certain and accurate: not where they intersect at the start.
    #[inline(always)]
    pub(crate) fn has_normal(&self) -> L::Mask {
        self.is_certain & !self.intersects & (!self.will_intersect | self.is_accurate)
    }

    /// The normal of the first contact; zero where there is none.
    #[inline(always)]
    pub(crate) fn normal(&self) -> Vectors<L> {
        let zero = self.length.all(0.0);
        // The sum makes a negative zero a positive one.
        self.outward.map(|component| {
            self.will_intersect
                .choose(component / self.length + zero, zero)
        })
    }
}

/// Whether and when a circle that moves by a velocity meets a ring.
#[inline(always)]
pub(crate) fn swept_circle<L: Lanes, R: Corners<L> + ?Sized>(
    around: &RingAndCircle<'_, L, R>,
    velocity: Vectors<L>,
) -> FilteredSweptCircle<L> {
    let now = circle_reaches(around);
    let zero = around.circle.radius.all(0.0);
    let infinite = zero.all(f64::INFINITY);
    let none = zero.above(zero);
    let mut path = CirclePath::new(around.circle.size, around.circle.radius, velocity);
    if around.is_sum {
        path = path.of_sum();
    }
    let mut first = FilteredSweptCircle {
        is_certain: !none,
        intersects: now.yes,
        will_intersect: now.yes,
        is_edge: none,
        position: zero,
        arrival: infinite,
        second: infinite,
        outward: Vectors::both(zero),
        length: zero.all(1.0),
        is_accurate: none,
    };
    let mut reached_before = none;
    for index in 0..around.ring.count() {
        let at = around.projection(index);
        let to_edge = path.to_edge(&at);
        let edge = to_edge.verdict;
        // A circle that touches an edge between its ends reaches neither end first, even if rounded
        // times can't tell.
        if index + 1 == around.ring.count() {
            let is_end = edge.yes & !first.is_edge & first.position.same(zero);
            first.arrival = is_end.choose(infinite, first.arrival);
        }
        first.offer(edge.yes, &to_edge, !none, index);
        let to_vertex = path.to_vertex(&at);
        let vertex = to_vertex.verdict;
        first.offer(
            vertex.yes & !edge.yes & !reached_before,
            &to_vertex,
            none,
            index,
        );
        first.is_certain = first.is_certain & !edge.undecided() & !vertex.undecided();
        first.will_intersect = first.will_intersect | edge.yes | vertex.yes;
        reached_before = edge.yes;
    }
    let is_finite = infinite.above(velocity.x.abs()) & infinite.above(velocity.y.abs());
    let is_first = certainly_before(first.arrival, first.second) | !first.will_intersect;
    first.is_certain = is_finite & (now.yes | (now.no & first.is_certain & is_first));
    first
}

/// How a moving circle touches a ring.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FilteredTouch<L: Lanes> {
    /// Where the decisions are certain, and time and normal accurate.
    pub(crate) has_normal: L::Mask,
    /// Where the contact is, too.
    pub(crate) has_contact: L::Mask,
    /// From the contact to the center; zero where they never meet.
    pub(crate) normal: Vectors<L>,
    /// The point where they touch, or the nearest one if they intersect at the start; NaN where they never meet.
    pub(crate) contact: Vectors<L>,
}

/// How a circle touches a ring in a sweep, which may have a radius of its own. The contact with a sharp vertex is that
/// vertex; where on an edge they meet is left to the exact form.
#[inline(always)]
pub(crate) fn swept_circle_touch<L: Lanes, R: Corners<L> + ?Sized>(
    around: &RingAndCircle<'_, L, R>,
    sweep: &FilteredSweptCircle<L>,
    rounding: L,
) -> FilteredTouch<L> {
    let touch = later_touch(around, sweep, rounding);
    if !sweep.intersects.any() {
        return touch;
    }
    let now = nearest_feature(around).rounded_by(rounding);
    let is_now = sweep.intersects & sweep.is_certain & now.is_certain;
    FilteredTouch {
        has_normal: is_now | touch.has_normal,
        has_contact: is_now | touch.has_contact,
        normal: Vectors::choose(sweep.intersects, now.normal, touch.normal),
        contact: Vectors::choose(sweep.intersects, now.closest, touch.contact),
    }
}

/// How a circle that is outside a ring at the start touches it. Where they intersect at the start the contact is NaN.
#[inline(always)]
pub(super) fn later_touch<L: Lanes, R: Corners<L> + ?Sized>(
    around: &RingAndCircle<'_, L, R>,
    sweep: &FilteredSweptCircle<L>,
    rounding: L,
) -> FilteredTouch<L> {
    let nan = sweep.length.all(f64::NAN);
    let is_later = sweep.will_intersect & !sweep.intersects;
    let mut contact = Vectors::both(nan);
    if is_later.any() {
        for index in 0..around.ring.count() {
            let is_it = is_later & sweep.position.same(nan.all(index as f64));
            contact = Vectors::choose(is_it, around.ring.corner(index), contact);
        }
    }
    let has_normal = sweep.has_normal();
    FilteredTouch {
        has_normal,
        has_contact: has_normal & !(is_later & (sweep.is_edge | rounding.above(nan.all(0.0)))),
        normal: sweep.normal(),
        contact,
    }
}
