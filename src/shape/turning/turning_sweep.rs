//! First contact of two shapes that turn while one moves: always a vertex of one with an edge of the other.

use std::cell::OnceCell;
use std::ops::ControlFlow;

use smallvec::{SmallVec, smallvec};

use super::shapes_at::ShapesAt;
use super::turning_contact_points::{
    TouchingFeatures, contact, contact_by_floats, within_accuracy,
};
use super::turning_origin::origins;
use super::turning_swept_boxes::{ROUNDING, SweptBoxes, UNDERFLOW};
use crate::convex::{TurningMotion, TurningRings, TurningVertex};
use crate::geom::{Bounds, Edge, Motion, Point, RadiusSum, Turn, Vec2};
use crate::predicates::numbers::ball::{Ball, FloatBall};
use crate::predicates::{BigBall, GapFeature, TurningContact, TurningGap};
use crate::shape::boundary::edge_pairs::any_met;
use crate::shape::boundary::{Boundary, BoundaryCorner};
use crate::shape::checked_shape::Shape;
use crate::shape::relative_motion::RelativeMotion;
use crate::shape::straight::rounded_sweep::RoundedContact;
use crate::simd::lanes::Scratch;

/// Two shapes that are apart at the start, of which one moves and one or both turn.
pub(crate) struct TurningPair<'p, 's> {
    pub(crate) shapes: [&'p Shape<'s>; 2],
    pub(crate) motion: RelativeMotion,
    /// The sum of all radii.
    pub(crate) radius: RadiusSum,
}

/// A vertex that touches an edge.
struct TurningEvent {
    features: TouchingFeatures,
    gap: TurningGap,
    contact: TurningContact,
    /// The precise time, once it is known.
    moment: OnceCell<BigBall>,
}

/// The finest steps in which the filter looks at the motion, and the parts that are searched where it finds
/// no separation, as fractions of the time in which anything new happens.
const STEP: f64 = 1.0 / 16.0;

/// Corners of a convex ring up to which the filter runs first; it compares every vertex with every edge.
const FEW: usize = 16;

/// Events whose precise times differ by less, relative to the time, count as simultaneous.
const SIMULTANEOUS: f64 = 1e-15;

/// More than the error of two times, relative to the time.
const UNSURE: f64 = 4.0 * TurningContact::TIME_ERROR;

impl<'p> TurningPair<'p, '_> {
    /// Whether they come into contact within the frame.
    pub(crate) fn come_into_contact(&self) -> bool {
        match self.first_event(true) {
            ControlFlow::Continue(event) => event.is_some(),
            ControlFlow::Break(()) => true,
        }
    }

    /// Their first contact within the frame.
    pub(crate) fn first_contact(&self) -> Option<RoundedContact> {
        let event = self.first_event(false).continue_value()??;
        let (features, radii) = (event.features, (self.radius, self.shapes[1].radius()));
        let by_floats = |moment| contact_by_floats(&self.at(moment), features, radii);
        let known = event.moment_by_floats().and_then(by_floats);
        let (normal, contact) = known.unwrap_or_else(|| {
            let shapes = self.at(event.moment().clone());
            contact(&shapes, features, event.contact.feature, radii)
        });
        Some(RoundedContact {
            exact_time: event.time(),
            filtered_time: None,
            normal,
            contact,
        })
    }

    /// The time of their first contact within the frame, in an eighth less time than with normal and contact.
    pub(crate) fn first_time(&self) -> Option<f64> {
        Some(self.first_event(false).continue_value()??.time())
    }

    fn at<N: Ball>(&self, time: N) -> ShapesAt<'p, N> {
        ShapesAt::new(self.boundaries(), self.motion, time)
    }

    fn boundaries(&self) -> [&'p Boundary; 2] {
        self.shapes.map(Shape::boundary)
    }

    /// The first event, or any. Breaks if any will do and an overlap proves that there is one.
    fn first_event(&self, any: bool) -> ControlFlow<(), Option<TurningEvent>> {
        let period = self.motion.period();
        let few = self
            .shapes
            .map(|shape| shape.small_convex().filter(|ring| ring.len() <= FEW));
        let [Some(a), Some(b)] = few else {
            return ControlFlow::Continue(self.first_event_of_range([0.0, period], any, None));
        };
        let vectors = |ring: &[Point]| ring.iter().map(|&it| it.into()).collect();
        let [of_a, of_b]: [SmallVec<[Vec2; 8]>; 2] = [&a, &b].map(|ring| vectors(ring));
        let mut scratch: SmallVec<[_; 16]> =
            smallvec![TurningVertex::scratch(0.0); a.len() + b.len()];
        let motion = self.rounded_motion(period);
        let mut filter = TurningRings::new([&of_a, &of_b], motion, &mut scratch);
        if any {
            filter = filter.seeking_overlap();
        }
        let (mut part, mut first) = (0.0, None);
        while part < 1.0 && !is_before(first.as_ref(), part * period, any) {
            part = filter.apart_until(part, STEP);
            if filter.overlap() {
                return ControlFlow::Break(());
            }
            if part < 1.0 {
                let range = [part, part + STEP].map(|part| part * period);
                first = self.first_event_of_range(range, any, first);
                part += STEP;
            }
        }
        ControlFlow::Continue(first)
    }

    /// The motion until a time in floats: a reach that is larger by their errors covers that of all places.
    fn rounded_motion(&self, time: f64) -> TurningMotion<f64> {
        let (offset, velocity) = (self.motion.offset, self.motion.velocity);
        let [turn_a, turn_b] = self.motion.both_turns();
        let between = turn_a.center - turn_b.center;
        let size = |motion: Motion| motion.size().x + motion.size().y;
        let size = between.length() + offset.map_or(0.0, size) + size(velocity);
        let [_, reach] = self.radius.bounds();
        TurningMotion {
            centers: [turn_a, turn_b].map(|turn| turn.center.into()),
            angles: [turn_a, turn_b].map(|turn| turn.angle * time),
            gap: between + offset.map_or(Vec2::ZERO, Motion::rounded),
            velocity: velocity.rounded().times(time),
            reach: reach + 16.0 * f64::EPSILON * size,
        }
    }

    /// The first of the events of a range of time and that of ranges before.
    ///
    /// An event may be found from a range that ends shortly before it; it need not be the first then.
    fn first_event_of_range(
        &self,
        whole: [f64; 2],
        any: bool,
        mut first: Option<TurningEvent>,
    ) -> Option<TurningEvent> {
        let bounds = self.boundaries().map(Boundary::bounds);
        let radii = [0, 1].map(|shape| self.farthest(shape));
        let origins = origins(self.shapes, &self.motion);
        let [_, reach] = self.radius.bounds();
        let mut open: SmallVec<[_; 8]> = smallvec![whole];
        let mut count = 0;
        while let Some(range) = open.pop() {
            let [start, end] = range;
            if is_before(first.as_ref(), start, any) {
                break;
            }
            if self.are_apart_however_turned(range, bounds, radii) {
                continue;
            }
            let middle = 0.5 * (start + end);
            let half = (middle - start).max(end - middle).next_up();
            let place = SweptBoxes::new(&self.motion, origins, reach, [middle, half]);
            let swept = place.of(bounds[0]);
            if !swept.meets(&bounds[1]) {
                continue;
            }
            // Where numbers overflow, halves tell no more.
            count += 1;
            let is_too_long = swept.is_finite() && place.is_too_long(bounds, count);
            if is_too_long && start < middle && middle < end {
                open.extend([[middle, end], [start, middle]]);
                continue;
            }
            // The boxes that a vertex of `a` and its edge sweep are kept while the edges of `b` are visited.
            let mut swept = (usize::MAX, [Bounds::EMPTY; 2]);
            any_met(
                self.boundaries(),
                |a| place.of(a),
                |corners, edges| {
                    let [corner, _] = corners;
                    if swept.0 != corner {
                        let [edge, _] = edges;
                        swept = (
                            corner,
                            [edge.start.into(), edge.into()].map(|it| place.of(it)),
                        );
                    }
                    for event in self.events(corners, edges, range, swept.1) {
                        first = Some(event.or_earlier(first.take()));
                    }
                    any && first.is_some()
                },
            );
        }
        first
    }

    /// An upper bound of the distance of any point of a shape from its center; 0 where it does not turn.
    fn farthest(&self, shape: usize) -> f64 {
        let Turn { angle, center } = self.motion.both_turns()[shape];
        if angle == 0.0 {
            return 0.0;
        }
        let distance = |corner: &BoundaryCorner| {
            let arm = corner.point - center;
            libm::hypot(arm.x, arm.y)
        };
        let corners = &self.boundaries()[shape].corners;
        let farthest = corners.iter().map(distance).fold(0.0, f64::max);
        farthest * (1.0 + 8.0 * f64::EPSILON) + ROUNDING * UNDERFLOW
    }

    /// Whether the discs round the centers that contain the turning shapes are certainly apart from each
    /// other, or from the box of the shape that does not turn, during a range of time.
    fn are_apart_however_turned(
        &self,
        [start, end]: [f64; 2],
        [of_a, of_b]: [Bounds; 2],
        radii: [f64; 2],
    ) -> bool {
        let (offset, velocity) = (self.motion.offset, self.motion.velocity);
        let moved = |of: Bounds| offset.map_or(of, |offset| of.moved(offset));
        // The path from one time to another, with a few roundings of numbers no larger than the size.
        let (size, by) = (velocity.size(), velocity.rounded());
        let path = |of: Bounds| {
            let at = |time: f64| Bounds {
                min: Point::new(of.min.x + time * by.x, of.min.y + time * by.y),
                max: Point::new(of.max.x + time * by.x, of.max.y + time * by.y),
            };
            let way = (size.x + size.y) * end;
            let size = of.numbers().iter().fold(way, |sum, x| sum + x.abs());
            at(start).union(&at(end)).grown(8.0 * f64::EPSILON * size)
        };
        let (mut distance, [turn_a, turn_b]) = (0.0, self.motion.both_turns());
        let mut disc = |turn: Turn, radius: f64, bounds: Bounds| {
            if turn.angle == 0.0 {
                return bounds;
            }
            distance += radius;
            turn.center.into()
        };
        let (one, other) = (disc(turn_a, radii[0], of_a), disc(turn_b, radii[1], of_b));
        let [_, reach] = self.radius.bounds();
        let distance = (distance + reach) * (1.0 + 8.0 * f64::EPSILON);
        // False only if they are apart; NaN and infinity make it true.
        !path(moved(one)).may_be_within(&other, distance) && distance.is_finite()
    }

    /// The vertex of each shape at these corners with the edge there of the other, within a range of time, given the boxes
    /// that vertex and edge of `a` sweep in it as seen from `b`.
    fn events(
        &self,
        corners: [usize; 2],
        [of_a, of_b]: [Edge; 2],
        range: [f64; 2],
        [swept_vertex, swept_edge]: [Bounds; 2],
    ) -> impl Iterator<Item = TurningEvent> {
        let [turn_a, turn_b] = self.motion.both_turns();
        let (offset, velocity) = (self.motion.offset, self.motion.velocity);
        let radius = self.radius;
        let [is_point_a, is_point_b] = [of_a, of_b].map(|edge| edge.start == edge.end);
        // A point may follow the line of a path to its end.
        let of_vertices = !radius.is_zero() || is_point_a || is_point_b;
        let vertex_b = Bounds::from(of_b.start);
        let tried = [
            (
                !is_point_b && swept_vertex.meets(&of_b.into()),
                GapFeature::Edge,
                false,
            ),
            (
                !is_point_a && swept_edge.meets(&vertex_b),
                GapFeature::Edge,
                true,
            ),
            (
                of_vertices && swept_vertex.meets(&vertex_b),
                GapFeature::Start,
                false,
            ),
        ];
        tried
            .into_iter()
            .filter(|(is_possible, ..)| *is_possible)
            .filter_map(move |(_, feature, is_reversed)| {
                let gap = if is_reversed {
                    let offset = offset.map(Motion::reversed);
                    let (edge, vertex) = ((of_a, turn_a), (of_b.start, turn_b));
                    TurningGap::new(edge, vertex, offset, velocity.reversed(), radius)
                } else {
                    let (edge, vertex) = ((of_b, turn_b), (of_a.start, turn_a));
                    TurningGap::new(edge, vertex, offset, velocity, radius)
                };
                let contact = gap.first_contact(feature, range)?;
                let features = TouchingFeatures {
                    corners,
                    is_reversed,
                };
                Some(TurningEvent {
                    features,
                    gap,
                    contact,
                    moment: OnceCell::new(),
                })
            })
    }
}

/// Whether no event from a time on can be the first, or matters if any will do.
fn is_before(first: Option<&TurningEvent>, time: f64, any: bool) -> bool {
    let is_before = |first: &TurningEvent| any || first.contact.time < time * (1.0 - UNSURE);
    first.is_some_and(is_before)
}

impl TurningEvent {
    /// The time, which has the same bits whether or not the rest of the contact is computed.
    fn time(&self) -> f64 {
        let time = match self.moment_by_floats() {
            Some(moment) => moment.to_f64(),
            None => self.moment().to_f64(),
        };
        time.min(1.0)
    }

    /// The time in floats, if they tell it precisely enough for a result.
    fn moment_by_floats(&self) -> Option<FloatBall> {
        let is_of_edge = self.contact.feature == GapFeature::Edge;
        let moment = is_of_edge.then(|| self.gap.moment_by_floats(&self.contact));
        moment
            .flatten()
            .filter(|moment| within_accuracy(*moment).is_some())
    }

    /// The precise time.
    fn moment(&self) -> &BigBall {
        self.moment.get_or_init(|| self.gap.moment(&self.contact))
    }

    /// The first of two events.
    fn or_earlier(self, other: Option<Self>) -> Self {
        match other {
            Some(other) if !self.precedes(&other) => other,
            _ => self,
        }
    }

    /// Whether it is earlier, or the lower one of simultaneous events.
    fn precedes(&self, other: &Self) -> bool {
        let [own, others] = [self, other].map(|event| event.contact.time);
        if (own - others).abs() > UNSURE * others {
            return own < others;
        }
        let [own, others] = [self, other].map(|event| event.moment().to_f64());
        let rank = |event: &Self| {
            let is_of_vertices = event.contact.feature != GapFeature::Edge;
            (
                is_of_vertices,
                event.features.corners,
                event.features.is_reversed,
            )
        };
        if (own - others).abs() <= SIMULTANEOUS * others {
            return rank(self) < rank(other);
        }
        own < others
    }
}
