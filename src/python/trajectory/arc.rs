//! `arc`.

use numpy::{PyUntypedArray, PyUntypedArrayMethods};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict, PyTuple};

use crate::batch::queries::arc::PosePairs;
use crate::geom::Point;
use crate::python::buffer::{Claims, HeldMut};
use crate::python::input::batch_operand::vectors;
use crate::python::input::broadcasting::broadcast;
use crate::python::input::errors::{self, tuple};
use crate::python::input::expected_argument::{Argument, ItemShape};
use crate::python::input::input_error;
use crate::python::output::result_methods::{SHORT, of_other_lengths, values_by_line};
use crate::python::{input::numpy_arrays, interruptible};

/// The turns and the centers of arcs between poses: what `arc` returns.
///
/// Attributes
/// ----------
/// turn : float or ndarray of float64, shape (...)
///     The angle by which the heading turns to the next pose, the short way round, in radians,
///     counterclockwise.
/// center : ndarray of float64, shape (..., 2)
///     The point about which the position turns by that; NaN where the turn is 0, infinite where it
///     overflows.
#[pyclass(frozen, module = "carom")]
pub(crate) struct Arcs {
    /// The angle by which the heading turns to the next pose, the short way round, in radians, counterclockwise.
    #[pyo3(get)]
    turn: Py<PyAny>,
    /// The point about which the position turns by that; NaN where the turn is 0, infinite where it overflows.
    #[pyo3(get)]
    center: Py<PyAny>,
}

#[pymethods]
impl Arcs {
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let (turn, center) = (self.turn.bind(py), self.center.bind(py));
        let Ok(turns) = turn.cast::<PyUntypedArray>() else {
            let center = errors::text(&center.call_method0("tolist")?.repr()?);
            let turn = errors::text(&turn.repr()?);
            return Ok(format!("Arcs(turn={turn}, center={center})"));
        };
        if turns.len() <= SHORT {
            let values = [("turn", turn), ("center", center)];
            return values_by_line("Arcs", values.map(|(name, it)| (name, Ok(it.clone()))));
        }
        let (of_turn, shape) = (tuple(turns.shape()), turns.shape());
        let of_center = tuple(&[shape, &[2]].concat());
        Ok(format!(
            "Arcs(turn=<float64 {of_turn}>, center=<float64 {of_center}>)"
        ))
    }
}

of_other_lengths!(Arcs { turn center }, "any() or all() of the field that you mean");

/// The arcs between successive poses, as a unicycle or a car at constant steering drives them.
///
/// Parameters
/// ----------
/// poses : array_like, shape (..., T, 3), or (..., 3) if `next_pose` is given
///     Each ``x, y, heading``, the heading in radians; one pose at least.
/// next_pose : array_like, shape (..., 3), optional
///     The pose that follows; its dimensions broadcast with those of `poses`, which then are no
///     trajectories.
///
/// Returns
/// -------
/// Arcs
///     `turn` of shape (..., T - 1), ``math.remainder(next_heading - heading, math.tau)``; and
///     `center` of shape (..., T - 1, 2), the point at rest about which that turn takes the one
///     position to the other: within 4 units in the last place of the largest coordinate of the two
///     poses and of itself, NaN where the turn is 0, infinite where it overflows. Of two single poses a
///     float and an array of shape (2,). The same bits on every processor.
///
/// Raises
/// ------
/// ValueError
///     If a number is NaN or infinite or one that no float64 holds exactly, or an argument has the
///     wrong shape.
/// TypeError
///     If an argument does not consist of numbers.
///
/// See Also
/// --------
/// place : footprints at poses.
///
/// Notes
/// -----
/// A point p of the shape is at ``center + R(t * turn) (p - center)`` at time t from 0 to 1, and so the
/// heading is that of the next pose at the end.
///
/// Examples
/// --------
/// A quarter of a circle with radius 5 about (3, 5):
///
/// >>> import carom
/// >>> from math import pi
/// >>> step = carom.arc((3, 0, 0), (8, 5, pi / 2))
/// >>> step.center.round(9).tolist()
/// [3.0, 5.0]
///
/// Without a turn the way is straight, and there is no center:
///
/// >>> steps = carom.arc([(0, 0, 0), (4, 0, 0), (4, 2, pi)])
/// >>> steps.turn.tolist()
/// [0.0, 3.141592653589793]
/// >>> steps.center.tolist()
/// [[nan, nan], [4.0, 1.0]]
#[pyfunction]
#[pyo3(signature = (poses, next_pose = None))]
pub(crate) fn arc(
    poses: &Bound<'_, PyAny>,
    next_pose: Option<&Bound<'_, PyAny>>,
) -> PyResult<Arcs> {
    let (py, mut claims) = (poses.py(), Claims::default());
    let argument = |name| Argument::many(name, ItemShape::Vector(3));
    let poses = vectors(argument("poses"), poses, &mut claims)?;
    let (pairs, leading) = if let Some(next) = next_pose {
        let next = vectors(argument("next_pose"), next, &mut claims)?;
        let leading = broadcast(&[poses.named(), next.named()])?;
        let given = [poses, next].map(|it| it.source(&leading, None));
        (PosePairs::Given(given), leading)
    } else {
        let own = poses.named().1.to_vec();
        let mut leading = own.clone();
        let Some(steps) = leading.last_mut().filter(|count| **count > 0) else {
            let found = tuple(&[own.as_slice(), &[3]].concat());
            let what = if own.is_empty() {
                format!(
                    "expected shape (..., T, 3), got {found}; the next pose is the second argument"
                )
            } else {
                format!("expected one pose at least, got shape {found}")
            };
            return Err(input_error::value_error("poses", what));
        };
        let count = *steps;
        *steps -= 1;
        (
            PosePairs::Successive(poses.source(&own, None), count),
            leading,
        )
    };
    let turn = numpy_arrays::zeros(py, &leading, "float64")?;
    let axes = [leading.as_slice(), &[2]].concat();
    let center = numpy_arrays::zeros(py, &axes, "float64")?;
    let turns: HeldMut<f64> = claims.write(&turn)?;
    let centers: HeldMut<Point> = claims.write(&center)?;
    // A row takes as long as a dozen vertices of other queries.
    let work = interruptible::work(leading.iter().product(), 12);
    let job = (pairs, turns, centers);
    interruptible::run(
        py,
        job,
        work,
        None,
        |(pairs, turns, centers), threads, control| {
            pairs.arcs(turns.as_mut(), centers.as_mut(), threads, control)
        },
    )??;
    let turn = if leading.is_empty() {
        turn.extract::<f64>()?.into_bound_py_any(py)?
    } else {
        turn
    };
    Ok(Arcs {
        turn: turn.unbind(),
        center: center.unbind(),
    })
}
