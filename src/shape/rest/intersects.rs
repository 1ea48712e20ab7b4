//! Intersection of edges, of boundaries and of shapes.

use std::ops::ControlFlow;

use crate::convex::Cyclic;
use crate::geom::{Bounds, Displacement, Edge, Motion, Point};
use crate::predicates::{Sign, cross, dot, side};
use crate::shape::boundary::Boundary;
use crate::shape::boundary::edge_block::blocks_meet;
use crate::shape::boundary::edge_pairs::{any_met, meeting_blocks};
use crate::shape::boundary::point_in_polygon::{Location, Probe, RIGHTWARD, UPWARD, locate};
use crate::shape::validity::plane_sweep::{self, Event};

/// The intersection of two edges.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum EdgeMeeting {
    /// Empty.
    Apart,
    /// This point, an end of one or both.
    Touch(Point),
    /// An interior point of both.
    Cross,
    /// The segment between these points.
    Overlap([Point; 2]),
}

/// Whether two edges have a point in common, the first one perhaps moved.
#[inline]
pub(crate) fn meet(first: Edge, second: Edge, shift: Option<Motion>) -> bool {
    let Some(shift) = shift else {
        // On one line, edges meet where their boxes do.
        return Bounds::from(first).meets(&second.into())
            && straddles(first, second, Displacement::between)
            && straddles(second, first, Displacement::between);
    };
    let of_first = |from, to| Displacement::between(from, to).shifted(shift);
    let of_second = |from, to| Displacement::between(from, to).shifted(shift.reversed());
    // Whether all of the second edge lies beside all of the first, on the given side along an axis.
    let is_beside = |axis, side| {
        let ends = |edge: Edge| [edge.start, edge.end].into_iter();
        ends(first).all(|from| ends(second).all(|to| dot(axis, of_second(from, to)) == side))
    };
    straddles(first, second, of_second)
        && straddles(second, first, of_first)
        && ![RIGHTWARD, UPWARD]
            .into_iter()
            .any(|axis| is_beside(axis, Sign::Negative) || is_beside(axis, Sign::Positive))
}

/// Whether the ends of an edge are not strictly on one side of a line.
#[inline]
fn straddles(line: Edge, edge: Edge, gap: impl Fn(Point, Point) -> Displacement) -> bool {
    let side = |point| cross(line, gap(line.start, point));
    side(edge.start).times(side(edge.end)) != Sign::Positive
}

/// The intersection of two edges.
pub(crate) fn meeting(first: Edge, second: Edge) -> EdgeMeeting {
    // The filter can't decide that edges are collinear.
    if first == second || first == second.reversed() {
        return EdgeMeeting::Overlap([first.start, first.end]);
    }
    // Most edges that meet share an end, and then one side tells.
    if let Some((at, one, other)) = common_end(first, second)
        && side(Edge::new(at, one), other) != Sign::Zero
    {
        return EdgeMeeting::Touch(at);
    }
    if !meet(first, second, None) {
        return EdgeMeeting::Apart;
    }
    let ends = [
        (side(first, second.start), second.start),
        (side(first, second.end), second.end),
        (side(second, first.start), first.start),
        (side(second, first.end), first.end),
    ];
    if ends.iter().all(|&(side, _)| side == Sign::Zero) {
        let (one, other) = (Bounds::from(first), Bounds::from(second));
        let shared = Bounds {
            min: Point::new(one.min.x.max(other.min.x), one.min.y.max(other.min.y)),
            max: Point::new(one.max.x.min(other.max.x), one.max.y.min(other.max.y)),
        };
        let mut in_shared = ends.iter().map(|&(_, point)| point);
        let mut in_shared = in_shared
            .by_ref()
            .filter(|&point| shared.meets(&point.into()));
        let point = in_shared.next().expect("an end of one is shared");
        return match in_shared.find(|&other| other != point) {
            None => EdgeMeeting::Touch(point),
            Some(other) => EdgeMeeting::Overlap([point, other]),
        };
    }
    match ends.iter().find(|&&(side, _)| side == Sign::Zero) {
        Some(&(_, point)) => EdgeMeeting::Touch(point),
        None => EdgeMeeting::Cross,
    }
}

/// An end that two edges have in common, and the other end of each.
fn common_end(first: Edge, second: Edge) -> Option<(Point, Point, Point)> {
    let ways = [first, first.reversed()]
        .into_iter()
        .flat_map(|one| [second, second.reversed()].map(|other| (one, other)));
    let mut common = ways.filter(|(one, other)| one.start == other.start);
    common
        .next()
        .map(|(one, other)| (other.start, one.end, other.end))
}

/// Whether two shapes have a point in common.
pub(crate) fn intersects(a: &Boundary, b: &Boundary) -> bool {
    let [box_a, box_b] = [a.bounds(), b.bounds()];
    box_a.meets(&box_b)
        && match [a, b].map(|it| it.kind.is_of_points()) {
            [_, true] => has_any_of(a, b),
            [true, false] => has_any_of(b, a),
            [false, false] => {
                boundaries_meet(a, b)
                    || (box_a.contains(&box_b) || b.parts() > 1) && holds_a_part_of(a, b, None)
                    || (box_b.contains(&box_a) || a.parts() > 1) && holds_a_part_of(b, a, None)
            }
        }
}

/// Whether one of these points lies in a shape.
fn has_any_of(shape: &Boundary, points: &Boundary) -> bool {
    let bounds = shape.bounds();
    let visit = |_, at: Edge| match locate(at.start, shape) {
        Location::Outside => ControlFlow::Continue(()),
        Location::Inside | Location::Boundary => ControlFlow::Break(()),
    };
    points
        .search(|of_point| of_point.meets(&bounds), visit)
        .is_break()
}

/// Whether `outer` contains a part of `inner`, which may be moved, if their boundaries are disjoint: one
/// point of each part decides, and of parts whose boxes lie elsewhere none is needed.
fn holds_a_part_of(outer: &Boundary, inner: &Boundary, shift: Option<Motion>) -> bool {
    let bounds = outer.bounds();
    let moved = |part: &Bounds| shift.map_or(*part, |shift| part.moved(shift));
    let visit = |corner| match Probe::moved(inner.vertex(corner), shift).locate(outer) {
        Location::Inside => ControlFlow::Break(()),
        Location::Boundary | Location::Outside => ControlFlow::Continue(()),
    };
    let search = || inner.search_parts(|part| moved(part).meets(&bounds), visit);
    outer.kind.is_polygonal() && search().is_break()
}

/// Whether shapes with disjoint boundaries have a point in common; true is right for any
/// boundaries. Each shell, path or point lies in one component of the complement of the other boundary,
/// so that one point of it decides.
pub(crate) fn either_holds_the_other(a: &Boundary, b: &Boundary, shift: Option<Motion>) -> bool {
    holds_a_part_of(b, a, shift) || holds_a_part_of(a, b, shift.map(Motion::reversed))
}

/// Whether two shapes, the first one moved, have a point in common.
pub(crate) fn intersect_moved(a: &Boundary, b: &Boundary, shift: Option<Motion>) -> bool {
    let Some(by) = shift else {
        return intersects(a, b);
    };
    let edges_meet = |_, [first, second]: [Edge; 2]| meet(first, second, shift);
    any_met([a, b], |of_a| of_a.moved(by), edges_meet) || either_holds_the_other(a, b, shift)
}

/// Pairs of edges per edge up to which testing all whose boxes meet costs less than the plane
/// sweep, some 50 predicates an edge.
pub(crate) const WORTHWHILE: usize = 32;

/// What the filter for two blocks of edges costs, in exact tests of a pair of edges.
const FILTER_COST: usize = 4;

fn boundaries_meet(a: &Boundary, b: &Boundary) -> bool {
    let [of_a, of_b] = [a, b].map(|boundary| boundary.corners.len());
    // Paths may cross themselves, to the right of which a plane sweep has no order.
    let mut left = if a.kind.is_polygonal() && b.kind.is_polygonal() {
        WORTHWHILE * (of_a + of_b)
    } else {
        usize::MAX
    };
    let mut found = false;
    let seen = meeting_blocks([a, b], |block_a, block_b| {
        left = left.saturating_sub(FILTER_COST);
        let meet = |i, j| {
            left = left.saturating_sub(1);
            meet(a.edge(i), b.edge(j), None)
        };
        found = blocks_meet(block_a, block_b, meet);
        if found || left == 0 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    if found || seen.is_continue() {
        return found;
    }
    let edge = |index: usize| match index.checked_sub(of_a) {
        None => a.edge(index),
        Some(index) => b.edge(index),
    };
    plane_sweep::sweep((0..of_a + of_b).map(edge), |event| {
        let found = match event {
            Event::Vertex(vertex) => {
                let of_a = vertex.edges.iter().filter(|&&index| index < of_a).count();
                of_a > 0 && of_a < vertex.edges.len()
            }
            Event::Neighbours([i, j]) => (i < of_a) != (j < of_a) && meet(edge(i), edge(j), None),
        };
        if found {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    })
    .is_break()
}
