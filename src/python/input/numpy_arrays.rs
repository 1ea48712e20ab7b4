//! NumPy and its arrays: zeros, types, copies of another type, and masks.

use numpy::{PyArrayDescrMethods, PyArrayDyn, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::python::buffer::c_unwind_call::call_method;

pub(crate) fn numpy(py: Python<'_>) -> PyResult<Bound<'_, PyModule>> {
    py.import(intern!(py, "numpy"))
}

/// Any array of zeros.
pub(crate) fn zeros<'py>(
    py: Python<'py>,
    shape: &[usize],
    dtype: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let shape = PyTuple::new(py, shape)?;
    call_method(&numpy(py)?, intern!(py, "zeros"), (shape, dtype))
}

/// The letter of an array's kind of dtype, and how many bytes an element has.
pub(crate) fn dtype(array: &Bound<'_, PyUntypedArray>) -> (u8, usize) {
    let dtype = array.dtype();
    (dtype.kind(), dtype.itemsize())
}

/// An array of another type and in C order; itself, if it is so already.
pub(crate) fn plain<'py, T: numpy::Element>(
    array: &Bound<'py, PyUntypedArray>,
    dtype: &str,
) -> PyResult<Bound<'py, PyArrayDyn<T>>> {
    if let Ok(typed) = array.cast::<PyArrayDyn<T>>()
        && typed.is_c_contiguous()
        && typed.is_aligned()
    {
        return Ok(typed.clone());
    }
    let copy = call_method(array, intern!(array.py(), "astype"), (dtype, "C"))?;
    Ok(copy.cast_into()?)
}

pub(crate) fn is_masked(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(object.is_instance_of::<PyUntypedArray>()
        && !object.is_exact_instance_of::<PyUntypedArray>()
        && object.hasattr(intern!(object.py(), "mask"))?)
}
