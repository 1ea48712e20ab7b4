//! First contact of two shapes with a radius, or without an interior, one moving: a vertex of one, as a
//! moving circle, reaches a feature of the other.
//!
//! The circle's radius is the sum of all radii. A path is a polygon of width zero, so that a vertex may
//! reach it from either side.

use std::ops::ControlFlow;

use super::boundary::Boundary;
use super::boundary_feature::{BoundaryFeature, vertex_at};
use super::checked_shape::{Shape, filter_radius};
use super::circle_arrival::Approach;
use super::edge_pairs::{any_met, edge_pairs, zero_if_met};
use super::intersects::intersect_moved;
use super::sharp_sweep::is_open;
use crate::convex::filter::one_pair::with_table;
use crate::convex::filter::{EntryFeatures, FilteredSweep, rounded_sweep};
use crate::convex::{
    Corner, Cyclic, MinkowskiDifference, Owner, bisector, moved_along, point_along, right_normal,
};
use crate::geom::{
    Bounds, Circle, Displacement, Edge, Motion, Point, RadiusSum, Vec2, WideFloat, WideVector,
};
use crate::predicates::ten_digits::ten_digits_above;
use crate::predicates::{Sign, TO_THE_LAST_PLACE, dot_value, have_same_direction, length, turn};

/// The first contact of two shapes that are apart at the start.
#[derive(Clone, Copy, Debug)]
pub struct RoundedContact {
    /// Precise enough to place a moving point.
    pub(super) exact_time: f64,
    /// The time that a filter gives, if it can tell.
    pub(super) filtered_time: Option<f64>,
    /// From the second shape to the first.
    pub(super) normal: Vec2,
    /// The ends, on the boundary of the second shape, where that is at the start.
    pub(super) contact: [Point; 2],
}

/// Two shapes, the first of which moves.
#[derive(Clone, Copy)]
pub(super) struct MovingPair<'b> {
    a: &'b Boundary,
    b: &'b Boundary,
    /// The displacement of `a` at the start, if any.
    offset: Option<Motion>,
    velocity: Motion,
    /// The sum of all radii.
    radius: RadiusSum,
}

impl RoundedContact {
    /// Where normal and contact are not wanted.
    pub(super) const fn of_time(time: f64) -> Self {
        Self {
            exact_time: time,
            filtered_time: None,
            normal: Vec2::NAN,
            contact: [Point::NAN; 2],
        }
    }

    /// The time, as a fraction of the frame.
    pub(super) fn time(&self) -> f64 {
        self.filtered_time.unwrap_or(self.exact_time)
    }
}

/// Whether and when two shapes come within a margin while the first moves, and what meets after the start, if they
/// are convex and floats can tell.
pub(super) fn filtered(
    [a, b]: [&Shape<'_>; 2],
    velocity: Motion,
    margin: f64,
) -> Option<(FilteredSweep<f64>, Option<EntryFeatures<f64>>)> {
    let velocity = velocity.vector()?;
    let radius = filter_radius(a, b, margin)?;
    let rings = (a.small_convex()?, b.small_convex()?);
    let found = with_table([&rings.0, &rings.1], |table| {
        rounded_sweep(table, velocity, radius, None)
    });
    found.0.is_certain.then_some(found)
}

/// A vertex of one shape and a feature of the other.
#[derive(Clone, Copy)]
struct RoundedEvent {
    approach: Approach,
    /// Whether the vertex is one of `b`, which moves the other way relative to `a`.
    is_reversed: bool,
    /// The corners: of `a` and of `b`.
    corners: [usize; 2],
}

impl<'b> MovingPair<'b> {
    pub(super) fn new(
        [a, b]: [&'b Shape<'_>; 2],
        offset: Option<Motion>,
        velocity: Motion,
        radius: RadiusSum,
    ) -> Self {
        Self {
            a: a.boundary(),
            b: b.boundary(),
            offset,
            velocity,
            radius,
        }
    }

    /// Whether the shapes, as they are at the start, come within the radius of each other.
    pub(super) fn meet_at_start(&self) -> bool {
        intersect_moved(self.a, self.b, self.offset)
            || !self.radius.is_zero()
                && self.any(Motion::NONE, |event| event.approach.is_reached_at_start())
    }

    /// Whether shapes that are apart at the start come into contact within the frame.
    pub(super) fn come_into_contact(&self) -> bool {
        self.any(self.velocity, |event| event.approach.arrives())
    }

    /// Whether a condition holds for any event whose boxes meet within the frame.
    fn any(&self, velocity: Motion, condition: impl Fn(&RoundedEvent) -> bool) -> bool {
        let swept = |a: Bounds| self.grown(a).swept(velocity);
        any_met([self.a, self.b], swept, |corners, _| {
            self.events(corners).iter().any(&condition)
        })
    }

    /// The first contact within the frame, of shapes that are apart at the start and of which `b` has
    /// this radius.
    pub(super) fn first_contact(&self, radius_b: f64) -> Option<RoundedContact> {
        let mut first: Option<(WideFloat, RoundedEvent)> = None;
        let swept = |a: Bounds| self.grown(a).swept(self.velocity);
        let time_of_blocks =
            |a: &Bounds, b: &Bounds| self.grown(*a).meeting_time_below(b, self.velocity);
        let mut limit = 1.0;
        let visit = |corners: [usize; 2], _: [Edge; 2]| {
            for event in self.events(corners) {
                if event.approach.arrives() && self.is_from_outside(&event) {
                    let time = event.approach.time();
                    let earlier = |(other, at): &(WideFloat, RoundedEvent)| {
                        time < *other || time == *other && self.rank(&event) < self.rank(at)
                    };
                    if first.as_ref().is_none_or(earlier) {
                        // Times are known to ten digits at least.
                        limit = ten_digits_above(time.to_f64()).min(1.0);
                        first = Some((time, event));
                    }
                }
            }
            ControlFlow::Continue(limit)
        };
        let trees = [self.a, self.b];
        let _ = edge_pairs(trees, swept, zero_if_met, time_of_blocks, 1.0, visit);
        first.map(|(time, event)| self.contact(&event, time, radius_b))
    }

    /// The first contact of two polygons, given the features that a filter found for it. The search among all
    /// features took two to three times as long for quadrilaterals and octagons.
    pub(super) fn contact_of(
        &self,
        features: &EntryFeatures<f64>,
        radius_b: f64,
    ) -> Option<RoundedContact> {
        if !(self.a.kind.is_polygonal() && self.b.kind.is_polygonal()) {
            return None;
        }
        let corner_at = |boundary: &Boundary, place: Vec2| {
            let corners = boundary.corners.iter();
            let mut places = corners.map(|corner| Vec2::from(corner.point));
            places.position(|it| it == place)
        };
        let end = if features.is_at_edge {
            features.start
        } else {
            features.corner
        };
        let corners = if features.is_of_a {
            [corner_at(self.a, end)?, corner_at(self.b, features.vertex)?]
        } else {
            [corner_at(self.a, features.vertex)?, corner_at(self.b, end)?]
        };
        let [to_edge_of_b, to_edge_of_a, to_vertex] = self.events(corners);
        let event = match [features.is_at_edge, features.is_of_a] {
            [true, true] => to_edge_of_a,
            [true, false] => to_edge_of_b,
            [false, _] => to_vertex,
        };
        Some(self.contact(&event, event.approach.time(), radius_b))
    }

    fn grown(&self, a: Bounds) -> Bounds {
        let [_, reach] = self.radius.bounds();
        let moved = self.offset.map_or(a, |offset| a.moved(offset));
        moved.grown(reach)
    }

    /// The vertex of each shape at these corners against the vertex and the edge there of the other.
    fn events(&self, corners: [usize; 2]) -> [RoundedEvent; 3] {
        let [a, b] = corners;
        let radius = self.radius;
        let circle = |center| Circle { center, radius };
        let [edge_of_a, edge_of_b] = [self.a.edge(a), self.b.edge(b)].map(BoundaryFeature::Edge);
        let of_a = |feature| RoundedEvent {
            approach: Approach::new(
                feature,
                circle(self.a.vertex(a)),
                self.offset,
                self.velocity,
            ),
            is_reversed: false,
            corners,
        };
        let (offset, back) = (self.offset.map(Motion::reversed), self.velocity.reversed());
        let of_b = RoundedEvent {
            approach: Approach::new(edge_of_a, circle(self.b.vertex(b)), offset, back),
            is_reversed: true,
            corners,
        };
        [of_a(edge_of_b), of_b, of_a(vertex_at(self.b, b))]
    }

    fn contact(&self, event: &RoundedEvent, time: WideFloat, radius_b: f64) -> RoundedContact {
        let parallel_edges = self.parallel_edges(event);
        let normal = self.normal(event, parallel_edges);
        let contact = match parallel_edges {
            Some(edges) => self.common_part(edges, time),
            None if event.is_reversed => [self.b.vertex(event.corners[1]); 2],
            None => [event.approach.contact(Some(time), 0.0); 2],
        };
        RoundedContact {
            exact_time: time.to_f64(),
            filtered_time: None,
            normal: normal.to_vec2(),
            contact: contact.map(|core| moved_along(core, radius_b, || normal)),
        }
    }

    /// Order of simultaneous events: parallel edges first, edges before vertices, the lower corners first.
    fn rank(&self, event: &RoundedEvent) -> (bool, bool, [usize; 2], bool) {
        let is_of_one_point = self.parallel_edges(event).is_none();
        let is_of_vertices = event.is_of_vertices();
        (
            is_of_one_point,
            is_of_vertices,
            event.corners,
            event.is_reversed,
        )
    }

    /// Whether the vertex reaches the feature from outside both shapes: with a radius, it touches no edge
    /// of its own shape before.
    fn is_from_outside(&self, event: &RoundedEvent) -> bool {
        let is_sharp_vertex = self.radius.is_zero() && event.is_of_vertices();
        event.approach.is_from_outside()
            && (!is_sharp_vertex || is_open(self.a, event.corners[0], self.velocity))
    }

    /// The unit normal, from `b` to `a`, given the edges that touch all along, if there are any.
    fn normal(&self, event: &RoundedEvent, parallel_edges: Option<[Edge; 2]>) -> WideVector {
        let own = || event.approach.normal();
        if !event.is_of_vertices() {
            return if event.is_reversed { -own() } else { own() };
        }
        if let Some([_, of_b]) = parallel_edges {
            return right_normal(of_b);
        } else if !self.radius.is_zero() {
            return own();
        }
        let difference = MinkowskiDifference::new(self.a, self.b, self.offset);
        let [a, b] = event.corners;
        let corner = Corner { a, b };
        let sides = match [self.a.next(a) == a, self.b.next(b) == b] {
            // Points have no edges.
            [true, true] => return own(),
            [true, false] => difference.edges_facing(Owner::B, corner, self.velocity),
            [false, true] => difference.edges_facing(Owner::A, corner, self.velocity),
            [false, false] => difference.sides(corner, self.velocity),
        };
        bisector(sides.map(|edge| difference.direction(&edge)))
    }

    /// The edges of `a` and `b` that touch all along, if the event is one of such edges or of their ends.
    fn parallel_edges(&self, event: &RoundedEvent) -> Option<[Edge; 2]> {
        let [corner_a, corner_b] = event.corners;
        let BoundaryFeature::Edge(edge) = event.approach.feature else {
            return (self.b.edges_at(corner_b).into_iter())
                .filter(|&of_b| event.approach.reaches_with_line(of_b))
                .find_map(|of_b| {
                    let mut of_a = self.a.edges_at(corner_a).into_iter();
                    let of_a = of_a.find(|it| have_same_direction(it.reversed(), of_b))?;
                    Some([of_a, of_b])
                });
        };
        let (boundary, corner) = if event.is_reversed {
            (self.b, corner_b)
        } else {
            (self.a, corner_a)
        };
        let is_parallel = |it: &Edge| it.start != it.end && turn(edge, *it) == Sign::Zero;
        let other = (boundary.edges_at(corner).into_iter()).find(is_parallel)?;
        Some(if event.is_reversed {
            [edge, other]
        } else {
            [other, edge]
        })
    }

    /// The part of an edge of `b` that lies beside a parallel one of `a` at some time.
    fn common_part(&self, [of_a, of_b]: [Edge; 2], time: WideFloat) -> [Point; 2] {
        let length = length(of_b);
        let along = |displacement| dot_value(of_b, displacement, TO_THE_LAST_PLACE);
        let moved = along(self.velocity.displacement()) * time;
        let fraction = |end: Point| {
            let gap = Displacement::new(of_b.start, end, self.offset);
            (along(gap) + moved) / (length * length)
        };
        let part = part_within([of_a.start, of_a.end].map(fraction));
        part.map(|fraction| point_along(of_b, fraction))
    }
}

/// The part of the range from 0 to 1 between two fractions.
pub(super) fn part_within(ends: [WideFloat; 2]) -> [WideFloat; 2] {
    let [first, last] = ends.map(|fraction| match fraction {
        _ if fraction.is_negative() => WideFloat::ZERO,
        _ if fraction > WideFloat::ONE => WideFloat::ONE,
        _ => fraction,
    });
    if last < first {
        [last, first]
    } else {
        [first, last]
    }
}

impl RoundedEvent {
    /// Whether it is one of two vertices.
    fn is_of_vertices(&self) -> bool {
        matches!(self.approach.feature, BoundaryFeature::Vertex { .. })
    }
}
