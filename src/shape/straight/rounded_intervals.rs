//! All times at which two shapes come within a distance of each other, one moving: where edges touch,
//! where a vertex of one is near a vertex of the other, and where it is beside an edge and near it.
//!
//! Whether there is such a time is decided exactly for each pair of features; the times are rounded, so
//! that gaps too short for them are closed.

use std::cmp::Ordering;

use super::convex_entry::Undecided;
use super::rounded_sweep::MovingPair;
use super::sharp_intervals::{TranslatedPair, touching};
use super::time_intervals::{Covered, TimeIntervals};
use crate::convex::{Cyclic, Owner};
use crate::geom::{Bounds, Displacement, Edge, Motion, Point, RadiusSum, WideFloat};
use crate::predicates::{
    DistanceTimes, FrameInterval, Length, Sign, TO_THE_LAST_PLACE, compare_lengths, cross,
    cross_value, dot, dot_value, length, length_difference, strictly_within,
};
use crate::shape::pair::arrival_search::FeaturePair;

/// Gaps in time up to this are closed. The times are off by some units in the last place of 1.
const CLOSED: f64 = 5e-13;

/// Two shapes, the first of which moves, and a distance, which is not 0.
pub(super) struct RoundedPair<'b> {
    pub(crate) cores: TranslatedPair<'b>,
    pub(crate) radius: RadiusSum,
}

/// When two convex polygons, the first of which moves, are within a distance of each other, which is not 0; given whether they
/// are at the start.
pub(super) fn convex_interval(
    pair: &MovingPair<'_, [Point]>,
    are_near_at_start: bool,
) -> Result<TimeIntervals, Undecided> {
    let back = MovingPair {
        velocity: pair.velocity.reversed(),
        ..*pair
    };
    let (Some((first, arrival)), Some((last, _))) = (pair.entry()?, back.entry()?) else {
        return Ok(TimeIntervals::from_iter([]));
    };
    if !are_near_at_start && !arrival.approach.arrives() {
        return Ok(TimeIntervals::from_iter([]));
    }
    let times = |FeaturePair { corners, edge_of }| {
        let distance = Within(pair.radius);
        let (a, b) = (pair.a.edge(corners[0]), pair.b.edge(corners[1]));
        match edge_of {
            Some(Owner::A) => distance.line_time(a, b.start, pair.velocity.reversed()),
            Some(Owner::B) => distance.line_time(b, a.start, pair.velocity),
            None => distance.of_vertex(Displacement::between(b.start, a.start), pair.velocity),
        }
    };
    let enter = if are_near_at_start {
        0.0
    } else {
        times(first).map_or(1.0, |[enter, _]| enter)
    };
    // Features that are not left within the frame are near at its end.
    let leave = times(last).map_or(1.0, |[_, leave]| leave);
    Ok(TimeIntervals::from_iter([[enter, leave.max(enter)]]))
}

/// A distance, which is not 0, within which features come.
#[derive(Clone, Copy)]
struct Within(RadiusSum);

impl RoundedPair<'_> {
    pub(crate) fn intervals(&self) -> TimeIntervals {
        let contained = self.cores.contained();
        let mut found: Vec<_> = contained.iter().map(FrameInterval::values).collect();
        let [_, reach] = self.radius.bounds();
        let covered = Covered::by(found.iter().copied());
        self.cores.visit_uncovered(reach, &covered, |edges| {
            self.add_near(edges, &covered, &mut found);
        });
        union(found)
    }

    /// Adds times at which two edges are near each other: all but those at which the end of one, which
    /// starts another edge, is the nearest, and those that are covered.
    fn add_near(&self, [of_a, of_b]: [Edge; 2], covered: &Covered, found: &mut Vec<[f64; 2]>) {
        let mut add = |interval: Option<[f64; 2]>| {
            if let Some(interval) = interval {
                covered.add(interval);
                found.push(interval);
            }
        };
        let [_, reach] = self.radius.bounds();
        let distance = Within(self.radius);
        let velocity = self.cores.velocity;
        let is_open = |a: Bounds, b: Bounds| covered.time_outside(&a, &b, velocity) <= 1.0;
        if is_open(of_a.into(), of_b.into()) {
            let edges = touching([of_a, of_b], self.cores.velocity);
            add(edges.map(|interval| interval.values()));
        }
        let (a, b) = (of_a.start, of_b.start);
        let grown = |a: Bounds| a.grown(reach);
        if is_open(grown(a.into()), of_b.into()) {
            add(distance.of_edge(of_b, a, velocity));
        }
        if is_open(grown(of_a.into()), b.into()) {
            add(distance.of_edge(of_a, b, velocity.reversed()));
        }
        if is_open(grown(a.into()), b.into()) {
            add(distance.of_vertex(Displacement::between(b, a), velocity));
        }
    }
}

impl Within {
    /// The times at which a vertex of `a` is near one of `b`, given the gap between them.
    fn of_vertex(self, gap: Displacement, path: Motion) -> Option<[f64; 2]> {
        let radius = Length::Number(self.0);
        let end = gap.after(path);
        let [at_start, at_end] = [gap, end].map(|it| compare_lengths(Length::Whole(it), radius));
        let [past_start, past_end] = [gap, end].map(|it| dot(path, it));
        let across = Length::AcrossMotion(path, gap);
        if at_start == Ordering::Greater && at_end == Ordering::Greater {
            let passes = past_start == Sign::Negative && past_end == Sign::Positive;
            if !passes || compare_lengths(across, radius) == Ordering::Greater {
                return None;
            }
        }
        let times = DistanceTimes::new(gap, path, radius);
        let enter = match (at_start, at_end) {
            (Ordering::Less | Ordering::Equal, _) => 0.0,
            (_, Ordering::Equal) if past_end != Sign::Positive => 1.0,
            _ => strictly_within(times.enter().to_f64()),
        };
        let leave = match (at_start, at_end) {
            (_, Ordering::Less | Ordering::Equal) => 1.0,
            (Ordering::Equal, _) if past_start != Sign::Negative => 0.0,
            _ if times.are_equal() => enter,
            _ => strictly_within(times.leave().to_f64()),
        };
        Some([enter, leave.max(enter)])
    }

    /// The times at which a moving point is beside an edge: in the rectangle between the perpendiculars
    /// through its ends, up to the distance on both sides.
    ///
    /// The times of the four sides are rounded, so that they may admit a point which passes a corner
    /// outside. Whether the point meets the rectangle is decided exactly: it is there at the start or at
    /// the end of the frame, it crosses the edge, or it passes a side across the edge, which is a diameter
    /// of the circle round an end.
    fn of_edge(self, edge: Edge, point: Point, velocity: Motion) -> Option<[f64; 2]> {
        if edge.start == edge.end {
            return None;
        }
        let [from_start, from_end] =
            [edge.start, edge.end].map(|end| Displacement::between(end, point));
        let (mut times, mut is_beside) = ([0.0, 1.0], [true; 2]);
        let mut clip = |sides: [Sign; 2], time: &dyn Fn() -> WideFloat| {
            for (is_beside, side) in is_beside.iter_mut().zip(sides) {
                *is_beside &= side != Sign::Negative;
            }
            clip(&mut times, sides, time)
        };
        for (edge, gap) in [(edge, from_start), (edge.reversed(), from_end)] {
            let sides = [gap, gap.after(velocity)].map(|gap| dot(edge, gap));
            clip(sides, &|| {
                let along = dot_value(edge, gap, TO_THE_LAST_PLACE);
                -along / dot_value(edge, velocity.displacement(), TO_THE_LAST_PLACE)
            })?;
        }
        for edge in [edge, edge.reversed()] {
            let sides = [from_start, from_start.after(velocity)].map(|gap| self.side(edge, gap));
            clip(sides, &|| self.strip_time(edge, from_start, velocity))?;
        }
        if times[0] > times[1] {
            return None;
        }
        let is_certain = is_beside[0]
            || is_beside[1]
            || touching([Edge::new(point, point), edge], velocity).is_some()
            || [from_start, from_end]
                .iter()
                .any(|&gap| self.of_vertex(gap, velocity).is_some());
        is_certain.then_some(times)
    }

    /// The time at which a moving point crosses the line to the right of an edge, at the distance, twice; `None` if it doesn't
    /// within the frame.
    fn line_time(self, edge: Edge, point: Point, velocity: Motion) -> Option<[f64; 2]> {
        let gap = Displacement::between(edge.start, point);
        let time = match [gap, gap.after(velocity)].map(|gap| self.side(edge, gap)) {
            [Sign::Zero, _] => 0.0,
            [_, Sign::Zero] => 1.0,
            [start, end] if start == end => return None,
            _ => strictly_within(self.strip_time(edge, gap, velocity).to_f64()),
        };
        Some([time; 2])
    }

    /// On which side a point lies of the line to the right of an edge, at the distance; positive towards
    /// the edge.
    fn side(self, edge: Edge, gap: Displacement) -> Sign {
        if cross(edge, gap) != Sign::Negative {
            return Sign::Positive;
        }
        match compare_lengths(Length::Across(edge, gap), Length::Number(self.0)) {
            Ordering::Less => Sign::Positive,
            Ordering::Equal => Sign::Zero,
            Ordering::Greater => Sign::Negative,
        }
    }

    /// When a moving point crosses that line.
    fn strip_time(self, edge: Edge, gap: Displacement, velocity: Motion) -> WideFloat {
        let (across, radius) = (Length::Across(edge, gap), Length::Number(self.0));
        // How far the point lies to the left of the line.
        let distance = if cross(edge, gap) == Sign::Negative {
            length_difference(radius, across, TO_THE_LAST_PLACE)
        } else {
            radius.value(TO_THE_LAST_PLACE) + across.value(TO_THE_LAST_PLACE)
        };
        let speed = cross_value(edge, velocity.displacement(), TO_THE_LAST_PLACE) / length(edge);
        -distance / speed
    }
}

/// Cuts an interval of times to those at which a point is on the positive side of a line, or on the line,
/// given its sides at the start and at the end of the frame and when it crosses the line; `None` if it
/// is there at no time.
fn clip(
    [enter, leave]: &mut [f64; 2],
    sides: [Sign; 2],
    time: impl FnOnce() -> WideFloat,
) -> Option<()> {
    match sides {
        [Sign::Negative, Sign::Negative] => return None,
        [Sign::Negative, Sign::Zero] => *enter = 1.0,
        [Sign::Zero, Sign::Negative] => *leave = 0.0,
        [Sign::Negative, Sign::Positive] => *enter = enter.max(strictly_within(time().to_f64())),
        [Sign::Positive, Sign::Negative] => *leave = leave.min(strictly_within(time().to_f64())),
        _ => {}
    }
    Some(())
}

/// The union of intervals. Moments that may be the same are taken to be.
fn union(mut intervals: Vec<[f64; 2]>) -> TimeIntervals {
    intervals.sort_by(|one, other| {
        let [enter, leave] = [0, 1].map(|end| one[end].total_cmp(&other[end]));
        enter.then(leave)
    });
    let mut apart: Vec<[f64; 2]> = Vec::new();
    for [enter, leave] in intervals {
        match apart.last_mut() {
            Some([first, last]) if enter <= *last + CLOSED => {
                if first != last || enter != leave {
                    *last = last.max(leave);
                } else if leave == 1.0 {
                    // Of two moments the one at the end of the frame is kept.
                    (*first, *last) = (leave, leave);
                }
            }
            _ => apart.push([enter, leave]),
        }
    }
    apart.into_iter().collect()
}
