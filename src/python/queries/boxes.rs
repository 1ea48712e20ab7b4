//! `boxes`.

use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::batch::Shared;
use crate::batch::queries::boxes::{BoxReference, Boxes};
use crate::geom::Point;
use crate::python::buffer::{Claims, HeldMut};
use crate::python::input::batch_operand::{Operand, vectors};
use crate::python::input::broadcasting::broadcast;
use crate::python::input::expected_argument::{Argument, ItemShape};
use crate::python::input::input_error;
use crate::python::{input::numpy_arrays, interruptible};

const REFERENCES: &str = "'center', 'front', 'rear' or numbers";

/// Rectangles as footprints of vehicles, heading along +x.
///
/// Parameters
/// ----------
/// length : float or array_like, shape (...)
///     The sizes along x, more than 0, in any unit of length.
/// width : float or array_like, shape (...)
///     The sizes along y, more than 0. The dimensions of all arguments broadcast.
/// reference : {'center', 'front', 'rear'} or float or array_like, shape (...), default 'center'
///     Which point is the origin, which `place` puts at a pose: the center, the middle of the front or
///     of the rear edge, or the point of the center line that lies so far in front of the rear edge.
///     For poses of a rear axle that is the vehicle's rear overhang.
///
/// Returns
/// -------
/// ndarray of float, shape (..., 4, 2)
///     The corners, counterclockwise from the rear right one; of shape (4, 2) if all arguments are
///     numbers.
///
/// Raises
/// ------
/// ValueError
///     If a length or a width is not finite or not more than 0; if a reference is NaN or infinite, or
///     another string; if the dimensions don't broadcast; or if a reference is so large that the
///     rounded corners enclose no area.
/// TypeError
///     If an argument does not consist of numbers.
///
/// See Also
/// --------
/// place : puts them at poses.
///
/// Examples
/// --------
/// >>> import carom
/// >>> carom.boxes(4, 2)
/// array([[-2., -1.],
///        [ 2., -1.],
///        [ 2.,  1.],
///        [-2.,  1.]])
///
/// Poses of the rear axle, one metre in front of the rear edge; three metres behind the bumper:
///
/// >>> carom.boxes(4, 2, reference=1)
/// array([[-1., -1.],
///        [ 3., -1.],
///        [ 3.,  1.],
///        [-1.,  1.]])
///
/// A car and a lorry that touch bumper to bumper:
///
/// >>> car, lorry = carom.boxes([4.5, 16.5], [1.8, 2.5], reference="front")
/// >>> carom.sat(carom.place(car, (0, 0, 0)), carom.place(lorry, (-4.5, 0, 0))).depth
/// 0.0
#[pyfunction]
#[pyo3(
    signature = (length, width, *, reference = None),
    text_signature = "(length, width, *, reference='center')"
)]
pub(crate) fn boxes<'py>(
    length: &Bound<'py, PyAny>,
    width: &Bound<'py, PyAny>,
    reference: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let (py, mut claims) = (length.py(), Claims::default());
    let mut numbers =
        |name, object| vectors(Argument::many(name, ItemShape::Number), object, &mut claims);
    let (length, width) = (numbers("length", length)?, numbers("width", width)?);
    let reference = match reference {
        None => Reference::Named(BoxReference::Center),
        Some(given) => match given.cast::<PyString>() {
            Ok(name) => Reference::Named(named(&name.to_cow()?)?),
            Err(_) => Reference::Numbers(numbers("reference", given)?),
        },
    };
    let mut all = vec![length.named(), width.named()];
    if let Reference::Numbers(numbers) = &reference {
        all.push(numbers.named());
    }
    let leading = broadcast(&all)?;
    let reference = match reference {
        Reference::Named(reference) => reference,
        Reference::Numbers(numbers) => BoxReference::InFrontOfRear(numbers.source(&leading, None)),
    };
    let [length, width] = [length, width].map(|sizes| sizes.source(&leading, None));
    let boxes = Boxes {
        length,
        width,
        reference,
    };
    let axes = [leading.as_slice(), &[4, 2]].concat();
    let corners = numpy_arrays::zeros(py, &axes, "float64")?;
    let work = interruptible::work(leading.iter().product(), 1);
    let target: HeldMut<Point> = claims.write(&corners)?;
    let job = (boxes, target);
    interruptible::run(py, job, work, Some(1), |(boxes, target), _, control| {
        boxes.corners(target.as_mut(), control)
    })??;
    Ok(corners)
}

/// The argument `reference`, before its dimensions are known.
enum Reference {
    Named(BoxReference),
    Numbers(Operand<Shared<f64>>),
}

fn named(name: &str) -> PyResult<BoxReference> {
    match name {
        "center" => Ok(BoxReference::Center),
        "front" => Ok(BoxReference::Front),
        "rear" => Ok(BoxReference::Rear),
        other => Err(input_error::value_error(
            "reference",
            format!("expected {REFERENCES}, got '{other}'"),
        )),
    }
}
