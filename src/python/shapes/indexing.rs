//! Indexing of a column: a row as arrays, or several rows as a column.

use std::ops::Range;
use std::sync::Arc;

use numpy::{PyArray1, PyArray2, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyRange, PySlice};
use pyo3::{IntoPyObjectExt, intern};

use super::Shapes;
use crate::batch::Column;
use crate::python::buffer::c_unwind_call::call_method;
use crate::python::input::input_error::{self, Place};
use crate::python::input::numpy_arrays::{dtype, numpy};
use crate::python::input::row_numbers::indices;
use crate::python::{buffer, input::errors};
use crate::shape::ShapeKind;

impl Shapes {
    /// A row, or a column of several.
    pub(super) fn item(&self, py: Python<'_>, key: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        match chosen(key, self.0.len())? {
            Chosen::Row(row) => {
                let memory = buffer::column_array(py, &self.0, Column::memory)?;
                self.row(&memory, row)
            }
            Chosen::Run(rows) => Self(Arc::new(self.0.slice(rows))).into_py_any(py),
            Chosen::Listed(rows) => Self(Arc::new(self.0.take(rows.into_iter()))).into_py_any(py),
        }
    }

    /// A polygon without a radius as views of the column's memory, any other row as a column.
    pub(super) fn row(&self, memory: &Bound<'_, PyArray2<f64>>, row: usize) -> PyResult<Py<PyAny>> {
        let (py, column) = (memory.py(), &self.0);
        let is_plain = |kind| kind == ShapeKind::Polygon && column.radius(row) == 0.0;
        if !column.kind(row).is_none_or(is_plain) {
            return Self(Arc::new(column.slice(row..row + 1))).into_py_any(py);
        }
        let ring = |ring: Range<usize>| {
            let ring = PySlice::new(py, ring.start.cast_signed(), ring.end.cast_signed(), 1);
            memory.get_item(ring)
        };
        let rings = column.ring_spans(row).map(ring);
        let mut rings = rings.collect::<PyResult<Vec<_>>>()?;
        match rings.len() {
            0 => Ok(py.None()),
            1 => Ok(rings.remove(0).unbind()),
            _ => rings.into_py_any(py),
        }
    }
}

/// The rows that a key chooses.
pub(crate) enum Chosen {
    Row(usize),
    Run(Range<usize>),
    Listed(Vec<usize>),
}

/// The rows of a column of this length that an integer, a slice, a mask or an index array chooses.
pub(crate) fn chosen(key: &Bound<'_, PyAny>, length: usize) -> PyResult<Chosen> {
    let py = key.py();
    if key.is_instance_of::<PyBool>() {
        return Err(invalid_key());
    }
    let is_integer = match key.cast::<PyUntypedArray>() {
        Ok(array) => array.ndim() == 0 && matches!(dtype(array).0, b'i' | b'u'),
        Err(_) => key.hasattr(intern!(py, "__index__"))?,
    };
    if is_integer {
        let row = PyRange::new(py, 0, length.cast_signed())?.get_item(key);
        let row = row.map_err(|why| {
            if why.is_instance_of::<PyIndexError>(py) {
                input_error::index_error(
                    Place::none(),
                    format!("row {key} of a column of {length}"),
                )
            } else {
                why
            }
        })?;
        return row.extract().map(Chosen::Row);
    }
    if let Ok(slice) = key.cast::<PySlice>() {
        let indices = slice.indices(length.cast_signed())?;
        if indices.step == 1 {
            let start = indices.start.cast_unsigned();
            return Ok(Chosen::Run(start..start + indices.slicelength));
        }
    }
    // NumPy would take a number beyond the range of int64 for a negative one.
    if let Ok(array) = key.cast::<PyUntypedArray>()
        && array.ndim() == 1
        && dtype(array) == (b'u', 8)
    {
        indices(key, &"rows".into())?;
    }
    // NumPy indexes an array of all row numbers with the other keys.
    let rows = call_method(&numpy(py)?, "arange", (0, length, 1, "int64"))?;
    let chosen = call_method(&rows, "__getitem__", (key,)).map_err(|why| {
        // Of other keys than arrays and lists NumPy says that None is one.
        match why.value(py).str() {
            Ok(text) if errors::text(&text).contains("numpy.newaxis") => invalid_key(),
            Ok(_) => why,
            Err(interrupt) => interrupt,
        }
    })?;
    let chosen = chosen.cast::<PyArray1<i64>>().map_err(|_| invalid_key())?;
    // Two lists and what lies between them.
    errors::memory(chosen.len().saturating_mul(3 * size_of::<usize>()))?;
    let rows = chosen.to_owned_array().into_iter();
    let rows = rows.map(|row| usize::try_from(row).unwrap_or(usize::MAX));
    Ok(Chosen::Listed(rows.collect()))
}

fn invalid_key() -> PyErr {
    input_error::type_error(
        Place::none(),
        "a column is indexed by an integer, a slice, or one array",
    )
}
