//! The arguments of queries about trajectories.

use std::iter;
use std::marker::PhantomData;
use std::sync::Arc;

use numpy::PyArray1;
use pyo3::prelude::*;

use super::batch_operand::vectors;
use super::errors::tuple;
use super::expected_argument::{Argument, ItemShape};
use super::input_error;
use super::rings_taken_for_rows::looks_like_rings;
use crate::batch::{
    Column, Margins, Obstacles, OnInvalid, Poses, TrajectoryBatch, TrajectoryResult, Validation,
};
use crate::python::batch_call::Batch;
use crate::python::output::Arrays;
use crate::python::queries::joins::velocities;
use crate::python::readers::shape_input::{self, Input};
use crate::python::shapes::{Shapes, from_sequence};
use crate::python::{crs, interruptible};

const ONE_LENGTH: &str = "all need the same number of poses: repeat the last pose of shorter ones";

const STEPS: &str = "velocities that change from step to step are given as obstacle_poses";

/// Answers a query about trajectories of footprints among obstacles.
pub(crate) fn answer<'py, R: TrajectoryResult>(
    mut batch: Batch<'py>,
    [footprints, poses, obstacles]: [&Bound<'py, PyAny>; 3],
) -> PyResult<Arrays> {
    let poses = poses_of("poses", poses, &mut batch)?;
    let footprints = footprints_of(footprints, poses.count, batch.check, batch.on_invalid)?;
    let mut obstacles = obstacles_of(obstacles, poses.steps, &footprints, &mut batch)?;
    let (py, count) = (batch.py, poses.count);
    let margins = batch.keywords.get("margin");
    let margins = margins.map(|it| margins_of(&it, count, &mut obstacles, &mut batch));
    let margins = margins.transpose()?;
    let valid = obstacles.valid().to_vec();
    let trajectories = TrajectoryBatch::<R> {
        footprints,
        poses,
        obstacles,
        margins,
        check: batch.check,
        result: PhantomData,
    };
    let mut arrays = batch.answer(trajectories, &[count])?;
    arrays.valid_obstacles = Some(PyArray1::from_vec(py, valid).into_any().unbind());
    Ok(arrays)
}

/// The margins of all pairs of a trajectory and an obstacle. An obstacle whose margin is invalid is left out, or
/// refused.
fn margins_of<'py>(
    object: &Bound<'py, PyAny>,
    count: usize,
    obstacles: &mut Obstacles,
    batch: &mut Batch<'py>,
) -> PyResult<Margins> {
    let argument = Argument::many("margin", ItemShape::Number).on_invalid(batch.on_invalid);
    let given = vectors(argument, object, &mut batch.claims)?;
    let (shape, others) = (given.named().1.to_vec(), obstacles.valid().len());
    let fits = |(&own, &length): (&usize, &usize)| own == 1 || own == length;
    let (own, of_pairs) = (shape.iter().rev(), [others, count]);
    if shape.len() > 2 || !own.zip(&of_pairs).all(fits) {
        return Err(input_error::value_error(
            "margin",
            format!(
                "expected a number, or shape {} for each obstacle, {} for each trajectory or {} for each \
                 pair, got {}",
                tuple(&[others]),
                tuple(&[count, 1]),
                tuple(&[count, others]),
                tuple(&shape)
            ),
        ));
    }
    // Without obstacles there is still a row for each trajectory.
    let margins = Margins::new(given.source(&[count, others.max(1)], None), &shape, others);
    for obstacle in 0..others {
        if let Err(why) = margins.check_obstacle(obstacle) {
            if batch.check && batch.on_invalid == OnInvalid::Raise {
                return Err(why.into());
            }
            obstacles.leave_out(obstacle);
        }
    }
    Ok(margins)
}

fn obstacles_of<'py>(
    object: &Bound<'py, PyAny>,
    steps: usize,
    footprints: &Column,
    batch: &mut Batch<'py>,
) -> PyResult<Obstacles> {
    let is_of_one_crs = |column: &Column| {
        let names = ["footprints", "obstacles"];
        crs::refuse_different(object.py(), names, [footprints, column])
    };
    let (name, py, check, on_invalid) = ("obstacles", batch.py, batch.check, batch.on_invalid);
    let input = shape_input::classify(object)?;
    let [velocity, poses] = ["velocity", "obstacle_poses"].map(|name| batch.keywords.get(name));
    let Some(poses) = poses else {
        let column = from_sequence::column_of(name, input, py, [check, true], on_invalid)?;
        is_of_one_crs(&column)?;
        let argument = Argument::many("velocity", ItemShape::Vector(2))
            .on_invalid(on_invalid)
            .advising(STEPS);
        let velocity = velocity.map(|it| velocities(argument, &it, name, &column));
        return Ok(Obstacles::drifting(column, steps, velocity.transpose()?)?);
    };
    if velocity.is_some() {
        return Err(input_error::value_error(
            "velocity",
            "given with obstacle_poses, which say how the obstacles move",
        ));
    }
    let poses = poses_of("obstacle_poses", &poses, batch)?;
    let mut column = if input.is_one()? {
        single(name, py, &input, check, on_invalid)?
    } else {
        // Shapes in frames of their own lie within one another.
        from_sequence::column_of(name, input, py, [check, false], on_invalid)?
    };
    is_of_one_crs(&column)?;
    if column.len() == 1 {
        column = column.take(iter::repeat_n(0, poses.count)).into();
    }
    if (poses.count, poses.steps) != (column.len(), steps) {
        return Err(input_error::value_error(
            "obstacle_poses",
            format!(
                "expected shape {}, one pose for each of the {} obstacles at each \
                 of the {steps} poses, got {}{}",
                tuple(&[column.len(), steps, 3]),
                column.len(),
                tuple(&[poses.count, poses.steps, 3]),
                as_holes(&column)
            ),
        ));
    }
    let validation = on_invalid.validation(check);
    let work = interruptible::work(poses.count.saturating_mul(steps), column.longest());
    let threads = batch.threads;
    let job = Some((column, poses));
    let placed = interruptible::run(
        batch.py,
        job,
        work,
        threads,
        move |job, threads, control| {
            let (column, poses) = job.take().expect("run once");
            Obstacles::posed(column, poses, validation, threads, control)
        },
    )??;
    Ok(placed)
}

fn poses_of<'py>(
    name: &'static str,
    object: &Bound<'py, PyAny>,
    batch: &mut Batch<'py>,
) -> PyResult<Poses> {
    let argument = Argument::many(name, ItemShape::Vector(3))
        .on_invalid(batch.on_invalid)
        .advising(ONE_LENGTH);
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
        return Err(input_error::value_error(
            name,
            format!(
                "expected shape ({count}, T, 3), got {}; {advice}",
                tuple(&[leading, &[3]].concat())
            ),
        ));
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

/// A column of one shape.
fn single(
    name: &'static str,
    py: Python<'_>,
    shape: &Input<'_>,
    check: bool,
    on_invalid: OnInvalid,
) -> PyResult<Arc<Column>> {
    let argument = Argument::one(name, ItemShape::Ring).on_invalid(on_invalid);
    let validation = on_invalid.validation(check && on_invalid == OnInvalid::Raise);
    Shapes::examined(name, py, shape_input::polygon(shape, argument)?, validation)
}

/// One footprint for all trajectories, or one each. Those of trajectories that may be masked are not examined
/// here, but at each pose.
fn footprints_of(
    footprints: &Bound<'_, PyAny>,
    count: usize,
    check: bool,
    on_invalid: OnInvalid,
) -> PyResult<Arc<Column>> {
    let (name, py) = ("footprints", footprints.py());
    let input = shape_input::classify(footprints)?;
    let column = if input.is_one()? {
        single(name, py, &input, check, on_invalid)?
    } else if on_invalid == OnInvalid::Mask {
        let rows = from_sequence::sequence(name, input, on_invalid, false)?;
        Shapes::examined(name, py, rows, Validation::Trust)?
    } else {
        from_sequence::column_of(name, input, py, [check, false], on_invalid)?
    };
    if column.len() == 1 || column.len() == count {
        return Ok(column);
    }
    Err(input_error::value_error(
        "footprints",
        format!(
            "expected one, or one for each of {count} trajectories, got {}{}",
            column.len(),
            as_holes(&column)
        ),
    ))
}
