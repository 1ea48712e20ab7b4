//! A circle against a polygon, standing still: the nearest boundary feature tells everything.

use std::cmp::Ordering;

use super::Polygon;
use super::inside::{Location, locate};
use crate::convex::{Cyclic, beside, bisector, foot, right_normal};
use crate::geom::{Circle, Displacement, Edge, Point, Scaled, Vec2};
use crate::predicates::{
    Length, Sign, TO_TEN_DIGITS, compare_lengths, dot, length_difference, shortest,
};

/// What a nearest boundary point lies on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feature {
    /// A vertex.
    Vertex = 0,
    /// The inside of an edge.
    Edge = 1,
}

/// How a circle and a polygon lie to each other.
///
/// The decision is made and exact; the numbers are computed when asked for.
#[derive(Clone, Copy, Debug)]
pub struct CirclePolygon {
    circle: Circle,
    nearest: BoundaryFeature,
    index: usize,
    inside: bool,
    intersects: bool,
}

/// A part of the boundary, as it runs counterclockwise.
#[derive(Clone, Copy, Debug)]
pub(super) enum BoundaryFeature {
    Vertex { arriving: Edge, leaving: Edge },
    Edge(Edge),
}

impl BoundaryFeature {
    /// What leads from the feature to a point.
    fn gap(&self, point: Point) -> Displacement {
        let (Self::Vertex { leaving: edge, .. } | Self::Edge(edge)) = *self;
        Displacement::between(edge.start, point)
    }

    /// The distance of a point whose nearest feature this is.
    fn distance(&self, point: Point) -> Length {
        match *self {
            Self::Vertex { .. } => Length::Whole(self.gap(point)),
            Self::Edge(edge) => Length::Across(edge, self.gap(point)),
        }
    }

    /// The boundary's own outward normal there.
    pub(super) fn outward(&self) -> [Scaled; 2] {
        match *self {
            Self::Vertex { arriving, leaving } => bisector([arriving, leaving]),
            Self::Edge(edge) => right_normal(edge),
        }
    }
}

/// The nearest feature, its position, and whether the circle reaches it or is inside.
pub(crate) fn circle_polygon(circle: Circle, polygon: &Polygon<'_>) -> CirclePolygon {
    let center = circle.center;
    let facing = features(polygon).filter(|(_, feature)| faces(feature, center));
    let (index, nearest) = shortest(facing, |(_, feature)| feature.distance(center))
        .unwrap_or_else(|| features(polygon).next().expect("a ring has edges"));
    let inside = locate(center, polygon.vertices()) == Location::Inside;
    let reach = Length::Given(circle.radius);
    CirclePolygon {
        circle,
        nearest,
        index,
        inside,
        intersects: inside || compare_lengths(nearest.distance(center), reach) != Ordering::Greater,
    }
}

/// All features with their positions in the caller's order. Repeated vertices make edges without
/// length; those are no features, and the first of the repeated vertices stands for all.
pub(super) fn features<'p>(
    polygon: &'p Polygon<'_>,
) -> impl Iterator<Item = (usize, BoundaryFeature)> + 'p {
    let ring = polygon.vertices();
    let real = move |&index: &usize| {
        let edge = ring.edge(index);
        edge.start != edge.end
    };
    let last = (0..ring.len()).rev().find(real).unwrap_or(0);
    let mut incoming = ring.edge(last);
    let mut first_of_equals = 0;
    (0..ring.len()).filter(real).flat_map(move |index| {
        let outgoing = ring.edge(index);
        let [one, other] = [incoming, outgoing].map(|edge| polygon.counterclockwise(edge));
        let (arriving, leaving) = if one.end == other.start {
            (one, other)
        } else {
            (other, one)
        };
        let vertex = (
            first_of_equals,
            BoundaryFeature::Vertex { arriving, leaving },
        );
        incoming = outgoing;
        first_of_equals = ring.next(index);
        let edge = BoundaryFeature::Edge(polygon.counterclockwise(outgoing));
        [vertex, (index, edge)]
    })
}

/// Whether a point may have this as its nearest feature: if not, a neighbour is nearer.
fn faces(feature: &BoundaryFeature, point: Point) -> bool {
    match *feature {
        BoundaryFeature::Edge(edge) => beside(edge, point),
        BoundaryFeature::Vertex { arriving, leaving } => {
            let past = |edge: Edge| dot(edge, feature.gap(point));
            past(arriving) != Sign::Negative && past(leaving) != Sign::Positive
        }
    }
}

impl CirclePolygon {
    /// Whether they have a point in common.
    pub fn intersects(&self) -> bool {
        self.intersects
    }

    fn center_distance(&self) -> Length {
        self.nearest.distance(self.circle.center)
    }

    fn depth_scaled(&self) -> Scaled {
        let radius = Length::Given(self.circle.radius);
        if !self.intersects {
            Scaled::ZERO
        } else if self.inside {
            Scaled::from(self.circle.radius) + self.center_distance().value(TO_TEN_DIGITS)
        } else {
            length_difference(radius, self.center_distance(), TO_TEN_DIGITS)
        }
    }

    /// The radius less the signed distance of the centre from the boundary; zero when apart.
    pub fn depth(&self) -> f64 {
        self.depth_scaled().to_f64()
    }

    /// What moves the circle out through the nearest feature; zero when apart.
    pub fn mtv(&self) -> Vec2 {
        if !self.intersects {
            return Vec2::ZERO;
        }
        let depth = self.depth_scaled();
        let [x, y] = self.normal_scaled();
        Vec2::new((x * depth).to_f64(), (y * depth).to_f64())
    }

    fn normal_scaled(&self) -> [Scaled; 2] {
        let BoundaryFeature::Vertex { leaving, .. } = self.nearest else {
            return self.nearest.outward();
        };
        let (vertex, center) = (leaving.start, self.circle.center);
        if vertex == center {
            return self.nearest.outward();
        }
        let away = if self.inside {
            Edge::new(center, vertex)
        } else {
            Edge::new(vertex, center)
        };
        unit(away)
    }

    /// From the nearest boundary point to the centre, reversed when the centre is inside; where
    /// they coincide, the boundary's outward normal.
    pub fn normal(&self) -> Vec2 {
        let [x, y] = self.normal_scaled();
        Vec2::new(x.to_f64(), y.to_f64())
    }

    /// The boundary point nearest to the centre.
    pub fn closest(&self) -> Point {
        match self.nearest {
            BoundaryFeature::Vertex { leaving, .. } => leaving.start,
            BoundaryFeature::Edge(edge) => foot(edge, self.circle.center),
        }
    }

    /// What [`Self::closest`] lies on.
    pub fn feature(&self) -> Feature {
        match self.nearest {
            BoundaryFeature::Vertex { .. } => Feature::Vertex,
            BoundaryFeature::Edge(_) => Feature::Edge,
        }
    }

    /// Which vertex or edge that is, in the caller's order.
    pub fn index(&self) -> usize {
        self.index
    }

    /// The gap; zero when they intersect.
    pub fn distance(&self) -> f64 {
        if self.intersects {
            return 0.0;
        }
        let radius = Length::Given(self.circle.radius);
        length_difference(self.center_distance(), radius, TO_TEN_DIGITS).to_f64()
    }
}

/// The unit vector along an edge.
fn unit(edge: Edge) -> [Scaled; 2] {
    let [x, y] = right_normal(edge);
    [-y, x]
}
