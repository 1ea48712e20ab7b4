//! `place`.

use std::sync::Arc;

use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;

use crate::batch::queries::place::Footprints;
use crate::batch::trajectory::place_column;
use crate::batch::{Column, Shared};
use crate::geom::Point;
use crate::python::buffer::{Claims, HeldMut};
use crate::python::input::batch_operand::{Operand, dense, vectors};
use crate::python::input::broadcasting::{broadcast, no_broadcast};
use crate::python::input::errors::{self, tuple};
use crate::python::input::expected_argument::{Argument, ItemShape};
use crate::python::input::input_error;
use crate::python::shapes::Shapes;
use crate::python::{
    input::{keywords, numpy_arrays},
    interruptible,
};

const ONE_RING: &str = "footprints have the same number of vertices: make a column of others, or of polygons with \
                        holes, by carom.Shapes";

/// Footprints at given poses.
///
/// Each is rotated about the origin, then translated. The same pose gives the same vertices on every
/// processor.
///
/// Parameters
/// ----------
/// shapes : array_like, shape (..., V, 2), or Shapes
///     The vertices at the pose ``(0, 0, 0)``, in any unit of length: of one footprint, or of several,
///     whose leading dimensions broadcast with those of `poses`. Or a column of any shapes; one row
///     stands for all.
/// poses : array_like, shape (..., 3)
///     Each ``x, y, heading``: the position of the origin, in the same unit, and the angle from the
///     x axis towards the y axis, in radians. For a column (N, 3), or one pose for all rows.
///
/// Returns
/// -------
/// ndarray of float, shape (..., V, 2), or Shapes
///     The vertices at each pose. Of a column a column with a row for each pose: the kinds, holes,
///     radii and the CRS are kept, and missing rows stay missing.
///
/// Raises
/// ------
/// ValueError
///     If a number is NaN or infinite or one that no float64 holds exactly; if an argument has the
///     wrong shape, or their leading dimensions don't broadcast; or if a row of a column is not valid
///     as its coordinates are rounded at the pose.
/// TypeError
///     If an argument does not consist of numbers.
///
/// See Also
/// --------
/// boxes : footprints of vehicles.
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
///
/// Two footprints of their own, each at three poses; the last two touch each other:
///
/// >>> cars = carom.boxes([5, 4], 2)
/// >>> placed = carom.place(cars[:, None], [[(0, 0, 0), (1, 0, 0), (2, 0, 0)], [(9, 0, 0), (8, 0, 0), (6.5, 0, 0)]])
/// >>> placed.shape
/// (2, 3, 4, 2)
/// >>> carom.intersects_batch(*placed)
/// array([False, False,  True])
#[pyfunction(
    signature = (shapes, poses, *, angle = None, heading = None, check = None),
    text_signature = "(shapes, poses)"
)]
pub(crate) fn place<'py>(
    shapes: &Bound<'py, PyAny>,
    poses: &Bound<'py, PyAny>,
    angle: Option<&Bound<'py, PyAny>>,
    heading: Option<&Bound<'py, PyAny>>,
    check: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let others = [("angle", angle), ("heading", heading), ("check", check)];
    keywords::refuse("place", &others)?;
    let (py, mut claims) = (shapes.py(), Claims::default());
    let argument = Argument::many("poses", ItemShape::Vector(3));
    if let Ok(column) = shapes.cast::<Shapes>() {
        let poses = vectors(argument, poses, &mut claims)?;
        return column_at(py, Arc::clone(&column.get().0), poses)?.into_bound_py_any(py);
    }
    let mut vertices = 0;
    let wrap = |points, length| {
        vertices = length;
        points
    };
    let of_shapes = Argument::many("shapes", ItemShape::Points("V")).advising(ONE_RING);
    let footprints = dense(of_shapes, shapes, &mut claims, wrap)?;
    let poses = vectors(argument, poses, &mut claims)?;
    let leading = broadcast(&[footprints.named(), poses.named()])?;
    let axes = [leading.as_slice(), &[vertices, 2]].concat();
    let placed = numpy_arrays::zeros(py, &axes, "float64")?;
    let work = interruptible::work(axes.iter().product(), 1);
    let rows = footprints.source(&leading, None);
    let footprints = Footprints { rows, vertices };
    let poses = poses.source(&leading, None);
    let target: HeldMut<Point> = claims.write(&placed)?;
    interruptible::run(
        py,
        (footprints, poses, target),
        work,
        None,
        |(footprints, poses, target), threads, control| {
            footprints.place(poses, target.as_mut(), threads, control)
        },
    )??;
    Ok(placed)
}

/// The shapes of a column at poses, one each.
fn column_at(
    py: Python<'_>,
    column: Arc<Column>,
    poses: Operand<Shared<[f64; 3]>>,
) -> PyResult<Shapes> {
    let (rows, (_, leading)) = (column.len(), poses.named());
    let count = match *leading {
        [count] if count == rows || rows == 1 => count,
        [] | [1] => rows,
        [_] => return Err(no_broadcast(&[("shapes", &[rows]), poses.named()])),
        _ => {
            let found = tuple(&[leading, &[3]].concat());
            let what = format!("expected shape (N, 3) for a column, got {found}");
            return Err(input_error::value_error("poses", what));
        }
    };
    column.compact_selection()?;
    // Selected and moved vertices, and what is known of each row.
    let of_one = column.nbytes() / rows.max(1) + 128;
    errors::memory(count.saturating_mul(2 * of_one))?;
    let work = interruptible::work(count, column.longest());
    let job = (column, poses.source(&[count], None));
    let placed = interruptible::run(py, job, work, None, move |job, threads, control| {
        place_column(&job.0, &job.1, count, threads, control)
    })??;
    Ok(Shapes(Arc::new(placed)))
}
