//! First contact of two shapes that turn while one moves: always a vertex of one with an edge of the other.

use std::cell::OnceCell;

use smallvec::{SmallVec, smallvec};

use super::boundary::{Boundary, Corner};
use super::checked_shape::Shape;
use super::edge_pairs::any_met;
use super::relative_motion::RelativeMotion;
use super::rounded_sweep::RoundedContact;
use super::shapes_at::ShapesAt;
use super::turning_contact_points::{
    TouchingFeatures, contact, contact_by_floats, within_accuracy,
};
use crate::convex::{TurningMotion, TurningRings, TurningVertex};
use crate::geom::{Bounds, Edge, Motion, Point, RadiusSum, Turn, Vec2};
use crate::predicates::ball::{Ball, FloatBall};
use crate::predicates::{BigBall, GapFeature, RelativePose, Rotation, TurningContact, TurningGap};
use crate::simd::lanes::Scratch;

/// Two shapes that are apart at the start, of which one moves and one or both turn.
pub(super) struct TurningPair<'p, 's> {
    pub(super) shapes: [&'p Shape<'s>; 2],
    pub(super) motion: RelativeMotion,
    /// Of `a` and of `b`.
    pub(super) turns: [Turn; 2],
    /// The sum of all radii.
    pub(super) radius: RadiusSum,
}

/// A vertex that touches an edge.
struct TurningEvent {
    features: TouchingFeatures,
    gap: TurningGap,
    contact: TurningContact,
    /// The precise time, once it is known.
    moment: OnceCell<BigBall>,
}

/// Bound on the error of a placed box, relative to the numbers that take part: the error of [`RelativePose`],
/// and about twenty roundings.
const ROUNDING: f64 = RelativePose::ERROR + 40.0 * f64::EPSILON;

/// The errors of smaller numbers are not relative to them: products of numbers near the least float are off by half of
/// it, and [`ROUNDING`] of this is 200 times the least float.
const UNDERFLOW: f64 = 1e-307;

/// The finest steps in which the filter looks at the motion, and the parts that are searched where it finds
/// no separation, as fractions of the time in which anything new happens.
const STEP: f64 = 1.0 / 16.0;

/// Corners of a convex ring up to which the filter runs first; it compares every vertex with every edge.
const FEW: usize = 16;

/// Shorter ranges of time are not halved: where small shapes pass slowly, there would be too many.
const SHORTEST: f64 = 1e-6;

/// Events whose precise times differ by less, relative to the time, count as simultaneous.
const SIMULTANEOUS: f64 = 1e-15;

/// More than the error of two times, relative to the time.
const UNSURE: f64 = 4.0 * TurningContact::TIME_ERROR;

impl<'p> TurningPair<'p, '_> {
    /// Whether they come into contact within the frame.
    pub(super) fn come_into_contact(&self) -> bool {
        self.first_event(true).is_some()
    }

    /// Their first contact within the frame.
    pub(super) fn first_contact(&self) -> Option<RoundedContact> {
        let event = self.first_event(false)?;
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
    pub(super) fn first_time(&self) -> Option<f64> {
        Some(self.first_event(false)?.time())
    }

    fn at<N: Ball>(&self, time: N) -> ShapesAt<'p, N> {
        let (offset, velocity) = (self.motion.offset, self.motion.velocity);
        ShapesAt::new(self.boundaries(), self.turns, (offset, velocity), time)
    }

    fn boundaries(&self) -> [&'p Boundary; 2] {
        self.shapes.map(Shape::boundary)
    }

    /// The first event, or any.
    fn first_event(&self, any: bool) -> Option<TurningEvent> {
        let period = self.motion.period();
        let few = self
            .shapes
            .map(|shape| shape.small_convex().filter(|ring| ring.len() <= FEW));
        let [Some(a), Some(b)] = few else {
            return self.first_event_of_range([0.0, period], any, None);
        };
        let vectors = |ring: &[Point]| ring.iter().map(|&it| it.into()).collect();
        let [of_a, of_b]: [SmallVec<[Vec2; 8]>; 2] = [&a, &b].map(|ring| vectors(ring));
        let mut scratch: SmallVec<[_; 16]> =
            smallvec![TurningVertex::scratch(0.0); a.len() + b.len()];
        let motion = self.rounded_motion(period);
        let mut filter = TurningRings::new([&of_a, &of_b], motion, &mut scratch);
        let (mut part, mut first) = (0.0, None);
        while part < 1.0 && !is_before(first.as_ref(), part * period, any) {
            part = filter.apart_until(part, STEP);
            if part < 1.0 {
                let range = [part, part + STEP].map(|part| part * period);
                first = self.first_event_of_range(range, any, first);
                part += STEP;
            }
        }
        first
    }

    /// The motion until a time in floats: a reach that is larger by their errors covers that of all places.
    fn rounded_motion(&self, time: f64) -> TurningMotion<f64> {
        let (offset, velocity) = (self.motion.offset, self.motion.velocity);
        let [turn_a, turn_b] = self.turns;
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
        let mut open: SmallVec<[_; 8]> = smallvec![whole];
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
            let place = SweptBoxes::new(self, middle, half);
            let swept = place.of(bounds[0]);
            if !swept.meets(&bounds[1]) {
                continue;
            }
            // Where numbers overflow, halves tell no more.
            if swept.is_finite() && place.is_too_long(bounds) && start < middle && middle < end {
                open.extend([[middle, end], [start, middle]]);
                continue;
            }
            any_met(
                self.boundaries(),
                |a| place.of(a),
                |corners, edges| {
                    for event in self.events(corners, edges, range, &place) {
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
        let Turn { angle, center } = self.turns[shape];
        if angle == 0.0 {
            return 0.0;
        }
        let distance = |corner: &Corner| {
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
        let (mut distance, [turn_a, turn_b]) = (0.0, self.turns);
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

    /// The vertex of each shape at these corners with the edge there of the other, within a range of time.
    fn events(
        &self,
        corners: [usize; 2],
        [of_a, of_b]: [Edge; 2],
        range: [f64; 2],
        place: &SweptBoxes,
    ) -> impl Iterator<Item = TurningEvent> {
        let [turn_a, turn_b] = self.turns;
        let (offset, velocity) = (self.motion.offset, self.motion.velocity);
        let radius = self.radius;
        let [is_point_a, is_point_b] = [of_a, of_b].map(|edge| edge.start == edge.end);
        // A point may follow the line of a path to its end.
        let of_vertices = !radius.is_zero() || is_point_a || is_point_b;
        let [vertex_a, vertex_b] = [of_a.start, of_b.start].map(Bounds::from);
        let may_meet = |a: Bounds, b: Bounds| place.of(a).meets(&b);
        let tried = [
            (
                !is_point_b && may_meet(vertex_a, of_b.into()),
                GapFeature::Edge,
                false,
            ),
            (
                !is_point_a && may_meet(of_a.into(), vertex_b),
                GapFeature::Edge,
                true,
            ),
            (
                of_vertices && may_meet(vertex_a, vertex_b),
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

/// [`ROUNDING`] times the sum of the sizes of some numbers; the sum alone may overflow.
fn rounding_of(sizes: &[f64]) -> f64 {
    sizes.iter().map(|size| ROUNDING * size.abs()).sum()
}

/// Where boxes of `a` may be during a range of time, in a frame that turns with `b`.
struct SweptBoxes {
    /// From a point of `a`, relative to its center, to one relative to the center of `b`.
    pose: RelativePose,
    center_a: Point,
    center_b: Point,
    /// Bounds of the speed: of the center, and of turning.
    speed: f64,
    spin: f64,
    /// The speed of the center in axes that rest, and how fast both turn there.
    speed_at_rest: f64,
    turns: [f64; 2],
    half: f64,
    reach: f64,
    /// The part of a rounding that does not depend on the box.
    rounding: f64,
}

/// A box of `a` in the middle of a range of time.
struct PlacedBox {
    /// Its middle relative to the center of `b`, and half its size before it turned.
    place: Vec2,
    half_size: Vec2,
    /// A bound of the distance of its points from the center of `a`.
    arm: f64,
    /// By how much its points move during half the range.
    movement: f64,
}

impl SweptBoxes {
    fn new(pair: &TurningPair<'_, '_>, middle: f64, half: f64) -> Self {
        let [turn_a, turn_b] = pair.turns;
        let (center_a, center_b) = (turn_a.center, turn_b.center);
        let offset = pair.motion.offset.map_or(Vec2::ZERO, Motion::rounded);
        let velocity = pair.motion.velocity.rounded();
        let gap = center_a - center_b + offset + velocity.times(middle);
        let [fastest, farthest] = [Some(pair.motion.velocity), pair.motion.offset]
            .map(|motion| motion.map_or(Vec2::ZERO, Motion::size))
            .map(|size| size.x + size.y);
        // The velocity relative to `b`, minus that of turning with `b`, anywhere on the path.
        let relative = velocity - gap.turned_left().times(turn_b.angle);
        let speed = libm::hypot(relative.x, relative.y) + turn_b.angle.abs() * fastest * half;
        let turns = [turn_a, turn_b].map(|turn| turn.angle.abs());
        let [_, reach] = pair.radius.bounds();
        let rounding = rounding_of(&[
            center_a.x,
            center_a.y,
            center_b.x,
            center_b.y,
            fastest * (middle + half),
            farthest,
            reach,
            UNDERFLOW,
        ]);
        Self {
            pose: RelativePose::new(gap, [turn_a.angle, turn_b.angle], middle),
            center_a,
            center_b,
            speed,
            spin: (turn_a.angle - turn_b.angle).abs(),
            speed_at_rest: libm::hypot(velocity.x, velocity.y),
            turns,
            half,
            reach,
            rounding: rounding * (1.0 + turns[0] + turns[1]),
        }
    }

    /// The points of `a` in a box.
    fn placed(&self, Bounds { min, max }: Bounds) -> PlacedBox {
        let (x, y) = (0.5 * (min.x + max.x), 0.5 * (min.y + max.y));
        let half_size = Vec2::new(0.5 * (max.x - min.x), 0.5 * (max.y - min.y));
        let arm = Point::new(x, y) - self.center_a;
        let place = self.pose.place(arm);
        let farthest = |of: Vec2| of.x.abs() + of.y.abs() + half_size.x + half_size.y;
        let [arm, from_b] = [arm, place].map(farthest);
        // Two bounds of the speed. The first is low where both turn by the same angle. The second is low where
        // the center of `a` is far from both, as of a car that drives almost straight on: what the center moves in
        // the frame that turns with `b` and what `a` turns all but cancel each other there.
        let by_center = self.speed + self.spin * arm;
        let at_rest = self.speed_at_rest + self.turns[0] * arm;
        let by_place = at_rest + self.turns[1] * (from_b + at_rest * self.half);
        PlacedBox {
            place,
            half_size,
            arm,
            movement: by_center.min(by_place) * self.half,
        }
    }

    /// A box that contains the points of `a` in this one, grown by the radius, at any time of the range.
    fn of(&self, bounds: Bounds) -> Bounds {
        let placed = self.placed(bounds);
        let (min, Vec2 { x, y }) = (bounds.min, placed.place);
        let Vec2 {
            x: width,
            y: height,
        } = placed.half_size;
        let at = Point::new(self.center_b.x + x, self.center_b.y + y);
        let Rotation { sin, cos } = self.pose.rotation;
        let (cos, sin) = (cos.abs(), sin.abs());
        // Of the two bounds of the movement the lower one counts, so that its roundings are no larger than those of
        // the other.
        let rounding = self.rounding + rounding_of(&[min.x, min.y, placed.arm]) * (1.0 + self.spin);
        let grown = placed.movement + self.reach + rounding;
        let (by_x, by_y) = (
            cos * width + sin * height + grown,
            sin * width + cos * height + grown,
        );
        let placed = Bounds {
            min: Point::new(at.x - by_x, at.y - by_y),
            max: Point::new(at.x + by_x, at.y + by_y),
        };
        if placed.is_finite() {
            placed
        } else {
            let infinity = f64::INFINITY;
            Bounds {
                min: Point::new(-infinity, -infinity),
                max: Point::new(infinity, infinity),
            }
        }
    }

    /// Whether points move by more than a part of the larger shape's size, and halves tell more.
    fn is_too_long(&self, [a, b]: [Bounds; 2]) -> bool {
        let size = |of: &Bounds| (of.max.x - of.min.x).max(of.max.y - of.min.y);
        let movement = self.placed(a).movement;
        let is_large = movement > 0.25 * (size(&a).max(size(&b)) + self.reach);
        let is_seen = movement > self.rounding && self.half > SHORTEST;
        is_large && is_seen && movement.is_finite()
    }
}
