//! First contact of two shapes with a radius, or without an interior, one moving: a vertex of one, as a
//! moving circle, reaches a feature of the other.
//!
//! The circle's radius is the sum of all radii. A path is a polygon of width zero, so that a vertex may
//! reach it from either side.

use std::ops::ControlFlow;

use super::circle_arrival::Approach;
use super::sharp_sweep::is_open;
use crate::convex::filter::one_pair::with_table;
use crate::convex::filter::{EntryFeatures, FilteredSweep, rounded_sweep};
use crate::convex::{
    Corner, Cyclic, MinkowskiDifference, Owner, bisector, moved_along, point_along, right_normal,
};
use crate::geom::{
    Bounds, Circle, Displacement, Edge, Motion, Point, RadiusSum, Vec2, WideFloat, WideVector,
};
use crate::predicates::numbers::ten_digits::ten_digits_above;
use crate::predicates::{Sign, TO_THE_LAST_PLACE, dot_value, have_same_direction, length, turn};
use crate::shape::boundary::Boundary;
use crate::shape::boundary::boundary_feature::{BoundaryFeature, vertex_at};
use crate::shape::boundary::edge_pairs::any_met;
use crate::shape::checked_shape::{Shape, convex_rings, filter_radius};
use crate::shape::pair::arrival_search::{ArrivalSearch, FeaturePair};
use crate::shape::rest::intersects::intersect_moved;

/// The first contact of two shapes that are apart at the start.
#[derive(Clone, Copy, Debug)]
pub struct RoundedContact {
    /// Precise enough to place a moving point.
    pub(crate) exact_time: f64,
    /// The time that a filter gives, if it can tell.
    pub(crate) filtered_time: Option<f64>,
    /// From the second shape to the first.
    pub(crate) normal: Vec2,
    /// The ends, on the boundary of the second shape, where that is at the start.
    pub(crate) contact: [Point; 2],
}

/// Two shapes, the first of which moves: their boundaries, or the rings of convex polygons.
pub(crate) struct MovingPair<'b, R: ?Sized = Boundary> {
    pub(crate) a: &'b R,
    pub(crate) b: &'b R,
    /// The displacement of `a` at the start, if any.
    pub(crate) offset: Option<Motion>,
    pub(crate) velocity: Motion,
    /// The sum of all radii.
    pub(crate) radius: RadiusSum,
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
    pub(crate) fn time(&self) -> f64 {
        self.filtered_time.unwrap_or(self.exact_time)
    }
}

/// Whether and when two shapes come within a margin while the first moves, and what meets after the start, if they
/// are convex and floats can tell.
pub(crate) fn filtered(
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
pub(crate) struct RoundedEvent {
    pub(crate) approach: Approach,
    /// Whether the vertex is one of `b`, which moves the other way relative to `a`.
    is_reversed: bool,
    /// The corners: of `a` and of `b`.
    corners: [usize; 2],
}

impl<'b> MovingPair<'b> {
    pub(crate) fn new(
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
    pub(crate) fn meet_at_start(&self) -> bool {
        let is_reached = |corners: [usize; 2]| {
            let owners = [Some(Owner::A), Some(Owner::B), None];
            let pairs = owners.map(|edge_of| FeaturePair { corners, edge_of });
            let mut approaches = pairs.into_iter().map(|pair| self.event(pair).approach);
            approaches.any(|approach| approach.is_reached_at_start())
        };
        let grown = |a: Bounds| self.search().grown(a);
        intersect_moved(self.a, self.b, self.offset)
            || !self.radius.is_zero()
                && any_met([self.a, self.b], grown, |corners, _| is_reached(corners))
    }

    /// Whether shapes that are apart at the start come into contact within the frame.
    pub(crate) fn come_into_contact(&self) -> bool {
        let visit = |pair| {
            if self.event(pair).approach.arrives() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(1.0)
            }
        };
        self.search().visit(visit).is_break()
    }

    /// The first contact within the frame, of shapes that are apart at the start and of which `b` has
    /// this radius.
    pub(crate) fn first_contact(&self, radius_b: f64) -> Option<RoundedContact> {
        let mut first: Option<(WideFloat, RoundedEvent)> = None;
        let visit = |pair| {
            let event = self.event(pair);
            if event.approach.arrives() && self.is_from_outside(&event) {
                let time = event.approach.time();
                let earlier = |(other, at): &(WideFloat, RoundedEvent)| {
                    time < *other || time == *other && self.rank(&event) < self.rank(at)
                };
                if first.as_ref().is_none_or(earlier) {
                    first = Some((time, event));
                }
            }
            // Times are known to ten digits at least.
            let latest = |(time, _): &(WideFloat, _)| ten_digits_above(time.to_f64());
            ControlFlow::Continue(first.as_ref().map_or(1.0, latest))
        };
        let _ = self.search().visit(visit);
        first.map(|(time, event)| self.contact(&event, time, radius_b))
    }

    fn search(&self) -> ArrivalSearch<'b> {
        ArrivalSearch {
            a: self.a,
            b: self.b,
            offset: self.offset,
            velocity: self.velocity,
            radius: self.radius,
            with_vertices: true,
        }
    }
}

impl<'b> MovingPair<'b, [Point]> {
    /// The rings of two shapes that are exactly convex polygons.
    pub(crate) fn of_convex(
        [a, b]: [&'b Shape<'_>; 2],
        offset: Option<Motion>,
        velocity: Motion,
        radius: RadiusSum,
    ) -> Option<Self> {
        let (a, b) = convex_rings(a, b)?;
        Some(Self {
            a,
            b,
            offset,
            velocity,
            radius,
        })
    }

    /// The first contact, given the features that a filter found for it.
    pub(super) fn contact_of(
        &self,
        features: &EntryFeatures<f64>,
        radius_b: f64,
    ) -> Option<RoundedContact> {
        let corner_at = |ring: &[Point], place: Vec2| {
            let mut places = ring.iter().map(|&corner| Vec2::from(corner));
            places.position(|it| it == place)
        };
        let end = if features.is_at_edge {
            features.ends[0]
        } else {
            features.corner
        };
        let corners = if features.is_of_a {
            [corner_at(self.a, end)?, corner_at(self.b, features.vertex)?]
        } else {
            [corner_at(self.a, features.vertex)?, corner_at(self.b, end)?]
        };
        let edge_of = match [features.is_at_edge, features.is_of_a] {
            [true, true] => Some(Owner::A),
            [true, false] => Some(Owner::B),
            [false, _] => None,
        };
        let event = self.event(FeaturePair { corners, edge_of });
        let time = event.approach.time();
        let impact = features.impact(self.velocity.vector()?, self.radius.terms().sum(), radius_b);
        if !impact.is_certain {
            return Some(self.contact(&event, time, radius_b));
        }
        Some(RoundedContact {
            exact_time: time.to_f64(),
            filtered_time: None,
            normal: impact.normal,
            contact: impact.contact.map(Point::from),
        })
    }
}

impl<R: Cyclic + ?Sized> MovingPair<'_, R> {
    /// Of two vertices, that of `a` moves.
    pub(crate) fn event(&self, FeaturePair { corners, edge_of }: FeaturePair) -> RoundedEvent {
        let [a, b] = corners;
        let (feature, center) = match edge_of {
            Some(Owner::A) => (BoundaryFeature::Edge(self.a.edge(a)), self.b.vertex(b)),
            Some(Owner::B) => (BoundaryFeature::Edge(self.b.edge(b)), self.a.vertex(a)),
            None => (vertex_at(self.b, b), self.a.vertex(a)),
        };
        let is_reversed = edge_of == Some(Owner::A);
        let (mut offset, mut velocity) = (self.offset, self.velocity);
        if is_reversed {
            (offset, velocity) = (offset.map(Motion::reversed), velocity.reversed());
        }
        let radius = self.radius;
        RoundedEvent {
            approach: Approach::new(feature, Circle { center, radius }, offset, velocity),
            is_reversed,
            corners,
        }
    }

    pub(crate) fn contact(
        &self,
        event: &RoundedEvent,
        time: WideFloat,
        radius_b: f64,
    ) -> RoundedContact {
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
    pub(super) fn parallel_edges(&self, event: &RoundedEvent) -> Option<[Edge; 2]> {
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
pub(crate) fn part_within(ends: [WideFloat; 2]) -> [WideFloat; 2] {
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
    fn is_of_vertices(&self) -> bool {
        matches!(self.approach.feature, BoundaryFeature::Vertex { .. })
    }
}
