//! A moving circle against a shape: the center's path against the Minkowski sum of the polygon with
//! a disc of the circle's radius.
//!
//! The sum's boundary consists of lines beside the edges and arcs round the vertices. The first one
//! that the path enters gives time and normal.

use std::cmp::Ordering;
use std::ops::ControlFlow;

use super::circle_arrival::Approach;
use super::circle_arrival_filter::FirstArrival;
use super::rounded_sweep::RoundedContact;
use crate::convex::filter::{CircleInBox, certainly_swept, to_index};
use crate::convex::{Cyclic, moved_along};
use crate::geom::{Bounds, Circle, Motion, Point, RadiusSum, Vec2, WideFloat};
use crate::predicates::bounds::point_edge_filter::EdgeProjection;
use crate::predicates::bounds::swept_circle_filter::{
    CirclePath, time_to_box_below, time_to_point_above,
};
use crate::predicates::numbers::ten_digits::ten_digits_above;
use crate::shape::boundary::Boundary;
use crate::shape::boundary::boundary_feature::{
    BoundaryFeature, Rank, RankedFeatures, features_along, vertex_at,
};
use crate::shape::boundary::edge_block::EdgeBlock;
use crate::shape::checked_shape::Shape;
use crate::shape::pair::arrival_search::{ArrivalSearch, FeaturePair};
use crate::shape::rest::circle_polygon::{
    as_given, nearest, reaches_core, with_radius, with_rounded_radius,
};
use crate::shape::rest::circle_polygon_result::CirclePolygon;
use crate::simd::load::fits_a_tile;

/// The first contact of a moving circle and a polygon within the frame.
///
/// The decision is made and exact. Most numbers are computed on access.
#[derive(Clone, Copy, Debug)]
pub enum SweptCircle {
    /// They do not meet within the frame.
    Never,
    /// They intersect at the start. The nearest feature is given if normal and contact are wanted.
    Overlap(Option<CirclePolygon>),
    /// The circle reaches a feature within the frame.
    Impact(CircleImpact),
}

/// The first contact of a circle that is outside at the start.
#[derive(Clone, Copy, Debug)]
pub struct CircleImpact {
    approach: Approach,
    /// The shape's own radius.
    rounding: f64,
    time: f64,
    /// The time before rounding, if the exact form computed it.
    exact_time: Option<WideFloat>,
    /// The normal, if the filter computed it.
    normal: Option<Vec2>,
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
    SweptCircle::Overlap(Some(now))
}

/// First contact of a moving circle and a shape, without normal and contact if they meet at the start.
pub fn swept_circle_time(
    circle: Circle,
    velocity: impl Into<Motion>,
    polygon: &Shape<'_>,
    margin: f64,
) -> SweptCircle {
    swept(
        with_radius(circle, polygon, margin),
        velocity.into(),
        polygon,
    )
}

/// Time and feature of the first contact of a circle, whose radius includes all others, and a shape.
pub(super) fn swept(
    circle: Circle<RadiusSum>,
    velocity: Motion,
    polygon: &Shape<'_>,
) -> SweptCircle {
    let (rounded, is_sum) = with_rounded_radius(circle);
    let swept = velocity.vector().map(|velocity| CircleSweep {
        polygon,
        circle,
        rounded,
        is_sum,
        velocity,
    });
    if let Some(outcome) = swept.as_ref().and_then(CircleSweep::as_in_tile) {
        return outcome;
    }
    if reaches_core(circle, polygon) {
        return SweptCircle::Overlap(None);
    }
    let filtered = swept.as_ref().and_then(CircleSweep::by_edges);
    filtered.unwrap_or_else(|| exact(circle, velocity, polygon))
}

/// A sweep that floats may decide.
struct CircleSweep<'s, 'a> {
    polygon: &'s Shape<'a>,
    circle: Circle<RadiusSum>,
    /// The circle with a float as its radius.
    rounded: Circle,
    /// Whether that was rounded.
    is_sum: bool,
    velocity: Vec2,
}

impl CircleSweep<'_, '_> {
    /// The answer of the filter that tiles use, if it is certain.
    fn as_in_tile(&self) -> Option<SweptCircle> {
        let ring = as_given(self.polygon).filter(|ring| fits_a_tile(ring.len()))?;
        let first = certainly_swept(ring, self.rounded, self.velocity, self.is_sum)?;
        if first.intersects {
            return Some(SweptCircle::Overlap(None));
        } else if !first.will_intersect {
            return Some(SweptCircle::Never);
        }
        let index = to_index(first.position);
        let feature = if first.is_edge {
            BoundaryFeature::Edge(ring.edge(index))
        } else {
            vertex_at(&**ring, index)
        };
        let normal = first.has_normal().then(|| first.normal());
        Some(self.impact(feature, first.time(), normal))
    }

    /// A contact whose time, and normal, if it is given, the filter computed.
    fn impact(&self, feature: BoundaryFeature, time: f64, normal: Option<Vec2>) -> SweptCircle {
        SweptCircle::Impact(CircleImpact {
            approach: Approach::new(feature, self.circle, None, self.velocity.into()),
            rounding: self.polygon.radius(),
            time,
            exact_time: None,
            normal,
        })
    }

    /// The answer of the filter for a circle outside a polygon that need not be convex, of any number of vertices.
    /// Without it, sweeps past concave 8-gons took 1.5 times the instructions.
    fn by_edges(&self) -> Option<SweptCircle> {
        let Self {
            polygon,
            rounded: circle,
            velocity,
            ..
        } = *self;
        if !polygon.kind().is_polygonal() {
            return None;
        }
        let around = CircleInBox::new(circle, polygon.bounds());
        let start = Bounds::from(circle.center).grown(circle.radius);
        let time_of_box = |bounds: &Bounds| start.meeting_time_below(bounds, velocity.into());
        let mut path = CirclePath::new(around.size, around.radius, velocity);
        if self.is_sum {
            path = path.of_sum();
        }
        let mut first = FirstArrival::new(around.center, path);
        // Not `scanned_ring`: whether the search is certain depends on the edges that it saw, and a column and a single
        // polygon must give the same bits.
        let ring = polygon.exactly_convex().filter(|_| polygon.is_short());
        if let Some(ring) = ring {
            let mut limit = 1.0;
            for block in EdgeBlock::of_ring(ring) {
                // A bound of NaN becomes 0, which excludes nothing.
                if time_of_box(&block.bounds).max(0.0) <= limit {
                    limit = first.add(&block);
                }
            }
        } else {
            let boundary = polygon.boundary();
            let time =
                |bounds: &Bounds| time_to_box(circle, velocity, bounds).max(time_of_box(bounds));
            let mut latest = 1.0_f64;
            boundary.search_least(boundary.tree(), time, latest, |block| {
                latest = latest.min(time_to_start(circle, velocity, block));
                latest.min(first.add(block))
            });
        }
        if !first.is_certain() {
            return None;
        }
        let Some((index, is_edge)) = first.feature else {
            return Some(SweptCircle::Never);
        };
        let (edge, vertex) = if let Some(ring) = ring {
            (ring.edge(index), vertex_at(&**ring, index))
        } else {
            let boundary = polygon.boundary();
            (boundary.edge(index), vertex_at(boundary, index))
        };
        let at = EdgeProjection::new(around.center, edge.start.into(), edge.end.into());
        let (feature, arrival) = if is_edge {
            (BoundaryFeature::Edge(edge), path.to_edge(&at))
        } else {
            (vertex, path.to_vertex(&at))
        };
        let normal = arrival.has_normal.then(|| arrival.normal());
        let time = arrival.time.min(1.0);
        Some(self.impact(feature, time, normal))
    }
}

/// A lower bound of the time at which a circle reaches a box: see [`time_to_box_below`].
fn time_to_box(circle: Circle, velocity: Vec2, bounds: &Bounds) -> f64 {
    let gaps = [bounds.min, bounds.max].map(|corner| corner - circle.center);
    time_to_box_below(gaps, circle.radius, velocity)
}

/// An upper bound of the time at which a circle reaches a block of edges: that of its first vertex. Most edges of a subtree
/// of boxes are not where the circle first meets the boundary, and give no time of their own.
fn time_to_start(circle: Circle, velocity: Vec2, block: &EdgeBlock) -> f64 {
    let [start, _] = block.ends_of_all();
    time_to_point_above(start - circle.center, circle.radius, velocity)
}

/// The first contact by the exact predicates, of a circle outside a shape.
fn exact(circle: Circle<RadiusSum>, velocity: Motion, polygon: &Shape<'_>) -> SweptCircle {
    let mut first: Option<(WideFloat, Rank, Approach)> = None;
    // Gives the latest time that matters from then on; times are known to ten digits at least.
    let mut offer = |features: RankedFeatures| {
        for (rank, feature) in features {
            let approach = Approach::new(feature, circle, None, velocity);
            if approach.arrives() && approach.is_from_outside() {
                let time = approach.time();
                let earlier = |(first, other, its): &(WideFloat, Rank, Approach)| {
                    let order = approach.compare_times(time, its, *first);
                    order.then(rank.cmp(other)) == Ordering::Less
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
    if polygon.scanned_ring().is_some() {
        let edges = 0..polygon.rings().vertices();
        for features in edges.flat_map(|edge| features_along(polygon, edge)) {
            offer(features);
        }
    } else {
        let boundary = polygon.boundary();
        let search = ArrivalSearch {
            a: &Boundary::of_point(circle.center),
            b: boundary,
            offset: None,
            velocity,
            radius: circle.radius,
            with_vertices: true,
        };
        let _ = search.visit(|FeaturePair { corners, edge_of }| {
            let [_, edge] = corners;
            // Which of its ends an edge of the caller's starts from depends on the winding.
            let other = edge_of.map_or_else(|| boundary.previous(edge), |_| edge);
            let edges = [other, edge].into_iter();
            let features = edges.flat_map(|edge| features_along(polygon, edge));
            ControlFlow::Continue(features.map(&mut offer).fold(1.0, f64::min))
        });
    }
    first.map_or(SweptCircle::Never, |(time, _, approach)| {
        SweptCircle::Impact(CircleImpact {
            approach,
            rounding: polygon.radius(),
            time: time.to_f64(),
            exact_time: Some(time),
            normal: None,
        })
    })
}

impl CircleImpact {
    /// The contact of two shapes of which the circle is the first; or with `second`, this circle, the second, which rests
    /// while the other shape moves the opposite way.
    pub(super) fn as_contact(&self, second: Option<Circle>) -> RoundedContact {
        let time = self.exact_time.unwrap_or_else(|| self.approach.time());
        let (normal, contact) = match second {
            None => (
                self.normal(),
                self.approach.contact(Some(time), self.rounding),
            ),
            Some(Circle { center, radius }) => {
                let contact = moved_along(center, radius, || -self.approach.normal());
                (-self.normal(), contact)
            }
        };
        RoundedContact {
            exact_time: time.to_f64(),
            filtered_time: Some(self.time),
            normal: normal + Vec2::ZERO,
            contact: [contact; 2],
        }
    }

    fn normal(&self) -> Vec2 {
        (self.normal).unwrap_or_else(|| self.approach.normal().to_vec2())
    }
}

impl SweptCircle {
    /// Whether they have a point in common at the start.
    pub fn intersects(&self) -> bool {
        matches!(self, Self::Overlap(_))
    }

    /// Whether they have a point in common at some time of the frame.
    pub fn will_intersect(&self) -> bool {
        !matches!(self, Self::Never)
    }

    /// The time of the first contact, as a fraction of the frame; infinite when there is none.
    pub fn time(&self) -> f64 {
        match *self {
            Self::Never => f64::INFINITY,
            Self::Overlap(_) => 0.0,
            Self::Impact(impact) => impact.time,
        }
    }

    /// The time of the first contact, before rounding if the exact form found it.
    pub(super) fn wide_time(&self) -> WideFloat {
        match *self {
            Self::Impact(CircleImpact {
                exact_time: Some(time),
                ..
            }) => time,
            _ => WideFloat::from(self.time()),
        }
    }

    /// From the contact to the center at that time; zero when never.
    pub fn normal(&self) -> Vec2 {
        match *self {
            Self::Never => Vec2::ZERO,
            Self::Overlap(now) => now.map_or(Vec2::ZERO, |now| now.normal()),
            Self::Impact(impact) => impact.normal(),
        }
    }

    /// Both ends of the contact, which is one point; NaN when never.
    pub fn contact(&self) -> [Point; 2] {
        let point = match *self {
            Self::Never => Point::NAN,
            Self::Overlap(now) => now.map_or(Point::NAN, |now| now.closest()),
            Self::Impact(impact) => impact.approach.contact(impact.exact_time, impact.rounding),
        };
        [point; 2]
    }
}
