//! The keywords that all batch functions share.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyString};

use crate::batch::{Field, OnInvalid, QueryResult};
use crate::python::errors::{not_a, unexpected};
use crate::python::turns::{self, GivenTurn};

/// The values of these keywords.
pub(crate) struct Keywords<'py> {
    /// `pairs` as given.
    pub pairs: Option<Bound<'py, PyAny>>,
    /// Positions of the wanted fields, in field order.
    pub fields: Vec<usize>,
    /// `out` as given.
    pub out: Option<Bound<'py, PyAny>>,
    /// How many threads; all cores if `None`.
    pub threads: Option<usize>,
    /// Whether rows are validated.
    pub check: bool,
    /// What happens to invalid rows.
    pub on_invalid: OnInvalid,
    /// `margin` as given.
    pub margin: Option<Bound<'py, PyAny>>,
    /// `direction` as given.
    pub direction: Option<Bound<'py, PyAny>>,
    /// The turns and their centers as given.
    pub turns: [GivenTurn<'py>; 2],
    /// `_velocity_b` as given, which `carom.interop.geopandas` uses: the displacements of `b`, where
    /// `velocity` are those of `a` alone.
    pub velocity_b: Option<Bound<'py, PyAny>>,
}

/// The functions whose rows are trajectories, not pairs.
const WITHOUT_PAIRS: [&str; 2] = ["first_contact", "clearance"];

/// The function whose result has an array for all rows, not a field for each.
const WITHOUT_FIELDS: &str = "contact_intervals_batch";

/// The functions with the keyword `margin`.
const WITH_MARGIN: [&str; 7] = [
    "contact_intervals_batch",
    "first_contact",
    "intersects_batch",
    "penetration_batch",
    "sat_batch",
    "swept_collision_batch",
    "swept_circle_batch",
];

/// The function with the keyword `direction`.
const WITH_DIRECTION: &str = "penetration_batch";

/// The functions with turns and their centers, and velocities of both operands.
const WITH_TURNS: [&str; 2] = ["closest_approach_batch", "swept_collision_batch"];

impl<'py> Keywords<'py> {
    /// Reads the keywords of the function `name`, whose answers are `R`s.
    pub(crate) fn read<R: QueryResult>(
        name: &str,
        given: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Self> {
        let mut keywords = Self {
            pairs: None,
            fields: (0..R::FIELDS.len()).collect(),
            out: None,
            threads: None,
            check: true,
            on_invalid: OnInvalid::Raise,
            margin: None,
            direction: None,
            turns: Default::default(),
            velocity_b: None,
        };
        for (key, value) in given.into_iter().flatten() {
            let key = key.extract::<String>()?;
            let given = Some(value.clone()).filter(|value| !value.is_none());
            match (key.as_str(), given) {
                ("fields" | "out", _) if name == WITHOUT_FIELDS => {
                    return Err(unexpected(name, &key));
                }
                ("pairs", given) if !WITHOUT_PAIRS.contains(&name) => keywords.pairs = given,
                ("out", given) => keywords.out = given,
                ("margin", given) if WITH_MARGIN.contains(&name) => keywords.margin = given,
                ("direction", given) if name == WITH_DIRECTION => keywords.direction = given,
                ("_velocity_b", given) if WITH_TURNS.contains(&name) => keywords.velocity_b = given,
                ("fields" | "threads", None) => {}
                ("fields", Some(value)) => keywords.fields = wanted(&value, R::FIELDS)?,
                ("threads", Some(value)) => keywords.threads = Some(threads(&value)?),
                ("check", _) => {
                    let check = value.extract();
                    keywords.check = check.map_err(|_| not_a(&value, "check", "a bool"))?;
                }
                ("on_invalid", _) => keywords.on_invalid = on_invalid(&value)?,
                (key, given) => match turns::keyword(key) {
                    Some([side, part]) if WITH_TURNS.contains(&name) => {
                        keywords.turns[side][part] = given;
                    }
                    _ => return Err(unexpected(name, key)),
                },
            }
        }
        Ok(keywords)
    }
}

fn wanted(value: &Bound<'_, PyAny>, fields: &[Field]) -> PyResult<Vec<usize>> {
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
