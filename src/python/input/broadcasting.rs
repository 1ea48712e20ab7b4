//! The shape to which the leading dimensions of arguments broadcast.

use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;

use super::errors::tuple;
use super::input_error::{self, Place};

/// An argument's name and leading dimensions.
pub(crate) type Named<'a> = (&'static str, &'a [usize]);

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
    input_error::value_error(
        Place::none(),
        format!("leading dimensions don't broadcast: {}", shapes.join(", ")),
    )
}
