//! The ends of a contact: an edge, clipped to what lies beside another, and which of two edges that is.

use std::cmp::Ordering;

use super::moved_point::point_along;
use crate::convex::cyclic::Cyclic;
use crate::convex::filter;
use crate::geom::{Displacement, Edge, Motion, Point, RadiusSum, WideFloat};
use crate::predicates::{
    Length, Sign, TO_THE_LAST_PLACE, compare_lengths, cross_value, dot, dot_value,
    length_difference,
};

/// The part of `incident` that lies between the perpendiculars through the ends of `reference`
/// and on its left, by Liang and Barsky's clipping. With a `reach` above zero, `incident` lies on the
/// right, and the part is that which is no farther away.
///
/// `shift` displaces `incident` relative to `reference`, but not the ends returned. `deepest` is the
/// end of `incident` that lies within; rounding must not lose it. Zeros are positive, as those of the filter.
pub(crate) fn clip(
    incident: Edge,
    reference: Edge,
    shift: Option<Motion>,
    reach: RadiusSum,
    deepest: Point,
) -> [Point; 2] {
    let ends = clipped(incident, reference, shift, reach, deepest);
    ends.map(|Point { x, y }| Point::new(x + 0.0, y + 0.0))
}

fn clipped(
    incident: Edge,
    reference: Edge,
    shift: Option<Motion>,
    reach: RadiusSum,
    deepest: Point,
) -> [Point; 2] {
    if shift.is_none() && reach.is_zero() {
        let ends = |edge: Edge| [edge.start.into(), edge.end.into()];
        let (ends, is_certain) = filter::clip(ends(incident), ends(reference));
        if is_certain {
            return ends.map(Point::from);
        }
    }
    let gap = |from: Point, to: Point| Displacement::new(from, to, shift);
    let past = |end: Point, point: Point| dot_value(reference, gap(end, point), TO_THE_LAST_PLACE);
    let inside = |point: Point| {
        let gap = gap(reference.start, point);
        if reach.is_zero() {
            return cross_value(reference, gap, TO_THE_LAST_PLACE);
        }
        let lengths = [Length::Number(reach), Length::Across(reference, gap)];
        length_difference(lengths[0], lengths[1], TO_THE_LAST_PLACE)
    };
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

/// Of two edges that share a vertex, the one whose direction is nearer to `opposite`.
pub(super) fn most_opposed(opposite: Edge, incoming: Edge, outgoing: Edge) -> Edge {
    let backward = |edge: Edge| dot(opposite, edge.displacement()) != Sign::Positive;
    if backward(incoming) {
        return outgoing;
    }
    // Both within a quarter turn: the smaller sine belongs to the smaller angle.
    let sine = |edge| Length::Across(edge, opposite.displacement());
    if backward(outgoing) || compare_lengths(sine(incoming), sine(outgoing)) == Ordering::Less {
        incoming
    } else {
        outgoing
    }
}

/// The part of a shape's edge at a vertex that lies beside a reference edge of another shape and not
/// farther from it than `reach`. `shift` displaces the vertex's shape relative to the other.
pub(crate) fn contact_beside(
    reference: Edge,
    shape: &[Point],
    vertex: Point,
    shift: Option<Motion>,
    reach: RadiusSum,
) -> [Point; 2] {
    let Some(at) = shape.iter().position(|&point| point == vertex) else {
        return [vertex; 2];
    };
    let [incoming, outgoing] = shape.edges_at(at);
    let incident = most_opposed(reference.reversed(), incoming, outgoing);
    clip(incident, reference, shift, reach, vertex)
}
