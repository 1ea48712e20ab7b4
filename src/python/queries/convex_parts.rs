//! `convex_parts`.

use pyo3::prelude::*;

use crate::batch::{ColumnBuilder, Validation};
use crate::python::input::input_error;
use crate::python::input::{errors, keywords};
use crate::python::scalar_call::{self, Cost};
use crate::python::shapes::Shapes;
use crate::shape::{self, Rings};

const ONE_AT_A_TIME: &str = "convex_parts takes one polygon at a time";

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
#[pyfunction(
    signature = (polygon, *, check = None, on_invalid = None),
    text_signature = "(polygon)"
)]
pub(crate) fn convex_parts(
    polygon: &Bound<'_, PyAny>,
    check: Option<&Bound<'_, PyAny>>,
    on_invalid: Option<&Bound<'_, PyAny>>,
) -> PyResult<Shapes> {
    let others = [("check", check), ("on_invalid", on_invalid)];
    keywords::refuse("convex_parts", &others)?;
    let (kind, radius, parts) =
        scalar_call::polygon(polygon, ONE_AT_A_TIME, Cost::Whole(1), |polygon| {
            let parts = shape::convex_parts(polygon);
            (polygon.kind(), polygon.radius(), parts)
        })?;
    if !kind.is_polygonal() {
        let kind = kind.name();
        return Err(input_error::type_error(
            "polygon",
            format!("expected a polygon, got a {kind}, which has no interior"),
        ));
    }
    let parts = parts.ok_or_else(|| errors::internal("no triangulation"))?;
    let mut column = ColumnBuilder::default();
    for part in &parts {
        let part = Rings::from(part.as_slice());
        column.push_shape(Some(part.with_radius(radius)));
    }
    let crs = polygon.cast::<Shapes>().ok();
    let crs = crs.and_then(|it| it.get().0.crs().cloned());
    let parts = column.build().with_crs(crs);
    Shapes::examined("polygon", polygon.py(), parts, Validation::Trust).map(Shapes)
}
