//! `circle_polygon` and `circle_polygon_batch`.

use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::batch::QueryResult;
use crate::batch::queries::circle_queries::{CircleIntersectsQuery, CirclePolygonQuery};
use crate::python::batch_call::Batch;
use crate::python::docstrings::{batch_end, batch_polygon, scalar_polygon, scalar_raises};
use crate::python::input::expected_argument::TWIN;
use crate::python::input::keywords;
use crate::python::output::results::{CirclePolygonBatchResult, CirclePolygonResult};
use crate::python::scalar_call::{self, Cost};
use crate::shape::{self, CirclePolygon};

/// Whether a circle and a polygon or another shape intersect, how deep, and the nearest point.
///
/// The polygon may be concave and have holes, and the shape of any kind. Touching counts as intersecting. The yes or no is
/// exact, without a tolerance.
///
/// Parameters
/// ----------
/// center : array_like, shape (2,)
///     Center of the circle.
/// radius : float
///     Its radius, 0 or more, in the unit of the coordinates; 0 makes it a point.
#[doc = scalar_polygon!()]
///
/// Returns
/// -------
/// CirclePolygonResult
///     With the attributes `intersects`, `depth`, `mtv`, `normal`, `closest`, `feature`, `index`
///     and `distance`. It is true when circle and shape intersect.
///
#[doc = scalar_raises!("if the center or the radius is NaN or infinite, or the radius negative;")]
///
/// See Also
/// --------
/// circle_polygon_batch : the same for many at once.
/// swept_circle : a circle that moves.
///
/// Notes
/// -----
/// The nearest point of the boundary lies on an edge or is a vertex. Which one, and the comparison
/// of its distance with the radius, are decided exactly. For a convex polygon `mtv` is the shortest
/// translation that separates the two; in a notch or a hole it leads out over the nearest feature.
///
/// Examples
/// --------
/// >>> import carom
/// >>> square = [(0, 0), (2, 0), (2, 2), (0, 2)]
/// >>> result = carom.circle_polygon((3, 1), 1.5, square)
/// >>> result.depth, result.closest, result.feature, result.index
/// (0.5, array([2., 1.]), 'edge', 1)
///
/// A circle that touches a corner intersects:
///
/// >>> result = carom.circle_polygon((5, 6), 5, square)
/// >>> bool(result), result.depth, result.feature, result.index
/// (True, 0.0, 'vertex', 2)
#[pyfunction(
    signature = (center, radius, polygon, *, margin = None, velocity = None),
    text_signature = "(center, radius, polygon)"
)]
pub(crate) fn circle_polygon(
    center: &Bound<'_, PyAny>,
    radius: &Bound<'_, PyAny>,
    polygon: &Bound<'_, PyAny>,
    margin: Option<&Bound<'_, PyAny>>,
    velocity: Option<&Bound<'_, PyAny>>,
) -> PyResult<CirclePolygonResult> {
    keywords::refuse(
        "circle_polygon",
        &[("margin", margin), ("velocity", velocity)],
    )?;
    let circle = scalar_call::circle(center, radius)?;
    scalar_call::polygon(polygon, TWIN, Cost::Search, move |polygon| {
        shape::circle_polygon(circle, polygon)
    })
    .map(CirclePolygonResult::from)
}

/// `circle_polygon` for many circles and shapes at once.
///
/// Each row has the result of `circle_polygon`, bit for bit.
///
/// Parameters
/// ----------
/// center : array_like, shape (..., 2)
///     Centers of the circles. Leading dimensions broadcast.
/// radius : array_like, shape (...)
///     Their radii, 0 or more.
#[doc = batch_polygon!()]
#[doc = batch_end!("CirclePolygonBatchResult", "The fields of `circle_polygon`, each an array over the rows; `FEATURES` names those of `feature`.", "circle_polygon : one circle.")]
///
/// Examples
/// --------
/// >>> import carom
/// >>> square = [(0, 0), (2, 0), (2, 2), (0, 2)]
/// >>> result = carom.circle_polygon_batch([(3, 1), (5, 6)], [1.5, 5], square)
/// >>> result.depth
/// array([0.5, 0. ])
/// >>> [carom.FEATURES[feature] for feature in result.feature]
/// ['edge', 'vertex']
#[pyfunction(
    signature = (center, radius, polygon, **keywords),
    text_signature = "(center, radius, polygon, *, pairs=None, fields=None, out=None, threads=None, check=True, on_invalid='raise')"
)]
pub(crate) fn circle_polygon_batch<'py>(
    center: &Bound<'py, PyAny>,
    radius: &Bound<'py, PyAny>,
    polygon: &Bound<'py, PyAny>,
    keywords: Option<&Bound<'py, PyDict>>,
) -> PyResult<CirclePolygonBatchResult> {
    let batch = Batch::new::<CirclePolygon>(center.py(), "circle_polygon_batch", keywords)?;
    let circles = [center, radius];
    let arrays = if batch.fields == [CirclePolygon::TRUTH] {
        batch.circles(circles, polygon, CircleIntersectsQuery)
    } else {
        batch.circles(circles, polygon, CirclePolygonQuery)
    };
    arrays.map(CirclePolygonBatchResult)
}
