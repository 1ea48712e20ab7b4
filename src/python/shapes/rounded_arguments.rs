//! The arguments of `from_points`, `from_segments` and `with_radius`.

use numpy::PyUntypedArrayMethods;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::Shapes;
use crate::batch::{Column, InvalidRow, OnInvalid, Validation, is_radius};
use crate::python::argument::{Argument, ItemShape};
use crate::python::buffer::Claims;
use crate::python::errors::tuple;
use crate::python::numbers;
use crate::python::operands::vectors;
use crate::python::vectors::kept_points;
use crate::shape::ShapeKind;

/// One radius, or one for each of so many rows.
pub(super) fn radii(object: &Bound<'_, PyAny>, rows: usize) -> PyResult<Vec<f64>> {
    let argument = Argument::many("radius", ItemShape::Number);
    let radii = vectors(argument, object, &mut Claims::default())?;
    radii.one_or_each(rows, &[], is_radius, InvalidRow::Radius)
}

/// Points, one per row, not examined yet.
pub(super) fn points(xy: &Bound<'_, PyAny>, on_invalid: OnInvalid) -> PyResult<Column> {
    // An empty list has no second axis.
    if xy.len().is_ok_and(|length| length == 0) {
        return Ok(Column::default());
    }
    let argument = Argument::one("xy", ItemShape::Points("N")).on_invalid(on_invalid);
    let points = kept_points(xy, argument)?;
    let rows = (*points).as_ref().len();
    let kinds = vec![ShapeKind::Point; rows];
    Ok(Column::of_rows(points, rows, 1).of_kinds(kinds, Vec::new()))
}

/// Segments, one per row, not examined yet.
pub(super) fn segments(ends: &Bound<'_, PyAny>, on_invalid: OnInvalid) -> PyResult<Column> {
    let argument = Argument::many("ends", ItemShape::Points("2")).on_invalid(on_invalid);
    let array = numbers::float64(ends, argument)?;
    let [rows, 2, 2] = *array.shape() else {
        return Err(PyValueError::new_err(format!(
            "ends: expected shape (N, 2, 2), got {}",
            tuple(array.shape())
        )));
    };
    let kinds = vec![ShapeKind::Path; rows];
    let points = kept_points(&array, argument)?;
    Ok(Column::of_rows(points, rows, 2).of_kinds(kinds, Vec::new()))
}

impl Shapes {
    /// The column, examined, with these radii.
    pub(super) fn rounded(
        name: &'static str,
        py: Python<'_>,
        column: Column,
        radius: Option<&Bound<'_, PyAny>>,
        validation: Validation,
    ) -> PyResult<Self> {
        let column = match radius {
            Some(radius) => {
                let radii = radii(radius, column.len())?;
                column.with_radius(&radii, 1)
            }
            None => column,
        };
        Self::examined(name, py, column, validation).map(Self)
    }
}
