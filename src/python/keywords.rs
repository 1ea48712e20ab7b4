//! The keywords that all batch functions share.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyString};

use crate::batch::{Field, OnInvalid};
use crate::python::errors::{not_a, unexpected};

const BATCH: &[&str] = &["threads", "check", "on_invalid", "fields", "out"];
const JOIN: &[&str] = &["velocity_a", "velocity_b", "margin", "threads", "progress"];
const TURNS: &[&str] = &["turn_a", "center_a", "turn_b", "center_b"];

/// The keywords that a function takes as a dict.
fn names(function: &str) -> &'static [&'static [&'static str]] {
    match function {
        "candidate_pairs" | "colliding_pairs" => &[JOIN, TURNS, &["max_pairs"]],
        "iter_colliding_pairs" => &[JOIN, TURNS, &["chunk_pairs"]],
        "first_contact" => &[BATCH, &["velocity", "obstacle_poses", "margin"]],
        "clearance" => &[BATCH, &["velocity", "obstacle_poses"]],
        "circle_polygon_batch" | "distance_batch" => &[BATCH, &["pairs"]],
        "intersects_batch" | "sat_batch" | "swept_circle_batch" => &[BATCH, &["pairs", "margin"]],
        "penetration_batch" => &[BATCH, &["pairs", "margin", "direction"]],
        "closest_approach_batch" => &[BATCH, TURNS, &["pairs", "_velocity_b"]],
        "swept_collision_batch" => &[BATCH, TURNS, &["pairs", "margin", "_velocity_b"]],
        // Its result has an array for all rows, not a field for each.
        "contact_intervals_batch" => &[&["threads", "check", "on_invalid", "pairs", "margin"]],
        _ => &[],
    }
}

/// The keywords of a call, by name.
pub(crate) struct Keywords<'py>(Vec<(String, Bound<'py, PyAny>)>);

impl<'py> Keywords<'py> {
    /// Refuses keywords that the function doesn't have.
    pub(crate) fn of(function: &str, given: Option<&Bound<'py, PyDict>>) -> PyResult<Self> {
        let mut keywords = Vec::new();
        for (key, value) in given.into_iter().flatten() {
            let key = key.extract::<String>()?;
            if !names(function).iter().any(|it| it.contains(&key.as_str())) {
                return Err(unexpected(function, &key));
            }
            keywords.push((key, value));
        }
        Ok(Self(keywords))
    }

    /// The value of a keyword; `None` if it was not given, or as None.
    pub(crate) fn get(&self, name: &str) -> Option<Bound<'py, PyAny>> {
        self.given(name).filter(|value| !value.is_none())
    }

    /// The value of a keyword, which may be None.
    pub(crate) fn given(&self, name: &str) -> Option<Bound<'py, PyAny>> {
        let given = self.0.iter().find(|(key, _)| key == name);
        given.map(|(_, value)| value.clone())
    }

    /// How many threads; all cores if `None`.
    pub(crate) fn threads(&self) -> PyResult<Option<usize>> {
        self.get("threads").as_ref().map(threads).transpose()
    }
}

/// The positions of the wanted fields, in field order.
pub(crate) fn wanted(value: &Bound<'_, PyAny>, fields: &[Field]) -> PyResult<Vec<usize>> {
    if let Ok(name) = value.cast::<PyString>() {
        return Err(PyTypeError::new_err(format!(
            "fields: expected a tuple of names, got a string; did you mean fields=({},)?",
            name.repr()?
        )));
    }
    let names = value
        .try_iter()
        .map_err(|_| not_a(value, "fields", "a tuple of names"))?;
    let mut wanted = Vec::new();
    for item in names {
        let item = item?;
        let name = item
            .cast::<PyString>()
            .map_err(|_| not_a(&item, "fields", "names"))?;
        wanted.push(position("fields", name.to_cow()?.as_ref(), fields)?);
    }
    wanted.sort_unstable();
    wanted.dedup();
    Ok(wanted)
}

/// The position of the field of this name, which an argument gives.
pub(crate) fn position(argument: &str, name: &str, fields: &[Field]) -> PyResult<usize> {
    fields
        .iter()
        .position(|field| field.name == name)
        .ok_or_else(|| {
            let names: Vec<_> = fields.iter().map(|field| field.name).collect();
            PyValueError::new_err(format!(
                "{argument}: no field is called '{name}'; the fields are {}",
                names.join(", ")
            ))
        })
}

/// A number of threads; none above what any machine has.
pub(crate) fn threads(value: &Bound<'_, PyAny>) -> PyResult<usize> {
    Ok(integer("threads", value, "an integer or None", 1)?.min(1024))
}

/// An integer of 1 or more.
pub(crate) fn count(name: &str, value: &Bound<'_, PyAny>) -> PyResult<usize> {
    integer(name, value, "an integer", 1)
}

/// An integer of 0 or more, or None.
pub(crate) fn count_from_0(name: &str, value: &Bound<'_, PyAny>) -> PyResult<usize> {
    integer(name, value, "an integer or None", 0)
}

fn integer(name: &str, value: &Bound<'_, PyAny>, expected: &str, least: usize) -> PyResult<usize> {
    let is_integer = !value.is_instance_of::<PyBool>() && value.hasattr("__index__")?;
    if !is_integer {
        return Err(not_a(value, name, expected));
    }
    let count = value.call_method0("__index__")?;
    match count.extract::<usize>() {
        Ok(count) if count >= least => Ok(count),
        _ if count.gt(least)? => Ok(usize::MAX),
        _ => Err(PyValueError::new_err(format!(
            "{name}: expected {least} or more, got {count}"
        ))),
    }
}

/// What is done about invalid rows.
pub(crate) fn on_invalid(value: &Bound<'_, PyAny>) -> PyResult<OnInvalid> {
    let text = value.cast::<PyString>();
    let text = text.map_err(|_| not_a(value, "on_invalid", "a string"))?;
    match text.to_cow()?.as_ref() {
        "raise" => Ok(OnInvalid::Raise),
        "mask" => Ok(OnInvalid::Mask),
        other => Err(PyValueError::new_err(format!(
            "on_invalid: expected 'raise' or 'mask', got '{other}'"
        ))),
    }
}
