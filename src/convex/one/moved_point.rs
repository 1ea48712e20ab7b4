//! Points moved along an edge, by a vector and by a distance, rounded once.

use crate::geom::{Edge, Point, WideFloat, WideVector};

/// The point a fraction of the way along an edge; its ends exactly.
pub(crate) fn point_along(edge: Edge, fraction: WideFloat) -> Point {
    if fraction == WideFloat::ONE {
        return edge.end;
    }
    advanced(
        edge.start,
        WideVector::between(edge.start, edge.end) * fraction,
    )
}

pub(crate) fn advanced(point: Point, by: WideVector) -> Point {
    Point::new(advance(point.x, by.x), advance(point.y, by.y))
}

/// A point moved by a distance along a unit vector.
pub(crate) fn moved_along(
    point: Point,
    distance: f64,
    direction: impl Fn() -> WideVector,
) -> Point {
    match distance {
        0.0 => point,
        _ => advanced(point, direction() * WideFloat::from(distance)),
    }
}

/// `coordinate + step`, rounded once where neither leaves the range of floats.
fn advance(coordinate: f64, step: WideFloat) -> f64 {
    (WideFloat::from(coordinate) + step).to_f64()
}
