//! Any array of numbers as `float64`s without loss: the one rule of what is taken and what refused.

use numpy::{PyArray1, PyArrayDyn, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::basic::CompareOp;
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{
    PyBool, PyByteArray, PyBytes, PyComplex, PyDict, PyFloat, PyFrozenSet, PyInt, PyList, PySet,
    PyString, PyTuple,
};

use crate::python::arrow;
use crate::python::input::{Argument, ItemShape, Lossy};
use crate::python::polygons::Polygons;

/// Any argument as an array of native, aligned `float64`s in C order: itself, if it is one.
pub(crate) fn float64<'py>(
    object: &Bound<'py, PyAny>,
    argument: Argument,
) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
    refuse_no_numbers(object, argument)?;
    if let Some(masked) = as_masked(object)? {
        return unmasked(&masked, argument);
    }
    let array = as_array(object, None, argument)?;
    let doubles = match (kind(&array)?, item_size(&array)?) {
        ('f', ..=8) | ('i' | 'u', ..8) => plain(&array, "float64")?,
        ('i', _) => widened(
            &array,
            "int64",
            |v: i64| exact(v as f64, v.into()),
            argument,
        )?,
        ('u', _) => widened(
            &array,
            "uint64",
            |v: u64| exact(v as f64, v.into()),
            argument,
        )?,
        ('f', _) => narrowed(&array, argument)?,
        ('O', _) => from_objects(&array, object, argument)?,
        _ => return Err(argument.wrong_type(&format!("dtype {}", array.getattr("dtype")?))),
    };
    check_shape(doubles.as_untyped(), argument)?;
    if is_list(object) && (any_beyond_integers(&doubles)? || has_bool(object)?) {
        // Among floats NumPy has rounded the integers and counted the booleans without a word.
        let array = as_array(object, Some("object"), argument)?;
        return from_objects(&array, object, argument);
    }
    Ok(doubles)
}

fn refuse_no_numbers(object: &Bound<'_, PyAny>, argument: Argument) -> PyResult<()> {
    let is_none_of_it = object.is_none()
        || object.is_instance_of::<PyString>()
        || object.is_instance_of::<PyBytes>()
        || object.is_instance_of::<PyByteArray>()
        || object.is_instance_of::<PyBool>()
        || object.is_instance_of::<PyDict>()
        || object.is_instance_of::<PySet>()
        || object.is_instance_of::<PyFrozenSet>();
    if object.is_instance_of::<Polygons>() {
        return Err(argument.no_column());
    }
    if is_none_of_it {
        return Err(argument.wrong_type(&object.get_type().qualname()?.to_string()));
    }
    Ok(())
}

pub(super) fn numpy(py: Python<'_>) -> PyResult<Bound<'_, PyModule>> {
    py.import(intern!(py, "numpy"))
}

/// Whether an object is a list or a tuple, whose items count as parts.
pub(crate) fn is_list(object: &Bound<'_, PyAny>) -> bool {
    object.is_instance_of::<PyList>() || object.is_instance_of::<PyTuple>()
}

/// How deep an object nests, judged by its first items that are something. Beyond the axes that an
/// array can have it makes no difference how deep, and a list may contain itself.
pub(crate) fn depth(object: &Bound<'_, PyAny>) -> PyResult<usize> {
    depth_up_to(object, 64)
}

fn depth_up_to(object: &Bound<'_, PyAny>, most: usize) -> PyResult<usize> {
    if most == 0 {
        return Ok(0);
    }
    if is_list(object) {
        for item in object.try_iter()? {
            let item = item?;
            if item.is_none() || is_list(&item) && item.len()? == 0 {
                continue;
            }
            return Ok(1 + depth_up_to(&item, most - 1)?);
        }
        return Ok(1);
    }
    if let Ok(array) = object.cast::<PyUntypedArray>() {
        return Ok(array.ndim());
    }
    if arrow::gives(object)? {
        // A column of polygons; not made into an array to find out, see `shapely::geometries`.
        return Ok(3);
    }
    if object.hasattr(intern!(object.py(), "__array__"))? {
        return numpy(object.py())?
            .call_method1("ndim", (object,))?
            .extract();
    }
    Ok(0)
}

fn as_array<'py>(
    object: &Bound<'py, PyAny>,
    dtype: Option<&str>,
    argument: Argument,
) -> PyResult<Bound<'py, PyUntypedArray>> {
    let py = object.py();
    match numpy(py)?.call_method1(intern!(py, "asarray"), (object, dtype)) {
        Ok(array) => Ok(array.cast_into()?),
        Err(why) if is_list(object) && why.is_instance_of::<PyValueError>(py) => {
            let (found, axes) = ("a sequence of items of different shapes", depth(object)?);
            if !argument.batch && axes > argument.layout.axes() {
                return Err(argument.too_deep(found, axes));
            }
            Err(argument.wrong_shape(found))
        }
        Err(why) => Err(why),
    }
}

pub(super) fn kind(array: &Bound<'_, PyUntypedArray>) -> PyResult<char> {
    array.getattr("dtype")?.getattr("kind")?.extract()
}

pub(super) fn item_size(array: &Bound<'_, PyUntypedArray>) -> PyResult<usize> {
    array.getattr("itemsize")?.extract()
}

fn check_shape(array: &Bound<'_, PyUntypedArray>, argument: Argument) -> PyResult<()> {
    let shape = array.shape();
    if argument.batch || shape.len() == argument.layout.axes() {
        if argument.layout.fits(shape) {
            return Ok(());
        }
        return Err(argument.wrong_shape(&tuple(shape)));
    }
    if argument.layout.fits(shape) && shape.len() > argument.layout.axes() {
        return Err(argument.too_deep(&tuple(shape), shape.len()));
    }
    Err(argument.wrong_shape(&tuple(shape)))
}

/// A shape as Python writes it.
pub(crate) fn tuple(shape: &[usize]) -> String {
    if let [length] = shape {
        return format!("({length},)");
    }
    let lengths: Vec<_> = shape.iter().map(ToString::to_string).collect();
    format!("({})", lengths.join(", "))
}

/// An array of another type and in C order; itself, if it is so already.
pub(super) fn plain<'py, T: numpy::Element>(
    array: &Bound<'py, PyUntypedArray>,
    dtype: &str,
) -> PyResult<Bound<'py, PyArrayDyn<T>>> {
    if let Ok(typed) = array.cast::<PyArrayDyn<T>>()
        && typed.is_c_contiguous()
        && typed.is_aligned()
    {
        return Ok(typed.clone());
    }
    let required = numpy(array.py())?.call_method1("require", (array, dtype, ("C", "A")))?;
    Ok(required.cast_into()?)
}

fn exact(float: f64, integer: i128) -> Option<f64> {
    // Every 64-bit integer rounds to a float that an i128 holds.
    #[allow(clippy::cast_possible_truncation)]
    let back = float as i128;
    (back == integer).then_some(float)
}

fn widened<'py, T: numpy::Element + Copy + std::fmt::Display>(
    array: &Bound<'py, PyUntypedArray>,
    dtype: &str,
    exact: impl Fn(T) -> Option<f64>,
    argument: Argument,
) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
    let numbers = plain::<T>(array, dtype)?.to_vec()?;
    let convert = |(flat, number)| {
        if flat % SIGNALS == 0 {
            array.py().check_signals()?;
        }
        match (exact(number), argument.lossy) {
            (Some(float), _) => Ok(float),
            (None, Lossy::MakeNan) => Ok(f64::NAN),
            (None, Lossy::Refuse) => {
                Err(argument.lossy(array.shape(), flat, &format!("has {number}, {LOSS}")))
            }
        }
    };
    let floats: Vec<f64> = numbers
        .into_iter()
        .enumerate()
        .map(convert)
        .collect::<PyResult<_>>()?;
    PyArray1::from_vec(array.py(), floats).reshape(array.shape())
}

const LOSS: &str = "which no float64 holds exactly";

/// Long doubles as `float64`s.
fn narrowed<'py>(
    array: &Bound<'py, PyUntypedArray>,
    argument: Argument,
) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
    let numpy = numpy(array.py())?;
    // Overflow is found by comparing, so that NumPy need not warn of it.
    let quiet = numpy.call_method("errstate", (), Some(&all_ignored(array.py())?))?;
    quiet.call_method0("__enter__")?;
    let narrow = array.call_method1("astype", ("float64", "C"));
    quiet.call_method1(
        "__exit__",
        (array.py().None(), array.py().None(), array.py().None()),
    )?;
    let narrow = narrow?;
    let lost = narrow
        .rich_compare(array, CompareOp::Ne)?
        .bitand(array.rich_compare(array, CompareOp::Eq)?)?;
    let what = |flat: usize| {
        let number = array.getattr("flat")?.get_item(flat)?;
        PyResult::Ok(format!("has {}, {LOSS}", number.str()?))
    };
    settle(&narrow, &lost, what, argument)?;
    Ok(narrow.cast_into()?)
}

fn all_ignored(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let keywords = PyDict::new(py);
    keywords.set_item("all", "ignore")?;
    Ok(keywords)
}

/// An array that is masked, or a list with one in it.
fn as_masked<'py>(object: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    if is_masked(object)? {
        return Ok(Some(object.clone()));
    }
    if is_list(object) {
        for item in object.try_iter()? {
            if is_masked(&item?)? {
                let py = object.py();
                return py
                    .import("numpy.ma")?
                    .call_method1("array", (object,))
                    .map(Some);
            }
        }
    }
    Ok(None)
}

pub(super) fn is_masked(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(object.is_instance_of::<PyUntypedArray>()
        && !object.is_exact_instance_of::<PyUntypedArray>()
        && object.hasattr(intern!(object.py(), "mask"))?)
}

fn unmasked<'py>(
    object: &Bound<'py, PyAny>,
    argument: Argument,
) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
    let masked = object.py().import("numpy.ma")?;
    let mask = masked.call_method1("getmaskarray", (object,))?;
    let data = masked.call_method1("getdata", (object,))?;
    let data = data.call_method1("copy", ("C",))?;
    // What lies under the mask is nobody's number, so it can't lose anything either.
    data.set_item(&mask, 0)?;
    let floats = float64(&data, argument)?;
    settle(floats.as_any(), &mask, |_| Ok("is masked".into()), argument)?;
    Ok(floats)
}

/// Refuses the first element that is marked, or makes all of them NaN.
fn settle(
    floats: &Bound<'_, PyAny>,
    marked: &Bound<'_, PyAny>,
    what: impl Fn(usize) -> PyResult<String>,
    argument: Argument,
) -> PyResult<()> {
    let flat = numpy(floats.py())?.call_method1("flatnonzero", (marked,))?;
    if flat.len()? == 0 {
        return Ok(());
    }
    if argument.lossy == Lossy::MakeNan {
        return floats.set_item(marked, f64::NAN);
    }
    let shape: Vec<usize> = floats.getattr("shape")?.extract()?;
    let first = flat.get_item(0)?.extract()?;
    Err(argument.lossy(&shape, first, &what(first)?))
}

fn any_beyond_integers(array: &Bound<'_, PyArrayDyn<f64>>) -> PyResult<bool> {
    // From 2^53 on not every integer is a float64.
    const LIMIT: f64 = 9_007_199_254_740_992.0;
    Ok(array.to_vec()?.iter().any(|number| number.abs() >= LIMIT))
}

/// Whether a list has a boolean anywhere in it.
fn has_bool(list: &Bound<'_, PyAny>) -> PyResult<bool> {
    for item in list.try_iter()? {
        let item = item?;
        if item.is_exact_instance_of::<PyFloat>() || item.is_exact_instance_of::<PyInt>() {
            continue;
        }
        let found = if is_list(&item) {
            has_bool(&item)?
        } else {
            is_bool(&item)?
        };
        if found {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether an object is a boolean of Python's or NumPy's, or an array of them.
fn is_bool(item: &Bound<'_, PyAny>) -> PyResult<bool> {
    let Some(dtype) = item.getattr_opt(intern!(item.py(), "dtype"))? else {
        return Ok(item.is_instance_of::<PyBool>());
    };
    let kind = dtype.getattr_opt(intern!(item.py(), "kind"))?;
    kind.map_or(Ok(false), |kind| kind.eq("b"))
}

/// Python's own numbers, each kept exactly or refused.
fn from_objects<'py>(
    array: &Bound<'py, PyUntypedArray>,
    object: &Bound<'py, PyAny>,
    argument: Argument,
) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
    let shape = array.shape();
    if shape.is_empty() && argument.layout != ItemShape::Number {
        return Err(argument.wrong_type(&object.get_type().qualname()?.to_string()));
    }
    let mut floats = Vec::with_capacity(array.len());
    let py = array.py();
    for (flat, item) in array
        .call_method0("ravel")?
        .call_method0("tolist")?
        .try_iter()?
        .enumerate()
    {
        let item = item?;
        if flat % SIGNALS == 0 {
            py.check_signals()?;
        }
        let float = float_of(&item)?.ok_or_else(|| {
            let found = item
                .get_type()
                .qualname()
                .map_or_else(|_| "?".into(), |n| n.to_string());
            PyTypeError::new_err(format!(
                "{} has a {found}, expected a number",
                argument.locate(shape, flat)
            ))
        })?;
        let is_kept = float.is_nan() || item.eq(float)?;
        floats.push(match (is_kept, argument.lossy) {
            (true, _) => float,
            (false, Lossy::MakeNan) => f64::NAN,
            (false, Lossy::Refuse) => {
                return Err(argument.lossy(shape, flat, &format!("has {item}, {LOSS}")));
            }
        });
    }
    PyArray1::from_vec(py, floats).reshape(shape)
}

/// How many numbers are converted between two looks at signals: some milliseconds' worth.
const SIGNALS: usize = 1 << 14;

/// The float nearest to a number; infinite if there is none near; `None` if it is no number.
fn float_of(item: &Bound<'_, PyAny>) -> PyResult<Option<f64>> {
    let py = item.py();
    let is_no_number = is_bool(item)?
        || item.is_instance_of::<PyComplex>()
        || !(item.hasattr(intern!(py, "__float__"))? || item.is_instance_of::<PyInt>());
    if is_no_number || item.hasattr(intern!(py, "ndim"))? && depth(item)? > 0 {
        return Ok(None);
    }
    match item.call_method0(intern!(py, "__float__")) {
        Ok(float) => float.extract().map(Some),
        Err(why) if why.is_instance_of::<PyOverflowError>(py) => Ok(Some(f64::INFINITY)),
        Err(why) => Err(why),
    }
}
