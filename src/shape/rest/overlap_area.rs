//! The area that two shapes have in common.
//!
//! The pieces of either boundary in the interior of the other shape bound the common region, together with those that
//! both boundaries share in the same direction. Where a piece lies is decided exactly, as for the predicates; so the area
//! is 0 exactly where no piece is found.

use std::ops::{ControlFlow, Range};

use smallvec::{SmallVec, smallvec};

use super::intersects::EdgeMeeting;
use crate::convex::Cyclic;
use crate::geom::Point;
use crate::invalid_shape::InvalidShape;
use crate::predicates::{EdgePieces, PointOnEdge, Sign, area_of_pieces, turn};
use crate::shape::boundary::Boundary;
use crate::shape::boundary::point_in_polygon::{Location, locate};
use crate::shape::checked_shape::Shape;
use crate::shape::relate::{
    EdgeCrossing, KnownPoints, PieceLocation, edge_ends, edge_meetings, has_vertex_at, rings_near,
};

/// The area that two shapes without a radius have in common, within a relative error of 1e-10. It is 0 exactly when their
/// interiors are disjoint.
pub fn overlap_area(a: &Shape<'_>, b: &Shape<'_>) -> f64 {
    let [box_a, box_b] = [a.bounds(), b.bounds()];
    let are_polygons = a.kind().is_polygonal() && b.kind().is_polygonal();
    if !are_polygons || !box_a.meets(&box_b) {
        return 0.0;
    }
    let pieces = common_pieces([a.boundary(), b.boundary()]);
    if pieces.is_empty() {
        return 0.0;
    }
    let origin = Point::new(box_a.min.x.max(box_b.min.x), box_a.min.y.max(box_b.min.y));
    area_of_pieces(origin, &pieces)
}

/// Refuses a shape with a radius.
///
/// # Errors
///
/// If the shape has a radius.
pub fn check_without_radius(shape: &Shape<'_>) -> Result<(), InvalidShape> {
    if shape.radius() > 0.0 {
        return Err(InvalidShape::RadiusInArea);
    }
    Ok(())
}

type PiecesOfEdge = EdgePieces<SmallVec<[(PointOnEdge, bool); 1]>>;

/// The pieces of both boundaries that bound the common region of two polygons.
fn common_pieces(shapes: [&Boundary; 2]) -> Vec<PiecesOfEdge> {
    let mut cut = Cut {
        shapes,
        ends: Default::default(),
        known: KnownPoints::default(),
    };
    let _ = edge_meetings(shapes, |edges, meeting| {
        match meeting {
            EdgeMeeting::Apart => {}
            EdgeMeeting::Touch(point) => cut.contact(point),
            EdgeMeeting::Overlap(ends) => ends.into_iter().for_each(|end| cut.contact(end)),
            EdgeMeeting::Cross => cut.crossing(edges),
        }
        ControlFlow::Continue(())
    });
    let mut found = Vec::new();
    for shape in 0..2 {
        cut.pieces(shape, &mut found);
    }
    found
}

#[derive(Clone, Copy, Debug)]
struct PieceEnd {
    edge: usize,
    at: EndOnEdge,
    begins: bool,
}

#[derive(Clone, Copy, Debug)]
enum EndOnEdge {
    Start,
    End,
    Between(PointOnEdge),
}

/// Two boundaries, and the ends of the pieces that bound the common region, found where the boundaries meet.
struct Cut<'s> {
    shapes: [&'s Boundary; 2],
    ends: [Vec<PieceEnd>; 2],
    /// The points in which the boundaries meet and at least one has a vertex.
    known: KnownPoints,
}

impl Cut<'_> {
    /// Two edges cross. Where another ring has a vertex there, the edges round that vertex tell.
    fn crossing(&mut self, indices: [usize; 2]) {
        let crossing = EdgeCrossing::new(self.shapes, indices);
        if (self.shapes.iter()).any(|shape| has_vertex_at(shape, &crossing)) {
            return;
        }
        let [of_a, of_b] = crossing.edges();
        // The interior is on the left of an edge.
        let a_enters = turn(of_b, of_a) == Sign::Positive;
        for (shape, other, begins) in [(0, of_b, a_enters), (1, of_a, !a_enters)] {
            self.ends[shape].push(PieceEnd {
                edge: indices[shape],
                at: EndOnEdge::Between(PointOnEdge::Crossing(other)),
                begins,
            });
        }
    }

    /// The boundaries meet in a point in which at least one has a vertex.
    fn contact(&mut self, point: Point) {
        if !self.known.insert(point) {
            return;
        }
        let edges = self.shapes.map(|shape| edge_ends(shape, point));
        for shape in 0..2 {
            for end in &edges[shape] {
                let is_common = match end.location(&edges[1 - shape]) {
                    Some(PieceLocation::Inside) => true,
                    // Once, not of both boundaries.
                    Some(PieceLocation::Along) => shape == 0,
                    _ => false,
                };
                if is_common {
                    let edge = self.shapes[shape].edge(end.index());
                    let at = if point == edge.start {
                        EndOnEdge::Start
                    } else if point == edge.end {
                        EndOnEdge::End
                    } else {
                        EndOnEdge::Between(PointOnEdge::Given(point))
                    };
                    self.ends[shape].push(PieceEnd {
                        edge: end.index(),
                        at,
                        begins: end.leaves(),
                    });
                }
            }
        }
    }

    /// The pieces of one boundary, ring after ring.
    fn pieces(&mut self, shape: usize, found: &mut Vec<PiecesOfEdge>) {
        let (own, other) = (self.shapes[shape], self.shapes[1 - shape]);
        let ends = &mut self.ends[shape];
        ends.sort_by_key(|end| end.edge);
        for ring in rings_near(own, &other.bounds()) {
            let corners = own.rings[ring].corners.clone();
            let first = ends.partition_point(|end| end.edge < corners.start);
            let last = ends.partition_point(|end| end.edge < corners.end);
            let vertex = own.vertex(corners.start);
            let is_inside = locate(vertex, other) == Location::Inside;
            pieces_of_ring(own, corners, is_inside, &ends[first..last], found);
        }
    }
}

/// The pieces of a ring, given their ends and whether its first vertex lies in the interior of the other shape.
fn pieces_of_ring(
    boundary: &Boundary,
    corners: Range<usize>,
    mut is_inside: bool,
    ends: &[PieceEnd],
    found: &mut Vec<PiecesOfEdge>,
) {
    let whole = |edges: Range<usize>, found: &mut Vec<PiecesOfEdge>| {
        found.extend(edges.map(|index| EdgePieces {
            edge: boundary.edge(index),
            reach_end: true,
            cuts: smallvec![],
        }));
    };
    let mut next = corners.start;
    for ends in ends.chunk_by(|one, other| one.edge == other.edge) {
        let index = ends[0].edge;
        if is_inside {
            whole(next..index, found);
        }
        next = index + 1;
        // Where a piece ends with its edge, the next edge begins a piece of its own.
        let begun = ends.iter().filter(|end| end.begins).count() + usize::from(is_inside);
        is_inside = begun > ends.iter().filter(|end| !end.begins).count();
        let ends_there = (ends.iter()).any(|end| matches!(end.at, EndOnEdge::End));
        let between = ends.iter().filter_map(|end| match end.at {
            EndOnEdge::Between(point) => Some((point, end.begins)),
            EndOnEdge::Start | EndOnEdge::End => None,
        });
        found.push(EdgePieces {
            edge: boundary.edge(index),
            reach_end: is_inside || ends_there,
            cuts: between.collect(),
        });
    }
    if is_inside {
        whole(next..corners.end, found);
    }
}
