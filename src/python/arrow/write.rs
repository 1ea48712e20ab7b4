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
use crate::python::buffer::arrow as buffer;
use crate::python::{errors, interruptible};
use crate::shape::Rings;

/// How coordinates lie in memory.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Encoding {
    Interleaved,
    Separated,
}

/// What an export consists of.
#[derive(Clone, Copy)]
struct Export<'a> {
    column: &'a Column,
    encoding: Encoding,
    /// Whether offsets need 64 bits.
    large: bool,
}

impl<'a> Export<'a> {
    fn new(column: &'a Column, encoding: Encoding) -> Self {
        let closing = column.ring_offsets().len();
        Self {
            column,
            encoding,
            large: i32::try_from(column.vertices() + closing).is_err(),
        }
    }

    fn coordinates(self) -> DataType {
        let number = |name| Field::new(name, DataType::Float64, false);
        match self.encoding {
            Encoding::Interleaved => DataType::FixedSizeList(Arc::new(number("xy")), 2),
            Encoding::Separated => DataType::Struct(vec![number("x"), number("y")].into()),
        }
    }

    fn list(self, field: Field) -> DataType {
        let field = Arc::new(field);
        if self.large {
            DataType::LargeList(field)
        } else {
            DataType::List(field)
        }
    }

    fn field(self) -> Field {
        let vertices = Field::new("vertices", self.coordinates(), false);
        let rings = Field::new("rings", self.list(vertices), false);
        let extension = ("ARROW:extension:metadata", "{}");
        let metadata = [(EXTENSION, "geoarrow.polygon"), extension];
        let metadata = metadata.map(|(key, value)| (key.to_owned(), value.to_owned()));
        Field::new("", self.list(rings), true).with_metadata(HashMap::from(metadata))
    }

    fn array(self) -> Result<ArrayRef, ArrowError> {
        if self.large {
            self.lists::<i64>()
        } else {
            self.lists::<i32>()
        }
    }

    fn lists<O: OffsetSizeTrait>(self) -> Result<ArrayRef, ArrowError> {
        let rows = || (0..self.column.len()).map(|row| self.column.rings(row));
        let rings = || rows().flatten().flat_map(|rings| rings.iter());
        let vertices = Arc::new(Field::new("vertices", self.coordinates(), false));
        let lengths = rings().map(|ring| closed(ring).count());
        let lists = GenericListArray::<O>::try_new(
            Arc::clone(&vertices),
            OffsetBuffer::from_lengths(lengths),
            self.points(rings().flat_map(closed))?,
            None,
        )?;
        let field = Field::new("rings", self.list(vertices.as_ref().clone()), false);
        let counts = rows().map(|rings| rings.as_ref().map_or(0, Rings::len));
        let nulls = rows().map(|rings| rings.is_some()).collect::<NullBuffer>();
        let polygons = GenericListArray::<O>::try_new(
            Arc::new(field),
            OffsetBuffer::from_lengths(counts),
            Arc::new(lists),
            Some(nulls).filter(|nulls| nulls.null_count() > 0),
        )?;
        Ok(Arc::new(polygons))
    }

    fn points(self, points: impl Iterator<Item = Point>) -> Result<ArrayRef, ArrowError> {
        match self.coordinates() {
            DataType::FixedSizeList(number, width) => {
                let numbers: Float64Array =
                    points.flat_map(|p| [p.x, p.y]).collect::<Vec<_>>().into();
                let list = FixedSizeListArray::try_new(number, width, Arc::new(numbers), None)?;
                Ok(Arc::new(list))
            }
            DataType::Struct(fields) => {
                let (x, y): (Vec<_>, Vec<_>) = points.map(|p| (p.x, p.y)).unzip();
                let columns = [x, y].map(|it| Arc::new(Float64Array::from(it)) as ArrayRef);
                Ok(Arc::new(StructArray::try_new(
                    fields,
                    columns.into(),
                    None,
                )?))
            }
            other => Err(ArrowError::SchemaError(other.to_string())),
        }
    }
}

/// The encoding in a requested schema: that of its coordinates, if it has a valid type.
fn encoding(requested: &Bound<'_, PyAny>) -> PyResult<Encoding> {
    let capsule = requested.cast().map_err(|_| {
        let found = requested.get_type();
        PyTypeError::new_err(format!("requested_schema: expected a capsule, got {found}"))
    })?;
    match interruptible::here(|| buffer::arrow_field("requested_schema", capsule))? {
        Ok(field) => Ok(match geoarrow::vertex(field.data_type()) {
            (_, DataType::Struct(_)) => Encoding::Separated,
            _ => Encoding::Interleaved,
        }),
        Err(why) if why.is_instance_of::<PyTypeError>(requested.py()) => Err(why),
        Err(_) => Ok(Encoding::Interleaved),
    }
}

/// A ring with its first vertex as its last, as GeoArrow asks.
fn closed(ring: &[Point]) -> impl Iterator<Item = Point> {
    ring.iter().chain(ring.first()).copied()
}

/// The type of a column's export.
pub(crate) fn schema<'py>(py: Python<'py>, column: &Column) -> PyResult<Bound<'py, PyCapsule>> {
    schema_of(py, &Export::new(column, Encoding::Interleaved).field())
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
    let encoding = requested.map_or(Ok(Encoding::Interleaved), encoding)?;
    let (column, work) = (Arc::clone(column), column.vertices() + column.len());
    let rows = interruptible::run(py, column, work, None, move |column, _, _| {
        let export = Export::new(column, encoding);
        Ok((export.field(), export.array()?))
    })?;
    rows.map_err(|why: ArrowError| errors::internal(why))
}
