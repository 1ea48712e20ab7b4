//! `overlap_area` and `overlap_area_batch`.

use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::batch::OverlapArea;
use crate::python::batch_call::Batch;
use crate::python::docstrings::{batch_end, batch_polygons, scalar_polygons, scalar_raises};
use crate::python::input::keywords::Keywords;
use crate::python::scalar_call::{self, Cost};
use crate::shape::{self, Concave};

/// The area that two shapes have in common.
///
/// They may be concave, have holes and consist of several parts. The area is 0 exactly when the interiors are
/// disjoint, so for shapes that only touch, and for paths and points.
///
#[doc = scalar_polygons!()]
///
/// Returns
/// -------
/// float
///     The area, in the square of the coordinates' unit, within a relative error of 1e-10. Below 2.3e-308 it is
///     rounded to a float, but never to 0.
///     An area above the largest float is ``inf``.
///
#[doc = scalar_raises!("if a shape has a radius;")]
///
/// See Also
/// --------
/// overlap_area_batch : the same for many pairs at once.
/// intersects : the yes or no alone, touching included.
/// penetration : how far one must move to leave the other.
///
/// Notes
/// -----
/// The common region is bounded by the pieces of either boundary inside the other shape, and by those that both
/// boundaries share in the same direction. Exact orientation tests tell which pieces these are. Each end of a piece
/// adds a term to the area, where edges cross a quotient. The sum is evaluated in floats with a bound on the error,
/// and where that is too large with numbers of more bits.
///
/// Examples
/// --------
/// >>> import carom
/// >>> square = [(0, 0), (2, 0), (2, 2), (0, 2)]
/// >>> carom.overlap_area(square, [(1, 1), (3, 1), (3, 3), (1, 3)])
/// 1.0
///
/// Squares that share an edge only touch:
///
/// >>> carom.overlap_area(square, [(2, 0), (4, 0), (4, 2), (2, 2)])
/// 0.0
#[pyfunction(signature = (a, b, **others), text_signature = "(a, b)")]
pub(crate) fn overlap_area(
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    others: Option<&Bound<'_, PyDict>>,
) -> PyResult<f64> {
    Keywords::of("overlap_area", others)?;
    scalar_call::polygons([a, b], Cost::Whole(2), |a, b| {
        for (operand, shape) in [a, b].into_iter().enumerate() {
            shape::check_without_radius(shape).map_err(|why| Concave { operand, why })?;
        }
        Ok(shape::overlap_area(a, b))
    })
}

/// `overlap_area` for many pairs of shapes at once.
///
/// Each row has the result of `overlap_area`, bit for bit.
///
#[doc = batch_polygons!()]
#[doc = batch_end!("ndarray of float", "The areas, over the rows.", "overlap_area : one pair."; "if a shape has a radius;")]
///
/// Examples
/// --------
/// >>> import carom
/// >>> square = [(0, 0), (1, 0), (1, 1), (0, 1)]
/// >>> poses = [(0.5, 0.5, 0), (1, 0, 0), (1.5, 0, 0)]
/// >>> carom.overlap_area_batch(square, carom.place(square, poses))
/// array([0.25, 0.  , 0.  ])
#[pyfunction(
    signature = (a, b, **keywords),
    text_signature = "(a, b, *, pairs=None, fields=None, out=None, threads=None, check=True, on_invalid='raise')"
)]
pub(crate) fn overlap_area_batch<'py>(
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    keywords: Option<&Bound<'py, PyDict>>,
) -> PyResult<Option<Py<PyAny>>> {
    Batch::new::<OverlapArea>(a.py(), "overlap_area_batch", keywords)?.one_by_one(
        [a, b],
        shape::check_without_radius,
        |a, b| OverlapArea(shape::overlap_area(a, b)),
    )
}
