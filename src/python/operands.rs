//! The operands of a batch call: each argument's rows, broadcast to one shape or picked by pairs.

use std::sync::Arc;

use numpy::{PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyIndexError, PyMemoryError, PyTypeError, PyUserWarning, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyInt, PyList, PySlice, PyString, PyTuple};

use crate::batch::{ArgumentRow, Column, InvalidRow, OperandRows, Rows, Shared};
use crate::geom::Bounds;
use crate::python::argument::Argument;
use crate::python::buffer::{Claims, Held, Plain};
use crate::python::errors::{self, tuple};
use crate::python::float64_arrays::float64;
use crate::python::nested_sequences::{depth, is_list, shape_of};
use crate::python::vectors::indices;
use crate::shape::{Rings, Shape};

/// An argument of a batch call, before broadcasting and before `pairs` picks rows.
pub(crate) struct Operand<S> {
    name: &'static str,
    /// The leading dimensions that the caller gave.
    shape: Vec<usize>,
    /// The dimensions in memory: 1 where the caller's array repeats one row by a stride of 0.
    stored: Vec<usize>,
    items: S,
}

/// An argument's name and leading dimensions.
pub(crate) type Named<'a> = (&'static str, &'a [usize]);

impl<S> Operand<S> {
    /// An argument whose rows all lie in memory.
    pub(crate) fn new(name: &'static str, shape: Vec<usize>, items: S) -> Self {
        let stored = shape.clone();
        Self {
            name,
            shape,
            stored,
            items,
        }
    }

    /// The name and the leading dimensions, for [`broadcast()`].
    pub(crate) fn named(&self) -> Named<'_> {
        (self.name, &self.shape)
    }

    /// The row that is at this position in memory, or the first of its repeats.
    pub(crate) fn argument_row(&self, position: usize) -> ArgumentRow {
        ArgumentRow::row(self.name, &self.stored, position)
    }

    /// One item for all of the `count` rows of another argument, or one each.
    pub(crate) fn per_row(self, name: &'static str, count: usize) -> PyResult<OperandRows<S>> {
        let (rows, named) = ([count], self.named());
        if broadcast(&[(name, &rows), named])? != rows {
            return Err(no_broadcast(&[(name, &rows), named]));
        }
        Ok(self.source(&rows, None))
    }

    /// The rows for an answer of this shape, picked by `pairs` or broadcast.
    pub(crate) fn source(self, answer: &[usize], picks: Option<&PairIndices>) -> OperandRows<S> {
        let rows = match picks {
            Some(_) if self.stored.iter().all(|&length| length == 1) => Rows::One,
            Some(picks) => Rows::Picked(Arc::clone(&picks.index), self.stored.iter().product()),
            None => Rows::broadcast(&self.stored, answer),
        };
        OperandRows::new(self.name, self.stored, self.items, rows)
    }
}

impl<T: Copy> Operand<Shared<T>> {
    /// All items in memory.
    pub(crate) fn items(&self) -> &[T] {
        (*self.items).as_ref()
    }

    /// One item of the shape `own`, or one for each row.
    pub(crate) fn one_or_each(
        &self,
        rows: usize,
        own: &[usize],
        is_valid: impl Fn(T) -> bool,
        fault: impl FnOnce(ArgumentRow, T) -> InvalidRow,
    ) -> PyResult<Vec<T>> {
        if !self.shape.is_empty() && self.shape != [rows] && self.shape != [1] {
            return Err(PyValueError::new_err(format!(
                "{}: expected shape {} or {}, got {}",
                self.name,
                tuple(own),
                tuple(&[&[rows], own].concat()),
                tuple(&[&self.shape, own].concat())
            )));
        }
        let items = self.items();
        match items.iter().position(|&item| !is_valid(item)) {
            None => Ok(items.to_vec()),
            Some(row) => Err(fault(self.argument_row(row), items[row]).into()),
        }
    }
}

/// The vectors or numbers of a batch argument.
pub(crate) fn vectors<T: Plain<Element = f64>>(
    argument: Argument,
    object: &Bound<'_, PyAny>,
    claims: &mut Claims,
) -> PyResult<Operand<Shared<T>>> {
    dense(argument, object, claims, |items, _| items)
}

/// An array of `T`s, as `wrap` holds its memory and the length of its axis of vertices.
pub(crate) fn dense<T: Plain<Element = f64>, S>(
    argument: Argument,
    object: &Bound<'_, PyAny>,
    claims: &mut Claims,
    wrap: impl FnOnce(Shared<T>, usize) -> S,
) -> PyResult<Operand<S>> {
    let axes = argument.layout.axes();
    let rows = without_repeats(object, axes)?;
    let array = float64(&rows, argument)?;
    let (stored, own) = array.shape().split_at(array.ndim() - axes);
    let memory: Held<T> = claims.read(array.as_any())?;
    let given = object.cast::<PyUntypedArray>();
    let shape = given.map_or(stored, |given| &given.shape()[..given.ndim() - axes]);
    Ok(Operand {
        name: argument.name,
        shape: shape.to_vec(),
        stored: stored.to_vec(),
        items: wrap(Arc::new(memory), own.first().copied().unwrap_or(1)),
    })
}

/// An array without the rows that are repeats by a stride of 0, so that making it contiguous
/// copies each only once.
fn without_repeats<'py>(object: &Bound<'py, PyAny>, axes: usize) -> PyResult<Bound<'py, PyAny>> {
    let Ok(array) = object.cast::<PyUntypedArray>() else {
        return Ok(object.clone());
    };
    let leading = 0..array.ndim().saturating_sub(axes);
    let repeats = |axis: usize| array.strides()[axis] == 0 && array.shape()[axis] > 1;
    if !leading.clone().any(repeats) {
        return Ok(object.clone());
    }
    let key = leading.map(|axis| {
        if repeats(axis) {
            PySlice::new(object.py(), 0, 1, 1)
        } else {
            PySlice::full(object.py())
        }
    });
    object.get_item(PyTuple::new(object.py(), key.collect::<Vec<_>>())?)
}

impl Operand<Arc<Column>> {
    /// Whether the argument was read from a list whose rows look like the rings of one polygon.
    pub(crate) fn has_rings(&self, object: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(is_list(object) && depth(object)? == 3 && looks_like_rings(&self.items))
    }
}

/// Warns that the rows of a list are likely meant as the rings of one polygon.
pub(crate) fn warn_of_rings(py: Python<'_>, name: &str) -> PyResult<()> {
    let message = format!(
        "{name}: each item of the list is taken as a polygon of its own, though all lie within the \
         first; a polygon with holes is a list in the list, [[shell, hole]], and so are polygons \
         without, [[ring], [ring]]"
    );
    errors::warn::<PyUserWarning>(py, &message)
}

/// Vertices of a list up to which it is checked whether its rings make a valid polygon, which takes milliseconds at most.
/// Of longer lists the boxes tell.
const FEW: usize = 1024;

/// Whether all rows of a column are single rings, the later ones inside the bounding box of the first, and make a valid
/// polygon with holes together.
pub(crate) fn looks_like_rings(column: &Column) -> bool {
    let is_ring = |row| column.rings(row).is_some_and(|rings| rings.len() == 1);
    let Bounds { min, max } = match column.len() {
        0 | 1 => return false,
        _ => column.bounds(0),
    };
    let is_inside = |row| {
        let hole = column.bounds(row);
        // The box of a ring without a finite vertex is empty.
        !hole.is_empty()
            && (min.x < hole.min.x && hole.max.x < max.x)
            && (min.y < hole.min.y && hole.max.y < max.y)
    };
    if !(is_ring(0) && (1..column.len()).all(|row| is_ring(row) && is_inside(row))) {
        return false;
    }
    if column.vertices() > FEW {
        return true;
    }
    let (mut points, mut offsets) = (Vec::new(), vec![0]);
    for rings in (0..column.len()).filter_map(|row| column.rings(row)) {
        points.extend_from_slice(rings.ring(0));
        offsets.push(points.len());
    }
    Shape::new(Rings::new(&points, &offsets)).is_ok()
}

/// One half of `pairs`: which rows of an argument take part.
pub(crate) struct PairIndices {
    position: usize,
    index: Shared<i64>,
}

impl PairIndices {
    /// Reads the two halves of `pairs`.
    pub(crate) fn read(object: &Bound<'_, PyAny>, claims: &mut Claims) -> PyResult<[Self; 2]> {
        check_halves(object)?;
        let half = |position: usize, claims: &mut Claims| {
            let name = format!("pairs[{position}]");
            let index = indices(&object.get_item(position)?, &name)?;
            let index: Held<i64> = claims.read(index.as_any())?;
            let index: Shared<i64> = Arc::new(index);
            PyResult::Ok(Self { position, index })
        };
        let (i, j) = (half(0, claims)?, half(1, claims)?);
        if i.len() != j.len() {
            return Err(PyValueError::new_err(format!(
                "pairs: expected two index arrays of one length, got {} and {}",
                i.len(),
                j.len()
            )));
        }
        Ok([i, j])
    }

    /// Checks that every index is a row of these arguments, broadcast together.
    pub(crate) fn check(&self, arguments: &[Named<'_>]) -> PyResult<()> {
        let name = arguments[0].0;
        let [rows] = *broadcast(arguments)? else {
            let shape = arguments[0].1;
            let advice = match shape {
                [] => format!("; put it in a list, [{name}], and pick row 0"),
                _ => String::new(),
            };
            return Err(PyValueError::new_err(format!(
                "{name}: with pairs it must have one leading dimension, got {}{advice}",
                tuple(shape)
            )));
        };
        let is_row = |index: i64| usize::try_from(index).is_ok_and(|index| index < rows);
        let index = (*self.index).as_ref();
        match index.iter().position(|&index| !is_row(index)) {
            None => Ok(()),
            Some(position) => {
                let plural = if rows == 1 { "" } else { "s" };
                Err(PyIndexError::new_err(format!(
                    "pairs[{}][{position}] is {}, but {name} has {rows} row{plural}",
                    self.position, index[position],
                )))
            }
        }
    }

    /// How many pairs there are.
    pub(crate) fn len(&self) -> usize {
        (*self.index).as_ref().len()
    }
}

fn check_halves(object: &Bound<'_, PyAny>) -> PyResult<()> {
    let expected = "a tuple of two index arrays or one array of shape (2, K)";
    let is_array = object.is_instance_of::<PyUntypedArray>();
    let advice = if object.hasattr(intern!(object.py(), "iloc"))? {
        "of labels carom.interop.geopandas takes it, and of row numbers (pairs['a'], pairs['b'])"
    } else if !is_array && object.hasattr(intern!(object.py(), "pairs"))? {
        "its attribute `pairs` has them"
    } else {
        ""
    };
    if !advice.is_empty() {
        let why = errors::not_a(object, "pairs", expected);
        let why = format!("{}; {advice}", why.value(object.py()));
        return Err(PyTypeError::new_err(why));
    }
    if !is_array && !is_sequence(object)? {
        return Err(errors::not_a(object, "pairs", expected));
    }
    if object.len().ok() == Some(2) {
        return warn_of_two_pairs(object);
    }
    let found = match shape_of(object)?.as_deref() {
        Some(shape @ [_, 2]) => {
            let array = if is_array { "pairs" } else { "np.array(pairs)" };
            format!("shape {}; transpose it: {array}.T", tuple(shape))
        }
        Some(shape) => format!("shape {}", tuple(shape)),
        None => format!("a sequence of {}", object.len()?),
    };
    Err(PyValueError::new_err(format!(
        "pairs: expected {expected}, got {found}"
    )))
}

/// Warns that a list of two tuples of two numbers, which is taken as two halves, is likely meant as two pairs.
fn warn_of_two_pairs(pairs: &Bound<'_, PyAny>) -> PyResult<()> {
    let is_pair = |item: Bound<'_, PyAny>| {
        let pair = item.cast::<PyTuple>();
        pair.is_ok_and(|it| it.len() == 2 && it.iter().all(|it| it.is_instance_of::<PyInt>()))
    };
    if pairs.is_instance_of::<PyList>()
        && is_pair(pairs.get_item(0)?)
        && is_pair(pairs.get_item(1)?)
    {
        let message = "pairs: the list is taken as the rows of the first operand and those of the second, not \
                       as two pairs, which are numpy.transpose(pairs); tuple(pairs) has the rows without \
                       this warning";
        return errors::warn::<PyUserWarning>(pairs.py(), message);
    }
    Ok(())
}

/// Whether an object is a sequence, but not text.
fn is_sequence(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    let py = object.py();
    Ok(object.hasattr(intern!(py, "__getitem__"))?
        && object.hasattr(intern!(py, "__len__"))?
        && !object.is_instance_of::<PyString>()
        && !object.is_instance_of::<PyBytes>()
        && !object.is_instance_of::<PyDict>())
}

/// The shape to which all arguments broadcast, as NumPy would.
pub(crate) fn broadcast(arguments: &[Named<'_>]) -> PyResult<Vec<usize>> {
    let axes = arguments.iter().map(|(_, shape)| shape.len()).max();
    let mut answer = vec![1; axes.unwrap_or(0)];
    for (_, shape) in arguments {
        for (length, &own) in answer.iter_mut().rev().zip(shape.iter().rev()) {
            match (*length, own) {
                (1, own) => *length = own,
                (length, own) if own == 1 || own == length => {}
                _ => return Err(no_broadcast(arguments)),
            }
        }
    }
    // NumPy has no array of that many bytes; nor can the rows of some shapes be counted.
    let rows = answer
        .iter()
        .try_fold(1_usize, |rows, &n| rows.checked_mul(n));
    match rows {
        Some(rows) if rows < isize::MAX as usize / 32 => Ok(answer),
        _ => Err(PyMemoryError::new_err(format!(
            "too many rows: the arguments broadcast to {}",
            tuple(&answer)
        ))),
    }
}

/// The error for arguments whose leading dimensions don't broadcast.
pub(crate) fn no_broadcast(arguments: &[Named<'_>]) -> PyErr {
    let shape = |(name, shape): &Named<'_>| format!("{name} {}", tuple(shape));
    let shapes: Vec<_> = arguments.iter().map(shape).collect();
    PyValueError::new_err(format!(
        "leading dimensions don't broadcast: {}",
        shapes.join(", ")
    ))
}
