//! Bindings for Python: convert, compute, convert. No formula, and no loop over vertices.
//! No files import each other in a circle.
//!
//! - [`buffer`]: array memory as slices, and calls that may unwind: the only unsafe code;
//! - [`input`]: arguments, and the exceptions about them; [`crs`]: the reference systems of columns;
//! - [`readers`]: shapes in any form, classified once; [`arrow`]: GeoArrow in and out; [`shapes`]: the column class;
//! - [`scalar_call`], [`batch_call`], [`interruptible`]: running a query, once or for many rows;
//! - [`output`]: the arrays that a batch fills, and the classes of results;
//! - [`queries`] and [`trajectory`]: one file of functions per query; [`docstrings`]: what the docstrings of several
//!   have in common; [`python_calls`]: functions of Python modules.

// The docstrings are numpydoc, for Python's `help()`.
#![allow(
    clippy::doc_markdown,
    clippy::doc_link_with_quotes,
    clippy::doc_lazy_continuation
)]

mod arrow;
mod batch_call;
mod buffer;
mod crs;
mod docstrings;
mod input;
mod interruptible;
mod output;
mod python_calls;
mod queries;
mod readers;
mod scalar_call;
mod shapes;
mod trajectory;

/// The compiled part of the package.
#[pyo3::pymodule]
mod _core {
    #[pymodule_export]
    use super::{
        output::results::{
            CirclePolygonBatchResult, CirclePolygonResult, ClearanceBatchResult, ClearanceResult,
            ClosestApproachBatchResult, ClosestApproachResult, DistanceBatchResult, DistanceResult,
            FirstContactBatchResult, FirstContactResult, PenetrationBatchResult, PenetrationResult,
            RayCastBatchResult, RayCastResult, SatBatchResult, SatResult, SweptCircleBatchResult,
            SweptCircleResult, SweptCollisionBatchResult, SweptCollisionResult,
        },
        queries::{
            boxes::boxes,
            circle_polygon::{circle_polygon, circle_polygon_batch},
            closest_approach::{closest_approach, closest_approach_batch},
            contact_intervals::{ContactIntervals, contact_intervals, contact_intervals_batch},
            convex_hull::convex_hull,
            convex_parts::convex_parts,
            distance::{distance, distance_batch},
            intersects::{intersects, intersects_batch},
            joins::{candidate_pairs, colliding_pairs, iter_colliding_pairs},
            locate::locate,
            nearest::{_nearest_with_ties, Neighbors, nearest},
            overlap_area::{overlap_area, overlap_area_batch},
            penetration::{penetration, penetration_batch},
            place::place,
            predicate_batch::predicate_batch,
            ray_cast::ray_cast,
            sat::{sat, sat_batch},
            swept_circle::{swept_circle, swept_circle_batch},
            swept_collision::{swept_collision, swept_collision_batch},
        },
        shapes::Shapes,
        trajectory::{
            arc::{Arcs, arc},
            clearance::clearance,
            encounters::encounters,
            first_contact::first_contact,
            found_encounters::Encounters,
            trajectories::Trajectories,
        },
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
            super::input::errors::warn::<PyRuntimeWarning>(module.py(), &warning)?;
        }
        let [vertex, edge] = super::output::result_methods::FEATURES;
        module.add("FEATURES", (vertex, edge))?;
        let kinds = crate::shape::ShapeKind::ALL.map(crate::shape::ShapeKind::name);
        module.add("KINDS", PyTuple::new(module.py(), kinds)?)?;
        module.add("INSTRUCTIONS", instructions)?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
