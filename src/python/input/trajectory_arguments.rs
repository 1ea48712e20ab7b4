//! The arguments of queries about trajectories among obstacles.

use std::iter;
use std::marker::PhantomData;
use std::sync::Arc;

use numpy::PyArray1;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use super::batch_operand::vectors;
use super::errors::{self, tuple};
use super::expected_argument::{Argument, ItemShape};
use super::input_error::{self, Place};
use super::trajectories_argument::{
    as_holes, examined, footprints_of, indexed, plain_poses, single,
};
use crate::batch::{
    Column, Margins, Obstacles, OnInvalid, Query, Trajectories as Bodies, TrajectoryBatch,
    TrajectoryResult, Validation,
};
use crate::python::batch_call::Batch;
use crate::python::buffer::Claims;
use crate::python::crs;
use crate::python::input::keywords::Keywords;
use crate::python::output::Arrays;
use crate::python::queries::joins::velocities;
use crate::python::readers::shape_input;
use crate::python::shapes::from_sequence;
use crate::python::trajectory::trajectories::Trajectories;

const STEPS: &str = "velocities that change from step to step are given as obstacle_poses";

/// The first arguments of a query, by position or by name, and its other keywords.
pub(crate) struct Operands<'py> {
    /// Footprints, or trajectories.
    footprints: Bound<'py, PyAny>,
    poses: Option<Bound<'py, PyAny>>,
    obstacles: Bound<'py, PyAny>,
    keywords: Bound<'py, PyDict>,
}

impl<'py> Operands<'py> {
    /// Reads a call of a function: of trajectories and obstacles, or of footprints, poses and obstacles.
    pub(crate) fn read(
        function: &str,
        positional: &Bound<'py, PyTuple>,
        keywords: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Self> {
        let py = positional.py();
        let keywords = keywords.map_or_else(|| Ok(PyDict::new(py)), PyDictMethods::copy)?;
        let refused = |text: String| {
            let function = Place::of_text(format!("{function}()")).subject();
            Err(input_error::type_error(function, text))
        };
        let others = keywords.copy()?;
        for name in ["footprints", "poses", "obstacles"] {
            let _ = others.call_method1("pop", (name, py.None()))?;
        }
        Keywords::of(function, Some(&others))?;
        let first = match positional.get_item(0) {
            Ok(first) => Some(first),
            Err(_) => keywords.get_item("footprints")?,
        };
        let is_kept = |object: &Bound<'py, PyAny>| {
            unwrapped(object).is_ok_and(|object| object.is_instance_of::<Trajectories>())
        };
        let are_kept = first.is_some_and(|first| is_kept(&first));
        if !are_kept && positional.get_item(1).is_ok_and(|second| is_kept(&second)) {
            let text = "expected an array of poses, got Trajectories, which are the first argument";
            return Err(input_error::type_error("poses", text));
        }
        let names: &[&str] = if are_kept {
            &["footprints", "obstacles"]
        } else {
            &["footprints", "poses", "obstacles"]
        };
        if positional.len() > names.len() {
            let (most, found) = (names.len(), positional.len());
            let of = if are_kept { " of Trajectories" } else { "" };
            return refused(format!(
                "takes {most} positional arguments{of}, got {found}"
            ));
        }
        let mut given = Vec::new();
        for (position, name) in names.iter().enumerate() {
            let named = keywords.get_item(name)?;
            if named.is_some() {
                keywords.del_item(name)?;
            }
            given.push(match (positional.get_item(position).ok(), named) {
                (Some(_), Some(_)) => {
                    return refused(format!("got multiple values for argument '{name}'"));
                }
                (Some(value), None) | (None, Some(value)) => unwrapped(&value)?,
                (None, None) => return refused(format!("missing the argument '{name}'")),
            });
        }
        for name in ["poses", "obstacle_poses"] {
            let Some(given) = keywords.get_item(name)?.filter(|_| are_kept) else {
                continue;
            };
            if !given.is_none() {
                let text = "given with Trajectories, which have poses; obstacles that move may be Trajectories too";
                return Err(input_error::value_error(name, text));
            }
            keywords.del_item(name)?;
        }
        let mut given = given.into_iter();
        let mut next = || given.next().expect("as many as names");
        Ok(Self {
            footprints: next(),
            poses: if are_kept { None } else { Some(next()) },
            obstacles: next(),
            keywords,
        })
    }

    /// Answers the query.
    pub(crate) fn answer<R: TrajectoryResult>(&self, function: &str) -> PyResult<Arrays> {
        let py = self.footprints.py();
        let mut batch = Batch::new::<R>(py, function, Some(&self.keywords))?;
        let bodies = self.bodies(&mut batch)?;
        let mut obstacles = obstacles_of(&self.obstacles, &bodies, &mut batch)?;
        let margins = batch.keywords.get("margin").map(|margin| {
            let checks = (batch.check, batch.on_invalid);
            margins_of(
                &margin,
                bodies.len(),
                &mut obstacles,
                checks,
                &mut batch.claims,
            )
        });
        let margins = margins.transpose()?;
        let taking_part = obstacles.taking_part().to_vec();
        let masked = (!bodies.faults().is_empty()).then(|| Arc::clone(&bodies));
        let query = TrajectoryBatch::<R> {
            bodies,
            obstacles,
            margins,
            check: batch.check,
            result: PhantomData,
        };
        choose_fields(&mut batch, &query)?;
        let count = query.rows();
        let mut arrays = batch.answer(query, &[count])?;
        if let Some(bodies) = masked {
            arrays.valid = Some(valid_bodies(py, &bodies, arrays.valid.as_ref())?);
        }
        arrays.valid_obstacles = Some(PyArray1::from_vec(py, taking_part).into_any().unbind());
        Ok(arrays)
    }

    fn bodies(&self, batch: &mut Batch<'py>) -> PyResult<Arc<Bodies>> {
        let Some(poses) = &self.poses else {
            let kept = self.footprints.cast::<Trajectories>()?;
            return Ok(Arc::clone(&kept.get().0));
        };
        let poses = plain_poses("poses", poses, batch.on_invalid, &mut batch.claims)?;
        let on_invalid = batch.on_invalid;
        // Those of trajectories that may be masked are not examined here, but at each pose.
        let validation = match on_invalid {
            OnInvalid::Raise => on_invalid.validation(batch.check),
            OnInvalid::Mask => Validation::Trust,
        };
        let footprints = footprints_of(&self.footprints, poses.count, validation, on_invalid)?;
        Ok(Arc::new(Bodies::new(footprints, poses)))
    }
}

/// The trajectories of a `carom.interop.logs.Log`; any other object as it is.
pub(crate) fn unwrapped<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    if errors::type_name(object) != "Log" {
        return Ok(object.clone());
    }
    let inner = object.getattr(intern!(object.py(), "trajectories"))?;
    Ok(if inner.is_instance_of::<Trajectories>() {
        inner
    } else {
        object.clone()
    })
}

/// Which bodies were not masked in a column, all their parts, of those that were valid in a call.
fn valid_bodies(py: Python<'_>, bodies: &Bodies, valid: Option<&Py<PyAny>>) -> PyResult<Py<PyAny>> {
    let is_valid = |row: usize| bodies.is_valid(row);
    let kept: Vec<bool> = match &bodies.groups {
        None => (0..bodies.len()).map(is_valid).collect(),
        Some(groups) => {
            let parts = groups.rows.iter();
            parts
                .map(|rows| rows.iter().all(|&row| is_valid(row)))
                .collect()
        }
    };
    let kept = PyArray1::from_vec(py, kept).into_any();
    match valid {
        None => Ok(kept.unbind()),
        Some(valid) => Ok(kept.bitand(valid.bind(py))?.unbind()),
    }
}

/// Leaves out the fields that the bodies don't have, unless they were asked for.
fn choose_fields<R: TrajectoryResult>(
    batch: &mut Batch<'_>,
    query: &TrajectoryBatch<R>,
) -> PyResult<()> {
    let (has_groups, has_times) = (
        query.bodies.groups.is_some(),
        query.obstacles.times_with(&query.bodies).is_some(),
    );
    let position = |name| R::FIELDS.iter().position(|field| field.name == name);
    let [part, at] = ["part", "at"].map(position);
    if batch.keywords.get("fields").is_none() {
        let is_there = |field: &usize| {
            (Some(*field) != part || has_groups) && (Some(*field) != at || has_times)
        };
        batch.fields.retain(is_there);
    } else if !has_times && batch.fields.iter().any(|field| Some(*field) == at) {
        let text = "'at' is a time of Trajectories that were made with times=";
        return Err(input_error::value_error("fields", text));
    }
    Ok(())
}

/// The margins of all pairs of a trajectory and an obstacle. An obstacle whose margin is invalid is left out, or
/// refused.
pub(crate) fn margins_of(
    object: &Bound<'_, PyAny>,
    count: usize,
    obstacles: &mut Obstacles,
    (check, on_invalid): (bool, OnInvalid),
    claims: &mut Claims,
) -> PyResult<Margins> {
    let argument = Argument::many("margin", ItemShape::Number).on_invalid(on_invalid);
    let given = vectors(argument, object, claims)?;
    let (shape, others) = (given.named().1.to_vec(), obstacles.taking_part().len());
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
            if check && on_invalid == OnInvalid::Raise {
                return Err(why.into());
            }
            obstacles.leave_out(obstacle);
        }
    }
    Ok(margins)
}

/// Indexed bodies as the obstacles of others; the names are those of both arguments.
pub(crate) fn moving_obstacles(
    names: [&'static str; 2],
    kept: &Bound<'_, Trajectories>,
    bodies: &Bodies,
    threads: Option<usize>,
) -> PyResult<Obstacles> {
    let (py, others, [_, name]) = (kept.py(), &kept.get().0, names);
    let (steps, found) = (bodies.poses.steps, others.poses.steps);
    if found != steps {
        let text = format!("expected {steps} poses each, as the trajectories have, got {found}");
        return Err(input_error::value_error(name, text));
    }
    if let (Some(own), Some(times)) = (&bodies.times, &others.times)
        && let Some(step) = (0..steps).find(|&step| own[step] != times[step])
    {
        let (own, time) = (own[step], times[step]);
        let text = format!("have the time {time} at pose {step}, the trajectories {own}");
        return Err(input_error::value_error(Place::from(name).subject(), text));
    }
    crs::refuse_different(py, names, [&bodies.footprints, &others.footprints])?;
    Ok(Obstacles::moving(indexed(py, Arc::clone(others), threads)?))
}

fn refuse_other_crs(py: Python<'_>, footprints: &Column, obstacles: &Column) -> PyResult<()> {
    crs::refuse_different(py, ["footprints", "obstacles"], [footprints, obstacles])
}

/// The displacement of obstacles in each step, which may also be called `velocity`.
fn obstacle_velocity<'py>(
    keywords: &Keywords<'py>,
) -> PyResult<Option<(&'static str, Bound<'py, PyAny>)>> {
    let names = ["obstacle_velocity", "velocity"];
    let mut given = names
        .into_iter()
        .filter_map(|name| Some((name, keywords.get(name)?)));
    let first = given.next();
    match given.next() {
        None => Ok(first),
        Some((name, _)) => Err(input_error::value_error(
            name,
            "given with obstacle_velocity, which is the same",
        )),
    }
}

fn obstacles_of<'py>(
    object: &Bound<'py, PyAny>,
    bodies: &Bodies,
    batch: &mut Batch<'py>,
) -> PyResult<Obstacles> {
    let (name, py, check, on_invalid) = ("obstacles", batch.py, batch.check, batch.on_invalid);
    let (steps, threads) = (bodies.poses.steps, batch.threads);
    let velocity = obstacle_velocity(&batch.keywords)?;
    let poses = batch.keywords.get("obstacle_poses");
    if let (Some((velocity, _)), Some(_)) = (&velocity, &poses) {
        let text = "given with obstacle_poses, which say how the obstacles move";
        return Err(input_error::value_error(*velocity, text));
    }
    if let Ok(kept) = object.cast::<Trajectories>() {
        let given = velocity
            .map(|(name, _)| name)
            .or(poses.map(|_| "obstacle_poses"));
        if let Some(given) = given {
            let text = "given with obstacles that are Trajectories, which say how they move";
            return Err(input_error::value_error(given, text));
        }
        return moving_obstacles(["footprints", name], kept, bodies, threads);
    }
    let input = shape_input::classify(object)?;
    let Some(poses) = poses else {
        let column = from_sequence::column_of(name, input, py, [check, true], on_invalid)?;
        refuse_other_crs(py, &bodies.footprints, &column)?;
        let velocity = velocity.map(|(given, velocity)| {
            let argument = Argument::many(given, ItemShape::Vector(2))
                .on_invalid(on_invalid)
                .advising(STEPS);
            velocities(argument, &velocity, name, &column)
        });
        return Ok(Obstacles::drifting(column, steps, velocity.transpose()?)?);
    };
    let poses = plain_poses("obstacle_poses", &poses, on_invalid, &mut batch.claims)?;
    let mut column = if input.is_one()? {
        single(name, py, &input, on_invalid.validation(check), on_invalid)?
    } else {
        // Shapes in frames of their own lie within one another.
        from_sequence::column_of(name, input, py, [check, false], on_invalid)?
    };
    refuse_other_crs(py, &bodies.footprints, &column)?;
    // The rows, and what is known of each.
    errors::memory(poses.count.saturating_mul(4 * size_of::<usize>()))?;
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
    let others = Bodies::new(column, poses);
    let others = examined(py, others, on_invalid.validation(check), threads)?;
    Ok(Obstacles::moving(indexed(py, Arc::new(others), threads)?))
}
