//! Shapes of one kind: lists of vertices, nested by the kind.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, Float64Type};
use arrow_array::{Array, ArrayRef, GenericListArray, OffsetSizeTrait};
use arrow_buffer::{NullBuffer, ScalarBuffer};
use pyo3::prelude::*;

use super::geoarrow;
use super::piece::{Piece, proceed};
use crate::batch::{ArgumentRow, CancelToken, Column, OnInvalid, RaggedOffsets, Shared};
use crate::geom::Point;
use crate::python::buffer::arrow_ffi as buffer;
use crate::python::input::errors;
use crate::python::input::input_error;
use crate::shape::ShapeKind;

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
}

struct ArrowVertices {
    points: Shared<Point>,
    /// Which items are null, and how many items a vertex consists of.
    nulls: Vec<(NullBuffer, usize)>,
    /// The coordinates besides x and y.
    others: Vec<Coordinate>,
}

/// A coordinate of the vertices of an array.
struct Coordinate {
    name: char,
    /// That of the first vertex is at `first`, the next ones follow after `width` numbers each.
    numbers: ScalarBuffer<f64>,
    first: usize,
    width: usize,
    nulls: Option<NullBuffer>,
}

impl Coordinate {
    /// Whether some of these vertices have the coordinate. NaN stands for none.
    fn is_given(&self, vertices: Range<usize>) -> bool {
        let is_null = |vertex| {
            self.nulls
                .as_ref()
                .is_some_and(|nulls| nulls.is_null(vertex))
        };
        let at = |vertex: usize| self.numbers[self.first + vertex * self.width];
        vertices
            .into_iter()
            .any(|vertex| !at(vertex).is_nan() && !is_null(vertex))
    }
}

impl ArrowVertices {
    /// Vertices with these coordinates; where they lie, if these are `float64`s that alternate between x and y.
    fn new(array: &ArrayRef, coordinates: &[char]) -> PyResult<Self> {
        let copied = || errors::memory(array.len().saturating_mul(size_of::<Point>()));
        let nulls = |array: &ArrayRef, width| Some((array.nulls()?.clone(), width));
        if let Some(list) = array.as_fixed_size_list_opt() {
            let width = coordinates.len();
            let numbers = doubles(list.values())?;
            let points: Shared<Point> = if width == 2 {
                buffer::interleaved(numbers.clone())
            } else {
                copied()?;
                let vertices = numbers.chunks_exact(width);
                let points = vertices.map(|vertex| Point::new(vertex[0], vertex[1]));
                Arc::new(points.collect::<Vec<_>>())
            };
            let nulls = [nulls(array, 1), nulls(list.values(), width)];
            let nulls = nulls.into_iter().flatten().collect();
            let others = coordinates
                .iter()
                .enumerate()
                .skip(2)
                .map(|(first, &name)| Coordinate {
                    name,
                    numbers: numbers.clone(),
                    first,
                    width,
                    nulls: None,
                });
            return Ok(Self {
                points,
                nulls,
                others: others.collect(),
            });
        }
        copied()?;
        let columns = array.as_struct();
        let (x, y) = (&columns["x"], &columns["y"]);
        let (of_x, of_y) = (doubles(x)?, doubles(y)?);
        let points = of_x.iter().zip(of_y.iter());
        let points: Vec<_> = points.map(|(&x, &y)| Point::new(x, y)).collect();
        let others = coordinates.iter().filter(|name| !['x', 'y'].contains(name));
        let others = others.map(|&name| {
            let numbers = &columns[name.to_string().as_str()];
            Ok(Coordinate {
                name,
                numbers: doubles(numbers)?,
                first: 0,
                width: 1,
                nulls: numbers.nulls().cloned(),
            })
        });
        let nulls = [array, x, y].into_iter().filter_map(|it| nulls(it, 1));
        Ok(Self {
            points: Arc::new(points),
            nulls: nulls.collect(),
            others: others.collect::<PyResult<_>>()?,
        })
    }

    fn is_null(&self, vertex: usize) -> bool {
        let is_null = |(nulls, width): &(NullBuffer, usize)| {
            (vertex * width..(vertex + 1) * width).any(|item| nulls.is_null(item))
        };
        self.nulls.iter().any(is_null)
    }
}

/// Numbers as `float64`s: where they lie, if they are such.
pub(super) fn doubles(numbers: &ArrayRef) -> PyResult<ScalarBuffer<f64>> {
    if let Some(doubles) = numbers.as_primitive_opt::<Float64Type>() {
        return Ok(doubles.values().clone());
    }
    let singles = numbers.as_primitive::<Float32Type>().values();
    errors::memory(singles.len().saturating_mul(size_of::<f64>()))?;
    Ok(singles.iter().map(|&single| f64::from(single)).collect())
}

/// The numbers of the rows of an array in a column.
pub(super) enum RowNumbers {
    /// They follow each other from this one on.
    From(usize),
    Listed(Vec<usize>),
}

/// How arrays are read, and where their rows are in a column.
pub(super) struct Reader<'a> {
    pub(super) name: &'static str,
    pub(super) rows: RowNumbers,
    pub(super) drop_z: bool,
    pub(super) on_invalid: OnInvalid,
    pub(super) control: &'a CancelToken,
}

impl Reader<'_> {
    /// The shapes of an array, all of one kind, in lists of vertices with these coordinates.
    pub(super) fn piece(
        &self,
        array: &ArrayRef,
        kind: ShapeKind,
        coordinates: &[char],
    ) -> PyResult<Piece> {
        let (mut lists, mut inner) = (Vec::new(), Arc::clone(array));
        for _ in geoarrow::lists(kind) {
            let list = Lists::new(&inner).map_err(|at| self.misplaced(kind, &lists, at))?;
            inner = Arc::clone(&list.values);
            lists.push(list);
        }
        let mut vertices = ArrowVertices::new(&inner, coordinates)?;
        let nulls = match lists.first() {
            Some(rows) => rows.nulls.clone(),
            // Of points, the nulls of vertices are those of rows.
            None => array.nulls().cloned(),
        };
        if lists.is_empty() && nulls.is_some() {
            vertices.nulls.remove(0);
        }
        let has_nulls =
            lists.iter().skip(1).any(|list| list.nulls.is_some()) || !vertices.nulls.is_empty();
        let others = if self.drop_z {
            &[]
        } else {
            &vertices.others[..]
        };
        let mut faults = Vec::new();
        if has_nulls || !others.is_empty() {
            let is_null = |row: &usize| nulls.as_ref().is_some_and(|nulls| nulls.is_null(*row));
            for row in (0..array.len()).filter(|row| !is_null(row)) {
                proceed(self.control, row)?;
                let null = has_nulls
                    .then(|| null(kind, &lists, &vertices, 0, row))
                    .flatten();
                let why = null.map(|place| match place {
                    place if place.is_empty() => vec!["a coordinate is null".to_owned()],
                    place => vec![format!("{place} is null")],
                });
                let span = (lists.iter()).fold(row..row + 1, |items, list| {
                    list.starts[items.start]..list.starts[items.end]
                });
                let given = others.iter().filter(|it| it.is_given(span.clone()));
                let given: Vec<_> = given.map(|it| it.name.to_ascii_uppercase()).collect();
                if let Some(why) = why.or_else(|| refused_coordinates(&given)) {
                    self.fault(row, &why, &mut faults)?;
                }
            }
        }
        Ok(Piece {
            column: column(kind, lists, vertices.points),
            nulls,
            faults,
        })
    }

    /// Adds what is wrong with a row, or raises it.
    pub(super) fn fault(
        &self,
        row: usize,
        why: &[String],
        faults: &mut Vec<(usize, String)>,
    ) -> PyResult<()> {
        if self.on_invalid == OnInvalid::Raise {
            let row = self.row(row);
            return Err(input_error::value_error_of_parts(row, why));
        }
        faults.push((row, why.concat()));
        Ok(())
    }

    /// The number of a row in the column.
    pub(super) fn number(&self, row: usize) -> usize {
        match &self.rows {
            RowNumbers::From(first) => first + row,
            RowNumbers::Listed(rows) => rows[row],
        }
    }

    pub(super) fn row(&self, row: usize) -> ArgumentRow {
        let number = self.number(row);
        ArgumentRow::row(self.name, &[number + 1], number)
    }

    /// The error for an item whose offsets are wrong, of the lists in `outer`.
    fn misplaced(&self, kind: ShapeKind, outer: &[Lists], mut item: usize) -> PyErr {
        let names = geoarrow::lists(kind);
        let mut place = String::new();
        for (list, name) in outer.iter().zip(names).rev() {
            let owner = list.starts.partition_point(|&start| start <= item) - 1;
            place = format!(": {name} {}{place}", item - list.starts[owner]);
            item = owner;
        }
        let (name, row) = (self.name, self.row(item));
        input_error::value_error(
            name,
            format!("offsets lead beyond the arrays, at {row}{place}"),
        )
    }
}

/// Why a row with these coordinates besides x and y is refused; `None` without any.
pub(super) fn refused_coordinates(given: &[char]) -> Option<Vec<String>> {
    let names: Vec<_> = given.iter().map(char::to_string).collect();
    (!given.is_empty()).then(|| {
        let what = format!("the coordinates have {}; ", names.join(" and "));
        vec![what, WITHOUT_Z.to_owned()]
    })
}

/// The advice of `carom.interop.shapely`, too.
const WITHOUT_Z: &str = "Shapes.from_shapely and Shapes.from_arrow leave it out with drop_z=True, and so does \
                         shapely.force_2d";

/// Where an item has a null inside: its place in the lists from this level on.
fn null(
    kind: ShapeKind,
    lists: &[Lists],
    vertices: &ArrowVertices,
    level: usize,
    item: usize,
) -> Option<String> {
    let Some(list) = lists.get(level) else {
        return vertices.is_null(item).then(String::new);
    };
    let name = geoarrow::lists(kind)[level];
    let children = list.starts[item]..list.starts[item + 1];
    children.enumerate().find_map(|(position, child)| {
        if lists.get(level + 1).is_some_and(|list| list.is_null(child)) {
            return Some(format!("{name} {position}"));
        }
        Some(match null(kind, lists, vertices, level + 1, child)? {
            place if place.is_empty() => format!("{name} {position}"),
            place => format!("{name} {position}: {place}"),
        })
    })
}

/// The shapes in lists of points, all of one kind.
fn column(kind: ShapeKind, lists: Vec<Lists>, points: Shared<Point>) -> Column {
    // Innermost first.
    let mut starts = lists.into_iter().rev().map(|list| list.starts);
    let column = if kind == ShapeKind::Point {
        Column::dense(points, 1)
    } else {
        let vertices = 0..=(*points).as_ref().len();
        let rings = match kind {
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
    let kinds = match kind {
        ShapeKind::Polygon => Vec::new(),
        kind => vec![kind; column.len()],
    };
    column.of_kinds(kinds, Vec::new())
}
