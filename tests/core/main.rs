//! The core, without Python.

mod batch;
mod layers;
mod numbers;
mod predicates;
mod questions;
