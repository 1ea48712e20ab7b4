//! `swept_circle` and `swept_circle_batch`.

use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::batch::queries::circle_queries::SweptCircleQuery;
use crate::python::batch_call::Batch;
use crate::python::docstrings::{
    batch_end, batch_margin, batch_polygon, scalar_margin, scalar_polygon, scalar_raises,
};
use crate::python::input::expected_argument::TWIN;
use crate::python::input::{input_error, keywords, velocity_arguments};
use crate::python::output::results::{SweptCircleBatchResult, SweptCircleResult};
use crate::python::scalar_call::{self, Cost};
use crate::shape::{self, SweptCircle};

/// Whether, when and where a moving circle meets a polygon or another shape within one frame.
///
/// Time runs from 0, now, to 1, the end of the frame. Touching counts, also at time 1 exactly.
/// With a radius of 0 this is a moving point, or a ray. The polygon may be concave and have holes, and the shape of any kind.
///
/// Parameters
/// ----------
/// center : array_like, shape (2,)
///     Center of the circle now.
/// radius : float
///     Its radius, 0 or more, in the unit of the coordinates.
/// velocity : array_like, shape (2,), optional
///     The displacement of the circle relative to the polygon over the frame.
#[doc = scalar_polygon!()]
/// velocity_a, velocity_b : array_like, shape (2,), optional
///     In the place of `velocity`, the displacements of the circle and of the polygon; one that is not
///     given is zero. Their difference is not rounded. `polygon` is then given by its name.
#[doc = scalar_margin!()]
///
/// Returns
/// -------
/// SweptCircleResult
///     With the attributes `intersects`, `will_intersect`, `time`, `normal` and `contact`. It is
///     true when circle and polygon meet.
///
#[doc = scalar_raises!(
    "if the center, the radius or a velocity is NaN or infinite, or the radius negative; if `velocity` is"
    "given together with `velocity_a` or `velocity_b`;"
)]
///
/// See Also
/// --------
/// swept_circle_batch : the same for many at once.
/// circle_polygon : a circle at rest.
///
/// Notes
/// -----
/// The center's path is intersected with the polygon grown by the radius: its edges moved outward,
/// and a circle about each vertex.
///
/// Examples
/// --------
/// >>> import carom
/// >>> square = [(0, 0), (2, 0), (2, 2), (0, 2)]
/// >>> result = carom.swept_circle((-3, 1), 1, (4, 0), square)
/// >>> result.time, result.normal
/// (0.5, array([-1.,  0.]))
///
/// A pass at a distance of exactly the radius touches:
///
/// >>> bool(carom.swept_circle((-3, 3), 1, (8, 0), square))
/// True
#[pyfunction(
    signature = (center, radius, velocity = None, polygon = None, *, velocity_a = None, velocity_b = None, margin = None, distance = None),
    text_signature = "(center, radius, velocity=None, polygon=None, *, velocity_a=None, velocity_b=None, margin=0.0)"
)]
#[expect(clippy::too_many_arguments, reason = "those of the Python function")]
pub(crate) fn swept_circle(
    center: &Bound<'_, PyAny>,
    radius: &Bound<'_, PyAny>,
    velocity: Option<&Bound<'_, PyAny>>,
    polygon: Option<&Bound<'_, PyAny>>,
    velocity_a: Option<&Bound<'_, PyAny>>,
    velocity_b: Option<&Bound<'_, PyAny>>,
    margin: Option<&Bound<'_, PyAny>>,
    distance: Option<&Bound<'_, PyAny>>,
) -> PyResult<SweptCircleResult> {
    keywords::refuse("swept_circle", &[("distance", distance)])?;
    let margin = scalar_call::margin(margin)?;
    let circle = scalar_call::circle(center, radius)?;
    let polygon = required_polygon(polygon)?;
    let velocity = velocity_arguments::scalar([velocity, velocity_a, velocity_b])?;
    scalar_call::polygon(polygon, TWIN, Cost::Search, move |polygon| {
        shape::swept_circle(circle, velocity, polygon, margin)
    })
    .map(SweptCircleResult::from)
}

/// `swept_circle` for many circles and shapes at once.
///
/// Each row has the result of `swept_circle`, bit for bit.
///
/// Parameters
/// ----------
/// center : array_like, shape (..., 2)
///     Centers of the circles now. Leading dimensions broadcast.
/// radius : array_like, shape (...)
///     Their radii, 0 or more.
/// velocity : array_like, shape (..., 2), optional
///     The displacements of the circles relative to the shapes. With `pairs`, they broadcast to (K,).
#[doc = batch_polygon!()]
/// velocity_a, velocity_b : array_like, shape (..., 2), optional
///     In the place of `velocity`, the displacements of the circles and of the shapes; those that are not
///     given are zero. Their differences are not rounded. `polygon` is then given by its name.
#[doc = batch_margin!()]
#[doc = batch_end!("SweptCircleBatchResult", "The fields of `swept_circle`, each an array over the rows.", "swept_circle : one circle.")]
///
/// Examples
/// --------
/// >>> import carom
/// >>> square = [(0, 0), (2, 0), (2, 2), (0, 2)]
/// >>> carom.swept_circle_batch((-3, 1), [0.5, 1, 2], (4, 0), square).time
/// array([0.625, 0.5  , 0.25 ])
#[pyfunction(
    signature = (center, radius, velocity = None, polygon = None, **keywords),
    text_signature = "(center, radius, velocity=None, polygon=None, *, velocity_a=None, velocity_b=None, margin=0.0, pairs=None, fields=None, out=None, threads=None, check=True, on_invalid='raise')"
)]
pub(crate) fn swept_circle_batch<'py>(
    center: &Bound<'py, PyAny>,
    radius: &Bound<'py, PyAny>,
    velocity: Option<&Bound<'py, PyAny>>,
    polygon: Option<&Bound<'py, PyAny>>,
    keywords: Option<&Bound<'py, PyDict>>,
) -> PyResult<SweptCircleBatchResult> {
    Batch::new::<SweptCircle>(center.py(), "swept_circle_batch", keywords)?
        .moving(velocity)?
        .circles(
            [center, radius],
            required_polygon(polygon)?,
            SweptCircleQuery,
        )
        .map(SweptCircleBatchResult)
}

/// The polygon, which comes after the velocity: where velocities are given by name, it has to be, too.
fn required_polygon<'a, 'py>(
    polygon: Option<&'a Bound<'py, PyAny>>,
) -> PyResult<&'a Bound<'py, PyAny>> {
    polygon.ok_or_else(|| {
        let missing = "the shape is missing (None); with velocity_a and velocity_b it is given by name: \
                       polygon=...";
        input_error::type_error("polygon", missing)
    })
}
