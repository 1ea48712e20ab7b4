//! The operands of a batch call: each argument's rows, broadcast to one shape or picked by pairs.

use std::sync::Arc;

use numpy::{PyUntypedArray, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PySlice, PyTuple};

use super::broadcasting::{Named, broadcast, no_broadcast};
use super::errors::tuple;
use super::expected_argument::{Argument, ItemShape};
use super::float64_arrays::float64;
use super::input_error;
use super::nested_sequences::{depth, is_empty, is_list};
use super::numpy_arrays::zeros;
use super::pairs_argument::PairIndices;
use super::rings_taken_for_rows::looks_like_rings;
use crate::batch::{ArgumentRow, Column, InvalidRow, OperandRows, Rows, Shared};
use crate::python::buffer::{Claims, Held, Plain};

/// An argument of a batch call, before broadcasting and before `pairs` picks rows.
#[derive(Clone)]
pub(crate) struct Operand<S> {
    name: &'static str,
    /// The leading dimensions that the caller gave.
    shape: Vec<usize>,
    /// The dimensions in memory: 1 where the caller's array repeats one row by a stride of 0.
    stored: Vec<usize>,
    items: S,
}

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

    /// This operand as another argument.
    pub(crate) fn called(self, name: &'static str) -> Self {
        Self { name, ..self }
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

impl Operand<Arc<Column>> {
    pub(crate) fn column(&self) -> &Column {
        &self.items
    }
}

impl<T: Copy> Operand<Shared<T>> {
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
            return Err(input_error::value_error(
                self.name,
                format!(
                    "expected shape {} or {}, got {}",
                    tuple(own),
                    tuple(&[&[rows], own].concat()),
                    tuple(&[&self.shape, own].concat())
                ),
            ));
        }
        let items = self.items();
        match items.iter().position(|&item| !is_valid(item)) {
            None => Ok(items.to_vec()),
            Some(row) => Err(fault(self.argument_row(row), items[row]).into()),
        }
    }
}

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
    // NumPy makes an empty list an array of shape (0,): here it stands for no points.
    let none = if argument.layout == ItemShape::Vector(2) && is_empty(object)? {
        Some(zeros(object.py(), &[0, 2], "float64")?)
    } else {
        None
    };
    let object = none.as_ref().unwrap_or(object);
    let axes = argument.layout.axes();
    let rows = without_repeats(object, argument.layout)?;
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
/// copies each only once. An array of another shape is left whole for the message about it.
fn without_repeats<'py>(
    object: &Bound<'py, PyAny>,
    layout: ItemShape,
) -> PyResult<Bound<'py, PyAny>> {
    let array = object.cast::<PyUntypedArray>();
    let Some(array) = array.ok().filter(|array| layout.fits(array.shape())) else {
        return Ok(object.clone());
    };
    let leading = 0..array.ndim().saturating_sub(layout.axes());
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
