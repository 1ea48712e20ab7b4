//! Rows from flat arrays: vertices, and offsets of rings and polygons.

use std::fmt::Display;
use std::sync::Arc;

use numpy::{PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;

use crate::batch::{Column, OnInvalid, RaggedOffsets, Shared};
use crate::geom::Point;
use crate::python::input::errors;
use crate::python::input::expected_argument::{Argument, ItemShape};
use crate::python::input::float64_arrays::Losses;
use crate::python::input::input_error::{self, Place};
use crate::python::input::nested_sequences::{depth, is_empty, is_list};
use crate::python::input::row_numbers::indices;
use crate::python::input::vector_arguments::kept_points;
use crate::shape::ShapeKind;

/// The rows that `read` gives. Its error for a number that can't be read names a vertex of the whole array. To name the
/// row instead, the array is read again with such rows missing.
fn named_by_row(
    py: Python<'_>,
    name: &str,
    on_invalid: OnInvalid,
    read: impl Fn(OnInvalid) -> PyResult<Column>,
) -> PyResult<Column> {
    read(on_invalid).map_err(|why| {
        if on_invalid == OnInvalid::Mask || !why.is_instance_of::<PyValueError>(py) {
            return why;
        }
        let masked = match read(OnInvalid::Mask) {
            Err(other) if errors::is_refusal(&other, py) => return why,
            Err(other) => return other,
            Ok(masked) => masked,
        };
        let mut faults = (0..masked.len()).filter_map(|row| Some((row, masked.fault(row)?)));
        faults.next().map_or(why, |(row, what)| {
            input_error::value_error(Place::from(name).row(row), what)
        })
    })
}

/// The rows, not examined yet. `levels` are the offsets of polygons and of rows. Rows of several polygons
/// are multipolygons and the others polygons.
pub(crate) fn shapes(
    coords: &Bound<'_, PyAny>,
    ring_offsets: &Bound<'_, PyAny>,
    levels: [Option<&Bound<'_, PyAny>>; 2],
    on_invalid: OnInvalid,
) -> PyResult<Column> {
    named_by_row(coords.py(), "shapes", on_invalid, |on_invalid| {
        let (points, losses) = vertices(coords, on_invalid)?;
        let level = |name, given: Option<&Bound<'_, PyAny>>, length| {
            given.map(|it| offsets(name, it, length)).transpose()
        };
        let rings = offsets("ring_offsets", ring_offsets, (*points).as_ref().len())?;
        let polygons = level("polygon_offsets", levels[0], rings.len() - 1)?;
        let count = polygons.as_ref().map_or(rings.len(), Vec::len) - 1;
        let shapes = level("shape_offsets", levels[1], count)?;
        let kind = |row: &[usize]| match row[1] - row[0] {
            0 | 1 => ShapeKind::Polygon,
            _ => ShapeKind::MultiPolygon,
        };
        let kinds = shapes.iter().flat_map(|starts| starts.windows(2));
        let kinds = kinds.map(kind).collect();
        let offsets = RaggedOffsets {
            rings,
            polygons,
            shapes,
        };
        let column = Column::of_shapes(points, offsets).of_kinds(kinds, Vec::new());
        Ok(without_lost(column, losses))
    })
}

/// Paths, one per row, not examined yet.
pub(crate) fn paths(
    coords: &Bound<'_, PyAny>,
    starts: &Bound<'_, PyAny>,
    on_invalid: OnInvalid,
) -> PyResult<Column> {
    named_by_row(coords.py(), "paths", on_invalid, |on_invalid| {
        let (points, losses) = vertices(coords, on_invalid)?;
        let rings = offsets("offsets", starts, (*points).as_ref().len())?;
        let kinds = vec![ShapeKind::Path; rings.len() - 1];
        let offsets = RaggedOffsets {
            rings,
            ..RaggedOffsets::default()
        };
        let column = Column::of_shapes(points, offsets).of_kinds(kinds, Vec::new());
        Ok(without_lost(column, losses))
    })
}

/// The same rows of a column that was not examined; those with a number that could not be read are
/// missing.
pub(crate) fn without_lost(column: Column, losses: Losses) -> Column {
    let vertices = losses.into_iter().map(|(number, what)| (number / 2, what));
    column.without_vertices(vertices)
}

/// The kinds with these numbers; -1 is a missing row.
pub(crate) fn kinds(numbers: &[i8]) -> PyResult<Vec<ShapeKind>> {
    let kind = |&number: &i8| match usize::try_from(number) {
        Err(_) => Ok(ShapeKind::Polygon),
        Ok(index) => ShapeKind::ALL.get(index).copied().ok_or_else(|| {
            input_error::value_error(
                Place::none(),
                format!("{number} is not the number of a kind"),
            )
        }),
    };
    numbers.iter().map(kind).collect()
}

fn vertices(coords: &Bound<'_, PyAny>, on_invalid: OnInvalid) -> PyResult<(Shared<Point>, Losses)> {
    if is_empty(coords)? {
        return Ok((Arc::new(Vec::new()), Losses::new()));
    }
    let argument = Argument::one("coords", ItemShape::Points("C"))
        .on_invalid(on_invalid)
        .advising("the vertices of all rings are one array, ring after ring");
    kept_points(coords, argument)
}

/// Offsets that rise from 0 to the length of what they divide.
fn offsets(name: &str, object: &Bound<'_, PyAny>, length: usize) -> PyResult<Vec<usize>> {
    if is_list(object) && object.len()? == 2 && depth(object)? == 2 {
        return Err(input_error::value_error(
            name,
            "expected shape (K,), got two arrays; the offsets of a column are passed as \
             *offsets",
        ));
    }
    let expected = |found: &dyn Display| {
        let expected = format!("expected offsets that rise from 0 to {length}");
        input_error::value_error(name, format!("{expected}, got {found}"))
    };
    let offsets = indices(object, &name.into()).map_err(|why| {
        let py = object.py();
        // Of row numbers, one beyond the range of int64 is an index that doesn't exist.
        if why.is_instance_of::<PyIndexError>(py) {
            return expected(why.value(py));
        }
        why
    });
    let offsets = offsets?;
    // The list, and what it is divided into.
    errors::memory(3 * offsets.len() * size_of::<usize>())?;
    let offsets = offsets.to_vec()?;
    if let Some(found) = not_rising(&offsets, length) {
        return Err(expected(&found));
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
