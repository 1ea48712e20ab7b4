//! `convex_hull`.

use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;

use crate::batch::{ArgumentRow, InvalidRow};
use crate::geom::Point;
use crate::invalid_shape::InvalidShape;
use crate::python::input::expected_argument::{Argument, ItemShape};
use crate::python::input::input_error;
use crate::python::input::vector_arguments::points as read_points;
use crate::python::{input::errors, interruptible};
use crate::shape;

const ONLY_POINTS: &str = "convex_hull takes points: of a polygon those of its shell, of a column \
                           column.coords";

/// The convex hull of points.
///
/// Parameters
/// ----------
/// points : array_like, shape (N, 2)
///     The points, in any order.
///
/// Returns
/// -------
/// ndarray, shape (H, 2)
///     The vertices of the smallest convex polygon that contains the points: counterclockwise from
///     the leftmost point, the lowest of several. Repeated and collinear points are left out, which
///     is decided exactly.
///
/// Raises
/// ------
/// ValueError
///     If a coordinate is NaN or infinite, or if all points lie on one line.
/// TypeError
///     If the argument does not consist of numbers.
///
/// See Also
/// --------
/// convex_parts : convex polygons that tile a concave one.
///
/// Notes
/// -----
/// The monotone chain algorithm [1]_ with an exact orientation test.
///
/// References
/// ----------
/// .. [1] A. M. Andrew, "Another efficient algorithm for convex hulls in two dimensions", 1979.
///
/// Examples
/// --------
/// >>> import carom
/// >>> carom.convex_hull([(0, 0), (1, 1), (2, 0), (1, 0), (1, 3)])
/// array([[0., 0.],
///        [2., 0.],
///        [1., 3.]])
#[pyfunction]
pub(crate) fn convex_hull<'py>(points: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = points.py();
    let argument = Argument::one("points", ItemShape::Points("N")).advising(ONLY_POINTS);
    let points = read_points(points, argument)?;
    shape::check_finite(&points).map_err(|why| {
        let why = InvalidShape::Ring { ring: 0, why };
        InvalidRow::Shape(ArgumentRow::whole("points"), why)
    })?;
    let work = interruptible::work(points.len(), 1);
    if interruptible::is_long(work) {
        errors::memory(4 * size_of_val(&*points))?;
    }
    let hull = interruptible::run(py, points, work, Some(1), |points, _, _| {
        shape::convex_hull(points)
    })?;
    if hull.len() < 3 {
        return Err(input_error::value_error(
            "points",
            "all points lie on one line: the hull has no area",
        ));
    }
    let coordinates: Vec<f64> = hull.iter().flat_map(|&Point { x, y }| [x, y]).collect();
    let hull = PyArray1::from_vec(py, coordinates).reshape([hull.len(), 2])?;
    Ok(hull.into_any())
}
