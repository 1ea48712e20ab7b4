//! The arguments that make bodies in motion.

use std::sync::Arc;

use numpy::{PyArrayMethods, PyUntypedArrayMethods};
use pyo3::prelude::*;

use super::batch_operand::vectors;
use super::errors::{self, tuple};
use super::expected_argument::{Argument, ItemShape};
use super::input_error::{self, Place};
use super::keywords;
use super::nested_sequences::asarray;
use super::numpy_arrays::{dtype, is_masked, plain};
use super::rings_taken_for_rows::looks_like_rings;
use super::row_numbers::indices;
use crate::batch::{
    Column, Groups, OnInvalid, OperandRows, PathKind, Poses, Rows, Shared, Trajectories, Validation,
};
use crate::python::buffer::Claims;
use crate::python::buffer::c_unwind_call::call_method;
use crate::python::interruptible;
use crate::python::readers::shape_input::{self, Input};
use crate::python::shapes::{Shapes, from_sequence};

const ONE_LENGTH: &str = "all need the same number of poses: repeat the last pose of shorter ones";

const WITH_GAPS: &str = "all need the same number of poses: of bodies that come and go, the poses where they \
                         are absent are three NaN, or `present` says where they are";

/// The arguments of `Trajectories`.
pub(crate) struct Given<'a, 'py> {
    pub(crate) footprints: &'a Bound<'py, PyAny>,
    pub(crate) poses: &'a Bound<'py, PyAny>,
    pub(crate) present: Option<&'a Bound<'py, PyAny>>,
    pub(crate) times: Option<&'a Bound<'py, PyAny>>,
    pub(crate) groups: Option<&'a Bound<'py, PyAny>>,
    pub(crate) motion: Option<&'a Bound<'py, PyAny>>,
    pub(crate) on_invalid: Option<&'a Bound<'py, PyAny>>,
}

impl Given<'_, '_> {
    /// The bodies, examined.
    pub(crate) fn read(&self) -> PyResult<Trajectories> {
        let on_invalid = self
            .on_invalid
            .map_or(Ok(OnInvalid::Raise), keywords::on_invalid)?;
        let bodies = self.unexamined(on_invalid)?;
        examined(self.poses.py(), bodies, on_invalid.validation(true), None)
    }

    /// The bodies, not examined yet.
    pub(crate) fn unexamined(&self, on_invalid: OnInvalid) -> PyResult<Trajectories> {
        let mut claims = Claims::default();
        let poses = without_mask(self.poses)?;
        let poses = poses_of("poses", &poses, WITH_GAPS, on_invalid, &mut claims)?;
        let shape = [poses.count, poses.steps];
        // Each pose, and whether it is there; and what is known of each body.
        let count = poses.count.saturating_mul(poses.steps);
        let bytes = count.saturating_mul(size_of::<[f64; 3]>() + 1);
        errors::memory(bytes.saturating_add(poses.count.saturating_mul(2 * size_of::<usize>())))?;
        let all = (0..count).map(|at| poses.rows.at(at));
        let present = if let Some(present) = self.present {
            presence(present, &shape)?
        } else {
            all.clone()
                .map(|pose| !pose.iter().all(|number| number.is_nan()))
                .collect()
        };
        let kept = all.zip(&present);
        let kept = kept.map(|(pose, &is_present)| if is_present { pose } else { [f64::NAN; 3] });
        let kept: Shared<[f64; 3]> = Arc::new(kept.collect::<Vec<_>>());
        let rows = OperandRows::new("poses", shape.to_vec(), kept, Rows::Same);
        let poses = Poses {
            rows,
            present: present.contains(&false).then_some(present),
            path: self.motion.map_or(Ok(PathKind::Straight), |motion| {
                let text = motion.extract::<String>();
                path(&text.map_err(|_| errors::not_a(motion, "motion", "a string"))?)
            })?,
            ..poses
        };
        let validation = on_invalid.validation(true);
        let footprints = footprints_of(self.footprints, poses.count, validation, on_invalid)?;
        let times = self.times.map(|times| times_of(times, poses.steps));
        let groups = self.groups.map(|groups| groups_of(groups, poses.count));
        let mut bodies = Trajectories::new(footprints, poses);
        (bodies.times, bodies.groups) = (times.transpose()?, groups.transpose()?);
        Ok(bodies)
    }
}

/// A masked array with NaN in the place of masked elements; anything else as it is.
fn without_mask<'py>(poses: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    if !is_masked(poses)? {
        return Ok(poses.clone());
    }
    let floats = call_method(poses, "astype", ("float64",))?;
    call_method(&floats, "filled", (f64::NAN,))
}

/// Examined bodies.
pub(crate) fn examined(
    py: Python<'_>,
    bodies: Trajectories,
    validation: Validation,
    threads: Option<usize>,
) -> PyResult<Trajectories> {
    let work = work(&bodies);
    let examine = move |job: &mut Option<Trajectories>, threads: usize, control: &_| {
        let mut bodies = job.take().expect("run once");
        bodies
            .examine(validation, threads, control)
            .map(|()| bodies)
    };
    Ok(interruptible::run(
        py,
        Some(bodies),
        work,
        threads,
        examine,
    )??)
}

/// An upper bound of the work to place all bodies at all their poses.
pub(crate) fn work(bodies: &Trajectories) -> usize {
    let poses = bodies.len().saturating_mul(bodies.poses.steps);
    interruptible::work(poses, bodies.footprints.longest())
}

/// Bodies that are indexed.
pub(crate) fn indexed(
    py: Python<'_>,
    bodies: Arc<Trajectories>,
    threads: Option<usize>,
) -> PyResult<Arc<Trajectories>> {
    let work = if bodies.is_indexed() {
        0
    } else {
        work(&bodies)
    };
    let index = |bodies: &mut Arc<Trajectories>, threads: usize, control: &_| {
        bodies.index(threads, control).map(|()| Arc::clone(bodies))
    };
    Ok(interruptible::run(py, bodies, work, threads, index)??)
}

const PATHS: [(&str, PathKind); 2] = [("straight", PathKind::Straight), ("arc", PathKind::Arc)];

/// The kind of path of this name.
pub(crate) fn path(name: &str) -> PyResult<PathKind> {
    let found = PATHS.iter().find(|(known, _)| *known == name);
    found.map(|(_, path)| *path).ok_or_else(|| {
        input_error::value_error(
            "motion",
            format!("expected 'straight' or 'arc', got '{name}'"),
        )
    })
}

/// The name of a kind of path.
pub(crate) fn name(path: PathKind) -> &'static str {
    PATHS[usize::from(path == PathKind::Arc)].0
}

/// Poses of an argument of this name, all present.
pub(crate) fn poses_of(
    name: &'static str,
    object: &Bound<'_, PyAny>,
    advice: &'static str,
    on_invalid: OnInvalid,
    claims: &mut Claims,
) -> PyResult<Poses> {
    let argument = Argument::many(name, ItemShape::Vector(3))
        .on_invalid(on_invalid)
        .advising(advice);
    let given = vectors(argument, object, claims)?;
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
        present: None,
        path: PathKind::Straight,
    })
}

/// Poses of the arguments of one call, without gaps.
pub(crate) fn plain_poses(
    name: &'static str,
    object: &Bound<'_, PyAny>,
    on_invalid: OnInvalid,
    claims: &mut Claims,
) -> PyResult<Poses> {
    poses_of(name, object, ONE_LENGTH, on_invalid, claims)
}

/// Whether each body is there at each pose, from an array of this shape.
fn presence(object: &Bound<'_, PyAny>, shape: &[usize; 2]) -> PyResult<Vec<bool>> {
    let name = "present";
    let array = asarray(object, None)?;
    if dtype(&array).0 != b'b' || is_masked(object)? {
        let found = if is_masked(object)? {
            "a masked array".to_owned()
        } else {
            format!("dtype {}", array.dtype())
        };
        let text = format!("expected an array of booleans, got {found}");
        return Err(input_error::type_error(name, text));
    }
    if array.shape() != shape {
        let (expected, found) = (tuple(shape), tuple(array.shape()));
        let text = format!("expected shape {expected}, one for each pose, got {found}");
        return Err(input_error::value_error(name, text));
    }
    Ok(plain::<bool>(&array, "bool")?.to_vec()?)
}

/// Times that increase strictly, one for each pose.
fn times_of(object: &Bound<'_, PyAny>, steps: usize) -> PyResult<Vec<f64>> {
    let name = "times";
    let argument = Argument::many(name, ItemShape::Number);
    let given = vectors::<f64>(argument, object, &mut Claims::default())?;
    if given.named().1 != [steps] {
        let (expected, found) = (tuple(&[steps]), tuple(given.named().1));
        let text = format!("expected shape {expected}, one for each pose, got {found}");
        return Err(input_error::value_error(name, text));
    }
    let times = given.source(&[steps], None);
    let times: Vec<f64> = (0..steps).map(|step| times.at(step)).collect();
    for (step, time) in times.iter().enumerate() {
        let at = || Place::from(name).row(step).subject();
        if !time.is_finite() {
            return Err(input_error::value_error(
                at(),
                format!("is {time}; it must be finite"),
            ));
        }
        if step > 0 && times[step - 1] >= *time {
            let before = times[step - 1];
            let text = format!("is {time}, after {before}; times must increase");
            return Err(input_error::value_error(at(), text));
        }
    }
    Ok(times)
}

fn groups_of(object: &Bound<'_, PyAny>, count: usize) -> PyResult<Groups> {
    let labels = indices(object, &"groups".into())?.to_vec()?;
    if labels.len() == count {
        return Ok(Groups::new(labels));
    }
    let (expected, found) = (tuple(&[count]), tuple(&[labels.len()]));
    let text = format!("expected shape {expected}, one for each body, got {found}");
    Err(input_error::value_error("groups", text))
}

/// Advice for rows that look like the rings of one polygon.
pub(crate) fn as_holes(column: &Column) -> &'static str {
    if looks_like_rings(column) {
        "; one with holes is a list in a list: [[shell, hole]]"
    } else {
        ""
    }
}

/// A column of one shape.
pub(crate) fn single(
    name: &'static str,
    py: Python<'_>,
    shape: &Input<'_>,
    validation: Validation,
    on_invalid: OnInvalid,
) -> PyResult<Arc<Column>> {
    let argument = Argument::one(name, ItemShape::Ring).on_invalid(on_invalid);
    Shapes::examined(name, py, shape_input::polygon(shape, argument)?, validation)
}

/// One footprint for all bodies, or one each.
pub(crate) fn footprints_of(
    footprints: &Bound<'_, PyAny>,
    count: usize,
    validation: Validation,
    on_invalid: OnInvalid,
) -> PyResult<Arc<Column>> {
    let (name, py) = ("footprints", footprints.py());
    let column = match shape_input::classify(footprints)? {
        Input::Column(column) if on_invalid == OnInvalid::Raise => column,
        input if input.is_one()? => single(name, py, &input, validation, on_invalid)?,
        input => {
            let rows = from_sequence::sequence(name, input, on_invalid, false)?;
            Shapes::examined(name, py, rows, validation)?
        }
    };
    if column.len() == 1 || column.len() == count {
        return Ok(column);
    }
    Err(input_error::value_error(
        name,
        format!(
            "expected one, or one for each of {count} trajectories, got {}{}",
            column.len(),
            as_holes(&column)
        ),
    ))
}
