//! The contents of scalar and batch results, their values as Python objects, and the methods of all their classes.

use std::iter;

use numpy::{PyArray1, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict, PyEllipsis, PySlice, PyTuple};

use super::Arrays;
use crate::batch::{Field, FieldKind, QueryResult, Value};
use crate::python::buffer::c_unwind_call::call_method;
use crate::python::input::errors::{self, tuple};
use crate::python::input::expected_argument::{Argument, ItemShape};
use crate::python::input::numpy_arrays::numpy;
use crate::python::input::vector_arguments::{points, vector};
use crate::python::interruptible;

/// The names of features, by number.
pub(crate) const FEATURES: [&str; 2] = ["vertex", "edge"];

fn object(py: Python<'_>, value: Value) -> PyResult<Py<PyAny>> {
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
fn value(kind: FieldKind, object: &Bound<'_, PyAny>) -> PyResult<Value> {
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

/// The content of a scalar result: the whole answer, from which fields are computed when read, or
/// the values of one row of a batch.
pub(crate) enum Answer<R> {
    Whole(R),
    Stored(Box<[Option<Value>]>),
}

impl<R: QueryResult> Answer<R> {
    pub(crate) fn value(&self, field: usize) -> Option<Value> {
        match self {
            Self::Whole(record) => Some(record.value(field)),
            Self::Stored(values) => values[field],
        }
    }

    /// The value of a field as an object. Not inlined, so that the getters of all fields share it.
    #[inline(never)]
    pub(crate) fn get(&self, py: Python<'_>, field: usize) -> PyResult<Py<PyAny>> {
        let value = interruptible::here(|| self.value(field))?;
        value.map_or_else(|| Ok(py.None()), |value| object(py, value))
    }

    pub(crate) fn truth(&self) -> PyResult<bool> {
        let value = interruptible::here(|| self.value(R::TRUTH))?.ok_or_else(|| {
            PyValueError::new_err(format!(
                "the truth of this result is its field '{}', which was not asked for",
                R::FIELDS[R::TRUTH].name
            ))
        })?;
        Ok(value.says_yes())
    }

    pub(crate) fn repr(&self, py: Python<'_>, class: &str) -> PyResult<String> {
        repr(py, class, R::FIELDS, &self.all(py)?)
    }

    pub(crate) fn all(&self, py: Python<'_>) -> PyResult<Vec<Py<PyAny>>> {
        (0..R::FIELDS.len())
            .map(|field| self.get(py, field))
            .collect()
    }

    /// The inverse of [`Self::all`].
    pub(crate) fn make(values: &Bound<'_, PyAny>) -> PyResult<Self> {
        stored(R::FIELDS, values).map(Self::Stored)
    }
}

fn repr(py: Python<'_>, class: &str, fields: &[Field], values: &[Py<PyAny>]) -> PyResult<String> {
    let mut parts = Vec::new();
    for (field, value) in told(py, fields, values)? {
        let text = match value.cast::<PyUntypedArray>() {
            Ok(array) => array.call_method0("tolist")?.repr()?,
            Err(_) => value.repr()?,
        };
        parts.push(format!("{}={}", field.name, errors::text(&text)));
    }
    Ok(format!("{class}({})", parts.join(", ")))
}

fn stored(fields: &[Field], values: &Bound<'_, PyAny>) -> PyResult<Box<[Option<Value>]>> {
    let values: Vec<Bound<'_, PyAny>> = values.extract()?;
    if values.len() != fields.len() {
        return Err(PyTypeError::new_err(format!(
            "expected {} values, got {}",
            fields.len(),
            values.len()
        )));
    }
    let values = fields.iter().zip(&values).map(|(field, it)| {
        let given = (!it.is_none()).then(|| value(field.kind, it));
        given.transpose()
    });
    values.collect()
}

/// The methods of a result whose arrays have other lengths than its rows: `_astuple` gives the first of them, and
/// it is made of these and the rest.
macro_rules! of_other_lengths {
    ($class:ident { $($field:ident)+ $(; $rest:ident)? }, $truth:literal) => {
        #[pymethods]
        impl $class {
            #[allow(clippy::unused_self)] // Python's protocol needs it.
            fn __bool__(&self) -> PyResult<bool> {
                Err(::pyo3::exceptions::PyValueError::new_err(concat!(
                    "The truth value of the result is ambiguous. Use ",
                    $truth
                )))
            }

            /// The fields by name.
            fn _asdict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
                [$((stringify!($field), &self.$field)),+].into_py_dict(py)
            }

            /// The fields in order, for unpacking.
            fn _astuple<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
                PyTuple::new(py, [$(&self.$field),+])
            }

            /// A result with these arrays.
            #[staticmethod]
            #[pyo3(signature = ($($field,)+ $($rest,)? /))]
            fn _make($($field: Py<PyAny>,)+ $($rest: Py<PyAny>)?) -> Self {
                Self { $($field,)+ $($rest)? }
            }

            fn __reduce__<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
                let (py, fields) = (this.py(), this.get());
                let make = this.get_type().getattr("_make")?;
                let state = ($(&fields.$field,)+ $(&fields.$rest)?);
                (make, state).into_bound_py_any(py)
            }
        }
    };
}

pub(crate) use of_other_lengths;

/// The position of the field with this name and kind; without one the code doesn't compile.
pub(crate) const fn position(fields: &[Field], name: &str, kind: FieldKind) -> usize {
    let mut position = 0;
    while !equal(fields[position].name.as_bytes(), name.as_bytes()) {
        position += 1;
    }
    assert!(fields[position].kind as u8 == kind as u8);
    position
}

const fn equal(one: &[u8], other: &[u8]) -> bool {
    let mut at = 0;
    while at < one.len() && at < other.len() && one[at] == other[at] {
        at += 1;
    }
    at == one.len() && at == other.len()
}

/// An iterator over the rows of a batch result, by its own indexing; `count` is `None` if the result has no axes.
pub(crate) fn rows<'py>(
    result: &Bound<'py, PyAny>,
    count: Option<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    let Some(count) = count else {
        return Err(PyTypeError::new_err("iteration over a 0-d result"));
    };
    let builtins = result.py().import("builtins")?;
    let range = builtins.call_method1("range", (count,))?;
    builtins.call_method1("map", (result.getattr("__getitem__")?, range))
}

/// Most rows of which a `repr` shows the values.
pub(crate) const SHORT: usize = 10;

/// A `repr` with a line for each value, or more for an array of several axes.
pub(crate) fn values_by_line<'py>(
    class: &str,
    values: impl IntoIterator<Item = (&'static str, PyResult<Bound<'py, PyAny>>)>,
) -> PyResult<String> {
    let mut lines = vec![format!("{class}(")];
    for (name, value) in values {
        let text = errors::text(&value?.repr()?);
        let mut of_value = text.lines();
        let first = of_value.next().unwrap_or_default();
        lines.push(format!("    {name}={first}"));
        let indent = " ".repeat(name.len() + 5);
        // NumPy parts the planes of an array by empty lines, which stay empty.
        lines.extend(of_value.map(|line| format!("{indent}{line}").trim_end().to_owned()));
        if let Some(last) = lines.last_mut() {
            last.push(',');
        }
    }
    lines.push(")".to_owned());
    Ok(lines.join("\n"))
}

/// Each value with its field, but for optional fields that are not there.
pub(crate) fn told<'a, 'py, T: IntoPyObject<'py>>(
    py: Python<'py>,
    fields: &'a [Field],
    values: impl IntoIterator<Item = T>,
) -> PyResult<Vec<(&'a Field, Bound<'py, PyAny>)>> {
    let mut told = Vec::new();
    for (field, value) in fields.iter().zip(values) {
        let value = value.into_bound_py_any(py)?;
        if !field.is_optional || !value.is_none() {
            told.push((field, value));
        }
    }
    Ok(told)
}

/// Values by the names of their fields.
pub(crate) fn as_dict<'py, T: IntoPyObject<'py>>(
    py: Python<'py>,
    fields: &[Field],
    values: impl IntoIterator<Item = T>,
) -> PyResult<Bound<'py, PyDict>> {
    let told = told(py, fields, values)?;
    told.into_iter()
        .map(|(field, value)| (field.name, value))
        .into_py_dict(py)
}

/// Values in the order of their fields.
pub(crate) fn as_tuple<'py, T: IntoPyObject<'py>>(
    py: Python<'py>,
    fields: &[Field],
    values: impl IntoIterator<Item = T>,
) -> PyResult<Bound<'py, PyTuple>> {
    let told = told(py, fields, values)?;
    PyTuple::new(py, told.into_iter().map(|(_, value)| value))
}

impl Arrays {
    /// Which rows had valid operands; if all had, an array that repeats True without memory.
    pub(crate) fn valid<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        if let Some(valid) = &self.valid {
            return Ok(valid.bind(py).clone());
        }
        let shape = PyTuple::new(py, &self.shape)?;
        numpy(py)?.call_method1("broadcast_to", (true, shape))
    }

    pub(crate) fn len(&self) -> PyResult<usize> {
        let length = self.shape.first().copied();
        length.ok_or_else(|| PyTypeError::new_err("len() of unsized object"))
    }

    pub(crate) fn repr(&self, py: Python<'_>, fields: &[Field], class: &str) -> PyResult<String> {
        if self.shape.iter().product::<usize>() <= SHORT {
            let shape = PyTuple::new(py, &self.shape)?.into_any();
            let values = told(py, fields, &self.fields)?.into_iter();
            let values = values.map(|(field, array)| (field.name, Ok(array)));
            let valid = self
                .valid
                .as_ref()
                .map(|it| ("valid", Ok(it.bind(py).clone())));
            return values_by_line(
                class,
                iter::once(("shape", Ok(shape))).chain(values).chain(valid),
            );
        }
        let mut parts = vec![format!("shape={}", tuple(&self.shape))];
        let count =
            |array: &Bound<'_, PyAny>| call_method(array, "sum", (py.None(),))?.extract::<usize>();
        for (field, array) in fields.iter().zip(&self.fields) {
            parts.push(match array {
                None if field.is_optional => continue,
                None => format!("{}=None", field.name),
                Some(array) if field.kind == FieldKind::Bool => {
                    format!("{}=<{} True>", field.name, count(array.bind(py))?)
                }
                Some(array) => {
                    let array = array.bind(py).cast::<PyUntypedArray>()?;
                    let dtype = errors::text(&array.dtype().str()?);
                    format!("{}=<{dtype} {}>", field.name, tuple(array.shape()))
                }
            });
        }
        if let Some(valid) = &self.valid {
            parts.push(format!("valid=<{} True>", count(valid.bind(py))?));
        }
        Ok(format!("{class}({})", parts.join(", ")))
    }

    /// The rows that a key selects, of each field, and whether it is a single row.
    pub(crate) fn index<'py>(
        &self,
        py: Python<'py>,
        fields: &[Field],
        key: &Bound<'py, PyAny>,
    ) -> PyResult<(bool, Self)> {
        let valid = self.valid(py)?.get_item(key)?;
        let shape: Vec<usize> = valid.getattr("shape")?.extract()?;
        let is_row = !valid.is_instance_of::<PyUntypedArray>();
        let mut chosen = Vec::with_capacity(fields.len());
        for (field, array) in fields.iter().zip(&self.fields) {
            let array = array.as_ref().map(|array| {
                array
                    .bind(py)
                    .get_item(deepened(key, field.kind.axes().len())?)
            });
            chosen.push(array.transpose()?.map(Bound::unbind));
        }
        let rows = Self {
            shape,
            fields: chosen,
            valid: (self.valid.is_some() && !is_row).then(|| valid.unbind()),
            valid_obstacles: self.valid_obstacles.as_ref().map(|it| it.clone_ref(py)),
        };
        Ok((is_row, rows))
    }
}

/// A key for the leading dimensions, extended to an array with more. An ellipsis would cover the
/// added dimensions too, so slices for them follow it.
fn deepened<'py>(key: &Bound<'py, PyAny>, added: usize) -> PyResult<Bound<'py, PyAny>> {
    let py = key.py();
    let mut keys: Vec<Bound<'py, PyAny>> = match key.cast::<PyTuple>() {
        Ok(keys) => keys.iter().collect(),
        Err(_) => vec![key.clone()],
    };
    if !keys.iter().any(|key| key.is(PyEllipsis::get(py))) {
        return Ok(key.clone());
    }
    keys.extend((0..added).map(|_| PySlice::full(py).into_any()));
    PyTuple::new(py, keys)?.into_bound_py_any(py)
}
