//! The vertices and edges of a shape's boundary as the caller gave them, and the regions and distances
//! of points around them.

use std::cmp::Ordering;

use smallvec::{SmallVec, smallvec};

use super::Boundary;
use crate::convex::{Cyclic, beside, bisector, right_normal};
use crate::geom::{Circle, Displacement, Edge, Point, RadiusSum, WideVector};
use crate::predicates::{Length, Sign, compare_lengths, dot};
use crate::shape::checked_shape::Shape;

/// A vertex or an edge of the boundary, which runs counterclockwise round the interior.
#[derive(Clone, Copy, Debug)]
pub(crate) enum BoundaryFeature {
    Vertex { arriving: Edge, leaving: Edge },
    Edge(Edge),
}

impl BoundaryFeature {
    /// The vertex, or the start of the edge.
    pub(crate) fn start(&self) -> Point {
        let (Self::Vertex { leaving: edge, .. } | Self::Edge(edge)) = *self;
        edge.start
    }

    /// From [`Self::start`] to a point.
    fn gap(&self, point: Point) -> Displacement {
        Displacement::between(self.start(), point)
    }

    /// The distance of a point in the feature's Voronoi region.
    pub(crate) fn distance(&self, point: Point) -> Length {
        match *self {
            Self::Vertex { .. } => Length::Whole(self.gap(point)),
            Self::Edge(edge) => Length::Across(edge, self.gap(point)),
        }
    }

    /// Whether a circle whose center is in the feature's Voronoi region reaches the feature.
    pub(crate) fn is_reached(&self, circle: Circle<RadiusSum>) -> bool {
        let distance = self.distance(circle.center);
        compare_lengths(distance, Length::Number(circle.radius)) != Ordering::Greater
    }

    /// Whether the feature's Voronoi region may hold a point: if not, a neighbor is nearer.
    pub(crate) fn faces(&self, point: Point) -> bool {
        match *self {
            Self::Edge(edge) => beside(edge, point, None),
            Self::Vertex { arriving, leaving } => {
                let past = |edge: Edge| dot(edge, self.gap(point));
                past(arriving) != Sign::Negative && past(leaving) != Sign::Positive
            }
        }
    }

    /// The edge's outward unit normal, or the bisector of those of the vertex's edges.
    pub(crate) fn outward(&self) -> WideVector {
        match *self {
            // The boundary of a point: all directions are outward.
            Self::Vertex { leaving, .. } if leaving.start == leaving.end => WideVector::ALONG_X,
            Self::Vertex { arriving, leaving } => bisector([arriving, leaving]),
            Self::Edge(edge) => right_normal(edge),
        }
    }
}

/// Order of features that are equally near: by index, the vertex before the edge.
pub(crate) type Rank = (usize, bool);

/// The caller's edge and its start.
pub(crate) type RankedFeatures = [(Rank, BoundaryFeature); 2];

/// The features of the caller's edges along an edge of the boundary: repeated and collinear vertices lie
/// between two corners. The edges of [`Shape::scanned_ring`] are the caller's.
pub(crate) fn features_along(shape: &Shape<'_>, edge: usize) -> SmallVec<[RankedFeatures; 1]> {
    let (ring, first, reversed, [start, end]);
    if shape.scanned_ring().is_some() {
        ring = shape.rings().ring(0);
        (first, reversed) = (0, shape.is_clockwise());
        [start, end] = [edge, ring.next(edge)];
    } else {
        let boundary = shape.boundary();
        if !boundary.kind.is_polygonal() {
            return smallvec![features_at(boundary, edge)];
        }
        let number = boundary.ring_of(edge);
        let whole = &boundary.rings[number];
        ring = shape.rings().ring(number);
        (first, reversed) = (whole.first, whole.reversed);
        [start, end] = boundary.ends_in_ring(edge);
    }
    std::iter::successors(Some(start), |&index| Some(ring.next(index)))
        .take_while(|&index| index != end)
        .filter_map(|index| features(ring, first, reversed, index))
        .collect()
}

/// A vertex of a ring, or the corner of a boundary.
pub(crate) fn vertex_at<R: Cyclic + ?Sized>(ring: &R, vertex: usize) -> BoundaryFeature {
    let [arriving, leaving] = ring.edges_at(vertex);
    BoundaryFeature::Vertex { arriving, leaving }
}

/// The edge from a corner of a path or a point there and back, and the corner.
pub(crate) fn features_at(boundary: &Boundary, corner: usize) -> RankedFeatures {
    let position = |corner: usize| boundary.corners[corner].position as usize;
    // Repeated vertices lie between two corners: the last of them starts the edge.
    let end = position(corner).max(position(boundary.next(corner)));
    let edge = (end.saturating_sub(1), true);
    [
        ((position(corner), false), vertex_at(boundary, corner)),
        (edge, BoundaryFeature::Edge(boundary.edge(corner))),
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
    // NaN, which unchecked memory may hold, is not equal to itself.
    let first_of_equals = (0..=index).rev().take_while(repeats).last();
    let first_of_equals = first_of_equals.unwrap_or(index);
    let back = std::iter::successors(Some(ring.previous(index)), |&it| Some(ring.previous(it)));
    // If another thread changes the memory, all vertices may be equal.
    let before = back
        .take(ring.len())
        .find(|it| !repeats(it))
        .unwrap_or(index);
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
