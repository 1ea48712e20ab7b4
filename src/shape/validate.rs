//! Whether rings make a polygon: what Shapely calls valid, decided exactly.
//!
//! Every pair of edges whose boxes meet is looked at, or those that a plane sweep proposes where
//! these are too many, which finds rings that meet themselves or cross each other, and the points
//! in which rings touch. Rings that cross nowhere lie wholly on
//! one side of each other. The interior is then cut exactly where rings and the points in which
//! they touch make a cycle.

use std::ops::ControlFlow;

use super::boundary::{Boundary, own_edge_pairs};
use super::crossing::{EdgeMeeting, meeting};
use super::inside::rings_around;
use super::plane_sweep;
use crate::convex::{Cyclic, point_along};
use crate::error::{InvalidPolygon, InvalidRing};
use crate::geom::{Displacement, Edge, Point};
use crate::predicates::{Sign, TO_THE_LAST_PLACE, between, cross, cross_value, dot, turn};

/// Checks what single rings can't tell.
pub(crate) fn check(boundary: &Boundary) -> Result<(), InvalidPolygon> {
    let touches = touches(boundary)?;
    if boundary.rings().len() > 1 {
        // First, so that a hole that touches another ring in two points is said to do that.
        connected(boundary, touches)?;
        nested(boundary)?;
    }
    Ok(())
}

/// Pairs of edges per edge up to which looking at all whose boxes meet costs less than the plane
/// sweep, some 50 predicates an edge.
pub(super) const WORTHWHILE: usize = 32;

/// A point in which two rings touch.
type Touch = (Point, [usize; 2]);

fn touches(boundary: &Boundary) -> Result<Vec<Touch>, InvalidPolygon> {
    let mut touches = Vec::new();
    let mut fault = None;
    let mut look = |i: usize, j: usize| {
        let pair = [i.min(j), i.max(j)];
        match examine(boundary, pair) {
            Ok(touch) => touches.extend(touch),
            Err(why) => {
                fault = Some(why);
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    };
    if !by_boxes(boundary, &mut look) {
        let edges = (0..boundary.corners().len()).map(|index| boundary.edge(index));
        let _ = plane_sweep::meetings(edges, look);
    }
    fault.map_or(Ok(touches), Err)
}

/// Visits the pairs of edges whose boxes meet until told to stop; gives up, and says so, where
/// they are too many.
fn by_boxes(boundary: &Boundary, look: &mut impl FnMut(usize, usize) -> ControlFlow<()>) -> bool {
    // Here each pair is seen once.
    let mut left = WORTHWHILE / 2 * boundary.corners().len();
    let mut stopped = false;
    let seen = own_edge_pairs(boundary, |i, j| {
        if left == 0 {
            return ControlFlow::Break(());
        }
        left -= 1;
        let looked = look(i, j);
        stopped = looked.is_break();
        looked
    });
    stopped || seen.is_continue()
}

fn examine(boundary: &Boundary, [i, j]: [usize; 2]) -> Result<Option<Touch>, InvalidPolygon> {
    let [first, second] = [i, j].map(|index| boundary.edge(index));
    let rings = [i, j].map(|edge| boundary.ring_of(edge));
    let same = rings[0] == rings[1];
    // Neighbours share a vertex; that they share no more has been seen when it was kept.
    if same && (boundary.next(i) == j || boundary.next(j) == i) {
        return Ok(None);
    }
    let (at, shared) = match meeting(first, second) {
        EdgeMeeting::Apart => return Ok(None),
        EdgeMeeting::Touch(point) if same => (point, false),
        EdgeMeeting::Touch(point) => {
            let ways = [i, j].map(|edge| Directions::through(boundary, edge, point));
            if ways[0].share(&ways[1]) {
                (point, true)
            } else if ways[0].cross(&ways[1]) {
                (point, false)
            } else {
                return Ok(Some((point, rings)));
            }
        }
        EdgeMeeting::Cross => (crossing_point(first, second), false),
        EdgeMeeting::Overlap(point) => (point, true),
    };
    let edges = [i, j].map(|edge| boundary.edge_in_ring(edge));
    Err(if same {
        InvalidPolygon::Ring {
            ring: rings[0],
            why: InvalidRing::SelfIntersection {
                first: edges[0].min(edges[1]),
                second: edges[0].max(edges[1]),
                at,
            },
        }
    } else {
        InvalidPolygon::RingsMeet {
            rings,
            edges,
            at,
            shared,
        }
    })
}

/// Where two edges cross, for messages.
fn crossing_point(first: Edge, second: Edge) -> Point {
    let gap = Displacement::between(second.start, first.start);
    let across = |displacement| cross_value(second, displacement, TO_THE_LAST_PLACE);
    point_along(first, -across(gap) / across(first.displacement()))
}

/// The two ways along a ring from a point of it.
pub(super) struct Directions {
    back: Edge,
    on: Edge,
}

impl Directions {
    /// From a point of an edge.
    pub(super) fn through(boundary: &Boundary, index: usize, point: Point) -> Self {
        let edge = boundary.edge(index);
        let (arriving, leaving) = if point == edge.start {
            (boundary.edge(boundary.previous(index)), edge)
        } else if point == edge.end {
            (edge, boundary.edge(boundary.next(index)))
        } else {
            (edge, edge)
        };
        Self {
            back: arriving.reversed(),
            on: leaving,
        }
    }

    /// Whether another ring leads the same way.
    fn share(&self, other: &Self) -> bool {
        let same = |one: Edge, other: Edge| {
            turn(one, other) == Sign::Zero && dot(one, other.displacement()) == Sign::Positive
        };
        [self.back, self.on]
            .into_iter()
            .any(|one| same(one, other.back) || same(one, other.on))
    }

    /// Whether another ring gets from one side of this one to the other; they share no stretch.
    fn cross(&self, other: &Self) -> bool {
        self.inside(other.back.displacement()) != self.inside(other.on.displacement())
    }

    /// Whether a way leads to the left of the ring: into the angle from `on` to `back`.
    pub(super) fn inside(&self, way: Displacement) -> bool {
        let after_on = cross(self.on, way) == Sign::Positive;
        let before_back = between(way, self.back.displacement()) == Sign::Positive;
        match turn(self.on, self.back) {
            Sign::Positive => after_on && before_back,
            Sign::Zero => after_on,
            Sign::Negative => after_on || before_back,
        }
    }
}

/// That every hole lies in the shell and in no other hole.
fn nested(boundary: &Boundary) -> Result<(), InvalidPolygon> {
    for (ring, hole) in boundary.rings().iter().enumerate().skip(1) {
        let vertex = hole.corners.start;
        let [mut around, touched] = rings_around(boundary.vertex(vertex), boundary);
        if touched.iter().any(|&other| other != ring) {
            // Two rings touch in one point at most, so that the next vertex can tell.
            let [others, _] = rings_around(boundary.vertex(vertex + 1), boundary);
            around.extend(others.into_iter().filter(|other| touched.contains(other)));
        }
        if let Some(&other) = around.iter().find(|&&other| other != 0 && other != ring) {
            return Err(InvalidPolygon::HoleInHole { ring, other });
        }
        if !around.contains(&0) {
            return Err(InvalidPolygon::HoleOutside {
                ring,
                value: boundary.vertex(vertex),
            });
        }
    }
    Ok(())
}

/// That rings and the points in which they touch make no cycle.
fn connected(boundary: &Boundary, mut touches: Vec<Touch>) -> Result<(), InvalidPolygon> {
    let key = |&(point, rings): &Touch| (total(point.x), total(point.y), rings);
    touches.sort_unstable_by_key(key);
    touches.dedup();
    let mut pieces = DisjointSets::new(boundary.rings().len());
    for at_point in touches.chunk_by(|first, second| first.0 == second.0) {
        let at = at_point[0].0;
        let mut rings: Vec<usize> = at_point.iter().flat_map(|(_, rings)| *rings).collect();
        rings.sort_unstable();
        rings.dedup();
        for &ring in &rings[1..] {
            if !pieces.join(rings[0], ring) {
                return Err(InvalidPolygon::InteriorCut { ring, at });
            }
        }
    }
    Ok(())
}

/// A float as an integer of the same order; both zeros are one.
fn total(value: f64) -> i64 {
    let bits = (value + 0.0).to_bits().cast_signed();
    bits ^ ((bits >> 63).cast_unsigned() >> 1).cast_signed()
}

/// Sets of rings that hang together (Galler and Fischer, 1964).
struct DisjointSets(Vec<usize>);

impl DisjointSets {
    fn new(count: usize) -> Self {
        Self((0..count).collect())
    }

    fn root(&mut self, mut ring: usize) -> usize {
        while self.0[ring] != ring {
            self.0[ring] = self.0[self.0[ring]];
            ring = self.0[ring];
        }
        ring
    }

    /// Joins the sets of two rings; false if they were one already.
    fn join(&mut self, first: usize, second: usize) -> bool {
        let (first, second) = (self.root(first), self.root(second));
        self.0[second] = first;
        first != second
    }
}
