//! `place`.

use pyo3::prelude::*;

use crate::batch::queries::place::place as put;
use crate::geom::Point;
use crate::python::buffer::{Claims, HeldMut};
use crate::python::input::batch_operand::vectors;
use crate::python::input::expected_argument::{Argument, ItemShape};
use crate::python::input::input_error;
use crate::python::input::vector_arguments::points;
use crate::python::shapes::Shapes;
use crate::python::{
    input::{keywords, numpy_arrays},
    interruptible,
};

const ONE_RING: &str = "place takes one ring; of a polygon with holes, place each";

const ONE_ROW: &str = "expected an array of numbers of shape (V, 2), got a row of a column; place its \
                       `coords`, and make a column of what place returns, by with_radius with its radius";

/// The vertices of a footprint at given poses.
///
/// The footprint is rotated about the origin, then translated. The same pose gives the same
/// vertices on every processor.
///
/// Parameters
/// ----------
/// shape : array_like, shape (V, 2)
///     The vertices at the pose ``(0, 0, 0)``, in any unit of length.
/// poses : array_like, shape (..., 3)
///     Each ``x, y, heading``: the position of the origin, in the same unit, and the angle from the
///     x axis towards the y axis, in radians.
///
/// Returns
/// -------
/// ndarray of float, shape (..., V, 2)
///     The vertices at each pose.
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
/// sat_batch : takes what this returns.
///
/// Examples
/// --------
/// >>> import carom
/// >>> car = [(-2.5, -1), (2.5, -1), (2.5, 1), (-2.5, 1)]
/// >>> carom.place(car, (10, 20, 0))
/// array([[ 7.5, 19. ],
///        [12.5, 19. ],
///        [12.5, 21. ],
///        [ 7.5, 21. ]])
/// >>> carom.place(car, [(10, 20, 0), (0, 0, 3.14)]).shape
/// (2, 4, 2)
#[pyfunction(
    signature = (shape, poses, *, angle = None, heading = None, check = None),
    text_signature = "(shape, poses)"
)]
pub(crate) fn place<'py>(
    shape: &Bound<'py, PyAny>,
    poses: &Bound<'py, PyAny>,
    angle: Option<&Bound<'py, PyAny>>,
    heading: Option<&Bound<'py, PyAny>>,
    check: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let others = [("angle", angle), ("heading", heading), ("check", check)];
    keywords::refuse("place", &others)?;
    let py = shape.py();
    if let Ok(column) = shape.cast::<Shapes>()
        && column.get().0.len() == 1
    {
        return Err(input_error::type_error("shape", ONE_ROW));
    }
    let argument = Argument::one("shape", ItemShape::Points("V")).advising(ONE_RING);
    let shape = points(shape, argument)?;
    let mut claims = Claims::default();
    let argument = Argument::many("poses", ItemShape::Vector(3));
    let poses = vectors(argument, poses, &mut claims)?;
    let leading = poses.named().1.to_vec();
    let axes = [leading.as_slice(), &[shape.len(), 2]].concat();
    let placed = numpy_arrays::zeros(py, &axes, "float64")?;
    let work = interruptible::work(axes.iter().product(), 1);
    let poses = poses.source(&leading, None);
    let target: HeldMut<Point> = claims.write(&placed)?;
    interruptible::run(
        py,
        (shape, poses, target),
        work,
        None,
        |(shape, poses, target), threads, control| {
            put(shape, poses, target.as_mut(), threads, control)
        },
    )??;
    Ok(placed)
}
