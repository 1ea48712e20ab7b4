//! The core, without Python.

mod balls;
mod batch;
mod bounds;
mod certainty;
mod circle_error_bounds;
mod frame_times;
mod layers;
mod numbers;
mod penetration_error_bounds;
mod predicates;
mod questions;
mod turning;
mod turning_gaps;
