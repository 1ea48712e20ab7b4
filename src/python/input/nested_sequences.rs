//! Lists, arrays and other sequences: their items, depth and shape, and how NumPy makes an array of one.

use numpy::{PyUntypedArray, PyUntypedArrayMethods};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyList, PySlice, PyTuple};

use super::errors::{self, tuple};
use super::numpy_arrays::numpy;
use crate::python::buffer::c_unwind_call::call_method;

/// How many items are converted between two checks for signals, which takes some milliseconds.
const SIGNALS: usize = 1 << 14;

/// How many items of a list NumPy converts between two checks for signals.
const SLICE: usize = 1 << 16;

/// Whether an object is a list or a tuple.
pub(crate) fn is_list(object: &Bound<'_, PyAny>) -> bool {
    object.is_instance_of::<PyList>() || object.is_instance_of::<PyTuple>()
}

/// Whether an object is an empty list, or an array of shape (0,), which may stand for no points.
pub(crate) fn is_empty(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    if let Ok(array) = object.cast::<PyUntypedArray>() {
        return Ok(array.shape() == [0]);
    }
    Ok(is_list(object) && object.len()? == 0)
}

/// The items of a sequence, with a check for signals now and then.
pub(crate) fn items<'py>(
    sequence: &Bound<'py, PyAny>,
) -> PyResult<impl Iterator<Item = PyResult<Bound<'py, PyAny>>> + use<'py>> {
    let items = sequence.try_iter()?.enumerate();
    Ok(items.map(|(position, item)| {
        let item = item?;
        if position % SIGNALS == 0 {
            item.py().check_signals()?;
        }
        Ok(item)
    }))
}

/// Whether an object exports Arrow arrays. Frames and series of pandas don't count: their items are objects.
pub(crate) fn exports_arrow(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    let py = object.py();
    if object.hasattr(intern!(py, "__arrow_c_array__"))? {
        return Ok(true);
    }
    let module = errors::text(&object.get_type().module()?);
    let is_frame = match module.split('.').next() {
        Some("pandas") => true,
        Some("geopandas") => object.hasattr(intern!(py, "iloc"))?,
        _ => false,
    };
    Ok(!is_frame && object.hasattr(intern!(py, "__arrow_c_stream__"))?)
}

/// The nesting depth of an object, by the first item of each level that is not None or empty.
pub(crate) fn depth(object: &Bound<'_, PyAny>) -> PyResult<usize> {
    // No array has more than 64 axes, and a list may contain itself.
    depth_up_to(object, 64)
}

fn depth_up_to(object: &Bound<'_, PyAny>, most: usize) -> PyResult<usize> {
    if most == 0 {
        return Ok(0);
    }
    if is_list(object) {
        for item in items(object)? {
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
    if exports_arrow(object)? {
        // Arrow data is a column of shapes; see `shape_input::classify` for why no array is made of it.
        return Ok(3);
    }
    if object.hasattr(intern!(object.py(), "__array__"))? {
        let ndim = numpy(object.py())?.call_method1("ndim", (object,))?;
        return ndim.extract();
    }
    Ok(0)
}

/// The first two items of a list that have different shapes, and where they are; `path` leads to it.
pub(crate) fn first_difference(list: &Bound<'_, PyAny>, path: &mut Vec<usize>) -> PyResult<String> {
    let mut first = None;
    for (position, item) in items(list)?.enumerate() {
        let item = item?;
        path.push(position);
        let at = format!("{path:?}");
        match (shape_of(&item)?, &first) {
            (Some(shape), None) => first = Some((shape, at)),
            (Some(shape), Some((other, before))) if shape != *other => {
                let [other, shape] = [other, &shape].map(|it| tuple(it));
                return Ok(format!(": {other} at {before}, {shape} at {at}"));
            }
            // A list may contain itself.
            (None, _) if is_list(&item) && path.len() < 64 => return first_difference(&item, path),
            _ => {}
        }
        path.pop();
    }
    Ok(String::new())
}

/// The shape of an array or a list; `None` if its items have different ones.
pub(crate) fn shape_of(object: &Bound<'_, PyAny>) -> PyResult<Option<Vec<usize>>> {
    let py = object.py();
    match numpy(py)?.call_method1("shape", (object,)) {
        Ok(shape) => shape.extract().map(Some),
        Err(why) if errors::is_refusal(&why, py) => Ok(None),
        // An interrupt, or lack of memory.
        Err(why) => Err(why),
    }
}

/// `numpy.asarray` of an object; of a long list in slices, since NumPy doesn't check for signals.
pub(crate) fn asarray<'py>(
    object: &Bound<'py, PyAny>,
    dtype: Option<&str>,
) -> PyResult<Bound<'py, PyUntypedArray>> {
    let py = object.py();
    let numpy = numpy(py)?;
    let convert = |object: &Bound<'py, PyAny>| {
        py.check_signals()?;
        call_method(&numpy, intern!(py, "asarray"), (object, dtype))
    };
    if !is_list(object) || object.len()? <= SLICE {
        return Ok(convert(object)?.cast_into()?);
    }
    let length = object.len()?;
    let slice = |start: usize| {
        let end = length.min(start + SLICE);
        let slice = PySlice::new(py, start.cast_signed(), end.cast_signed(), 1);
        convert(&object.get_item(slice)?)
    };
    let slices = (0..length).step_by(SLICE).map(slice);
    let slices = slices.collect::<PyResult<Vec<_>>>()?;
    Ok(call_method(&numpy, "concatenate", (slices,))?.cast_into()?)
}
