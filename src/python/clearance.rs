//! `clearance`.

use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::batch::{Clearance, ClearanceBatch};
use crate::python::batch_call::Batch;
use crate::python::results::ClearanceBatchResult;
use crate::python::trajectories::Given;

/// How near footprints come to obstacles on each of many trajectories, and when.
///
/// The least distance over the whole trajectory, in continuous time: footprints and obstacles move and
/// turn between poses as in `first_contact`, and nothing is sampled. It is 0 exactly where the footprint
/// touches an obstacle.
///
/// Parameters
/// ----------
/// footprints : array_like of shape (V, 2), or Shapes, or list of shapes
///     The footprint at the pose ``(0, 0, 0)``, or one for each trajectory. A column or a list of
///     one serves all. In a list, a footprint with holes is a list of rings.
/// poses : array_like, shape (K, T, 3)
///     For each of K trajectories T poses ``x, y, heading``, as `place` takes them.
/// obstacles : Shapes, or list of shapes, or array_like of shape (M, W, 2)
///     The obstacles at the time of the first pose. Missing rows are left out.
/// velocity : array_like, shape (2,) or (M, 2), optional
///     The displacement of the obstacles per step; 0 by default.
/// obstacle_poses : array_like, shape (M, T, 3), optional
///     For each obstacle T poses ``x, y, heading``, instead of `velocity`: an obstacle is then a footprint
///     at the pose ``(0, 0, 0)``.
/// fields : tuple of str, optional
///     The wanted fields; all, by default. The others are None.
/// out : batch result or dict of arrays, optional
///     Arrays to write the fields to: an earlier result, or a dict by field.
/// threads : int, optional
///     How many threads to use; all cores, by default. The results don't depend on it.
/// check : bool, default True
///     False skips the validation of poses and placed footprints that are known to be valid.
/// on_invalid : {'raise', 'mask'}, default 'raise'
///     What to do about trajectories with an invalid pose: raise at the first, or give them the step and
///     obstacle -1 and the distance and time NaN, with False in ``valid``. Masked obstacles count as
///     missing, with False in ``valid_obstacles``.
///
/// Returns
/// -------
/// ClearanceBatchResult
///     For each trajectory `distance`, `step`, `time` and `obstacle`. Where it meets an obstacle they are
///     0 and those of the first contact; without obstacles, inf, -1, inf and -1. Of equal distances one
///     is told, always the same.
///
/// Raises
/// ------
/// ValueError
///     If a shape is not valid, or becomes invalid by rounding at a pose; if a pose or a velocity is NaN or
///     infinite; if there are neither one footprint nor as many as trajectories; if both `velocity` and
///     `obstacle_poses` are given; if footprints and obstacles have different CRS; if an argument has the
///     wrong shape; if a keyword has an invalid value.
/// TypeError
///     If an argument does not consist of numbers, or a keyword is unknown or of the wrong type.
///
/// See Also
/// --------
/// first_contact : the first obstacle that is touched, also within a margin.
/// closest_approach : one step of one pair.
///
/// Notes
/// -----
/// Obstacles are visited nearest first, by the boxes that they sweep; those farther away than the least
/// distance so far are not looked at.
///
/// Examples
/// --------
/// >>> import carom
/// >>> car = [(-2, -1), (2, -1), (2, 1), (-2, 1)]
/// >>> post = [(5, 2), (6, 2), (6, 3), (5, 3)]
/// >>> passing = carom.clearance(car, [[(0, 0, 0), (10, 0, 0)]], [post])
/// >>> passing.distance, passing.obstacle
/// (array([1.]), array([0]))
#[pyfunction]
#[pyo3(
    signature = (footprints, poses, obstacles, *, velocity = None, obstacle_poses = None, **keywords),
    text_signature = "(footprints, poses, obstacles, *, velocity=None, obstacle_poses=None, fields=None, out=None, threads=None, check=True, on_invalid='raise')"
)]
pub(crate) fn clearance<'py>(
    footprints: &Bound<'py, PyAny>,
    poses: &Bound<'py, PyAny>,
    obstacles: &Bound<'py, PyAny>,
    velocity: Option<&Bound<'py, PyAny>>,
    obstacle_poses: Option<&Bound<'py, PyAny>>,
    keywords: Option<&Bound<'py, PyDict>>,
) -> PyResult<ClearanceBatchResult> {
    let batch = Batch::new::<Clearance>(poses.py(), "clearance", keywords)?;
    let given = Given {
        footprints,
        poses,
        obstacles,
        velocity,
        obstacle_poses,
    };
    given
        .answer(batch, ClearanceBatch)
        .map(ClearanceBatchResult)
}
