//! Poses of many bodies, and how each moves from one to the next.

use crate::batch::{ArgumentRow, InvalidRow, OperandRows, Shared};
use crate::geom::{ArcStep, Motion, Point, Turn};

/// How a body moves from a pose to the next one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PathKind {
    /// Its position moves along a straight line, and it turns about that position.
    #[default]
    Straight,
    /// It turns about the center of the arc through both positions. Without a turn it moves straight on.
    Arc,
}

/// How a body moves within a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct StepMotion {
    /// The displacement of its position.
    pub motion: Motion,
    /// How it turns.
    pub turn: Turn,
}

impl StepMotion {
    pub(super) const REST: Self = Self {
        motion: Motion::NONE,
        turn: Turn::NONE,
    };
}

/// Poses `[x, y, heading]` of bodies that all have the same number.
#[derive(Debug)]
pub struct Poses {
    /// The name of the argument.
    pub name: &'static str,
    /// Body after body.
    pub rows: OperandRows<Shared<[f64; 3]>>,
    /// Number of bodies.
    pub count: usize,
    /// Number of poses of each.
    pub steps: usize,
    /// Whether each body is there at each of its poses; at all of them if `None`.
    pub present: Option<Vec<bool>>,
    /// How a body moves from a pose to the next one.
    pub path: PathKind,
}

impl Poses {
    /// A pose of a body; without meaning where it is absent.
    pub fn pose(&self, row: usize, step: usize) -> [f64; 3] {
        self.rows.at(row * self.steps + step)
    }

    /// Whether a body has this pose, and is there.
    pub fn is_present(&self, row: usize, step: usize) -> bool {
        let at = row * self.steps + step;
        step < self.steps && self.present.as_ref().is_none_or(|present| present[at])
    }

    /// Whether a body moves on from a pose at which it is.
    pub(super) fn continues(&self, row: usize, step: usize) -> bool {
        self.is_present(row, step + 1)
    }

    pub(super) fn argument_row(&self, row: usize, step: usize) -> ArgumentRow {
        let shape = [self.count, self.steps];
        ArgumentRow::row(self.name, &shape, row * self.steps + step)
    }

    /// Checks that a body's poses are finite, and so are the centers of its arcs.
    pub(super) fn check(&self, row: usize) -> Result<(), InvalidRow> {
        let present = |step: &usize| self.is_present(row, *step);
        for step in (0..self.steps).filter(present) {
            let pose = self.pose(row, step);
            InvalidRow::check_finite(&pose, || self.argument_row(row, step))?;
        }
        let moving = |step: &usize| self.path == PathKind::Arc && self.continues(row, *step);
        for step in (0..self.steps).filter(present).filter(moving) {
            let [from, to] = [step, step + 1].map(|step| self.pose(row, step));
            let arc = ArcStep::between(from, to);
            if arc.turn != 0.0 && !arc.center.is_finite() {
                let [at, next] = [step, step + 1].map(|step| self.argument_row(row, step));
                return Err(InvalidRow::Arc(at, Box::new((next, [from, to]))));
            }
        }
        Ok(())
    }

    /// How a body that is at a pose moves on from it; not at all if it is absent at the next one, or there is none.
    pub(super) fn motion(&self, row: usize, step: usize) -> StepMotion {
        if !self.continues(row, step) {
            return StepMotion::REST;
        }
        let [from, to] = [step, step + 1].map(|step| self.pose(row, step));
        if self.path == PathKind::Arc {
            let ArcStep { turn, center } = ArcStep::between(from, to);
            if turn != 0.0 {
                return StepMotion {
                    motion: Motion::NONE,
                    turn: Turn::new(turn, center),
                };
            }
        }
        let [start, end] = [from, to].map(|[x, y, _]| Point::new(x, y));
        StepMotion {
            motion: Motion::between(start, end),
            turn: Turn::new(ArcStep::turn(from[2], to[2]), start),
        }
    }
}
