//! Evidence from two paths. The boundary of a path are its ends, of several those at which an odd number of them ends.

use std::cmp::Ordering;
use std::ops::ControlFlow;

use super::around_point::KnownPoints;
use super::edge_meetings::{EdgeCrossing, edge_meetings, edges_there};
use super::intersections::{Intersections, PredicateSearch};
use crate::convex::Cyclic;
use crate::geom::{Edge, Point};
use crate::shape::boundary::Boundary;
use crate::shape::parts::convex_hull::order;
use crate::shape::rest::intersects::EdgeMeeting;
use crate::shape::validity::nesting::edges_through;

/// A stretch of an edge, from its lower end in [`order`], that an edge of the other path covers.
type CoveredStretch = (usize, [Point; 2]);

/// Two paths.
pub(super) fn relate(search: &mut PredicateSearch, shapes: [&Boundary; 2]) -> ControlFlow<bool> {
    let mut covered: [Vec<CoveredStretch>; 2] = Default::default();
    let mut known = KnownPoints::default();
    let mut common_point = |search: &mut PredicateSearch, point| {
        if known.insert(point) {
            common_point(search, shapes, point)
        } else {
            ControlFlow::Continue(())
        }
    };
    let outside = [Intersections::IE, Intersections::EI];
    edge_meetings(shapes, |edges, meeting| match meeting {
        EdgeMeeting::Apart => ControlFlow::Continue(()),
        EdgeMeeting::Touch(point) => common_point(search, point),
        EdgeMeeting::Cross => {
            let crossing = EdgeCrossing::new(shapes, edges);
            let is_at_end = |path| search.wants(Intersections::II) && ends_at(path, &crossing);
            if shapes.into_iter().any(is_at_end) {
                return ControlFlow::Continue(());
            }
            search.add(Intersections::II)
        }
        EdgeMeeting::Overlap(ends) => {
            search.add(Intersections::II | Intersections::LINE)?;
            for end in ends {
                common_point(search, end)?;
            }
            let [first, second] = ends;
            let stretch = match order(first, second) {
                Ordering::Less => [first, second],
                _ => [second, first],
            };
            for shape in 0..2 {
                if search.wants(outside[shape]) {
                    covered[shape].push((edges[shape], stretch));
                }
            }
            ControlFlow::Continue(())
        }
    })?;
    for (shape, covered) in covered.into_iter().enumerate() {
        if search.wants(outside[shape]) && !covers_all(shapes[shape], covered) {
            search.add(outside[shape])?;
        }
    }
    ControlFlow::Continue(())
}

/// Adds what a point of both paths tells.
fn common_point(
    search: &mut PredicateSearch,
    shapes: [&Boundary; 2],
    point: Point,
) -> ControlFlow<bool> {
    let all = [
        Intersections::II,
        Intersections::IB,
        Intersections::BI,
        Intersections::BB,
    ];
    if !all.into_iter().any(|it| search.wants(it)) {
        return ControlFlow::Continue(());
    }
    let [of_a, of_b] = shapes.map(|path| usize::from(is_end(path, point)));
    search.add(all[2 * of_a + of_b])
}

/// Whether a point of a path belongs to its boundary.
pub(super) fn is_end(path: &Boundary, point: Point) -> bool {
    let ends = edges_through(path, point).into_iter().map(|index| {
        let ends = ends_of(path, index);
        ends.into_iter()
            .flatten()
            .filter(|&end| end == point)
            .count()
    });
    ends.sum::<usize>() % 2 == 1
}

/// The ends of a path that an edge of the way there has.
fn ends_of(path: &Boundary, index: usize) -> [Option<Point>; 2] {
    let edges = edges_there(path, path.ring_of(index));
    let edge = path.edge(index);
    [
        (index == edges.start).then_some(edge.start),
        (index + 1 == edges.end).then_some(edge.end),
    ]
}

/// Whether the boundary of a path has the point in which an edge of its own crosses another.
fn ends_at(path: &Boundary, crossing: &EdgeCrossing) -> bool {
    let ends = |index, _| ends_of(path, index).into_iter().flatten();
    (crossing.find(path, ends)).is_some_and(|end| is_end(path, end))
}

/// Whether these stretches cover a whole path.
fn covers_all(path: &Boundary, mut covered: Vec<CoveredStretch>) -> bool {
    covered.sort_unstable_by(|one, other| {
        (one.0.cmp(&other.0)).then_with(|| order(one.1[0], other.1[0]))
    });
    let whole = covered.chunk_by(|one, other| one.0 == other.0);
    let whole = whole.filter(|stretches| is_whole(path.edge(stretches[0].0), stretches));
    let edges = (0..path.rings.len()).map(|ring| edges_there(path, ring).len());
    whole.count() == edges.sum::<usize>()
}

/// Whether stretches of an edge, sorted by their lower ends, cover all of it.
fn is_whole(edge: Edge, stretches: &[CoveredStretch]) -> bool {
    let [low, high] = match order(edge.start, edge.end) {
        Ordering::Less => [edge.start, edge.end],
        _ => [edge.end, edge.start],
    };
    let mut reached = low;
    for &(_, [from, to]) in stretches {
        if order(from, reached).is_gt() {
            return false;
        }
        if order(to, reached).is_gt() {
            reached = to;
        }
    }
    reached == high
}
