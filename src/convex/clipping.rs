//! The ends of a contact: an edge, clipped to what lies beside another.

use super::filter;
use super::moved_point::point_along;
use crate::geom::{Displacement, Edge, Motion, Point, WideFloat};
use crate::predicates::{TO_THE_LAST_PLACE, cross_value, dot_value};

/// The part of `incident` that lies between the perpendiculars through the ends of `reference`
/// and on its left, by Liang and Barsky's clipping.
///
/// `shift` displaces `incident` relative to `reference`, but not the ends returned. `deepest` is the
/// end of `incident` that lies within; rounding must not lose it. Zeros are positive, as those of the filter.
pub(crate) fn clip(
    incident: Edge,
    reference: Edge,
    shift: Option<Motion>,
    deepest: Point,
) -> [Point; 2] {
    let ends = clipped(incident, reference, shift, deepest);
    ends.map(|Point { x, y }| Point::new(x + 0.0, y + 0.0))
}

fn clipped(incident: Edge, reference: Edge, shift: Option<Motion>, deepest: Point) -> [Point; 2] {
    if shift.is_none() {
        let ends = |edge: Edge| [edge.start.into(), edge.end.into()];
        let clipped = filter::clip(ends(incident), ends(reference));
        if clipped.is_certain {
            return clipped.ends.map(Point::from);
        }
    }
    let gap = |from: Point, to: Point| Displacement { from, to, shift };
    let past = |end: Point, point: Point| dot_value(reference, gap(end, point), TO_THE_LAST_PLACE);
    let inside =
        |point: Point| cross_value(reference, gap(reference.start, point), TO_THE_LAST_PLACE);
    let limits: [&dyn Fn(Point) -> WideFloat; 3] = [
        &|point| past(reference.start, point),
        &|point| -past(reference.end, point),
        &inside,
    ];
    let (mut first, mut last) = (WideFloat::ZERO, WideFloat::ONE);
    for limit in limits {
        let (start, end) = (limit(incident.start), limit(incident.end));
        // Opposite signs: nothing cancels, and an end on the limit is hit exactly.
        match (start.is_negative(), end.is_negative()) {
            (true, true) => return [deepest; 2],
            (false, false) => {}
            (is_entering, _) => {
                let fraction = start / (start - end);
                if is_entering && fraction > first {
                    first = fraction;
                } else if !is_entering && fraction < last {
                    last = fraction;
                }
            }
        }
    }
    if first > last {
        return [deepest; 2];
    }
    [point_along(incident, first), point_along(incident, last)]
}
