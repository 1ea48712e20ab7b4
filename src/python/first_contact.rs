//! `first_contact`.

use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::batch::{FirstContact, FirstContactBatch};
use crate::python::batch_call::Batch;
use crate::python::results::FirstContactBatchResult;
use crate::python::trajectories::Given;

/// The first obstacle that a footprint touches on each of many trajectories, and when.
///
/// During step k the footprint of pose k moves to the position of pose k + 1 and turns about its own by
/// the difference of the headings, ``math.remainder(h[k + 1] - h[k], math.tau)``, both uniformly in time;
/// the obstacles move by their velocities, or likewise between poses of their own. Step k + 1 starts with
/// the footprint placed at pose k + 1; there is no motion after the last pose. Contacts within a step are
/// exact: nothing is sampled, touching counts, and the differences of positions and velocities are
/// not rounded.
///
/// Parameters
/// ----------
/// footprints : array_like of shape (V, 2), or Shapes, or list of shapes
///     The footprint at the pose ``(0, 0, 0)``, or one for each trajectory. A column or a list of
///     one serves all. In a list, a footprint with holes is a list of rings.
/// poses : array_like, shape (K, T, 3)
///     For each of K trajectories T poses ``x, y, heading``, as `place` takes them.
/// obstacles : Shapes, or list of shapes, or array_like of shape (M, W, 2)
///     The obstacles at the time of the first pose. Missing rows are never touched.
/// velocity : array_like, shape (2,) or (M, 2), optional
///     The displacement of the obstacles per step; 0 by default.
/// obstacle_poses : array_like, shape (M, T, 3), optional
///     For each obstacle T poses ``x, y, heading``, instead of `velocity`: an obstacle is then a footprint
///     at the pose ``(0, 0, 0)``.
/// margin : float or array_like, shape (K,), default 0
///     A distance, finite and 0 or more: a footprint touches an obstacle when it is no farther away.
/// fields : tuple of str, optional
///     The wanted fields; all, by default. The others are None.
/// out : batch result or dict of arrays, optional
///     Arrays to write the fields to: an earlier result, or a dict by field.
/// threads : int, optional
///     How many threads to use; all cores, by default. The results don't depend on it.
/// check : bool, default True
///     False skips the validation of poses and placed footprints that are known to be valid.
/// on_invalid : {'raise', 'mask'}, default 'raise'
///     What to do about trajectories with an invalid pose or margin: raise at the first, or give them
///     the step and obstacle -1 and the time NaN, with False in ``valid``. Masked obstacles count as
///     missing, with False in ``valid_obstacles``.
///
/// Returns
/// -------
/// FirstContactBatchResult
///     For each trajectory `step`, `time`, `obstacle`, `normal` and `contact`; ``step + time`` is the time
///     since the first pose, in steps. Of obstacles that are touched at the same time, one is told, always
///     the same. Normal and contact are in world coordinates at that time. A contact exactly at pose
///     k + 1 is at step k and time 1, or at step k + 1 and time 0.
///
/// Raises
/// ------
/// ValueError
///     If a shape is not valid, or becomes invalid by rounding at a pose; if a pose or a velocity is NaN or
///     infinite; if a margin is negative, NaN or infinite; if there are neither one footprint nor as many
///     as trajectories; if both `velocity` and `obstacle_poses` are given; if footprints and obstacles have
///     different CRS; if an argument has the wrong shape; if a keyword has an invalid value.
/// TypeError
///     If an argument does not consist of numbers, or a keyword is unknown or of the wrong type.
///
/// See Also
/// --------
/// place : the vertices of a footprint at poses.
/// swept_collision_batch : one step of known pairs.
///
/// Notes
/// -----
/// Obstacles near the swept bounding box are found in a packed R-tree, and tested as by
/// `swept_collision`. A trajectory ends at its first contact. Obstacles with poses are placed at all of
/// them, which takes the memory of M x T shapes.
///
/// Examples
/// --------
/// A car drives past a parked one, or into it:
///
/// >>> import carom
/// >>> car = [(-2, -1), (2, -1), (2, 1), (-2, 1)]
/// >>> parked = [[(10, -1), (14, -1), (14, 1), (10, 1)]]
/// >>> swerving = [(0, 0, 0), (6, 3, 0), (16, 3, 0), (22, 0, 0)]
/// >>> straight = [(0, 0, 0), (6, 0, 0), (16, 0, 0), (22, 0, 0)]
/// >>> result = carom.first_contact(car, [swerving, straight], parked)
/// >>> result.step, result.time
/// (array([-1,  1]), array([inf, 0.2]))
/// >>> result[1].normal
/// array([-1.,  0.])
///
/// A trailer that turns about its axle hits a post beside it with its rear:
///
/// >>> trailer = [(-4, -1), (12, -1), (12, 1), (-4, 1)]
/// >>> post = [(-3.1, -1.6), (-2.9, -1.6), (-2.9, -1.4), (-3.1, -1.4)]
/// >>> turning = carom.first_contact(trailer, [[(0, 0, 0), (0, 0, 0.3)]], [post])
/// >>> turning.step, turning.time.round(3)
/// (array([0]), array([0.419]))
///
/// If the parked car drives away, they touch at the end of that step:
///
/// >>> carom.first_contact(car, [straight], parked, velocity=(4, 0)).time
/// array([1.])
#[pyfunction]
#[pyo3(
    signature = (footprints, poses, obstacles, *, velocity = None, obstacle_poses = None, **keywords),
    text_signature = "(footprints, poses, obstacles, *, velocity=None, obstacle_poses=None, margin=0.0, fields=None, out=None, threads=None, check=True, on_invalid='raise')"
)]
pub(crate) fn first_contact<'py>(
    footprints: &Bound<'py, PyAny>,
    poses: &Bound<'py, PyAny>,
    obstacles: &Bound<'py, PyAny>,
    velocity: Option<&Bound<'py, PyAny>>,
    obstacle_poses: Option<&Bound<'py, PyAny>>,
    keywords: Option<&Bound<'py, PyDict>>,
) -> PyResult<FirstContactBatchResult> {
    let batch = Batch::new::<FirstContact>(poses.py(), "first_contact", keywords)?;
    let given = Given {
        footprints,
        poses,
        obstacles,
        velocity,
        obstacle_poses,
    };
    given
        .answer(batch, FirstContactBatch)
        .map(FirstContactBatchResult)
}
