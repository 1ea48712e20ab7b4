//! Validity of polygons, in Shapely's sense, decided exactly.
//!
//! First all pairs of edges whose boxes meet are tested, or, where these are too many, the pairs
//! from a plane sweep. This finds rings that meet themselves or cross each other, and the points in
//! which rings touch. Rings that don't cross lie each on one side of the other. The interior of a
//! polygon is then disconnected exactly where the graph of its rings and touching points has a cycle.

use std::cmp::Ordering;
use std::ops::ControlFlow;

use super::nesting::{Nesting, edges_through};
use super::plane_sweep::{self, Event, Vertex};
use crate::convex::{Cyclic, point_along};
use crate::geom::{Displacement, Edge, Point};
use crate::invalid_shape::{InvalidRing, InvalidShape, RingPosition};
use crate::predicates::{TO_THE_LAST_PLACE, cross_value};
use crate::shape::boundary::Boundary;
use crate::shape::boundary::edge_pairs::own_edge_pairs;
use crate::shape::boundary::interior_angle::{Directions, by_angle};
use crate::shape::kind::ShapeKind;
use crate::shape::parts::convex_hull::order;
use crate::shape::rest::intersects::{EdgeMeeting, WORTHWHILE, meeting};
use crate::shape::rings::Rings;

/// Checks how edges and rings of a boundary, made of the caller's rings, lie to each other.
pub(crate) fn check(boundary: &Boundary, given: Rings<'_>) -> Result<(), InvalidShape> {
    let (found, mut nesting) = (Vec::new(), Nesting::new(boundary));
    let mut touches = Touches {
        boundary,
        given,
        found,
    };
    // Each pair is visited once here, twice by a search over two boundaries.
    let most = WORTHWHILE / 2 * boundary.corners.len();
    match own_edge_pairs(boundary, most, |i, j| touches.of_pair(i, j)) {
        ControlFlow::Continue(()) => {}
        ControlFlow::Break(Some(why)) => return Err(why),
        ControlFlow::Break(None) => {
            touches.found.clear();
            let edges = (0..boundary.corners.len()).map(|index| boundary.edge(index));
            let swept = plane_sweep::sweep(edges, |event| match event {
                Event::Neighbours([i, j]) => touches.of_pair(i, j),
                Event::Vertex(vertex) => {
                    nesting.visit(&vertex);
                    touches.at_vertex(&vertex)
                }
            });
            if let ControlFlow::Break(why) = swept {
                return Err(why);
            }
        }
    }
    if boundary.rings.len() > 1 {
        // First, so that a hole that touches another ring in two points is reported as such.
        connected(boundary, touches.found)?;
        nested(boundary, &nesting.parents())?;
    }
    Ok(())
}

/// A point in which two rings touch, and the rings.
type Touch = (Point, [usize; 2]);

/// The points found so far in which rings touch.
struct Touches<'b> {
    boundary: &'b Boundary,
    given: Rings<'b>,
    found: Vec<Touch>,
}

impl Touches<'_> {
    /// Adds the point in which two edges touch, if they do.
    fn of_pair(&mut self, i: usize, j: usize) -> ControlFlow<InvalidShape> {
        match examine(self.boundary, self.given, [i.min(j), i.max(j)]) {
            Ok(touch) => self.found.extend(touch),
            Err(why) => return ControlFlow::Break(why),
        }
        ControlFlow::Continue(())
    }

    /// Adds those of the edges that hold a point. Only where they make the shape invalid are their pairs looked at.
    fn at_vertex(&mut self, vertex: &Vertex<'_>) -> ControlFlow<InvalidShape> {
        let (boundary, edges) = (self.boundary, vertex.edges);
        if let Some(rings) = rings_touching(boundary, vertex) {
            let part = |ring: usize| boundary.rings[ring].part;
            // Those of different polygons cut no interior.
            let pairs = rings.windows(2).map(|pair| [pair[0], pair[1]]);
            let pairs = pairs.filter(|&[one, other]| part(one) == part(other));
            self.found.extend(pairs.map(|pair| (vertex.point, pair)));
            return ControlFlow::Continue(());
        }
        for (rank, &first) in edges.iter().enumerate() {
            for &second in &edges[rank + 1..] {
                self.of_pair(first, second)?;
            }
        }
        ControlFlow::Continue(())
    }
}

/// The rings through a vertex in order, if each passes it once, and none crosses or overlaps another there.
fn rings_touching(boundary: &Boundary, vertex: &Vertex<'_>) -> Option<Vec<usize>> {
    // Each ring by the edge that leaves the vertex.
    let leaving = |&edge: &usize| {
        if boundary.edge(edge).end == vertex.point {
            boundary.next(edge)
        } else {
            edge
        }
    };
    let mut passes: Vec<usize> = vertex.edges.iter().map(leaving).collect();
    passes.sort_unstable();
    passes.dedup();
    let rings: Vec<usize> = passes.iter().map(|&edge| boundary.ring_of(edge)).collect();
    if rings.windows(2).any(|pair| pair[0] == pair[1]) {
        return None;
    }
    let mut directions: Vec<(Edge, usize)> = (passes.iter().enumerate())
        .flat_map(|(pass, &edge)| {
            let both = Directions::through(boundary, edge, vertex.point).both();
            both.map(|direction| (direction, pass))
        })
        .collect();
    directions.sort_unstable_by(|one, other| by_angle(one.0, other.0));
    let overlap = |pair: &[(Edge, usize)]| by_angle(pair[0].0, pair[1].0) == Ordering::Equal;
    if directions.windows(2).any(overlap) {
        return None;
    }
    // Like brackets: between the two directions of a ring, others have both or none.
    let mut open = Vec::new();
    for (_, pass) in directions {
        if open.last() == Some(&pass) {
            open.pop();
        } else {
            open.push(pass);
        }
    }
    open.is_empty().then_some(rings)
}

/// How two edges touch, if they do.
fn examine(
    boundary: &Boundary,
    given: Rings<'_>,
    [i, j]: [usize; 2],
) -> Result<Option<Touch>, InvalidShape> {
    let [first, second] = [i, j].map(|index| boundary.edge(index));
    let rings = [i, j].map(|edge| boundary.ring_of(edge));
    let same = rings[0] == rings[1];
    // Neighbours share a vertex, and nothing else where the ring turns.
    if same && (boundary.next(i) == j || boundary.next(j) == i) {
        return Ok(None);
    }
    let (at, shared) = match meeting(first, second) {
        EdgeMeeting::Apart => return Ok(None),
        EdgeMeeting::Touch(point) if same => (point, false),
        EdgeMeeting::Touch(point) => {
            let [one, other] = [i, j].map(|edge| Directions::through(boundary, edge, point));
            if one.share(&other) {
                // The edges that overlap meet here, too: they are named.
                return Ok(None);
            } else if one.cross(&other) {
                (point, false)
            } else {
                // Those of different polygons cut no interior.
                let [one, other] = rings.map(|ring| boundary.rings[ring].part);
                return Ok((one == other).then_some((point, rings)));
            }
        }
        EdgeMeeting::Cross => (crossing_point(first, second), false),
        EdgeMeeting::Overlap([point, _]) => (point, true),
    };
    let edges = [i, j].map(|edge| {
        let ring = given.ring(boundary.ring_of(edge));
        edge_through(ring, boundary.ends_in_ring(edge), at)
    });
    Err(if same {
        let why = InvalidRing::SelfIntersection {
            first: edges[0].min(edges[1]),
            second: edges[0].max(edges[1]),
            at,
        };
        invalid_ring(boundary, rings[0], why)
    } else {
        InvalidShape::RingsMeet {
            rings: rings.map(|ring| position(boundary, ring)),
            edges,
            at,
            shared,
        }
    })
}

/// A ring that is invalid on its own: one of several polygons is named.
fn invalid_ring(boundary: &Boundary, ring: usize, why: InvalidRing) -> InvalidShape {
    match part_and_ring(boundary, ring) {
        (None, ring) => InvalidShape::Ring { ring, why },
        (Some(part), ring) => InvalidShape::Part { part, ring, why },
    }
}

/// A ring of the boundary, as messages name it.
fn position(boundary: &Boundary, ring: usize) -> RingPosition {
    let (part, ring) = part_and_ring(boundary, ring);
    RingPosition::new(part, ring)
}

/// The polygon of a ring of the boundary, if there are several, and the ring's number in its polygon.
fn part_and_ring(boundary: &Boundary, ring: usize) -> (Option<usize>, usize) {
    if boundary.kind == ShapeKind::Polygon {
        return (None, ring);
    }
    let part = boundary.rings[ring].part;
    let mut parts = boundary.rings.iter().map(|it| it.part);
    let first = parts.position(|it| it == part).unwrap_or(ring);
    (Some(part), ring - first)
}

/// Of the edges of a ring from one vertex to another, which lie on a line, that which holds a point of it. The point is
/// rounded: it may lie beside all.
fn edge_through(ring: &[Point], [from, to]: [usize; 2], point: Point) -> usize {
    let next = |index: usize| (index + 1) % ring.len();
    let edges = std::iter::successors(Some(from), |&index| Some(next(index)));
    let edges = edges.take_while(|&index| index != to);
    let beyond = |index: usize| {
        let (start, end) = (ring[index], ring[next(index)]);
        let past = |start: f64, end: f64, at: f64| (start.min(end) - at).max(at - start.max(end));
        past(start.x, end.x, point.x).max(past(start.y, end.y, point.y))
    };
    let nearest =
        edges.min_by(|&one, &other| beyond(one).max(0.0).total_cmp(&beyond(other).max(0.0)));
    nearest.unwrap_or(from)
}

/// Where two edges cross, for messages.
fn crossing_point(first: Edge, second: Edge) -> Point {
    let gap = Displacement::between(second.start, first.start);
    let across = |displacement| cross_value(second, displacement, TO_THE_LAST_PLACE);
    point_along(first, -across(gap) / across(first.displacement()))
}

/// Checks that every hole lies in its shell and in no other hole of it, and that no polygon lies in
/// another.
fn nested(boundary: &Boundary, parents: &[Option<usize>]) -> Result<(), InvalidShape> {
    let rings = &boundary.rings;
    for (ring, own) in rings.iter().enumerate() {
        let parent = parents[ring].map(|parent| &rings[parent]);
        let is_in_place = match parent {
            Some(parent) if own.is_hole => !parent.is_hole && parent.part == own.part,
            Some(parent) => parent.is_hole,
            None => !own.is_hole,
        };
        if is_in_place {
            continue;
        }
        let around = || std::iter::successors(parents[ring], |&around| parents[around]);
        let of_part = |part: usize, is_hole: bool| {
            around().find(|&it| (rings[it].part, rings[it].is_hole) == (part, is_hole))
        };
        if !own.is_hole {
            // Inside the shell of another polygon, and in none of its holes.
            let mut outer = around().map(|it| rings[it].part);
            if let Some(other) = outer.find(|&part| of_part(part, true).is_none()) {
                return Err(InvalidShape::PartInPart {
                    part: own.part,
                    other,
                });
            }
        } else if let Some(other) = of_part(own.part, true) {
            let [ring, other] = [ring, other].map(|it| position(boundary, it));
            return Err(InvalidShape::HoleInHole { ring, other });
        } else if of_part(own.part, false).is_none() {
            let value = outside_of_shell(boundary, ring);
            let ring = position(boundary, ring);
            return Err(InvalidShape::HoleOutside { ring, value });
        }
    }
    Ok(())
}

/// A vertex of a hole outside its shell that is not on the shell, if there is one.
fn outside_of_shell(boundary: &Boundary, hole: usize) -> Point {
    let part = boundary.rings[hole].part;
    let is_on_shell = |corner: &usize| {
        let edges = edges_through(boundary, boundary.vertex(*corner));
        edges.iter().any(|&edge| {
            let ring = &boundary.rings[boundary.ring_of(edge)];
            ring.part == part && !ring.is_hole
        })
    };
    let mut corners = boundary.rings[hole].corners.clone();
    let first = corners.start;
    boundary.vertex(corners.find(|corner| !is_on_shell(corner)).unwrap_or(first))
}

/// Checks that the rings of a polygon and the points in which they touch form no cycle.
fn connected(boundary: &Boundary, mut touches: Vec<Touch>) -> Result<(), InvalidShape> {
    touches.sort_unstable_by(|one, other| order(one.0, other.0).then(one.1.cmp(&other.1)));
    touches.dedup();
    let mut pieces = DisjointSets::new(boundary.rings.len());
    for at_point in touches.chunk_by(|first, second| first.0 == second.0) {
        let at = at_point[0].0;
        let mut rings: Vec<usize> = at_point.iter().flat_map(|(_, rings)| *rings).collect();
        rings.sort_unstable();
        rings.dedup();
        let part = |ring: &usize| boundary.rings[*ring].part;
        for of_part in rings.chunk_by(|one, other| part(one) == part(other)) {
            let again = of_part[1..]
                .iter()
                .find(|&&ring| !pieces.join(of_part[0], ring));
            if let Some(&ring) = again {
                let ring = position(boundary, ring);
                return Err(InvalidShape::InteriorCut { ring, at });
            }
        }
    }
    Ok(())
}

/// Connected sets of rings (Galler and Fischer, 1964).
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

    /// Joins the sets of two rings; false if they were joined already.
    fn join(&mut self, first: usize, second: usize) -> bool {
        let (first, second) = (self.root(first), self.root(second));
        self.0[second] = first;
        first != second
    }
}
