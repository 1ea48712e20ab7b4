//! A circle against a polygon, standing still: the nearest boundary feature tells everything.

use std::cmp::Ordering;
use std::ops::ControlFlow;

use super::Polygon;
use super::inside::{Location, locate, locate_in_ring};
use crate::broad::{BoxTree, pairs};
use crate::convex::filter::{FilteredCircle, certainly_nearby, certainly_reaches};
use crate::convex::{Cyclic, Ring, beside, bisector, foot, right_normal};
use crate::geom::{Bounds, Circle, Displacement, Edge, Point, Vec2, WideFloat};
use crate::predicates::{
    Least, Length, Sign, TO_TEN_DIGITS, compare_lengths, dot, length_difference,
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
pub struct CirclePolygon(Found);

#[derive(Clone, Copy, Debug)]
enum Found {
    /// Floats were good enough, and this is the index.
    Certain(FilteredCircle<f64>, usize),
    /// They were for the yes or no, and nobody wants to know more: all else is blank.
    Decided(bool),
    Exact(Settled),
}

/// What is nearest, beyond doubt.
#[derive(Clone, Copy, Debug)]
struct Settled {
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
    pub(super) fn outward(&self) -> [WideFloat; 2] {
        match *self {
            Self::Vertex { arriving, leaving } => bisector([arriving, leaving]),
            Self::Edge(edge) => right_normal(edge),
        }
    }
}

/// How a circle and a polygon lie to each other.
pub(crate) fn circle_polygon(circle: Circle, polygon: &Polygon<'_>) -> CirclePolygon {
    CirclePolygon(
        certain(circle, polygon).unwrap_or_else(|| Found::Exact(nearest(circle, polygon))),
    )
}

/// Whether a circle and a polygon have a point in common; of the numbers nothing need be known.
pub(crate) fn circle_reaches(circle: Circle, polygon: &Polygon<'_>) -> CirclePolygon {
    let decided = polygon
        .exactly_convex()
        .and_then(|ring| certainly_reaches(ring, circle));
    match decided {
        Some(decided) => CirclePolygon(Found::Decided(decided)),
        None => circle_polygon(circle, polygon),
    }
}

fn certain(circle: Circle, polygon: &Polygon<'_>) -> Option<Found> {
    let ring = as_given(polygon)?;
    let nearby = certainly_nearby(ring, circle)?;
    // A whole number below the length of the ring.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let index = nearby.index(polygon.is_clockwise(), ring.len()) as usize;
    Some(Found::Certain(nearby, index))
}

/// The ring of an exactly convex polygon, if all vertices that were given are corners of it.
pub(super) fn as_given<'p, 'a>(polygon: &'p Polygon<'a>) -> Option<&'p Ring<'a>> {
    polygon
        .exactly_convex()
        .filter(|ring| ring.len() == polygon.rings().vertices())
}

/// The nearest feature, its position, and whether the circle reaches it or is inside.
fn nearest(circle: Circle, polygon: &Polygon<'_>) -> Settled {
    let center = circle.center;
    let mut least = Least::default();
    // Unchecked memory may hold NaN, of which nothing is near.
    let mut any = None;
    let mut offer = |candidates: EdgeFeatures| {
        any = any.or(Some(candidates[0]));
        for (rank, feature) in ranked(candidates) {
            if faces(&feature, center) {
                let distance = |(_, feature): &(_, BoundaryFeature)| feature.distance(center);
                least.offer((rank.0, feature), distance, rank);
            }
        }
        least.square_above()
    };
    near(
        polygon,
        &center.into(),
        Bounds::squared_distance_below,
        f64::INFINITY,
        &mut offer,
    );
    let found = least.found().or(any);
    let (index, nearest) = found.expect("a polygon has features");
    let inside = match polygon.exactly_convex() {
        Some(ring) => locate_in_ring(center, (0..ring.len()).map(|k| ring.edge(k))),
        None => locate(center, polygon.boundary()),
    } == Location::Inside;
    let reach = Length::Given(circle.radius);
    Settled {
        circle,
        nearest,
        index,
        inside,
        intersects: inside || compare_lengths(nearest.distance(center), reach) != Ordering::Greater,
    }
}

/// An edge of the caller's and the vertex where it starts.
pub(super) type EdgeFeatures = [(usize, BoundaryFeature); 2];

/// Where a feature stands among equals: by its number, of a vertex and an edge the vertex.
pub(super) type Rank = (usize, bool);

pub(super) fn ranked(features: EdgeFeatures) -> [(Rank, BoundaryFeature); 2] {
    features.map(|(index, feature)| {
        let is_edge = matches!(feature, BoundaryFeature::Edge(_));
        ((index, is_edge), feature)
    })
}

/// Visits the features of a polygon that may matter: those in boxes whose `bound` to a given one
/// is not above the limit, which the visitor returns from then on.
pub(super) fn near(
    polygon: &Polygon<'_>,
    place: &Bounds,
    bound: impl Fn(&Bounds, &Bounds) -> f64,
    limit: f64,
    visit: &mut impl FnMut(EdgeFeatures) -> f64,
) {
    let rings = polygon.rings();
    if polygon.exactly_convex().is_some() {
        let ring = GivenRing {
            vertices: rings.ring(0),
            first: 0,
            reversed: polygon.is_clockwise(),
        };
        for index in 0..ring.vertices.len() {
            ring.features(index).map(&mut *visit);
        }
        return;
    }
    let boundary = polygon.boundary();
    let here = BoxTree::single(*place);
    let _ = pairs([&here, boundary.tree()], bound, limit, |[_, run], _| {
        let mut limit = limit;
        for corner in boundary.run(run) {
            let number = boundary.ring_of(corner);
            let whole = &boundary.rings()[number];
            let ring = GivenRing {
                vertices: rings.ring(number),
                first: whole.first,
                reversed: whole.reversed,
            };
            let ends = [corner, boundary.next(corner)]
                .map(|end| boundary.corners()[end].position as usize - ring.first);
            let [mut index, end] = if ring.reversed {
                [ends[1], ends[0]]
            } else {
                ends
            };
            // Vertices that are repeated or collinear lie between two corners.
            while index != end {
                if let Some(features) = ring.features(index) {
                    limit = visit(features);
                }
                index = ring.vertices.next(index);
            }
        }
        ControlFlow::Continue(limit)
    });
}

/// A ring as the caller gave it.
struct GivenRing<'p> {
    vertices: &'p [Point],
    /// The number of its first vertex among all.
    first: usize,
    /// Whether the polygon's inside is on its right.
    reversed: bool,
}

impl GivenRing<'_> {
    /// An edge and the vertex where it starts, with their numbers. Repeated vertices make edges
    /// without length; those are no features, and the first of the vertices stands for all.
    fn features(&self, index: usize) -> Option<EdgeFeatures> {
        let ring = self.vertices;
        let outgoing = ring.edge(index);
        if outgoing.start == outgoing.end {
            return None;
        }
        let repeats = |index: &usize| ring[*index] == outgoing.start;
        let first_of_equals = (0..=index).rev().take_while(repeats).last()?;
        let mut before = ring.previous(index);
        while ring[before] == outgoing.start {
            before = ring.previous(before);
        }
        let incoming = Edge::new(ring[before], outgoing.start);
        let (arriving, leaving, edge) = if self.reversed {
            (
                outgoing.reversed(),
                incoming.reversed(),
                outgoing.reversed(),
            )
        } else {
            (incoming, outgoing, outgoing)
        };
        Some([
            (
                self.first + first_of_equals,
                BoundaryFeature::Vertex { arriving, leaving },
            ),
            (self.first + index, BoundaryFeature::Edge(edge)),
        ])
    }
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
        match &self.0 {
            Found::Certain(nearby, _) => nearby.intersects,
            Found::Decided(intersects) => *intersects,
            Found::Exact(nearest) => nearest.intersects,
        }
    }

    /// The radius less the signed distance of the centre from the boundary; zero when apart.
    pub fn depth(&self) -> f64 {
        self.number(FilteredCircle::depth, Settled::depth)
    }

    /// What moves the circle out through the nearest feature; zero when apart.
    pub fn mtv(&self) -> Vec2 {
        self.measured(|nearby| nearby.mtv().into(), Settled::mtv)
            .unwrap_or(Vec2::NAN)
    }

    /// From the nearest boundary point to the centre, reversed when the centre is inside; where
    /// they coincide, the boundary's outward normal.
    pub fn normal(&self) -> Vec2 {
        self.measured(|nearby| nearby.normal.into(), Settled::normal)
            .unwrap_or(Vec2::NAN)
    }

    /// The boundary point nearest to the centre.
    pub fn closest(&self) -> Point {
        self.measured(|nearby| nearby.closest.into(), Settled::closest)
            .unwrap_or(Point::NAN)
    }

    /// What [`Self::closest`] lies on.
    pub fn feature(&self) -> Feature {
        let certain = |nearby: &FilteredCircle<f64>| {
            if nearby.is_edge {
                Feature::Edge
            } else {
                Feature::Vertex
            }
        };
        self.measured(certain, Settled::feature)
            .unwrap_or(Feature::Vertex)
    }

    /// Which vertex or edge that is, in the caller's order.
    pub fn index(&self) -> usize {
        match &self.0 {
            Found::Certain(_, index) => *index,
            Found::Decided(_) => 0,
            Found::Exact(nearest) => nearest.index,
        }
    }

    /// The gap; zero when they intersect.
    pub fn distance(&self) -> f64 {
        self.number(FilteredCircle::distance, Settled::distance)
    }

    /// What is measured; None if only the yes or no was asked for.
    fn measured<T>(
        &self,
        certain: impl FnOnce(&FilteredCircle<f64>) -> T,
        exact: impl FnOnce(&Settled) -> T,
    ) -> Option<T> {
        match &self.0 {
            Found::Certain(nearby, _) => Some(certain(nearby)),
            Found::Decided(_) => None,
            Found::Exact(nearest) => Some(exact(nearest)),
        }
    }

    fn number(
        &self,
        certain: impl FnOnce(&FilteredCircle<f64>) -> f64,
        exact: impl FnOnce(&Settled) -> f64,
    ) -> f64 {
        self.measured(certain, exact).unwrap_or(f64::NAN)
    }
}

impl Settled {
    fn center_distance(&self) -> Length {
        self.nearest.distance(self.circle.center)
    }

    fn depth_scaled(&self) -> WideFloat {
        let radius = Length::Given(self.circle.radius);
        if !self.intersects {
            WideFloat::ZERO
        } else if self.inside {
            WideFloat::from(self.circle.radius) + self.center_distance().value(TO_TEN_DIGITS)
        } else {
            length_difference(radius, self.center_distance(), TO_TEN_DIGITS)
        }
    }

    fn depth(&self) -> f64 {
        self.depth_scaled().to_f64()
    }

    fn mtv(&self) -> Vec2 {
        if !self.intersects {
            return Vec2::ZERO;
        }
        let depth = self.depth_scaled();
        let [x, y] = self.normal_scaled();
        Vec2::new((x * depth).to_f64(), (y * depth).to_f64())
    }

    fn normal_scaled(&self) -> [WideFloat; 2] {
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

    fn normal(&self) -> Vec2 {
        let [x, y] = self.normal_scaled();
        Vec2::new(x.to_f64(), y.to_f64())
    }

    fn closest(&self) -> Point {
        match self.nearest {
            BoundaryFeature::Vertex { leaving, .. } => leaving.start,
            BoundaryFeature::Edge(edge) => foot(edge, self.circle.center),
        }
    }

    fn feature(&self) -> Feature {
        match self.nearest {
            BoundaryFeature::Vertex { .. } => Feature::Vertex,
            BoundaryFeature::Edge(_) => Feature::Edge,
        }
    }

    fn distance(&self) -> f64 {
        if self.intersects {
            return 0.0;
        }
        let radius = Length::Given(self.circle.radius);
        length_difference(self.center_distance(), radius, TO_TEN_DIGITS).to_f64()
    }
}

/// The unit vector along an edge.
fn unit(edge: Edge) -> [WideFloat; 2] {
    let [x, y] = right_normal(edge);
    [-y, x]
}
