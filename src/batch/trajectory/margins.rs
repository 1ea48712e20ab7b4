//! The margins of pairs of a trajectory and an obstacle.

use std::ops::Range;

use crate::batch::{InvalidRow, OperandRows, OutOfMemory, Shared};

/// Distances within which footprints and obstacles count as touching.
#[derive(Debug)]
pub struct Margins {
    /// Of each trajectory and each obstacle, in C order; of each trajectory alone if there are no obstacles.
    rows: OperandRows<Shared<f64>>,
    obstacles: usize,
    differ: Differ,
}

/// What margins depend on.
#[derive(Debug)]
enum Differ {
    /// Between trajectories, or not at all.
    Trajectories,
    /// Between obstacles; the largest of them that is valid.
    Obstacles(f64),
    /// Between pairs; the largest of each trajectory.
    Pairs(Vec<f64>),
}

impl Margins {
    /// The margins that `rows` gives for trajectories and `obstacles` obstacles, of the shape that the caller gave.
    pub fn new(rows: OperandRows<Shared<f64>>, shape: &[usize], obstacles: usize) -> Self {
        let differ = match *shape {
            [.., trajectories, last] if last != 1 && trajectories != 1 => Differ::Pairs(Vec::new()),
            [.., last] if last != 1 => Differ::Obstacles(0.0),
            _ => Differ::Trajectories,
        };
        let mut margins = Self {
            rows,
            obstacles,
            differ,
        };
        if let Differ::Pairs(_) = margins.differ {
            let trajectories = shape[shape.len() - 2];
            let largest = |trajectory| {
                let rows = margins.rows_of(trajectory);
                rows.map(|row| margins.rows.at(row)).fold(0.0, f64::max)
            };
            margins.differ = Differ::Pairs((0..trajectories).map(largest).collect());
        }
        if let Differ::Obstacles(_) = margins.differ {
            let valid = (0..obstacles).filter(|&obstacle| margins.check_obstacle(obstacle).is_ok());
            let largest = valid.map(|obstacle| margins.at(0, obstacle));
            margins.differ = Differ::Obstacles(largest.fold(0.0, f64::max));
        }
        margins
    }

    /// Checks the margin of an obstacle, if all trajectories have it in common.
    ///
    /// # Errors
    ///
    /// If it is negative, infinite or NaN.
    pub fn check_obstacle(&self, obstacle: usize) -> Result<(), InvalidRow> {
        match self.differ {
            Differ::Obstacles(_) => self.rows.check_radius(obstacle),
            Differ::Trajectories | Differ::Pairs(_) => Ok(()),
        }
    }

    /// Whether one margin is that of all pairs.
    pub fn is_one(&self) -> bool {
        self.rows.is_one()
    }

    /// The margins with a copy of the numbers: for queries that outlive the call that gave them.
    ///
    /// # Errors
    ///
    /// If there is no memory for it.
    pub fn owned(self) -> Result<Self, OutOfMemory> {
        let rows = self.rows.owned()?;
        Ok(Self { rows, ..self })
    }

    /// Checks the margins of a trajectory, but those that all trajectories have in common.
    ///
    /// # Errors
    ///
    /// If one is negative, infinite or NaN.
    pub fn check(&self, trajectory: usize) -> Result<(), InvalidRow> {
        let mut rows = self.rows_of(trajectory);
        match self.differ {
            Differ::Trajectories => self.rows.check_radius(rows.start),
            Differ::Obstacles(_) => Ok(()),
            Differ::Pairs(_) => rows.try_for_each(|row| self.rows.check_radius(row)),
        }
    }

    fn rows_of(&self, trajectory: usize) -> Range<usize> {
        let first = trajectory * self.obstacles.max(1);
        first..first + self.obstacles
    }

    /// The margin of a trajectory and an obstacle.
    pub(super) fn at(&self, trajectory: usize, obstacle: usize) -> f64 {
        self.rows.at(trajectory * self.obstacles + obstacle)
    }

    /// The largest margin of a trajectory.
    pub(super) fn largest(&self, trajectory: usize) -> f64 {
        match &self.differ {
            Differ::Trajectories => self.rows.at(self.rows_of(trajectory).start),
            Differ::Obstacles(largest) => *largest,
            Differ::Pairs(largest) => largest[trajectory],
        }
    }
}
