//! GeoArrow arrays and WKB from columns.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema};
use arrow_array::{
    Array, ArrayRef, BinaryViewArray, FixedSizeListArray, Float64Array, GenericBinaryArray,
    GenericListArray, OffsetSizeTrait, StructArray,
};
use arrow_buffer::{NullBuffer, OffsetBuffer};
use arrow_schema::{ArrowError, DataType, Field};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule, PyList};

use super::BLOCK;
use super::geoarrow::{self, EXTENSION, EXTENSION_METADATA, WKB};
use crate::batch::Column;
use crate::geom::{DisplayNumber, Point};
use crate::python::buffer::arrow_ffi::arrow_field;
use crate::python::buffer::arrow_stream::arrow_stream_of;
use crate::python::input::input_error::{self, Place};
use crate::python::python_calls::call;
use crate::python::{input::errors, interruptible, readers::wkb_writer};
use crate::shape::{Rings, ShapeKind};

/// How the rows of a column are exported.
#[derive(Clone, Debug, PartialEq)]
enum ExportForm {
    /// Lists of vertices, whose x and y are in arrays of their own if `separated`.
    Lists { kind: ShapeKind, separated: bool },
    /// WKB, as values of this type.
    Wkb(DataType),
}

/// How the rows of a column are exported: as asked, else as lists if all are of one kind, else as WKB. A row with a
/// radius is an error.
fn form(column: &Column, requested: Option<&DataType>) -> PyResult<ExportForm> {
    refuse_radius(column)?;
    // The offsets of more bytes need 64 bits.
    let binary = || match wkb_length(column).map(i32::try_from) {
        Some(Ok(_)) => DataType::Binary,
        _ => DataType::LargeBinary,
    };
    match (requested, common_kind(column)) {
        (Some(DataType::BinaryView), _) => Ok(ExportForm::Wkb(DataType::BinaryView)),
        (Some(DataType::LargeBinary), _) => Ok(ExportForm::Wkb(DataType::LargeBinary)),
        (Some(DataType::Binary), _) | (_, None) => Ok(ExportForm::Wkb(binary())),
        (requested, Some(kind)) => {
            let vertex = requested.map(|it| geoarrow::nested(it).1);
            let separated = matches!(vertex, Some(DataType::Struct(_)));
            Ok(ExportForm::Lists { kind, separated })
        }
    }
}

/// The kind of all rows that have one, polygons if there are none; `None` if they differ.
fn common_kind(column: &Column) -> Option<ShapeKind> {
    if column.are_plain() {
        return Some(ShapeKind::Polygon);
    }
    let mut kinds = (0..column.len()).filter_map(|row| column.kind(row));
    let kind = kinds.next().unwrap_or_default();
    kinds.all(|it| it == kind).then_some(kind)
}

fn refuse_radius(column: &Column) -> PyResult<()> {
    let mut rows = (0..column.len()).filter(|&row| column.kind(row).is_some());
    rows.find(|&row| column.radius(row) != 0.0).map_or(Ok(()), |row| {
        Err(input_error::value_error(Place::of_text(format!("row {row}")).row(row).subject(), format!(
            "has the radius {}, for which GeoArrow and WKB have no type; with_radius(0) drops it",
            DisplayNumber(column.radius(row))
        )))
    })
}

/// The type of an export, whose metadata state the column's reference system.
fn field(py: Python<'_>, name: &str, of: &DataType, column: &Column) -> PyResult<Field> {
    let metadata = match column.crs() {
        None => "{}".to_owned(),
        Some(crs) => call(py, "carom.interop.arrow", "metadata", (&**crs,))?.extract()?,
    };
    let metadata = [(EXTENSION, name.to_owned()), (EXTENSION_METADATA, metadata)];
    let metadata = metadata.map(|(key, value)| (key.to_owned(), value));
    Ok(Field::new("", of.clone(), true).with_metadata(HashMap::from(metadata)))
}

fn export(column: &Column, form: &ExportForm, is_large: bool) -> Result<ArrayRef, ArrowError> {
    match form {
        &ExportForm::Lists { kind, separated } if is_large => lists::<i64>(column, kind, separated),
        &ExportForm::Lists { kind, separated } => lists::<i32>(column, kind, separated),
        ExportForm::Wkb(DataType::Binary) => Ok(Arc::new(wkb::<i32>(column)?)),
        ExportForm::Wkb(DataType::LargeBinary) => Ok(Arc::new(wkb::<i64>(column)?)),
        ExportForm::Wkb(_) => Ok(Arc::new(BinaryViewArray::from(&wkb::<i64>(column)?))),
    }
}

/// Whether the offsets of a column's export need 64 bits.
fn is_large(column: &Column) -> bool {
    let closing = column.offsets().rings.len();
    i32::try_from(column.vertices() + closing).is_err()
}

fn lists<O: OffsetSizeTrait>(
    column: &Column,
    kind: ShapeKind,
    separated: bool,
) -> Result<ArrayRef, ArrowError> {
    let list = |name, lengths: Vec<usize>, values: ArrayRef, nulls| {
        let field = Arc::new(Field::new(name, values.data_type().clone(), false));
        let offsets = OffsetBuffer::from_lengths(lengths);
        let list = GenericListArray::<O>::try_new(field, offsets, values, nulls);
        list.map(|list| Arc::new(list) as ArrayRef)
    };
    let rows = || (0..column.len()).map(|row| column.rings(row));
    let shapes = || rows().flatten();
    let nulls = rows().map(|shape| shape.is_some()).collect::<NullBuffer>();
    let nulls = Some(nulls).filter(|nulls| nulls.null_count() > 0);
    if kind == ShapeKind::Point {
        let point = |shape: Option<Rings<'_>>| shape.map_or(Point::NAN, |it| it.ring(0)[0]);
        return points(rows().map(point), separated, nulls);
    }
    let is_closed = kind.is_polygonal();
    let own = |ring| vertices(ring, is_closed);
    let rings = || shapes().flat_map(|shape| shape.iter());
    let all = points(rings().flat_map(own), separated, None)?;
    let of_rows = |count: &dyn Fn(&Rings<'_>) -> usize| -> Vec<usize> {
        rows()
            .map(|shape| shape.as_ref().map_or(0, count))
            .collect()
    };
    let chains = || {
        let lengths = rings().map(|ring| own(ring).count()).collect();
        list("vertices", lengths, Arc::clone(&all), None)
    };
    let of_rings = || of_rows(&|shape| shape.len());
    match kind {
        ShapeKind::Point | ShapeKind::MultiPoint => list("points", of_rings(), all, nulls),
        ShapeKind::Path => list("vertices", of_rows(&|shape| shape.vertices()), all, nulls),
        ShapeKind::MultiPath => list("linestrings", of_rings(), chains()?, nulls),
        ShapeKind::Polygon => list("rings", of_rings(), chains()?, nulls),
        ShapeKind::MultiPolygon => {
            let sizes = |shape: Rings<'_>| {
                let ends = shape.parts().skip(1);
                let sizes = ends.zip(shape.parts()).map(|(end, start)| end - start);
                sizes.collect::<Vec<_>>()
            };
            let polygons = list("rings", shapes().flat_map(sizes).collect(), chains()?, None)?;
            let parts = |shape: &Rings<'_>| shape.parts().count() - 1;
            list("polygons", of_rows(&parts), polygons, nulls)
        }
    }
}

fn points(
    points: impl Iterator<Item = Point>,
    separated: bool,
    nulls: Option<NullBuffer>,
) -> Result<ArrayRef, ArrowError> {
    let number = |name| Arc::new(Field::new(name, DataType::Float64, false));
    if !separated {
        let numbers: Vec<f64> = points.flat_map(|p| [p.x, p.y]).collect();
        let numbers = Arc::new(Float64Array::from(numbers));
        let list = FixedSizeListArray::try_new(number("xy"), 2, numbers, nulls)?;
        return Ok(Arc::new(list));
    }
    let (x, y): (Vec<_>, Vec<_>) = points.map(|p| (p.x, p.y)).unzip();
    let columns = [x, y].map(|it| Arc::new(Float64Array::from(it)) as ArrayRef);
    let fields = vec![number("x"), number("y")].into();
    let columns = StructArray::try_new(fields, columns.into(), nulls)?;
    Ok(Arc::new(columns))
}

/// The type that a requested schema asks for; an invalid one asks for nothing.
fn asked(requested: &Bound<'_, PyAny>) -> PyResult<Option<DataType>> {
    let capsule = requested.cast();
    let capsule = capsule.map_err(|_| errors::not_a(requested, "requested_schema", "a capsule"))?;
    match interruptible::here(|| arrow_field("requested_schema", capsule))? {
        Ok(field) => Ok(Some(field.data_type().clone())),
        Err(why) if why.is_instance_of::<PyTypeError>(requested.py()) => Err(why),
        Err(_) => Ok(None),
    }
}

/// The vertices of a ring, path or point; a ring of a polygon ends with its first vertex, as GeoArrow
/// asks.
fn vertices(ring: &[Point], is_closed: bool) -> impl Iterator<Item = Point> {
    let closing = ring.first().filter(|_| is_closed);
    ring.iter().chain(closing).copied()
}

/// The type of a column's export.
pub(crate) fn schema<'py>(
    py: Python<'py>,
    column: &Arc<Column>,
) -> PyResult<Bound<'py, PyCapsule>> {
    schema_of(py, &field_of(py, column, &form(column, None)?)?)
}

/// The field of a column's rows in a form.
fn field_of(py: Python<'_>, column: &Column, form: &ExportForm) -> PyResult<Field> {
    column.compact()?;
    let none = export(&column.slice(0..0), form, is_large(column)).map_err(errors::internal)?;
    let name = match form {
        ExportForm::Lists { kind, .. } => geoarrow::name(*kind),
        ExportForm::Wkb(_) => WKB,
    };
    field(py, name, none.data_type(), column)
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
    let form = requested_form(column, requested)?;
    let field = field_of(py, column, &form)?;
    check_memory(column)?;
    let column = Arc::clone(column);
    let make = move || export(&column, &form, is_large(&column));
    let stream = arrow_stream_of(field, Box::new(make));
    PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
}

/// A column's rows and their type.
fn rows(
    py: Python<'_>,
    column: &Arc<Column>,
    requested: Option<&Bound<'_, PyAny>>,
) -> PyResult<(Field, ArrayRef)> {
    let form = requested_form(column, requested)?;
    let field = field_of(py, column, &form)?;
    check_memory(column)?;
    let (own, work) = (Arc::clone(column), column.vertices() + column.len());
    let rows = interruptible::run(py, own, work, None, move |column, _, _| {
        export(column, &form, is_large(column))
    })?;
    Ok((field, rows.map_err(errors::internal)?))
}

fn requested_form(column: &Column, requested: Option<&Bound<'_, PyAny>>) -> PyResult<ExportForm> {
    form(column, requested.map_or(Ok(None), asked)?.as_ref())
}

fn check_memory(column: &Column) -> PyResult<()> {
    // Lists grow by doubling; a part of WKB takes nine bytes besides its vertices.
    errors::memory(3 * column.nbytes())
}

fn wkb<O: OffsetSizeTrait>(column: &Column) -> Result<GenericBinaryArray<O>, ArrowError> {
    let rows = || (0..column.len()).map(|row| column.rings(row));
    let lengths = rows().map(|shape| shape.map_or(0, |shape| wkb_writer::length(&shape)));
    let offsets = OffsetBuffer::<O>::from_lengths(lengths);
    let nulls = rows().map(|shape| shape.is_some()).collect::<NullBuffer>();
    let nulls = Some(nulls).filter(|nulls| nulls.null_count() > 0);
    let mut bytes = Vec::with_capacity(offsets[column.len()].as_usize());
    rows()
        .flatten()
        .for_each(|shape| wkb_writer::write(&shape, &mut bytes));
    GenericBinaryArray::try_new(offsets, bytes.into(), nulls)
}

/// How many bytes all rows take as WKB; `None` if that is no number.
fn wkb_length(column: &Column) -> Option<usize> {
    let shapes = (0..column.len()).filter_map(|row| column.rings(row));
    shapes
        .map(|shape| wkb_writer::length(&shape))
        .try_fold(0, usize::checked_add)
}

/// The rows of a column as bytes of WKB, None where they are missing.
pub(crate) fn wkb_objects<'py>(py: Python<'py>, column: &Column) -> PyResult<Bound<'py, PyList>> {
    refuse_radius(column)?;
    errors::memory(
        wkb_length(column)
            .unwrap_or(usize::MAX)
            .saturating_add(64 * column.len()),
    )?;
    let (list, mut bytes) = (PyList::empty(py), Vec::new());
    for row in 0..column.len() {
        if row.is_multiple_of(BLOCK) {
            py.check_signals()?;
        }
        let Some(shape) = column.rings(row) else {
            list.append(py.None())?;
            continue;
        };
        bytes.clear();
        wkb_writer::write(&shape, &mut bytes);
        list.append(PyBytes::new(py, &bytes))?;
    }
    Ok(list)
}
