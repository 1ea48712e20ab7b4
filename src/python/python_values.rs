//! Values of results as Python objects, and back.

use numpy::{PyArray1, PyArrayMethods};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::batch::{FieldKind, Value};
use crate::python::expected_argument::{Argument, ItemShape};
use crate::python::vectors::{points, vector};

/// The names of features, by number.
pub(crate) const FEATURES: [&str; 2] = ["vertex", "edge"];

/// A value as a Python object.
pub(crate) fn object(py: Python<'_>, value: Value) -> PyResult<Py<PyAny>> {
    match value {
        Value::Bool(value) => value.into_py_any(py),
        Value::Float(value) => value.into_py_any(py),
        Value::Vector(v) => Ok(PyArray1::from_slice(py, &[v.x, v.y]).into_any().unbind()),
        Value::Segment([p, q]) => {
            let ends = PyArray1::from_slice(py, &[p.x, p.y, q.x, q.y]);
            Ok(ends.reshape([2, 2])?.into_any().unbind())
        }
        Value::Index(value) => value.into_py_any(py),
        Value::Feature(value) => match usize::try_from(value).map(|value| FEATURES.get(value)) {
            Ok(name) => name.into_py_any(py),
            Err(_) => Ok(py.None()),
        },
    }
}

/// The inverse of [`object`], also for a row of an array.
pub(crate) fn value(kind: FieldKind, object: &Bound<'_, PyAny>) -> PyResult<Value> {
    Ok(match kind {
        FieldKind::Bool => Value::Bool(object.is_truthy()?),
        FieldKind::Float => Value::Float(object.extract()?),
        FieldKind::Vector => Value::Vector(vector("vector", object)?),
        FieldKind::Segment => {
            let [p, q] = points(object, Argument::one("segment", ItemShape::Points("2")))?[..]
            else {
                return Err(PyValueError::new_err("a segment has two ends"));
            };
            Value::Segment([p, q])
        }
        FieldKind::Index => Value::Index(object.extract()?),
        FieldKind::Feature => match object.extract::<i8>() {
            Ok(number) => Value::Feature(number),
            Err(_) => Value::Feature(i8::from(object.eq(FEATURES[1])?)),
        },
    })
}
