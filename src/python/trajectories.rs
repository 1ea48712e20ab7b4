//! The arguments of queries about trajectories.

use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::batch::{
    Column, Obstacles, OnInvalid, Poses, Query, QueryResult, TrajectoryBatch, Validation,
};
use crate::python::argument::{Argument, ItemShape};
use crate::python::batch_call::Batch;
use crate::python::errors::tuple;
use crate::python::input;
use crate::python::interruptible;
use crate::python::joins::velocities;
use crate::python::operands::{looks_like_rings, vectors};
use crate::python::output::Arrays;
use crate::python::shapes::Shapes;
use crate::python::shapes::reading;

const ONE_LENGTH: &str = "all need the same number of poses: repeat the last pose of shorter ones";

const STEPS: &str = "velocities that change from step to step are given as obstacle_poses";

/// The arguments of a query about trajectories, as given.
pub(crate) struct Given<'a, 'py> {
    pub footprints: &'a Bound<'py, PyAny>,
    pub poses: &'a Bound<'py, PyAny>,
    pub obstacles: &'a Bound<'py, PyAny>,
    pub velocity: Option<&'a Bound<'py, PyAny>>,
    pub obstacle_poses: Option<&'a Bound<'py, PyAny>>,
}

impl<'py> Given<'_, 'py> {
    /// Answers a query about the trajectories.
    pub(crate) fn answer<Q>(
        self,
        mut batch: Batch<'py>,
        query: impl FnOnce(TrajectoryBatch) -> Q,
    ) -> PyResult<Arrays>
    where
        Q: Query + Send,
        Q::Answer: QueryResult,
    {
        let trajectories = self.read(&mut batch)?;
        let valid = trajectories.obstacles.valid().to_vec();
        let count = trajectories.poses.count;
        let mut arrays = batch.answer(query(trajectories), &[count])?;
        arrays.of_obstacles(self.poses.py(), &valid);
        Ok(arrays)
    }

    fn read(&self, batch: &mut Batch<'py>) -> PyResult<TrajectoryBatch> {
        let (footprints, obstacles) = (self.footprints, self.obstacles);
        let poses = poses("poses", self.poses, batch)?;
        input::refuse_different_crs([("footprints", footprints), ("obstacles", obstacles)])?;
        let footprints = footprints_of(footprints, poses.count)?;
        let obstacles = self.obstacles(poses.steps, batch)?;
        let margin = batch.keywords.get("margin")?;
        let margin = margin.map(|it| {
            let argument = Argument::many("margin", ItemShape::Number);
            vectors(argument, &it, &mut batch.claims)?.per_row("poses", poses.count)
        });
        Ok(TrajectoryBatch {
            footprints,
            poses,
            obstacles,
            margin: margin.transpose()?,
            check: batch.check,
        })
    }

    fn obstacles(&self, steps: usize, batch: &mut Batch<'py>) -> PyResult<Obstacles> {
        let (name, py) = ("obstacles", self.obstacles.py());
        let validation = match batch.on_invalid {
            OnInvalid::Raise => Validation::Raise,
            OnInvalid::Mask => Validation::Mask,
        };
        let column = match input::classify(self.obstacles)? {
            input::Input::Column(column) => column,
            input => {
                // Shapes in frames of their own lie within one another.
                let warns = self.obstacle_poses.is_none();
                let rows = reading::sequence(name, input, batch.on_invalid, warns)?;
                Shapes::examined(name, py, rows, validation)?
            }
        };
        let Some(given) = self.obstacle_poses else {
            let argument = Argument::many("velocity", ItemShape::Vector(2))
                .on_invalid(batch.on_invalid)
                .advising(STEPS);
            let read = |it| velocities(argument, it, name, &column);
            let velocity = self.velocity.map(read).transpose()?;
            return Ok(Obstacles::drifting(column, steps, velocity));
        };
        if self.velocity.is_some() {
            return Err(PyValueError::new_err(
                "velocity: given with obstacle_poses, which say how the obstacles move",
            ));
        }
        let poses = poses("obstacle_poses", given, batch)?;
        if (poses.count, poses.steps) != (column.len(), steps) {
            return Err(PyValueError::new_err(format!(
                "obstacle_poses: expected shape {}, one pose for each of the {} obstacles at each \
                 of the {steps} poses, got {}{}",
                tuple(&[column.len(), steps, 3]),
                column.len(),
                tuple(&[poses.count, poses.steps, 3]),
                as_holes(&column)
            )));
        }
        let validation = if batch.check {
            validation
        } else {
            Validation::Trust
        };
        let work = interruptible::work(poses.count.saturating_mul(steps), column.longest());
        let threads = batch.threads;
        let job = Some((column, poses));
        let placed = interruptible::run(py, job, work, threads, move |job, threads, control| {
            let (column, poses) = job.take().expect("run once");
            Obstacles::posed(column, poses, validation, threads, control)
        })??;
        Ok(placed)
    }
}

fn poses<'py>(
    name: &'static str,
    object: &Bound<'py, PyAny>,
    batch: &mut Batch<'py>,
) -> PyResult<Poses> {
    let argument = Argument::many(name, ItemShape::Vector(3)).advising(ONE_LENGTH);
    let given = vectors(argument, object, &mut batch.claims)?;
    let &[count, steps] = given.named().1 else {
        let leading = given.named().1;
        let (count, of_one) = match name {
            "poses" => ("K", "trajectory"),
            _ => ("M", "obstacle"),
        };
        let advice = match leading {
            [_] => format!("put those of one {of_one} in a list: [{name}]"),
            _ => "a pose is x, y, heading".to_owned(),
        };
        return Err(PyValueError::new_err(format!(
            "{name}: expected shape ({count}, T, 3), got {}; {advice}",
            tuple(&[leading, &[3]].concat())
        )));
    };
    Ok(Poses {
        name,
        rows: given.source(&[count, steps], None),
        count,
        steps,
    })
}

/// Advice for rows that look like the rings of one polygon.
fn as_holes(column: &Column) -> &'static str {
    if looks_like_rings(column) {
        "; one with holes is a list in a list: [[shell, hole]]"
    } else {
        ""
    }
}

/// One footprint for all trajectories, or one each.
fn footprints_of(footprints: &Bound<'_, PyAny>, count: usize) -> PyResult<Arc<Column>> {
    let (name, py) = ("footprints", footprints.py());
    let input = input::classify(footprints)?;
    let is_one = input.is_one()?;
    let column = match input {
        input::Input::Column(column) => column,
        input => {
            let rows = if is_one {
                input::polygon(&input, Argument::one(name, ItemShape::Ring))?
            } else {
                reading::sequence(name, input, OnInvalid::Raise, false)?
            };
            Shapes::examined(name, py, rows, Validation::Raise)?
        }
    };
    if column.len() == 1 || column.len() == count {
        return Ok(column);
    }
    Err(PyValueError::new_err(format!(
        "footprints: expected one, or one for each of {count} trajectories, got {}{}",
        column.len(),
        as_holes(&column)
    )))
}
