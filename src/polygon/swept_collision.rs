//! Simple rings, one moving: the first contact is that of a vertex of one with an edge of the
//! other.

use std::cmp::Ordering;

use crate::convex::{Boundary, Corner, DifferenceEdge, Impact, Outcome, Owner};
use crate::geom::{Edge, Point, Vec2};
use crate::predicates::{Sign, cross, dot, turn};

use super::crossing;

/// What two moving rings do within the frame; both run counterclockwise.
pub(crate) fn swept_collision(a: &[Point], b: &[Point], velocity: Vec2) -> Outcome {
    if crossing::intersects(a, b) {
        return Outcome::Overlap(None);
    }
    let boundary = Boundary::new(a, b);
    let mut first: Option<DifferenceEdge> = None;
    for a in 0..a.len() {
        for b in 0..b.len() {
            for owner in [Owner::A, Owner::B] {
                let event = boundary.edge(owner, Corner { a, b });
                let earlier = |first: DifferenceEdge| {
                    event.crossing(velocity).compare(&first.crossing(velocity)) == Ordering::Less
                };
                if hits(&boundary, &event, velocity) && first.is_none_or(earlier) {
                    first = Some(event);
                }
            }
        }
    }
    first.map_or(Outcome::Never, |event| {
        let event = beside_parallel(&boundary, event);
        Outcome::Impact(Impact::at(&boundary, &event, velocity))
    })
}

/// Whether the vertex reaches the edge from outside within the frame.
fn hits(boundary: &Boundary<'_>, event: &DifferenceEdge, velocity: Vec2) -> bool {
    let crossing = event.crossing(velocity);
    let path = Edge::from_origin(velocity);
    let passes = |corner| cross(path, boundary.gap(corner));
    crossing.approach() == Sign::Positive
        && crossing.before() == Sign::Negative
        && crossing.after() != Sign::Negative
        && passes(event.from).times(passes(boundary.end(event))) != Sign::Positive
}

/// The same event seen from the vertex at which a parallel edge of the other shape would follow
/// or end, as a walk round the difference would have it.
fn beside_parallel(boundary: &Boundary<'_>, event: DifferenceEdge) -> DifferenceEdge {
    let parallel = |other: DifferenceEdge| {
        let [line, direction] = [event, other].map(|edge| edge.support.direction);
        turn(line, direction) == Sign::Zero && dot(line, direction.displacement()) == Sign::Positive
    };
    let other = match event.owner {
        Owner::A => boundary.before_by_b(event.from),
        Owner::B => boundary.edge(Owner::A, event.from),
    };
    if !parallel(other) {
        return event;
    }
    let corner = match event.owner {
        Owner::A => other.from,
        Owner::B => boundary.end(&other),
    };
    boundary.edge(event.owner, corner)
}
