//! Whether boundaries meet.

use std::ops::ControlFlow;

use super::boundary::{Boundary, Common, edge_pairs};
use super::inside::{Location, Probe};
use super::plane_sweep;
use super::validate::WORTHWHILE;
use crate::convex::Cyclic;
use crate::geom::{Bounds, Displacement, Edge, Motion, Point};
use crate::predicates::{Sign, cross, dot, side};

/// What two edges have in common.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum EdgeMeeting {
    /// Nothing.
    Apart,
    /// An end of one, which the other has too.
    Touch(Point),
    /// A point inside both.
    Cross,
    /// A stretch.
    Overlap(Point),
}

/// Whether two edges have a point in common, the first one perhaps moved.
#[inline]
pub(crate) fn meet(first: Edge, second: Edge, shift: Option<Motion>) -> bool {
    if let Some(shift) = shift {
        return meet_moved(first, second, shift);
    }
    let straddles = |line: Edge, edge: Edge| {
        side(line, edge.start).times(side(line, edge.end)) != Sign::Positive
    };
    // On one line, boxes that meet are edges that meet.
    Bounds::from(first).meets(&second.into())
        && straddles(first, second)
        && straddles(second, first)
}

fn meet_moved(first: Edge, second: Edge, shift: Motion) -> bool {
    let of_second =
        |line: Point, point: Point| Displacement::between(line, point).shifted(shift.reversed());
    let of_first = |line: Point, point: Point| Displacement::between(line, point).shifted(shift);
    let second_sides =
        [second.start, second.end].map(|point| cross(first, of_second(first.start, point)));
    let first_sides =
        [first.start, first.end].map(|point| cross(second, of_first(second.start, point)));
    let straddles = |[start, end]: [Sign; 2]| start.times(end) != Sign::Positive;
    if !(straddles(second_sides) && straddles(first_sides)) {
        return false;
    }
    if second_sides != [Sign::Zero; 2] || first_sides != [Sign::Zero; 2] {
        return true;
    }
    // On one line: all of the second beyond an end of the first, or not.
    let past =
        |end: Point| [second.start, second.end].map(|point| dot(first, of_second(end, point)));
    past(first.start) != [Sign::Negative; 2] && past(first.end) != [Sign::Positive; 2]
}

/// How two edges meet.
pub(crate) fn meeting(first: Edge, second: Edge) -> EdgeMeeting {
    if !meet(first, second, None) {
        return EdgeMeeting::Apart;
    }
    let ends = [
        (side(first, second.start), second.start),
        (side(first, second.end), second.end),
        (side(second, first.start), first.start),
        (side(second, first.end), first.end),
    ];
    if ends.iter().all(|&(side, _)| side == Sign::Zero) {
        let (one, other) = (Bounds::from(first), Bounds::from(second));
        let shared = Bounds {
            min: Point::new(one.min.x.max(other.min.x), one.min.y.max(other.min.y)),
            max: Point::new(one.max.x.min(other.max.x), one.max.y.min(other.max.y)),
        };
        let in_shared = |&&(_, point): &&(Sign, Point)| shared.meets(&point.into());
        let (_, point) = *ends
            .iter()
            .find(in_shared)
            .expect("an end of one is shared");
        return if shared.min == shared.max {
            EdgeMeeting::Touch(point)
        } else {
            EdgeMeeting::Overlap(point)
        };
    }
    match ends.iter().find(|&&(side, _)| side == Sign::Zero) {
        Some(&(_, point)) => EdgeMeeting::Touch(point),
        None => EdgeMeeting::Cross,
    }
}

/// Whether two polygons have a point in common.
pub(crate) fn intersects(a: &Boundary, b: &Boundary) -> bool {
    a.bounds().meets(&b.bounds()) && (boundaries_meet(a, b) || either_holds_the_other(a, b, None))
}

/// Whether polygons whose boundaries don't meet have a point in common; for others a yes is right
/// all the same. Each lies in one piece of the plane that the other's boundary leaves, so that one
/// point of each shell tells whether that piece is inside.
pub(crate) fn either_holds_the_other(a: &Boundary, b: &Boundary, shift: Option<Motion>) -> bool {
    let of_a = Probe::moved(a.vertex(0), shift);
    let of_b = Probe::moved(b.vertex(0), shift.map(Motion::reversed));
    of_a.locate(b) == Location::Inside || of_b.locate(a) == Location::Inside
}

fn boundaries_meet(a: &Boundary, b: &Boundary) -> bool {
    let [of_a, of_b] = [a, b].map(|boundary| boundary.corners().len());
    boundaries_meet_within(WORTHWHILE * (of_a + of_b), a, b, None).unwrap_or_else(|| {
        let edges_of_a = (0..of_a).map(|index| a.edge(index));
        let edges_of_b = (0..of_b).map(|index| b.edge(index));
        plane_sweep::meetings(edges_of_a.chain(edges_of_b), |i, j| {
            let is_mixed = (i < of_a) != (j < of_a);
            if is_mixed && meet(a.edge(i.min(j)), b.edge(i.max(j) - of_a), None) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        })
        .is_break()
    })
}

/// Whether boundaries meet, the first one moved, if so many pairs of edges whose boxes meet can
/// tell.
pub(crate) fn boundaries_meet_within(
    pairs: usize,
    a: &Boundary,
    b: &Boundary,
    shift: Option<Motion>,
) -> Option<bool> {
    let (mut left, mut found) = (pairs, false);
    let seen = edge_pairs([a, b], &Common { shift }, 0.0, |_, [first, second]| {
        found = meet(first, second, shift);
        left = left.saturating_sub(1);
        if found || left == 0 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(0.0)
        }
    });
    (found || seen.is_continue()).then_some(found)
}
