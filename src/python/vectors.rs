//! Points, vectors and single numbers.

use std::sync::Arc;

use numpy::PyArrayMethods;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyFloat, PyInt, PyTuple};

use crate::batch::Shared;
use crate::geom::{Point, Vec2};
use crate::python::argument::{Argument, ItemShape};
use crate::python::buffer::{self, Claims, Held};
use crate::python::errors;
use crate::python::numbers::float64;

/// Points, copied.
pub(crate) fn points(object: &Bound<'_, PyAny>, argument: Argument) -> PyResult<Vec<Point>> {
    let numbers = float64(object, argument)?.to_vec()?;
    let (points, _) = numbers.as_chunks();
    Ok(points.iter().map(|&[x, y]| Point::new(x, y)).collect())
}

/// Points to keep: copied, unless nobody will write to the memory that they are given in.
pub(crate) fn kept_points(
    object: &Bound<'_, PyAny>,
    argument: Argument,
) -> PyResult<Shared<Point>> {
    let mut array = float64(object, argument)?.into_any();
    if !buffer::is_frozen(array.cast()?) {
        // NumPy asks for large pages for large arrays, which halves the time that a copy takes.
        array = array.call_method1(intern!(array.py(), "copy"), ("C",))?;
    }
    let held: Held<Point> = Claims::default().read(&array).map_err(errors::unfit)?;
    Ok(Arc::new(held))
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

/// A tuple of two of Python's own numbers, which needs no array.
fn small_pair(object: &Bound<'_, PyAny>) -> Option<[f64; 2]> {
    let pair = object.cast_exact::<PyTuple>().ok()?;
    let x = pair.get_borrowed_item(0).ok()?;
    let y = pair.get_borrowed_item(1).ok()?;
    (pair.len() == 2).then_some([small(&x)?, small(&y)?])
}

/// One of Python's own numbers, if it is a float or an integer that an `i32` holds.
fn small(object: &Bound<'_, PyAny>) -> Option<f64> {
    if let Ok(float) = object.cast_exact::<PyFloat>() {
        return Some(float.value());
    }
    let integer = object.cast_exact::<PyInt>().ok()?;
    integer.extract::<i32>().ok().map(f64::from)
}
