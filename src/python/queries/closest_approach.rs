//! `closest_approach` and `closest_approach_batch`.

use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::batch::queries::moving_queries::ClosestApproachQuery;
use crate::python::batch_call::Batch;
use crate::python::docstrings::{
    batch_end, batch_polygons, batch_turns, batch_velocities, scalar_polygons, scalar_raises,
    scalar_turns, scalar_velocities,
};
use crate::python::input::keywords::Keywords;
use crate::python::input::{turn_arguments, velocity_arguments};
use crate::python::output::results::{ClosestApproachBatchResult, ClosestApproachResult};
use crate::python::scalar_call;
use crate::shape::{self, ClosestApproach, RelativeMotion};

/// How near a moving shape comes to another within one frame, and when.
///
/// Time runs from 0, now, to 1, the end of the frame. The distance is 0 exactly when the shapes meet at
/// some time, touching included.
///
#[doc = scalar_polygons!()]
#[doc = scalar_velocities!()]
#[doc = scalar_turns!()]
///
/// Returns
/// -------
/// ClosestApproachResult
///     With the attributes `distance`, in the unit of the coordinates, `time`, `closest_a` and
///     `closest_b`. It is true when the shapes meet; then `time` is that of the first contact.
///
#[doc = scalar_raises!(
    "if `velocity` is given together with `velocity_a` or `velocity_b`; if a velocity or a center is NaN or"
    "infinite; if a turn is NaN or beyond 1e6 radians, or lacks"
    "its center;"
)]
///
/// See Also
/// --------
/// closest_approach_batch : the same for many pairs at once.
/// distance : how near they are now.
/// swept_collision : the first contact, with its normal and its points.
/// contact_intervals : all times at which shapes touch.
///
/// Notes
/// -----
/// Shapes that neither turn nor meet are nearest at time 0, at time 1, or where a vertex of one passes a vertex
/// of the other. Of times at which they are equally near, one is returned. The distance of shapes that turn
/// is found by branch and bound over time: within 1e-10 of itself or 8 units in the last place of the largest
/// difference of coordinates, whichever is larger. A point that turns about itself counts as one that does
/// not turn.
///
/// Examples
/// --------
/// >>> import carom
/// >>> square = [(0, 0), (1, 0), (1, 1), (0, 1)]
/// >>> post = [(4, 3), (5, 3), (5, 4), (4, 4)]
/// >>> result = carom.closest_approach(square, post, (6, 0))
/// >>> result.distance, bool(result)
/// (2.0, False)
///
/// Two corners pass each other:
///
/// >>> diamond = [(4, 5), (6, 7), (4, 9), (2, 7)]
/// >>> result = carom.closest_approach([(-1, -1), (0, 0), (-1, 1), (-2, 0)], diamond, (8, 0))
/// >>> result.distance, result.time, result.closest_a, result.closest_b
/// (4.0, 0.625, array([4., 1.]), array([4., 5.]))
///
/// Shapes that meet have no nearest points:
///
/// >>> result = carom.closest_approach(square, post, (8, 8))
/// >>> bool(result), result.distance, result.time, result.closest_a
/// (True, 0.0, 0.375, array([nan, nan]))
#[pyfunction(
    signature = (a, b, velocity = None, *, velocity_a = None, velocity_b = None, turn_a = None, center_a = None, turn_b = None, center_b = None, **others),
    text_signature = "(a, b, velocity=None, *, velocity_a=None, velocity_b=None, turn_a=0.0, center_a=None, turn_b=0.0, center_b=None)"
)]
#[expect(clippy::too_many_arguments, reason = "those of the Python function")]
pub(crate) fn closest_approach(
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    velocity: Option<&Bound<'_, PyAny>>,
    velocity_a: Option<&Bound<'_, PyAny>>,
    velocity_b: Option<&Bound<'_, PyAny>>,
    turn_a: Option<&Bound<'_, PyAny>>,
    center_a: Option<&Bound<'_, PyAny>>,
    turn_b: Option<&Bound<'_, PyAny>>,
    center_b: Option<&Bound<'_, PyAny>>,
    others: Option<&Bound<'_, PyDict>>,
) -> PyResult<ClosestApproachResult> {
    Keywords::of("closest_approach", others)?;
    let velocity = velocity_arguments::scalar([velocity, velocity_a, velocity_b])?;
    let turns = turn_arguments::scalar([[turn_a, center_a], [turn_b, center_b]])?;
    let motion = RelativeMotion {
        turns,
        ..velocity.into()
    };
    scalar_call::polygons([a, b], turn_arguments::cost(turns), move |a, b| {
        Ok(shape::closest_approach(a, b, motion))
    })
    .map(ClosestApproachResult::from)
}

/// `closest_approach` for many pairs of shapes at once.
///
/// Each row has the result of `closest_approach`, bit for bit.
///
#[doc = batch_polygons!()]
#[doc = batch_velocities!()]
#[doc = batch_turns!()]
#[doc = batch_end!("ClosestApproachBatchResult", "The fields of `closest_approach`, each an array over the rows.", "closest_approach : one pair.";
    "if `velocity` is given together with `velocity_a` or `velocity_b`; if a velocity or a center is NaN or";
    "infinite; if a turn is NaN or beyond 1e6 radians, or lacks";
    "its center;")]
///
/// Examples
/// --------
/// >>> import carom
/// >>> square = [(0, 0), (1, 0), (1, 1), (0, 1)]
/// >>> post = [(4, 3), (5, 3), (5, 4), (4, 4)]
/// >>> velocities = [(6, 0), (3, 0), (8, 8)]
/// >>> carom.closest_approach_batch(square, post, velocities).distance
/// array([2., 2., 0.])
#[pyfunction(
    signature = (a, b, velocity = None, **keywords),
    text_signature = "(a, b, velocity=None, *, velocity_a=None, velocity_b=None, turn_a=0.0, center_a=None, turn_b=0.0, center_b=None, pairs=None, fields=None, out=None, threads=None, check=True, on_invalid='raise')"
)]
pub(crate) fn closest_approach_batch<'py>(
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    velocity: Option<&Bound<'py, PyAny>>,
    keywords: Option<&Bound<'py, PyDict>>,
) -> PyResult<ClosestApproachBatchResult> {
    Batch::new::<ClosestApproach>(a.py(), "closest_approach_batch", keywords)?
        .moving(velocity)?
        .polygons([a, b], ClosestApproachQuery)
        .map(ClosestApproachBatchResult)
}
