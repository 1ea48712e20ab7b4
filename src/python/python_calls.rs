//! Calls of functions in Python modules, such as those that make what a notebook shows.

use pyo3::prelude::*;

use super::buffer::c_unwind_call::{Arguments, call_method};

pub(crate) fn call<'py>(
    py: Python<'py>,
    module: &str,
    function: &str,
    arguments: impl Arguments<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    call_method(&py.import(module)?, function, arguments)
}

/// The HTML or SVG that a notebook shows for a result or a column.
pub(crate) fn notebook_display<'py>(
    object: &Bound<'py, PyAny>,
    form: &str,
) -> PyResult<Bound<'py, PyAny>> {
    call(object.py(), "carom._notebook", form, (object,))
}
