//! A circle against a polygon at rest: the nearest feature of the boundary gives all numbers.

use std::cmp::Ordering;
use std::ops::ControlFlow;

use smallvec::SmallVec;

use super::boundary::Boundary;
use super::edge_block::{NearEdges, NearestEdges};
use super::inside::{Location, locate, locate_in_ring};
use super::polygon::Polygon;
use crate::convex::filter::{FilteredCircle, certainly_nearest, certainly_reaches};
use crate::convex::{Cyclic, Ring, beside, bisector, foot, right_normal};
use crate::geom::{Bounds, Circle, Displacement, Edge, Point, Vec2, WideFloat};
use crate::predicates::{
    Least, Length, Sign, TO_TEN_DIGITS, compare_lengths, dot, length_difference,
};
use crate::simd::lanes::Vectors;

/// The kind of a boundary feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feature {
    /// A vertex.
    Vertex = 0,
    /// The interior of an edge.
    Edge = 1,
}

/// Overlap or gap of a circle and a polygon.
///
/// The decision is made and exact. Numbers that the filter does not give are computed on access.
#[derive(Clone, Copy, Debug)]
pub struct CirclePolygon {
    index: usize,
    nearest: FilteredCircle<f64>,
    /// Where the numbers of `nearest` come from if they are NaN there.
    exact: Option<ExactNearest>,
}

/// The nearest feature where the filter was undecided or the polygon is not convex.
#[derive(Clone, Copy, Debug)]
struct ExactNearest {
    circle: Circle,
    feature: BoundaryFeature,
    /// Whether the polygon's interior holds the center.
    inside: bool,
}

/// A vertex or an edge of the boundary, which runs counterclockwise.
#[derive(Clone, Copy, Debug)]
pub(super) enum BoundaryFeature {
    Vertex { arriving: Edge, leaving: Edge },
    Edge(Edge),
}

impl BoundaryFeature {
    /// From the vertex, or from the start of the edge, to a point.
    pub(super) fn gap(&self, point: Point) -> Displacement {
        let (Self::Vertex { leaving: edge, .. } | Self::Edge(edge)) = *self;
        Displacement::between(edge.start, point)
    }

    /// The distance of a point in the feature's Voronoi region.
    fn distance(&self, point: Point) -> Length {
        match *self {
            Self::Vertex { .. } => Length::Whole(self.gap(point)),
            Self::Edge(edge) => Length::Across(edge, self.gap(point)),
        }
    }

    /// Whether a circle whose center is in the feature's Voronoi region reaches the feature.
    pub(super) fn is_reached(&self, circle: Circle) -> bool {
        let distance = self.distance(circle.center);
        compare_lengths(distance, Length::Number(circle.radius)) != Ordering::Greater
    }

    /// Whether the feature's Voronoi region may hold a point: if not, a neighbor is nearer.
    pub(super) fn faces(&self, point: Point) -> bool {
        match *self {
            Self::Edge(edge) => beside(edge, point),
            Self::Vertex { arriving, leaving } => {
                let past = |edge: Edge| dot(edge, self.gap(point));
                past(arriving) != Sign::Negative && past(leaving) != Sign::Positive
            }
        }
    }

    /// The edge's outward unit normal, or the bisector of those of the vertex's edges.
    pub(super) fn outward(&self) -> [WideFloat; 2] {
        match *self {
            Self::Vertex { arriving, leaving } => bisector([arriving, leaving]),
            Self::Edge(edge) => right_normal(edge),
        }
    }
}

/// Overlap and nearest feature of a circle and a polygon.
pub fn circle_polygon(circle: Circle, polygon: &Polygon<'_>) -> CirclePolygon {
    filtered(circle, polygon).unwrap_or_else(|| exact(circle, polygon))
}

/// Whether a circle and a polygon have a point in common.
pub fn circle_reaches(circle: Circle, polygon: &Polygon<'_>) -> bool {
    let attempt = match polygon.exactly_convex() {
        Some(ring) => certainly_reaches(ring, circle),
        None => general_reaches(circle, polygon.boundary()),
    };
    attempt.unwrap_or_else(|| circle_polygon(circle, polygon).intersects())
}

/// Whether a circle reaches a polygon that need not be convex: its center lies inside, or it reaches an
/// edge. `None` if neither is certain.
fn general_reaches(circle: Circle, boundary: &Boundary) -> Option<bool> {
    let (center, bounds) = (Bounds::from(circle.center), boundary.bounds());
    let is_near = |other: &Bounds| other.may_be_within(&center, circle.radius);
    if !is_near(&bounds) {
        return Some(false);
    }
    let reaches = circle.radius > 0.0 && {
        let mut near = NearEdges::new(circle, &bounds);
        let _ = boundary.search_blocks(is_near, |block| {
            near.add(block);
            ControlFlow::Continue(())
        });
        near.are_reached()?
    };
    Some(reaches || locate(circle.center, boundary) != Location::Outside)
}

/// The answer of the filter, if it is certain.
fn filtered(circle: Circle, polygon: &Polygon<'_>) -> Option<CirclePolygon> {
    let ring = as_given(polygon)?;
    let nearest = certainly_nearest(ring, circle)?;
    let index = nearest.index(polygon.is_clockwise(), ring.len());
    Some(CirclePolygon {
        index: to_index(index),
        nearest,
        exact: None,
    })
}

/// The index that a filter gives as a float: a whole number below the length of a ring.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
pub(super) fn to_index(position: f64) -> usize {
    position as usize
}

/// The ring of an exactly convex polygon, if all vertices that were given are corners of it.
pub(super) fn as_given<'p, 'a>(polygon: &'p Polygon<'a>) -> Option<&'p Ring<'a>> {
    polygon
        .exactly_convex()
        .filter(|ring| ring.len() == polygon.rings().vertices())
}

/// The answer of the exact predicates, for polygons of any kind.
fn exact(circle: Circle, polygon: &Polygon<'_>) -> CirclePolygon {
    let center = circle.center;
    let mut least = Least::default();
    // Unchecked memory may hold NaN: then no feature faces the center, and the first one is taken.
    let mut any = None;
    let offer = |features: RankedFeatures| {
        any = any.or(Some(features[0]));
        for (rank, feature) in features {
            if feature.faces(center) {
                let distance = |(_, feature): &(Rank, BoundaryFeature)| feature.distance(center);
                least.offer((rank, feature), distance, rank);
            }
        }
    };
    if polygon.exactly_convex().is_some() {
        all_features(polygon).for_each(offer);
    } else {
        let edges = nearest_edges(center, polygon.boundary()).into_iter();
        edges
            .flat_map(|edge| features_along(polygon, edge))
            .for_each(offer);
    }
    let found = least.found().or(any);
    let ((index, is_edge), feature) = found.expect("a polygon has features");
    let inside = match polygon.exactly_convex() {
        Some(ring) => locate_in_ring(center, (0..ring.len()).map(|k| ring.edge(k))),
        None => locate(center, polygon.boundary()),
    } == Location::Inside;
    let intersects = inside || feature.is_reached(circle);
    CirclePolygon {
        index,
        nearest: FilteredCircle::without_numbers(intersects, is_edge),
        exact: Some(ExactNearest {
            circle,
            feature,
            inside,
        }),
    }
}

/// Order of features that are equally near: by index, the vertex before the edge.
pub(super) type Rank = (usize, bool);

/// An edge of the caller's and its start.
pub(super) type RankedFeatures = [(Rank, BoundaryFeature); 2];

/// The features of a convex polygon.
pub(super) fn all_features(polygon: &Polygon<'_>) -> impl Iterator<Item = RankedFeatures> {
    let ring = polygon.rings().ring(0);
    (0..ring.len()).filter_map(|index| features(ring, 0, polygon.is_clockwise(), index))
}

/// The features of the caller's edges along an edge of the boundary of a polygon that is not convex:
/// repeated and collinear vertices lie between two corners.
pub(super) fn features_along(
    polygon: &Polygon<'_>,
    corner: usize,
) -> impl Iterator<Item = RankedFeatures> {
    let boundary = polygon.boundary();
    let number = boundary.ring_of(corner);
    let (ring, whole) = (polygon.rings().ring(number), &boundary.rings[number]);
    let mut ends = [corner, boundary.next(corner)]
        .map(|end| boundary.corners[end].position as usize - whole.first);
    if whole.reversed {
        ends.reverse();
    }
    let [start, end] = ends;
    std::iter::successors(Some(start), |&index| Some(ring.next(index)))
        .take_while(move |&index| index != end)
        .filter_map(|index| features(ring, whole.first, whole.reversed, index))
}

/// The edges of a boundary that may be nearest to a point: all of them where products could leave the
/// range of floats.
fn nearest_edges(point: Point, boundary: &Boundary) -> SmallVec<[usize; 8]> {
    let Some(mut nearest) = NearestEdges::new(point, &boundary.bounds()) else {
        return (0..boundary.corners.len()).collect();
    };
    let distance = |bounds: &Bounds| bounds.squared_distance_below(&point.into());
    boundary.search_least(distance, f64::INFINITY, |block| nearest.add(block));
    nearest.found().collect()
}

/// An edge of a ring as the caller gave it and the vertex where it starts, counted from the ring's
/// `first` vertex among all. None for the edge of length zero between two repeated vertices, of which
/// the first stands for all. `reversed` rings have the polygon's interior on their right.
fn features(ring: &[Point], first: usize, reversed: bool, index: usize) -> Option<RankedFeatures> {
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
    let (arriving, leaving, edge) = if reversed {
        let edge = outgoing.reversed();
        (edge, incoming.reversed(), edge)
    } else {
        (incoming, outgoing, outgoing)
    };
    let vertex = BoundaryFeature::Vertex { arriving, leaving };
    Some([
        ((first + first_of_equals, false), vertex),
        ((first + index, true), BoundaryFeature::Edge(edge)),
    ])
}

impl CirclePolygon {
    /// Of a circle and a polygon that are apart, without the nearest feature.
    pub fn apart() -> Self {
        Self {
            index: 0,
            nearest: FilteredCircle {
                normal: Vectors::both(0.0),
                ..FilteredCircle::without_numbers(false, false)
            },
            exact: None,
        }
    }

    /// Whether they have a point in common.
    pub fn intersects(&self) -> bool {
        self.nearest.intersects
    }

    /// The radius less the signed distance of the center from the boundary, which is negative
    /// inside; zero when apart.
    pub fn depth(&self) -> f64 {
        match &self.exact {
            Some(exact) if self.intersects() => exact.depth().to_f64(),
            _ => self.nearest.depth(),
        }
    }

    /// The translation of the circle out through the nearest feature; zero when apart.
    pub fn mtv(&self) -> Vec2 {
        match &self.exact {
            Some(_) if !self.intersects() => Vec2::ZERO,
            Some(exact) => {
                let depth = exact.depth();
                to_vector(exact.normal().map(|component| component * depth))
            }
            None => self.nearest.mtv(),
        }
    }

    /// From the nearest boundary point to the center, reversed when the center is inside; where
    /// they coincide, the boundary's outward normal.
    pub fn normal(&self) -> Vec2 {
        let exact = self.exact.as_ref();
        exact.map_or_else(|| self.nearest.normal, |exact| to_vector(exact.normal()))
    }

    /// The boundary point nearest to the center.
    pub fn closest(&self) -> Point {
        let exact = self.exact.as_ref();
        exact.map_or_else(|| self.nearest.closest.into(), ExactNearest::closest)
    }

    /// What [`Self::closest`] lies on.
    pub fn feature(&self) -> Feature {
        if self.nearest.is_edge {
            Feature::Edge
        } else {
            Feature::Vertex
        }
    }

    /// Index of that vertex or edge, in the caller's order.
    pub fn index(&self) -> usize {
        self.index
    }

    /// The gap; zero when they intersect.
    pub fn distance(&self) -> f64 {
        match &self.exact {
            Some(exact) if !self.intersects() => exact.gap().to_f64(),
            _ => self.nearest.distance(),
        }
    }
}

impl ExactNearest {
    fn center_distance(&self) -> Length {
        self.feature.distance(self.circle.center)
    }

    /// The depth, of a circle that intersects the polygon.
    fn depth(&self) -> WideFloat {
        let radius = self.circle.radius;
        if self.inside {
            WideFloat::from(radius) + self.center_distance().value(TO_TEN_DIGITS)
        } else {
            length_difference(
                Length::Number(radius),
                self.center_distance(),
                TO_TEN_DIGITS,
            )
        }
    }

    /// The gap, of a circle apart from the polygon.
    fn gap(&self) -> WideFloat {
        let radius = Length::Number(self.circle.radius);
        length_difference(self.center_distance(), radius, TO_TEN_DIGITS)
    }

    fn normal(&self) -> [WideFloat; 2] {
        let center = self.circle.center;
        match self.feature {
            BoundaryFeature::Vertex { leaving, .. } if leaving.start != center => {
                let away = Edge::new(leaving.start, center);
                let [x, y] = right_normal(if self.inside { away.reversed() } else { away });
                [-y, x]
            }
            _ => self.feature.outward(),
        }
    }

    fn closest(&self) -> Point {
        match self.feature {
            BoundaryFeature::Vertex { leaving, .. } => leaving.start,
            BoundaryFeature::Edge(edge) => foot(edge, self.circle.center),
        }
    }
}

pub(super) fn to_vector([x, y]: [WideFloat; 2]) -> Vec2 {
    Vec2::new(x.to_f64(), y.to_f64())
}
