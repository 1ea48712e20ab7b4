//! Calls of Python functions that may detach from the interpreter for a while, as those of NumPy and Shapely do.
//!
//! Before Python 3.14 a daemon thread that attaches again while the interpreter ends is ended by `pthread_exit`, which
//! unwinds its stack. The process aborts if that reaches a call from Rust of a function that is not declared as one that
//! may unwind. The function called here is, and a thread that is unwound to this frame sleeps until the process has ended.
//! `PyO3` does the same where it attaches.

use std::mem;
use std::thread;
use std::time::Duration;

#[cfg(unix)]
use pyo3::ffi::PyObject;
// Windows ends such threads without unwinding them.
#[cfg(not(unix))]
use pyo3::ffi::PyObject_CallObject;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};

#[cfg(unix)]
unsafe extern "C-unwind" {
    // `PyO3` declares it as one that can't unwind. It must not be called by that declaration, too: link-time optimisation
    // could keep that one of the two. `PyO3` calls other functions of this kind.
    fn PyObject_CallObject(function: *mut PyObject, arguments: *mut PyObject) -> *mut PyObject;
}

/// The arguments of a call, as a tuple.
pub(crate) trait Arguments<'py>:
    IntoPyObject<'py, Target = PyTuple, Output = Bound<'py, PyTuple>, Error: Into<PyErr>>
{
}

impl<'py, T> Arguments<'py> for T where
    T: IntoPyObject<'py, Target = PyTuple, Output = Bound<'py, PyTuple>, Error: Into<PyErr>>
{
}

/// Sleeps for ever where it is dropped.
struct Sleep;

impl Drop for Sleep {
    fn drop(&mut self) {
        loop {
            thread::sleep(Duration::from_secs(60));
        }
    }
}

pub(crate) fn call<'py>(
    function: &Bound<'py, PyAny>,
    arguments: impl Arguments<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = function.py();
    let arguments = arguments.into_pyobject(py).map_err(Into::into)?;
    let if_unwound = Sleep;
    // SAFETY: both are objects of this interpreter, the second one a tuple. If the call unwinds, the thread sleeps.
    let result = unsafe { PyObject_CallObject(function.as_ptr(), arguments.as_ptr()) };
    mem::forget(if_unwound);
    // SAFETY: the call returned a new reference, or null with an exception set.
    unsafe { Bound::from_owned_ptr_or_err(py, result) }
}

/// Calls a method, or a function of a module.
pub(crate) fn call_method<'py, T>(
    object: &Bound<'py, T>,
    name: impl IntoPyObject<'py, Target = PyString>,
    arguments: impl Arguments<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    call(&object.as_any().getattr(name)?, arguments)
}
