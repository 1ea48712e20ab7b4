//! Columns from GeoArrow arrays.

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

use super::geoarrow::{self, Encoding};
use super::{BLOCK, wkb_arrays};
use crate::batch::{
    ArgumentRow, CancelToken, Column, ColumnBuilder, OnInvalid, RaggedOffsets, Shared,
};
use crate::geom::Point;
use crate::python::buffer::arrow_ffi::{self as buffer, ArrowStream};
use crate::python::{errors, interruptible};
use crate::shape::ShapeKind;

/// The shapes of any object that knows Arrow's C interface, not validated yet.
pub(crate) fn read(
    name: &'static str,
    object: &Bound<'_, PyAny>,
    drop_z: bool,
    on_invalid: OnInvalid,
) -> PyResult<Column> {
    let py = object.py();
    let (encoding, chunks) = chunks(name, object)?;
    let (kind, has_z) = match encoding {
        Encoding::Wkb => return wkb_arrays::read(name, py, &chunks, drop_z, on_invalid),
        Encoding::Lists(kind, width) => (kind, width > 2),
    };
    let bytes = chunks.iter().map(Array::get_buffer_memory_size);
    let work = bytes.fold(0, usize::saturating_add) / size_of::<f64>();
    let column = interruptible::run(py, chunks, work, None, move |chunks, _, control| {
        let mut first = 0;
        let mut pieces = Vec::with_capacity(chunks.len());
        for array in chunks.iter() {
            let reader = Reader {
                name,
                kind,
                first,
                on_invalid,
                control,
            };
            pieces.push(reader.piece(array)?);
            first += array.len();
        }
        joined(pieces, control)
    })??;
    // Empty geometries have no coordinates, whatever their type.
    if has_z && !drop_z && (0..column.len()).any(|row| column.rings(row).is_some()) {
        return Err(PyValueError::new_err(format!(
            "{name}: the coordinates have Z or M; pass drop_z=True to leave it out"
        )));
    }
    Ok(column)
}

/// How an object stores shapes, and the arrays that it exports. The producer of a stream may take its
/// time for each, and may need the interpreter.
fn chunks(name: &'static str, object: &Bound<'_, PyAny>) -> PyResult<(Encoding, Vec<ArrayRef>)> {
    let py = object.py();
    let encoding = |field: &Field| {
        geoarrow::encoding(field).map_err(|what| PyTypeError::new_err(format!("{name}: {what}")))
    };
    if let Some(export) = object.getattr_opt(intern!(py, "__arrow_c_array__"))? {
        let (schema, array) = export.call0()?.extract().map_err(|_| {
            let what = "__arrow_c_array__ gave no pair of capsules";
            PyTypeError::new_err(format!("{name}: {what}"))
        })?;
        let field = interruptible::here(|| buffer::arrow_field(name, &schema))??;
        let encoding = encoding(&field)?;
        let read = || buffer::arrow_array(name, &array, field.data_type());
        return Ok((encoding, vec![interruptible::here(read)??]));
    }
    let Some(export) = object.getattr_opt(intern!(py, "__arrow_c_stream__"))? else {
        let expected = "an object with __arrow_c_array__ or __arrow_c_stream__";
        return Err(errors::not_a(object, name, expected));
    };
    let export = export.call0()?;
    let capsule = export.cast();
    let capsule = capsule
        .map_err(|_| PyTypeError::new_err(format!("{name}: __arrow_c_stream__ gave no capsule")))?;
    let mut stream = ArrowStream::new(name, capsule)?;
    let field = interruptible::here(|| py.detach(|| stream.field()))??;
    let encoding = encoding(&field)?;
    let mut next = || {
        py.check_signals()?;
        interruptible::here(|| py.detach(|| stream.next(field.data_type())))?
    };
    let chunks: PyResult<_> = std::iter::from_fn(|| next().transpose()).collect();
    Ok((encoding, chunks?))
}

/// An interrupt is looked for once in a block of rows.
fn proceed(control: &CancelToken, row: usize) -> PyResult<()> {
    if row.is_multiple_of(BLOCK) {
        control.proceed()?;
    }
    Ok(())
}

/// The rows of one array.
struct Piece {
    column: Column,
    /// The rows that are null, although they may have vertices.
    nulls: Option<NullBuffer>,
    /// The rows that have a null inside, and where.
    faults: Vec<(usize, String)>,
}

impl Piece {
    /// Whether a row is missing, although it may have vertices: it is null, or a point without
    /// coordinates, which is how GeoArrow writes an empty one.
    fn is_missing(&self, row: usize) -> bool {
        let is_empty_point = || {
            let point = (self.column.rings(row)).filter(|it| it.kind() == ShapeKind::Point);
            point.is_some_and(|point| {
                let Point { x, y } = point.ring(0)[0];
                x.is_nan() && y.is_nan()
            })
        };
        self.nulls.as_ref().is_some_and(|nulls| nulls.is_null(row)) || is_empty_point()
    }
}

/// All pieces as one column; without a copy if there is one, whose missing rows have no vertices.
fn joined(mut pieces: Vec<Piece>, control: &CancelToken) -> PyResult<Column> {
    let is_whole = |piece: &Piece| {
        let is_copied = |row| piece.is_missing(row) && piece.column.rings(row).is_some();
        let may_be_missing = piece.nulls.is_some() || !piece.column.are_plain();
        piece.faults.is_empty() && !(may_be_missing && (0..piece.column.len()).any(is_copied))
    };
    if pieces.len() == 1 && is_whole(&pieces[0]) {
        return Ok(pieces.remove(0).column);
    }
    // The copy, whose lists grow by doubling.
    errors::memory(2 * pieces.iter().map(|it| it.column.nbytes()).sum::<usize>())?;
    let mut column = ColumnBuilder::default();
    for piece in &pieces {
        let mut faults = piece.faults.iter().peekable();
        for row in 0..piece.column.len() {
            proceed(control, row)?;
            if let Some((_, why)) = faults.next_if(|(bad, _)| *bad == row) {
                column.push_invalid(why.clone());
            } else {
                let shape = piece.column.rings(row);
                column.push_shape(shape.filter(|_| !piece.is_missing(row)));
            }
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

/// Reads one array of shapes, whose first row has a number.
struct Reader<'a> {
    name: &'static str,
    kind: ShapeKind,
    first: usize,
    on_invalid: OnInvalid,
    control: &'a CancelToken,
}

impl Reader<'_> {
    fn piece(&self, array: &ArrayRef) -> PyResult<Piece> {
        let (mut lists, mut inner) = (Vec::new(), Arc::clone(array));
        for _ in geoarrow::lists(self.kind) {
            let list = Lists::new(&inner).map_err(|at| self.misplaced(&lists, at))?;
            inner = Arc::clone(&list.values);
            lists.push(list);
        }
        let mut vertices = Vertices::new(&inner);
        let nulls = match lists.first() {
            Some(rows) => rows.nulls.clone(),
            // Of points, the nulls of vertices are those of rows.
            None => array.nulls().cloned(),
        };
        if lists.is_empty() && nulls.is_some() {
            vertices.nulls.remove(0);
        }
        let has_nulls = |list: &Lists| list.nulls.is_some();
        let mut faults = Vec::new();
        if lists.iter().skip(1).any(has_nulls) || !vertices.nulls.is_empty() {
            let is_null = |row: &usize| nulls.as_ref().is_some_and(|nulls| nulls.is_null(*row));
            for row in (0..array.len()).filter(|row| !is_null(row)) {
                proceed(self.control, row)?;
                let why = match self.null(&lists, &vertices, 0, row) {
                    None => continue,
                    Some(place) if place.is_empty() => "a coordinate is null".to_owned(),
                    Some(place) => format!("{place} is null"),
                };
                if self.on_invalid == OnInvalid::Raise {
                    let row = self.row(row);
                    return Err(PyValueError::new_err(format!("{row}: {why}")));
                }
                faults.push((row, why));
            }
        }
        Ok(Piece {
            column: self.column(lists, vertices.points),
            nulls,
            faults,
        })
    }

    /// Where an item has a null inside: its place in the lists from this level on.
    fn null(
        &self,
        lists: &[Lists],
        vertices: &Vertices,
        level: usize,
        item: usize,
    ) -> Option<String> {
        let Some(list) = lists.get(level) else {
            return vertices.is_null(item).then(String::new);
        };
        let name = geoarrow::lists(self.kind)[level];
        list.range(item).enumerate().find_map(|(position, child)| {
            if lists.get(level + 1).is_some_and(|list| list.is_null(child)) {
                return Some(format!("{name} {position}"));
            }
            Some(match self.null(lists, vertices, level + 1, child)? {
                place if place.is_empty() => format!("{name} {position}"),
                place => format!("{name} {position}: {place}"),
            })
        })
    }

    fn column(&self, lists: Vec<Lists>, points: Shared<Point>) -> Column {
        // Innermost first.
        let mut starts = lists.into_iter().rev().map(|list| list.starts);
        let column = if self.kind == ShapeKind::Point {
            Column::dense(points, 1)
        } else {
            let vertices = 0..=(*points).as_ref().len();
            let rings = match self.kind {
                ShapeKind::MultiPoint => Some(vertices.collect()),
                _ => starts.next(),
            };
            let offsets = RaggedOffsets {
                rings: rings.unwrap_or_default(),
                polygons: starts.next(),
                shapes: starts.next(),
            };
            Column::of_shapes(points, offsets)
        };
        let kinds = match self.kind {
            ShapeKind::Polygon => Vec::new(),
            kind => vec![kind; column.len()],
        };
        column.of_kinds(kinds, Vec::new())
    }

    fn row(&self, row: usize) -> ArgumentRow {
        let number = self.first + row;
        ArgumentRow::row(self.name, &[number + 1], number)
    }

    /// The error for an item whose offsets are wrong, of the lists in `outer`.
    fn misplaced(&self, outer: &[Lists], mut item: usize) -> PyErr {
        let names = geoarrow::lists(self.kind);
        let mut place = String::new();
        for (list, name) in outer.iter().zip(names).rev() {
            let owner = list.starts.partition_point(|&start| start <= item) - 1;
            place = format!(": {name} {}{place}", item - list.starts[owner]);
            item = owner;
        }
        let (name, row) = (self.name, self.row(item));
        PyValueError::new_err(format!(
            "{name}: offsets lead beyond the arrays, at {row}{place}"
        ))
    }
}
