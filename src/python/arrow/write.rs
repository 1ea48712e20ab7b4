//! GeoArrow arrays from columns.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema};
use arrow_array::{
    Array, ArrayRef, FixedSizeListArray, Float64Array, GenericListArray, OffsetSizeTrait,
    StructArray,
};
use arrow_buffer::{NullBuffer, OffsetBuffer};
use arrow_schema::{ArrowError, DataType, Field};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use super::geoarrow::{self, EXTENSION};
use crate::batch::Column;
use crate::geom::Point;
use crate::python::buffer::arrow_ffi as buffer;
use crate::python::{errors, interruptible};
use crate::shape::Rings;

/// A column's export: lists of rings, which are lists of coordinates; if it is large,
/// with offsets of 64 bits.
fn export(
    column: &Column,
    is_large: bool,
    separated: bool,
) -> Result<(Field, ArrayRef), ArrowError> {
    let array = if is_large {
        lists::<i64>(column, separated)?
    } else {
        lists::<i32>(column, separated)?
    };
    let extension = ("ARROW:extension:metadata", "{}");
    let metadata = [(EXTENSION, "geoarrow.polygon"), extension];
    let metadata = metadata.map(|(key, value)| (key.to_owned(), value.to_owned()));
    let field = Field::new("", array.data_type().clone(), true);
    Ok((field.with_metadata(HashMap::from(metadata)), array))
}

/// Whether the offsets of a column's export need 64 bits.
fn is_large(column: &Column) -> bool {
    let closing = column.offsets().rings.len();
    i32::try_from(column.vertices() + closing).is_err()
}

fn lists<O: OffsetSizeTrait>(column: &Column, separated: bool) -> Result<ArrayRef, ArrowError> {
    let list = |name, lengths: Vec<usize>, values: ArrayRef, nulls| {
        let field = Arc::new(Field::new(name, values.data_type().clone(), false));
        let offsets = OffsetBuffer::from_lengths(lengths);
        let list = GenericListArray::<O>::try_new(field, offsets, values, nulls);
        list.map(|list| Arc::new(list) as ArrayRef)
    };
    let rows = || (0..column.len()).map(|row| column.rings(row));
    let rings = || rows().flatten().flat_map(|rings| rings.iter());
    let lengths = rings().map(|ring| closed(ring).count()).collect();
    let vertices = points(rings().flat_map(closed), separated)?;
    let rings = list("vertices", lengths, vertices, None)?;
    let counts = rows().map(|rings| rings.as_ref().map_or(0, Rings::len));
    let nulls = rows().map(|rings| rings.is_some()).collect::<NullBuffer>();
    let nulls = Some(nulls).filter(|nulls| nulls.null_count() > 0);
    list("rings", counts.collect(), rings, nulls)
}

fn points(points: impl Iterator<Item = Point>, separated: bool) -> Result<ArrayRef, ArrowError> {
    let number = |name| Arc::new(Field::new(name, DataType::Float64, false));
    if !separated {
        let numbers: Vec<f64> = points.flat_map(|p| [p.x, p.y]).collect();
        let numbers = Arc::new(Float64Array::from(numbers));
        let list = FixedSizeListArray::try_new(number("xy"), 2, numbers, None)?;
        return Ok(Arc::new(list));
    }
    let (x, y): (Vec<_>, Vec<_>) = points.map(|p| (p.x, p.y)).unzip();
    let columns = [x, y].map(|it| Arc::new(Float64Array::from(it)) as ArrayRef);
    let fields = vec![number("x"), number("y")].into();
    let columns = StructArray::try_new(fields, columns.into(), None)?;
    Ok(Arc::new(columns))
}

/// Whether a requested schema asks for x and y in two arrays; an invalid type asks for nothing.
fn asks_separated(requested: &Bound<'_, PyAny>) -> PyResult<bool> {
    let capsule = requested.cast().map_err(|_| {
        let found = requested.get_type();
        PyTypeError::new_err(format!("requested_schema: expected a capsule, got {found}"))
    })?;
    match interruptible::here(|| buffer::arrow_field("requested_schema", capsule))? {
        Ok(field) => Ok(matches!(
            geoarrow::vertex(field.data_type()).1,
            DataType::Struct(_)
        )),
        Err(why) if why.is_instance_of::<PyTypeError>(requested.py()) => Err(why),
        Err(_) => Ok(false),
    }
}

/// A ring with its first vertex as its last, as GeoArrow asks.
fn closed(ring: &[Point]) -> impl Iterator<Item = Point> {
    ring.iter().chain(ring.first()).copied()
}

/// The type of a column's export.
pub(crate) fn schema<'py>(
    py: Python<'py>,
    column: &Arc<Column>,
) -> PyResult<Bound<'py, PyCapsule>> {
    let export = export(&column.slice(0..0), is_large(column), false);
    schema_of(py, &export.map_err(errors::internal)?.0)
}

fn schema_of<'py>(py: Python<'py>, field: &Field) -> PyResult<Bound<'py, PyCapsule>> {
    let schema = FFI_ArrowSchema::try_from(field).map_err(errors::internal)?;
    PyCapsule::new_with_value(py, schema, c"arrow_schema")
}

/// A column's rows as an array, and their type.
pub(crate) fn array<'py>(
    py: Python<'py>,
    column: &Arc<Column>,
    requested: Option<&Bound<'py, PyAny>>,
) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
    let (field, array) = rows(py, column, requested)?;
    let array = FFI_ArrowArray::new(&array.to_data());
    let array = PyCapsule::new_with_value(py, array, c"arrow_array")?;
    Ok((schema_of(py, &field)?, array))
}

/// A column's rows as a stream of one array.
pub(crate) fn stream<'py>(
    py: Python<'py>,
    column: &Arc<Column>,
    requested: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyCapsule>> {
    let (field, array) = rows(py, column, requested)?;
    let stream = buffer::arrow_stream_of(field, array);
    PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
}

/// A column's rows and their type.
fn rows(
    py: Python<'_>,
    column: &Arc<Column>,
    requested: Option<&Bound<'_, PyAny>>,
) -> PyResult<(Field, ArrayRef)> {
    let separated = requested.map_or(Ok(false), asks_separated)?;
    let (column, work) = (Arc::clone(column), column.vertices() + column.len());
    let rows = interruptible::run(py, column, work, None, move |column, _, _| {
        export(column, is_large(column), separated)
    })?;
    rows.map_err(errors::internal)
}
