//! The operands of queries about trajectories, and the footprint at each pose.

use std::f64::consts::PI;
use std::marker::PhantomData;
use std::ops::ControlFlow;
use std::sync::Arc;

use super::placed_footprint::{PlacedFootprint, invalid_as_placed};
use super::step::Step;
use crate::batch::{
    ArgumentRow, Column, FieldSet, InvalidRow, Margins, Obstacles, Poses, Query, QueryResult,
};
use crate::geom::Turn;
use crate::invalid_shape::{InvalidRing, InvalidShape};
use crate::shape::Shape;

/// Trajectories with the same number of poses among common obstacles.
#[derive(Debug)]
pub struct TrajectoryBatch<R> {
    /// One footprint for all trajectories, or one each.
    pub footprints: Arc<Column>,
    /// The poses of the trajectories.
    pub poses: Poses,
    /// The obstacles.
    pub obstacles: Obstacles,
    /// Distances within which shapes count as touching, if they are not 0.
    pub margins: Option<Margins>,
    /// Whether poses and placed footprints are validated.
    pub check: bool,
    /// The kind of result, which is the query.
    pub result: PhantomData<R>,
}

/// A result that is computed step by step along a trajectory. The default value is the result
/// before the first step.
pub trait TrajectoryResult: QueryResult + Default {
    /// Takes the next step into account. Breaks if later steps can't change the result.
    fn follow(&mut self, step: &Step<'_>) -> ControlFlow<()>;
}

impl<R: TrajectoryResult> Query for TrajectoryBatch<R> {
    type Answer = R;
    type Cursor<'a> = PlacedFootprint;

    const SEARCHES: bool = true;

    fn rows(&self) -> usize {
        self.poses.count
    }

    fn longest(&self) -> usize {
        self.poses.steps.saturating_mul(self.footprints.longest())
    }

    fn is_slow(&self) -> bool {
        let vertices = self.footprints.longest() + self.obstacles.longest();
        // Headings differ by a half turn at most.
        Turn::is_long(PI, vertices)
    }

    fn cursor(&self, _: FieldSet) -> PlacedFootprint {
        PlacedFootprint::default()
    }

    fn answer(&self, row: usize, placed: &mut PlacedFootprint) -> Result<Option<R>, InvalidRow> {
        if let Err(why) = self.check_numbers(row) {
            return if self.check { Err(why) } else { Ok(None) };
        }
        let footprint = if self.footprints.len() == 1 { 0 } else { row };
        let Some(rings) = self.footprints.rings(footprint) else {
            return self.missing(footprint);
        };
        let mut result = R::default();
        let margins = self.margins.as_ref();
        let largest_margin = margins.map_or(0.0, |margins| margins.largest(row));
        for step in 0..self.poses.steps {
            let pose = self.poses.pose(row, step);
            placed.put(rings, pose);
            let shape = if self.check {
                Shape::new(placed.rings()).map_err(|why| {
                    let at = self.poses.argument_row(row, step);
                    invalid_as_placed(at, why, Some(rings), pose)
                })?
            } else if let Ok(shape) = Shape::trusted(placed.rings()) {
                shape
            } else {
                return Ok(None);
            };
            let turn = self.poses.turn(row, step);
            let step = Step {
                obstacles: &self.obstacles,
                number: step,
                shape: &shape,
                motion: self.poses.motion(row, step),
                turn,
                bounds: turn
                    .bounds(placed.vertices().iter().copied())
                    .grown(placed.rings().radius()),
                margins,
                trajectory: row,
                largest_margin,
            };
            if result.follow(&step).is_break() {
                break;
            }
        }
        Ok(Some(result))
    }
}

impl<R> TrajectoryBatch<R> {
    /// What a footprint without vertices means: it is missing or, where it is not validated yet, unreadable.
    fn missing(&self, footprint: usize) -> Result<Option<R>, InvalidRow> {
        if self.footprints.is_validated() || self.footprints.fault(footprint).is_none() {
            return Ok(None);
        }
        let at = ArgumentRow::row("footprints", &[self.footprints.len()], footprint);
        let why = InvalidRing::Empty;
        Err(InvalidRow::Shape(at, InvalidShape::Ring { ring: 0, why }))
    }

    fn check_numbers(&self, row: usize) -> Result<(), InvalidRow> {
        self.poses.check(row)?;
        self.margins
            .as_ref()
            .map_or(Ok(()), |margins| margins.check(row))
    }
}
