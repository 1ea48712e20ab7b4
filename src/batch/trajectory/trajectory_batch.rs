//! Queries about bodies in motion among obstacles, answered step by step.

use std::f64::consts::PI;
use std::marker::PhantomData;
use std::slice;
use std::sync::Arc;

use super::margins::Margins;
use super::obstacles::Obstacles;
use super::placed_footprint::PlacedFootprint;
use super::placed_obstacles::PlacedObstacles;
use super::step::Step;
use super::trajectories::Trajectories;
use crate::batch::{FieldSet, InvalidRow, Query, QueryResult};
use crate::geom::Turn;
use crate::shape::Shape;

/// Bodies among common obstacles. The query is what the result is of.
#[derive(Debug)]
pub struct TrajectoryBatch<R> {
    /// The bodies. Those that are not examined yet are at each of their poses.
    pub bodies: Arc<Trajectories>,
    /// The obstacles.
    pub obstacles: Obstacles,
    /// Distances within which shapes count as touching, if they are not 0.
    pub margins: Option<Margins>,
    /// Whether bodies and margins are validated.
    pub check: bool,
    /// The kind of result.
    pub result: PhantomData<R>,
}

/// A result that is computed step by step. The default value is the result before the first step.
pub trait TrajectoryResult: QueryResult + Default {
    /// Whether one of these fields needs to know more of a contact than its time.
    fn needs_normal(fields: FieldSet) -> bool;

    /// Takes a step into account, of any part of the body, whose shape is given; the other buffer is for obstacles.
    fn follow(&mut self, step: &Step<'_>, shape: &Shape<'_>, placed: &mut PlacedObstacles);

    /// Whether later steps can't change the result.
    fn is_final(&self) -> bool;

    /// Looks up the time on the clock of the poses.
    fn read_clock(&mut self, times: &[f64]);
}

/// What is kept from one row to the next: a footprint and obstacles at poses, and whether normals are wanted.
pub struct Cursor {
    own: PlacedFootprint,
    others: PlacedObstacles,
    with_normal: bool,
}

impl<R: TrajectoryResult> Query for TrajectoryBatch<R> {
    type Answer = R;
    type Cursor<'a> = Cursor;

    const SEARCHES: bool = true;

    fn rows(&self) -> usize {
        let groups = self.bodies.groups.as_ref();
        groups.map_or(self.bodies.len(), |groups| groups.rows.len())
    }

    fn longest(&self) -> usize {
        let footprint = self.bodies.footprints.longest();
        self.bodies.poses.steps.saturating_mul(footprint)
    }

    fn is_slow(&self) -> bool {
        let vertices = self.bodies.footprints.longest() + self.obstacles.longest();
        // Headings differ by a half turn at most.
        Turn::is_long(PI, vertices)
    }

    fn cursor(&self, fields: FieldSet) -> Cursor {
        Cursor {
            own: PlacedFootprint::default(),
            others: PlacedObstacles::default(),
            with_normal: R::needs_normal(fields),
        }
    }

    fn answer(&self, row: usize, cursor: &mut Cursor) -> Result<Option<R>, InvalidRow> {
        let parts = match &self.bodies.groups {
            Some(groups) => &groups.rows[row],
            None => slice::from_ref(&row),
        };
        for &part in parts {
            if let Err(why) = self.check_numbers(part) {
                return if self.check { Err(why) } else { Ok(None) };
            }
        }
        let mut result = R::default();
        let mut has_footprint = false;
        for &part in parts {
            // Of a body of which a part is unknown nothing is certain.
            if !self.bodies.is_valid(part) {
                return Ok(None);
            }
            if self.bodies.footprint(part).is_some() {
                has_footprint = true;
            } else {
                self.bodies.missing_footprint(part)?;
            }
        }
        if !has_footprint {
            return Ok(None);
        }
        for step in 0..self.bodies.poses.steps {
            for &part in parts {
                if !self.follow(&mut result, part, step, cursor)? {
                    return Ok(None);
                }
            }
            if result.is_final() {
                break;
            }
        }
        if let Some(times) = self.obstacles.times_with(&self.bodies) {
            result.read_clock(times);
        }
        Ok(Some(result))
    }
}

impl<R: TrajectoryResult> TrajectoryBatch<R> {
    /// Takes a step of a part of a body into account; false if its shape there is not valid and was not to be checked.
    fn follow(
        &self,
        result: &mut R,
        part: usize,
        step: usize,
        cursor: &mut Cursor,
    ) -> Result<bool, InvalidRow> {
        let bodies = &*self.bodies;
        if !bodies.put(&mut cursor.own, part, step) {
            return Ok(true);
        }
        let check = self.check && !bodies.is_examined();
        let Some(shape) = bodies.placed_shape(&cursor.own, part, step, check)? else {
            return Ok(false);
        };
        let motion = bodies.poses.motion(part, step);
        let step = Step::new(
            (bodies, part),
            step,
            motion,
            cursor.own.bounds(motion.turn),
            (&self.obstacles, self.margins.as_ref()),
            cursor.with_normal,
        );
        result.follow(&step, &shape, &mut cursor.others);
        Ok(true)
    }

    fn check_numbers(&self, row: usize) -> Result<(), InvalidRow> {
        if !self.bodies.is_examined() {
            self.bodies.poses.check(row)?;
        }
        let margins = self.margins.as_ref();
        margins.map_or(Ok(()), |margins| margins.check(row))
    }
}

/// The time on a clock of the poses at a time within a step.
pub(super) fn clock_time(times: &[f64], step: usize, time: f64) -> f64 {
    let start = times[step];
    match times.get(step + 1) {
        Some(end) if time != 0.0 && (end - start).is_finite() => start + time * (end - start),
        // The times are so far apart that their difference overflows.
        Some(end) if time != 0.0 => (1.0 - time) * start + time * end,
        _ => start,
    }
}
