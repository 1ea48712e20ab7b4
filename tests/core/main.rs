//! The core, without Python.

mod batch;
mod bounds;
mod circle_error_bounds;
mod layers;
mod numbers;
mod predicates;
mod questions;
mod turning;
