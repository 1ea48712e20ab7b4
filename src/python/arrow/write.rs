//! GeoArrow arrays from columns.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema};
use arrow_array::{
    Array, ArrayRef, FixedSizeListArray, Float64Array, GenericBinaryArray, GenericListArray,
    OffsetSizeTrait, StructArray,
};
use arrow_buffer::{NullBuffer, OffsetBuffer};
use arrow_schema::{ArrowError, DataType, Field};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyCapsule;

use super::geoarrow::{self, EXTENSION, Encoding, WKB};
use crate::batch::Column;
use crate::geom::{DisplayNumber, Point};
use crate::python::buffer::arrow_ffi as buffer;
use crate::python::buffer::c_unwind_call::call_method;
use crate::python::shapes::Shapes;
use crate::python::{errors, interruptible, shapely_reader};
use crate::shape::{Rings, ShapeKind};

/// How the rows of a column are exported: as lists if all are of one kind, else as WKB. A row with a radius is an error.
fn encoding(column: &Column) -> PyResult<Encoding> {
    if column.are_plain() {
        return Ok(Encoding::Lists(ShapeKind::Polygon, 2));
    }
    let mut rows = (0..column.len()).filter(|&row| column.kind(row).is_some());
    if let Some(row) = rows.clone().find(|&row| column.radius(row) != 0.0) {
        return Err(PyValueError::new_err(format!(
            "row {row} has the radius {}, for which GeoArrow has no type; with_radius(0) drops it",
            DisplayNumber(column.radius(row))
        )));
    }
    let kind = rows.next().and_then(|row| column.kind(row));
    if rows.any(|row| column.kind(row) != kind) {
        return Ok(Encoding::Wkb);
    }
    Ok(Encoding::Lists(kind.unwrap_or_default(), 2))
}

/// The type of an export.
fn field(name: &str, of: &DataType) -> Field {
    let metadata = [(EXTENSION, name), ("ARROW:extension:metadata", "{}")];
    let metadata = metadata.map(|(key, value)| (key.to_owned(), value.to_owned()));
    Field::new("", of.clone(), true).with_metadata(HashMap::from(metadata))
}

/// A column's rows as shapes of one kind; if it is large, with offsets of 64 bits.
fn export(
    column: &Column,
    kind: ShapeKind,
    is_large: bool,
    separated: bool,
) -> Result<(Field, ArrayRef), ArrowError> {
    let array = if is_large {
        lists::<i64>(column, kind, separated)?
    } else {
        lists::<i32>(column, kind, separated)?
    };
    Ok((field(geoarrow::name(kind), array.data_type()), array))
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
    let field = match encoding(column)? {
        Encoding::Wkb if is_large_wkb(column) => field(WKB, &DataType::LargeBinary),
        Encoding::Wkb => field(WKB, &DataType::Binary),
        Encoding::Lists(kind, _) => {
            let export = export(&column.slice(0..0), kind, is_large(column), false);
            export.map_err(errors::internal)?.0
        }
    };
    schema_of(py, &field)
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
    let Encoding::Lists(kind, _) = encoding(column)? else {
        return wkb(py, column);
    };
    let (column, work) = (Arc::clone(column), column.vertices() + column.len());
    column.compact()?;
    // Lists grow by doubling.
    errors::memory(3 * column.nbytes())?;
    let rows = interruptible::run(py, column, work, None, move |column, _, _| {
        export(column, kind, is_large(column), separated)
    })?;
    rows.map_err(errors::internal)
}

/// The rows of a column of several kinds as WKB, which Shapely writes.
fn wkb(py: Python<'_>, column: &Arc<Column>) -> PyResult<(Field, ArrayRef)> {
    let module = shapely_reader::wkb_module(py, "shapes")?;
    let values = call_method(&module, "wkb", (Shapes(Arc::clone(column)),))?;
    let array = if is_large_wkb(column) {
        binary::<i64>(&values)?
    } else {
        binary::<i32>(&values)?
    };
    Ok((field(WKB, array.data_type()), array))
}

/// Whether the offsets of a column's WKB may need 64 bits: 16 bytes for each vertex and row, and 32
/// for the head and the closing vertex of each ring.
fn is_large_wkb(column: &Column) -> bool {
    let rings = column.offsets().rings.len();
    let sixteens = column.vertices() + column.len() + 2 * rings;
    i32::try_from(16 * sixteens).is_err()
}

/// Bytes, or None where they are null.
fn binary<O: OffsetSizeTrait>(values: &Bound<'_, PyAny>) -> PyResult<ArrayRef> {
    let values = values.try_iter()?.map(|value| Ok(value?.extract()?));
    let values = values.collect::<PyResult<Vec<Option<PyBackedBytes>>>>()?;
    let array: GenericBinaryArray<O> = values.iter().map(Option::as_deref).collect();
    Ok(Arc::new(array))
}
