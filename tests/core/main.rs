//! The core, without Python.

mod arcs;
mod area_error_bounds;
mod balls;
mod batch;
mod bounds;
mod certainty;
mod circle_error_bounds;
mod crossing_time;
mod layers;
mod numbers;
mod penetration_error_bounds;
mod predicates;
mod questions;
mod ring_area;
mod rounding_counts;
mod turning;
mod turning_gaps;
mod turning_overlaps;
mod turns;
