//! A moving circle against a shape: the center's path against the Minkowski sum of the polygon with
//! a disc of the circle's radius.
//!
//! The sum's boundary consists of lines beside the edges and arcs round the vertices. The first one
//! that the path enters gives time and normal. No root is taken for a decision: each condition
//! compares squares.

use std::cmp::Ordering;

use super::boundary_feature::{BoundaryFeature, Rank, RankedFeatures, features_along, vertex_at};
use super::checked::Shape;
use super::circle_edge_filter::FirstArrival;
use super::circle_polygon::{
    CirclePolygon, as_given, nearest, reaches_core, to_index, to_vector, with_radius, without_sum,
};
use super::edge_block::edges_in_strip;
use super::interior_angle::Directions;
use crate::convex::filter::{CircleInBox, certainly_swept};
use crate::convex::{Cyclic, point_along, rounded};
use crate::geom::{Bounds, Circle, Displacement, Edge, Motion, Point, RadiusSum, Vec2, WideFloat};
use crate::predicates::circle_error_bounds::EdgeProjection;
use crate::predicates::error_bounds::ten_digits_above;
use crate::predicates::moving_circle_error_bounds::{CirclePath, SweptStrip};
use crate::predicates::{
    FootSquares, Length, Sign, TO_THE_LAST_PLACE, compare_lengths, cross, cross_value, dot,
    dot_value, length, length_difference, square_difference,
};
use crate::simd::lanes::Vectors;

/// The first contact of a moving circle and a polygon within the frame.
///
/// The decision is made and exact. Most numbers are computed on access.
#[derive(Clone, Copy, Debug)]
pub struct SweptCircle(SweptCircleOutcome);

#[derive(Clone, Copy, Debug)]
enum SweptCircleOutcome {
    Never,
    /// They intersect at the start. The nearest feature is given if normal and contact are wanted.
    Overlap(Option<CirclePolygon>),
    /// The circle reaches a feature within the frame.
    Impact {
        approach: Approach,
        /// The shape's own radius.
        rounding: f64,
        time: f64,
        /// The time before rounding, if the exact form computed it.
        exact_time: Option<WideFloat>,
        /// The normal, if the filter computed it.
        normal: Option<Vec2>,
    },
}

/// First contact of a circle, moving by `velocity`, and a shape, or when they come within a margin.
pub fn swept_circle(
    circle: Circle,
    velocity: impl Into<Motion>,
    polygon: &Shape<'_>,
    margin: f64,
) -> SweptCircle {
    let swept = swept_circle_time(circle, velocity, polygon, margin);
    if !swept.intersects() {
        return swept;
    }
    let now = nearest(with_radius(circle, polygon, margin), polygon);
    SweptCircle(SweptCircleOutcome::Overlap(Some(now)))
}

/// The same where only the time matters: without normal and contact of shapes that meet at the start.
pub fn swept_circle_time(
    circle: Circle,
    velocity: impl Into<Motion>,
    polygon: &Shape<'_>,
    margin: f64,
) -> SweptCircle {
    let velocity = velocity.into();
    let circle = with_radius(circle, polygon, margin);
    let plain = without_sum(circle).filter(|_| polygon.radius() == 0.0);
    let plain = plain.zip(velocity.vector());
    if polygon.is_exactly_convex()
        && let Some((circle, velocity)) = plain
        && let Some(outcome) = filtered(circle, velocity, polygon)
    {
        return SweptCircle(outcome);
    }
    if reaches_core(circle, polygon) {
        return SweptCircle(SweptCircleOutcome::Overlap(None));
    }
    let filtered =
        plain.and_then(|(circle, velocity)| filtered_by_edges(circle, velocity, polygon));
    SweptCircle(filtered.unwrap_or_else(|| exact(circle, velocity, polygon)))
}

/// The answer of the filter, if it is certain.
fn filtered(circle: Circle, velocity: Vec2, polygon: &Shape<'_>) -> Option<SweptCircleOutcome> {
    let ring = as_given(polygon)?;
    let first = certainly_swept(ring, circle, velocity)?;
    if first.intersects {
        return Some(SweptCircleOutcome::Overlap(None));
    } else if !first.will_intersect {
        return Some(SweptCircleOutcome::Never);
    }
    let index = to_index(first.position);
    let edge = ring.edge(index);
    let feature = if first.is_edge {
        BoundaryFeature::Edge(edge)
    } else {
        BoundaryFeature::Vertex {
            arriving: ring.edge(ring.previous(index)),
            leaving: edge,
        }
    };
    let normal = first.has_normal().then(|| first.normal());
    Some(filtered_impact(
        circle,
        velocity,
        feature,
        first.time(),
        normal,
    ))
}

/// A contact whose time, and normal, if it is given, the filter computed.
fn filtered_impact(
    circle: Circle,
    velocity: Vec2,
    feature: BoundaryFeature,
    time: f64,
    normal: Option<Vec2>,
) -> SweptCircleOutcome {
    let Circle { center, radius } = circle;
    let radius = radius.into();
    SweptCircleOutcome::Impact {
        approach: Approach::new(feature, Circle { center, radius }, None, velocity.into()),
        rounding: 0.0,
        time,
        exact_time: None,
        normal,
    }
}

/// The answer of the filter for a circle outside a polygon that need not be convex. Without it, sweeps past
/// concave 8-gons took 1.5 times the instructions.
fn filtered_by_edges(
    circle: Circle,
    velocity: Vec2,
    polygon: &Shape<'_>,
) -> Option<SweptCircleOutcome> {
    if polygon.is_exactly_convex() || !polygon.kind().is_polygonal() {
        return None;
    }
    let boundary = polygon.boundary();
    let around = CircleInBox::new(circle, boundary.bounds());
    let start = Bounds::from(circle.center).grown(circle.radius);
    let mut first = FirstArrival::new(around, velocity);
    boundary.search_least(
        |bounds| start.meeting_time_below(bounds, velocity.into()),
        1.0,
        |block| first.add(block),
    );
    if !first.is_certain() {
        return None;
    }
    let Some((index, is_edge)) = first.feature else {
        return Some(SweptCircleOutcome::Never);
    };
    let edge = boundary.edge(index);
    let path = CirclePath::new(around.size, around.radius, velocity);
    let at = EdgeProjection::new(around.center, edge.start.into(), edge.end.into());
    let (feature, arrival) = if is_edge {
        (BoundaryFeature::Edge(edge), path.to_edge(&at))
    } else {
        (vertex_at(boundary, index), path.to_vertex(&at))
    };
    let normal = arrival.has_normal.then(|| arrival.normal());
    let time = arrival.time.min(1.0);
    Some(filtered_impact(circle, velocity, feature, time, normal))
}

/// The first contact by the exact predicates, of a circle outside a shape.
fn exact(circle: Circle<RadiusSum>, velocity: Motion, polygon: &Shape<'_>) -> SweptCircleOutcome {
    let [_, reach] = circle.radius.bounds();
    let mut first: Option<(WideFloat, Rank, Approach)> = None;
    // Gives the latest time that matters from then on; times are known to ten digits at least.
    let mut offer = |features: RankedFeatures| {
        for (rank, feature) in features {
            let approach = Approach::new(feature, circle, None, velocity);
            if approach.arrives() && approach.is_from_outside() {
                let time = approach.time();
                let earlier = |&(first, other, _): &(WideFloat, Rank, _)| {
                    time < first || time == first && rank < other
                };
                if first.as_ref().is_none_or(earlier) {
                    first = Some((time, rank, approach));
                }
            }
        }
        first
            .as_ref()
            .map_or(1.0, |(time, ..)| ten_digits_above(time.to_f64()))
    };
    if polygon.is_exactly_convex() {
        let edges = 0..polygon.rings().vertices();
        for features in edges.flat_map(|edge| features_along(polygon, edge)) {
            offer(features);
        }
    } else {
        let boundary = polygon.boundary();
        let start = Bounds::from(circle.center).grown(reach);
        let time_of_box = |bounds: &Bounds| start.meeting_time_below(bounds, velocity);
        let all = boundary.bounds().union(&circle.center.into());
        let size = Vectors::from(all.max) - Vectors::from(all.min);
        let strip = SweptStrip::new(size, reach, velocity.rounded());
        let mut limit = 1.0;
        boundary.search_least(time_of_box, limit, |block| {
            for (time, edge) in edges_in_strip(block, circle.center, &strip) {
                // A comparison with NaN is false, so that NaN excludes nothing.
                if time > limit {
                    continue;
                }
                for features in features_along(polygon, edge) {
                    limit = offer(features);
                }
            }
            limit
        });
    }
    first.map_or(SweptCircleOutcome::Never, |(time, _, approach)| {
        SweptCircleOutcome::Impact {
            approach,
            rounding: polygon.radius(),
            time: time.to_f64(),
            exact_time: Some(time),
            normal: None,
        }
    })
}

/// A moving circle outside a polygon, and one of the polygon's features.
#[derive(Clone, Copy, Debug)]
pub(super) struct Approach {
    pub(super) feature: BoundaryFeature,
    circle: Circle<RadiusSum>,
    /// The circle's displacement at the start, if any.
    offset: Option<Motion>,
    velocity: Motion,
}

impl Approach {
    pub(super) fn new(
        feature: BoundaryFeature,
        circle: Circle<RadiusSum>,
        offset: Option<Motion>,
        velocity: Motion,
    ) -> Self {
        Self {
            feature,
            circle,
            offset,
            velocity,
        }
    }

    /// Whether the circle reaches the feature at the start of the frame.
    pub(super) fn is_reached_at_start(&self) -> bool {
        let gap = self.gap();
        match self.feature {
            BoundaryFeature::Vertex { .. } => self.within_reach(Length::Whole(gap)),
            BoundaryFeature::Edge(edge) => {
                let past = |end| dot(edge, self.gap_from(end));
                past(edge.start) == Sign::Positive
                    && past(edge.end) == Sign::Negative
                    && self.within_reach(Length::Across(edge, gap))
            }
        }
    }

    /// From a point to the center at the start of the frame.
    fn gap_from(&self, from: Point) -> Displacement {
        Displacement {
            shift: self.offset,
            ..Displacement::between(from, self.circle.center)
        }
    }

    /// From the vertex, or from the start of the edge, to the center at the start of the frame.
    fn gap(&self) -> Displacement {
        self.gap_from(self.feature.start())
    }

    fn radius(&self) -> Length {
        Length::Number(self.circle.radius)
    }

    fn within_reach(&self, length: Length) -> bool {
        compare_lengths(length, self.radius()) != Ordering::Greater
    }

    /// Whether the circle reaches the feature within the frame.
    ///
    /// For an edge, the circle comes from the outer side, the right, starts clear of the edge's line
    /// and touches it between the edge's ends: coming from beyond an end, it meets the vertex first,
    /// and a contact at an end is the vertex's, whose normal is another when the radius is zero.
    pub(super) fn arrives(&self) -> bool {
        let (gap, path) = (self.gap(), self.velocity);
        let at_end = gap.after(path);
        match self.feature {
            BoundaryFeature::Vertex { .. } => {
                dot(path, gap) == Sign::Negative
                    && self.within_reach(Length::AcrossMotion(path, gap))
                    && (dot(path, at_end) != Sign::Negative
                        || self.within_reach(Length::Whole(at_end)))
            }
            BoundaryFeature::Edge(edge) => {
                let side = cross(edge, gap);
                side == Sign::Negative
                    && cross(edge, path.displacement()) == Sign::Positive
                    && (cross(edge, at_end) != side
                        || self.within_reach(Length::Across(edge, at_end)))
                    && compare_lengths(Length::Across(edge, gap), self.radius()) != Ordering::Less
                    && self.seen_from(edge, edge.start).foot_past() == Sign::Positive
                    && self.seen_from(edge, edge.end).foot_past() == Sign::Negative
            }
        }
    }

    /// The circle as seen from a vertex of an edge.
    fn seen_from(&self, edge: Edge, vertex: Point) -> FootSquares {
        FootSquares {
            edge,
            gap: self.gap_from(vertex),
            velocity: self.velocity,
            radius: self.circle.radius,
        }
    }

    /// Whether the circle, when it reaches the feature, touches it from outside the polygon: at a
    /// vertex, the center then lies past the end of the arriving edge and before the start of the
    /// leaving one. Elsewhere the circle touches one of these edges first, perhaps by less than
    /// times can tell.
    pub(super) fn is_from_outside(&self) -> bool {
        let BoundaryFeature::Vertex { arriving, leaving } = self.feature else {
            return true;
        };
        if self.circle.radius.is_zero() {
            let interior = Directions::between(arriving, leaving);
            return !interior.inside(self.velocity.reversed().displacement());
        }
        let past = |edge| {
            let squares = self.seen_from(edge, leaving.start);
            squares.center_past()
        };
        past(arriving) != Sign::Negative && past(leaving) != Sign::Positive
    }

    /// Whether the circle, when it reaches the vertex, also touches the line of one of its edges there,
    /// coming from the right.
    pub(super) fn reaches_with_line(&self, edge: Edge) -> bool {
        edge.start != edge.end
            && cross(edge, self.gap()) == Sign::Negative
            && cross(edge, self.velocity.displacement()) == Sign::Positive
            && self.seen_from(edge, self.feature.start()).foot_past() == Sign::Zero
    }

    /// The time at which the circle reaches the feature, at most 1.
    ///
    /// At a vertex, the smaller root of `|gap + t velocity|² = radius²`, in the form without
    /// cancellation.
    pub(super) fn time(&self) -> WideFloat {
        let (gap, path) = (self.gap(), self.velocity);
        let time = match self.feature {
            BoundaryFeature::Vertex { .. } => {
                let outside =
                    square_difference(Length::Whole(gap), self.radius(), TO_THE_LAST_PLACE);
                let approach = -dot_value(path, gap, TO_THE_LAST_PLACE);
                outside / (approach + self.half_chord() * length(path))
            }
            BoundaryFeature::Edge(edge) => {
                let gap = Length::Across(edge, gap);
                let speed = Length::Across(edge, path.displacement()).value(TO_THE_LAST_PLACE);
                length_difference(gap, self.radius(), TO_THE_LAST_PLACE) / speed
            }
        };
        if time > WideFloat::ONE {
            WideFloat::ONE
        } else {
            time
        }
    }

    /// Half of the chord that the circle round the vertex cuts from the center's path.
    fn half_chord(&self) -> WideFloat {
        let across = Length::AcrossMotion(self.velocity, self.gap());
        square_difference(self.radius(), across, TO_THE_LAST_PLACE).sqrt()
    }

    /// The unit normal at the time of contact, from the feature to the center.
    ///
    /// At a vertex, it is computed along and across the path: the difference of center and vertex
    /// would cancel where the radius is small.
    pub(super) fn normal(&self) -> [WideFloat; 2] {
        let path = self.velocity;
        let BoundaryFeature::Vertex { leaving, .. } = self.feature else {
            return self.feature.outward();
        };
        let is_sharp = self.circle.radius.is_zero();
        if is_sharp && leaving.start != leaving.end {
            return self.feature.outward();
        }
        let speed = length(path);
        if is_sharp {
            // A point that meets a point.
            return path.scaled().map(|component| -component / speed);
        }
        let radius = self.radius().value(TO_THE_LAST_PLACE);
        let along = -self.half_chord() / (speed * radius);
        let across = cross_value(path, self.gap(), TO_THE_LAST_PLACE) / (speed * speed * radius);
        let [x, y] = path.scaled();
        [x * along - y * across, y * along + x * across]
    }

    /// The point of contact on a shape of this radius; the time is the one that [`Self::time`] gives, if
    /// it is known. Times of the filter would move the point too far.
    pub(super) fn contact(&self, time: Option<WideFloat>, rounding: f64) -> Point {
        let core = match self.feature {
            BoundaryFeature::Vertex { leaving, .. } => leaving.start,
            BoundaryFeature::Edge(edge) => {
                let along = |displacement| dot_value(edge, displacement, TO_THE_LAST_PLACE);
                let time = time.unwrap_or_else(|| self.time());
                let position = along(self.gap()) + along(self.velocity.displacement()) * time;
                let length = length(edge);
                point_along(edge, position / (length * length))
            }
        };
        rounded(core, rounding, || self.normal())
    }
}

impl SweptCircle {
    /// No contact within the frame.
    pub const NEVER: Self = Self(SweptCircleOutcome::Never);

    /// Whether they have a point in common at the start.
    pub fn intersects(&self) -> bool {
        matches!(self.0, SweptCircleOutcome::Overlap(_))
    }

    /// Whether they have a point in common at some time of the frame.
    pub fn will_intersect(&self) -> bool {
        !matches!(self.0, SweptCircleOutcome::Never)
    }

    /// The time of the first contact, as a fraction of the frame; infinite when there is none.
    pub fn time(&self) -> f64 {
        match self.0 {
            SweptCircleOutcome::Never => f64::INFINITY,
            SweptCircleOutcome::Overlap(_) => 0.0,
            SweptCircleOutcome::Impact { time, .. } => time,
        }
    }

    /// The same before rounding, of a contact that the exact form found.
    pub(super) fn wide_time(&self) -> WideFloat {
        match self.0 {
            SweptCircleOutcome::Impact {
                exact_time: Some(time),
                ..
            } => time,
            _ => WideFloat::from(self.time()),
        }
    }

    /// From the contact to the center at that time; zero when never.
    pub fn normal(&self) -> Vec2 {
        match self.0 {
            SweptCircleOutcome::Never => Vec2::ZERO,
            SweptCircleOutcome::Overlap(now) => now.map_or(Vec2::ZERO, |now| now.normal()),
            SweptCircleOutcome::Impact {
                approach, normal, ..
            } => normal.unwrap_or_else(|| to_vector(approach.normal())),
        }
    }

    /// Both ends of the contact, which is one point; NaN when never.
    pub fn contact(&self) -> [Point; 2] {
        let point = match self.0 {
            SweptCircleOutcome::Never => Point::NAN,
            SweptCircleOutcome::Overlap(now) => now.map_or(Point::NAN, |now| now.closest()),
            SweptCircleOutcome::Impact {
                approach,
                exact_time,
                rounding,
                ..
            } => approach.contact(exact_time, rounding),
        };
        [point; 2]
    }
}
