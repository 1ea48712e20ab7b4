//! How near two shapes come that turn while one moves, and never meet.
//!
//! They are nearest where a vertex of one is nearest to an edge of the other. Seen from the shape with the
//! edge, which then rests, the vertex follows a path of bounded acceleration: within a short range of
//! time it stays near the tangent in the middle. Ranges whose tangents are farther away than the least
//! distance so far are dropped, the others halved.

use smallvec::SmallVec;

use super::checked::Shape;
use super::closest_approach::ClosestApproach;
use super::relative_motion::RelativeMotion;
use crate::convex::{Cyclic, advanced};
use crate::geom::{Motion, Point, Turn, Vec2, WideFloat};
use crate::predicates::two_product;

/// The least distance is found to within this, relative to itself.
const ACCURACY: f64 = 1e-12;

/// A shape about its center, with all lengths scaled by a power of two.
struct Centered {
    /// The corners, relative to the center.
    corners: SmallVec<[Vec2; 8]>,
    /// The edges, by the indices of their ends.
    edges: SmallVec<[[usize; 2]; 8]>,
    turn: f64,
}

/// The shapes, one of which moves.
struct Scene {
    /// `a` and `b`.
    shapes: [Centered; 2],
    /// From the center of `b` to that of `a` at the start.
    start: Vec2,
    velocity: Vec2,
    /// Lengths are divided by this power of two.
    exponent: i32,
}

/// A vertex of one shape nearest to a point of an edge of the other, each relative to its own center.
#[derive(Clone, Copy)]
struct Nearest {
    distance: f64,
    time: f64,
    /// Which shape the vertex belongs to.
    mover: usize,
    vertex: Vec2,
    foot: Vec2,
}

/// The path of a vertex, as seen from the other shape.
struct Path<'s> {
    scene: &'s Scene,
    mover: usize,
    vertex: Vec2,
    /// A bound of its acceleration.
    acceleration: f64,
}

/// How near shapes come that don't meet within the frame.
pub(super) fn turning_approach(
    a: &Shape<'_>,
    b: &Shape<'_>,
    motion: RelativeMotion,
) -> ClosestApproach {
    // The center of a shape that does not turn has no meaning.
    let centered = |turn: Turn, shape: &Shape<'_>| match turn.angle {
        0.0 => Turn {
            center: shape.bounds().min,
            ..turn
        },
        _ => turn,
    };
    let [turn_a, turn_b] = motion.turns.unwrap_or([Turn::NONE; 2]);
    let turns = [centered(turn_a, a), centered(turn_b, b)];
    let scene = Scene::new([a, b], motion, turns);
    let radii = [a.radius(), b.radius()];
    let nearest = scene.nearest(motion.period(), radii);
    scene.approach(&nearest, turns[1].center, radii)
}

impl Scene {
    fn new(shapes: [&Shape<'_>; 2], motion: RelativeMotion, turns: [Turn; 2]) -> Self {
        let zero = [WideFloat::ZERO; 2];
        let offset = motion.offset.map_or(zero, Motion::scaled);
        let [of_a, of_b] = turns.map(|turn| turn.center);
        let between = difference(of_b, of_a);
        let start = [between[0] + offset[0], between[1] + offset[1]];
        let velocity = motion.velocity.scaled();
        let corner = |side: usize, corner: usize| {
            difference(turns[side].center, shapes[side].boundary().vertex(corner))
        };
        let corners = |side: usize| 0..shapes[side].boundary().corners.len();
        let all = [0, 1]
            .into_iter()
            .flat_map(|side| corners(side).map(move |it| (side, it)));
        let largest = all
            .map(|(side, it)| corner(side, it))
            .chain([start, velocity]);
        let largest = largest
            .flatten()
            .map(WideFloat::abs)
            .fold(
                WideFloat::ZERO,
                |largest, it| if largest < it { it } else { largest },
            );
        let exponent = largest.exponent();
        let scaled = |[x, y]: [WideFloat; 2]| {
            let unit = WideFloat::new(1.0, -exponent);
            Vec2::new((x * unit).to_f64(), (y * unit).to_f64())
        };
        let shapes = [0, 1].map(|side| {
            let boundary = shapes[side].boundary();
            Centered {
                corners: corners(side).map(|it| scaled(corner(side, it))).collect(),
                edges: corners(side).map(|it| [it, boundary.next(it)]).collect(),
                turn: turns[side].angle,
            }
        });
        Self {
            shapes,
            start: scaled(start),
            velocity: scaled(velocity),
            exponent,
        }
    }

    fn nearest(&self, period: f64, radii: [f64; 2]) -> Nearest {
        let unit = WideFloat::new(1.0, -self.exponent);
        let reach = ((WideFloat::from(radii[0]) + WideFloat::from(radii[1])) * unit).to_f64();
        let mut least = Nearest {
            distance: f64::INFINITY,
            time: 0.0,
            mover: 0,
            vertex: Vec2::ZERO,
            foot: Vec2::ZERO,
        };
        let paths = [0, 1].map(|mover| {
            let corners = self.shapes[mover].corners.iter();
            corners.map(move |&vertex| Path::new(self, mover, vertex))
        });
        let paths: Vec<_> = paths.into_iter().flatten().collect();
        // A low start drops most ranges at once.
        for path in &paths {
            for time in [0.0, 0.5 * period, period] {
                path.look_at(time, &mut least);
            }
        }
        for path in &paths {
            path.search(period, reach, &mut least);
        }
        least
    }

    /// The result in the coordinates of the caller: `center_b` is that of the second shape.
    fn approach(&self, nearest: &Nearest, center_b: Point, radii: [f64; 2]) -> ClosestApproach {
        let unscaled = |it: f64| WideFloat::new(it, self.exponent);
        let time = nearest.time;
        // In the frame of `b`'s center, which rests.
        let world = |side: usize, local: Vec2| {
            let turned = rotated(local, self.shapes[side].turn, time);
            if side == 0 {
                turned + self.start + self.velocity.times(time)
            } else {
                turned
            }
        };
        let (still, mover) = (1 - nearest.mover, nearest.mover);
        let mut points = [Vec2::ZERO; 2];
        points[mover] = world(mover, nearest.vertex);
        points[still] = world(still, nearest.foot);
        let gap = points[0] - points[1];
        // Rounding may put them on one spot.
        let length = gap.dot(gap).sqrt();
        let unit = if length > 0.0 {
            gap.times(1.0 / length)
        } else {
            Vec2::ZERO
        };
        let [closest_a, closest_b] = [(0, -1.0), (1, 1.0)].map(|(side, sign): (usize, f64)| {
            let radius = WideFloat::from(radii[side]) * WideFloat::from(sign);
            let Vec2 { x, y } = points[side];
            let moved = [(x, unit.x), (y, unit.y)]
                .map(|(at, unit)| unscaled(at) + WideFloat::from(unit) * radius);
            advanced(center_b, moved)
        });
        let radii = WideFloat::from(radii[0]) + WideFloat::from(radii[1]);
        let distance = unscaled(nearest.distance) - radii;
        // They don't meet, though the distance may be lost in rounding.
        let least = unscaled(f64::EPSILON);
        let distance = if distance < least { least } else { distance };
        ClosestApproach {
            distance: distance.to_f64(),
            time,
            closest_a,
            closest_b,
        }
    }
}

impl<'s> Path<'s> {
    fn new(scene: &'s Scene, mover: usize, vertex: Vec2) -> Self {
        let [still, own] = [1 - mover, mover].map(|side| scene.shapes[side].turn);
        let length = |it: Vec2| it.dot(it).sqrt();
        let farthest = length(scene.start) + length(scene.velocity);
        let roll = own - still;
        Self {
            scene,
            mover,
            vertex,
            // Of the center's path in the turning frame, and of the vertex about the center.
            acceleration: still * still * farthest
                + 2.0 * still.abs() * length(scene.velocity)
                + roll * roll * length(vertex),
        }
    }

    /// Place and velocity at a time, as seen from the other shape about its center.
    fn at(&self, time: f64) -> [Vec2; 2] {
        let Scene {
            start, velocity, ..
        } = *self.scene;
        let sign = if self.mover == 0 { 1.0 } else { -1.0 };
        let [still, own] = [1 - self.mover, self.mover].map(|side| self.scene.shapes[side].turn);
        let seen = |it: Vec2| rotated(it, -still, time);
        let center = seen((start + velocity.times(time)).times(sign));
        let arm = seen(rotated(self.vertex, own, time));
        let turned = |it: Vec2, rate: f64| Vec2::new(-it.y, it.x).times(rate);
        let speed = seen(velocity.times(sign)) + turned(center, -still) + turned(arm, own - still);
        [center + arm, speed]
    }

    fn still(&self) -> &'s Centered {
        &self.scene.shapes[1 - self.mover]
    }

    /// Takes the distance at a time, if it is less.
    fn look_at(&self, time: f64, least: &mut Nearest) {
        let [place, _] = self.at(time);
        let still = self.still();
        for &[from, to] in &still.edges {
            let foot = foot([still.corners[from], still.corners[to]], place);
            let gap = place - foot;
            let distance = gap.dot(gap).sqrt();
            if distance < least.distance {
                *least = Nearest {
                    distance,
                    time,
                    mover: self.mover,
                    vertex: self.vertex,
                    foot,
                };
            }
        }
    }

    /// Lowers the least distance to that of this path. The radii are still to be subtracted.
    fn search(&self, period: f64, radii: f64, least: &mut Nearest) {
        let mut open: SmallVec<[[f64; 2]; 32]> = SmallVec::new();
        open.push([0.0, period]);
        while let Some([from, to]) = open.pop() {
            let (time, half) = (0.5 * (from + to), 0.5 * (to - from));
            let [place, velocity] = self.at(time);
            let sagitta = 0.5 * self.acceleration * half * half;
            let step = velocity.times(half);
            let (distance, part) = self
                .still()
                .nearest_to_segment([place - step, place + step]);
            let tolerance = ACCURACY * (least.distance - radii).max(0.0) + f64::EPSILON;
            if distance - sagitta >= least.distance - tolerance {
                continue;
            }
            self.look_at(time + (2.0 * part - 1.0) * half, least);
            if from < time && time < to && sagitta > tolerance {
                open.extend([[time, to], [from, time]]);
            }
        }
    }
}

impl Centered {
    /// The distance of a segment of a tangent from the boundary, and the place on it, from 0 to 1.
    fn nearest_to_segment(&self, segment: [Vec2; 2]) -> (f64, f64) {
        let mut least = (f64::INFINITY, 0.5);
        let mut add = |one: Vec2, other: Vec2, part: f64| {
            let gap = one - other;
            let square = gap.dot(gap);
            if square < least.0 {
                least = (square, part);
            }
        };
        for &[from, to] in &self.edges {
            let edge = [self.corners[from], self.corners[to]];
            if let Some(part) = crossing(segment, edge) {
                return (0.0, part);
            }
            add(segment[0], foot(edge, segment[0]), 0.0);
            add(segment[1], foot(edge, segment[1]), 1.0);
            let part = projection(segment, edge[0]);
            let place = segment[0] + (segment[1] - segment[0]).times(part);
            add(place, edge[0], part);
        }
        (least.0.sqrt(), least.1)
    }
}

/// A vector turned by `time * turn`.
fn rotated(Vec2 { x, y }: Vec2, turn: f64, time: f64) -> Vec2 {
    // A large angle is rounded by more than the results may be: its error turns a little further.
    let (angle, rest) = two_product(turn, time);
    let (sin, cos) = libm::sincos(angle);
    let (sin, cos) = (sin + rest * cos, cos - rest * sin);
    Vec2::new(x * cos - y * sin, x * sin + y * cos)
}

/// Where on a segment, from 0 to 1, the point lies that is nearest to another.
fn projection([from, to]: [Vec2; 2], point: Vec2) -> f64 {
    let along = to - from;
    let length = along.dot(along);
    if length == 0.0 {
        return 0.0;
    }
    ((point - from).dot(along) / length).clamp(0.0, 1.0)
}

/// The point of a segment that is nearest to another.
fn foot(segment: [Vec2; 2], point: Vec2) -> Vec2 {
    let along = segment[1] - segment[0];
    segment[0] + along.times(projection(segment, point))
}

/// Where on a chord, from 0 to 1, it crosses an edge, rounding apart.
fn crossing([from, to]: [Vec2; 2], [start, end]: [Vec2; 2]) -> Option<f64> {
    let (along, edge) = (to - from, end - start);
    let [before, after] = [from, to].map(|it| edge.cross(it - start));
    let [left, right] = [start, end].map(|it| along.cross(it - from));
    let crosses = (before < 0.0) != (after < 0.0) && (left < 0.0) != (right < 0.0);
    crosses.then(|| before / (before - after))
}

/// `to - from`.
fn difference(from: Point, to: Point) -> [WideFloat; 2] {
    [
        WideFloat::difference(to.x, from.x),
        WideFloat::difference(to.y, from.y),
    ]
}
