//! `intersects` and `intersects_batch`.

use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::batch::queries::shape_queries::{IntersectsQuery, WithinDistanceQuery};
use crate::python::batch_call::Batch;
use crate::python::docstrings::{
    batch_end, batch_margin, batch_polygons, scalar_margin, scalar_polygons, scalar_raises,
};
use crate::python::input::keywords;
use crate::python::scalar_call::{self, Cost};
use crate::python::shapes::Shapes;
use crate::shape;

/// Whether two shapes intersect.
///
/// They may be concave and have holes. Touching counts as intersecting. The answer is exact for
/// every finite input, without a tolerance.
///
#[doc = scalar_polygons!()]
#[doc = scalar_margin!()]
///
/// Returns
/// -------
/// bool
///     True when the shapes have a point in common.
///
#[doc = scalar_raises!()]
///
/// See Also
/// --------
/// intersects_batch : the same for many pairs at once.
/// sat : also the translation that separates them, if they are convex.
///
/// Notes
/// -----
/// Convex polygons: the separating axis theorem. Others: edges that meet, found through an index,
/// or a vertex of one inside the other. Filtered exact predicates decide.
///
/// Examples
/// --------
/// >>> import carom
/// >>> square = [(0, 0), (1, 0), (1, 1), (0, 1)]
/// >>> carom.intersects(square, [(1, 0), (2, 0), (2, 1), (1, 1)])
/// True
///
/// The next float above 1 leaves a gap:
///
/// >>> import math
/// >>> x = math.nextafter(1, 2)
/// >>> carom.intersects(square, [(x, 0), (2, 0), (2, 1), (x, 1)])
/// False
///
/// A polygon inside a hole doesn't intersect:
///
/// >>> frame = [[(-2, -2), (3, -2), (3, 3), (-2, 3)], [(-1, -1), (2, -1), (2, 2), (-1, 2)]]
/// >>> carom.intersects(square, frame)
/// False
#[pyfunction(
    signature = (a, b, *, margin = None, distance = None, predicate = None, velocity = None),
    text_signature = "(a, b, *, margin=0.0)"
)]
pub(crate) fn intersects(
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    margin: Option<&Bound<'_, PyAny>>,
    distance: Option<&Bound<'_, PyAny>>,
    predicate: Option<&Bound<'_, PyAny>>,
    velocity: Option<&Bound<'_, PyAny>>,
) -> PyResult<bool> {
    let others = [
        ("distance", distance),
        ("predicate", predicate),
        ("velocity", velocity),
    ];
    keywords::refuse("intersects", &others)?;
    let margin = scalar_call::margin(margin)?;
    if margin == 0.0
        && let Some(answer) = scalar_call::by_filter([a, b], shape::certainly_intersect)?
    {
        return Ok(answer);
    }
    scalar_call::polygons([a, b], Cost::Search, move |a, b| {
        Ok(shape::is_within(a, b, margin))
    })
}

/// `intersects` for many pairs of shapes at once.
///
/// Each row has the result of `intersects`.
///
#[doc = batch_polygons!()]
#[doc = batch_margin!()]
#[doc = batch_end!("ndarray of bool", "The answers, over the rows.", "intersects : one pair.")]
///
/// Examples
/// --------
/// >>> import carom
/// >>> square = [(0, 0), (1, 0), (1, 1), (0, 1)]
/// >>> poses = [(0.5, 0, 0), (1, 0, 0), (1.5, 0, 0)]
/// >>> carom.intersects_batch(square, carom.place(square, poses))
/// array([ True,  True, False])
#[pyfunction(
    signature = (a, b, **keywords),
    text_signature = "(a, b, *, margin=0.0, pairs=None, fields=None, out=None, threads=None, check=True, on_invalid='raise')"
)]
pub(crate) fn intersects_batch<'py>(
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    keywords: Option<&Bound<'py, PyDict>>,
) -> PyResult<Option<Py<PyAny>>> {
    let batch = Batch::new::<bool>(a.py(), "intersects_batch", keywords)?;
    let has_radii = |object: &Bound<'_, PyAny>| {
        let column = object.cast::<Shapes>();
        column.is_ok_and(|column| column.get().0.has_radii())
    };
    // Both queries have the same answers; the first one's tiles know of radii.
    let arrays = if batch.keywords.get("margin").is_some() || has_radii(a) || has_radii(b) {
        batch.polygons([a, b], WithinDistanceQuery)
    } else {
        batch.polygons([a, b], IntersectsQuery)
    }?;
    Ok(arrays.fields.into_iter().next().flatten())
}
