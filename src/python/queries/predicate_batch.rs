//! `predicate_batch`.

use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::python::batch_call::Batch;
use crate::python::docstrings::{batch_end, batch_polygons};
use crate::python::input::keywords;
use crate::shape::{self, Predicate};

/// A predicate for many pairs of shapes at once, as DE-9IM defines it.
///
/// It is decided exactly, for shapes of any kinds. The boundary of a polygon are its rings; that of a
/// path are its ends, of several paths the points at which an odd number of them end, so that closed
/// ones have none; points have none.
///
#[doc = batch_polygons!()]
/// predicate : str
///     "intersects": they have a point in common. "disjoint": they have none. "touches": they have,
///     but none of both interiors. "contains": all points of `b` belong to `a`, and the interiors
///     meet; "covers": the boundary is enough; "contains_properly": all belong to the interior
///     of `a`. "within" and "covered_by": the same of `b` and `a`. "equals": both consist of the same
///     points. "overlaps": both have the same dimension, as has what they share, and a part outside
///     the other. "crosses": the interiors meet, two paths in points alone, and of shapes of different
///     dimensions a part of the lower one lies outside the other; of two polygons, or of points,
///     none cross.
#[doc = batch_end!("", "False", "ndarray of bool", "The answers, over the rows.", "intersects_batch : also of shapes within a margin.\ncolliding_pairs : the pairs of two columns of which a predicate holds.";
    "if the predicate is unknown; for a predicate other than \"intersects\", if a shape has a radius,\n    or one of several paths is a single point;")]
///
/// Notes
/// -----
/// The boundary of each shape is cut where it meets that of the other. The order of the edges round such a
/// point tells which pieces lie in the other's interior, exterior or boundary [1]_; orientation tests
/// of given points decide it.
///
/// References
/// ----------
/// .. [1] E. Clementini and P. Di Felice, "A comparison of methods for representing topological
///    relationships", 1995.
///
/// Examples
/// --------
/// >>> import carom, shapely
/// >>> field, strip = shapely.box(0, 0, 4, 4), shapely.box(0, 0, 4, 1)
/// >>> fence = shapely.LineString([(0, 0), (4, 0)])
/// >>> carom.predicate_batch([field, field, fence], [strip, fence, strip], "contains")
/// array([ True, False, False])
/// >>> carom.predicate_batch(field, [strip, fence], "covers")
/// array([ True,  True])
#[pyfunction(
    signature = (a, b, predicate, **keywords),
    text_signature = "(a, b, predicate, *, pairs=None, threads=None, check=True, on_invalid='raise')"
)]
pub(crate) fn predicate_batch<'py>(
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    predicate: &Bound<'py, PyAny>,
    keywords: Option<&Bound<'py, PyDict>>,
) -> PyResult<Option<Py<PyAny>>> {
    let predicate = keywords::predicate(predicate, &Predicate::ALL)?;
    Batch::new::<bool>(a.py(), "predicate_batch", keywords)?.one_by_one(
        [a, b],
        move |shape| shape::check_for(predicate, shape),
        move |a, b| shape::relates(a, b, predicate),
    )
}
