//! Where a ray first meets a polygon.
//!
//! A ray that starts outside enters through an edge that it crosses from the right, the outer side:
//! so it does at a vertex too, since of the two edges there one at least is crossed in this way.

use std::cmp::Ordering;
use std::ops::ControlFlow;

use super::boundary::Boundary;
use super::circle_polygon::to_vector;
use super::edge_block::{maybe_crossed, ones};
use super::inside::{Location, locate};
use super::polygon::Polygon;
use crate::convex::{Cyclic, Ring, point_along, right_normal};
use crate::geom::{Displacement, Edge, Point, Ray, RaySlabs, Vec2};
use crate::predicates::{Crossing, Sign, TO_TEN_DIGITS, TO_THE_LAST_PLACE, cross, cross_value};

/// The first point of a shape on a ray.
#[derive(Clone, Copy, Debug)]
pub struct RayHit {
    ray: Ray,
    /// The last time of the ray.
    length: f64,
    /// The edge through which the ray enters, with the interior on its left; `None` if the ray starts
    /// in the shape.
    edge: Option<Edge>,
}

/// Where a ray first meets a polygon: from time 0 to `length`. Hits after `limit`, a time by which
/// another shape is known to be hit, may be left out.
pub fn ray_cast(
    ray: Ray,
    slabs: &RaySlabs,
    [length, limit]: [f64; 2],
    polygon: &Polygon<'_>,
) -> Option<RayHit> {
    let cast = RayHit {
        ray,
        length,
        edge: None,
    };
    match polygon.exactly_convex() {
        Some(ring) => cast.into_convex(ring),
        None => cast.into_any(slabs, limit, polygon.boundary()),
    }
}

impl RayHit {
    fn through(self, edge: Edge) -> Self {
        Self {
            edge: Some(edge),
            ..self
        }
    }

    /// The side of the ray's line on which a point lies.
    fn side(&self, point: Point) -> Sign {
        let path = Edge::from_origin(self.ray.direction);
        cross(path, Displacement::between(self.ray.origin, point))
    }

    fn crossing(&self, edge: Edge) -> Crossing {
        Crossing {
            line: edge,
            gap: Displacement::between(edge.start, self.ray.origin),
            velocity: self.ray.direction.into(),
        }
    }

    /// Edges that don't meet the ray's line decide nothing. Of the others, the origin is on the left of
    /// all exactly if it is in the polygon.
    fn into_convex(self, ring: &Ring<'_>) -> Option<Self> {
        let first = self.side(ring[0]);
        let (mut from, mut meets_line, mut entry, mut is_outside) = (first, false, None, false);
        for index in 0..ring.len() {
            let next = ring.next(index);
            let to = if next == 0 {
                first
            } else {
                self.side(ring[next])
            };
            if from.times(to) != Sign::Positive {
                meets_line = true;
                let edge = Edge::new(ring[index], ring[next]);
                if self.crossing(edge).before() == Sign::Negative {
                    is_outside = true;
                    if from > to {
                        entry = entry.or(Some(edge));
                    }
                }
            }
            from = to;
        }
        match (meets_line, is_outside) {
            (false, _) => None,
            (true, false) => Some(self),
            (true, true) => self.within_length(entry?),
        }
    }

    /// The hit at an edge, unless the ray ends before.
    fn within_length(self, edge: Edge) -> Option<Self> {
        let ends_before = self.length < f64::INFINITY && !self.crossing(edge).is_by(self.length);
        (!ends_before).then(|| self.through(edge))
    }

    fn into_any(self, slabs: &RaySlabs, limit: f64, boundary: &Boundary) -> Option<Self> {
        if locate(self.ray.origin, boundary) != Location::Outside {
            return Some(self);
        }
        let mut first: Option<(Self, usize)> = None;
        let visit = |index: usize| {
            let block = boundary.block(index);
            for lane in ones(maybe_crossed(block, self.ray)) {
                let index = block.range().start + lane;
                let edge = boundary.edge(index);
                if self.is_entered(edge)
                    && let Some(hit) = self.within_length(edge)
                {
                    let is_first = |(other, position): &(Self, usize)| {
                        hit.compare(other).then(index.cmp(position)) == Ordering::Less
                    };
                    if first.as_ref().is_none_or(is_first) {
                        first = Some((hit, index));
                    }
                }
            }
            let earliest = first.as_ref().map_or(limit, |(hit, _)| hit.time_above());
            ControlFlow::Continue(earliest.min(limit))
        };
        let _ = boundary
            .tree()
            .branch_and_bound(|bounds| slabs.entry_below(bounds), limit, visit);
        first.map(|(hit, _)| hit)
    }

    /// Whether the ray, however long, crosses an edge from its right.
    fn is_entered(&self, edge: Edge) -> bool {
        let (from, to) = (self.side(edge.start), self.side(edge.end));
        from.times(to) != Sign::Positive
            && from > to
            && self.crossing(edge).before() == Sign::Negative
    }

    /// Compares the times of two hits of one ray.
    pub fn compare(&self, other: &Self) -> Ordering {
        match (self.edge, other.edge) {
            (Some(edge), Some(others)) if edge != others => {
                self.crossing(edge).compare(&other.crossing(others))
            }
            (own, others) => own.is_some().cmp(&others.is_some()),
        }
    }

    /// Whether the ray starts in the shape.
    pub fn is_at_start(&self) -> bool {
        self.edge.is_none()
    }

    /// The time, in units of the direction.
    pub fn time(&self) -> f64 {
        let Some(edge) = self.edge else { return 0.0 };
        let crossing = self.crossing(edge);
        let velocity = crossing.velocity.displacement();
        let time = -cross_value(edge, crossing.gap, TO_TEN_DIGITS)
            / cross_value(edge, velocity, TO_TEN_DIGITS);
        time.to_f64().min(self.length)
    }

    /// An upper bound of the time.
    pub fn time_above(&self) -> f64 {
        if self.is_at_start() {
            return 0.0;
        }
        // Times are known to ten digits.
        self.time() * (1.0 + 1e-9) + f64::MIN_POSITIVE
    }

    /// The outward unit normal of the edge, which faces the ray; zero if the ray starts in the shape.
    pub fn normal(&self) -> Vec2 {
        self.edge
            .map_or(Vec2::ZERO, |edge| to_vector(right_normal(edge)))
    }

    /// The point.
    pub fn point(&self) -> Point {
        let Some(edge) = self.edge else {
            return self.ray.origin;
        };
        let path = Edge::from_origin(self.ray.direction);
        let side = |end| {
            let gap = Displacement::between(self.ray.origin, end);
            cross_value(path, gap, TO_THE_LAST_PLACE)
        };
        let (start, end) = (side(edge.start), side(edge.end));
        point_along(edge, start / (start - end))
    }
}
