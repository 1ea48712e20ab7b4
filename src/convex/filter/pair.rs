//! The questions about one pair.

use fearless_simd::prelude::*;
use smallvec::{SmallVec, smallvec};

use super::axis::{Measure, ROUNDINGS};
use super::intersects::intersects;
use super::quad_pair::QuadPair;
use super::sat::{FilteredSat, sat};
use super::support::{EdgeSupport, SupportTable, Verdict};
use super::swept_collision::{FilteredSweep, sweep_clearance, swept_collision};
use crate::convex::minkowski::{Corner, MinkowskiDifference, Owner};
use crate::convex::ring::{Cyclic, span};
use crate::convex::swept_collision::Passage;
use crate::geom::{Displacement, Edge, Motion, Point, Vec2};
use crate::predicates::error_bounds::{box_error, cross_error, vector};
use crate::predicates::{self, Sign};
use crate::simd::instructions::with_instructions;
use crate::simd::lanes::{Lanes, Vectors};

/// Pairs of vertices up to which looking at all takes less time than following the deepest.
const SMALL: usize = 400;

/// An edge of the difference by the ring it comes from and the corner it starts at.
pub(in crate::convex) type EdgeId = (Owner, Corner);

/// The questions about one pair.
pub(in crate::convex) struct Pair<'r> {
    a: &'r [Point],
    b: &'r [Point],
}

impl<'r> Pair<'r> {
    /// Two rings, counterclockwise.
    pub(in crate::convex) fn new(a: &'r [Point], b: &'r [Point]) -> Self {
        Self { a, b }
    }

    /// Whether they intersect.
    pub(in crate::convex) fn intersects(&self) -> Option<bool> {
        let (a, b) = (self.a, self.b);
        let place = Vectors { x: 0.0, y: 0.0 };
        let mut room: SmallVec<[Vectors<f64>; 16]> = smallvec![place; a.len() + b.len()];
        let Verdict { yes, no } = intersects([a, b], span([a, b]), &mut room);
        (yes | no).then_some(yes)
    }

    /// Overlap and the way out, and the edge whose normal that is.
    pub(in crate::convex) fn sat(&self) -> Option<(FilteredSat<f64>, EdgeId)> {
        self.ask(|table| {
            let (sat, axis) = sat(table);
            let named = || self.named(axis.position(table), table.error);
            sat.is_certain.then(|| (sat, named()))
        })
    }

    /// Whether and when the origin enters the difference.
    pub(in crate::convex) fn swept_collision(&self, motion: Motion) -> Option<Passage> {
        let velocity = motion.rounded();
        // What is summed of several parts is rounded more often than the bounds allow for.
        let factor = if motion.steps == 0.0 { 1.0 } else { 2.0 };
        let speed = Vectors::from(motion.size()).map(|size| size * factor);
        self.ask(|table| {
            let is_given = motion.vector().is_some();
            let sweep = swept_collision(table, velocity.into(), speed, is_given);
            sweep.is_certain.then(|| match sweep {
                FilteredSweep {
                    intersects: true, ..
                } => Passage::Overlap,
                FilteredSweep {
                    will_intersect: false,
                    ..
                } => Passage::Never,
                _ => {
                    let entry = self.entry(table, &sweep, motion, speed);
                    Passage::Entry(entry, Some(sweep.time))
                }
            })
        })
    }

    /// The edge that the path enters through. Where two come in question, it is the one that the
    /// path meets between its ends, exactly.
    fn entry(
        &self,
        table: &SupportTable<'_, f64, [Point]>,
        sweep: &FilteredSweep<f64>,
        motion: Motion,
        speed: Vectors<f64>,
    ) -> Option<EdgeId> {
        let doubt = box_error(table.size, speed);
        let fraction = |reach: &EdgeSupport<f64>| {
            let pace = reach.direction.cross(motion.rounded().into());
            (-reach.overlap, pace)
        };
        let (at_least, at_most) = (sweep.gap - table.error, sweep.pace + doubt);
        let may_be_last = |(_, reach): &(usize, &EdgeSupport<f64>)| {
            let (its_gap, its_pace) = fraction(reach);
            (its_gap + table.error) * at_most * (1.0 + ROUNDINGS) >= at_least * (its_pace - doubt)
        };
        let reaches = table.reaches.iter().enumerate();
        let mut candidates = reaches.filter(may_be_last).map(|(position, _)| position);
        let candidates = [candidates.next(), candidates.next(), candidates.next()];
        let named = |position| self.named(position, table.error);
        match candidates {
            [Some(only), None, None] => Some(named(only)),
            [Some(first), Some(second), None] => {
                let difference = MinkowskiDifference::convex(self.a, self.b);
                [first, second]
                    .map(named)
                    .into_iter()
                    .find(|&(owner, corner)| {
                        difference.is_entered(&difference.edge(owner, corner), motion)
                    })
            }
            _ => None,
        }
    }

    /// The way out of a whole sweep.
    pub(in crate::convex) fn sweep_clearance(&self, velocity: Vec2) -> Option<Measure<f64>> {
        self.ask(|table| {
            let clearance = sweep_clearance(table, velocity.into(), true);
            clearance.is_certain.then_some(clearance.measure)
        })
    }

    /// Asks a question of the table of both rings.
    #[inline(always)]
    fn ask<T>(&self, question: impl FnOnce(&SupportTable<'_, f64, [Point]>) -> T) -> T {
        let (a, b) = (self.a, self.b);
        if let (Ok(a), Ok(b)) = (<&[Point; 4]>::try_from(a), <&[Point; 4]>::try_from(b)) {
            return with_instructions!(simd => QuadPair::looked_at(simd, [a, b], question));
        }
        let size = span([a, b]);
        let room = EdgeSupport::room(0.0);
        let mut reaches: SmallVec<[EdgeSupport<f64>; 16]> = smallvec![room; a.len() + b.len()];
        question(&if a.len() * b.len() <= SMALL {
            SupportTable::new([a, b], size, &mut reaches)
        } else {
            SupportTable::by_calipers([a, b], size, &mut reaches)
        })
    }

    /// An edge with the corner it starts at, which the deepest vertex behind it tells.
    fn named(&self, position: usize, error: f64) -> EdgeId {
        match position.checked_sub(self.a.len()) {
            None => {
                let b = deepest(Owner::A, self.a.edge(position), self.b, error);
                (Owner::A, Corner { a: position, b })
            }
            Some(position) => {
                let a = deepest(Owner::B, self.b.edge(position), self.a, error);
                (Owner::B, Corner { a, b: position })
            }
        }
    }
}

impl<'r> SupportTable<'r, f64, [Point]> {
    /// The same as [`Self::new`], where following the deepest vertex round the other ring, as the
    /// edges turn, takes less time than looking at all of them (Shamos's calipers).
    fn by_calipers(
        [a, b]: [&'r [Point]; 2],
        size: Vectors<f64>,
        reaches: &'r mut [EdgeSupport<f64>],
    ) -> Self {
        let (of_a, of_b) = reaches.split_at_mut(a.len());
        let follow =
            |ring: &[Point], others: &[Point], reaches: &mut [EdgeSupport<f64>], sign: f64| {
                let mut deepest = 0;
                for (index, reach) in reaches.iter_mut().enumerate() {
                    let edge = ring.edge(index);
                    deepest = climb(edge, size, others, deepest);
                    let direction = vector(edge.start, edge.end);
                    let gap = vector(edge.start, others[deepest]);
                    reach.start = vector(a[0], edge.start).into();
                    reach.overlap = Vectors::from(direction).cross(gap.into());
                    reach.direction = Vectors::from(direction).map(|component| sign * component);
                }
            };
        follow(a, b, of_a, -1.0);
        follow(b, a, of_b, 1.0);
        let error = box_error(size, size);
        Self {
            rings: [a, b],
            reaches,
            size,
            error,
        }
    }
}

/// The vertex deepest behind an edge, or one of two, by steps that go deeper. Round a convex ring
/// the depth rises once and falls once, so that where no step goes deeper there is nothing deeper.
#[inline]
fn climb(edge: Edge, size: Vectors<f64>, others: &[Point], from: usize) -> usize {
    let direction = vector(edge.start, edge.end);
    let error = cross_error(direction, Vec2::new(size.x, size.y));
    let is_deeper = |to: usize, from: usize| {
        let step = predicates::error_bounds::cross(direction, vector(others[from], others[to]));
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
fn deepest(owner: Owner, edge: Edge, others: &[Point], error: f64) -> usize {
    let direction = vector(edge.start, edge.end);
    let depth = |index: usize| {
        predicates::error_bounds::cross(direction, vector(edge.start, others[index]))
    };
    let depths = (0..others.len()).map(depth);
    let least = depths.fold(f64::NEG_INFINITY, f64::larger) - 3.0 * error;
    let deeper = |best: usize, index: usize| {
        let gap = Displacement::between(others[best], others[index]);
        let follows = others.next(best) == index;
        match predicates::cross(edge, gap) {
            Sign::Positive => index,
            Sign::Zero if follows == (owner == Owner::B) => index,
            _ => best,
        }
    };
    (0..others.len())
        .filter(|&index| depth(index) >= least)
        .reduce(deeper)
        .unwrap_or_default()
}
