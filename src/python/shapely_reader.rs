//! Shapely's geometries as rows, which `carom.interop.shapely` takes apart.

use numpy::{PyArray1, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyImportError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyList};

use crate::batch::{Column, ColumnBuilder, OnInvalid};
use crate::python::buffer::c_unwind_call::{call, call_method};
use crate::python::errors::tuple;
use crate::python::wkb_reader::{Unread, WkbRows};
use crate::python::{buffer, from_ragged};
use crate::shape::Rings;

/// The rows of many geometries along one axis, not examined yet.
pub(crate) fn read_column(
    name: &str,
    object: &Bound<'_, PyAny>,
    drop_z: bool,
    on_invalid: OnInvalid,
) -> PyResult<Column> {
    if let Ok(array) = object.cast::<PyUntypedArray>()
        && array.ndim() != 1
    {
        return Err(several_axes(name, array.shape()));
    }
    read(name, object, drop_z, on_invalid)
}

/// The error for an array that does not have one axis.
pub(crate) fn several_axes(name: &str, shape: &[usize]) -> PyErr {
    let shape = tuple(shape);
    PyValueError::new_err(format!(
        "{name}: expected a sequence of shapes, got an array of shape {shape}"
    ))
}

/// Coordinates, the ends of rings, and the number of the kind.
type Simple<'py> = (Bound<'py, PyAny>, Vec<usize>, i8);

/// Coordinates, offsets of rings, polygons and rows, kinds, and the rows that can't be read, with why.
type Ragged<'py> = (
    Bound<'py, PyAny>,
    Bound<'py, PyAny>,
    Bound<'py, PyAny>,
    Option<Bound<'py, PyAny>>,
    Option<Bound<'py, PyArray1<i8>>>,
    Vec<(usize, String)>,
);

/// The rows of a geometry or of many, not examined yet.
pub(crate) fn read(
    name: &str,
    object: &Bound<'_, PyAny>,
    drop_z: bool,
    on_invalid: OnInvalid,
) -> PyResult<Column> {
    static SIMPLE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let (py, module) = (object.py(), "carom.interop.shapely");
    let simple = SIMPLE.import(py, module, "simple")?;
    let simple = call(simple, (object,))?;
    if let Some((coords, ends, kind)) = simple.extract::<Option<Simple<'_>>>()?
        && let Some(vertices) = buffer::ring(&coords)
    {
        let (offsets, kinds) = ([vec![0], ends].concat(), from_ragged::kinds(&[kind])?);
        let mut row = ColumnBuilder::default();
        row.push_shape(Some(Rings::of_kind(vertices, &offsets, kinds[0], &[])));
        return Ok(row.build());
    }
    let module = py.import(module)?;
    let rows = call_method(&module, "objects", (name, object))?;
    if let Some(column) = read_parts(&module, &rows, drop_z)? {
        return Ok(column);
    }
    let mask = on_invalid == OnInvalid::Mask;
    column(&call_method(&module, "ragged", (name, rows, drop_z, mask))?)
}

/// The rows of geometries that have many parts, by way of WKB: to take short parts apart, Shapely takes 1.5 to 4 times as
/// long, as it makes an object for each part and each ring. `None` if there are few parts or long ones, or if the reader
/// of WKB leaves a row to Shapely.
fn read_parts(
    module: &Bound<'_, PyModule>,
    geometries: &Bound<'_, PyAny>,
    drop_z: bool,
) -> PyResult<Option<Column>> {
    let py = module.py();
    let (mut rows, mut start) = (WkbRows::default(), 0);
    loop {
        let piece = call_method(module, "wkb_of_parts", (geometries, start, drop_z))?;
        let Some(piece) = piece.extract::<Option<Bound<'_, PyList>>>()? else {
            return Ok(None);
        };
        if piece.is_empty() {
            return Ok(Some(rows.build()));
        }
        py.check_signals()?;
        for value in piece.iter() {
            let value = value.extract::<Option<Bound<'_, PyBytes>>>()?;
            match rows.push(value.as_ref().map(PyBytesMethods::as_bytes)) {
                Ok(()) => {}
                Err(Unread::Form) => return Ok(None),
                Err(Unread::Memory(why)) => return Err(why.into()),
            }
        }
        start += piece.len();
    }
}

/// The rows of a list of WKB, not examined yet.
pub(crate) fn read_wkb(
    name: &str,
    values: &Bound<'_, PyAny>,
    drop_z: bool,
    on_invalid: OnInvalid,
) -> PyResult<Column> {
    let mask = on_invalid == OnInvalid::Mask;
    let arguments = (name, values, drop_z, mask);
    column(&call_method(
        &wkb_module(values.py(), name)?,
        "ragged_wkb",
        arguments,
    )?)
}

/// The module that reads and writes WKB, or an error that says what it needs.
pub(crate) fn wkb_module<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyModule>> {
    py.import(intern!(py, "carom.interop.shapely"))
        .map_err(|why| {
            if !why.is_instance_of::<PyImportError>(py) {
                return why;
            }
            PyImportError::new_err(format!(
                "{name}: WKB is read and written by Shapely, which can't be imported: {}",
                why.value(py)
            ))
        })
}

fn column(ragged: &Bound<'_, PyAny>) -> PyResult<Column> {
    let (coords, rings, polygons, shapes, kinds, faults): Ragged<'_> = ragged.extract()?;
    let mut column = from_ragged::shapes(
        &coords,
        &rings,
        [Some(&polygons), shapes.as_ref()],
        OnInvalid::Raise,
    )?;
    if let Some(kinds) = kinds {
        column = column.of_kinds(from_ragged::kinds(&kinds.to_vec()?)?, Vec::new());
    }
    Ok(column.with_faults(faults))
}
