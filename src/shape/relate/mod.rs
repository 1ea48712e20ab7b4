//! Predicates of DE-9IM, decided exactly for shapes of any kinds.
//!
//! A boundary or a path is cut by the other shape's into pieces, each of which lies wholly in the other's interior, its
//! exterior, or its boundary. A piece ends where the two meet, and its direction there tells where it lies, by the
//! order of the edges round that point. A ring or path that doesn't meet the other's boundary is one piece, and one
//! vertex of it tells. So only orientations of given points are decided, and crossings of edges are never computed.

mod around_point;
mod edge_meetings;
mod intersections;
mod paths;
mod pieces;
mod points;
mod predicate;

use std::ops::ControlFlow;

pub(super) use around_point::{KnownPoints, PieceLocation, edge_ends};
pub(super) use edge_meetings::{EdgeCrossing, edge_meetings};
pub(super) use pieces::{has_vertex_at, rings_near};
pub use predicate::Predicate;

use super::checked_shape::Shape;
use super::kind::ShapeKind;
use super::rest::within_distance::is_within;
use crate::geom::Bounds;
use crate::invalid_shape::{InvalidRing, InvalidShape};
use intersections::{Intersections, Pattern, PredicateSearch};
use predicate::Criterion;

/// Whether a predicate holds of two shapes, which [`check_for`] doesn't refuse.
pub fn relates(a: &Shape<'_>, b: &Shape<'_>, predicate: Predicate) -> bool {
    match predicate.criterion([a, b].map(dimension)) {
        Criterion::Never => false,
        Criterion::CommonPoint(exists) => is_within(a, b, 0.0) == exists,
        Criterion::Pattern(pattern) => {
            !boxes_refuse(predicate, [&a.bounds(), &b.bounds()]) && has_pattern([a, b], pattern)
        }
    }
}

/// Whether a predicate doesn't hold of any shapes with these bounding boxes, whose radius is 0.
pub fn boxes_refuse(predicate: Predicate, [a, b]: [&Bounds; 2]) -> bool {
    match predicate {
        Predicate::Contains | Predicate::Covers | Predicate::ContainsProperly => !a.contains(b),
        Predicate::Within | Predicate::CoveredBy => !b.contains(a),
        Predicate::Equals => a != b,
        Predicate::Disjoint => false,
        _ => !a.meets(b),
    }
}

/// Refuses a shape of which a predicate is not defined.
///
/// # Errors
///
/// For a predicate other than [`Predicate::Intersects`], if the shape has a radius or a path of several is a point.
pub fn check_for(predicate: Predicate, shape: &Shape<'_>) -> Result<(), InvalidShape> {
    if predicate == Predicate::Intersects {
        return Ok(());
    }
    if shape.radius() > 0.0 {
        return Err(InvalidShape::RadiusInPredicate);
    }
    if shape.kind() == ShapeKind::MultiPath {
        let rings = &shape.boundary().rings;
        if let Some(part) = rings.iter().position(|ring| ring.corners.len() == 1) {
            let why = InvalidRing::PathOfOnePoint;
            return Err(InvalidShape::Part { part, ring: 0, why });
        }
    }
    Ok(())
}

/// Whether the intersections of two shapes have a pattern.
fn has_pattern([mut a, mut b]: [&Shape<'_>; 2], mut pattern: Pattern) -> bool {
    let [mut of_a, mut of_b] = [a, b].map(dimension);
    if of_a > of_b {
        pattern = pattern.transposed();
        (a, b, of_a, of_b) = (b, a, of_b, of_a);
    }
    let [box_a, box_b] = [a.bounds(), b.bounds()];
    let mut search = PredicateSearch::new(pattern);
    let mut find = || {
        if of_a == 2 && a.rings() == b.rings() {
            return search.add(Intersections::II | Intersections::BB);
        }
        // No shape covers one of a higher dimension.
        if of_a < of_b || !box_a.contains(&box_b) {
            search.add(Intersections::EI)?;
        }
        if !box_b.contains(&box_a) {
            search.add(Intersections::IE)?;
        }
        match [of_a, of_b] {
            [0, 0] => points::relate_to_points(&mut search, [a, b]),
            [0, 1] => points::relate_to_path(&mut search, a, b.boundary()),
            [0, _] => points::relate_to_area(&mut search, a, b.boundary()),
            [_, 1] => paths::relate(&mut search, [a.boundary(), b.boundary()]),
            _ => pieces::relate(&mut search, [a.boundary(), b.boundary()]),
        }
    };
    match find() {
        ControlFlow::Break(answer) => answer,
        ControlFlow::Continue(()) => search.answer(),
    }
}

/// 0 for points, 1 for paths, 2 for polygons. A path whose vertices all coincide is a point.
fn dimension(shape: &Shape<'_>) -> u8 {
    match shape.kind() {
        _ if shape.as_point().is_some() => 0,
        ShapeKind::Point | ShapeKind::MultiPoint => 0,
        ShapeKind::Path | ShapeKind::MultiPath => 1,
        ShapeKind::Polygon | ShapeKind::MultiPolygon => 2,
    }
}
