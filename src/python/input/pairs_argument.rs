//! The argument `pairs`: which rows of two arguments take part, and its checks.

use std::sync::Arc;

use numpy::PyUntypedArray;
use pyo3::exceptions::PyUserWarning;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyInt, PyList, PyString, PyTuple};

use super::broadcasting::{Named, broadcast};
use super::errors::{self, tuple};
use super::input_error::{self, Place};
use super::nested_sequences::shape_of;
use super::row_numbers::indices;
use crate::batch::Shared;
use crate::python::buffer::{Claims, Held};

/// One half of `pairs`: which rows of an argument take part.
pub(crate) struct PairIndices {
    position: usize,
    pub(crate) index: Shared<i64>,
}

impl PairIndices {
    /// Reads the two halves of `pairs`.
    pub(crate) fn read(object: &Bound<'_, PyAny>, claims: &mut Claims) -> PyResult<[Self; 2]> {
        check_halves(object)?;
        let read = |position: usize, claims: &mut Claims| {
            let index = indices(&object.get_item(position)?, &half(position))?;
            let index: Held<i64> = claims.read(index.as_any())?;
            let index: Shared<i64> = Arc::new(index);
            PyResult::Ok(Self { position, index })
        };
        let (i, j) = (read(0, claims)?, read(1, claims)?);
        if i.len() != j.len() {
            return Err(input_error::value_error(
                "pairs",
                format!(
                    "expected two index arrays of one length, got {} and {}",
                    i.len(),
                    j.len()
                ),
            ));
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
            return Err(input_error::value_error(
                name,
                format!(
                    "with pairs it must have one leading dimension, got {}{advice}",
                    tuple(shape)
                ),
            ));
        };
        let is_row = |index: i64| usize::try_from(index).is_ok_and(|index| index < rows);
        let index = (*self.index).as_ref();
        match index.iter().position(|&index| !is_row(index)) {
            None => Ok(()),
            Some(position) => {
                let plural = if rows == 1 { "" } else { "s" };
                Err(input_error::index_error(
                    half(self.position).row(position).subject(),
                    format!("is {}, but {name} has {rows} row{plural}", index[position]),
                ))
            }
        }
    }

    pub(crate) fn len(&self) -> usize {
        (*self.index).as_ref().len()
    }
}

/// One of the two index arrays.
fn half(position: usize) -> Place {
    Place::from("pairs").item(format!("[{position}]"))
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
        return Err(input_error::with_advice(
            object.py(),
            &why,
            &format!("; {advice}"),
        ));
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
    Err(input_error::value_error(
        "pairs",
        format!("expected {expected}, got {found}"),
    ))
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
