//! A moving circle against a polygon: the centre's path against the polygon grown by the radius.
//!
//! The grown polygon is bounded by lines beside the edges and by arcs round the vertices; the
//! first of these that the path enters tells time and normal. Roots are kept under the root sign:
//! each condition compares squares.

use std::cmp::Ordering;

use super::Polygon;
use super::circle_polygon::{
    BoundaryFeature, CirclePolygon, EdgeFeatures, Rank, as_given, circle_polygon, circle_reaches,
    near, ranked,
};
use crate::convex::filter::{CircleSweep, certain_fate};
use crate::convex::{Cyclic, point_along, right_normal};
use crate::geom::{Bounds, Circle, Displacement, Edge, Motion, Point, Vec2, WideFloat};
use crate::predicates::{
    Length, Sign, TO_THE_LAST_PLACE, center_past, compare_lengths, cross, cross_value, dot,
    dot_value, foot_past, length, length_difference, square_difference, turn,
};

/// What a moving circle and a polygon do within the frame.
///
/// The decision is made and exact; most numbers are computed when asked for.
#[derive(Clone, Copy, Debug)]
pub struct SweptCircle(SweptCircleOutcome);

#[derive(Clone, Copy, Debug)]
enum SweptCircleOutcome {
    Never,
    Overlap(CirclePolygon),
    CircleImpact(CircleImpact),
}

/// The circle reaches a feature.
#[derive(Clone, Copy, Debug)]
struct CircleImpact {
    feature: BoundaryFeature,
    circle: Circle,
    velocity: Edge,
    known: Precision,
}

/// What is known of an impact.
#[derive(Clone, Copy, Debug)]
enum Precision {
    /// Time and normal, if floats were good enough.
    Certain(f64, Option<Vec2>),
    /// The time.
    Exact(WideFloat),
}

/// Whether, when and where the circle first touches the polygon.
pub(crate) fn swept_circle(circle: Circle, velocity: Edge, polygon: &Polygon<'_>) -> SweptCircle {
    if let Some(outcome) = certain(circle, velocity, polygon) {
        return SweptCircle(outcome);
    }
    if circle_reaches(circle, polygon).intersects() {
        return SweptCircle(SweptCircleOutcome::Overlap(circle_polygon(circle, polygon)));
    }
    let motion = Motion::between(velocity.start, velocity.end);
    let mut first: Option<(WideFloat, Rank, Approach)> = None;
    let mut visit = |features: EdgeFeatures| {
        for (rank, feature) in ranked(features) {
            let approach = Approach {
                feature,
                circle,
                velocity,
            };
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
        // Precision to ten digits.
        first.as_ref().map_or(1.0, |(time, ..)| {
            time.to_f64() * (1.0 + 1e-9) + f64::MIN_POSITIVE
        })
    };
    near(
        polygon,
        &Bounds::from(circle.center).grown(circle.radius),
        |moving, resting| moving.meeting_time_below(resting, motion),
        1.0,
        &mut visit,
    );
    SweptCircle(
        first.map_or(SweptCircleOutcome::Never, |(time, _, approach)| {
            SweptCircleOutcome::CircleImpact(CircleImpact {
                feature: approach.feature,
                circle,
                velocity,
                known: Precision::Exact(time),
            })
        }),
    )
}

/// What floats can tell beyond doubt.
fn certain(circle: Circle, velocity: Edge, polygon: &Polygon<'_>) -> Option<SweptCircleOutcome> {
    let ring = as_given(polygon)?;
    let motion = Motion::between(velocity.start, velocity.end).vector()?;
    Some(match certain_fate(ring, circle, motion)? {
        CircleSweep::Never => SweptCircleOutcome::Never,
        CircleSweep::Overlap => SweptCircleOutcome::Overlap(circle_polygon(circle, polygon)),
        CircleSweep::Impact {
            is_edge,
            position,
            time,
            normal,
        } => {
            let edge = ring.edge(position);
            let feature = if is_edge {
                BoundaryFeature::Edge(edge)
            } else {
                BoundaryFeature::Vertex {
                    arriving: ring.edge(ring.previous(position)),
                    leaving: edge,
                }
            };
            SweptCircleOutcome::CircleImpact(CircleImpact {
                feature,
                circle,
                velocity,
                known: Precision::Certain(time, normal),
            })
        }
    })
}

/// Whether a circle on the outer side of an edge, the right, that does not touch the edge reaches it
/// within the frame; the end of the edge, which is another's start, is left out.
pub(super) fn reaches(circle: Circle, velocity: Edge, edge: Edge) -> bool {
    let start = BoundaryFeature::Vertex {
        arriving: edge,
        leaving: edge,
    };
    [start, BoundaryFeature::Edge(edge)]
        .into_iter()
        .any(|feature| {
            let approach = Approach {
                feature,
                circle,
                velocity,
            };
            approach.arrives()
        })
}

/// A circle outside a polygon that moves, and one of the polygon's features.
struct Approach {
    feature: BoundaryFeature,
    circle: Circle,
    velocity: Edge,
}

impl Approach {
    fn motion(&self) -> Motion {
        Motion::between(self.velocity.start, self.velocity.end)
    }

    fn gap_from(&self, vertex: Point) -> Displacement {
        Displacement::between(vertex, self.circle.center)
    }

    fn radius(&self) -> Length {
        Length::Given(self.circle.radius)
    }

    fn within_reach(&self, length: Length) -> bool {
        compare_lengths(length, self.radius()) != Ordering::Greater
    }

    /// Whether the circle reaches the feature within the frame.
    fn arrives(&self) -> bool {
        match self.feature {
            BoundaryFeature::Vertex { leaving, .. } => self.arrives_at_vertex(leaving.start),
            BoundaryFeature::Edge(edge) => self.arrives_at_edge(edge),
        }
    }

    fn arrives_at_vertex(&self, vertex: Point) -> bool {
        let path = self.velocity;
        let gap = self.gap_from(vertex);
        let at_end = gap.shifted(self.motion());
        dot(path, gap) == Sign::Negative
            && self.within_reach(Length::Across(path, gap))
            && (dot(path, at_end) != Sign::Negative || self.within_reach(Length::Whole(at_end)))
    }

    /// The circle comes from the outer side, the right. Coming from beside the edge's end, the circle meets the vertex before the edge, so the edge
    /// counts only if the circle starts clear of its line and touches it between its ends. At an
    /// end the contact is the vertex's, whose normal is another when the radius is zero.
    fn arrives_at_edge(&self, edge: Edge) -> bool {
        let gap = self.gap_from(edge.start);
        let at_end = gap.shifted(self.motion());
        let side = cross(edge, gap);
        let speed = turn(edge, self.velocity);
        side == Sign::Negative
            && speed == Sign::Positive
            && (cross(edge, at_end) != side || self.within_reach(Length::Across(edge, at_end)))
            && compare_lengths(Length::Across(edge, gap), self.radius()) != Ordering::Less
            && self.foot_past(edge, edge.start) == Sign::Positive
            && self.foot_past(edge, edge.end) == Sign::Negative
    }

    fn foot_past(&self, edge: Edge, vertex: Point) -> Sign {
        foot_past(
            edge,
            self.gap_from(vertex),
            self.motion(),
            self.circle.radius,
        )
    }

    /// Whether the circle, when it reaches the feature, touches it from outside the polygon: at a
    /// vertex, the center then lies past the end of the arriving edge and before the start of the
    /// leaving one. Elsewhere the circle touches one of these edges first, perhaps by less than
    /// times can tell.
    fn is_from_outside(&self) -> bool {
        let BoundaryFeature::Vertex { arriving, leaving } = self.feature else {
            return true;
        };
        let gap = self.gap_from(leaving.start);
        let past = |edge| center_past(edge, gap, self.velocity, self.circle.radius);
        past(arriving) != Sign::Negative && past(leaving) != Sign::Positive
    }

    /// The time at which the circle reaches the feature, known to be 1 or less.
    fn time(&self) -> WideFloat {
        let time = match self.feature {
            BoundaryFeature::Vertex { leaving, .. } => self.time_at_vertex(leaving.start),
            BoundaryFeature::Edge(edge) => self.time_at_edge(edge),
        };
        if time > WideFloat::ONE {
            WideFloat::ONE
        } else {
            time
        }
    }

    /// The smaller root of `|gap + t velocity|² = radius²`, in the form without cancellation.
    fn time_at_vertex(&self, vertex: Point) -> WideFloat {
        let gap = self.gap_from(vertex);
        let path = self.velocity;
        let outside = square_difference(Length::Whole(gap), self.radius(), TO_THE_LAST_PLACE);
        let approach = -dot_value(path, gap, TO_THE_LAST_PLACE);
        outside / (approach + half_chord(self.circle, self.velocity, vertex) * length(path))
    }

    fn time_at_edge(&self, edge: Edge) -> WideFloat {
        let gap = Length::Across(edge, self.gap_from(edge.start));
        let speed = Length::Across(edge, self.velocity.displacement());
        length_difference(gap, self.radius(), TO_THE_LAST_PLACE) / speed.value(TO_THE_LAST_PLACE)
    }
}

/// Half of what the circle round a vertex cuts out of the centre's path.
fn half_chord(circle: Circle, velocity: Edge, vertex: Point) -> WideFloat {
    let across = Length::Across(velocity, Displacement::between(vertex, circle.center));
    square_difference(Length::Given(circle.radius), across, TO_THE_LAST_PLACE).sqrt()
}

impl CircleImpact {
    fn time(&self) -> f64 {
        match self.known {
            Precision::Certain(time, _) => time,
            Precision::Exact(time) => time.to_f64(),
        }
    }

    fn normal(&self) -> Vec2 {
        if let Precision::Certain(_, Some(normal)) = self.known {
            return normal;
        }
        let [x, y] = self.exact_normal();
        Vec2::new(x.to_f64(), y.to_f64())
    }

    fn exact_normal(&self) -> [WideFloat; 2] {
        match self.feature {
            BoundaryFeature::Vertex { leaving, .. } if self.circle.radius > 0.0 => {
                self.normal_at_vertex(leaving.start)
            }
            BoundaryFeature::Edge(edge) => right_normal(edge),
            BoundaryFeature::Vertex { .. } => self.feature.outward(),
        }
    }

    /// From the vertex to the centre at the time of contact. Along and across the path, because
    /// their difference at that time would cancel where the radius is small.
    fn normal_at_vertex(&self, vertex: Point) -> [WideFloat; 2] {
        let path = self.velocity;
        let gap = Displacement::between(vertex, self.circle.center);
        let speed = length(path);
        let radius = WideFloat::from(self.circle.radius);
        let along = -half_chord(self.circle, self.velocity, vertex) / (speed * radius);
        let across = cross_value(path, gap, TO_THE_LAST_PLACE) / (speed * speed * radius);
        let x = WideFloat::difference(path.end.x, path.start.x);
        let y = WideFloat::difference(path.end.y, path.start.y);
        [x * along - y * across, y * along + x * across]
    }

    fn approach(&self) -> Approach {
        Approach {
            feature: self.feature,
            circle: self.circle,
            velocity: self.velocity,
        }
    }

    fn contact(&self) -> Point {
        match self.feature {
            BoundaryFeature::Vertex { leaving, .. } => leaving.start,
            BoundaryFeature::Edge(edge) => {
                let along = |displacement| dot_value(edge, displacement, TO_THE_LAST_PLACE);
                let start = along(Displacement::between(edge.start, self.circle.center));
                let time = match self.known {
                    Precision::Exact(time) => time,
                    // What is good enough for a time moves the point too far.
                    Precision::Certain(..) => self.approach().time(),
                };
                let position = start + along(self.velocity.displacement()) * time;
                let length = length(edge);
                point_along(edge, position / (length * length))
            }
        }
    }
}

impl SweptCircle {
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
            SweptCircleOutcome::CircleImpact(impact) => impact.time(),
        }
    }

    /// From the contact to the centre at that time; zero when never.
    pub fn normal(&self) -> Vec2 {
        match self.0 {
            SweptCircleOutcome::Never => Vec2::ZERO,
            SweptCircleOutcome::Overlap(now) => now.normal(),
            SweptCircleOutcome::CircleImpact(impact) => impact.normal(),
        }
    }

    /// Both ends of the contact, which is one point; NaN when never.
    pub fn contact(&self) -> [Point; 2] {
        let point = match self.0 {
            SweptCircleOutcome::Never => Point::NAN,
            SweptCircleOutcome::Overlap(now) => now.closest(),
            SweptCircleOutcome::CircleImpact(impact) => impact.contact(),
        };
        [point; 2]
    }
}
