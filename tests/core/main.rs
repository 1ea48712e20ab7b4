//! The core, without Python.
