//! Bindings for Python: convert, compute, convert. No formula, and no loop over vertices.
//! No files import each other in a circle.
//!
//! - [`buffer`]: array memory as slices, and calls that may unwind: the only unsafe code;
//! - [`expected_argument`], [`input_error`], [`errors`]: how arguments are named in messages, and what is raised;
//! - [`numpy_arrays`]: NumPy and its arrays; [`python_calls`]: functions of Python modules;
//! - [`nested_sequences`]: lists and arrays, their items, depth and shape; [`float64_arrays`], [`vector_arguments`],
//!   [`row_numbers`]: any object as an array of `float64`, as points or a vector, as row numbers;
//! - [`shape_input`]: shapes in any form, classified once; [`shapely_reader`], [`wkb_reader`], [`arrow`],
//!   [`from_ragged`] read some;
//! - [`shapes`]: the column class; [`crs`]: the reference systems of columns;
//! - [`broadcasting`], [`pairs_argument`], [`rings_taken_for_rows`] and [`batch_operand`], [`keywords`], [`turn_arguments`],
//!   [`trajectory_arguments`], [`affine_arguments`]: the arguments of batches and of methods;
//! - [`scalar_call`], [`batch_call`], [`interruptible`]: running a query, once or for many rows;
//! - [`output`], [`results`], [`result_methods`]: the arrays that a batch fills, and the classes of results;
//! - [`docstrings`]: what the docstrings of several functions have in common;
//! - one file of functions per query.

// The docstrings are numpydoc, for Python's `help()`.
#![allow(
    clippy::doc_markdown,
    clippy::doc_link_with_quotes,
    clippy::doc_lazy_continuation
)]

mod affine_arguments;
mod arrow;
mod batch_call;
mod batch_operand;
mod broadcasting;
mod buffer;
mod circle_polygon;
mod clearance;
mod closest_approach;
mod contact_intervals;
mod convex_hull;
mod convex_parts;
mod crs;
mod distance;
mod docstrings;
mod errors;
mod expected_argument;
mod first_contact;
mod float64_arrays;
mod from_ragged;
mod input_error;
mod interruptible;
mod intersects;
mod joins;
mod keywords;
mod locate;
mod nearest;
mod nested_sequences;
mod numpy_arrays;
mod output;
mod overlap_area;
mod pairs_argument;
mod penetration;
mod place;
mod predicate_batch;
mod python_calls;
mod ray_cast;
mod result_methods;
mod results;
mod rings_taken_for_rows;
mod row_numbers;
mod sat;
mod scalar_call;
mod shape_input;
mod shapely_reader;
mod shapes;
mod swept_circle;
mod swept_collision;
mod trajectory_arguments;
mod turn_arguments;
mod vector_arguments;
mod wkb_reader;
mod wkb_writer;

/// The compiled part of the package.
#[pyo3::pymodule]
mod _core {
    #[pymodule_export]
    use super::{
        circle_polygon::{circle_polygon, circle_polygon_batch},
        clearance::clearance,
        closest_approach::{closest_approach, closest_approach_batch},
        contact_intervals::{ContactIntervals, contact_intervals, contact_intervals_batch},
        convex_hull::convex_hull,
        convex_parts::convex_parts,
        distance::{distance, distance_batch},
        first_contact::first_contact,
        intersects::{intersects, intersects_batch},
        joins::{candidate_pairs, colliding_pairs, iter_colliding_pairs},
        locate::locate,
        nearest::{_nearest_with_ties, Neighbors, nearest},
        overlap_area::{overlap_area, overlap_area_batch},
        penetration::{penetration, penetration_batch},
        place::place,
        predicate_batch::predicate_batch,
        ray_cast::ray_cast,
        results::{
            CirclePolygonBatchResult, CirclePolygonResult, ClearanceBatchResult, ClearanceResult,
            ClosestApproachBatchResult, ClosestApproachResult, DistanceBatchResult, DistanceResult,
            FirstContactBatchResult, FirstContactResult, PenetrationBatchResult, PenetrationResult,
            RayCastBatchResult, RayCastResult, SatBatchResult, SatResult, SweptCircleBatchResult,
            SweptCircleResult, SweptCollisionBatchResult, SweptCollisionResult,
        },
        sat::{sat, sat_batch},
        shapes::Shapes,
        swept_circle::{swept_circle, swept_circle_batch},
        swept_collision::{swept_collision, swept_collision_batch},
    };

    #[pymodule_init]
    fn constants(module: &pyo3::Bound<'_, pyo3::types::PyModule>) -> pyo3::PyResult<()> {
        use pyo3::exceptions::PyRuntimeWarning;
        use pyo3::prelude::*;
        use pyo3::types::PyTuple;

        // NumPy's interface is looked up when first used, by code in Python: an interrupt in it would end in
        // a panic.
        module.py().import("numpy")?;
        let _ = numpy::PyArray1::<f64>::zeros(module.py(), 0, false);
        let instructions = crate::simd::instructions::name();
        if let (_, Some(warning)) = crate::simd::instructions::level() {
            let warning = format!("{warning}; using {instructions}");
            super::errors::warn::<PyRuntimeWarning>(module.py(), &warning)?;
        }
        let [vertex, edge] = super::result_methods::FEATURES;
        module.add("FEATURES", (vertex, edge))?;
        let kinds = crate::shape::ShapeKind::ALL.map(crate::shape::ShapeKind::name);
        module.add("KINDS", PyTuple::new(module.py(), kinds)?)?;
        module.add("INSTRUCTIONS", instructions)?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
