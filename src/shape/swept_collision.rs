//! Any two polygons, one moving: the first contact is that of a vertex of one with an edge of the
//! other.

use std::cmp::Ordering;
use std::ops::ControlFlow;

use super::boundary::{Boundary, PairBound, edge_pairs, zero_if_met};
use super::crossing;
use super::validate::Directions;
use crate::convex::{
    Corner, Cyclic, DifferenceEdge, Impact, MinkowskiDifference, Owner, SweepOutcome,
};
use crate::geom::{Bounds, Edge, Motion};
use crate::predicates::Sign;

/// Contacts of a moving edge: at most the time of the first.
struct Contacts {
    velocity: Motion,
    shift: Option<Motion>,
}

impl Contacts {
    #[inline(always)]
    fn moved(&self, a: Bounds) -> Bounds {
        self.shift.map_or(a, |shift| a.moved(shift))
    }
}

impl PairBound for Contacts {
    fn bound(&self, a: &Bounds, b: &Bounds) -> f64 {
        self.moved(*a).meeting_time_below(b, self.velocity)
    }

    #[inline(always)]
    fn prepared(&self, a: Bounds) -> Bounds {
        self.moved(a).swept(self.velocity)
    }

    /// Without divisions, of which there would be four for each pair of edges.
    #[inline(always)]
    fn bound_of_edges(&self, swept: &Bounds, b: &Bounds) -> f64 {
        zero_if_met(swept, b)
    }
}

/// Pairs of edges looked at for a meeting at the start before the sweep itself looks for one.
const FIRST_LOOK: usize = 256;

/// What two moving polygons do within the frame.
///
/// They are apart before they first meet, so that the vertex comes to the edge from its outer
/// side. Where two vertices meet, one of them is convex, or the angles outside could not hold the
/// shapes, and the other comes to one of its edges from outside: no contact is without such an
/// event.
pub(crate) fn swept_collision(
    difference: &MinkowskiDifference<'_, Boundary>,
    velocity: Motion,
) -> SweepOutcome {
    let (a, b, shift) = (difference.a(), difference.b(), difference.offset());
    // Neighbours on a map meet in the first edges looked at; shapes that interlock are not worth
    // a search of their own for that.
    let meet_now = crossing::boundaries_meet_within(FIRST_LOOK, a, b, shift);
    if meet_now == Some(true) || crossing::either_holds_the_other(a, b, shift) {
        return SweepOutcome::Overlap(None);
    }
    let contacts = Contacts { velocity, shift };
    let mut first: Option<Event> = None;
    let mut limit = 1.0;
    // Edges that meet at the start have boxes that do, and come first.
    let overlap = edge_pairs([a, b], &contacts, limit, |[a, b], edges| {
        if meet_now.is_none() && crossing::meet(edges[0], edges[1], shift) {
            return ControlFlow::Break(());
        }
        for owner in [Owner::A, Owner::B] {
            let edge = difference.edge(owner, Corner { a, b });
            if passes_near(owner, edges, &contacts) && hits(difference, &edge, velocity) {
                let event = Event { edge, velocity };
                if first.as_ref().is_none_or(|first| event.precedes(first)) {
                    limit = event.time_above();
                    first = Some(event);
                }
            }
        }
        ControlFlow::Continue(limit)
    });
    if overlap.is_break() {
        return SweepOutcome::Overlap(None);
    }
    first.map_or(SweepOutcome::Never, |event| {
        let edge = along_parallel(difference, event.edge, velocity);
        SweepOutcome::Impact(Impact::at(difference, &edge, velocity))
    })
}

/// A vertex reaches an edge.
struct Event {
    edge: DifferenceEdge,
    velocity: Motion,
}

impl Event {
    /// Whether it comes before another; of those at the same time, by the order of the vertices,
    /// so that it matters not in which order they are found.
    fn precedes(&self, other: &Self) -> bool {
        let crossing = |event: &Self| event.edge.crossing(event.velocity);
        let order = |event: &Self| {
            let Corner { a, b } = event.edge.from;
            (a, b, event.edge.owner == Owner::B)
        };
        crossing(self)
            .compare(&crossing(other))
            .then_with(|| order(self).cmp(&order(other)))
            == Ordering::Less
    }

    /// At least its time, which is known to ten digits.
    fn time_above(&self) -> f64 {
        let time = self.edge.crossing(self.velocity).time().to_f64();
        (time * (1.0 + 1e-9) + f64::MIN_POSITIVE).min(1.0)
    }
}

/// Whether the vertex at the start of the one edge gets into the box of the other, the owner's.
#[inline(always)]
fn passes_near(owner: Owner, [of_a, of_b]: [Edge; 2], contacts: &Contacts) -> bool {
    let (moving, resting) = match owner {
        Owner::A => (Bounds::from(of_a), Bounds::from(of_b.start)),
        Owner::B => (Bounds::from(of_a.start), Bounds::from(of_b)),
    };
    contacts.prepared(moving).meets(&resting)
}

/// Whether the vertex reaches the edge from outside within the frame.
fn hits(
    difference: &MinkowskiDifference<'_, Boundary>,
    event: &DifferenceEdge,
    velocity: Motion,
) -> bool {
    let crossing = event.crossing(velocity);
    if crossing.surely_misses()
        || crossing.approach() != Sign::Positive
        || crossing.before() != Sign::Negative
        || crossing.after() == Sign::Negative
    {
        return false;
    }
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
    of_a.is_none_or(|vertex| is_open(difference.a(), vertex, velocity))
        && of_b.is_none_or(|vertex| is_open(difference.b(), vertex, velocity.reversed()))
}

/// Whether a way from a vertex leads out of the shape, into the angle between the vertex's own two
/// edges: where rings touch in a point, it may be another's.
fn is_open(boundary: &Boundary, vertex: usize, way: Motion) -> bool {
    !Directions::through(boundary, vertex, boundary.vertex(vertex)).inside(way.displacement())
}

/// The same contact as a walk round the difference would have it: where edge meets parallel edge,
/// on that of `a`, with that of `b` to follow.
fn along_parallel(
    difference: &MinkowskiDifference<'_, Boundary>,
    event: DifferenceEdge,
    velocity: Motion,
) -> DifferenceEdge {
    let at_corner = [event.from, difference.end(&event)]
        .into_iter()
        .find(|&corner| difference.ahead(corner, velocity) == Sign::Zero);
    if let Some(corner) = at_corner {
        return flat(difference, corner).unwrap_or(event);
    }
    match event.owner {
        Owner::A => {
            let before = difference.before(Owner::B, event.from);
            if event.runs_along(&before) {
                difference.edge(Owner::A, before.from)
            } else {
                event
            }
        }
        Owner::B => {
            let other = difference.edge(Owner::A, event.from);
            if event.runs_along(&other) {
                difference.edge(Owner::B, difference.end(&other))
            } else {
                event
            }
        }
    }
}

/// Where vertex meets vertex at an end of a stretch along which parallel edges meet: the edge of
/// `a` there, with that of `b` to follow.
fn flat(difference: &MinkowskiDifference<'_, Boundary>, corner: Corner) -> Option<DifferenceEdge> {
    let [arriving, leaving] = difference.sides(corner);
    let flat = arriving.owner != leaving.owner && arriving.runs_along(&leaving);
    flat.then(|| difference.edge(Owner::A, arriving.from))
}
