//! `distance` and `distance_batch`.

use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::batch::queries::shape_queries;
use crate::python::batch_call::Batch;
use crate::python::docstrings::{batch_end, batch_polygons, scalar_polygons, scalar_raises};
use crate::python::input::keywords;
use crate::python::output::results::{DistanceBatchResult, DistanceResult};
use crate::python::scalar_call::{self, Cost};
use crate::shape::{self, Distance};

/// The distance of two shapes, and their nearest points.
///
/// The distance is 0 exactly when they intersect, touching included. They may be concave and have
/// holes.
///
#[doc = scalar_polygons!()]
///
/// Returns
/// -------
/// DistanceResult
///     With the attributes `distance`, in the unit of the coordinates, and the nearest points
///     `closest_a` and `closest_b`, NaN when the shapes intersect. It is true then. A distance above
///     the largest float is ``inf``.
///
#[doc = scalar_raises!()]
///
/// See Also
/// --------
/// distance_batch : the same for many pairs at once.
/// sat : the translation that separates convex shapes.
///
/// Notes
/// -----
/// The least distance of disjoint shapes without a radius is that of a vertex from an edge.
///
/// Examples
/// --------
/// >>> import carom
/// >>> square = [(0, 0), (1, 0), (1, 1), (0, 1)]
/// >>> triangle = [(4, 5), (6, 5), (6, 7)]
/// >>> result = carom.distance(square, triangle)
/// >>> result.distance, result.closest_a, result.closest_b
/// (5.0, array([1., 1.]), array([4., 5.]))
///
/// Shapes that touch have no nearest points:
///
/// >>> result = carom.distance(square, [(1, 1), (2, 1), (2, 2)])
/// >>> bool(result), result.distance, result.closest_a
/// (True, 0.0, array([nan, nan]))
#[pyfunction(signature = (a, b, *, margin = None, max_distance = None, velocity = None), text_signature = "(a, b)")]
pub(crate) fn distance(
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    margin: Option<&Bound<'_, PyAny>>,
    max_distance: Option<&Bound<'_, PyAny>>,
    velocity: Option<&Bound<'_, PyAny>>,
) -> PyResult<DistanceResult> {
    let others = [
        ("margin", margin),
        ("max_distance", max_distance),
        ("velocity", velocity),
    ];
    keywords::refuse("distance", &others)?;
    scalar_call::polygons([a, b], Cost::Search, |a, b| Ok(shape::distance(a, b)))
        .map(DistanceResult::from)
}

/// `distance` for many pairs of shapes at once.
///
/// Each row has the result of `distance`, bit for bit.
///
#[doc = batch_polygons!()]
#[doc = batch_end!("DistanceBatchResult", "The fields of `distance`, each an array over the rows.", "distance : one pair.")]
///
/// Examples
/// --------
/// >>> import carom
/// >>> square = [(0, 0), (1, 0), (1, 1), (0, 1)]
/// >>> poses = [(0.5, 0, 0), (1, 0, 0), (1.5, 0, 0)]
/// >>> carom.distance_batch(square, carom.place(square, poses)).distance
/// array([0. , 0. , 0.5])
#[pyfunction(
    signature = (a, b, **keywords),
    text_signature = "(a, b, *, pairs=None, fields=None, out=None, threads=None, check=True, on_invalid='raise')"
)]
pub(crate) fn distance_batch<'py>(
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    keywords: Option<&Bound<'py, PyDict>>,
) -> PyResult<DistanceBatchResult> {
    Batch::new::<Distance>(a.py(), "distance_batch", keywords)?
        .polygons([a, b], shape_queries::DistanceQuery)
        .map(DistanceBatchResult)
}
