//! `Polygons`, the column.

use std::ops::Range;
use std::sync::Arc;

use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyUntypedArray};
use pyo3::basic::CompareOp;
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyList, PySlice, PyString};
use pyo3::{IntoPyObjectExt, intern};

use crate::batch::{Fault, Place, Ragged, Shared};
use crate::geom::Point;
use crate::python::errors;
use crate::python::input::{self, Argument, Layout};
use crate::python::{buffer, call, numbers, operands};

/// An immutable column of polygons with any number of vertices each.
///
/// It is validated once and held once, to be shared by all calls and threads. Every batch
/// function takes one wherever it takes polygons. None and empty rows are missing: they intersect
/// nothing, and their numbers are NaN.
///
/// Parameters
/// ----------
/// polygons : sequence of polygons, or array_like of shape (N, V, 2)
///     The polygons: each an array_like of shape (V, 2), or a sequence of such rings, the shell
///     first and then the holes. Rings in either winding. Closing vertices are dropped.
/// check : bool, default True
///     False skips the validation of polygons that are known to be good. A bad one then gives
///     meaningless answers.
///
/// Raises
/// ------
/// ValueError
///     If a row is not a valid polygon, which the message names with what is wrong and where.
/// TypeError
///     If a row does not consist of numbers.
///
/// Examples
/// --------
/// >>> import carom
/// >>> column = carom.Polygons([
/// ...     [(0, 0), (1, 0), (0, 1)],
/// ...     None,
/// ...     [(1, 0), (2, 0), (2, 1), (1, 1)],
/// ... ])
/// >>> column
/// Polygons(<3 polygons, 1 missing, 7 vertices>)
///
/// The triangle touches the square; the missing row touches nothing:
///
/// >>> carom.intersects_batch(column, column[2])
/// array([ True, False,  True])
#[pyclass(frozen, module = "carom", sequence)]
pub(crate) struct Polygons(Arc<Ragged>);

impl Polygons {
    /// The rows.
    pub(crate) fn ragged(&self) -> &Arc<Ragged> {
        &self.0
    }

    /// The column that an argument is or can be made into, its rows examined.
    pub(crate) fn read(name: &'static str, object: &Bound<'_, PyAny>) -> PyResult<Arc<Ragged>> {
        Self::named(name, object, true).map(Self::into_ragged)
    }

    /// The rows.
    pub(crate) fn into_ragged(self) -> Arc<Ragged> {
        self.0
    }

    fn named(name: &'static str, object: &Bound<'_, PyAny>, check: bool) -> PyResult<Self> {
        if let Ok(column) = object.cast::<Self>() {
            return Ok(Self(Arc::clone(&column.get().0)));
        }
        let argument = Argument::one(name, Layout::Ring);
        let column = match operands::rows_of_array(object, argument)? {
            Some(column) => column,
            None => operands::column(&rows(name, object)?, argument)?,
        };
        Self::examined(name, object.py(), column, !check)
    }

    /// The column, its rows examined; with `trust` none is refused.
    pub(crate) fn examined(
        name: &'static str,
        py: Python<'_>,
        column: Ragged,
        trust: bool,
    ) -> PyResult<Self> {
        let (rows, work) = (column.len(), call::work(column.len(), column.longest()));
        let column = call::run(py, column, work, None, move |column, threads, _| {
            let mut column = std::mem::take(column);
            column.examine(trust, threads).map(|()| column)
        })?;
        let column = column.map_err(|(row, why)| {
            let place = Place::row(name, &[rows], row);
            errors::refused(&Fault::Polygon(place, why))
        })?;
        Ok(Self(Arc::new(column)))
    }

    /// A row as views of the column's memory.
    fn row(&self, memory: &Bound<'_, PyArray2<f64>>, row: usize) -> PyResult<Py<PyAny>> {
        let py = memory.py();
        let ring = |ring: Range<usize>| {
            let ring = PySlice::new(py, ring.start.cast_signed(), ring.end.cast_signed(), 1);
            memory.get_item(ring)
        };
        let mut rings = self
            .0
            .ring_spans(row)
            .map(ring)
            .collect::<PyResult<Vec<_>>>()?;
        match rings.len() {
            0 => Ok(py.None()),
            1 => Ok(rings.remove(0).unbind()),
            _ => rings.into_py_any(py),
        }
    }

    /// The rows that a slice, a mask or an index array chooses.
    fn chosen(&self, key: &Bound<'_, PyAny>) -> PyResult<Ragged> {
        let (py, length) = (key.py(), self.0.len());
        if let Ok(slice) = key.cast::<PySlice>() {
            let indices = slice.indices(length.cast_signed())?;
            if indices.step == 1 {
                let start = indices.start.cast_unsigned();
                return Ok(self.0.slice(start..start + indices.slicelength));
            }
        }
        // NumPy knows best what other keys choose.
        let numpy = py.import(intern!(py, "numpy"))?;
        let rows = numpy.call_method1("arange", (0, length, 1, "int64"))?;
        let chosen = rows.get_item(key)?;
        let chosen = chosen.cast::<PyArray1<i64>>().map_err(|_| no_key())?;
        let rows = chosen.to_owned_array().into_iter();
        let rows = rows.map(|row| usize::try_from(row).unwrap_or(usize::MAX));
        Ok(self.0.take(rows))
    }
}

#[pymethods]
impl Polygons {
    #[new]
    #[pyo3(signature = (polygons, *, check = true))]
    fn new(polygons: &Bound<'_, PyAny>, check: bool) -> PyResult<Self> {
        Self::named("polygons", polygons, check)
    }

    /// A column from one array of vertices and where its rings and polygons start.
    ///
    /// The arrays are those that `shapely.to_ragged_array` gives; they are copied.
    ///
    /// Parameters
    /// ----------
    /// coords : array_like, shape (C, 2)
    ///     All vertices, ring after ring.
    /// ring_offsets : array_like of int, shape (R + 1,)
    ///     Where each ring starts in `coords`, and where the last ends.
    /// polygon_offsets : array_like of int, shape (N + 1,), optional
    ///     Where each polygon starts among the rings, its shell first, and where the last ends;
    ///     one ring each, by default.
    /// check : bool, default True
    ///     False skips the validation of polygons that are known to be good.
    ///
    /// Returns
    /// -------
    /// Polygons
    ///     The column; a polygon without rings, or whose ring is empty, is missing.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If the offsets don't rise from 0 to the length of what they divide, or a row is not a
    ///     valid polygon.
    #[staticmethod]
    #[pyo3(signature = (coords, ring_offsets, polygon_offsets = None, *, check = true))]
    fn from_ragged(
        coords: &Bound<'_, PyAny>,
        ring_offsets: &Bound<'_, PyAny>,
        polygon_offsets: Option<&Bound<'_, PyAny>>,
        check: bool,
    ) -> PyResult<Self> {
        let points = flat_points(coords)?;
        let rings = offsets("ring_offsets", ring_offsets, (*points).as_ref().len())?;
        let polygons = polygon_offsets
            .map(|given| offsets("polygon_offsets", given, rings.len() - 1))
            .transpose()?;
        Self::examined(
            "polygons",
            coords.py(),
            Ragged::of_parts(points, rings, polygons),
            !check,
        )
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __getitem__(&self, py: Python<'_>, key: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let length = self.0.len();
        if key.is_instance_of::<PyBool>() {
            return Err(no_key());
        }
        if key.hasattr(intern!(py, "__index__"))? && !key.is_instance_of::<PyUntypedArray>() {
            let row = key.call_method0(intern!(py, "__index__"))?;
            let place = position(&row, length).ok_or_else(|| {
                PyIndexError::new_err(format!("row {row} of a column of {length}"))
            })?;
            return self.row(&buffer::memory(py, &self.0)?, place);
        }
        Self(Arc::new(self.chosen(key)?)).into_py_any(py)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let memory = buffer::memory(py, &self.0)?;
        let rows = (0..self.0.len()).map(|row| self.row(&memory, row));
        let rows: Vec<_> = rows.collect::<PyResult<_>>()?;
        Ok(rows.into_bound_py_any(py)?.try_iter()?.into_any())
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
        match comparison {
            CompareOp::Eq => (self.0 == other.get().0).into_py_any(py),
            CompareOp::Ne => (self.0 != other.get().0).into_py_any(py),
            _ => Ok(py.NotImplemented()),
        }
    }

    #[classattr]
    const __hash__: Option<Py<PyAny>> = None;

    fn __repr__(&self) -> String {
        let missing = match self.0.missing() {
            0 => String::new(),
            count => format!(", {count} missing"),
        };
        let plural = if self.0.len() == 1 { "" } else { "s" };
        let (polygons, vertices) = (self.0.len(), self.0.vertices());
        format!("Polygons(<{polygons} polygon{plural}{missing}, {vertices} vertices>)")
    }

    fn __reduce__<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let (py, column) = (this.py(), this.get());
        let (rings, polygons) = column.offsets(py)?;
        let state = (buffer::coords(py, &column.0)?, rings, polygons);
        // What was not validated then is not to be refused now.
        let keywords = PyDict::new(py);
        keywords.set_item("check", false)?;
        let make = this.get_type().getattr("from_ragged")?;
        let partial = py.import(intern!(py, "functools"))?.getattr("partial")?;
        let make = partial.call((make,), Some(&keywords))?;
        (make, state).into_bound_py_any(py)
    }

    fn __copy__(this: Bound<'_, Self>) -> Bound<'_, Self> {
        this
    }

    fn __deepcopy__<'py>(this: Bound<'py, Self>, memo: &Bound<'py, PyAny>) -> Bound<'py, Self> {
        let _ = memo;
        this
    }

    /// All vertices, ring after ring, without closing ones: a read-only array of shape (C, 2).
    #[getter]
    fn coords<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(buffer::coords(py, &self.0)?.into_any())
    }

    /// The pair (ring_offsets, polygon_offsets): where rings start in `coords`, and where polygons
    /// start among the rings; each with its end as a last item.
    #[getter]
    fn offsets<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let array = |offsets: &[usize]| {
            let offsets = offsets.iter().map(|&offset| offset.cast_signed() as i64);
            read_only(PyArray1::from_iter(py, offsets).into_any())
        };
        Ok((
            array(self.0.ring_offsets())?,
            array(self.0.polygon_offsets())?,
        ))
    }

    /// Least x, least y, greatest x and greatest y of each row, shape (N, 4); NaN where missing.
    #[getter]
    fn bounds<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let bounds: Vec<f64> = (0..self.0.len())
            .flat_map(|row| match self.0.rings(row) {
                Some(_) => self.0.bounds(row).numbers(),
                None => [f64::NAN; 4],
            })
            .collect();
        Ok(bounds
            .into_pyarray(py)
            .reshape([self.0.len(), 4])?
            .into_any())
    }

    /// For each row whether it is convex; missing rows are not.
    #[getter]
    fn is_convex<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        self.0.convex().into_pyarray(py).into_any()
    }
}

fn no_key() -> PyErr {
    PyTypeError::new_err("a column is indexed by an integer, a slice, or one array")
}

/// Where the row of a number stands, which counts from the end if it is negative.
fn position(row: &Bound<'_, PyAny>, length: usize) -> Option<usize> {
    let row: isize = row.extract().ok()?;
    let place = if row < 0 {
        row + length.cast_signed()
    } else {
        row
    };
    usize::try_from(place).ok().filter(|&place| place < length)
}

fn rows<'py>(name: &str, polygons: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let is_list = numbers::is_list(polygons);
    if numbers::depth(polygons)? == 2 && !(is_list && operands::has_row(polygons)?) {
        return Err(PyValueError::new_err(format!(
            "{name}: expected a sequence of polygons, got the points of one; put it in a list"
        )));
    }
    if is_list || polygons.is_instance_of::<PyUntypedArray>() {
        return Ok(polygons.clone());
    }
    if polygons.is_instance_of::<PyString>() {
        return Err(PyTypeError::new_err(format!(
            "{name}: expected a sequence of polygons, got str"
        )));
    }
    let list = polygons.py().get_type::<PyList>().call1((polygons,));
    list.map_err(|_| {
        let found = polygons
            .get_type()
            .qualname()
            .map_or_else(|_| "?".into(), |n| n.to_string());
        PyTypeError::new_err(format!(
            "{name}: expected a sequence of polygons, got {found}"
        ))
    })
}

/// The vertices of all rings.
fn flat_points(coords: &Bound<'_, PyAny>) -> PyResult<Shared<Point>> {
    if numbers::is_list(coords) && coords.len()? == 0 {
        return Ok(Arc::new(Vec::new()));
    }
    let argument = Argument::one("coords", Layout::Points("C"))
        .advising("the vertices of all rings are one array, ring after ring");
    input::kept_points(coords, argument)
}

/// Offsets that rise from 0 to the length of what they divide.
fn offsets(name: &str, object: &Bound<'_, PyAny>, length: usize) -> PyResult<Vec<usize>> {
    if numbers::is_list(object) && object.len()? == 2 && numbers::depth(object)? == 2 {
        return Err(PyValueError::new_err(format!(
            "{name}: expected shape (K,), got two arrays; the offsets of a column are passed as \
             *offsets"
        )));
    }
    let offsets = input::indices(object, name)?.to_vec()?;
    if let Some(found) = astray(&offsets, length) {
        return Err(PyValueError::new_err(format!(
            "{name}: expected offsets that rise from 0 to {length}, got {found}"
        )));
    }
    Ok(offsets
        .into_iter()
        .map(|offset| usize::try_from(offset).unwrap_or(0))
        .collect())
}

/// What keeps offsets from rising from 0 to a length.
fn astray(offsets: &[i64], length: usize) -> Option<String> {
    let (Some(first), Some(last)) = (offsets.first(), offsets.last()) else {
        return Some("none".to_owned());
    };
    if *first != 0 {
        return Some(format!("{first} as the first"));
    }
    if let Some(before) = offsets.windows(2).position(|ends| ends[0] > ends[1]) {
        let (high, low, at) = (offsets[before], offsets[before + 1], before + 1);
        return Some(format!("{low} after {high} at position {at}"));
    }
    (usize::try_from(*last) != Ok(length)).then(|| format!("{last} as the last"))
}

fn read_only(array: Bound<'_, PyAny>) -> PyResult<Bound<'_, PyAny>> {
    array.call_method1("setflags", (false,))?;
    Ok(array)
}
