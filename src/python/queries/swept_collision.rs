//! `swept_collision` and `swept_collision_batch`.

use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::batch::queries::moving_queries::SweptCollisionQuery;
use crate::batch::{FieldSet, LazyResult, SweptCollisionWithMtv};
use crate::python::batch_call::Batch;
use crate::python::docstrings::{
    batch_end, batch_margin, batch_polygons, batch_turns, batch_velocities, scalar_margin,
    scalar_polygons, scalar_raises, scalar_turns, scalar_velocities,
};
use crate::python::input::{keywords, turn_arguments, velocity_arguments};
use crate::python::output::results::{SweptCollisionBatchResult, SweptCollisionResult};
use crate::python::scalar_call;
use crate::shape::RelativeMotion;

/// Whether, when and where a moving shape meets another within one frame.
///
/// Time runs from 0, now, to 1, the end of the frame. Touching counts, also at time 1 exactly, and
/// a shape that passes right through another is caught: nothing is sampled. Polygons may be
/// concave and have holes, and the shapes of any kind.
///
#[doc = scalar_polygons!()]
#[doc = scalar_velocities!()]
#[doc = scalar_turns!()]
#[doc = scalar_margin!()]
///
/// Returns
/// -------
/// SweptCollisionResult
///     With the attributes `intersects`, `will_intersect`, `time`, `normal`, `contact` and `mtv`.
///     It is true when the shapes meet.
///
#[doc = scalar_raises!(
    "if `velocity` is given together with `velocity_a` or `velocity_b`; if a velocity or a center is NaN or"
    "infinite; if a turn is NaN or beyond 1e6 radians, or lacks"
    "its center; if the margin is negative, NaN or infinite;"
)]
///
/// See Also
/// --------
/// swept_collision_batch : the same for many pairs at once.
///
/// Notes
/// -----
/// Convex polygons: along every edge normal, the projections overlap during an interval of time; the
/// polygons meet when all intervals have a time in common. Others first meet where a vertex of one
/// reaches an edge of the other. Times are compared exactly, as fractions. `mtv` is NaN unless both
/// shapes are convex. `normal` and `contact` are in the coordinates of b, which stands still.
///
/// With a turn, the time is the first at which a vertex of one shape reaches an edge of the other, a root that is
/// enclosed with as many digits as it takes to tell it from a near miss. `normal` and `contact` are those
/// at that time, when b has turned, too. `mtv` is NaN.
///
/// Examples
/// --------
/// >>> import carom
/// >>> square = [(0, 0), (1, 0), (1, 1), (0, 1)]
/// >>> wall = [(3, -5), (3.5, -5), (3.5, 5), (3, 5)]
/// >>> result = carom.swept_collision(square, wall, (8, 0))
/// >>> result.intersects, result.will_intersect, result.time
/// (False, True, 0.25)
///
/// Contact at the end of the frame counts:
///
/// >>> carom.swept_collision(square, wall, (2, 0)).time
/// 1.0
///
/// A bracket, open to the left, stops the square at its back:
///
/// >>> bracket = [(3, -1), (8, -1), (8, 2), (3, 2), (3, 1.5), (7, 1.5), (7, -0.5), (3, -0.5)]
/// >>> result = carom.swept_collision(square, bracket, (8, 0))
/// >>> result.time, result.normal
/// (0.75, array([-1.,  0.]))
///
/// A door turns half way round its hinge, and meets a cupboard after half of that:
///
/// >>> import math
/// >>> door, cupboard = [(0, -0.1), (2, -0.1), (2, 0), (0, 0)], [(-1, 1), (0, 1), (0, 2), (-1, 2)]
/// >>> turn = {"turn_a": math.pi, "center_a": (0, 0)}
/// >>> result = carom.swept_collision(door, cupboard, (0, 0), **turn)
/// >>> round(result.time, 12), result.contact.round(12).tolist()
/// (0.5, [[0.0, 1.0], [0.0, 2.0]])
#[pyfunction(
    signature = (a, b, velocity = None, *, velocity_a = None, velocity_b = None, turn_a = None, center_a = None, turn_b = None, center_b = None, margin = None, distance = None),
    text_signature = "(a, b, velocity=None, *, velocity_a=None, velocity_b=None, turn_a=0.0, center_a=None, turn_b=0.0, center_b=None, margin=0.0)"
)]
#[expect(
    clippy::too_many_arguments,
    reason = "a dict of keywords takes a fifth of the call"
)]
pub(crate) fn swept_collision(
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    velocity: Option<&Bound<'_, PyAny>>,
    velocity_a: Option<&Bound<'_, PyAny>>,
    velocity_b: Option<&Bound<'_, PyAny>>,
    turn_a: Option<&Bound<'_, PyAny>>,
    center_a: Option<&Bound<'_, PyAny>>,
    turn_b: Option<&Bound<'_, PyAny>>,
    center_b: Option<&Bound<'_, PyAny>>,
    margin: Option<&Bound<'_, PyAny>>,
    distance: Option<&Bound<'_, PyAny>>,
) -> PyResult<SweptCollisionResult> {
    keywords::refuse("swept_collision", &[("distance", distance)])?;
    let velocity = velocity_arguments::scalar([velocity, velocity_a, velocity_b])?;
    let margin = scalar_call::margin(margin)?;
    let turns = turn_arguments::scalar([[turn_a, center_a], [turn_b, center_b]])?;
    if let (None, Some(velocity)) = (turns, velocity.vector()) {
        return scalar_call::lazily([a, b], velocity, margin, move |a, b, margin| {
            Ok(SweptCollisionWithMtv::lazy(a, b, velocity, margin))
        });
    }
    let motion = RelativeMotion {
        turns,
        ..velocity.into()
    };
    scalar_call::polygons([a, b], turn_arguments::cost(turns), move |a, b| {
        Ok(SweptCollisionWithMtv::of_fields(
            [a, b],
            motion,
            margin,
            FieldSet::ALL,
        ))
    })
    .map(|whole| LazyResult::from(whole).into())
}

/// `swept_collision` for many pairs of shapes at once.
///
/// Each row has the result of `swept_collision`, bit for bit.
///
#[doc = batch_polygons!()]
#[doc = batch_velocities!()]
#[doc = batch_turns!()]
#[doc = batch_margin!()]
#[doc = batch_end!("SweptCollisionBatchResult", "The fields of `swept_collision`, each an array over the rows.", "swept_collision : one pair.";
    "if `velocity` is given together with `velocity_a` or `velocity_b`; if a velocity or a center is NaN or";
    "infinite; if a turn is NaN or beyond 1e6 radians, or lacks";
    "its center; if a margin is negative, NaN or infinite;")]
///
/// Examples
/// --------
/// >>> import carom
/// >>> square = [(0, 0), (1, 0), (1, 1), (0, 1)]
/// >>> wall = [(3, -5), (3.5, -5), (3.5, 5), (3, 5)]
/// >>> velocities = [(8, 0), (2, 0), (1, 0)]
/// >>> carom.swept_collision_batch(square, wall, velocities, fields=("time",)).time
/// array([0.25, 1.  ,  inf])
#[pyfunction(
    signature = (a, b, velocity = None, **keywords),
    text_signature = "(a, b, velocity=None, *, velocity_a=None, velocity_b=None, turn_a=0.0, center_a=None, turn_b=0.0, center_b=None, margin=0.0, pairs=None, fields=None, out=None, threads=None, check=True, on_invalid='raise')"
)]
pub(crate) fn swept_collision_batch<'py>(
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    velocity: Option<&Bound<'py, PyAny>>,
    keywords: Option<&Bound<'py, PyDict>>,
) -> PyResult<SweptCollisionBatchResult> {
    Batch::new::<SweptCollisionWithMtv>(a.py(), "swept_collision_batch", keywords)?
        .moving(velocity)?
        .polygons([a, b], SweptCollisionQuery)
        .map(SweptCollisionBatchResult)
}
