//! Ranges of time in which two convex shapes that turn are certainly apart.

use smallvec::SmallVec;

use super::checked::Shape;
use super::relative_motion::RelativeMotion;
use crate::geom::{Motion, Point, Turn, Vec2};
use crate::predicates::RelativePose;

/// Shapes of more vertices are left to the search.
const FEW: usize = 16;

/// Turns by more than this are left to the search.
const LARGE_TURN: f64 = 50.0;

/// A bound of the errors relative to the size of the query: that of a place, and fewer than twenty roundings of
/// the gap, of arms and of products with a normal.
const ROUNDING: f64 = RelativePose::ERROR + 40.0 * f64::EPSILON;

/// Positions, relative to the center of `b`, in a frame that turns with `b`.
type Positions = SmallVec<[Vec2; 8]>;

/// Two convex shapes while one moves, as far as floats tell.
pub(super) struct TurningFilter {
    /// The vertices of `a`, relative to its center.
    arms: Positions,
    /// The vertices of `b`, relative to its center.
    resting: Positions,
    turns: [f64; 2],
    gap: Vec2,
    velocity: Vec2,
    /// An eighth of a bound of the second derivative of the position of any vertex of `a`.
    bend: f64,
    /// A distance that is as good as none: the radii, and the errors of all positions.
    reach: f64,
}

/// The vertices of `a` at a time.
pub(super) struct PlacedVertices {
    pub(super) time: f64,
    positions: Positions,
}

/// Below this length squares may underflow.
const SHORTEST_LENGTH: f64 = 1e-140;

/// The length of a direction along which shapes may be separated: infinite if it isn't known.
fn direction_length(v: Vec2) -> f64 {
    let length = v.length();
    if length >= SHORTEST_LENGTH {
        length
    } else {
        f64::INFINITY
    }
}

impl TurningFilter {
    /// `None` where the filter has no error bound, or the shapes are none of those that it can judge.
    pub(super) fn new(
        [a, b]: [&Shape<'_>; 2],
        motion: &RelativeMotion,
        turns: [Turn; 2],
        reach: f64,
    ) -> Option<Self> {
        let [turn_a, turn_b] = turns;
        let arms = positions(a, turn_a.center)?;
        let resting = positions(b, turn_b.center)?;
        let offset = motion.offset.map_or(Vec2::ZERO, Motion::rounded);
        let velocity = motion.velocity.rounded();
        let centers = turn_a.center - turn_b.center;
        let gap = Vec2::new(centers.x + offset.x, centers.y + offset.y);
        let farthest = |of: &Positions| of.iter().copied().map(Vec2::length).fold(0.0, f64::max);
        let (arm, other) = (farthest(&arms), farthest(&resting));
        let size_of = |motion: Motion| motion.size().length();
        let speed = size_of(motion.velocity);
        let shifts = centers.length() + motion.offset.map_or(0.0, size_of) + speed;
        let size = shifts + arm + other + reach;
        let [angle_a, angle_b] = [turn_a.angle, turn_b.angle];
        let spin = angle_a.abs() + angle_b.abs();
        // Squares of differences neither overflow nor underflow.
        if !(1e-100..1e100).contains(&size) || spin > LARGE_TURN {
            return None;
        }
        let relative = angle_a - angle_b;
        let bend =
            2.0 * angle_b.abs() * speed + angle_b * angle_b * shifts + relative * relative * arm;
        Some(Self {
            arms,
            resting,
            turns: [angle_a, angle_b],
            gap,
            velocity,
            bend: bend / 8.0 * (1.0 + ROUNDING),
            reach: reach + ROUNDING * (1.0 + spin) * size,
        })
    }

    pub(super) fn at(&self, time: f64) -> PlacedVertices {
        let gap = self.gap + self.velocity.times(time);
        let pose = RelativePose::new(gap, self.turns, time);
        PlacedVertices {
            time,
            positions: self.arms.iter().map(|&arm| pose.place(arm)).collect(),
        }
    }

    /// Whether the shapes are certainly apart from one time to another: along the right normal of an edge
    /// of one the vertices are, which stay near the chord between their positions at these times.
    pub(super) fn are_apart(&self, start: &PlacedVertices, end: &PlacedVertices) -> bool {
        let duration = end.time - start.time;
        let reach = self.reach + self.bend * duration * duration * (1.0 + 8.0 * f64::EPSILON);
        let is_between = |from: Vec2, to: Vec2, sign: f64| {
            let edge = Vec2::new(to.x - from.x, to.y - from.y);
            let normal = Vec2::new(sign * edge.y, -sign * edge.x);
            let along = |of: &Vec2| normal.x * of.x + normal.y * of.y;
            let least = |of: &Positions| of.iter().map(along).fold(f64::INFINITY, f64::min);
            let nearest = least(&start.positions).min(least(&end.positions));
            let most = (self.resting.iter().map(along)).fold(f64::NEG_INFINITY, f64::max);
            // False for NaN, and for the edge of a point.
            nearest - most > reach * direction_length(normal)
        };
        let mut of_b = cyclic(&self.resting);
        if of_b.any(|(from, to)| is_between(from, to, 1.0)) {
            return true;
        }
        let [one, other] = [&start.positions, &end.positions].map(cyclic);
        let mut of_a = one.zip(other);
        of_a.any(|((from, to), (later_from, later_to))| {
            is_between(from + later_from, to + later_to, -1.0)
        }) || self.are_apart_as_points(start, end, reach)
    }

    /// Whether the vertices are apart along the line between the middles.
    fn are_apart_as_points(
        &self,
        start: &PlacedVertices,
        end: &PlacedVertices,
        reach: f64,
    ) -> bool {
        let sum = |of: &Positions| of.iter().fold(Vec2::ZERO, |sum, &it| sum + it);
        let middle = |sum: Vec2, of: &Positions| {
            let share = 1.0 / of.len() as f64;
            Vec2::new(sum.x * share, sum.y * share)
        };
        let moving = middle(sum(&start.positions) + sum(&end.positions), &self.arms);
        let resting = middle(sum(&self.resting), &self.resting);
        let normal = Vec2::new(0.5 * moving.x - resting.x, 0.5 * moving.y - resting.y);
        let along = |of: &Vec2| normal.x * of.x + normal.y * of.y;
        let moving = start.positions.iter().chain(&end.positions);
        let nearest = moving.map(along).fold(f64::INFINITY, f64::min);
        let most = (self.resting.iter().map(along)).fold(f64::NEG_INFINITY, f64::max);
        nearest - most > reach * direction_length(normal)
    }
}

/// Consecutive vertices.
fn cyclic(positions: &Positions) -> impl Iterator<Item = (Vec2, Vec2)> {
    let next = positions.iter().cycle().skip(1);
    positions.iter().copied().zip(next.copied())
}

/// The corners of a convex polygon or of a point, relative to a center.
fn positions(shape: &Shape<'_>, center: Point) -> Option<Positions> {
    let is_convex = shape.as_point().is_some() || shape.exactly_convex().is_some();
    let corners = &shape.boundary().corners;
    (is_convex && corners.len() <= FEW)
        .then(|| corners.iter().map(|corner| corner.point - center).collect())
}
