//! The core, without Python.

mod batch;
mod bounds;
mod layers;
mod numbers;
mod predicates;
mod questions;
