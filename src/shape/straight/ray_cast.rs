//! Where a ray first meets a shape.
//!
//! A ray that starts outside a polygon enters through an edge that it crosses from the right, the outer
//! side: so it does at a vertex too, since of the two edges there one at least is crossed in this way. A
//! path may also be met at a vertex by a ray along its edge, and a point only so. A shape with a radius
//! is met where a moving point comes that near.

use std::cmp::Ordering;
use std::ops::ControlFlow;

use super::swept_circle::swept_circle;
use crate::convex::filter::certainly_holds;
use crate::convex::{Cyclic, Ring, point_along, right_normal};
use crate::geom::{Circle, Displacement, Edge, Motion, Point, Ray, Vec2, WideFloat};
use crate::predicates::numbers::ten_digits::ten_digits_above;
use crate::predicates::{
    Crossing, RaySlabs, Sign, TO_TEN_DIGITS, TO_THE_LAST_PLACE, cross, cross_value, dot,
};
use crate::shape::boundary::Boundary;
use crate::shape::boundary::edge_block::{maybe_crossed, ones};
use crate::shape::boundary::point_in_polygon::{Location, locate};
use crate::shape::checked_shape::Shape;
use crate::simd::load::LANES;

/// The first point of a shape on a ray.
#[derive(Clone, Copy, Debug)]
pub struct RayHit {
    ray: Ray,
    /// The last time of the ray.
    length: f64,
    surface: Surface,
}

/// What a ray meets first.
#[derive(Clone, Copy, Debug)]
enum Surface {
    /// The shape, which holds its origin.
    Start,
    /// An edge, with the interior on its left.
    Edge(Edge),
    /// A vertex of a shape without interior.
    Vertex(Point),
    /// The boundary of a rounded shape, at a time.
    Rounded {
        time: f64,
        normal: Vec2,
        point: Point,
    },
}

/// Where a ray first meets a shape: from time 0 to `length`. Hits after `limit`, a time by which
/// another shape is known to be hit, may be left out.
pub fn ray_cast(
    ray: Ray,
    slabs: &RaySlabs,
    [length, limit]: [f64; 2],
    polygon: &Shape<'_>,
) -> Option<RayHit> {
    let cast = RayHit {
        ray,
        length,
        surface: Surface::Start,
    };
    if polygon.radius() > 0.0 {
        return cast.into_rounded(polygon);
    }
    match polygon.scanned_ring() {
        Some(ring) => cast.into_convex(ring),
        None => cast.into_any(slabs, limit, polygon.boundary()),
    }
}

impl RayHit {
    fn through(self, surface: Surface) -> Self {
        Self { surface, ..self }
    }

    /// The moving point starts in the shape, or its path covers all times that matter: the direction times a
    /// power of two.
    fn into_rounded(self, shape: &Shape<'_>) -> Option<Self> {
        let center = self.ray.origin;
        let radius = 0.0;
        let direction = self.ray.direction;
        let all = shape.bounds().union(&center.into());
        let size = all.half_size().max(shape.radius() / 2.0);
        let speed = direction.largest();
        let exponent = |number: f64| libm::frexp(number).1;
        // Four times the size and more, unless the direction is zero.
        let doublings = (exponent(size) + 4 - exponent(speed)).max(0);
        // A path longer than floats reach is a sum of several steps. None is shorter than the direction, whose
        // smaller component might underflow.
        let of_step = (1020 - exponent(speed)).clamp(0, doublings);
        let scaled = |component: f64| libm::ldexp(component, of_step);
        let step = Vec2::new(scaled(direction.x), scaled(direction.y));
        let velocity = match doublings - of_step {
            0 => step.into(),
            more => Motion::drifting(step, libm::ldexp(1.0, more)),
        };
        let swept = swept_circle(Circle { center, radius }, velocity, shape, 0.0);
        if swept.intersects() {
            return Some(self);
        }
        let time = (swept.wide_time() * WideFloat::new(1.0, doublings)).to_f64();
        (swept.will_intersect() && self.lasts_until(time, shape)).then(|| {
            self.through(Surface::Rounded {
                time: time.min(self.length),
                normal: swept.normal(),
                point: swept.contact()[0],
            })
        })
    }

    /// Whether the ray ends at the time of its hit, which is known to ten digits, or later. Where these
    /// don't tell, the path to its end does.
    fn lasts_until(&self, time: f64, shape: &Shape<'_>) -> bool {
        let Ray { origin, direction } = self.ray;
        if self.length == f64::INFINITY || ten_digits_above(time) < self.length {
            return true;
        }
        let center = Circle {
            center: origin,
            radius: 0.0,
        };
        let path = Motion::drifting(direction, self.length);
        time <= ten_digits_above(self.length)
            && swept_circle(center, path, shape, 0.0).will_intersect()
    }

    fn path(&self) -> Edge {
        Edge::from_origin(self.ray.direction)
    }

    fn is_ahead(&self, point: Point) -> bool {
        let ahead = Displacement::between(self.ray.origin, point);
        self.side(point) == Sign::Zero && dot(self.path(), ahead) == Sign::Positive
    }

    /// An axis that the ray crosses from the right.
    fn axis_across(&self) -> Edge {
        let Vec2 { x, y } = self.ray.direction;
        Edge::from_origin(match x {
            0.0 => Vec2::new(y.signum(), 0.0),
            _ => Vec2::new(0.0, -x.signum()),
        })
    }

    /// The side of the ray's line on which a point lies.
    fn side(&self, point: Point) -> Sign {
        cross(self.path(), Displacement::between(self.ray.origin, point))
    }

    fn crossing(&self, edge: Edge) -> Crossing {
        self.crossing_at(edge.start, edge)
    }

    /// Where the ray crosses the line through a point.
    fn crossing_at(&self, point: Point, line: Edge) -> Crossing {
        Crossing {
            line,
            gap: Displacement::between(point, self.ray.origin),
            velocity: self.ray.direction.into(),
        }
    }

    /// Where the ray crosses the edge of the hit from the right, or an axis through the vertex.
    fn entry(&self) -> Option<Crossing> {
        match self.surface {
            Surface::Edge(edge) => Some(self.crossing(edge)),
            Surface::Vertex(vertex) => Some(self.crossing_at(vertex, self.axis_across())),
            Surface::Start | Surface::Rounded { .. } => None,
        }
    }

    /// Edges that don't meet the ray's line decide nothing. Of the others, the origin is on the left of
    /// all exactly if it is in the polygon.
    fn into_convex(self, ring: &Ring<'_>) -> Option<Self> {
        if ring.len() > LANES && certainly_holds(ring, self.ray.origin) {
            return Some(self);
        }
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
            (true, true) => self.within_length(Surface::Edge(entry?)),
        }
    }

    /// The hit at an edge or a vertex, unless the ray ends before.
    fn within_length(self, surface: Surface) -> Option<Self> {
        let hit = self.through(surface);
        let ends_before = |entry: Crossing| entry.compare_with(self.length) == Ordering::Greater;
        (!hit.entry().is_some_and(ends_before)).then_some(hit)
    }

    fn into_any(self, slabs: &RaySlabs, limit: f64, boundary: &Boundary) -> Option<Self> {
        if locate(self.ray.origin, boundary) != Location::Outside {
            return Some(self);
        }
        let is_thin = !boundary.kind.is_polygonal();
        let mut first: Option<(Self, usize)> = None;
        let visit = |index: usize| {
            let block = &boundary.blocks[index];
            for lane in ones(maybe_crossed(block, self.ray)) {
                let index = block.range().start + lane;
                let edge = boundary.edge(index);
                let entered = Some(edge).filter(|&edge| self.is_entered(edge));
                let vertex = Some(edge.start).filter(|&it| is_thin && self.is_ahead(it));
                let surfaces = [entered.map(Surface::Edge), vertex.map(Surface::Vertex)];
                for hit in surfaces.into_iter().flatten() {
                    let Some(hit) = self.within_length(hit) else {
                        continue;
                    };
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

    /// Compares the times of two hits of one ray, a total order: exactly, where that of a rounded shape counts as
    /// the number that is computed for it.
    pub fn compare(&self, other: &Self) -> Ordering {
        match (self.entry(), other.entry()) {
            (Some(own), Some(others)) if own == others => Ordering::Equal,
            (Some(own), Some(others)) => own.compare(&others),
            (Some(own), None) => own.compare_with(other.time()),
            (None, Some(others)) => others.compare_with(self.time()).reverse(),
            (None, None) => self.time().total_cmp(&other.time()),
        }
    }

    /// Whether the ray starts in the shape.
    pub fn is_at_start(&self) -> bool {
        matches!(self.surface, Surface::Start)
    }

    /// The time, in units of the direction.
    pub fn time(&self) -> f64 {
        match (self.surface, self.entry()) {
            (Surface::Rounded { time, .. }, _) => time,
            (_, Some(entry)) => entry.time_within(TO_TEN_DIGITS).to_f64().min(self.length),
            (_, None) => 0.0,
        }
    }

    /// An upper bound of the time.
    pub fn time_above(&self) -> f64 {
        if self.is_at_start() {
            return 0.0;
        }
        // Times are known to ten digits.
        ten_digits_above(self.time())
    }

    /// The outward unit normal of the edge, which faces the ray, or at a vertex of a shape without
    /// interior the opposite of the ray's direction; zero if the ray starts in the shape.
    pub fn normal(&self) -> Vec2 {
        match self.surface {
            Surface::Start => Vec2::ZERO,
            Surface::Edge(edge) => right_normal(edge).to_vec2(),
            Surface::Vertex(_) => right_normal(self.path()).turned_right().to_vec2(),
            Surface::Rounded { normal, .. } => normal,
        }
    }

    /// The point.
    pub fn point(&self) -> Point {
        let edge = match self.surface {
            Surface::Start => return self.ray.origin,
            Surface::Vertex(vertex) => return vertex,
            Surface::Rounded { point, .. } => return point,
            Surface::Edge(edge) => edge,
        };
        let side = |end| {
            let gap = Displacement::between(self.ray.origin, end);
            cross_value(self.path(), gap, TO_THE_LAST_PLACE)
        };
        let (start, end) = (side(edge.start), side(edge.end));
        point_along(edge, start / (start - end))
    }
}
