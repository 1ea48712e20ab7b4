//! The ends of a contact as points.

use crate::geom::{Displacement, Edge, Point, Scaled};
use crate::predicates::{TO_THE_LAST_PLACE, cross_value, dot_value};

/// The part of `incident` that lies between the perpendiculars through the ends of `reference`
/// and on its left, by Liang and Barsky's clipping.
///
/// `deepest` is the end of `incident` that is known to lie within; rounding must not lose it.
pub(crate) fn clip(incident: Edge, reference: Edge, deepest: Point) -> [Point; 2] {
    let along = |from, edge: Edge| dot_value(from, edge.displacement(), TO_THE_LAST_PLACE);
    let past = |end: Point| {
        dot_value(
            reference,
            Displacement::between(end, incident.start),
            TO_THE_LAST_PLACE,
        )
    };
    let inside = cross_value(
        reference,
        Displacement::between(reference.start, incident.start),
        TO_THE_LAST_PLACE,
    );
    let advance = along(reference, incident);
    let rise = cross_value(reference, incident.displacement(), TO_THE_LAST_PLACE);
    let constraints = [
        (past(reference.start), advance),
        (-past(reference.end), -advance),
        (inside, rise),
    ];
    let (mut first, mut last) = (Scaled::ZERO, Scaled::ONE);
    for (start, slope) in constraints {
        if slope.is_zero() {
            continue;
        }
        let crossing = -start / slope;
        if slope.is_negative() {
            last = minimum(last, crossing);
        } else {
            first = maximum(first, crossing);
        }
    }
    if first > last {
        return [deepest; 2];
    }
    [point_along(incident, first), point_along(incident, last)]
}

fn minimum(a: Scaled, b: Scaled) -> Scaled {
    if b < a { b } else { a }
}

fn maximum(a: Scaled, b: Scaled) -> Scaled {
    if b > a { b } else { a }
}

/// The point a fraction of the way along an edge; its ends exactly.
pub(crate) fn point_along(edge: Edge, fraction: Scaled) -> Point {
    if fraction == Scaled::ONE {
        return edge.end;
    }
    let Edge { start, end } = edge;
    Point::new(
        advance(start.x, Scaled::difference(end.x, start.x) * fraction),
        advance(start.y, Scaled::difference(end.y, start.y) * fraction),
    )
}

/// `coordinate + step`, rounded once where neither leaves the range of floats.
pub(crate) fn advance(coordinate: f64, step: Scaled) -> f64 {
    (Scaled::from(coordinate) + step).to_f64()
}
