//! `penetration` and `penetration_batch`.

use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::batch::TileQuery;
use crate::batch::queries::shape_queries::PenetrationQuery;
use crate::python::batch_call::Batch;
use crate::python::docstrings::{
    batch_end, batch_margin, batch_polygons, scalar_margin, scalar_polygons, scalar_raises,
};
use crate::python::input::keywords::Keywords;
use crate::python::output::results::{PenetrationBatchResult, PenetrationResult};
use crate::python::scalar_call::{self, Cost};
use crate::shape::{self, Penetration};

/// How deeply two shapes overlap, and the shortest translation that separates them.
///
/// Polygons may be concave, have holes and consist of several parts. The translation may lead outside, into a
/// notch or into a hole of the other polygon, one that the first polygon fits exactly included. With a direction,
/// only translations along it are considered. Shapes that only touch overlap with depth 0; whether interiors are disjoint
/// is decided exactly, without a tolerance.
///
#[doc = scalar_polygons!()]
///     Paths, points, and shapes with a radius are taken if both shapes are convex, as by `sat`.
/// direction : array_like, shape (2,), optional
///     The direction of the translation, finite and not zero; its length plays no part. By default the
///     shortest translation of all directions is returned.
#[doc = scalar_margin!()]
///     Both shapes must be convex if it is not 0.
///
/// Returns
/// -------
/// PenetrationResult
///     With the attributes `intersects`, `depth` and `mtv`, in the unit of the coordinates, and `normal`.
///     It is true when the shapes intersect.
///
#[doc = scalar_raises!(
    "if the direction is NaN, infinite or zero; if a shape is a path or a point, or there is a radius or a"
    "margin, and not both shapes are convex;"
)]
///
/// See Also
/// --------
/// penetration_batch : the same for many pairs at once.
/// sat : convex shapes alone, with their contact.
/// intersects : the yes or no alone, for any shapes.
///
/// Notes
/// -----
/// Both polygons are cut into convex pieces. Interiors meet at the translations of an open set, the union of
/// the Minkowski differences of these pieces, and `mtv` is the point nearest to the origin outside of it. That
/// point is on an edge of the reduced convolution of the polygons [1]_. Edges are visited by their distance from
/// the origin [2]_, and whether a point of an edge is outside the union is decided exactly. Of several shortest translations, one is
/// returned. The `mtv` is rounded: a peg that fits its hole exactly has no room for that, so that the
/// translated peg may overlap by some units in the last place. Without a direction, convex shapes that meet have
/// the result of `sat`, bit for bit. A ring that is convex but for rounding is replaced by its hull, as in `sat`;
/// whether the shapes intersect, whether the depth is 0, and everything along a direction without a radius or
/// margin, is decided by the ring as given.
///
/// References
/// ----------
/// .. [1] E. Behar and J.-M. Lien, "Fast and robust 2D Minkowski sum using reduced convolution",
///    International Conference on Intelligent Robots and Systems, 2011.
/// .. [2] R. Wein, "Exact and efficient construction of planar Minkowski sums using the convolution
///    method", European Symposium on Algorithms, 2006.
///
/// Examples
/// --------
/// Two angle brackets, hooked into each other. They come apart by half a unit, but not upwards:
///
/// >>> import carom
/// >>> bracket = [(0, 0), (3, 0), (3, 1), (1, 1), (1, 3), (0, 3)]
/// >>> hook = [(3.25, 3.5), (0.25, 3.5), (0.25, 2.5), (2.25, 2.5), (2.25, 0.5), (3.25, 0.5)]
/// >>> result = carom.penetration(bracket, hook)
/// >>> result.depth, result.mtv
/// (0.5, array([ 0. , -0.5]))
/// >>> carom.penetration(bracket, hook, direction=(0, 1)).mtv
/// array([0. , 3.5])
///
/// Shapes that only touch have depth 0:
///
/// >>> touching = carom.penetration(bracket, [(1, 1), (3, 1), (3, 2), (2, 2), (2, 3), (1, 3)])
/// >>> bool(touching), touching.depth
/// (True, 0.0)
#[pyfunction(
    signature = (a, b, *, direction = None, margin = None, **others),
    text_signature = "(a, b, *, direction=None, margin=0.0)"
)]
pub(crate) fn penetration(
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    direction: Option<&Bound<'_, PyAny>>,
    margin: Option<&Bound<'_, PyAny>>,
    others: Option<&Bound<'_, PyDict>>,
) -> PyResult<PenetrationResult> {
    Keywords::of("penetration", others)?;
    let direction = scalar_call::direction(direction)?;
    let margin = scalar_call::margin(margin)?;
    scalar_call::polygons([a, b], Cost::Whole(PenetrationQuery::COST), move |a, b| {
        shape::penetration(a, b, direction, margin)
    })
    .map(PenetrationResult::from)
}

/// `penetration` for many pairs of shapes at once.
///
/// Each row has the result of `penetration`, bit for bit.
///
#[doc = batch_polygons!()]
///     Paths, points, and shapes with a radius are taken if both shapes of the row are convex.
/// direction : array_like, shape (..., 2), optional
///     The directions of the translations, finite and not zero. Leading dimensions broadcast, with `pairs`
///     to (K,).
#[doc = batch_margin!()]
#[doc = batch_end!(
    "PenetrationBatchResult",
    "The fields of `penetration`, each an array over the rows.",
    "penetration : one pair.";
    "if a direction is NaN, infinite or zero; if a shape is a path or a point, or there is a radius or a";
    "margin, and not both shapes of the row are convex;"
)]
///
/// Examples
/// --------
/// >>> import carom
/// >>> comb = [(0, 0), (7, 0), (7, 4), (6, 4), (6, 1), (4, 1), (4, 4), (3, 4), (3, 1), (1, 1), (1, 4), (0, 4)]
/// >>> key = [(0, 0), (1, 0), (1, 2), (2, 2), (2, 3), (0, 3)]
/// >>> poses = [(1.75, 1, 0), (4.75, 1.5, 0), (8, 0, 0)]
/// >>> result = carom.penetration_batch(carom.place(key, poses), comb)
/// >>> result.depth
/// array([0.75, 0.5 , 0.  ])
/// >>> carom.penetration_batch(carom.place(key, poses), comb, direction=(0, 1)).depth
/// array([1. , 0.5, 0. ])
#[pyfunction(
    signature = (a, b, **keywords),
    text_signature = "(a, b, *, direction=None, margin=0.0, pairs=None, fields=None, out=None, threads=None, check=True, on_invalid='raise')"
)]
pub(crate) fn penetration_batch<'py>(
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    keywords: Option<&Bound<'py, PyDict>>,
) -> PyResult<PenetrationBatchResult> {
    Batch::new::<Penetration>(a.py(), "penetration_batch", keywords)?
        .polygons([a, b], PenetrationQuery)
        .map(PenetrationBatchResult)
}
