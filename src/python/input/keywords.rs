//! The keywords that all batch functions share, and what is said about others.

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyString};

use super::errors::{self, not_a};
use super::input_error::{self, Place};
use crate::batch::{Field, OnInvalid};
use crate::shape::Predicate;

const BATCH: &[&str] = &["threads", "check", "on_invalid", "fields", "out"];
const JOIN: &[&str] = &["margin", "threads", "progress"];
const OBSTACLES: &[&str] = &["obstacle_velocity", "obstacle_poses", "velocity"];
const CONSTRUCTOR: &[&str] = &["on_invalid"];
const VELOCITIES: &[&str] = &["velocity_a", "velocity_b"];
const TURNS: &[&str] = &["turn_a", "center_a", "turn_b", "center_b"];

/// The keywords that a function takes as a dict.
fn names(function: &str) -> &'static [&'static [&'static str]] {
    match function {
        "candidate_pairs" => &[JOIN, VELOCITIES, TURNS, &["max_pairs"]],
        // With groups, which `carom.interop.geopandas` gives, only rows of the same group are pairs.
        "colliding_pairs" => &[
            JOIN,
            VELOCITIES,
            TURNS,
            &["max_pairs", "predicate", "_groups"],
        ],
        "iter_colliding_pairs" => &[JOIN, VELOCITIES, TURNS, &["chunk_pairs", "predicate"]],
        "first_contact" => &[BATCH, OBSTACLES, &["margin"]],
        "clearance" => &[BATCH, OBSTACLES],
        "encounters" => &[&["margin", "fields", "max_pairs", "threads"]],
        "circle_polygon_batch" | "distance_batch" | "overlap_area_batch" => &[BATCH, &["pairs"]],
        "intersects_batch" | "sat_batch" => &[BATCH, &["pairs", "margin"]],
        "swept_circle_batch" => &[BATCH, VELOCITIES, &["pairs", "margin"]],
        "penetration_batch" => &[BATCH, &["pairs", "margin", "direction"]],
        "closest_approach_batch" => &[BATCH, VELOCITIES, TURNS, &["pairs"]],
        "swept_collision_batch" => &[BATCH, VELOCITIES, TURNS, &["pairs", "margin"]],
        "predicate_batch" => &[&["threads", "check", "on_invalid", "pairs"]],
        // Its result has an array for all rows, not a field for each.
        "contact_intervals_batch" => &[
            VELOCITIES,
            &["threads", "check", "on_invalid", "pairs", "margin"],
        ],
        "nearest" => &[&["k", "max_distance", "threads"]],
        "ray_cast" => &[&["length", "threads"]],
        "Shapes" | "Shapes.from_ragged" => &[CONSTRUCTOR, &["check"]],
        "Shapes.from_shapely" => &[CONSTRUCTOR, &["check", "drop_z"]],
        "Shapes.from_arrow" => &[CONSTRUCTOR, &["check", "drop_z", "column", "kind"]],
        "Shapes.from_points" | "Shapes.from_segments" | "Shapes.from_paths" => &[CONSTRUCTOR],
        _ => &[],
    }
}

/// Whether a function has a keyword among those of [`names`].
fn has(function: &str, key: &str) -> bool {
    names(function).iter().any(|it| it.contains(&key))
}

/// Whether a function or its twin for many has a keyword.
fn is_known(function: &str, key: &str) -> bool {
    has(function, key) || has(&format!("{function}_batch"), key)
}

/// Refuses keywords that a scalar function has only so that the message can name the alternative.
/// There are few of them: each adds a nanosecond to the call, and a dict for all other keywords
/// a tenth of a microsecond, even if there are none.
pub(crate) fn refuse(function: &str, others: &[(&str, Option<&Bound<'_, PyAny>>)]) -> PyResult<()> {
    let given = others.iter().find(|(_, value)| value.is_some());
    given.map_or(Ok(()), |(key, _)| Err(unexpected(function, key)))
}

/// The error for a keyword that a function doesn't have.
fn unexpected(function: &str, key: &str) -> PyErr {
    let instead = instead_of(function, key);
    let separator = if instead.is_empty() { "" } else { "; " };
    input_error::type_error(
        Place::of_text(format!("{function}()")).subject(),
        format!("got an unexpected keyword argument '{key}'{separator}{instead}"),
    )
}

/// The alternative to a keyword of other functions or libraries, for the message; empty if there is none.
fn instead_of(function: &str, key: &str) -> String {
    let is_turn = TURNS.contains(&key);
    let means_turn = ["angle", "heading", "rotation", "turn", "yaw_rate"].contains(&key);
    let is_join = is_known(function, "progress");
    let query = function.trim_end_matches("_batch");
    let batch = format!("{function}_batch");
    let instead = match (query, key) {
        ("contact_intervals", _) if is_turn => {
            "of shapes that turn, swept_collision finds the first contact and closest_approach the \
             least distance"
        }
        ("first_contact" | "clearance", _) if is_turn || means_turn => {
            "shapes turn by the headings of the poses"
        }
        ("distance", "margin") => "subtract it from the distance, or see intersects, which has one",
        ("clearance", "margin") => {
            "subtract it from the distances, or see first_contact, which has one"
        }
        ("closest_approach", "margin") => {
            "subtract it from the distance, or see swept_collision, which has one"
        }
        ("place", _) if means_turn => "poses are x, y, heading, in radians",
        ("circle_polygon", "margin" | "distance" | "tolerance") => "add it to the radius",
        ("locate", "margin" | "radius") => "circle_polygon_batch has a radius for each point",
        (_, "distance" | "max_distance" | "tolerance") if is_known(function, "margin") => {
            "see margin, the distance at which shapes touch"
        }
        (_, "distance" | "margin" | "tolerance") if is_known(function, "max_distance") => {
            "see max_distance"
        }
        ("distance", "max_distance") => "nearest has it",
        ("ray_cast", "radius" | "margin") => {
            "a thick ray meets what a ray meets of shapes.with_radius(radius)"
        }
        ("nearest", "exclusive") => {
            "carom.interop.geopandas.sjoin_nearest has it; or ask for one neighbor more"
        }
        (
            "Shapes" | "Shapes.from_shapely" | "Shapes.from_arrow" | "Shapes.from_ragged",
            "radius",
        ) => "the method with_radius gives rows a radius",
        ("Shapes", "drop_z") => "Shapes.from_shapely and Shapes.from_arrow have it",
        ("ray_cast", "max_distance" | "distance") => "see length, in units of the direction",
        (_, "velocity" | "turn" | "center") if is_known(function, &format!("{key}_a")) => {
            return format!("see {key}_a and {key}_b");
        }
        (_, "velocities") if is_known(function, "velocity_a") => "see velocity_a and velocity_b",
        _ if means_turn && is_known(function, "turn_a") => "see turn_a and turn_b, in radians",
        ("first_contact" | "clearance", "velocities" | "velocity_a" | "velocity_b") => {
            "see obstacle_velocity"
        }
        ("distance", "velocity" | "velocity_a") => "closest_approach has it",
        ("intersects" | "sat" | "penetration", "velocity" | "velocity_a") => {
            "swept_collision has it"
        }
        ("circle_polygon", "velocity") => "swept_circle has it",
        (_, "align") => "carom.interop.geopandas aligns rows by index label",
        ("candidate_pairs", "predicate") => "colliding_pairs has it",
        ("intersects", "predicate") => "predicate_batch has it",
        ("predicate", "margin") => "intersects_batch has it",
        (_, "predicate" | "how" | "on_attribute" | "lsuffix" | "rsuffix") => {
            "carom.interop.geopandas.sjoin has it"
        }
        _ if has(&batch, key) => return format!("{batch} has it"),
        (_, "fields" | "out" | "pairs") if is_join => {
            "the batch functions take the pairs that it finds, as pairs="
        }
        ("overlap_area", "margin" | "radius" | "velocity") => {
            "the area is that of shapes at rest, without a radius"
        }
        ("place", "check") => "Shapes has it, which takes the result",
        (_, "check" | "on_invalid") => "Shapes has it, whose columns are taken",
        _ => return owner(key).map_or_else(String::new, |owner| format!("{owner} has it")),
    };
    instead.to_owned()
}

/// The function that is most often meant with a keyword which several have; none for those of all batch functions.
fn owner(key: &str) -> Option<&'static str> {
    match key {
        "velocity" => Some("swept_collision"),
        "margin" => Some("intersects"),
        "direction" => Some("penetration"),
        "exclusive" => Some("carom.interop.geopandas.sjoin_nearest"),
        // A keyword that is not public.
        _ if key.starts_with('_') => None,
        _ if has("distance_batch", key) => None,
        _ => [
            "colliding_pairs",
            "iter_colliding_pairs",
            "nearest",
            "ray_cast",
            "first_contact",
            "Shapes.from_shapely",
        ]
        .into_iter()
        .find(|function| has(function, key)),
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
            if !has(function, &key) {
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

    pub(crate) fn boolean(&self, name: &str, default: bool) -> PyResult<bool> {
        self.given(name).map_or(Ok(default), |value| {
            let read = value.extract();
            read.map_err(|_| not_a(&value, name, "a bool"))
        })
    }

    /// A string; `None` if it was not given, or as None.
    pub(crate) fn text(&self, name: &str) -> PyResult<Option<String>> {
        let value = self.get(name);
        let text = value.map(|value| {
            let text = value.extract::<String>();
            text.map_err(|_| not_a(&value, name, "a string"))
        });
        text.transpose()
    }

    /// What is done about invalid rows; by default an error is raised.
    pub(crate) fn on_invalid(&self) -> PyResult<OnInvalid> {
        let given = self.given("on_invalid");
        given.map_or(Ok(OnInvalid::Raise), |value| on_invalid(&value))
    }

    /// How many threads; all cores if `None`.
    pub(crate) fn threads(&self) -> PyResult<Option<usize>> {
        self.get("threads").as_ref().map(threads).transpose()
    }
}

/// The positions of the wanted fields, in field order.
pub(crate) fn wanted(value: &Bound<'_, PyAny>, fields: &[Field]) -> PyResult<Vec<usize>> {
    if let Ok(name) = value.cast::<PyString>() {
        return Err(input_error::type_error(
            "fields",
            format!(
                "expected a tuple of names, got a string; did you mean fields=({},)?",
                name.repr()?
            ),
        ));
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
            input_error::value_error(
                argument,
                format!(
                    "no field is called '{name}'; the fields are {}",
                    names.join(", ")
                ),
            )
        })
}

/// A number of threads; none above what any machine has.
pub(crate) fn threads(value: &Bound<'_, PyAny>) -> PyResult<usize> {
    Ok(integer("threads", value, "an integer or None", 1)?.min(1024))
}

pub(crate) fn count(name: &str, value: &Bound<'_, PyAny>) -> PyResult<usize> {
    integer(name, value, "an integer", 1)
}

pub(crate) fn count_from_0(name: &str, value: &Bound<'_, PyAny>) -> PyResult<usize> {
    integer(name, value, "an integer or None", 0)
}

fn integer(name: &str, value: &Bound<'_, PyAny>, expected: &str, least: usize) -> PyResult<usize> {
    let is_integer = !value.is_instance_of::<PyBool>() && value.hasattr("__index__")?;
    if !is_integer {
        return Err(not_a(value, name, expected));
    }
    let count = value.call_method0("__index__").map_err(|why| {
        // An array has the method, and refuses it unless it is an integer.
        if errors::is_refusal(&why, value.py()) {
            return not_a(value, name, expected);
        }
        why
    })?;
    match count.extract::<usize>() {
        Ok(count) if count >= least => Ok(count),
        _ if count.gt(least)? => Ok(usize::MAX),
        _ => Err(input_error::value_error(
            name,
            format!("expected {least} or more, got {count}"),
        )),
    }
}

/// One of these predicates by its name.
pub(crate) fn predicate(value: &Bound<'_, PyAny>, known: &[Predicate]) -> PyResult<Predicate> {
    let text = value.cast::<PyString>();
    let text = text.map_err(|_| not_a(value, "predicate", "a string"))?;
    let name = text.to_cow()?;
    let found = known.iter().find(|predicate| predicate.name() == name);
    found.copied().ok_or_else(|| {
        let names: Vec<_> = known.iter().map(|it| format!("'{}'", it.name())).collect();
        let names = names.join(", ");
        input_error::value_error(
            "predicate",
            format!("expected one of {names}, got '{name}'"),
        )
    })
}

pub(crate) fn on_invalid(value: &Bound<'_, PyAny>) -> PyResult<OnInvalid> {
    let text = value.cast::<PyString>();
    let text = text.map_err(|_| not_a(value, "on_invalid", "a string"))?;
    match text.to_cow()?.as_ref() {
        "raise" => Ok(OnInvalid::Raise),
        "mask" => Ok(OnInvalid::Mask),
        other => Err(input_error::value_error(
            "on_invalid",
            format!("expected 'raise' or 'mask', got '{other}'"),
        )),
    }
}
