//! Columns from GeoArrow arrays.

use std::ops::Range;
use std::sync::Arc;

use arrow_buffer::ScalarBuffer;
use arrow_schema::{ArrowError, Field};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;

use super::c_import::{self, ImportedArray};
use super::geoarrow::{self, Coordinates};
use crate::batch::{ArgumentRow, Column, Shared};
use crate::geom::Point;
use crate::python::interruptible;
use crate::python::shapely::{self, Geometries};

/// The polygons of any object that knows Arrow's C interface, not validated yet.
pub(crate) fn read(
    name: &'static str,
    object: &Bound<'_, PyAny>,
    drop_z: bool,
) -> PyResult<Column> {
    let importer = Importer { name, drop_z };
    let (coordinates, chunks) = importer.chunks(object)?;
    let size = chunks.iter().map(ImportedArray::size);
    let work = size.fold(0, usize::saturating_add);
    interruptible::run(object.py(), chunks, work, None, move |chunks, _, _| {
        let (mut pieces, mut first) = (Vec::new(), 0);
        for chunk in chunks {
            let reader = Reader {
                name,
                first,
                coordinates,
            };
            reader.pieces(chunk, &mut pieces)?;
            first += chunk.length;
        }
        Ok(joined(pieces))
    })?
}

/// Imports arrays of polygons; nothing in their buffers is read yet.
struct Importer {
    name: &'static str,
    drop_z: bool,
}

impl Importer {
    /// The arrays that an object exports, and how their coordinates lie.
    fn chunks(&self, object: &Bound<'_, PyAny>) -> PyResult<(Coordinates, Vec<ImportedArray>)> {
        let (py, name) = (object.py(), self.name);
        if !matches!(shapely::geometries(object)?, Geometries::None) {
            return Err(PyTypeError::new_err(format!(
                "{name}: expected Arrow data, got Shapely geometries; see Polygons.from_shapely"
            )));
        }
        if let Some(export) = object.getattr_opt(intern!(py, "__arrow_c_array__"))? {
            return self.one_chunk(&export.call0()?);
        }
        if let Some(export) = object.getattr_opt(intern!(py, "__arrow_c_stream__"))? {
            return self.all_chunks(&export.call0()?);
        }
        Err(PyTypeError::new_err(format!(
            "{name}: expected an object with __arrow_c_array__ or __arrow_c_stream__, got {}",
            object.get_type().qualname()?
        )))
    }

    /// The array in what `__arrow_c_array__` returned.
    fn one_chunk(
        &self,
        exported: &Bound<'_, PyAny>,
    ) -> PyResult<(Coordinates, Vec<ImportedArray>)> {
        let (schema, array) = exported.extract().map_err(|_| {
            let name = self.name;
            PyTypeError::new_err(format!(
                "{name}: __arrow_c_array__ gave no pair of capsules"
            ))
        })?;
        let field = interruptible::here(|| c_import::field(self.name, &schema))??;
        let field = field.map_err(|why| self.refused(&why))?;
        let coordinates = self.coordinates(&field)?;
        let array = interruptible::here(|| c_import::array(self.name, &array, field.data_type()))??;
        Ok((coordinates, vec![array.map_err(|why| self.refused(&why))?]))
    }

    /// The arrays in what `__arrow_c_stream__` returned. A producer may compute each when it is
    /// asked for it.
    fn all_chunks(
        &self,
        exported: &Bound<'_, PyAny>,
    ) -> PyResult<(Coordinates, Vec<ImportedArray>)> {
        let (py, name) = (exported.py(), self.name);
        let capsule = exported.cast().map_err(|_| {
            PyTypeError::new_err(format!("{name}: __arrow_c_stream__ gave no capsule"))
        })?;
        let mut stream = c_import::stream(name, capsule)?.map_err(|why| self.refused(&why))?;
        let field = interruptible::here(|| py.detach(|| stream.field()))?;
        let field = field.map_err(|why| self.refused(&why))?;
        let coordinates = self.coordinates(&field)?;
        let mut chunks = Vec::new();
        loop {
            py.check_signals()?;
            let next = interruptible::here(|| py.detach(|| stream.next(field.data_type())))?;
            match next.map_err(|why| self.refused(&why))? {
                Some(chunk) => chunks.push(chunk),
                None => return Ok((coordinates, chunks)),
            }
        }
    }

    fn coordinates(&self, field: &Field) -> PyResult<Coordinates> {
        let name = self.name;
        let coordinates = geoarrow::coordinates(field)
            .map_err(|what| PyTypeError::new_err(format!("{name}: {what}")))?;
        if coordinates.dimensions() > 2 && !self.drop_z {
            return Err(PyValueError::new_err(format!(
                "{name}: the coordinates have Z or M; pass drop_z=True to leave it out"
            )));
        }
        Ok(coordinates)
    }

    fn refused(&self, why: &ArrowError) -> PyErr {
        PyValueError::new_err(format!("{}: {why}", self.name))
    }
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
struct Reader {
    name: &'static str,
    first: usize,
    coordinates: Coordinates,
}

impl Reader {
    /// The rows of an array in as few pieces as they lie in.
    fn pieces(&self, array: &ImportedArray, pieces: &mut Vec<Piece>) -> PyResult<()> {
        let rows = Lists::new(array, 0..array.length).map_err(|row| self.astray(self.row(row)))?;
        let rings = Lists::new(rows.values, rows.span()).map_err(|ring| {
            let row = rows.offsets.partition_point(|&start| start <= ring) - 1;
            let ring = ring - rows.offsets[row];
            self.astray(format_args!("{}: ring {ring}", self.row(row)))
        })?;
        let mut run = Run::new(0);
        for row in 0..array.length {
            let range = if array.is_null(row) {
                0..0
            } else {
                rows.range(row)
            };
            if !run.takes(&range) {
                let done = std::mem::replace(&mut run, Run::new(row));
                pieces.push(self.piece(&done, &rings)?);
            }
            run.push(&range);
        }
        pieces.push(self.piece(&run, &rings)?);
        Ok(())
    }

    fn astray(&self, place: impl std::fmt::Display) -> PyErr {
        let name = self.name;
        PyValueError::new_err(format!(
            "{name}: offsets lead beyond the arrays, at {place}"
        ))
    }

    fn piece(&self, run: &Run, rings: &Lists<'_>) -> PyResult<Piece> {
        if run.rings.is_empty() {
            return Ok(Piece {
                points: Arc::new(Vec::new()),
                rings: vec![0],
                rows: run.rows.clone(),
            });
        }
        let taken = run.rings.clone();
        refuse_null(rings.array, &taken, |ring| self.place(run, ring))?;
        let offsets = &rings.offsets[taken.start - rings.first..=taken.end - rings.first];
        let (start, end) = (offsets[0], offsets[offsets.len() - 1]);
        let place = |vertex| {
            let ring = offsets.partition_point(|&offset| offset <= start + vertex) - 1;
            let vertex = start + vertex - offsets[ring];
            format!("{}: vertex {vertex}", self.place(run, ring))
        };
        refuse_null(rings.values, &(start..end), place)?;
        Ok(Piece {
            points: self.points(rings.values, &(start..end), place)?,
            rings: offsets.iter().map(|offset| offset - start).collect(),
            rows: run.rows.clone(),
        })
    }

    fn row(&self, row: usize) -> ArgumentRow {
        let number = self.first + row;
        ArgumentRow::row(self.name, &[number + 1], number)
    }

    /// What messages call a ring of a run.
    fn place(&self, run: &Run, ring: usize) -> String {
        let row = run.rows.partition_point(|&start| start <= ring) - 1;
        let place = self.row(run.first + row);
        format!("{place}: ring {}", ring - run.rows[row])
    }

    /// Coordinates as points: where they lie, if these alternate between x and y.
    fn points(
        &self,
        vertices: &ImportedArray,
        range: &Range<usize>,
        place: impl Fn(usize) -> String,
    ) -> PyResult<Shared<Point>> {
        let range = vertices.shifted(range);
        let numbers = |child: usize, width: usize| {
            let (numbers, range) = (
                &vertices.children[child],
                range.start * width..range.end * width,
            );
            refuse_null(numbers, &range, |number| place(number / width))?;
            PyResult::Ok(doubles(numbers, &range))
        };
        match self.coordinates {
            Coordinates::Interleaved(2) => Ok(c_import::interleaved(numbers(0, 2)?)),
            Coordinates::Interleaved(width) => {
                let numbers = numbers(0, width)?;
                let points = numbers.chunks_exact(width);
                let points = points.map(|vertex| Point::new(vertex[0], vertex[1]));
                Ok(Arc::new(points.collect::<Vec<_>>()))
            }
            Coordinates::Separated { x, y, .. } => {
                let (x, y) = (numbers(x, 1)?, numbers(y, 1)?);
                let points = x.iter().zip(y.iter()).map(|(&x, &y)| Point::new(x, y));
                Ok(Arc::new(points.collect::<Vec<_>>()))
            }
        }
    }
}

/// Only whole polygons can be missing: no other item in a range may be null.
fn refuse_null(
    array: &ImportedArray,
    range: &Range<usize>,
    place: impl Fn(usize) -> String,
) -> PyResult<()> {
    match array.null_in(range.clone()) {
        Some(null) => {
            let place = place(null - range.start);
            Err(PyValueError::new_err(format!("{place} is null")))
        }
        None => Ok(()),
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
