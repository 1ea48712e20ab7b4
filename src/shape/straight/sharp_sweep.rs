//! First contact of two polygons without a radius, one moving: always a vertex of one with an edge of
//! the other.

use std::cmp::Ordering;
use std::ops::ControlFlow;

use crate::convex::{
    Corner, Cyclic, DifferenceEdge, Impact, MinkowskiDifference, Owner, SweepOutcome,
};
use crate::geom::{Motion, RadiusSum};
use crate::predicates::numbers::ten_digits::ten_digits_above;
use crate::predicates::{Crossing, Sign};
use crate::shape::boundary::Boundary;
use crate::shape::boundary::interior_angle::Directions;
use crate::shape::pair::arrival_search::{ArrivalSearch, FeaturePair};
use crate::shape::rest::intersects;

/// The first contact within the frame.
///
/// The shapes are disjoint before they first meet, so that a vertex reaches an edge from its outer
/// side. Where two vertices meet, one of them is convex, or the exterior angles could not contain
/// the other shape, and the other vertex reaches one of its edges from outside: every contact comes
/// with such an event.
pub(crate) fn swept_collision(
    difference: &MinkowskiDifference<'_, Boundary>,
    velocity: Motion,
) -> SweepOutcome {
    let (a, b, shift) = (difference.a, difference.b, difference.offset);
    if intersects::intersect_moved(a, b, shift) {
        return SweepOutcome::Overlap;
    }
    let mut first: Option<EdgeEvent> = None;
    let visit = |FeaturePair { corners, edge_of }| {
        let [a, b] = corners;
        let event = edge_of.and_then(|owner| {
            let edge = DifferenceEdge::new(owner, Corner { a, b });
            EdgeEvent::of(difference, edge, velocity)
        });
        if let Some(event) = event
            && first.as_ref().is_none_or(|first| event.precedes(first))
        {
            first = Some(event);
        }
        ControlFlow::Continue(first.as_ref().map_or(1.0, EdgeEvent::time_above))
    };
    let search = ArrivalSearch {
        a,
        b,
        offset: shift,
        velocity,
        radius: RadiusSum::ZERO,
        with_vertices: false,
    };
    let _ = search.visit(visit);
    first.map_or(SweepOutcome::Never, |event| {
        let edge = along_parallel(difference, event.edge, velocity);
        SweepOutcome::Impact(Impact::at(difference, &edge, velocity))
    })
}

/// A vertex that reaches an edge.
struct EdgeEvent {
    edge: DifferenceEdge,
    crossing: Crossing,
}

impl EdgeEvent {
    /// None if the vertex does not reach the edge from outside within the frame.
    fn of(
        difference: &MinkowskiDifference<'_, Boundary>,
        edge: DifferenceEdge,
        velocity: Motion,
    ) -> Option<Self> {
        let crossing = difference.crossing(&edge, velocity);
        (!crossing.surely_misses() && crossing.is_entry() && hits(difference, &edge, velocity))
            .then_some(Self { edge, crossing })
    }

    /// Whether this event is earlier; of simultaneous events, the one with the lower vertices, so that
    /// the order of the search doesn't matter.
    fn precedes(&self, other: &Self) -> bool {
        let order = |event: &Self| {
            let Corner { a, b } = event.edge.from;
            (a, b, event.edge.owner == Owner::B)
        };
        self.crossing
            .compare(&other.crossing)
            .then_with(|| order(self).cmp(&order(other)))
            == Ordering::Less
    }

    /// An upper bound of the time, which is known to ten digits.
    fn time_above(&self) -> f64 {
        let time = self.crossing.time().to_f64();
        ten_digits_above(time).min(1.0)
    }
}

/// Whether the vertex reaches the edge between its ends from outside both shapes, given that it
/// crosses the edge's line within the frame.
fn hits(
    difference: &MinkowskiDifference<'_, Boundary>,
    event: &DifferenceEdge,
    velocity: Motion,
) -> bool {
    let ends = [event.from, difference.end(event)];
    let ahead = ends.map(|corner| difference.ahead(corner, velocity));
    if ahead[0].times(ahead[1]) == Sign::Positive {
        return false;
    }
    let met = ends.iter().zip(ahead).find(|&(_, side)| side == Sign::Zero);
    let [of_a, of_b] = match (met, event.owner) {
        (Some((corner, _)), _) => [Some(corner.a), Some(corner.b)],
        (None, Owner::A) => [None, Some(event.from.b)],
        (None, Owner::B) => [Some(event.from.a), None],
    };
    of_a.is_none_or(|vertex| is_open(difference.a, vertex, velocity))
        && of_b.is_none_or(|vertex| is_open(difference.b, vertex, velocity.reversed()))
}

/// Whether a direction points from a vertex out of the interior angle between its two edges. Where
/// rings touch in a point, it may point into the interior angle of another ring.
pub(crate) fn is_open(boundary: &(impl Cyclic + ?Sized), vertex: usize, direction: Motion) -> bool {
    let [arriving, leaving] = boundary.edges_at(vertex);
    !Directions::at_vertex(arriving, leaving).inside(direction.displacement())
}

/// The contact on the edge that the convex sweep reports: where parallel edges meet, that of
/// `a`, followed by that of `b`.
fn along_parallel(
    difference: &MinkowskiDifference<'_, Boundary>,
    event: DifferenceEdge,
    velocity: Motion,
) -> DifferenceEdge {
    let at_corner = [event.from, difference.end(&event)]
        .into_iter()
        .find(|&corner| difference.ahead(corner, velocity) == Sign::Zero);
    if let Some(corner) = at_corner {
        return flat(difference, corner, velocity).unwrap_or(event);
    }
    let facing = |owner| difference.edges_facing(owner, event.from, velocity);
    let (parallel, from) = match event.owner {
        Owner::A => {
            let [before, _] = facing(Owner::B);
            (before, before.from)
        }
        Owner::B => {
            let [_, after] = facing(Owner::A);
            (after, difference.end(&after))
        }
    };
    if difference.are_parallel(&event, &parallel) {
        DifferenceEdge::new(event.owner, from)
    } else {
        event
    }
}

/// Where two vertices meet at an end of a segment that two parallel edges share: the edge of `a`,
/// followed by that of `b`.
fn flat(
    difference: &MinkowskiDifference<'_, Boundary>,
    corner: Corner,
    velocity: Motion,
) -> Option<DifferenceEdge> {
    let [arriving, leaving] = difference.sides(corner, velocity);
    let [Corner { a, .. }, Corner { b, .. }] = match [arriving.owner, leaving.owner] {
        [Owner::A, Owner::B] => [arriving.from, leaving.from],
        [Owner::B, Owner::A] => [leaving.from, arriving.from],
        _ => return None,
    };
    (difference.are_parallel(&arriving, &leaving))
        .then(|| DifferenceEdge::new(Owner::A, Corner { a, b }))
}
