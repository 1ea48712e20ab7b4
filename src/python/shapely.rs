//! Shapely's geometries as rows, which `carom.interop.shapely` takes apart.

use numpy::{PyArray1, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::intern;
use pyo3::prelude::*;

use crate::batch::{Column, ColumnBuilder};
use crate::python::buffer;
use crate::python::errors::tuple;
use crate::python::ragged;

/// The rows of many geometries along one axis, not examined yet.
pub(crate) fn read_column(name: &str, object: &Bound<'_, PyAny>, drop_z: bool) -> PyResult<Column> {
    if let Ok(array) = object.cast::<PyUntypedArray>()
        && array.ndim() != 1
    {
        let shape = tuple(array.shape());
        return Err(PyValueError::new_err(format!(
            "{name}: expected a sequence of polygons, got an array of shape {shape}"
        )));
    }
    read(name, object, drop_z)
}

/// Coordinates, offsets of rings, polygons and rows, and kinds.
type Ragged<'py> = (
    Bound<'py, PyAny>,
    Bound<'py, PyAny>,
    Bound<'py, PyAny>,
    Option<Bound<'py, PyAny>>,
    Option<Bound<'py, PyArray1<i8>>>,
);

/// The rows of a geometry or of many, not examined yet.
pub(crate) fn read(name: &str, object: &Bound<'_, PyAny>, drop_z: bool) -> PyResult<Column> {
    let py = object.py();
    let module = py.import(intern!(py, "carom.interop.shapely"))?;
    let simple = module.call_method1(intern!(py, "simple"), (object,))?;
    if let Some(ring) = buffer::ring(&simple) {
        let mut row = ColumnBuilder::default();
        row.push([ring]);
        return Ok(row.build());
    }
    let ragged = module.call_method1("ragged", (name, object, drop_z))?;
    let (coords, rings, polygons, shapes, kinds): Ragged<'_> = ragged.extract()?;
    let attributes = match &kinds {
        Some(kinds) => Some((ragged::kinds(&kinds.to_vec()?)?, Vec::new())),
        None => None,
    };
    let levels = [Some(&polygons), shapes.as_ref()];
    ragged::shapes(&coords, &rings, levels, attributes)
}
