//! Bindings for Python.
