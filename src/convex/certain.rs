//! Whole questions in floats: every edge against the vertex of the other ring that lies deepest
//! behind it. In small rings that is sought among all, without a branch per vertex; in large ones
//! it is followed round the ring as the edges turn (Shamos's calipers).
//!
//! One bound on the error serves a whole edge, because no vertex is farther from it than the box
//! round both rings is wide. What the bounds leave open goes to the walk round the difference,
//! which asks exact predicates; what they settle is what that walk would find.

use std::ops::ControlFlow;

use super::minkowski::{Boundary, Corner, Owner};
use super::ring::Cyclic;
use crate::geom::{Displacement, Edge, Motion, Point, Vec2};
use crate::predicates::about::{
    About, Interval, SLACK, cross, cross_error, is_usual, larger, smaller, usual_size, vector,
};
use crate::predicates::{self, Sign};

/// Depths whose squares agree to within this are equally good answers, and the first of them
/// will do: facing parallel edges, which rounding has turned a little, tie in every heap of boxes.
/// A tenth of what the public contract calls equal.
const TIE: f64 = 1e-13;

/// Pairs of vertices up to which looking at all takes less time than following the deepest.
const SMALL: usize = 400;

/// An edge of the difference by the ring it comes from and the corner it starts at.
pub(super) type Named = (Owner, Corner);

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

/// The least of several depths, each an overlap over the length of its direction.
struct Shallowest<T> {
    least: Option<(About, Vec2, T)>,
    /// Whether another is as good.
    tied: bool,
    certain: bool,
}

impl<T> Default for Shallowest<T> {
    fn default() -> Self {
        Self {
            least: None,
            tied: false,
            certain: true,
        }
    }
}

impl<T: Copy> Shallowest<T> {
    /// Takes one more into account. It must be certainly shallower or deeper than the least; if
    /// the two are equally good and no third is, `tie` tells which is the least, should it know.
    #[inline(always)]
    fn add(
        &mut self,
        overlap: About,
        direction: Vec2,
        what: T,
        tie: impl FnOnce(&T, bool) -> Option<bool>,
    ) {
        self.certain &= overlap.is_positive();
        let Some((least, along, first)) = &self.least else {
            self.least = Some((overlap, direction, what));
            return;
        };
        let (low, value, high) = squares(overlap, *along);
        let (least_low, least_value, least_high) = squares(*least, direction);
        let mut replaces = value < least_value;
        let apart = if replaces {
            high * SLACK < least_low
        } else {
            least_high * SLACK < low
        };
        if apart {
            self.tied &= !replaces;
        } else {
            let spread = larger(high, least_high) - smaller(low, least_low);
            match tie(first, replaces) {
                Some(decision) if !self.tied && spread < TIE * low => replaces = decision,
                _ => self.certain = false,
            }
            self.tied = true;
        }
        if replaces {
            self.least = Some((overlap, direction, what));
        }
    }

    fn least(self) -> Option<T> {
        let (_, _, what) = self.least.filter(|_| self.certain)?;
        Some(what)
    }
}

/// The product of an overlap's square and a direction's, between bounds.
#[inline(always)]
fn squares(overlap: About, direction: Vec2) -> (f64, f64, f64) {
    let length_squared = direction.x * direction.x + direction.y * direction.y;
    let low = overlap.value - overlap.error;
    let high = overlap.value + overlap.error;
    let square = |depth: f64| depth * depth * length_squared;
    (square(low), square(overlap.value), square(high))
}

/// The rings' edges against each other's vertices, if they are of usual size.
struct Field<'r> {
    a: &'r [Point],
    b: &'r [Point],
    /// Whether every edge looks at every vertex.
    is_small: bool,
    /// The width and height of the box round both.
    size: Vec2,
}

impl<'r> Field<'r> {
    fn new(a: &'r [Point], b: &'r [Point]) -> Option<Self> {
        let size = usual_size(a.iter().chain(b))?;
        let is_small = a.len() * b.len() <= SMALL;
        Some(Self {
            a,
            b,
            is_small,
            size,
        })
    }

    /// Looks at one edge after the other until told to stop.
    #[inline(always)]
    fn each<R>(&self, mut visit: impl FnMut(Reach) -> ControlFlow<R>) -> ControlFlow<R> {
        let (mut deepest_of_a, mut deepest_of_b) = (0, 0);
        for index in 0..self.a.len() {
            let (overlap, direction) = self.reach(self.a.edge(index), self.b, &mut deepest_of_b);
            visit(Reach {
                owner: Owner::A,
                index,
                overlap,
                direction: -direction,
            })?;
        }
        for index in 0..self.b.len() {
            let (overlap, direction) = self.reach(self.b.edge(index), self.a, &mut deepest_of_a);
            visit(Reach {
                owner: Owner::B,
                index,
                overlap,
                direction,
            })?;
        }
        ControlFlow::Continue(())
    }

    /// The overlap behind an edge; `deepest` is where to begin the search.
    #[inline(always)]
    fn reach(&self, edge: Edge, others: &[Point], deepest: &mut usize) -> (About, Vec2) {
        let direction = vector(edge.start, edge.end);
        let error = cross_error(direction, self.size);
        let depth = |point| cross(direction, vector(edge.start, point));
        let value = if self.is_small {
            let mut most = f64::NEG_INFINITY;
            for &point in others {
                most = larger(most, depth(point));
            }
            most
        } else {
            *deepest = climb(edge, error, others, *deepest);
            depth(others[*deepest])
        };
        (About { value, error }, direction)
    }

    /// The edge with the corner it starts at, which the deepest vertex behind it tells.
    fn named(&self, reach: &Reach) -> Named {
        let Reach { owner, index, .. } = *reach;
        let corner = match owner {
            Owner::A => Corner {
                a: index,
                b: deepest(reach, self.a.edge(index), self.b),
            },
            Owner::B => Corner {
                a: deepest(reach, self.b.edge(index), self.a),
                b: index,
            },
        };
        (owner, corner)
    }

    /// Whether an edge takes the place of an equally good one: of parallel ones, that of `a` stays.
    /// Of one ring's edges that are nearly parallel only one may face the other ring, and bounds
    /// can't tell which.
    #[cold]
    #[inline(never)]
    fn tie(&self, first: &Reach, other: &Reach, is_shallower: bool) -> Option<bool> {
        let edge = |reach: &Reach| match reach.owner {
            Owner::A => self.a.edge(reach.index),
            Owner::B => self.b.edge(reach.index),
        };
        let parallel = || predicates::turn(edge(first), edge(other)) == Sign::Zero;
        (first.owner != other.owner).then(|| is_shallower && !parallel())
    }

    /// How far the first shape's leftmost vertex lies to the left of the second's rightmost, seen
    /// along a direction and times its length.
    fn width(&self, [left, right]: [&[Point]; 2], direction: Vec2) -> About {
        let from = self.a[0];
        let across = |point: &Point| cross(direction, vector(from, *point));
        let most = left.iter().map(across).fold(f64::NEG_INFINITY, larger);
        let least = right.iter().map(across).fold(f64::INFINITY, smaller);
        About {
            value: most - least,
            error: 3.0 * cross_error(direction, self.size),
        }
    }
}

/// The vertex deepest behind an edge, or one of two, by steps that go deeper. Round a convex ring
/// the depth rises once and falls once, so that where no step goes deeper there is nothing deeper.
#[inline]
fn climb(edge: Edge, error: f64, others: &[Point], from: usize) -> usize {
    let direction = vector(edge.start, edge.end);
    let is_deeper = |to: usize, from: usize| {
        let step = cross(direction, vector(others[from], others[to]));
        if step.abs() > error {
            step > 0.0
        } else {
            is_deeper_exactly(edge, others[from], others[to])
        }
    };
    let mut deepest = from;
    while is_deeper(others.next(deepest), deepest) {
        deepest = others.next(deepest);
    }
    if deepest == from {
        while is_deeper(others.previous(deepest), deepest) {
            deepest = others.previous(deepest);
        }
    }
    deepest
}

#[cold]
#[inline(never)]
fn is_deeper_exactly(edge: Edge, from: Point, to: Point) -> bool {
    predicates::cross(edge, Displacement::between(from, to)) == Sign::Positive
}

/// The vertex deepest behind an edge.
///
/// Where an edge of the other ring is parallel, both its ends are deepest. The walk, which
/// takes the edges of `a` first, comes to an edge of `a` from its start, to one of `b` from
/// its end.
fn deepest(reach: &Reach, edge: Edge, others: &[Point]) -> usize {
    let direction = vector(edge.start, edge.end);
    let About { value, error } = reach.overlap;
    let close = |&index: &usize| {
        cross(direction, vector(edge.start, others[index])) >= value - 2.0 * SLACK * error
    };
    let deeper = |best: usize, index: usize| {
        let gap = Displacement::between(others[best], others[index]);
        let follows = others.next(best) == index;
        match predicates::cross(edge, gap) {
            Sign::Positive => index,
            Sign::Zero if follows == (reach.owner == Owner::B) => index,
            _ => best,
        }
    };
    (0..others.len())
        .filter(close)
        .reduce(deeper)
        .unwrap_or_default()
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
        let tie = |first: &Reach, is_shallower| field.tie(first, &reach, is_shallower);
        shallowest.add(reach.overlap, reach.direction, reach, tie);
        ControlFlow::Continue(())
    });
    match outcome {
        ControlFlow::Break(reach) => Some(Axis::Separates(field.named(&reach))),
        ControlFlow::Continue(()) => shallowest
            .least()
            .map(|reach| Axis::Least(field.named(&reach))),
    }
}

/// What [`super::swept_collision::swept_collision`] looks for.
pub(super) enum Sweep {
    Never,
    Overlap,
    Entry(Named),
}

/// Whether, and through which edge of the difference, the origin enters it.
pub(super) fn swept_collision(a: &[Point], b: &[Point], motion: Motion) -> Option<Sweep> {
    let field = Field::new(a, b)?;
    let velocity = motion.rounded();
    let speed = usual_speed(motion)?;
    let mut entry: Option<(Interval, Reach)> = None;
    let mut rival = None;
    let mut exit = Interval::NEVER;
    let mut certain = true;
    let outcome = field.each(|reach| {
        let approach = approach(&reach, velocity, speed);
        let at_end = reach.overlap.plus(approach);
        if reach.overlap.is_negative() && at_end.is_negative() {
            return ControlFlow::Break(());
        } else if reach.overlap.is_negative() && at_end.is_positive() {
            let time = reach.overlap.negated().over(approach);
            let Some((latest, other)) = entry else {
                entry = Some((time, reach));
                return ControlFlow::Continue(());
            };
            if time.low > latest.high {
                (entry, rival) = (Some((time, reach)), None);
            } else if time.high >= latest.low {
                certain &= rival.is_none();
                (entry, rival) = (Some((time.later(latest), other)), Some(reach));
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
            entered(&field, motion, reach, rival).map(Sweep::Entry)
        }
        None if certain => Some(Sweep::Overlap),
        _ => None,
    }
}

/// The edge through which the path enters. Where two come in question, it is the one that the path
/// meets between its ends, exactly.
fn entered(
    field: &Field<'_>,
    velocity: Motion,
    reach: Reach,
    rival: Option<Reach>,
) -> Option<Named> {
    let Some(rival) = rival else {
        return Some(field.named(&reach));
    };
    let boundary = Boundary::convex(field.a, field.b);
    [reach, rival]
        .map(|reach| field.named(&reach))
        .into_iter()
        .find(|&(owner, corner)| boundary.is_entered(&boundary.edge(owner, corner), velocity))
}

/// How fast the origin comes from outside an edge, times the edge's length.
#[inline(always)]
fn approach(reach: &Reach, velocity: Vec2, speed: Vec2) -> About {
    About {
        value: cross(reach.direction, velocity),
        error: cross_error(reach.direction, speed),
    }
}

/// The size of a velocity, unless comparisons could leave the range of floats. What is summed of
/// several parts is rounded more often than [`cross_error`] allows for.
fn usual_speed(velocity: Motion) -> Option<Vec2> {
    let Vec2 { x, y } = velocity.size();
    let factor = if velocity.steps == 0.0 { 1.0 } else { 2.0 };
    let is_zero = velocity.steps == 0.0 && x == 0.0 && y == 0.0;
    (is_zero || is_usual(larger(x, y))).then_some(Vec2::new(x * factor, y * factor))
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
    let speed = usual_speed(velocity.into())?;
    let mut shallowest = Shallowest::default();
    let nearly = |_: &Way, is_shallower| Some(is_shallower);
    if velocity != Vec2::ZERO {
        let (right, left) = (field.width([a, b], velocity), field.width([b, a], velocity));
        shallowest.add(right, velocity, Way::Right, nearly);
        shallowest.add(left, velocity, Way::Left, nearly);
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
        shallowest.add(overlap, reach.direction, Way::Edge(reach, at_end), nearly);
        ControlFlow::Continue(())
    });
    if outcome.is_break() {
        return None;
    }
    Some(match shallowest.least()? {
        Way::Right => Clearance::Right,
        Way::Left => Clearance::Left,
        Way::Edge(reach, at_end) => Clearance::Edge {
            edge: field.named(&reach),
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
