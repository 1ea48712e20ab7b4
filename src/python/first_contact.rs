//! `first_contact`.

use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::batch::{FirstContact, FirstContactBatch};
use crate::python::batch_call::Batch;
use crate::python::results::FirstContactBatchResult;
use crate::python::trajectories::Given;

/// The first obstacle that a footprint touches on each of many trajectories, and when.
///
/// During step k the footprint of pose k moves in a straight line to the position of pose k + 1,
/// without turning, while the obstacles move by their velocities. Step k + 1 starts with the
/// footprint of pose k + 1; there is no motion after the last pose. Contacts within a step are
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
///     the step and obstacle -1 and the time NaN, with False in ``valid``.
///
/// Returns
/// -------
/// FirstContactBatchResult
///     For each trajectory `step`, `time`, `obstacle`, `normal` and `contact`. Of obstacles that are
///     touched at the same time, the one with the lowest row. The contact is in world coordinates
///     at that time.
///
/// Raises
/// ------
/// ValueError
///     If a shape is not valid, or a footprint becomes invalid by rounding at a pose; if a pose or a velocity is NaN or infinite; if an argument has the wrong shape.
/// TypeError
///     If an argument does not consist of numbers.
///
/// See Also
/// --------
/// place : the vertices of a footprint at poses.
/// swept_collision_batch : one step of known pairs.
///
/// Notes
/// -----
/// Obstacles near the swept bounding box are found in a packed R-tree, and tested as by
/// `swept_collision`. A trajectory ends at its first contact.
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
        .map(FirstContactBatchResult::new)
}
