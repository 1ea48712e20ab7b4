//! Bodies in motion: footprints at poses, validated and indexed once.

use std::sync::{Arc, OnceLock};
use std::{iter, mem};

use super::groups::Groups;
use super::placed_footprint::{PlacedFootprint, invalid_as_placed};
use super::poses::Poses;
use super::swept_step::SweptStep;
use crate::batch::column::INDEXED;
use crate::batch::{
    ArgumentRow, CancelToken, Column, InvalidRow, Stop, Validation, memory, thread_pool,
};
use crate::geom::{Bounds, Placement};
use crate::invalid_shape::{InvalidRing, InvalidShape};
use crate::shape::{Rings, Shape};

/// Bodies that all have the same number of poses.
#[derive(Debug)]
pub struct Trajectories {
    /// One footprint for all bodies, or one each.
    pub footprints: Arc<Column>,
    /// The poses.
    pub poses: Poses,
    /// The time at each pose, if it was given.
    pub times: Option<Vec<f64>>,
    /// Which rows are one body, if any are.
    pub groups: Option<Groups>,
    /// Where each body is, once they were examined.
    pub(super) examined: Option<Vec<Presence>>,
    /// The rows that were masked, in order, and what is wrong with each.
    pub(super) faults: Vec<(usize, String)>,
    /// The boxes and trees by which bodies are found, made when they are first needed.
    pub(super) swept: OnceLock<Vec<SweptStep>>,
}

/// Whether a body is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Presence {
    /// At one pose or more.
    Somewhere,
    Nowhere,
    /// It is invalid, and was masked.
    Masked,
}

impl Trajectories {
    /// Bodies that are not examined yet, at poses that have as many rows as there are footprints, unless there is one
    /// for all.
    ///
    /// # Panics
    ///
    /// If there are neither one footprint nor as many as bodies.
    pub fn new(footprints: Arc<Column>, poses: Poses) -> Self {
        assert!(footprints.len() == 1 || footprints.len() == poses.count);
        Self {
            footprints,
            poses,
            times: None,
            groups: None,
            examined: None,
            faults: Vec::new(),
            swept: OnceLock::new(),
        }
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.poses.count
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether the bodies were examined.
    pub fn is_examined(&self) -> bool {
        self.examined.is_some()
    }

    fn presence(&self, row: usize) -> Presence {
        let examined = self.examined.as_ref();
        examined.map_or(Presence::Somewhere, |them| them[row])
    }

    /// Whether a body was not masked.
    pub fn is_valid(&self, row: usize) -> bool {
        self.presence(row) != Presence::Masked
    }

    /// The rows that were masked, in order, and what is wrong with each.
    pub fn faults(&self) -> &[(usize, String)] {
        &self.faults
    }

    /// Whether a body is there at a pose.
    pub fn is_present(&self, row: usize, step: usize) -> bool {
        self.takes_part(row) && self.poses.is_present(row, step)
    }

    /// Whether a body of examined ones is valid and somewhere at all.
    pub fn takes_part(&self, row: usize) -> bool {
        self.presence(row) == Presence::Somewhere
    }

    /// The row of a body's footprint.
    pub(super) fn footprint_row(&self, row: usize) -> usize {
        if self.footprints.len() == 1 { 0 } else { row }
    }

    /// The footprint of a body; `None` if it is missing.
    pub(super) fn footprint(&self, row: usize) -> Option<Rings<'_>> {
        self.footprints.rings(self.footprint_row(row))
    }

    /// Validates the bodies at all their poses. Invalid ones that are masked take no part.
    ///
    /// # Errors
    ///
    /// If cancelled; with [`Validation::Raise`], for the first invalid row.
    pub fn examine(
        &mut self,
        validation: Validation,
        threads: usize,
        control: &CancelToken,
    ) -> Result<(), Stop> {
        let examined =
            |row: usize| match self.examined_row(row, validation != Validation::Trust, control) {
                Err(Stop::Refused(_, why)) => Ok(Err(why)),
                outcome => outcome.map(Ok),
            };
        let rows = (0..self.len()).collect();
        let found: Result<Vec<_>, Stop> = thread_pool::map(rows, threads, examined);
        let mut presences = Vec::with_capacity(self.len());
        for (row, outcome) in found?.into_iter().enumerate() {
            let footprint = self.footprint_row(row);
            presences.push(match outcome {
                Ok(true) => Presence::Somewhere,
                Ok(false) => match self.footprints.fault(footprint) {
                    None => Presence::Nowhere,
                    Some(why) => {
                        self.faults
                            .push((row, format!("footprints[{footprint}]: {why}")));
                        Presence::Masked
                    }
                },
                Err(why) if validation == Validation::Raise => return Err(Stop::Refused(row, why)),
                Err(why) => {
                    self.faults.push((row, why.to_string()));
                    Presence::Masked
                }
            });
        }
        self.examined = Some(presences);
        Ok(())
    }

    /// Whether a body is somewhere at all.
    fn examined_row(&self, row: usize, check: bool, control: &CancelToken) -> Result<bool, Stop> {
        let refused = |why| Stop::Refused(row, why);
        self.poses.check(row).map_err(refused)?;
        let Some(rings) = self.footprint(row) else {
            return self.missing_footprint(row).map(|()| false).map_err(refused);
        };
        let (mut placed, mut is_somewhere) = (PlacedFootprint::default(), false);
        for step in 0..self.poses.steps {
            control.proceed()?;
            if self.poses.is_present(row, step) {
                placed.put(rings, self.poses.pose(row, step));
                let shape = self.placed_shape(&placed, row, step, check);
                is_somewhere |= shape.map_err(refused)?.is_some();
            }
        }
        Ok(is_somewhere)
    }

    /// The shape of a footprint that was placed at a pose; `None` if it is not valid and was not to be checked.
    pub(super) fn placed_shape<'a>(
        &self,
        placed: &'a PlacedFootprint,
        row: usize,
        step: usize,
        check: bool,
    ) -> Result<Option<Shape<'a>>, InvalidRow> {
        if !check {
            return Ok(Shape::trusted(placed.rings()).ok());
        }
        Shape::new(placed.rings()).map(Some).map_err(|why| {
            let at = self.poses.argument_row(row, step);
            invalid_as_placed(at, why, self.footprint(row), self.poses.pose(row, step))
        })
    }

    /// What a footprint without vertices means: it is missing or, where it is not validated yet, unreadable.
    pub(super) fn missing_footprint(&self, row: usize) -> Result<(), InvalidRow> {
        let row = self.footprint_row(row);
        if self.footprints.is_validated() || self.footprints.fault(row).is_none() {
            return Ok(());
        }
        let at = ArgumentRow::row("footprints", &[self.footprints.len()], row);
        let why = InvalidRing::Empty;
        Err(InvalidRow::Shape(at, InvalidShape::Ring { ring: 0, why }))
    }

    /// Bytes for the boxes and trees by which bodies are found.
    fn index_bytes(&self) -> usize {
        let of_step = (self.len() * INDEXED).saturating_add(2 * size_of::<SweptStep>());
        self.poses.steps.saturating_mul(of_step)
    }

    /// Whether the boxes and trees by which bodies are found are kept already.
    pub fn is_indexed(&self) -> bool {
        self.swept.get().is_some()
    }

    /// Makes the boxes and trees by which examined bodies are found, unless they are kept already.
    ///
    /// # Errors
    ///
    /// If cancelled, or if there is no memory for them.
    pub fn index(&self, threads: usize, control: &CancelToken) -> Result<(), Stop> {
        if self.is_indexed() {
            return Ok(());
        }
        memory::check(self.index_bytes())?;
        let swept = |step: usize| {
            control.proceed()?;
            let mut placed = PlacedFootprint::default();
            let boxes = (0..self.len()).map(|row| self.boxes(row, step, &mut placed));
            Ok(SweptStep::new(boxes))
        };
        let steps = (0..self.poses.steps).collect();
        let steps: Result<Vec<_>, Stop> = thread_pool::map(steps, threads, swept);
        // Another thread may have made them meanwhile.
        let _ = self.swept.set(steps?);
        Ok(())
    }

    /// The boxes of the bodies of an indexed column within a step.
    pub(super) fn swept(&self, step: usize) -> &SweptStep {
        &self.swept.get().expect("indexed")[step]
    }

    /// The column of an examined body alone at a pose at which it is.
    pub(super) fn placed(&self, row: usize, step: usize) -> Column {
        let placement = Placement::new(self.poses.pose(row, step));
        let footprint = self.footprints.take(iter::once(self.footprint_row(row)));
        let mut placed = footprint.mapped(|_, vertex| placement.apply(vertex));
        // Trusted rows are not refused; one that can't be read is missing.
        let _ = placed.examine(Validation::Trust, 1);
        placed
    }

    /// The rows of all indexed bodies that are somewhere. Bodies that first appear near each other are next to each other.
    pub(super) fn neighbours(&self) -> Vec<usize> {
        let (mut is_listed, mut rows) = (vec![false; self.len()], Vec::new());
        for step in self.swept.get().expect("indexed") {
            if rows.len() < self.len() {
                let neighbours = step.neighbours();
                rows.extend(neighbours.filter(|&row| !mem::replace(&mut is_listed[row], true)));
            }
        }
        rows
    }

    /// Places the footprint of an examined body at a pose; false if it is not there.
    pub(super) fn put(&self, placed: &mut PlacedFootprint, row: usize, step: usize) -> bool {
        let rings = self.footprint(row);
        let rings = rings.filter(|_| self.takes_part(row) && self.poses.is_present(row, step));
        if let Some(rings) = rings {
            placed.put(rings, self.poses.pose(row, step));
        }
        rings.is_some()
    }

    /// A box around all that each body covers, not the smallest where it turns; empty if it is nowhere.
    ///
    /// # Errors
    ///
    /// If cancelled.
    pub fn each_bounds(&self, threads: usize, control: &CancelToken) -> Result<Vec<Bounds>, Stop> {
        let bounds = |row: usize| {
            control.proceed()?;
            let mut placed = PlacedFootprint::default();
            let steps = 0..self.poses.steps;
            let boxes = steps.map(|step| self.boxes(row, step, &mut placed)[1]);
            Ok(boxes.collect())
        };
        thread_pool::map((0..self.len()).collect(), threads, bounds)
    }

    /// The box that a body sweeps by turning within a step, and by turning and moving; empty if it is absent.
    fn boxes(&self, row: usize, step: usize, placed: &mut PlacedFootprint) -> [Bounds; 2] {
        if !self.put(placed, row, step) {
            return [Bounds::EMPTY; 2];
        }
        let motion = self.poses.motion(row, step);
        let turned = placed.bounds(motion.turn);
        [turned, turned.swept(motion.motion)]
    }

    /// Bytes of memory that the column takes, with the boxes and trees that are kept already.
    pub fn nbytes(&self) -> usize {
        let swept = self.swept.get().map_or(0, |steps| {
            steps.iter().map(SweptStep::nbytes).sum::<usize>()
        });
        let times = self
            .times
            .as_ref()
            .map_or(0, |times| size_of_val(&times[..]));
        let count = self.len() * self.poses.steps;
        let present = self.poses.present.as_ref().map_or(0, |_| count);
        // The label of each row, and its place in its group.
        let groups = self
            .groups
            .as_ref()
            .map_or(0, |_| self.len() * 2 * size_of::<i64>());
        let poses = count * size_of::<[f64; 3]>() + present;
        self.footprints.nbytes() + poses + times + groups + self.len() + swept
    }
}
