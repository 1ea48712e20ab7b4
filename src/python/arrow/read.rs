//! Columns from GeoArrow arrays.

use std::fmt::Display;
use std::ops::Range;
use std::sync::Arc;

use arrow_buffer::ScalarBuffer;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::c_import::ImportedArray;
use super::chunks;
use super::geoarrow::Coordinates;
use crate::batch::{ArgumentRow, CancelToken, Column, ColumnBuilder, Shared};
use crate::geom::Point;
use crate::python::{buffer, errors, interruptible};

/// The polygons of any object that knows Arrow's C interface, not validated yet.
pub(crate) fn read(
    name: &'static str,
    object: &Bound<'_, PyAny>,
    drop_z: bool,
) -> PyResult<Column> {
    let (coordinates, chunks) = chunks::import(name, object, drop_z)?;
    let size = chunks.iter().map(ImportedArray::size);
    let work = size.fold(0, usize::saturating_add);
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
                    coordinates,
                    control,
                };
                pieces.push(reader.piece(array)?);
                first += array.length;
            }
            joined(pieces, control)
        },
    )?
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
struct Piece<'a> {
    array: &'a ImportedArray,
    points: Shared<Point>,
    rings: Vec<usize>,
    rows: Vec<usize>,
}

/// All pieces as one column; without a copy if there is one, whose null rows have no rings.
fn joined(mut pieces: Vec<Piece<'_>>, control: &CancelToken) -> PyResult<Column> {
    let is_null_with_rings =
        |piece: &Piece<'_>, row| piece.array.is_null(row) && piece.rows[row] < piece.rows[row + 1];
    if let [piece] = &*pieces
        && !(0..piece.array.length).any(|row| is_null_with_rings(piece, row))
    {
        let Piece {
            points,
            rings,
            rows,
            ..
        } = pieces.remove(0);
        return Ok(Column::of_parts(points, rings, Some(rows)));
    }
    let mut column = ColumnBuilder::default();
    for piece in pieces {
        let points = (*piece.points).as_ref();
        for row in 0..piece.array.length {
            proceed(control, row)?;
            let rings = if piece.array.is_null(row) {
                0..0
            } else {
                piece.rows[row]..piece.rows[row + 1]
            };
            column.push(rings.map(|ring| &points[piece.rings[ring]..piece.rings[ring + 1]]));
        }
    }
    Ok(column.build())
}

/// Some lists of an array.
struct Lists<'a> {
    /// The first of them in the array.
    first: usize,
    /// Where each starts among the values, and where the last one ends.
    offsets: Vec<usize>,
    array: &'a ImportedArray,
    values: &'a ImportedArray,
}

impl<'a> Lists<'a> {
    /// The lists in a range, or the first whose offsets decrease or exceed the values.
    fn new(array: &'a ImportedArray, range: Range<usize>) -> Result<Self, usize> {
        let values = &array.children[0];
        let (bytes, size) = array.bytes(&(range.start..range.end + 1));
        let offsets = if size == 4 {
            let number = |bytes| usize::try_from(i32::from_ne_bytes(bytes)).ok();
            rising(&bytes, values.length, number)
        } else {
            let number = |bytes| usize::try_from(i64::from_ne_bytes(bytes)).ok();
            rising(&bytes, values.length, number)
        };
        let first = range.start;
        Ok(Self {
            first,
            // The offset of a list's end is one further than that of its start.
            offsets: offsets.map_err(|bad| first + bad.saturating_sub(1))?,
            array,
            values,
        })
    }

    /// Where the values of a list lie, by its number in the array.
    fn range(&self, list: usize) -> Range<usize> {
        let list = list - self.first;
        self.offsets[list]..self.offsets[list + 1]
    }

    /// Where all values lie.
    fn span(&self) -> Range<usize> {
        self.offsets[0]..self.offsets[self.offsets.len() - 1]
    }

    /// The offsets among the values of these lists only.
    fn rebased(self) -> Vec<usize> {
        let start = self.offsets[0];
        if start == 0 {
            return self.offsets;
        }
        self.offsets.into_iter().map(|it| it - start).collect()
    }
}

/// Offsets that rise to a limit at most, or the position of the first that doesn't.
///
/// They are read one after the other, and none is kept before all are known to be right: how many
/// there are is only what the array states.
fn rising<const N: usize>(
    bytes: &[u8],
    limit: usize,
    number: impl Fn([u8; N]) -> Option<usize>,
) -> Result<Vec<usize>, usize> {
    let (offsets, _) = bytes.as_chunks();
    if offsets.is_empty() {
        return Ok(vec![0]);
    }
    let mut least = 0;
    for (position, &offset) in offsets.iter().enumerate() {
        match number(offset) {
            Some(offset) if least <= offset && offset <= limit => least = offset,
            _ => return Err(position),
        }
    }
    let numbers = offsets
        .iter()
        .map(|&offset| number(offset).unwrap_or(limit));
    Ok(numbers.collect())
}

/// Reads one array of polygons, whose first row has a number.
struct Reader<'a> {
    name: &'static str,
    first: usize,
    coordinates: Coordinates,
    control: &'a CancelToken,
}

impl Reader<'_> {
    fn piece<'a>(&self, array: &'a ImportedArray) -> PyResult<Piece<'a>> {
        let rows = Lists::new(array, 0..array.length).map_err(|row| self.astray(self.row(row)))?;
        let rings = Lists::new(rows.values, rows.span()).map_err(|ring| {
            let row = rows.offsets.partition_point(|&start| start <= ring) - 1;
            let ring = ring - rows.offsets[row];
            self.astray(format_args!("{}: ring {ring}", self.row(row)))
        })?;
        self.refuse_nulls(&rows, &rings)?;
        Ok(Piece {
            array,
            points: self.points(rings.values, &rings.span()),
            rings: rings.rebased(),
            rows: rows.rebased(),
        })
    }

    fn row(&self, row: usize) -> ArgumentRow {
        let number = self.first + row;
        ArgumentRow::row(self.name, &[number + 1], number)
    }

    fn astray(&self, place: impl Display) -> PyErr {
        let name = self.name;
        PyValueError::new_err(format!(
            "{name}: offsets lead beyond the arrays, at {place}"
        ))
    }

    /// Only whole polygons can be missing: no ring, vertex or number in another row may be null.
    fn refuse_nulls(&self, rows: &Lists<'_>, rings: &Lists<'_>) -> PyResult<()> {
        let mut parts = [rings.array, rings.values]
            .into_iter()
            .chain(&rings.values.children);
        if !parts.any(ImportedArray::has_nulls) {
            return Ok(());
        }
        for row in (0..rows.array.length).filter(|&row| !rows.array.is_null(row)) {
            proceed(self.control, row)?;
            let of_row = rows.range(row);
            for ring in of_row.clone() {
                let vertices = rings.range(ring);
                let place = if rings.array.is_null(ring) {
                    String::new()
                } else if let Some(vertex) = self.null_vertex(rings.values, vertices.clone()) {
                    format!(": vertex {}", vertex - vertices.start)
                } else {
                    continue;
                };
                let (row, ring) = (self.row(row), ring - of_row.start);
                return Err(PyValueError::new_err(format!(
                    "{row}: ring {ring}{place} is null"
                )));
            }
        }
        Ok(())
    }

    /// The first vertex in a range that is null, or has a number that is.
    fn null_vertex(&self, vertices: &ImportedArray, range: Range<usize>) -> Option<usize> {
        let (columns, width) = match self.coordinates {
            Coordinates::Interleaved(width) => (&[0][..], width),
            Coordinates::Separated { ref columns, .. } => (&columns[..], 1),
        };
        let Range { start, end } = vertices.shifted(&range);
        let null_number = |column: &usize| {
            let number = vertices.children[*column].null_in(start * width..end * width)?;
            Some(range.start + number / width - start)
        };
        let null_vertex = vertices.null_in(range.clone());
        null_vertex.or_else(|| columns.iter().filter_map(null_number).min())
    }

    /// Coordinates as points: where they lie, if these alternate between x and y.
    fn points(&self, vertices: &ImportedArray, range: &Range<usize>) -> Shared<Point> {
        let Range { start, end } = vertices.shifted(range);
        let numbers = |column: usize, width: usize| {
            doubles(&vertices.children[column], &(start * width..end * width))
        };
        match self.coordinates {
            Coordinates::Interleaved(2) => buffer::interleaved(numbers(0, 2)),
            Coordinates::Interleaved(width) => {
                let numbers = numbers(0, width);
                let vertices = numbers.chunks_exact(width);
                let points = vertices.map(|vertex| Point::new(vertex[0], vertex[1]));
                Arc::new(points.collect::<Vec<_>>())
            }
            Coordinates::Separated {
                columns: [x, y], ..
            } => {
                let (x, y) = (numbers(x, 1), numbers(y, 1));
                let points = x.iter().zip(y.iter()).map(|(&x, &y)| Point::new(x, y));
                Arc::new(points.collect::<Vec<_>>())
            }
        }
    }
}

/// Numbers as `float64`s: where they lie, if they are such and aligned.
fn doubles(numbers: &ImportedArray, range: &Range<usize>) -> ScalarBuffer<f64> {
    let (bytes, size) = numbers.bytes(range);
    if size == 4 {
        let (singles, _) = bytes.as_chunks();
        let double = |&single| f64::from(f32::from_ne_bytes(single));
        return singles.iter().map(double).collect();
    }
    if bytes.as_ptr().addr().is_multiple_of(align_of::<f64>()) {
        return bytes.into();
    }
    let (doubles, _) = bytes.as_chunks();
    doubles
        .iter()
        .map(|&double| f64::from_ne_bytes(double))
        .collect()
}
