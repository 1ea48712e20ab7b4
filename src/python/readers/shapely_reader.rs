//! Shapely's geometries as rows, which `carom.interop.shapely` takes apart.

use numpy::{PyArray1, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::PyImportError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyList};

use super::from_ragged;
use super::wkb_reader::WkbRows;
use crate::batch::{Column, ColumnBuilder, OnInvalid};
use crate::python::buffer::c_unwind_call::{call, call_method};
use crate::python::input::errors::tuple;
use crate::python::input::input_error::{self, Place};
use crate::python::{buffer, crs, interruptible};
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
    read(&name.into(), object, drop_z, on_invalid)
}

/// The error for an array that does not have one axis.
pub(crate) fn several_axes(name: &str, shape: &[usize]) -> PyErr {
    let shape = tuple(shape);
    input_error::value_error(
        name,
        format!("expected a sequence of shapes, got an array of shape {shape}"),
    )
}

/// Coordinates, the ends of rings, the number of the kind, and the SRID.
type Simple<'py> = (Bound<'py, PyAny>, Vec<usize>, i8, u32);

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
    name: &Place,
    object: &Bound<'_, PyAny>,
    drop_z: bool,
    on_invalid: OnInvalid,
) -> PyResult<Column> {
    static SIMPLE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let (py, module) = (object.py(), "carom.interop.shapely");
    let simple = SIMPLE.import(py, module, "simple")?;
    let simple = call(simple, (object,))?;
    if let Some((coords, ends, kind, srid)) = simple.extract::<Option<Simple<'_>>>()?
        && let Some(vertices) = buffer::ring(&coords)
    {
        let (offsets, kinds) = ([vec![0], ends].concat(), from_ragged::kinds(&[kind])?);
        let mut row = ColumnBuilder::default();
        row.push_shape(Some(Rings::of_kind(vertices, &offsets, kinds[0], &[])));
        return Ok(row.build().with_crs(crs::of_srid(srid)));
    }
    let module = py.import(module)?;
    let geometries = call_method(&module, "objects", (name, object))?;
    let srid = call_method(&module, "srid", (name, &geometries))?;
    let (srid, row) = srid.extract::<(u32, Option<Vec<usize>>)>()?;
    let place = match row {
        Some(row) if !row.is_empty() => name.clone().rows(row),
        _ => name.clone(),
    };
    let systems = [crs::of_srid(srid), crs::of_object(object)?];
    let crs = crs::agreed(py, [&place, name], systems)?;
    let mask = on_invalid == OnInvalid::Mask;
    let ragged = |rows: Option<&[usize]>| {
        let arguments = (name, &geometries, rows, drop_z, mask);
        column(&call_method(&module, "ragged", arguments)?)
    };
    let column = match read_parts(&module, &geometries, drop_z)? {
        None => ragged(None),
        Some(read) => with_left(py, read, |rows| ragged(Some(rows))),
    };
    Ok(column?.with_crs(crs))
}

/// The rows as a column, where those that are left to Shapely are the rows that it reads.
pub(crate) fn with_left(
    py: Python<'_>,
    read: WkbRows,
    read_left: impl FnOnce(&[usize]) -> PyResult<Column>,
) -> PyResult<Column> {
    let left = read.left().to_vec();
    let column = read.build();
    if left.is_empty() {
        return Ok(column);
    }
    let job = (read_left(&left)?, column, left);
    let work = job.1.len().saturating_add(job.1.memory().len());
    let joined = interruptible::run(py, job, work, None, |(others, column, left), _, control| {
        column.with_rows(left, others, control)
    });
    Ok(joined??)
}

/// The rows of geometries that have many parts, by way of WKB: to take short parts apart, Shapely takes 1.5 to 4 times as
/// long, as it makes an object for each part and each ring. `None` if there are few parts or long ones.
fn read_parts(
    module: &Bound<'_, PyModule>,
    geometries: &Bound<'_, PyAny>,
    drop_z: bool,
) -> PyResult<Option<WkbRows>> {
    let py = module.py();
    let (mut rows, mut start) = (WkbRows::new(drop_z), 0);
    loop {
        let piece = call_method(module, "wkb_of_parts", (geometries, start, drop_z))?;
        let Some(piece) = piece.extract::<Option<Bound<'_, PyList>>>()? else {
            return Ok(None);
        };
        if piece.is_empty() {
            return Ok(Some(rows));
        }
        py.check_signals()?;
        for value in piece.iter() {
            let value = value.extract::<Option<Bound<'_, PyBytes>>>()?;
            rows.push(value.as_ref().map(PyBytesMethods::as_bytes))?;
        }
        start += piece.len();
    }
}

/// The shapes in a list of WKB, not examined yet, which are these rows of an argument.
pub(crate) fn read_wkb(
    name: &str,
    values: &Bound<'_, PyAny>,
    rows: &[usize],
    drop_z: bool,
    on_invalid: OnInvalid,
) -> PyResult<Column> {
    let mask = on_invalid == OnInvalid::Mask;
    let arguments = (name, values, rows, drop_z, mask);
    column(&call_method(
        &wkb_module(values.py(), name)?,
        "ragged_wkb",
        arguments,
    )?)
}

/// The module that looks at such WKB, or an error that says what it needs.
fn wkb_module<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyModule>> {
    py.import(intern!(py, "carom.interop.shapely"))
        .map_err(|why| {
            if !why.is_instance_of::<PyImportError>(py) {
                return why;
            }
            PyImportError::new_err(format!(
                "{name}: WKB that is no shape is looked at by Shapely, which can't be imported: {}",
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
