//! Whole questions in floats, for small rings: every edge against every vertex, without a branch
//! per vertex.
//!
//! One bound on the error serves a whole edge, because no vertex is farther from it than the box
//! round both rings is wide. What the bounds leave open goes to the walk round the difference,
//! which asks exact predicates; what they settle is what that walk would find.

use std::ops::ControlFlow;

use super::minkowski::{Corner, Owner};
use super::ring::Cyclic;
use crate::geom::{Edge, Point, Vec2};

/// Pairs of an edge and a vertex up to which this takes fewer instructions than the walk.
const LARGEST: usize = 400;

/// A bound on the error of a cross product in units of its terms' sizes. Two differences, the
/// product and the sum make four roundings; the terms' sizes are rounded as often.
const ERROR: f64 = 8.0 * UNIT_ROUNDOFF;
const UNIT_ROUNDOFF: f64 = f64::EPSILON / 2.0;

/// What covers the handful of roundings in a comparison of bounds.
const SLACK: f64 = 1.0 + 32.0 * UNIT_ROUNDOFF;

/// Boxes smaller or larger than this (2^-100, 2^100) are left to the walk, as are error bounds
/// below 2^-200: in between, no product of a comparison leaves the normal range of floats.
const SMALLEST_BOX: f64 = f64::from_bits((1023 - 100) << 52);
const LARGEST_BOX: f64 = f64::from_bits((1023 + 100) << 52);
const SMALLEST_ERROR: f64 = f64::from_bits((1023 - 200) << 52);

/// An edge of the difference by the ring it comes from and the corner it starts at.
pub(super) type Named = (Owner, Corner);

/// A number and the most by which it can be wrong.
#[derive(Clone, Copy)]
struct About {
    value: f64,
    error: f64,
}

impl About {
    fn is_positive(self) -> bool {
        self.value > self.error
    }

    fn is_negative(self) -> bool {
        self.value < -self.error
    }

    fn plus(self, other: Self) -> Self {
        Self {
            value: self.value + other.value,
            error: (self.error + other.error) * SLACK,
        }
    }

    fn negated(self) -> Self {
        Self {
            value: -self.value,
            ..self
        }
    }

    /// Bounds on `self / other`, both positive.
    fn over(self, other: Self) -> Bounds {
        Bounds {
            low: (self.value - self.error) / ((other.value + other.error) * SLACK),
            high: (self.value + self.error) * SLACK / (other.value - other.error),
        }
    }
}

/// What a time lies between.
#[derive(Clone, Copy)]
struct Bounds {
    low: f64,
    high: f64,
}

impl Bounds {
    const NEVER: Self = Self {
        low: f64::INFINITY,
        high: f64::INFINITY,
    };

    fn earlier(self, other: Self) -> Self {
        Self {
            low: self.low.min(other.low),
            high: self.high.min(other.high),
        }
    }
}

/// How the origin lies to an edge of the difference.
#[derive(Clone, Copy)]
struct Reach {
    owner: Owner,
    /// The edge's position in its ring.
    index: usize,
    /// How far the deepest vertex lies behind the edge, times the edge's length.
    overlap: About,
    /// The edge as a vector, as it runs on the difference.
    direction: Vec2,
}

/// `direction × vector`.
#[inline(always)]
fn value(direction: Vec2, vector: Vec2) -> f64 {
    direction.x * vector.y - direction.y * vector.x
}

/// How wrong [`value`] can be for any vector that is no longer than `size` in either component.
#[inline(always)]
fn error(direction: Vec2, size: Vec2) -> f64 {
    let error = ERROR * (direction.x.abs() * size.y + direction.y.abs() * size.x);
    if error > SMALLEST_ERROR || is_zero(direction, size) {
        error
    } else {
        f64::INFINITY
    }
}

/// Whether no term of the product is anything but zero.
fn is_zero(direction: Vec2, size: Vec2) -> bool {
    (direction.x == 0.0 || size.y == 0.0) && (direction.y == 0.0 || size.x == 0.0)
}

/// The larger of two numbers, in one instruction where neither is NaN.
#[inline(always)]
fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// The smaller of two numbers, likewise.
#[inline(always)]
fn smaller(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

fn vector(from: Point, to: Point) -> Vec2 {
    Vec2::new(to.x - from.x, to.y - from.y)
}

/// The least of several depths, each an overlap over the length of its direction.
struct Shallowest<T> {
    least: Option<(About, Vec2, T)>,
    certain: bool,
}

impl<T> Default for Shallowest<T> {
    fn default() -> Self {
        Self {
            least: None,
            certain: true,
        }
    }
}

impl<T: Copy> Shallowest<T> {
    /// Takes one more into account. It must be certainly shallower or deeper than the least.
    #[inline(always)]
    fn add(&mut self, overlap: About, direction: Vec2, what: T) {
        self.certain &= overlap.is_positive();
        let Some((least, along, _)) = self.least else {
            self.least = Some((overlap, direction, what));
            return;
        };
        let (low, high) = squares(overlap, along);
        let (least_low, least_high) = squares(least, direction);
        if high * SLACK < least_low {
            self.least = Some((overlap, direction, what));
        } else {
            self.certain &= least_high * SLACK < low;
        }
    }

    fn least(self) -> Option<T> {
        let (_, _, what) = self.least.filter(|_| self.certain)?;
        Some(what)
    }
}

/// Bounds on the product of an overlap's square and a direction's.
#[inline(always)]
fn squares(overlap: About, direction: Vec2) -> (f64, f64) {
    let length_squared = direction.x * direction.x + direction.y * direction.y;
    let low = overlap.value - overlap.error;
    let high = overlap.value + overlap.error;
    (low * low * length_squared, high * high * length_squared)
}

/// The rings' edges against each other's vertices, if they are small and of usual size.
struct Field<'r> {
    a: &'r [Point],
    b: &'r [Point],
    /// The width and height of the box round both.
    size: Vec2,
}

impl<'r> Field<'r> {
    fn new(a: &'r [Point], b: &'r [Point]) -> Option<Self> {
        if a.len() * b.len() > LARGEST {
            return None;
        }
        let (mut low, mut high) = (a[0], a[0]);
        for point in a.iter().chain(b) {
            low = Point::new(smaller(low.x, point.x), smaller(low.y, point.y));
            high = Point::new(larger(high.x, point.x), larger(high.y, point.y));
        }
        let size = vector(low, high);
        let larger = size.x.max(size.y);
        (SMALLEST_BOX..LARGEST_BOX)
            .contains(&larger)
            .then_some(Self { a, b, size })
    }

    /// Looks at one edge after the other until told to stop.
    #[inline(always)]
    fn each<R>(&self, mut visit: impl FnMut(Reach) -> ControlFlow<R>) -> ControlFlow<R> {
        for index in 0..self.a.len() {
            let (overlap, direction) = self.reach(self.a.edge(index), self.b);
            visit(Reach {
                owner: Owner::A,
                index,
                overlap,
                direction: -direction,
            })?;
        }
        for index in 0..self.b.len() {
            let (overlap, direction) = self.reach(self.b.edge(index), self.a);
            visit(Reach {
                owner: Owner::B,
                index,
                overlap,
                direction,
            })?;
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn reach(&self, edge: Edge, others: &[Point]) -> (About, Vec2) {
        let direction = vector(edge.start, edge.end);
        let mut most = f64::NEG_INFINITY;
        for &point in others {
            most = larger(most, value(direction, vector(edge.start, point)));
        }
        let overlap = About {
            value: most,
            error: error(direction, self.size),
        };
        (overlap, direction)
    }

    /// The edge with the corner it starts at, if one vertex is certainly the deepest behind it.
    fn named(&self, reach: &Reach) -> Option<Named> {
        let Reach { owner, index, .. } = *reach;
        let (edge, others) = match owner {
            Owner::A => (self.a.edge(index), self.b),
            Owner::B => (self.b.edge(index), self.a),
        };
        let direction = vector(edge.start, edge.end);
        let behind = |point: &Point| value(direction, vector(edge.start, *point));
        let About { value, error } = reach.overlap;
        let close = |point: &&Point| behind(point) >= value - 2.0 * SLACK * error;
        if others.iter().filter(close).count() != 1 {
            return None;
        }
        let deepest = others.iter().position(|point| close(&point))?;
        let corner = match owner {
            Owner::A => Corner {
                a: index,
                b: deepest,
            },
            Owner::B => Corner {
                a: deepest,
                b: index,
            },
        };
        Some((owner, corner))
    }

    /// How far the first shape's leftmost vertex lies to the left of the second's rightmost, seen
    /// along a direction and times its length.
    fn width(&self, [left, right]: [&[Point]; 2], direction: Vec2) -> About {
        let from = self.a[0];
        let across = |point: &Point| value(direction, vector(from, *point));
        let most = left.iter().map(across).fold(f64::NEG_INFINITY, larger);
        let least = right.iter().map(across).fold(f64::INFINITY, smaller);
        About {
            value: most - least,
            error: 3.0 * error(direction, self.size),
        }
    }
}

/// Whether two rings intersect.
pub(super) fn intersects(a: &[Point], b: &[Point]) -> Option<bool> {
    let mut certain = true;
    let outcome = Field::new(a, b)?.each(|reach| {
        if reach.overlap.is_negative() {
            return ControlFlow::Break(());
        }
        certain &= reach.overlap.is_positive();
        ControlFlow::Continue(())
    });
    (outcome.is_break() || certain).then_some(outcome.is_continue())
}

/// What [`super::sat::sat`] looks for.
pub(super) enum Axis {
    Separates(Named),
    Least(Named),
}

/// An edge that separates two rings, or else the one of least overlap.
pub(super) fn sat(a: &[Point], b: &[Point]) -> Option<Axis> {
    let field = Field::new(a, b)?;
    let mut shallowest = Shallowest::default();
    let outcome = field.each(|reach| {
        if reach.overlap.is_negative() {
            return ControlFlow::Break(reach);
        }
        shallowest.add(reach.overlap, reach.direction, reach);
        ControlFlow::Continue(())
    });
    match outcome {
        ControlFlow::Break(reach) => field.named(&reach).map(Axis::Separates),
        ControlFlow::Continue(()) => field.named(&shallowest.least()?).map(Axis::Least),
    }
}

/// What [`super::swept_collision::swept_collision`] looks for.
pub(super) enum Sweep {
    Never,
    Overlap,
    Entry(Named),
}

/// Whether, and through which edge of the difference, the origin enters it.
pub(super) fn swept_collision(a: &[Point], b: &[Point], velocity: Vec2) -> Option<Sweep> {
    let field = Field::new(a, b)?;
    let speed = usual_speed(velocity)?;
    let mut entry: Option<(Bounds, Reach)> = None;
    let mut exit = Bounds::NEVER;
    let mut certain = true;
    let outcome = field.each(|reach| {
        let approach = approach(&reach, velocity, speed);
        let at_end = reach.overlap.plus(approach);
        if reach.overlap.is_negative() && at_end.is_negative() {
            return ControlFlow::Break(());
        } else if reach.overlap.is_negative() && at_end.is_positive() {
            let time = reach.overlap.negated().over(approach);
            if entry.is_none_or(|(latest, _)| time.low > latest.high) {
                entry = Some((time, reach));
            } else {
                certain &= entry.is_some_and(|(latest, _)| time.high < latest.low);
            }
        } else if reach.overlap.is_positive() && approach.is_negative() {
            exit = exit.earlier(reach.overlap.over(approach.negated()));
        } else {
            // Inside an edge, and not leaving it within the frame: no limit.
            certain &= reach.overlap.is_positive() && at_end.is_positive();
        }
        ControlFlow::Continue(())
    });
    match entry {
        _ if outcome.is_break() => Some(Sweep::Never),
        Some((time, _)) if time.low > exit.high => Some(Sweep::Never),
        Some((time, reach)) if certain && time.high < exit.low => {
            field.named(&reach).map(Sweep::Entry)
        }
        None if certain => Some(Sweep::Overlap),
        _ => None,
    }
}

/// How fast the origin comes from outside an edge, times the edge's length.
#[inline(always)]
fn approach(reach: &Reach, velocity: Vec2, speed: Vec2) -> About {
    About {
        value: value(reach.direction, velocity),
        error: error(reach.direction, speed),
    }
}

/// The size of a velocity, unless comparisons could leave the range of floats.
fn usual_speed(velocity: Vec2) -> Option<Vec2> {
    let speed = Vec2::new(velocity.x.abs(), velocity.y.abs());
    let larger = larger(speed.x, speed.y);
    (larger == 0.0 || (SMALLEST_BOX..LARGEST_BOX).contains(&larger)).then_some(speed)
}

/// What [`super::swept_collision::sweep_clearance`] looks for.
pub(super) enum Clearance {
    /// Out through an edge, from the start of the frame or from its end.
    Edge { edge: Named, at_end: bool },
    /// Out to the right of the path.
    Right,
    /// Out to its left.
    Left,
}

/// The axis of least overlap of a sweep.
pub(super) fn sweep_clearance(a: &[Point], b: &[Point], velocity: Vec2) -> Option<Clearance> {
    let field = Field::new(a, b)?;
    let speed = usual_speed(velocity)?;
    let mut shallowest = Shallowest::default();
    if velocity != Vec2::ZERO {
        let (right, left) = (field.width([a, b], velocity), field.width([b, a], velocity));
        shallowest.add(right, velocity, Way::Right);
        shallowest.add(left, velocity, Way::Left);
    }
    let outcome = field.each(|reach| {
        let approach = approach(&reach, velocity, speed);
        let at_end = approach.is_positive();
        if !at_end && !approach.is_negative() && approach.error != 0.0 {
            return ControlFlow::Break(());
        }
        let overlap = if at_end {
            reach.overlap.plus(approach)
        } else {
            reach.overlap
        };
        shallowest.add(overlap, reach.direction, Way::Edge(reach, at_end));
        ControlFlow::Continue(())
    });
    if outcome.is_break() {
        return None;
    }
    Some(match shallowest.least()? {
        Way::Right => Clearance::Right,
        Way::Left => Clearance::Left,
        Way::Edge(reach, at_end) => Clearance::Edge {
            edge: field.named(&reach)?,
            at_end,
        },
    })
}

#[derive(Clone, Copy)]
enum Way {
    Edge(Reach, bool),
    Right,
    Left,
}
