//! GeoArrow in and out: polygons as lists of rings, and these as lists of coordinates.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema};
use arrow_array::types::{Float32Type, Float64Type};
use arrow_array::{
    Array, ArrayReader, ArrayRef, FixedSizeListArray, Float64Array, GenericListArray,
    OffsetSizeTrait, StructArray,
};
use arrow_buffer::{NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, DataType, Field, Fields};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::batch::{ArgumentRow, Column, Shared};
use crate::geom::Point;
use crate::python::{buffer, errors, interruptible};
use crate::shape::Rings;

/// Where a field's metadata has the name of an extension type.
const EXTENSION: &str = "ARROW:extension:name";

const ENCODED: &str = "expected coordinates, got WKB or WKT; GeoPandas exports coordinates with \
                       to_arrow(geometry_encoding=\"geoarrow\")";

const MULTIPLE: &str = "expected polygons, got multipolygons; take them apart first, with \
                        explode() in GeoPandas";

/// The polygons of any object that knows Arrow's C interface, not examined yet.
pub(crate) fn read(
    name: &'static str,
    object: &Bound<'_, PyAny>,
    drop_z: bool,
) -> PyResult<Column> {
    let (field, chunks) = chunks(name, object)?;
    let dimensions =
        dimensions(&field).map_err(|what| PyTypeError::new_err(format!("{name}: {what}")))?;
    if dimensions > 2 && !drop_z {
        return Err(PyValueError::new_err(format!(
            "{name}: the coordinates have Z or M; pass drop_z=True to leave it out"
        )));
    }
    interruptible::here(|| {
        let (mut pieces, mut first) = (Vec::new(), 0);
        for chunk in &chunks {
            let reader = Reader { name, first };
            reader.pieces(chunk, &mut pieces)?;
            first += chunk.len();
        }
        Ok(joined(pieces))
    })?
}

/// The arrays that an object exports, and their type.
fn chunks(name: &str, object: &Bound<'_, PyAny>) -> PyResult<(Field, Vec<ArrayRef>)> {
    let py = object.py();
    if let Some(export) = object.getattr_opt(intern!(py, "__arrow_c_array__"))? {
        return one_chunk(name, &export.call0()?);
    }
    if let Some(export) = object.getattr_opt(intern!(py, "__arrow_c_stream__"))? {
        return all_chunks(name, &export.call0()?);
    }
    Err(PyTypeError::new_err(format!(
        "{name}: expected an object with __arrow_c_array__ or __arrow_c_stream__, got {}",
        object.get_type().qualname()?
    )))
}

/// The array in what `__arrow_c_array__` returned.
fn one_chunk(name: &str, exported: &Bound<'_, PyAny>) -> PyResult<(Field, Vec<ArrayRef>)> {
    let (schema, array) = exported.extract().map_err(|_| {
        PyTypeError::new_err(format!(
            "{name}: __arrow_c_array__ gave no pair of capsules"
        ))
    })?;
    let read = interruptible::here(|| buffer::arrow_array(&schema, &array))??;
    let (field, array) = read.map_err(|why| refused(name, &why))?;
    Ok((field, vec![array]))
}

/// The arrays in what `__arrow_c_stream__` returned.
fn all_chunks(name: &str, exported: &Bound<'_, PyAny>) -> PyResult<(Field, Vec<ArrayRef>)> {
    let capsule = exported
        .cast()
        .map_err(|_| PyTypeError::new_err(format!("{name}: __arrow_c_stream__ gave no capsule")))?;
    let stream = interruptible::here(|| buffer::arrow_stream(capsule))??;
    let stream = stream.map_err(|why| refused(name, &why))?;
    let field = stream.field().as_ref().clone();
    let arrays = interruptible::here(|| stream.collect::<Result<_, _>>())?;
    Ok((field, arrays.map_err(|why| refused(name, &why))?))
}

fn refused(name: &str, why: &ArrowError) -> PyErr {
    PyValueError::new_err(format!("{name}: {why}"))
}

/// How many dimensions the coordinates of polygons have, or what is wrong with their type.
fn dimensions(field: &Field) -> Result<usize, String> {
    let extension = field.metadata().get(EXTENSION).map_or("", String::as_str);
    match extension {
        "geoarrow.polygon" => {}
        "geoarrow.wkb" | "ogc.wkb" | "geoarrow.wkt" => return Err(ENCODED.to_owned()),
        "geoarrow.multipolygon" => return Err(MULTIPLE.to_owned()),
        _ if extension.starts_with("geoarrow.") => {
            return Err(format!("expected geoarrow.polygon, got {extension}"));
        }
        _ => {}
    }
    let (lists, inner) = nested(field.data_type());
    match (lists, width(inner)) {
        (2, Some(width)) => Ok(width),
        (3, Some(_)) => Err(MULTIPLE.to_owned()),
        _ => Err(other(field.data_type())),
    }
}

/// How many lists a type is nested in, and the type.
fn nested(mut inner: &DataType) -> (usize, &DataType) {
    let mut lists = 0;
    while let DataType::List(item) | DataType::LargeList(item) = inner {
        (lists, inner) = (lists + 1, item.data_type());
    }
    (lists, inner)
}

/// What is wrong with a type of something else.
fn other(found: &DataType) -> String {
    match found {
        DataType::Binary
        | DataType::LargeBinary
        | DataType::BinaryView
        | DataType::Utf8
        | DataType::LargeUtf8
        | DataType::Utf8View => ENCODED.to_owned(),
        DataType::Struct(columns) => format!(
            "expected polygons, got a table or struct; take one of its columns: {}",
            names(columns)
        ),
        _ => format!("expected a list of rings, each a list of float64 coordinates, got {found}"),
    }
}

/// How many numbers coordinates of a type have; `None` if they are none.
fn width(coordinates: &DataType) -> Option<usize> {
    let is_float =
        |field: &Field| matches!(field.data_type(), DataType::Float64 | DataType::Float32);
    match coordinates {
        DataType::FixedSizeList(item, width) if is_float(item) => {
            usize::try_from(*width).ok().filter(|&width| width >= 2)
        }
        DataType::Struct(fields) => {
            let has = |name| fields.find(name).is_some_and(|(_, field)| is_float(field));
            (has("x") && has("y")).then_some(fields.len())
        }
        _ => None,
    }
}

fn names(fields: &Fields) -> String {
    let names: Vec<_> = fields.iter().map(|field| field.name().as_str()).collect();
    names.join(", ")
}

/// Rows that lie in memory one after the other.
struct Piece {
    points: Shared<Point>,
    rings: Vec<usize>,
    rows: Vec<usize>,
}

/// All pieces as one column; without a copy, if it is only one.
fn joined(mut pieces: Vec<Piece>) -> Column {
    if pieces.len() == 1
        && let Some(piece) = pieces.pop()
    {
        return Column::of_parts(piece.points, piece.rings, Some(piece.rows));
    }
    let (mut points, mut rings, mut rows) = (Vec::new(), vec![0], vec![0]);
    for piece in &pieces {
        let (before, rings_before) = (points.len(), rings.len() - 1);
        points.extend_from_slice((*piece.points).as_ref());
        rings.extend(piece.rings[1..].iter().map(|end| before + end));
        rows.extend(piece.rows[1..].iter().map(|end| rings_before + end));
    }
    Column::of_parts(Arc::new(points), rings, Some(rows))
}

/// A list array: where each item starts among the values, and where the last one ends.
struct Lists {
    offsets: Vec<usize>,
    values: ArrayRef,
}

impl Lists {
    /// `None` if the array holds no lists, or its offsets lead astray.
    fn new(array: &ArrayRef) -> Option<Self> {
        fn read<O: OffsetSizeTrait>(list: &GenericListArray<O>) -> Lists {
            // What is negative becomes too large.
            let offset = |offset: &O| offset.to_usize().unwrap_or(usize::MAX);
            Lists {
                offsets: list.value_offsets().iter().map(offset).collect(),
                values: Arc::clone(list.values()),
            }
        }
        let small = array.as_list_opt::<i32>().map(read);
        let lists = small.or_else(|| array.as_list_opt::<i64>().map(read))?;
        let ends_within = lists.offsets.last()? <= &lists.values.len();
        (ends_within && lists.offsets.is_sorted()).then_some(lists)
    }

    fn range(&self, item: usize) -> Range<usize> {
        self.offsets[item]..self.offsets[item + 1]
    }
}

/// Reads one array of polygons, whose first row has a number.
struct Reader {
    name: &'static str,
    first: usize,
}

impl Reader {
    /// The rows of an array in as few pieces as they lie in.
    fn pieces(&self, array: &ArrayRef, pieces: &mut Vec<Piece>) -> PyResult<()> {
        let astray =
            || PyValueError::new_err(format!("{}: offsets lead beyond the arrays", self.name));
        let rows = Lists::new(array).ok_or_else(astray)?;
        let rings = Lists::new(&rows.values).ok_or_else(astray)?;
        let mut run = Run::new(0);
        for row in 0..array.len() {
            let range = if array.is_null(row) {
                0..0
            } else {
                rows.range(row)
            };
            if !run.takes(&range) {
                let done = std::mem::replace(&mut run, Run::new(row));
                pieces.push(self.piece(&done, &rings, &rows)?);
            }
            run.push(&range);
        }
        pieces.push(self.piece(&run, &rings, &rows)?);
        Ok(())
    }

    fn piece(&self, run: &Run, rings: &Lists, rows: &Lists) -> PyResult<Piece> {
        let taken = &run.rings;
        refuse_null(&rows.values, taken, |ring| self.place(run, ring))?;
        let (start, end) = (rings.offsets[taken.start], rings.offsets[taken.end]);
        let coordinates = rings.values.slice(start, end - start);
        let place = |vertex| {
            let offsets = &rings.offsets[taken.start..=taken.end];
            let ring = offsets.partition_point(|&offset| offset <= start + vertex) - 1;
            let vertex = start + vertex - offsets[ring];
            format!("{}: vertex {vertex}", self.place(run, ring))
        };
        refuse_null(&coordinates, &(0..coordinates.len()), place)?;
        let ends = rings.offsets[taken.start..=taken.end].iter();
        Ok(Piece {
            points: points(&coordinates, place)?,
            rings: ends.map(|offset| offset - start).collect(),
            rows: run.rows.clone(),
        })
    }

    /// What messages call a ring of a run.
    fn place(&self, run: &Run, ring: usize) -> String {
        let row = run.rows.partition_point(|&start| start <= ring) - 1;
        let number = self.first + run.first + row;
        let place = ArgumentRow::row(self.name, &[number + 1], number);
        format!("{place}: ring {}", ring - run.rows[row])
    }
}

/// Coordinates as points: where they lie, if these alternate between x and y.
fn points(coordinates: &ArrayRef, place: impl Fn(usize) -> String) -> PyResult<Shared<Point>> {
    let numbers = |array: &ArrayRef, width: usize| {
        refuse_null(array, &(0..array.len()), |number| place(number / width))?;
        doubles(array).ok_or_else(|| errors::internal("coordinates of another type"))
    };
    if let Some(list) = coordinates.as_fixed_size_list_opt() {
        let width = usize::try_from(list.value_length()).unwrap_or(0).max(2);
        let numbers = numbers(list.values(), width)?;
        if width == 2 {
            return Ok(buffer::interleaved(numbers));
        }
        let points = numbers
            .chunks_exact(width)
            .map(|it| Point::new(it[0], it[1]));
        return Ok(Arc::new(points.collect::<Vec<_>>()));
    }
    let column = |name| coordinates.as_struct_opt()?.column_by_name(name);
    let (Some(x), Some(y)) = (column("x"), column("y")) else {
        return Err(errors::internal("coordinates of another type"));
    };
    let (x, y) = (numbers(x, 1)?, numbers(y, 1)?);
    let points = x.iter().zip(y.iter()).map(|(&x, &y)| Point::new(x, y));
    Ok(Arc::new(points.collect::<Vec<_>>()))
}

/// No item in a range may be null: only whole polygons can be missing.
fn refuse_null(
    array: &ArrayRef,
    range: &Range<usize>,
    place: impl Fn(usize) -> String,
) -> PyResult<()> {
    if array.null_count() > 0
        && let Some(null) = range.clone().find(|&item| array.is_null(item))
    {
        let place = place(null - range.start);
        return Err(PyValueError::new_err(format!("{place} is null")));
    }
    Ok(())
}

/// Rows whose rings lie one after the other.
struct Run {
    /// The first row.
    first: usize,
    /// All of their rings.
    rings: Range<usize>,
    /// Where each row starts among these, and where the last one ends.
    rows: Vec<usize>,
}

impl Run {
    fn new(first: usize) -> Self {
        Self {
            first,
            rings: 0..0,
            rows: vec![0],
        }
    }

    fn takes(&self, rings: &Range<usize>) -> bool {
        rings.is_empty() || self.rings.is_empty() || self.rings.end == rings.start
    }

    fn push(&mut self, rings: &Range<usize>) {
        if !rings.is_empty() {
            let start = if self.rings.is_empty() {
                rings.start
            } else {
                self.rings.start
            };
            self.rings = start..rings.end;
        }
        self.rows.push(self.rings.len());
    }
}

/// Numbers as `float64`s, where they lie, if they are such.
fn doubles(array: &ArrayRef) -> Option<ScalarBuffer<f64>> {
    if let Some(doubles) = array.as_primitive_opt::<Float64Type>() {
        return Some(doubles.values().clone());
    }
    let singles = array.as_primitive_opt::<Float32Type>()?;
    Some(singles.values().iter().map(|&it| f64::from(it)).collect())
}

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
    /// An export as a consumer wishes it, as far as that makes a difference.
    fn new(column: &'a Column, requested: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let wish = requested.map(|schema| {
            let capsule = schema.cast().map_err(|_| {
                let found = schema.get_type();
                PyTypeError::new_err(format!("requested_schema: expected a capsule, got {found}"))
            })?;
            buffer::arrow_field(capsule)
        });
        let wish = wish.transpose()?.and_then(Result::ok);
        let closing = column.ring_offsets().len();
        Ok(Self {
            column,
            encoding: wish.map_or(Encoding::Interleaved, |field| encoding(field.data_type())),
            large: i32::try_from(column.vertices() + closing).is_err(),
        })
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

/// How polygons of a type have their coordinates.
fn encoding(polygons: &DataType) -> Encoding {
    match nested(polygons) {
        (_, DataType::Struct(_)) => Encoding::Separated,
        _ => Encoding::Interleaved,
    }
}

/// A ring with its first vertex as its last, as GeoArrow asks.
fn closed(ring: &[Point]) -> impl Iterator<Item = Point> {
    ring.iter().chain(ring.first()).copied()
}

/// The type of a column's export.
pub(crate) fn schema<'py>(py: Python<'py>, column: &Column) -> PyResult<Bound<'py, PyCapsule>> {
    schema_of(py, &Export::new(column, None)?.field())
}

fn schema_of<'py>(py: Python<'py>, field: &Field) -> PyResult<Bound<'py, PyCapsule>> {
    let schema = FFI_ArrowSchema::try_from(field).map_err(errors::internal)?;
    PyCapsule::new_with_value(py, schema, c"arrow_schema")
}

/// A column's rows as an array, and their type.
pub(crate) fn array<'py>(
    py: Python<'py>,
    column: &Column,
    requested: Option<&Bound<'py, PyAny>>,
) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
    let export = Export::new(column, requested)?;
    let array = interruptible::here(|| export.array())?.map_err(errors::internal)?;
    let array = FFI_ArrowArray::new(&array.to_data());
    let array = PyCapsule::new_with_value(py, array, c"arrow_array")?;
    Ok((schema_of(py, &export.field())?, array))
}

/// A column's rows as a stream of one array.
pub(crate) fn stream<'py>(
    py: Python<'py>,
    column: &Column,
    requested: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyCapsule>> {
    let export = Export::new(column, requested)?;
    let array = interruptible::here(|| export.array())?.map_err(errors::internal)?;
    let stream = buffer::arrow_stream_of(export.field(), array);
    PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
}
