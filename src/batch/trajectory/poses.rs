//! Poses of many trajectories, and how a shape moves from one to the next.

use crate::batch::{ArgumentRow, InvalidRow, OperandRows, Shared};
use crate::geom::{ArcStep, Motion, Point, Turn};

/// Poses `[x, y, heading]` of trajectories that all have the same number.
#[derive(Debug)]
pub struct Poses {
    /// The name of the argument.
    pub name: &'static str,
    /// Trajectory after trajectory.
    pub rows: OperandRows<Shared<[f64; 3]>>,
    /// Number of trajectories.
    pub count: usize,
    /// Number of poses of each.
    pub steps: usize,
}

impl Poses {
    pub(super) fn pose(&self, row: usize, step: usize) -> [f64; 3] {
        self.rows.at(row * self.steps + step)
    }

    pub(super) fn argument_row(&self, row: usize, step: usize) -> ArgumentRow {
        let shape = [self.count, self.steps];
        ArgumentRow::row(self.name, &shape, row * self.steps + step)
    }

    /// Checks that a trajectory's poses are finite.
    pub(super) fn check(&self, row: usize) -> Result<(), InvalidRow> {
        (0..self.steps).try_for_each(|step| {
            InvalidRow::check_finite(&self.pose(row, step), || self.argument_row(row, step))
        })
    }

    fn position(&self, row: usize, step: usize) -> Point {
        let [x, y, _] = self.pose(row, step);
        Point::new(x, y)
    }

    /// The motion of the position to the next pose; none at the last one.
    pub(super) fn motion(&self, row: usize, step: usize) -> Motion {
        if step + 1 < self.steps {
            Motion::between(self.position(row, step), self.position(row, step + 1))
        } else {
            Motion::NONE
        }
    }

    /// The turn about the position to the heading of the next pose, the short way round; none at the
    /// last pose.
    pub(super) fn turn(&self, row: usize, step: usize) -> Turn {
        if step + 1 < self.steps {
            let [from, to] = [step, step + 1].map(|step| self.pose(row, step)[2]);
            Turn::new(ArcStep::turn(from, to), self.position(row, step))
        } else {
            Turn::NONE
        }
    }
}
