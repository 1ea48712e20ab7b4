//! Some rows of a column of bodies, and their shapes.

use std::sync::{Arc, OnceLock};

use super::groups::Groups;
use super::placed_footprint::PlacedFootprint;
use super::poses::Poses;
use super::trajectories::{Presence, Trajectories};
use crate::batch::{Column, ColumnBuilder, OperandRows, Rows};

/// Columns are equal if their bodies, their poses where they are present, their times and their groups are.
impl PartialEq for Trajectories {
    fn eq(&self, other: &Self) -> bool {
        let labels = |of: &Self| of.groups.as_ref().map(|groups| groups.labels.clone());
        let is_same = |row: usize, step: usize| {
            let is_present = self.is_present(row, step);
            is_present == other.is_present(row, step)
                && (!is_present || self.poses.pose(row, step) == other.poses.pose(row, step))
        };
        let (rows, steps) = (self.len(), self.poses.steps);
        (rows, steps) == (other.len(), other.poses.steps)
            && self.poses.path == other.poses.path
            && self.times == other.times
            && labels(self) == labels(other)
            && (0..rows).all(|row| {
                self.footprint(row) == other.footprint(row)
                    && (0..steps).all(|step| is_same(row, step))
            })
    }
}

impl Trajectories {
    /// Examined bodies of which these rows are masked, in order.
    #[must_use]
    pub fn with_faults(mut self, faults: Vec<(usize, String)>) -> Self {
        for (row, _) in &faults {
            if let Some(presences) = &mut self.examined {
                presences[*row] = Presence::Masked;
            }
        }
        Self { faults, ..self }
    }

    /// Some of the rows, examined like these.
    #[must_use]
    pub fn take(&self, rows: &[usize]) -> Self {
        let Poses { name, steps, .. } = self.poses;
        let all = || {
            rows.iter()
                .flat_map(|&row| (0..steps).map(move |step| (row, step)))
        };
        let present = self.poses.present.as_ref();
        let poses: Vec<_> = all()
            .map(|(row, step)| self.poses.pose(row, step))
            .collect();
        let shape = vec![rows.len(), steps];
        let faults = rows.iter().enumerate().filter_map(|(position, row)| {
            let found = self
                .faults
                .binary_search_by_key(row, |(row, _)| *row)
                .ok()?;
            Some((position, self.faults[found].1.clone()))
        });
        Self {
            footprints: match self.footprints.len() {
                1 => Arc::clone(&self.footprints),
                _ => Arc::new(self.footprints.take(rows.iter().copied())),
            },
            poses: Poses {
                rows: OperandRows::new(name, shape, Arc::new(poses), Rows::Same),
                count: rows.len(),
                present: present.map(|_| {
                    all()
                        .map(|(row, step)| self.poses.is_present(row, step))
                        .collect()
                }),
                ..self.poses
            },
            times: self.times.clone(),
            groups: self
                .groups
                .as_ref()
                .map(|groups| Groups::new(rows.iter().map(|&row| groups.labels[row]).collect())),
            examined: self
                .examined
                .as_ref()
                .map(|them| rows.iter().map(|&row| them[row]).collect()),
            faults: faults.collect(),
            swept: OnceLock::new(),
        }
    }

    /// The footprint of each body.
    pub fn each_footprint(&self) -> Column {
        self.footprints
            .take((0..self.len()).map(|row| self.footprint_row(row)))
    }

    /// The bodies at a pose, not examined; those that are absent are missing.
    pub fn at(&self, step: usize) -> Column {
        let (mut column, mut placed) = (ColumnBuilder::default(), PlacedFootprint::default());
        for row in 0..self.len() {
            let is_there = self.put(&mut placed, row, step);
            column.push_shape(is_there.then(|| placed.rings()));
        }
        column.build().with_crs(self.footprints.crs().cloned())
    }
}
