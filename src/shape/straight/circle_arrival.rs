//! A moving circle and one feature of a polygon: whether the circle arrives there, when and how.
//!
//! No root is taken for a decision: each condition compares squares.

use std::cmp::Ordering;

use crate::convex::{moved_along, point_along};
use crate::geom::{Circle, Displacement, Edge, Motion, Point, RadiusSum, WideFloat, WideVector};
use crate::predicates::numbers::ball::Ball;
use crate::predicates::numbers::polynomial::Number;
use crate::predicates::{
    BigBall, DistanceTimes, FootSquares, Length, Sign, TO_THE_LAST_PLACE, compare_lengths, cross,
    cross_value, dot, dot_value, half_chord, length, length_difference, precise_arrival,
};
use crate::shape::boundary::boundary_feature::BoundaryFeature;
use crate::shape::boundary::interior_angle::Directions;

/// More than the relative error of the difference of two rounded times.
const NEARLY_EQUAL: f64 = 1e-14;

/// Bits to which nearly equal times are compared. The last tell coordinates apart that differ by the least float.
const BITS: [usize; 2] = [200, 2400];

/// A moving circle outside a polygon, and one of the polygon's features.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Approach {
    pub(crate) feature: BoundaryFeature,
    circle: Circle<RadiusSum>,
    /// The circle's displacement at the start, if any.
    offset: Option<Motion>,
    velocity: Motion,
}

impl Approach {
    pub(crate) fn new(
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
        Displacement::new(from, self.circle.center, self.offset)
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
    pub(crate) fn arrives(&self) -> bool {
        let (gap, path) = (self.gap(), self.velocity);
        let at_end = gap.after(path);
        match self.feature {
            BoundaryFeature::Vertex { .. } => {
                dot(path, gap) == Sign::Negative
                    && self.is_on_path()
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
                    && self.is_on_path()
            }
        }
    }

    /// Whether the circle, coming along its path from however far and going on, touches the vertex, or first touches the
    /// edge's line between its ends, given that it comes from the right.
    pub(super) fn is_on_path(&self) -> bool {
        match self.feature {
            BoundaryFeature::Vertex { .. } => {
                self.within_reach(Length::AcrossMotion(self.velocity, self.gap()))
            }
            BoundaryFeature::Edge(edge) => {
                self.seen_from(edge, edge.start).foot_past() == Sign::Positive
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
            let interior = Directions::at_vertex(arriving, leaving);
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
    pub(crate) fn time(&self) -> WideFloat {
        let (gap, path) = (self.gap(), self.velocity);
        let time = match self.feature {
            BoundaryFeature::Vertex { .. } => DistanceTimes::new(gap, path, self.radius()).enter(),
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

    /// Which of two arrivals is earlier, given their rounded times. `Equal` where they can't be told apart.
    pub(super) fn compare_times(&self, time: WideFloat, other: &Self, its: WideFloat) -> Ordering {
        let difference = time - its;
        if difference.abs() > its * NEARLY_EQUAL.into() {
            return if difference.is_negative() {
                Ordering::Less
            } else {
                Ordering::Greater
            };
        }
        for bits in BITS {
            let [own, others] = [self, other].map(|it| it.precise_time(bits));
            match own.minus(&others).sign() {
                Some(Sign::Negative) => return Ordering::Less,
                Some(Sign::Positive) => return Ordering::Greater,
                Some(Sign::Zero) => break,
                None => {}
            }
        }
        Ordering::Equal
    }

    fn precise_time(&self, bits: usize) -> BigBall {
        let edge = match self.feature {
            BoundaryFeature::Vertex { .. } => None,
            BoundaryFeature::Edge(edge) => Some(edge),
        };
        precise_arrival(edge, self.gap(), self.velocity, self.circle.radius, bits)
    }

    /// The unit normal at the time of contact, from the feature to the center.
    ///
    /// At a vertex, it is computed along and across the path: the difference of center and vertex
    /// would cancel where the radius is small.
    pub(crate) fn normal(&self) -> WideVector {
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
            return -path.wide() / speed;
        }
        let radius = self.radius().value(TO_THE_LAST_PLACE);
        let along = -half_chord(self.gap(), path, self.radius()) / (speed * radius);
        let across = cross_value(path, self.gap(), TO_THE_LAST_PLACE) / (speed * speed * radius);
        let path = path.wide();
        path * along + path.turned_left() * across
    }

    /// The point of contact on a shape of this radius; the time is the one that [`Self::time`] gives, if
    /// it is known. Times of the filter would move the point too far.
    pub(crate) fn contact(&self, time: Option<WideFloat>, rounding: f64) -> Point {
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
        moved_along(core, rounding, || self.normal())
    }
}
