//! Points, vectors and single numbers.

use std::sync::Arc;

use numpy::{PyArrayMethods, PyUntypedArrayMethods};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyFloat, PyInt, PyTuple};

use super::errors;
use super::expected_argument::{Argument, ItemShape};
use super::float64_arrays::{Losses, float64, float64_with_losses};
use crate::batch::{ArgumentRow, InvalidRow, Shared};
use crate::geom::{Point, Vec2};
use crate::python::buffer::c_unwind_call::call_method;
use crate::python::buffer::{self, Claims, Held};

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

/// A vector for a scalar function; it must be finite.
#[inline]
pub(crate) fn finite_vector(name: &'static str, object: &Bound<'_, PyAny>) -> PyResult<Vec2> {
    let vector = vector(name, object)?;
    InvalidRow::check_finite(&[vector.x, vector.y], || ArgumentRow::whole(name))?;
    Ok(vector)
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
