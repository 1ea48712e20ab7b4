//! `sat` and `sat_batch`.

use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::batch::queries::shape_queries::SatQuery;
use crate::geom::Vec2;
use crate::python::batch_call::Batch;
use crate::python::docstrings::{batch_end, batch_margin, scalar_margin, scalar_raises};
use crate::python::output::results::{SatBatchResult, SatResult};
use crate::python::{input::keywords, scalar_call};
use crate::shape::{self, Sat};

/// Whether two convex shapes intersect, and the shortest translation that separates them.
///
/// Touching counts as intersecting. The yes or no is exact, without a tolerance; see
/// `SatResult` for the fields.
///
/// Parameters
/// ----------
/// a, b : array_like of shape (V, 2) and (W, 2), or Shapely geometries, or rows of `Shapes`
///     The shapes: convex polygons as vertices in either winding, in any unit of length, closing
///     vertices repeated or not; points, segments and shapes with a radius as geometries of Shapely
///     or as a column of one row.
#[doc = scalar_margin!()]
///
/// Returns
/// -------
/// SatResult
///     With the attributes `intersects`, `depth`, `mtv`, `normal`, `separation` and `contact`.
///     It is true when the shapes intersect.
///
#[doc = scalar_raises!("if a shape is not convex, by more than rounding, or has holes;")]
///
/// See Also
/// --------
/// sat_batch : the same for many pairs at once.
/// penetration : the shortest translation of any polygons, concave ones and with holes too.
/// intersects : the yes or no alone, for any shapes.
/// convex_parts : convex polygons that tile a concave one.
///
/// Notes
/// -----
/// Separating axis theorem: convex polygons are disjoint exactly when their projections onto the
/// normal of some edge are. ``a + mtv`` touches b. A ring that is convex except for rounding is
/// replaced by its convex hull.
///
/// Examples
/// --------
/// >>> import carom
/// >>> square = [(0, 0), (2, 0), (2, 2), (0, 2)]
/// >>> result = carom.sat(square, [(1.5, 0), (3, 0), (3, 2), (1.5, 2)])
/// >>> result.depth, result.mtv
/// (0.5, array([-0.5,  0. ]))
///
/// Squares that share an edge intersect, with depth 0:
///
/// >>> touching = carom.sat(square, [(2, 0), (3, 0), (3, 2), (2, 2)])
/// >>> bool(touching), touching.depth
/// (True, 0.0)
#[pyfunction(
    signature = (a, b, *, margin = None, distance = None, velocity = None),
    text_signature = "(a, b, *, margin=0.0)"
)]
pub(crate) fn sat(
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    margin: Option<&Bound<'_, PyAny>>,
    distance: Option<&Bound<'_, PyAny>>,
    velocity: Option<&Bound<'_, PyAny>>,
) -> PyResult<SatResult> {
    keywords::refuse("sat", &[("distance", distance), ("velocity", velocity)])?;
    let margin = scalar_call::margin(margin)?;
    scalar_call::lazily([a, b], Vec2::ZERO, margin, shape::sat)
}

/// `sat` for many pairs of convex shapes at once.
///
/// Each row has the result of `sat`, bit for bit.
///
/// Parameters
/// ----------
/// a, b : array_like, shape (..., V, 2) and (..., W, 2), or `Shapes`, or list, or GeoSeries
///     The shapes. Leading dimensions broadcast; a column or a list has one.
#[doc = batch_margin!()]
#[doc = batch_end!("SatBatchResult", "The fields of `sat`, each an array over the rows.", "sat : one pair.")]
///
/// Examples
/// --------
/// >>> import carom
/// >>> square = [(0, 0), (1, 0), (1, 1), (0, 1)]
/// >>> poses = [(0.5, 0, 0), (1, 0, 0), (1.5, 0, 0)]
/// >>> result = carom.sat_batch(square, carom.place(square, poses))
/// >>> result.intersects
/// array([ True,  True, False])
/// >>> result.depth
/// array([0.5, 0. , 0. ])
#[pyfunction(
    signature = (a, b, **keywords),
    text_signature = "(a, b, *, margin=0.0, pairs=None, fields=None, out=None, threads=None, check=True, on_invalid='raise')"
)]
pub(crate) fn sat_batch<'py>(
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    keywords: Option<&Bound<'py, PyDict>>,
) -> PyResult<SatBatchResult> {
    let batch = Batch::new::<Sat>(a.py(), "sat_batch", keywords)?;
    batch.polygons([a, b], SatQuery).map(SatBatchResult)
}
