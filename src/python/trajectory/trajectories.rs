//! `Trajectories`: the class.

use std::sync::Arc;

use numpy::{PyArray1, PyArray2, PyArray3, PyArrayMethods};
use pyo3::IntoPyObjectExt;
use pyo3::basic::CompareOp;
use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::batch::{Groups, OnInvalid, Trajectories as Bodies, Validation};
use crate::geom::Bounds;
use crate::python::input::trajectories_argument::{self, examined};
use crate::python::input::{errors, input_error};
use crate::python::output::result_methods::rows;
use crate::python::shapes::Shapes;
use crate::python::shapes::indexing::{Chosen, chosen};
use crate::python::{interruptible, python_calls};

/// An immutable column of bodies in motion: footprints that follow poses.
///
/// They are validated and placed once, and indexed when they are first searched for; `first_contact`,
/// `clearance` and `encounters` take the column as it is. A body is where pose k puts it at step k, and moves on
/// to pose k + 1 if it is present there. Where it is not, nothing is made up: at pose k it is tested where it
/// stands, and it takes no part until it is present again.
///
/// Parameters
/// ----------
/// footprints : array_like of shape (V, 2), or Shapes, or list of shapes
///     The footprint at the pose ``(0, 0, 0)``, or one for each body. A column or a list of one serves all. In
///     a list, a footprint with holes is a list of rings.
/// poses : array_like, shape (K, T, 3)
///     For each of K bodies T poses ``x, y, heading``: the position of the origin, in any unit of length, and the
///     angle from the x axis towards the y axis, in radians. Masked elements count as NaN.
/// present : array_like of bool, shape (K, T), optional
///     Where a body is there. Other poses aren't read. By default a body is absent where all three numbers of its
///     pose are NaN.
/// times : array_like, shape (T,), optional
///     The time at each pose, strictly increasing, in any unit: results then have `at`, one array more to unpack.
/// groups : array_like of int, shape (K,), optional
///     Equal numbers make rows parts of one body, such as a tractor and its trailers: results then have a row for
///     each body, in the order of first appearance, and say which `part` it was.
/// motion : {'straight', 'arc'}, default 'straight'
///     How a body moves from pose to pose. The heading changes uniformly by ``math.remainder(h[k + 1] - h[k],
///     math.tau)``. "straight": the position goes along a straight line, while the body turns about it. "arc": the body
///     turns about the fixed center of the arc through both positions, as a car with a constant steering angle does;
///     see `arc`. The motion is exact for the float64 center; the place where it ends differs from pose k + 1 by
///     rounding.
/// on_invalid : {'raise', 'mask'}, default 'raise'
///     What to do about invalid bodies: raise an error for the first, or make them absent at every pose. `is_valid` and
///     `invalid_reason` then tell which they are and why.
///
/// Raises
/// ------
/// ValueError
///     If a footprint is not valid, or becomes invalid by rounding at a pose; if a pose at which a body is present is
///     NaN or infinite, or the center of an arc is not finite; if there are neither one footprint nor K; if times don't
///     increase; if an argument has the wrong shape or value.
/// TypeError
///     If an argument does not consist of numbers, `present` of booleans, or `groups` of integers.
///
/// See Also
/// --------
/// encounters : which bodies come near each other.
/// first_contact : the first obstacle that each touches.
///
/// Notes
/// -----
/// Poses and boxes are kept, some 100 bytes for each pose; footprints are placed anew where they may touch something.
///
/// Examples
/// --------
/// Two cars, of which the second comes at the second step:
///
/// >>> import math
/// >>> import carom
/// >>> car = [(-2, -1), (2, -1), (2, 1), (-2, 1)]
/// >>> nowhere = (math.nan,) * 3
/// >>> log = carom.Trajectories(car, [
/// ...     [(0, 0, 0), (5, 0, 0), (10, 0, 0)],
/// ...     [nowhere, (14, 0, 0), (14, 0, 0)],
/// ... ])
/// >>> log
/// Trajectories(<2 bodies, 3 poses each, 1 absent, straight>)
/// >>> pairs, step, time, normal, contact = carom.encounters(log)
/// >>> pairs.tolist(), step, time
/// ([[0], [1]], array([1]), array([1.]))
#[pyclass(frozen, module = "carom", sequence)]
pub(crate) struct Trajectories(pub(crate) Arc<Bodies>);

#[pymethods]
impl Trajectories {
    #[new]
    #[pyo3(
        signature = (footprints, poses, *, present=None, times=None, groups=None, motion=None, on_invalid=None),
        text_signature = "(footprints, poses, *, present=None, times=None, groups=None, motion='straight', on_invalid='raise')"
    )]
    fn new(
        footprints: &Bound<'_, PyAny>,
        poses: &Bound<'_, PyAny>,
        present: Option<&Bound<'_, PyAny>>,
        times: Option<&Bound<'_, PyAny>>,
        groups: Option<&Bound<'_, PyAny>>,
        motion: Option<&Bound<'_, PyAny>>,
        on_invalid: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let given = trajectories_argument::Given {
            footprints,
            poses,
            present,
            times,
            groups,
            motion,
            on_invalid,
        };
        given.read().map(Arc::new).map(Self)
    }

    /// The footprint of each body at the pose ``(0, 0, 0)``.
    #[getter]
    fn footprints(&self) -> Shapes {
        Shapes(Arc::new(self.0.each_footprint()))
    }

    /// The poses, shape (K, T, 3); NaN where a body is absent.
    #[getter]
    fn poses<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<f64>>> {
        let (rows, steps) = self.shape();
        errors::memory(rows * steps * size_of::<[f64; 3]>())?;
        let pose = |(row, step)| {
            if self.0.is_present(row, step) {
                self.0.poses.pose(row, step)
            } else {
                [f64::NAN; 3]
            }
        };
        PyArray1::from_iter(py, self.each().flat_map(pose)).reshape([rows, steps, 3])
    }

    /// Whether each body is there at each pose, shape (K, T).
    #[getter]
    fn present<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<bool>>> {
        let (rows, steps) = self.shape();
        errors::memory(rows * steps)?;
        let present = |(row, step)| self.0.is_present(row, step);
        PyArray1::from_iter(py, self.each().map(present)).reshape([rows, steps])
    }

    /// The time at each pose, shape (T,); None if it was not given.
    #[getter]
    fn times<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyArray1<f64>>> {
        let times = self.0.times.as_ref();
        times.map(|times| PyArray1::from_slice(py, times))
    }

    /// The number of the body of each row, shape (K,); None if each row is a body.
    #[getter]
    fn groups<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyArray1<i64>>> {
        let groups = self.0.groups.as_ref();
        groups.map(|groups| PyArray1::from_slice(py, &groups.labels))
    }

    /// How bodies move from pose to pose: "straight" or "arc".
    #[getter]
    fn motion(&self) -> &'static str {
        trajectories_argument::name(self.0.poses.path)
    }

    /// A box around all that each body covers, in rows ``xmin, ymin, xmax, ymax``, shape (K, 4); where it turns, not the
    /// smallest one. NaN if it is nowhere.
    #[getter]
    fn bounds<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        errors::memory(self.0.len() * size_of::<Bounds>())?;
        let work = trajectories_argument::work(&self.0);
        let each = |bodies: &mut Arc<Bodies>, threads: usize, control: &_| {
            bodies.each_bounds(threads, control)
        };
        let bounds = interruptible::run(py, Arc::clone(&self.0), work, None, each)??;
        let numbers = bounds.iter().flat_map(|bounds| {
            if bounds.is_empty() {
                [f64::NAN; 4]
            } else {
                bounds.numbers()
            }
        });
        PyArray1::from_iter(py, numbers).reshape([bounds.len(), 4])
    }

    /// Whether each body is valid, shape (K,): False for those that ``on_invalid="mask"`` made absent.
    #[getter]
    fn is_valid<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        PyArray1::from_iter(py, (0..self.0.len()).map(|row| self.0.is_valid(row)))
    }

    /// What is wrong with each body, an array of object, shape (K,): None for valid ones.
    #[getter]
    fn invalid_reason<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let reasons = python_calls::call(py, "numpy", "full", (self.0.len(), py.None(), "object"))?;
        for (row, why) in self.0.faults() {
            reasons.set_item(row, why)?;
        }
        Ok(reasons)
    }

    /// The bodies at a step, as a column of K rows; those that are absent are missing.
    ///
    /// Parameters
    /// ----------
    /// step : int
    ///     The number of the pose, from 0 to T - 1; negative ones count from the end.
    ///
    /// Returns
    /// -------
    /// Shapes
    ///     The footprints as they are placed there.
    ///
    /// Raises
    /// ------
    /// IndexError
    ///     If there is no such pose.
    /// TypeError
    ///     If `step` is not an integer, such as a time.
    #[pyo3(signature = (step, /), text_signature = "($self, step, /)")]
    fn at(&self, py: Python<'_>, step: &Bound<'_, PyAny>) -> PyResult<Shapes> {
        let steps = self.0.poses.steps;
        let chosen = chosen(step, steps).map_err(|why| {
            if why.is_instance_of::<PyIndexError>(py) {
                input_error::index_error("step", format!("{step} of {steps} poses"))
            } else if why.is_instance_of::<PyTypeError>(py) {
                errors::not_a(step, "step", "an integer, the number of a pose")
            } else {
                why
            }
        });
        let Chosen::Row(step) = chosen? else {
            return Err(errors::not_a(step, "step", "an integer"));
        };
        let column = self.0.at(step);
        Shapes::examined("trajectories", py, column, Validation::Raise).map(Shapes)
    }

    /// Refuses to be an array: NumPy would look for numbers in rows of rows without end.
    #[pyo3(signature = (*_operands, **_keywords))]
    #[allow(clippy::unused_self)] // Python's protocol needs it.
    fn __array__(
        &self,
        _operands: &Bound<'_, PyTuple>,
        _keywords: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<()> {
        Err(PyTypeError::new_err(
            "expected shapes, got Trajectories, which first_contact, clearance and encounters take; \
             their shapes at a step are at(step)",
        ))
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __getitem__(&self, key: &Bound<'_, PyAny>) -> PyResult<Self> {
        let rows = match chosen(key, self.0.len())? {
            Chosen::Row(row) => vec![row],
            Chosen::Run(rows) => rows.collect(),
            Chosen::Listed(rows) => rows,
        };
        errors::memory(rows.len() * self.0.poses.steps * size_of::<[f64; 3]>())?;
        Ok(Self(Arc::new(self.0.take(&rows))))
    }

    fn __iter__<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        rows(this.as_any(), Some(this.get().0.len()))
    }

    fn __richcmp__(
        &self,
        py: Python<'_>,
        other: &Bound<'_, PyAny>,
        comparison: CompareOp,
    ) -> PyResult<Py<PyAny>> {
        let Ok(other) = other.cast::<Self>() else {
            return Ok(py.NotImplemented());
        };
        let are_equal = || self.0 == other.get().0;
        match comparison {
            CompareOp::Eq => are_equal().into_py_any(py),
            CompareOp::Ne => (!are_equal()).into_py_any(py),
            _ => Ok(py.NotImplemented()),
        }
    }

    fn __repr__(&self) -> String {
        let (rows, steps) = self.shape();
        let bodies = if rows == 1 { "body" } else { "bodies" };
        let poses = if steps == 1 { "pose" } else { "poses" };
        let absent = match self
            .each()
            .filter(|&(row, step)| !self.0.is_present(row, step))
            .count()
        {
            0 => String::new(),
            count => format!(", {count} absent"),
        };
        let groups = self.0.groups.as_ref();
        let groups = groups.map_or(String::new(), |it| {
            format!(
                " in {} group{}",
                it.rows.len(),
                if it.rows.len() == 1 { "" } else { "s" }
            )
        });
        let motion = self.motion();
        format!("Trajectories(<{rows} {bodies}{groups}, {steps} {poses} each{absent}, {motion}>)")
    }

    fn __reduce__<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let (py, own) = (this.py(), this.get());
        let state = (
            Shapes(Arc::clone(&own.0.footprints)),
            own.poses(py)?,
            own.present(py)?,
            own.times(py),
            own.groups(py),
            own.motion(),
            own.0.faults().to_vec(),
        );
        let make = this.get_type().getattr("_restored")?;
        (make, state).into_bound_py_any(py)
    }

    /// A column that was pickled.
    #[staticmethod]
    fn _restored(
        footprints: &Bound<'_, Shapes>,
        poses: &Bound<'_, PyAny>,
        present: &Bound<'_, PyAny>,
        times: Option<Vec<f64>>,
        groups: Option<Vec<i64>>,
        motion: &str,
        faults: Vec<(usize, String)>,
    ) -> PyResult<Self> {
        let given = trajectories_argument::Given {
            footprints: footprints.as_any(),
            poses,
            present: Some(present),
            times: None,
            groups: None,
            motion: None,
            on_invalid: None,
        };
        let mut bodies = given.unexamined(OnInvalid::Raise)?;
        bodies.poses.path = trajectories_argument::path(motion)?;
        let fits = |length: Option<usize>, expected| length.is_none_or(|it| it == expected);
        let lengths = [times.as_ref().map(Vec::len), groups.as_ref().map(Vec::len)];
        if !fits(lengths[0], bodies.poses.steps) || !fits(lengths[1], bodies.len()) {
            return Err(errors::internal("times or groups of another length"));
        }
        (bodies.times, bodies.groups) = (times, groups.map(Groups::new));
        let bodies = examined(poses.py(), bodies, Validation::Trust, None)?;
        if faults.iter().any(|(row, _)| *row >= bodies.len()) {
            return Err(errors::internal("a fault of no row"));
        }
        Ok(Self(Arc::new(bodies.with_faults(faults))))
    }

    fn __copy__(this: Bound<'_, Self>) -> Bound<'_, Self> {
        this
    }

    fn __deepcopy__<'py>(this: Bound<'py, Self>, memo: &Bound<'py, PyAny>) -> Bound<'py, Self> {
        let _ = memo;
        this
    }

    /// Bytes of memory that the column takes, with boxes and trees that were made already.
    #[getter]
    fn nbytes(&self) -> usize {
        self.0.nbytes()
    }
}

impl Trajectories {
    fn shape(&self) -> (usize, usize) {
        (self.0.len(), self.0.poses.steps)
    }

    /// Each row with each of its steps.
    fn each(&self) -> impl Iterator<Item = (usize, usize)> {
        let (rows, steps) = self.shape();
        (0..rows).flat_map(move |row| (0..steps).map(move |step| (row, step)))
    }
}
