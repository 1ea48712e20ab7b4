//! Columns from the arrays of an object that exports Arrow data.

use arrow_array::Array;
use pyo3::prelude::*;

use super::boxes;
use super::geoarrow::{Encoding, Stated};
use super::lists::{Reader, RowNumbers};
use super::piece::joined;
use super::request::Request;
use super::source::Source;
use super::{unions, wkb_arrays};
use crate::batch::{ArgumentRow, Column};
use crate::python::input::input_error::{self, Place};
use crate::python::{crs, interruptible};
use crate::shape::ShapeKind;

/// The shapes of any object that knows Arrow's C interface, not validated yet.
pub(crate) fn read(
    name: &'static str,
    object: &Bound<'_, PyAny>,
    request: Request<'_>,
) -> PyResult<Column> {
    let py = object.py();
    let source = Source::new(name, object, request.column, request.kind)?;
    let (of_metadata, mut srid) = (source.crs.clone(), None);
    let is_of_any_kind = matches!(source.encoding, Encoding::Wkb | Encoding::Union);
    let column;
    if matches!(source.encoding, Encoding::Wkb) {
        (column, srid) = wkb_arrays::read(name, py, &source.chunks, request)?;
    } else {
        column = read_arrays(name, py, source, request)?;
    }
    if is_of_any_kind && let Some(Stated::Kind(kind)) = request.kind {
        refuse_other_kinds(name, &column, kind)?;
    }
    let (srid, row) = srid.unwrap_or_default();
    let names = [
        Place::from(name).row(row),
        Place::from(name).within("the type of "),
    ];
    let crs = crs::agreed(py, names.each_ref(), [crs::of_srid(srid), of_metadata])?;
    Ok(column.with_crs(crs))
}

/// Refuses rows of another kind than is asked for.
fn refuse_other_kinds(name: &'static str, column: &Column, asked: ShapeKind) -> PyResult<()> {
    let other = (0..column.len()).find_map(|row| {
        let kind = column
            .kind(row)
            .filter(|&kind| kind != asked && column.rings(row).is_some())?;
        Some((row, kind))
    });
    other.map_or(Ok(()), |(row, kind)| {
        let (row, kind) = (ArgumentRow::row(name, &[column.len()], row), kind.name());
        let asked = asked.name();
        Err(input_error::value_error(
            row,
            format!("kind is '{asked}', but the row is a {kind}"),
        ))
    })
}

/// The shapes of arrays that are not WKB.
fn read_arrays(
    name: &'static str,
    py: Python<'_>,
    source: Source,
    request: Request<'_>,
) -> PyResult<Column> {
    let Request {
        drop_z, on_invalid, ..
    } = request;
    let bytes = source.chunks.iter().map(Array::get_buffer_memory_size);
    let work = bytes.fold(0, usize::saturating_add) / size_of::<f64>();
    interruptible::run(py, source, work, None, move |source, _, control| {
        let (mut first, mut pieces, mut order) = (0, Vec::new(), None);
        for array in &source.chunks {
            let rows = RowNumbers::From(first);
            let how = Reader {
                name,
                rows,
                drop_z,
                on_invalid,
                control,
            };
            match &source.encoding {
                Encoding::Lists(kind, coordinates) => {
                    pieces.push(how.piece(array, *kind, coordinates)?);
                }
                Encoding::Boxes => pieces.push(boxes::piece(&how, array)?),
                Encoding::Union => {
                    unions::add(&how, array, &mut pieces, order.get_or_insert_default())?;
                }
                Encoding::Wkb => unreachable!("WKB is read elsewhere"),
            }
            first += array.len();
        }
        joined(pieces, order, control)
    })?
}
