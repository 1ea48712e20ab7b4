//! All times at which two shapes without a radius touch, one moving.
//!
//! Edges that touch do so in an interval of time, since their Minkowski difference is convex. Where no
//! edges touch, one shape holds a part of the other or they are apart: the path of one vertex of each
//! part tells. The union of all these intervals is that of the shapes.

use std::cmp::Ordering;
use std::ops::ControlFlow;

use super::time_intervals::{Covered, TimeIntervals};
use crate::convex::Cyclic;
use crate::geom::{Bounds, Displacement, Edge, Motion, Point, Ray};
use crate::predicates::{Crossing, FrameInterval, FrameTime, RaySlabs, Sign, cross, dot, turn};
use crate::shape::boundary::Boundary;
use crate::shape::boundary::edge_block::EdgeBlock;
use crate::shape::boundary::edge_pairs::block_pairs;

/// Two shapes without their radii, the first of which moves; the velocity is not zero.
#[derive(Clone, Copy)]
pub(super) struct TranslatedPair<'b> {
    pub(crate) a: &'b Boundary,
    pub(crate) b: &'b Boundary,
    pub(crate) velocity: Motion,
}

impl TranslatedPair<'_> {
    pub(crate) fn intervals(&self) -> TimeIntervals {
        let mut found = self.contained();
        let covered = Covered::by(found.iter().map(FrameInterval::values));
        self.visit_uncovered(0.0, &covered, |edges| {
            if let Some(interval) = touching(edges, self.velocity) {
                covered.add(interval.values());
                found.push(interval);
            }
        });
        let mut before = 0.0_f64;
        let values = FrameInterval::union(found).into_iter().map(|interval| {
            let [enter, leave] = interval.values();
            // Gaps may be shorter than floats tell.
            let enter = before.max(enter);
            before = leave.max(enter);
            [enter, before]
        });
        values.collect()
    }

    /// Times at which one shape holds a vertex of the other, one for each part; at all of them the
    /// shapes touch.
    pub(super) fn contained(&self) -> Vec<FrameInterval> {
        let mut found = Vec::new();
        let pairs = [
            (self.a, self.b, self.velocity),
            (self.b, self.a, self.velocity.reversed()),
        ];
        for (parts, holding, velocity) in pairs {
            let bounds = holding.bounds();
            let is_near = |part: &Bounds| part.swept(velocity).meets(&bounds);
            let _ = parts.search_parts(is_near, |corner| {
                add_inside(parts.vertex(corner), velocity, holding, &mut found);
                ControlFlow::Continue(())
            });
        }
        found
    }

    /// Visits the pairs of edges whose boxes, the first grown by a distance, meet at a time that is not
    /// covered yet.
    pub(super) fn visit_uncovered(
        &self,
        reach: f64,
        covered: &Covered,
        mut visit: impl FnMut([Edge; 2]),
    ) {
        let velocity = self.velocity;
        let time = |a: &Bounds, b: &Bounds| covered.time_outside(&a.grown(reach), b, velocity);
        let swept = |a: Bounds| a.grown(reach).swept(velocity);
        let visit = |[of_a, of_b]: [&EdgeBlock; 2]| {
            if time(&of_a.bounds, &of_b.bounds) > 1.0 {
                return ControlFlow::Continue(1.0);
            }
            for edge in of_a.range().map(|index| self.a.edge(index)) {
                let own = Bounds::from(edge);
                let path = swept(own);
                if !path.meets(&of_b.bounds) {
                    continue;
                }
                for other in of_b.range().map(|index| self.b.edge(index)) {
                    let others = Bounds::from(other);
                    if path.meets(&others) && time(&own, &others) <= 1.0 {
                        visit([edge, other]);
                    }
                }
            }
            ControlFlow::Continue(1.0)
        };
        let _ = block_pairs([self.a, self.b], Boundary::tree, time, 1.0, visit);
    }
}

/// Adds the times at which a moving point is in a polygon or on its boundary; some that it only touches
/// may be missing.
///
/// The edges that it crosses, those ahead of the frame's end included, alternately let it in and out. A
/// vertex on its path counts as lying to the left, as if the path ran a little to the right of it:
/// what is inside then is a limit of points inside.
fn add_inside(point: Point, velocity: Motion, polygon: &Boundary, found: &mut Vec<FrameInterval>) {
    if !polygon.kind.is_polygonal() {
        return;
    }
    // The direction is rounded once, the slabs round three times, and `ROUNDINGS` covers ten.
    let (origin, direction) = (point, velocity.rounded());
    let slabs = RaySlabs::new(Ray { origin, direction });
    let path = velocity.path();
    let is_left = |vertex| cross(path, Displacement::between(point, vertex)) != Sign::Negative;
    let (mut times, mut later) = (Vec::new(), 0);
    let _ = polygon.search(
        |bounds| slabs.entry_below(bounds).is_some(),
        |_, edge| {
            if is_left(edge.start) != is_left(edge.end) {
                match crossing(edge, [point, edge.start], velocity).frame_time() {
                    Ok(time) => times.push(time),
                    Err(Ordering::Greater) => later += 1,
                    Err(_) => {}
                }
            }
            ControlFlow::Continue(())
        },
    );
    times.sort_by(FrameTime::compare);
    if (times.len() + later) % 2 == 1 {
        times.insert(0, FrameTime::Start);
    }
    found.extend(times.chunks(2).map(|ends| FrameInterval {
        enter: ends[0],
        leave: ends.get(1).copied().unwrap_or(FrameTime::End),
    }));
}

/// The times at which two edges touch, the first moving. Either may be a point.
///
/// Their difference is a parallelogram, or a segment if they are parallel, or a point.
pub(crate) fn touching(
    [of_a, of_b]: [Edge; 2],
    velocity: impl Into<Motion>,
) -> Option<FrameInterval> {
    let velocity = velocity.into();
    let turned = turn(of_a, of_b);
    if turned == Sign::Zero {
        return FrameInterval::left_of(round_segment([of_a, of_b], velocity));
    }
    let [a, b] = if turned == Sign::Positive {
        [of_a, of_b]
    } else {
        [of_a.reversed(), of_b.reversed()]
    };
    FrameInterval::left_of([
        crossing(of_b, [a.start, of_b.start], velocity),
        crossing(of_b.reversed(), [a.end, of_b.start], velocity),
        crossing(of_a, [of_a.start, b.start], velocity),
        crossing(of_a.reversed(), [of_a.start, b.end], velocity),
    ])
}

/// When the origin of the difference, moving by a velocity, crosses a line through the difference of two points.
fn crossing(line: Edge, [a, b]: [Point; 2], velocity: Motion) -> Crossing {
    Crossing {
        line,
        gap: Displacement::between(b, a),
        velocity,
    }
}

/// The lines round the difference of two edges that is a segment or a point: along it on both sides, and
/// across it at its ends.
fn round_segment([of_a, of_b]: [Edge; 2], velocity: Motion) -> [Crossing; 4] {
    let along = if of_b.start != of_b.end {
        of_b
    } else if of_a.start != of_a.end {
        of_a
    } else {
        velocity.path()
    };
    let ordered = |edge: Edge| {
        if dot(along, edge.displacement()) == Sign::Negative {
            edge.reversed()
        } else {
            edge
        }
    };
    let (a, b) = (ordered(of_a), ordered(of_b));
    let across = along.turned_clockwise();
    [
        crossing(along, [a.start, b.start], velocity),
        crossing(along.reversed(), [a.start, b.start], velocity),
        crossing(across, [a.end, b.start], velocity),
        crossing(across.reversed(), [a.start, b.end], velocity),
    ]
}
