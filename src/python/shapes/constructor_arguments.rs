//! The arguments of `from_points`, `from_segments` and `with_radius`.

use numpy::PyUntypedArrayMethods;
use pyo3::prelude::*;

use super::Shapes;
use crate::batch::{ArgumentRow, Column, InvalidRow, OnInvalid};
use crate::geom::Circle;
use crate::python::buffer::Claims;
use crate::python::input::batch_operand::vectors;
use crate::python::input::expected_argument::{Argument, ItemShape};
use crate::python::input::float64_arrays;
use crate::python::input::nested_sequences::is_empty;
use crate::python::input::vector_arguments::kept_points;
use crate::python::readers::from_ragged::without_lost;
use crate::shape::ShapeKind;

/// One radius, or one for each of so many rows. With [`OnInvalid::Mask`] they may be invalid.
pub(super) fn radii(
    object: &Bound<'_, PyAny>,
    rows: usize,
    on_invalid: OnInvalid,
) -> PyResult<Vec<f64>> {
    let argument = Argument::many("radius", ItemShape::Number).on_invalid(on_invalid);
    let radii = vectors(argument, object, &mut Claims::default())?;
    let is_taken = |radius| Circle::is_radius(radius) || on_invalid == OnInvalid::Mask;
    radii.one_or_each(rows, &[], is_taken, InvalidRow::Radius)
}

/// The rows whose radius is invalid, and what is wrong with it; the radii are 0 afterwards.
fn invalid_radii(radii: &mut [f64], rows: usize) -> Vec<(usize, String)> {
    let invalid = |row: usize| {
        let radius = radii[row % radii.len()];
        let fault = || InvalidRow::Radius(ArgumentRow::whole("radius"), radius).to_string();
        (!Circle::is_radius(radius)).then(|| (row, fault()))
    };
    let faults = (0..rows).filter_map(invalid).collect();
    for radius in radii
        .iter_mut()
        .filter(|radius| !Circle::is_radius(**radius))
    {
        *radius = 0.0;
    }
    faults
}

/// Points, one per row, not examined yet.
pub(super) fn points(xy: &Bound<'_, PyAny>, on_invalid: OnInvalid) -> PyResult<Column> {
    // They have no second axis.
    if is_empty(xy)? {
        return Ok(Column::default());
    }
    let argument = Argument::one("xy", ItemShape::Points("N")).on_invalid(on_invalid);
    let (points, losses) = kept_points(xy, argument)?;
    let rows = (*points).as_ref().len();
    let kinds = vec![ShapeKind::Point; rows];
    let column = Column::of_rows(points, rows, 1).of_kinds(kinds, Vec::new());
    Ok(without_lost(column, losses))
}

/// Segments, one per row, not examined yet.
pub(super) fn segments(ends: &Bound<'_, PyAny>, on_invalid: OnInvalid) -> PyResult<Column> {
    if is_empty(ends)? {
        return Ok(Column::default());
    }
    let argument = Argument::many("ends", ItemShape::Segments).on_invalid(on_invalid);
    let (array, losses) = float64_arrays::float64_with_losses(ends, argument)?;
    let rows = array.shape()[0];
    let kinds = vec![ShapeKind::Path; rows];
    let (points, _) = kept_points(&array, argument)?;
    let column = Column::of_rows(points, rows, 2).of_kinds(kinds, Vec::new());
    Ok(without_lost(column, losses))
}

impl Shapes {
    /// The column, examined, with these radii.
    pub(super) fn rounded(
        name: &'static str,
        py: Python<'_>,
        column: Column,
        radius: Option<&Bound<'_, PyAny>>,
        on_invalid: OnInvalid,
    ) -> PyResult<Self> {
        let column = match radius {
            Some(radius) => {
                let mut radii = radii(radius, column.len(), on_invalid)?;
                let faults = invalid_radii(&mut radii, column.len());
                column.without(&faults).with_radius(&radii, 1)?
            }
            None => column,
        };
        Self::examined(name, py, column, on_invalid.validation(true)).map(Self)
    }
}
