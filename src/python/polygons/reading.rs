//! How a column is read from what Python gives.

use std::sync::Arc;

use numpy::{PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};

use super::Polygons;
use crate::batch::{ArgumentRow, Column, InvalidRow, Shared};
use crate::geom::Point;
use crate::python::input::{self, Argument, ItemShape};
use crate::python::shapely::{self, Geometries};
use crate::python::{arrow, errors, interruptible, numbers, operands};

impl Polygons {
    /// The column that an argument is or can be made into, its rows examined.
    pub(crate) fn read(name: &'static str, object: &Bound<'_, PyAny>) -> PyResult<Arc<Column>> {
        if let Ok(column) = object.cast::<Self>() {
            return Ok(Arc::clone(column.get().ragged()));
        }
        Self::named(name, object, true).map(Self::into_ragged)
    }

    /// The same; without `check` its rows are taken on trust.
    pub(super) fn named(
        name: &'static str,
        object: &Bound<'_, PyAny>,
        check: bool,
    ) -> PyResult<Self> {
        if let Ok(column) = object.cast::<Self>() {
            let column = &column.get().0;
            if check && !column.is_validated() {
                return Self::examined(name, object.py(), column.unexamined(), false);
            }
            return Ok(Self(Arc::clone(column)));
        }
        let argument = Argument::one(name, ItemShape::Ring);
        let column = match operands::rows_of_array(object, argument)? {
            Some(column) => column,
            None if arrow::gives(object)? => arrow::read(name, object, false)?,
            None => match shapely::geometries(object)? {
                Geometries::Many => shapely::read_column(name, object, false)?,
                Geometries::One => return Err(one_geometry(name)),
                Geometries::None | Geometries::Mixed => {
                    let list = rows(name, object)?;
                    let column = operands::column(&list, argument)?;
                    operands::warn_of_rings(&list, name, &column)?;
                    column
                }
            },
        };
        Self::examined(name, object.py(), column, !check)
    }

    /// Rows out of flat arrays, not examined yet.
    pub(crate) fn ragged_of(
        coords: &Bound<'_, PyAny>,
        ring_offsets: &Bound<'_, PyAny>,
        polygon_offsets: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Column> {
        let points = flat_points(coords)?;
        let rings = offsets("ring_offsets", ring_offsets, (*points).as_ref().len())?;
        let polygons = polygon_offsets
            .map(|given| offsets("polygon_offsets", given, rings.len() - 1))
            .transpose()?;
        Ok(Column::of_parts(points, rings, polygons))
    }

    /// The column, its rows examined; with `trust` none is refused.
    pub(crate) fn examined(
        name: &'static str,
        py: Python<'_>,
        column: Column,
        trust: bool,
    ) -> PyResult<Self> {
        let (rows, work) = (
            column.len(),
            interruptible::work(column.len(), column.longest()),
        );
        let column = interruptible::run(py, column, work, None, move |column, threads, _| {
            let mut column = std::mem::take(column);
            column.examine(trust, threads).map(|()| column)
        })?;
        let column = column.map_err(|(row, why)| {
            let place = ArgumentRow::row(name, &[rows], row);
            errors::refused(&InvalidRow::Polygon(place, why))
        })?;
        Ok(Self(Arc::new(column)))
    }
}

/// One geometry where several are expected.
pub(super) fn one_geometry(name: &str) -> PyErr {
    PyTypeError::new_err(format!(
        "{name}: expected a sequence of polygons, got a single geometry; put it in a list"
    ))
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
    let no_list = numbers::is_list(coords) && coords.len()? == 0;
    let no_array = coords.cast::<PyUntypedArray>();
    if no_list || no_array.is_ok_and(|array| array.shape() == [0]) {
        return Ok(Arc::new(Vec::new()));
    }
    let argument = Argument::one("coords", ItemShape::Points("C"))
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
