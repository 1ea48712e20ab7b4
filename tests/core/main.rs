//! The core, without Python.

mod numbers;
mod predicates;
mod questions;
