//! `contact_intervals` and `contact_intervals_batch`.

use numpy::{IntoPyArray, PyArrayMethods, PyUntypedArray};
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict, PySlice, PyTuple};
use pyo3::{IntoPyObjectExt, intern};

use crate::batch::queries::moving_queries::ContactIntervalsQuery;
use crate::batch::{IntervalRows, Query, QueryBatch};
use crate::python::batch_call::Batch;
use crate::python::docstrings::{
    batch_end, batch_margin, batch_polygons, batch_velocities, scalar_margin, scalar_polygons,
    scalar_raises, scalar_velocities,
};
use crate::python::input::errors::tuple;
use crate::python::input::keywords::Keywords;
use crate::python::input::numpy_arrays::numpy;
use crate::python::input::velocity_arguments;
use crate::python::interruptible;
use crate::python::output::result_methods::{SHORT, of_other_lengths, rows, values_by_line};
use crate::python::scalar_call::{self, Cost};
use crate::shape::{self, TimeIntervals};

/// When shapes touch, for many pairs: what `contact_intervals_batch` returns.
///
/// ``result[i]`` is the array of the intervals of row i, and iterating gives these; a key that selects
/// several rows, as in NumPy, gives a `ContactIntervals` of those rows. `_astuple()` gives intervals and
/// offsets, for unpacking.
///
/// Attributes
/// ----------
/// intervals : ndarray of float64, shape (K, 2)
///     From when until when, the intervals of one row after those of another, rows in C order.
/// offsets : ndarray of int64, shape (N + 1,)
///     The intervals of row i are ``intervals[offsets[i]:offsets[i + 1]]``.
/// valid : ndarray of bool
///     Which rows had valid operands, over the shape of the rows.
#[pyclass(frozen, module = "carom")]
pub(crate) struct ContactIntervals {
    /// From when until when, the intervals of one row after those of another, rows in C order.
    #[pyo3(get)]
    intervals: Py<PyAny>,
    /// The intervals of row i are ``intervals[offsets[i]:offsets[i + 1]]``.
    #[pyo3(get)]
    offsets: Py<PyAny>,
    /// Which rows had valid operands, over the shape of the rows.
    #[pyo3(get)]
    valid: Py<PyAny>,
}

#[pymethods]
impl ContactIntervals {
    /// A pandas data frame with a row for each interval.
    ///
    /// Parameters
    /// ----------
    /// index : array_like, shape (N,), optional
    ///     The labels of the rows; their numbers, by default.
    ///
    /// Returns
    /// -------
    /// pandas.DataFrame
    ///     The columns ``row``, the label of the interval's row, ``enter`` and ``leave``.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If there are not as many labels as rows, or the rows have several dimensions.
    #[pyo3(signature = (index = None))]
    fn to_pandas<'py>(
        this: &Bound<'py, Self>,
        index: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let pandas = this.py().import("carom.interop.pandas")?;
        pandas.call_method1("frame_of_intervals", (this, index))
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.valid.bind(py).len()
    }

    fn __iter__<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let valid = this.get().valid.bind(this.py());
        let shape: Vec<usize> = valid.getattr("shape")?.extract()?;
        rows(this.as_any(), shape.first().copied())
    }

    /// The intervals of a row, or the result for the rows that any other key selects.
    fn __getitem__<'py>(&self, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let (py, valid) = (key.py(), self.valid.bind(key.py()));
        let (offsets, shape) = (self.offsets.bind(py), valid.getattr("shape")?);
        let last = offsets.len()?.cast_signed() - 1;
        let chosen = |first: isize, after: isize| {
            let of_rows = offsets.get_item(PySlice::new(py, first, after, 1))?;
            of_rows.call_method1("reshape", (&shape,))?.get_item(key)
        };
        let (start, end) = (chosen(0, last)?, chosen(1, last + 1)?);
        let intervals = self.intervals.bind(py);
        if !start.is_instance_of::<PyUntypedArray>() {
            let own = PySlice::new(py, start.extract()?, end.extract()?, 1);
            return intervals.get_item(own);
        }
        let (start, end) = (start.call_method0("ravel")?, end.call_method0("ravel")?);
        let count = end.sub(&start)?;
        let (numpy, ends) = (numpy(py)?, count.call_method0("cumsum")?);
        // How far the intervals of each row move.
        let moves = end.sub(&ends)?.call_method1("repeat", (count,))?;
        let rows = numpy.call_method1("arange", (moves.len()?,))?.add(moves)?;
        let result = Self {
            intervals: intervals.get_item(rows)?.unbind(),
            offsets: numpy.call_method1("append", (0, ends))?.unbind(),
            valid: valid.get_item(key)?.unbind(),
        };
        result.into_bound_py_any(py)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let [intervals, offsets, valid] =
            [&self.intervals, &self.offsets, &self.valid].map(|array| array.bind(py));
        let shape: Vec<usize> = valid.getattr("shape")?.extract()?;
        let (count, ends) = (intervals.len()?, offsets.len()?);
        // An end for each row, and 0.
        if count.max(ends - 1) <= SHORT {
            let shape = PyTuple::new(py, shape)?.into_any();
            let values = [
                ("shape", &shape),
                ("intervals", intervals),
                ("offsets", offsets),
            ];
            let all = valid.call_method0("all")?.is_truthy()?;
            let masked = (!all).then_some(("valid", valid));
            let values = values.into_iter().chain(masked);
            let values = values.map(|(name, value)| (name, Ok(value.clone())));
            return values_by_line("ContactIntervals", values);
        }
        Ok(format!(
            "ContactIntervals(shape={}, intervals=<float64 ({count}, 2)>, offsets=<int64 ({ends},)>)",
            tuple(&shape),
        ))
    }
}

of_other_lengths!(
    ContactIntervals { intervals offsets; valid },
    "`numpy.diff(offsets) > 0`"
);

/// All times at which a moving shape touches another within one frame.
///
/// Time runs from 0, now, to 1, the end of the frame. The number of intervals is exact: those that
/// touch are one, and a single moment of touching is an interval with equal ends. A shape inside
/// a polygon touches it, one in a hole does not.
///
#[doc = scalar_polygons!()]
#[doc = scalar_velocities!()]
#[doc = scalar_margin!()]
///
/// Returns
/// -------
/// ndarray of float64, shape (K, 2)
///     From when until when they touch, in order; 0 exactly if they touch at the start of the frame,
///     and 1 exactly if they touch at its end. Without contact its shape is (0, 2).
///
#[doc = scalar_raises!(
    "if `velocity` is given together with `velocity_a` or `velocity_b`; if a velocity is NaN or"
    "infinite; if the margin is negative, NaN or infinite;"
)]
///
/// See Also
/// --------
/// contact_intervals_batch : the same for many pairs at once.
/// swept_collision : the first contact, with its normal and its points.
/// closest_approach : how near shapes come that never touch.
///
/// Notes
/// -----
/// The times of convex polygons are one interval, since their Minkowski difference is convex; those of
/// other shapes are the union of the intervals of all pairs of edges, and of the times at which one
/// holds a vertex of the other. Times are compared exactly, as fractions. With a radius or a margin
/// gaps in time below 1e-12 may be closed.
///
/// Examples
/// --------
/// >>> import carom
/// >>> square = [(0, 0), (1, 0), (1, 1), (0, 1)]
/// >>> wall = [(3, -5), (4, -5), (4, 5), (3, 5)]
/// >>> carom.contact_intervals(square, wall, (8, 0))
/// array([[0.25, 0.5 ]])
///
/// A fork, which the square passes one tine after the other:
///
/// >>> fork = [(2, -1), (9, -1), (9, 3), (8, 3), (8, 0), (3, 0), (3, 3), (2, 3)]
/// >>> carom.contact_intervals([(0, 1), (1, 1), (1, 2), (0, 2)], fork, (10, 0))
/// array([[0.1, 0.3],
///        [0.7, 0.9]])
///
/// Corners that graze each other touch for a moment:
///
/// >>> diamond = [(0, -1), (1, 0), (0, 1), (-1, 0)]
/// >>> carom.contact_intervals(diamond, [(3, 1), (4, 2), (3, 3), (2, 2)], (6, 0))
/// array([[0.5, 0.5]])
#[pyfunction(
    signature = (a, b, velocity = None, *, velocity_a = None, velocity_b = None, margin = None, **others),
    text_signature = "(a, b, velocity=None, *, velocity_a=None, velocity_b=None, margin=0.0)"
)]
pub(crate) fn contact_intervals<'py>(
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    velocity: Option<&Bound<'py, PyAny>>,
    velocity_a: Option<&Bound<'py, PyAny>>,
    velocity_b: Option<&Bound<'py, PyAny>>,
    margin: Option<&Bound<'py, PyAny>>,
    others: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    Keywords::of("contact_intervals", others)?;
    let velocity = velocity_arguments::scalar([velocity, velocity_a, velocity_b])?;
    let margin = scalar_call::margin(margin)?;
    let intervals = scalar_call::polygons([a, b], Cost::Search, move |a, b| {
        Ok(shape::contact_intervals(a, b, velocity, margin))
    })?;
    array(a.py(), intervals.as_flattened().to_vec())
}

/// `contact_intervals` for many pairs of shapes at once.
///
/// Each row has the result of `contact_intervals`, bit for bit.
///
#[doc = batch_polygons!()]
#[doc = batch_velocities!()]
#[doc = batch_margin!()]
#[doc = batch_end!("", "no interval", "ContactIntervals", "The `intervals` of all rows, an array of shape (K, 2), and the `offsets` of the rows in it, an
    array of shape (N + 1,). ``result[i]`` has the intervals of row i; iterating gives these.", "contact_intervals : one pair.";
    "if `velocity` is given together with `velocity_a` or `velocity_b`; if a velocity is NaN or";
    "infinite; if a margin is negative, NaN or infinite;")]
///
/// Examples
/// --------
/// >>> import carom
/// >>> square = [(0, 0), (1, 0), (1, 1), (0, 1)]
/// >>> wall = [(3, -5), (4, -5), (4, 5), (3, 5)]
/// >>> result = carom.contact_intervals_batch(square, wall, [(8, 0), (1, 0), (2, 0)])
/// >>> result.intervals
/// array([[0.25, 0.5 ],
///        [1.  , 1.  ]])
/// >>> result.offsets
/// array([0, 1, 1, 2])
/// >>> result[2]
/// array([[1., 1.]])
/// >>> result[1:].offsets
/// array([0, 0, 1])
#[pyfunction(
    signature = (a, b, velocity = None, **keywords),
    text_signature = "(a, b, velocity=None, *, velocity_a=None, velocity_b=None, margin=0.0, pairs=None, threads=None, check=True, on_invalid='raise')"
)]
pub(crate) fn contact_intervals_batch<'py>(
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    velocity: Option<&Bound<'py, PyAny>>,
    keywords: Option<&Bound<'py, PyDict>>,
) -> PyResult<ContactIntervals> {
    let py = a.py();
    let mut batch =
        Batch::new::<TimeIntervals>(py, "contact_intervals_batch", keywords)?.moving(velocity)?;
    let (operands, shape) = batch.pairs([a, b])?;
    let query = QueryBatch {
        query: ContactIntervalsQuery::default(),
        operands,
    };
    let size = [query.rows(), query.longest()];
    let (on_invalid, threads) = (batch.on_invalid, batch.threads);
    let rows =
        interruptible::run_rows(py, query, size, threads, move |query, threads, control| {
            query.intervals(on_invalid, threads, control)
        })??;
    result(py, rows, &shape)
}

fn result(py: Python<'_>, rows: IntervalRows, shape: &[usize]) -> PyResult<ContactIntervals> {
    let shape = PyTuple::new(py, shape)?;
    let valid = match rows.valid {
        None => numpy(py)?.call_method1(intern!(py, "broadcast_to"), (true, shape))?,
        Some(valid) => {
            let valid = valid.into_pyarray(py).call_method1("view", ("bool",))?;
            valid.call_method1("reshape", (shape,))?
        }
    };
    Ok(ContactIntervals {
        intervals: array(py, rows.intervals)?.unbind(),
        offsets: rows.offsets.into_pyarray(py).into_any().unbind(),
        valid: valid.unbind(),
    })
}

/// An array of the ends of intervals, two each.
fn array(py: Python<'_>, ends: Vec<f64>) -> PyResult<Bound<'_, PyAny>> {
    let rows = ends.len() / 2;
    Ok(ends.into_pyarray(py).reshape([rows, 2])?.into_any())
}
