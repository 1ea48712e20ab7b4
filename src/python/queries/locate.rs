//! `locate`.

use std::sync::Arc;

use pyo3::prelude::*;

use crate::batch::queries::locate::locate as positions_of;
use crate::batch::{ArgumentRow, Column, ColumnBuilder, Validation};
use crate::python::buffer::{Claims, HeldMut};
use crate::python::input::batch_operand::vectors;
use crate::python::input::expected_argument::{Argument, ItemShape};
use crate::python::input::input_error;
use crate::python::readers::shape_input::{self, Input};
use crate::python::shapes::Shapes;
use crate::python::{
    input::{keywords, numpy_arrays},
    interruptible,
};

const ONE_POLYGON: &str =
    "locate takes one polygon; for points in many see colliding_pairs and Shapes.from_points";

/// Where points lie: inside a polygon, on its boundary, or outside.
///
/// Every answer is exact, for every finite float64.
///
/// Parameters
/// ----------
/// points : array_like, shape (..., 2)
///     The points, in the unit of the polygon.
/// polygon : array_like of shape (V, 2), or sequence of such rings, or shapely.Polygon, or Shapes
///     Vertices in either winding, or a shell and its holes; or a column with one row, which keeps
///     the tree that this searches. Points and paths have no inside, and are their own boundary. All
///     points are outside a row that is missing, and outside an empty geometry or list.
/// threads : int, optional
///     How many threads to use; all cores, by default. The result doesn't depend on it.
///
/// Returns
/// -------
/// ndarray of int8, shape (...), or int
///     -1 outside, 0 on the boundary, 1 inside; of a single point an int. A point in a hole is
///     outside, one on a hole's ring on the boundary.
///
/// Raises
/// ------
/// ValueError
///     If a coordinate is NaN or infinite or one that no float64 holds exactly; if the polygon is not
///     valid, or is a column or an array of several; if an argument has the wrong shape.
/// TypeError
///     If an argument does not consist of numbers, or the polygon is None.
///
/// See Also
/// --------
/// circle_polygon_batch : with radius 0 also the distance from the boundary, and the nearest point.
/// ray_cast : which of many polygons a point lies in, with a direction of zero.
///
/// Notes
/// -----
/// The parity of the edges that cross a ray to the right decides [1]_. Parts of the boundary that
/// lie wholly right of the point are counted by their ends alone, and those wholly left of it not at
/// all, so that the time grows with the logarithm of the number of vertices.
///
/// References
/// ----------
/// .. [1] M. Shimrat, "Algorithm 112: Position of point relative to polygon", 1962.
///
/// Examples
/// --------
/// >>> import carom
/// >>> square = [(0, 0), (1, 0), (1, 1), (0, 1)]
/// >>> carom.locate([(0.5, 0.5), (1, 0.5), (1.0000000000000002, 0.5)], square)
/// array([ 1,  0, -1], dtype=int8)
/// >>> carom.locate((0.5, 0.5), square)
/// 1
#[pyfunction(
    signature = (points, polygon, *, threads = None, margin = None, radius = None, check = None, on_invalid = None),
    text_signature = "(points, polygon, *, threads=None)"
)]
pub(crate) fn locate<'py>(
    points: &Bound<'py, PyAny>,
    polygon: &Bound<'py, PyAny>,
    threads: Option<&Bound<'py, PyAny>>,
    margin: Option<&Bound<'py, PyAny>>,
    radius: Option<&Bound<'py, PyAny>>,
    check: Option<&Bound<'py, PyAny>>,
    on_invalid: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = points.py();
    let others = [
        ("margin", margin),
        ("radius", radius),
        ("check", check),
        ("on_invalid", on_invalid),
    ];
    keywords::refuse("locate", &others)?;
    let threads = threads.map(keywords::threads).transpose()?;
    let mut claims = Claims::default();
    let argument = Argument::many("points", ItemShape::Vector(2));
    let points = vectors(argument, points, &mut claims)?;
    let polygon = one_polygon(polygon)?;
    let shape = points.named().1.to_vec();
    let positions = numpy_arrays::zeros(py, &shape, "int8")?;
    let target: HeldMut<i8> = claims.write(&positions)?;
    // Each point takes logarithmic time, and the first call some 30 ns for each vertex of the polygon.
    let work =
        interruptible::work(shape.iter().product(), 8).saturating_add(polygon.longest() / 64);
    interruptible::run(
        py,
        (points.source(&shape, None), polygon, target),
        work,
        threads,
        |(points, polygon, target), threads, control| {
            positions_of(points, polygon, target.as_mut(), threads, control)
        },
    )??;
    if shape.is_empty() {
        return positions.call_method0("item");
    }
    Ok(positions)
}

fn one_polygon(object: &Bound<'_, PyAny>) -> PyResult<Arc<Column>> {
    let argument = Argument::one("polygon", ItemShape::Ring).advising(ONE_POLYGON);
    if object.is_none() {
        return Err(argument.missing("None"));
    }
    match shape_input::classify(object)? {
        Input::Column(column) if column.has_radii() => Err(input_error::value_error(
            "polygon",
            "expected one without a radius; circle_polygon_batch with a radius of 0 tells \
             which points lie in a rounded shape",
        )),
        Input::Column(column) if column.len() == 1 => Ok(column),
        Input::Column(column) => Err(input_error::value_error(
            "polygon",
            format!(
                "expected a column of one row, got {}; {ONE_POLYGON}",
                column.len()
            ),
        )),
        input => {
            let mut missing = ColumnBuilder::default();
            missing.push([]);
            let row = if shape_input::is_missing(object)? {
                missing.build()
            } else {
                shape_input::polygon(&input, argument)?
            };
            let at = |_| ArgumentRow::whole("polygon");
            Shapes::examined_rows(object.py(), row, Validation::Raise, at)
        }
    }
}
