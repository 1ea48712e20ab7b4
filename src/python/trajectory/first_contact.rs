//! `first_contact`.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::batch::FirstContact;
use crate::python::docstrings::trajectory_arguments;
use crate::python::input::trajectory_arguments::Operands;
use crate::python::output::results::FirstContactBatchResult;

/// The first obstacle that a footprint touches on each of many trajectories, and when.
///
/// During step k the footprint of pose k moves to the position of pose k + 1 and turns about its own by
/// the difference of the headings, ``math.remainder(h[k + 1] - h[k], math.tau)``, both uniformly in time;
/// the obstacles move by their velocities, or likewise between poses of their own. Step k + 1 starts with
/// the footprint placed at pose k + 1; there is no motion after the last pose. `Trajectories` may also go along
/// arcs, and be absent at some poses. Contacts within a step are
/// exact: nothing is sampled, touching counts, and the differences of positions and velocities are
/// not rounded.
///
#[doc = trajectory_arguments!(
    "margin : float or array_like, shape (M,) or (K, 1) or (K, M), default 0
    A distance, finite and 0 or more: a footprint touches an obstacle when it is no farther away. An array
    has one for each obstacle, for each trajectory, or for each pair of them.
",
    "an invalid footprint, pose or margin: raise at the first, or give
    them the step and obstacle -1 and the time NaN (an obstacle with an invalid margin is masked itself)",
    "FirstContactBatchResult
    For each trajectory `hit`, `step`, `time`, `obstacle`, `normal` and `contact`; ``step + time`` is the time
    since the first pose, in steps. Of trajectories with groups there is a row for each group, and `part` is the
    row of the column; of those with times, `at` is the time of the contact. Of obstacles that are touched at the same time, one is told, always
    the same. Normal and contact are in world coordinates at that time. A contact exactly at pose
    k + 1 is at step k and time 1, or at step k + 1 and time 0.",
    "if a margin is negative, NaN or infinite; "
)]
///
/// See Also
/// --------
/// place : the vertices of a footprint at poses.
/// swept_collision_batch : one step of known pairs.
///
/// Notes
/// -----
/// Obstacles near the swept bounding box are found in a packed R-tree, and tested as by
/// `swept_collision`. A trajectory ends at its first contact. Boxes of obstacles with poses are made for all of
/// them; of `Trajectories` they are kept.
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
/// >>> result.hit, result.step, result.time
/// (array([False,  True]), array([-1,  1]), array([inf, 0.2]))
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
/// It passes one car at a distance of 1, but comes too near to another, from which it has to keep 2:
///
/// >>> cars = [*parked, [(10, 6), (14, 6), (14, 8), (10, 8)]]
/// >>> near = carom.first_contact(car, [swerving], cars, margin=(0.5, 2))
/// >>> near.hit, near.obstacle
/// (array([ True]), array([1]))
///
/// If the parked car drives away, they touch at the end of that step:
///
/// >>> carom.first_contact(car, [straight], parked, obstacle_velocity=(4, 0)).time
/// array([1.])
#[pyfunction(
    signature = (*operands, **keywords),
    text_signature = "(footprints, poses=None, obstacles=None, *, obstacle_velocity=None, obstacle_poses=None, margin=0.0, fields=None, out=None, threads=None, check=True, on_invalid='raise')"
)]
pub(crate) fn first_contact<'py>(
    operands: &Bound<'py, PyTuple>,
    keywords: Option<&Bound<'py, PyDict>>,
) -> PyResult<FirstContactBatchResult> {
    Operands::read("first_contact", operands, keywords)?
        .answer::<FirstContact>("first_contact")
        .map(FirstContactBatchResult)
}
