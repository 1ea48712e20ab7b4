//! A circle against a polygon at rest: the nearest feature of the boundary gives all numbers.

use std::cmp::Ordering;
use std::ops::ControlFlow;

use super::boundary::Boundary;
use super::edge_block::NearEdges;
use super::inside::{Location, locate, locate_in_ring};
use super::polygon::Polygon;
use crate::broad::{BoxTree, pairs};
use crate::convex::filter::{FilteredCircle, certainly_nearest, certainly_reaches};
use crate::convex::{Cyclic, Ring, advanced, beside, bisector, foot, right_normal};
use crate::geom::{Bounds, Circle, Displacement, Edge, Point, RadiusSum, Vec2, WideFloat};
use crate::predicates::{
    Least, Length, Sign, TO_TEN_DIGITS, compare_lengths, dot, length_difference, side,
};

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
    center: Point,
    /// The sum of the radii.
    radius: RadiusSum,
    /// The polygon's own radius.
    rounding: f64,
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
    /// The vertex, or the start of the edge.
    pub(super) fn start(&self) -> Point {
        let (Self::Vertex { leaving: edge, .. } | Self::Edge(edge)) = *self;
        edge.start
    }

    /// From [`Self::start`] to a point.
    fn gap(&self, point: Point) -> Displacement {
        Displacement::between(self.start(), point)
    }

    /// The distance of a point in the feature's Voronoi region.
    fn distance(&self, point: Point) -> Length {
        match *self {
            Self::Vertex { .. } => Length::Whole(self.gap(point)),
            Self::Edge(edge) => Length::Across(edge, self.gap(point)),
        }
    }

    /// Whether a circle whose center is in the feature's Voronoi region reaches the feature.
    pub(super) fn is_reached(&self, circle: Circle<RadiusSum>) -> bool {
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

    /// Whether the feature is an edge with a point on its left: on a path, the same edge the other way
    /// faces that point.
    fn is_behind(&self, point: Point) -> bool {
        matches!(*self, Self::Edge(edge) if side(edge, point) == Sign::Positive)
    }

    /// The edge's outward unit normal, or the bisector of those of the vertex's edges.
    pub(super) fn outward(&self) -> [WideFloat; 2] {
        match *self {
            // The boundary of a point: all directions are outward.
            Self::Vertex { leaving, .. } if leaving.start == leaving.end => {
                [WideFloat::ONE, WideFloat::ZERO]
            }
            Self::Vertex { arriving, leaving } => bisector([arriving, leaving]),
            Self::Edge(edge) => right_normal(edge),
        }
    }
}

/// Overlap and nearest feature of a circle and a shape.
pub fn circle_polygon(circle: Circle, polygon: &Polygon<'_>) -> CirclePolygon {
    nearest(with_radius(circle, polygon, 0.0), polygon)
}

/// A circle with the radius of a shape and a margin added.
pub(super) fn with_radius(circle: Circle, shape: &Polygon<'_>, margin: f64) -> Circle<RadiusSum> {
    let Circle { center, radius } = circle;
    let radius = RadiusSum::new([radius, shape.radius(), margin]);
    Circle { center, radius }
}

/// The same for a circle whose radius includes all others.
pub(super) fn nearest(circle: Circle<RadiusSum>, polygon: &Polygon<'_>) -> CirclePolygon {
    let is_sharp = polygon.radius() == 0.0;
    let plain = without_sum(circle).filter(|_| is_sharp);
    let attempt = plain.and_then(|circle| filtered(circle, polygon));
    attempt.unwrap_or_else(|| exact(circle, polygon))
}

/// A circle whose radius is a float.
pub(super) fn without_sum(circle: Circle<RadiusSum>) -> Option<Circle> {
    let Circle { center, radius } = circle;
    let radius = radius.exactly()?;
    Some(Circle { center, radius })
}

/// Whether a circle and a shape have a point in common.
pub fn circle_reaches(circle: Circle, polygon: &Polygon<'_>) -> bool {
    reaches_core(with_radius(circle, polygon, 0.0), polygon)
}

/// Whether a circle, whose radius includes all others, and a shape have a point in common.
pub(super) fn reaches_core(circle: Circle<RadiusSum>, polygon: &Polygon<'_>) -> bool {
    let certainly = |radius| {
        let circle = Circle {
            center: circle.center,
            radius,
        };
        match polygon.exactly_convex() {
            Some(ring) => certainly_reaches(ring, circle),
            None => general_reaches(circle, polygon.boundary()),
        }
    };
    let attempt = match circle.radius.bounds() {
        [below, above] if below == above => certainly(below),
        [below, _] if certainly(below) == Some(true) => Some(true),
        [_, above] => certainly(above).filter(|reaches| !reaches),
    };
    attempt.unwrap_or_else(|| nearest(circle, polygon).intersects())
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
fn exact(circle: Circle<RadiusSum>, polygon: &Polygon<'_>) -> CirclePolygon {
    let center = circle.center;
    let mut least = Least::default();
    // Unchecked memory may hold NaN: then no feature faces the center, and the first one is taken.
    let mut any = None;
    let is_thin = !polygon.kind().is_polygonal();
    let mut offer = |features: RankedFeatures| {
        any = any.or(Some(features[0]));
        for (rank, feature) in features {
            if feature.faces(center) && !(is_thin && feature.is_behind(center)) {
                let distance = |(_, feature): &(Rank, BoundaryFeature)| feature.distance(center);
                least.offer((rank, feature), distance, rank);
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
            center,
            radius: circle.radius,
            rounding: polygon.radius(),
            feature,
            inside,
        }),
    }
}

/// Order of features that are equally near: by index, the vertex before the edge.
pub(super) type Rank = (usize, bool);

/// An edge of the caller's and its start.
pub(super) type RankedFeatures = [(Rank, BoundaryFeature); 2];

/// Visits the features of a polygon that may matter: those in boxes whose `bound` to a given box is
/// at most the limit, which each visit returns anew.
pub(super) fn near(
    polygon: &Polygon<'_>,
    bounds: &Bounds,
    bound: impl Fn(&Bounds, &Bounds) -> f64,
    limit: f64,
    visit: &mut impl FnMut(RankedFeatures) -> f64,
) {
    let rings = polygon.rings();
    if polygon.exactly_convex().is_some() {
        let ring = rings.ring(0);
        for index in 0..ring.len() {
            features(ring, 0, polygon.is_clockwise(), index).map(&mut *visit);
        }
        return;
    }
    let boundary = polygon.boundary();
    let here = BoxTree::new([*bounds].into_iter());
    let _ = pairs([&here, &boundary.tree()], bound, limit, |[_, block], _| {
        let mut limit = limit;
        for corner in boundary.block(block).range() {
            if !boundary.kind.is_polygonal() {
                limit = visit(features_at(boundary, corner));
                continue;
            }
            let number = boundary.ring_of(corner);
            let (ring, whole) = (rings.ring(number), &boundary.rings[number]);
            let mut ends = [corner, boundary.next(corner)]
                .map(|end| boundary.corners[end].position as usize - whole.first);
            if whole.reversed {
                ends.reverse();
            }
            // Repeated and collinear vertices lie between two corners.
            let [mut index, end] = ends;
            while index != end {
                if let Some(features) = features(ring, whole.first, whole.reversed, index) {
                    limit = visit(features);
                }
                index = ring.next(index);
            }
        }
        ControlFlow::Continue(limit)
    });
}

/// The edge from a corner of a path or a point there and back, and the corner.
fn features_at(boundary: &Boundary, corner: usize) -> RankedFeatures {
    let position = |corner: usize| boundary.corners[corner].position as usize;
    let arriving = boundary.edge(boundary.previous(corner));
    let leaving = boundary.edge(corner);
    let vertex = BoundaryFeature::Vertex { arriving, leaving };
    // Repeated vertices lie between two corners: the last of them starts the edge.
    let end = position(corner).max(position(boundary.next(corner)));
    let edge = (end.saturating_sub(1), true);
    [
        ((position(corner), false), vertex),
        (edge, BoundaryFeature::Edge(leaving)),
    ]
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
        self.feature.distance(self.center)
    }

    /// The depth, of a circle that intersects the polygon.
    fn depth(&self) -> WideFloat {
        let radius = Length::Number(self.radius);
        if self.inside {
            radius.value(TO_TEN_DIGITS) + self.center_distance().value(TO_TEN_DIGITS)
        } else {
            length_difference(radius, self.center_distance(), TO_TEN_DIGITS)
        }
    }

    /// The gap, of a circle apart from the polygon.
    fn gap(&self) -> WideFloat {
        let radius = Length::Number(self.radius);
        length_difference(self.center_distance(), radius, TO_TEN_DIGITS)
    }

    fn normal(&self) -> [WideFloat; 2] {
        let center = self.center;
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
        let core = match self.feature {
            BoundaryFeature::Vertex { leaving, .. } => leaving.start,
            BoundaryFeature::Edge(edge) => foot(edge, self.center),
        };
        match self.rounding {
            0.0 => core,
            rounding => advanced(core, scaled(self.normal(), rounding)),
        }
    }
}

/// A vector times a number.
pub(super) fn scaled(vector: [WideFloat; 2], factor: f64) -> [WideFloat; 2] {
    vector.map(|component| component * WideFloat::from(factor))
}

pub(super) fn to_vector([x, y]: [WideFloat; 2]) -> Vec2 {
    Vec2::new(x.to_f64(), y.to_f64())
}
