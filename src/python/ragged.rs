//! Rows from flat arrays: vertices, and offsets of rings and polygons.

use std::sync::Arc;

use numpy::{PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::batch::{Column, Shared};
use crate::geom::Point;
use crate::python::argument::{Argument, ItemShape};
use crate::python::numbers::{depth, is_list};
use crate::python::vectors::{indices, kept_points};

/// The rows, not examined yet.
pub(crate) fn rows(
    coords: &Bound<'_, PyAny>,
    ring_offsets: &Bound<'_, PyAny>,
    polygon_offsets: Option<&Bound<'_, PyAny>>,
) -> PyResult<Column> {
    let points = vertices(coords)?;
    let rings = offsets("ring_offsets", ring_offsets, (*points).as_ref().len())?;
    let polygons = polygon_offsets
        .map(|given| offsets("polygon_offsets", given, rings.len() - 1))
        .transpose()?;
    Ok(Column::of_parts(points, rings, polygons))
}

/// The vertices of all rings.
fn vertices(coords: &Bound<'_, PyAny>) -> PyResult<Shared<Point>> {
    let is_empty_list = is_list(coords) && coords.len()? == 0;
    let array = coords.cast::<PyUntypedArray>();
    if is_empty_list || array.is_ok_and(|array| array.shape() == [0]) {
        return Ok(Arc::new(Vec::new()));
    }
    let argument = Argument::one("coords", ItemShape::Points("C"))
        .advising("the vertices of all rings are one array, ring after ring");
    kept_points(coords, argument)
}

/// Offsets that rise from 0 to the length of what they divide.
fn offsets(name: &str, object: &Bound<'_, PyAny>, length: usize) -> PyResult<Vec<usize>> {
    if is_list(object) && object.len()? == 2 && depth(object)? == 2 {
        return Err(PyValueError::new_err(format!(
            "{name}: expected shape (K,), got two arrays; the offsets of a column are passed as \
             *offsets"
        )));
    }
    let offsets = indices(object, name)?.to_vec()?;
    if let Some(found) = not_rising(&offsets, length) {
        return Err(PyValueError::new_err(format!(
            "{name}: expected offsets that rise from 0 to {length}, got {found}"
        )));
    }
    let offsets = offsets.into_iter();
    Ok(offsets
        .map(|offset| usize::try_from(offset).unwrap_or(0))
        .collect())
}

/// The fault of offsets that don't rise from 0 to a length.
fn not_rising(offsets: &[i64], length: usize) -> Option<String> {
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
