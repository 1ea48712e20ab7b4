//! Points, vectors, single numbers and row numbers.

use std::sync::Arc;

use numpy::{PyArrayDyn, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyFloat, PyInt, PyTuple};

use crate::batch::Shared;
use crate::geom::{Point, Vec2};
use crate::python::buffer::unwinding_call::call_method;
use crate::python::buffer::{self, Claims, Held};
use crate::python::errors::{self, tuple};
use crate::python::expected_argument::{Argument, ItemShape};
use crate::python::float64_arrays::{Converted, Losses, float64, float64_with_losses};
use crate::python::nested_sequences::{asarray, dtype, is_masked, plain};

/// Points, copied.
pub(crate) fn points(object: &Bound<'_, PyAny>, argument: Argument) -> PyResult<Vec<Point>> {
    let array = float64(object, argument)?;
    errors::memory(array.len().saturating_mul(2 * size_of::<f64>()))?;
    let numbers = array.to_vec()?;
    let (points, _) = numbers.as_chunks();
    Ok(points.iter().map(|&[x, y]| Point::new(x, y)).collect())
}

/// Points to keep: copied, unless their memory is never written again. And the numbers that could
/// not be read.
pub(crate) fn kept_points(
    object: &Bound<'_, PyAny>,
    argument: Argument,
) -> PyResult<(Shared<Point>, Losses)> {
    let (array, losses) = float64_with_losses(object, argument)?;
    let is_frozen = buffer::is_frozen(array.as_untyped());
    let kept = if is_frozen {
        array.into_any()
    } else {
        call_method(&array, intern!(object.py(), "copy"), ("C",))?
    };
    let held: Held<Point> = Claims::default().read(&kept)?;
    Ok((Arc::new(held), losses))
}

/// A vector for a scalar function.
#[inline]
pub(crate) fn vector(name: &'static str, object: &Bound<'_, PyAny>) -> PyResult<Vec2> {
    if let Some([x, y]) = buffer::pair(object).or_else(|| small_pair(object)) {
        return Ok(Vec2::new(x, y));
    }
    let numbers = float64(object, Argument::twin(name, ItemShape::Vector(2)))?.to_vec()?;
    Ok(Vec2::new(numbers[0], numbers[1]))
}

/// A number for a scalar function.
#[inline]
pub(crate) fn number(object: &Bound<'_, PyAny>, argument: Argument) -> PyResult<f64> {
    match small(object) {
        Some(number) => Ok(number),
        None => Ok(float64(object, argument)?.to_vec()?[0]),
    }
}

/// A tuple of two Python numbers, without a conversion to an array.
fn small_pair(object: &Bound<'_, PyAny>) -> Option<[f64; 2]> {
    let pair = object.cast_exact::<PyTuple>().ok()?;
    let x = pair.get_borrowed_item(0).ok()?;
    let y = pair.get_borrowed_item(1).ok()?;
    (pair.len() == 2).then_some([small(&x)?, small(&y)?])
}

/// A Python float, or an integer in the range of `i32`.
fn small(object: &Bound<'_, PyAny>) -> Option<f64> {
    if let Ok(float) = object.cast_exact::<PyFloat>() {
        return Some(float.value());
    }
    let integer = object.cast_exact::<PyInt>().ok()?;
    integer.extract::<i32>().ok().map(f64::from)
}

/// Refuses the first integer that NumPy keeps as an object, as it is beyond all of its types.
fn refuse_large(array: &Bound<'_, PyUntypedArray>, name: &str) -> PyResult<()> {
    for (position, item) in array.try_iter()?.enumerate() {
        let item = item?;
        if item.is_instance_of::<PyInt>() && item.extract::<i64>().is_err() {
            return Err(PyIndexError::new_err(format!(
                "{name}[{position}] is {item}, which is not a row"
            )));
        }
    }
    Ok(())
}

/// Row numbers as an array of native `int64`s in C order.
pub(crate) fn indices<'py>(
    object: &Bound<'py, PyAny>,
    name: &str,
) -> PyResult<Bound<'py, PyArrayDyn<i64>>> {
    let expected = format!("{name}: expected an array of integers");
    if is_masked(object)? {
        return Err(PyTypeError::new_err(format!(
            "{expected}, got a masked array"
        )));
    }
    if Converted::in_object(object)?.bools {
        return Err(PyTypeError::new_err(format!(
            "{expected}, got booleans among them"
        )));
    }
    let convert = |object: &Bound<'py, PyAny>| {
        asarray(object, None).map_err(|why| {
            if !errors::is_refusal(&why, object.py()) {
                return why;
            }
            let found = "items of different shapes";
            PyValueError::new_err(format!("{name}: expected shape (K,), got {found}"))
        })
    };
    let mut array = convert(object)?;
    if array.ndim() != 1 {
        let found = tuple(array.shape());
        return Err(PyValueError::new_err(format!(
            "{name}: expected shape (K,), got {found}"
        )));
    }
    if dtype(&array).0 == b'O' {
        // The dtype of what the objects are: integers, if they are all.
        let items = array.call_method0(intern!(object.py(), "tolist"))?;
        if Converted::in_object(&items)?.bools {
            return Err(PyTypeError::new_err(format!(
                "{expected}, got booleans among them"
            )));
        }
        array = convert(&items)?;
    }
    match dtype(&array) {
        (b'i', _) | (b'u', ..8) => plain(&array, "int64"),
        (b'u', _) => {
            let values = plain::<u64>(&array, "uint64")?.to_vec()?;
            // No array has a row beyond the range of `int64`.
            match values.iter().position(|&row| i64::try_from(row).is_err()) {
                None => plain(&array, "int64"),
                Some(position) => Err(PyIndexError::new_err(format!(
                    "{name}[{position}] is {}, which is not a row",
                    values[position]
                ))),
            }
        }
        // NumPy makes an empty list an array of floats.
        (b'f', _) if array.is_empty() => plain(&array, "int64"),
        (kind, _) => {
            let dtype = array.dtype();
            if kind == b'O' {
                refuse_large(&array, name)?;
            }
            let found = format!("{expected}, got dtype {dtype}");
            Err(PyTypeError::new_err(found))
        }
    }
}
