//! Columns from GeoArrow arrays.

use std::fmt::Display;
use std::ops::Range;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, Float64Type};
use arrow_array::{Array, ArrayRef, GenericListArray, OffsetSizeTrait};
use arrow_buffer::{NullBuffer, ScalarBuffer};
use arrow_schema::Field;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;

use super::geoarrow;
use crate::batch::{ArgumentRow, CancelToken, Column, ColumnBuilder, Shared};
use crate::geom::Point;
use crate::python::buffer::arrow_ffi::{self as buffer, ArrowStream};
use crate::python::{errors, interruptible};

/// The polygons of any object that knows Arrow's C interface, not validated yet.
pub(crate) fn read(
    name: &'static str,
    object: &Bound<'_, PyAny>,
    drop_z: bool,
) -> PyResult<Column> {
    let chunks = chunks(name, object, drop_z)?;
    let bytes = chunks.iter().map(Array::get_buffer_memory_size);
    let work = bytes.fold(0, usize::saturating_add) / size_of::<f64>();
    interruptible::run(
        object.py(),
        chunks,
        work,
        None,
        move |chunks, _, control| {
            let mut first = 0;
            let mut pieces = Vec::with_capacity(chunks.len());
            for array in chunks.iter() {
                let reader = Reader {
                    name,
                    first,
                    control,
                };
                pieces.push(reader.piece(array)?);
                first += array.len();
            }
            joined(pieces, control)
        },
    )?
}

/// The arrays of polygons that an object exports. The producer of a stream may take its time for
/// each, and may need the interpreter.
fn chunks(name: &'static str, object: &Bound<'_, PyAny>, drop_z: bool) -> PyResult<Vec<ArrayRef>> {
    let py = object.py();
    if let Some(export) = object.getattr_opt(intern!(py, "__arrow_c_array__"))? {
        let (schema, array) = export.call0()?.extract().map_err(|_| {
            let what = "__arrow_c_array__ gave no pair of capsules";
            PyTypeError::new_err(format!("{name}: {what}"))
        })?;
        let field = interruptible::here(|| buffer::arrow_field(name, &schema))??;
        check_type(name, &field, drop_z)?;
        let read = || buffer::arrow_array(name, &array, field.data_type());
        return Ok(vec![interruptible::here(read)??]);
    }
    let Some(export) = object.getattr_opt(intern!(py, "__arrow_c_stream__"))? else {
        return Err(PyTypeError::new_err(format!(
            "{name}: expected an object with __arrow_c_array__ or __arrow_c_stream__, got {}",
            object.get_type().qualname()?
        )));
    };
    let export = export.call0()?;
    let capsule = export.cast();
    let capsule = capsule
        .map_err(|_| PyTypeError::new_err(format!("{name}: __arrow_c_stream__ gave no capsule")))?;
    let mut stream = ArrowStream::new(name, capsule)?;
    let field = interruptible::here(|| py.detach(|| stream.field()))??;
    check_type(name, &field, drop_z)?;
    let mut next = || {
        py.check_signals()?;
        interruptible::here(|| py.detach(|| stream.next(field.data_type())))?
    };
    std::iter::from_fn(|| next().transpose()).collect()
}

fn check_type(name: &str, polygons: &Field, drop_z: bool) -> PyResult<()> {
    let dimensions = geoarrow::dimensions(polygons)
        .map_err(|what| PyTypeError::new_err(format!("{name}: {what}")))?;
    if dimensions > 2 && !drop_z {
        return Err(PyValueError::new_err(format!(
            "{name}: the coordinates have Z or M; pass drop_z=True to leave it out"
        )));
    }
    Ok(())
}

/// How many rows are read before an interrupt is looked for.
const BLOCK: usize = 1 << 16;

/// An interrupt is looked for once in a block of rows.
fn proceed(control: &CancelToken, row: usize) -> PyResult<()> {
    if row.is_multiple_of(BLOCK) {
        control.proceed().map_err(|stop| errors::stopped(&stop))?;
    }
    Ok(())
}

/// The rows of one array. Those that are null may have rings.
struct Piece {
    rows: Lists,
    rings: Lists,
    points: Shared<Point>,
}

/// All pieces as one column; without a copy if there is one, whose null rows have no rings.
fn joined(mut pieces: Vec<Piece>, control: &CancelToken) -> PyResult<Column> {
    let is_null_with_rings = |rows: &Lists, row| rows.is_null(row) && !rows.range(row).is_empty();
    if let [Piece { rows, .. }] = &*pieces
        && !(0..rows.len()).any(|row| is_null_with_rings(rows, row))
    {
        let Piece {
            rows,
            rings,
            points,
        } = pieces.remove(0);
        return Ok(Column::of_parts(points, rings.starts, Some(rows.starts)));
    }
    let mut column = ColumnBuilder::default();
    for Piece {
        rows,
        rings,
        points,
    } in pieces
    {
        let points = (*points).as_ref();
        for row in 0..rows.len() {
            proceed(control, row)?;
            let of_row = if rows.is_null(row) {
                0..0
            } else {
                rows.range(row)
            };
            column.push(of_row.map(|ring| &points[rings.range(ring)]));
        }
    }
    Ok(column.build())
}

/// Lists of an array.
struct Lists {
    /// Where each starts among the values, and where the last one ends.
    starts: Vec<usize>,
    nulls: Option<NullBuffer>,
    values: ArrayRef,
}

impl Lists {
    /// The lists in an array, or the first whose offsets decrease or exceed the values.
    fn new(array: &ArrayRef) -> Result<Self, usize> {
        match array.as_list_opt::<i32>() {
            Some(lists) => Self::of(lists),
            None => Self::of(array.as_list::<i64>()),
        }
    }

    /// Offsets are checked one by one before memory for all is allocated: their number is only what
    /// the array states.
    fn of<O: OffsetSizeTrait>(lists: &GenericListArray<O>) -> Result<Self, usize> {
        let (offsets, limit) = (lists.value_offsets(), lists.values().len());
        let mut least = 0;
        for (position, offset) in offsets.iter().enumerate() {
            match offset.to_usize() {
                Some(offset) if least <= offset && offset <= limit => least = offset,
                // The offset of a list's end is one further than that of its start.
                _ => return Err(position.saturating_sub(1)),
            }
        }
        let start = offsets[0].as_usize();
        let starts = offsets.iter().map(|offset| offset.as_usize() - start);
        Ok(Self {
            starts: starts.collect(),
            nulls: lists.nulls().cloned(),
            values: lists.values().slice(start, least - start),
        })
    }

    fn len(&self) -> usize {
        self.starts.len() - 1
    }

    fn is_null(&self, list: usize) -> bool {
        self.nulls.as_ref().is_some_and(|nulls| nulls.is_null(list))
    }

    /// Where the values of a list lie.
    fn range(&self, list: usize) -> Range<usize> {
        self.starts[list]..self.starts[list + 1]
    }
}

/// The vertices of an array.
struct Vertices {
    points: Shared<Point>,
    /// Which items are null, and how many items a vertex consists of.
    nulls: Vec<(NullBuffer, usize)>,
}

impl Vertices {
    /// Vertices where they lie, if these are `float64`s that alternate between x and y.
    fn new(array: &ArrayRef) -> Self {
        let nulls = |array: &ArrayRef, width| Some((array.nulls()?.clone(), width));
        if let Some(list) = array.as_fixed_size_list_opt() {
            let width = usize::try_from(list.value_length()).unwrap_or(0).max(2);
            let numbers = doubles(list.values());
            let points: Shared<Point> = if width == 2 {
                buffer::interleaved(numbers)
            } else {
                let vertices = numbers.chunks_exact(width);
                let points = vertices.map(|vertex| Point::new(vertex[0], vertex[1]));
                Arc::new(points.collect::<Vec<_>>())
            };
            let nulls = [nulls(array, 1), nulls(list.values(), width)];
            let nulls = nulls.into_iter().flatten().collect();
            return Self { points, nulls };
        }
        let columns = ["x", "y"].map(|name| &array.as_struct()[name]);
        let [x, y] = columns.map(doubles);
        let points = x.iter().zip(y.iter()).map(|(&x, &y)| Point::new(x, y));
        Self {
            points: Arc::new(points.collect::<Vec<_>>()),
            nulls: [array, columns[0], columns[1]]
                .into_iter()
                .filter_map(|it| nulls(it, 1))
                .collect(),
        }
    }

    fn is_null(&self, vertex: usize) -> bool {
        let is_null = |(nulls, width): &(NullBuffer, usize)| {
            (vertex * width..(vertex + 1) * width).any(|item| nulls.is_null(item))
        };
        self.nulls.iter().any(is_null)
    }
}

/// Numbers as `float64`s: where they lie, if they are such.
fn doubles(numbers: &ArrayRef) -> ScalarBuffer<f64> {
    if let Some(doubles) = numbers.as_primitive_opt::<Float64Type>() {
        return doubles.values().clone();
    }
    let singles = numbers.as_primitive::<Float32Type>().values();
    singles.iter().map(|&single| f64::from(single)).collect()
}

/// Reads one array of polygons, whose first row has a number.
struct Reader<'a> {
    name: &'static str,
    first: usize,
    control: &'a CancelToken,
}

impl Reader<'_> {
    fn piece(&self, array: &ArrayRef) -> PyResult<Piece> {
        let rows = Lists::new(array).map_err(|row| self.misplaced(self.row(row)))?;
        let rings = Lists::new(&rows.values).map_err(|ring| {
            let row = rows.starts.partition_point(|&start| start <= ring) - 1;
            let ring = ring - rows.starts[row];
            self.misplaced(format_args!("{}: ring {ring}", self.row(row)))
        })?;
        let vertices = Vertices::new(&rings.values);
        if rings.nulls.is_some() || !vertices.nulls.is_empty() {
            self.refuse_nulls(&rows, &rings, &vertices)?;
        }
        Ok(Piece {
            rows,
            rings,
            points: vertices.points,
        })
    }

    fn row(&self, row: usize) -> ArgumentRow {
        let number = self.first + row;
        ArgumentRow::row(self.name, &[number + 1], number)
    }

    fn misplaced(&self, place: impl Display) -> PyErr {
        let name = self.name;
        PyValueError::new_err(format!(
            "{name}: offsets lead beyond the arrays, at {place}"
        ))
    }

    /// Only whole polygons can be missing: no ring, vertex or number in another row may be null.
    fn refuse_nulls(&self, rows: &Lists, rings: &Lists, vertices: &Vertices) -> PyResult<()> {
        for row in (0..rows.len()).filter(|&row| !rows.is_null(row)) {
            proceed(self.control, row)?;
            for (ring, list) in rows.range(row).enumerate() {
                let null_vertex = rings.range(list).position(|it| vertices.is_null(it));
                let place = match null_vertex {
                    _ if rings.is_null(list) => String::new(),
                    Some(vertex) => format!(": vertex {vertex}"),
                    None => continue,
                };
                let row = self.row(row);
                return Err(PyValueError::new_err(format!(
                    "{row}: ring {ring}{place} is null"
                )));
            }
        }
        Ok(())
    }
}
