//! `clearance`.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::batch::Clearance;
use crate::python::docstrings::trajectory_arguments;
use crate::python::input::trajectory_arguments::Operands;
use crate::python::output::results::ClearanceBatchResult;

/// How near footprints come to obstacles on each of many trajectories, and when.
///
/// The least distance over the whole trajectory, in continuous time: footprints and obstacles move and
/// turn between poses as in `first_contact`, and nothing is sampled. It is 0 exactly where the footprint
/// touches an obstacle.
///
#[doc = trajectory_arguments!(
    "",
    "an invalid footprint or pose: raise at the first, or give them the
    step and obstacle -1 and the distance and time NaN",
    "ClearanceBatchResult
    For each trajectory `distance`, `step`, `time`, `obstacle`, `closest_a` and `closest_b`, and `part` and `at` as
    in `first_contact`. Where it
    meets an obstacle they are 0, those of the first contact, and NaN; without obstacles, inf, -1, inf, -1
    and NaN. Of equal distances one is told, always the same. The points are in world coordinates at that
    time.",
    ""
)]
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
/// >>> passing.closest_b - passing.closest_a
/// array([[0., 1.]])
#[pyfunction(
    signature = (*operands, **keywords),
    text_signature = "(footprints, poses=None, obstacles=None, *, obstacle_velocity=None, obstacle_poses=None, fields=None, out=None, threads=None, check=True, on_invalid='raise')"
)]
pub(crate) fn clearance<'py>(
    operands: &Bound<'py, PyTuple>,
    keywords: Option<&Bound<'py, PyDict>>,
) -> PyResult<ClearanceBatchResult> {
    Operands::read("clearance", operands, keywords)?
        .answer::<Clearance>("clearance")
        .map(ClearanceBatchResult)
}
