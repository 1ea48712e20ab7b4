//! `convex_parts` and `convex_hull`.

use numpy::{PyArray1, PyArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::batch::{ArgumentRow, ColumnBuilder, InvalidRow, Validation};
use crate::error::{InvalidRing, InvalidShape};
use crate::geom::Point;
use crate::python::argument::{Argument, ItemShape};
use crate::python::errors;
use crate::python::shapes::Shapes;
use crate::python::vectors::points as read_points;
use crate::python::{interruptible, scalar_call};
use crate::shape::{self, Rings};

const ONE_AT_A_TIME: &str = "convex_parts takes one polygon at a time";

const ONLY_POINTS: &str = "convex_hull takes points: of a polygon those of its shell, of a column \
                           column.coords";

/// Convex polygons that tile a polygon.
///
/// No vertex is moved or added: the vertices of the parts are those of the polygon. The parts are
/// exactly convex, cover the polygon and don't overlap.
///
/// Parameters
/// ----------
/// polygon : array_like of shape (V, 2), or sequence of such rings, or shapely.Polygon or MultiPolygon
///     The polygon: vertices in either winding, or a shell and its holes; or several polygons.
///
/// Returns
/// -------
/// Shapes
///     The parts, counterclockwise and without collinear vertices, those of several polygons one after
///     the other. At most four times as many as the fewest there could be; a convex polygon is its own
///     only part. They have the radius of the polygon, so that the union of the parts is the rounded
///     polygon.
///
/// Raises
/// ------
/// ValueError
///     If the polygon is not valid; the message says what is wrong and where.
/// TypeError
///     If it does not consist of numbers, or is a point or a path.
///
/// See Also
/// --------
/// sat : requires convex polygons.
/// convex_hull : the smallest convex polygon that contains points.
///
/// Notes
/// -----
/// The polygon is triangulated by ear clipping, in exact arithmetic where floats fail. Diagonals
/// that are not needed for convexity are removed [1]_.
///
/// References
/// ----------
/// .. [1] S. Hertel and K. Mehlhorn, "Fast triangulation of simple polygons", 1983.
///
/// Examples
/// --------
/// >>> import carom
/// >>> corner = [(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)]
/// >>> parts = carom.convex_parts(corner)
/// >>> len(parts), parts.is_convex.all()
/// (2, np.True_)
///
/// `sat_batch` takes the parts, which are convex:
///
/// >>> square = [(0.5, 0.5), (3, 0.5), (3, 3), (0.5, 3)]
/// >>> carom.sat_batch(parts, square).intersects
/// array([ True,  True])
#[pyfunction]
pub(crate) fn convex_parts(polygon: &Bound<'_, PyAny>) -> PyResult<Shapes> {
    let (kind, radius, parts) = scalar_call::polygon(polygon, ONE_AT_A_TIME, |polygon| {
        let parts = shape::convex_parts(polygon);
        (polygon.kind(), polygon.radius(), parts)
    })?;
    if !kind.is_polygonal() {
        let kind = kind.name();
        return Err(PyTypeError::new_err(format!(
            "polygon: expected a polygon, got a {kind}, which has no interior"
        )));
    }
    let parts = parts.ok_or_else(|| errors::internal("no triangulation"))?;
    let mut column = ColumnBuilder::default();
    for part in &parts {
        let part = Rings::from(part.as_slice());
        column.push_shape(Some(part.with_radius(radius)));
    }
    Shapes::examined("polygon", polygon.py(), column.build(), Validation::Trust).map(Shapes)
}

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
    let infinite = points.iter().position(|point| !point.is_finite());
    if let Some(vertex) = infinite {
        let value = points[vertex];
        let why = InvalidRing::NotFinite { vertex, value };
        let why = InvalidShape::Ring { ring: 0, why };
        return Err(InvalidRow::Shape(ArgumentRow::whole("points"), why).into());
    }
    let work = interruptible::work(points.len(), 1);
    if interruptible::is_long(work) {
        errors::memory(4 * size_of_val(&*points))?;
    }
    let hull = interruptible::run(py, points, work, Some(1), |points, _, _| {
        shape::convex_hull(points)
    })?;
    if hull.len() < 3 {
        return Err(PyValueError::new_err(
            "points: all points lie on one line: the hull has no area",
        ));
    }
    let coordinates: Vec<f64> = hull.iter().flat_map(|&Point { x, y }| [x, y]).collect();
    let hull = PyArray1::from_vec(py, coordinates).reshape([hull.len(), 2])?;
    Ok(hull.into_any())
}
