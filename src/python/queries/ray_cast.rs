//! `ray_cast`.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFloat};

use crate::batch::{RayCast, RayCastBatch};
use crate::python::batch_call::Batch;
use crate::python::input::batch_operand::vectors;
use crate::python::input::broadcasting::broadcast;
use crate::python::input::expected_argument::{Argument, ItemShape};
use crate::python::output::results::RayCastBatchResult;
use crate::python::shapes::from_sequence;

/// The first of many shapes that each ray meets.
///
/// Which one is first is exact, of rounded shapes to 1e-12 of the time, and so is whether there is one: touching
/// counts, in a vertex too.
///
/// Parameters
/// ----------
/// origins : array_like, shape (..., 2)
///     Where the rays start, in the unit of the shapes.
/// directions : array_like, shape (..., 2)
///     Their displacements in one unit of time; need not be unit vectors. With a direction of zero the
///     ray is a point. Leading dimensions broadcast with those of `origins`.
/// shapes : Shapes, or list of shapes, or GeoSeries, or array_like of shape (N, V, 2)
///     The shapes, of any kind. Missing rows are never met.
/// length : array_like, shape (...), default inf
///     The time at which the ray ends, 0 or more: with unit directions a distance, with displacements 1.0 for
///     a line of sight.
/// threads : int, optional
///     How many threads to use; all cores, by default. The result doesn't depend on it.
///
/// Returns
/// -------
/// RayCastBatchResult
///     For each ray `hit`, `time`, `row`, `normal` and `point`; of a single ray, arrays without
///     axes. The point is ``origin + time * direction``, `time` is 0 where a ray starts in a shape;
///     it is ``inf`` where no shape is met, and also where the time is above the largest float.
///     Of shapes that are met at the same time, the one with the lowest row.
///
/// Raises
/// ------
/// ValueError
///     If a shape is not valid; if an origin or a direction is NaN or infinite, or a length NaN or
///     negative (the message names the row and the value); if shapes don't broadcast.
/// TypeError
///     If an argument does not consist of numbers.
///
/// See Also
/// --------
/// swept_circle_batch : rays of some width, each against one shape.
/// locate : many points and one polygon.
///
/// Notes
/// -----
/// The boxes in a packed R-tree are searched front to back [1]_, until the next is entered certainly later
/// than a shape that was met. Times are fractions, which are compared exactly where floats can't tell.
///
/// References
/// ----------
/// .. [1] T. L. Kay and J. T. Kajiya, "Ray tracing complex scenes", 1986.
///
/// Examples
/// --------
/// Two pillars, and rays to the right: one meets the nearer pillar, one touches the corner of the farther,
/// one passes both.
///
/// >>> import carom
/// >>> pillars = [[(2, 0), (3, 0), (3, 2), (2, 2)], [(5, 0), (6, 0), (6, 4), (5, 4)]]
/// >>> seen = carom.ray_cast([(0, 1), (0, 4), (0, 5)], (1, 0), pillars)
/// >>> seen.hit, seen.time, seen.row
/// (array([ True,  True, False]), array([ 2.,  5., inf]), array([ 0,  1, -1]))
/// >>> seen[0].normal, seen[0].point
/// (array([-1.,  0.]), array([2., 1.]))
///
/// A line of sight ends at its target:
///
/// >>> bool(carom.ray_cast((0, 1), (1.5, 0), pillars, length=1).hit)
/// False
// Python reads 1e999 as infinity, and no name in a signature.
#[pyfunction(
    signature = (origins, directions, shapes, **keywords),
    text_signature = "(origins, directions, shapes, *, length=1e999, threads=None)"
)]
pub(crate) fn ray_cast<'py>(
    origins: &Bound<'py, PyAny>,
    directions: &Bound<'py, PyAny>,
    shapes: &Bound<'py, PyAny>,
    keywords: Option<&Bound<'py, PyDict>>,
) -> PyResult<RayCastBatchResult> {
    let py = origins.py();
    let mut batch = Batch::new::<RayCast>(py, "ray_cast", keywords)?;
    let length = batch.keywords.get("length");
    let length = length.unwrap_or_else(|| PyFloat::new(py, f64::INFINITY).into_any());
    let claims = &mut batch.claims;
    let vector = |name| Argument::many(name, ItemShape::Vector(2));
    let origins = vectors(vector("origins"), origins, claims)?;
    let directions = vectors(vector("directions"), directions, claims)?;
    let argument = Argument::many("length", ItemShape::Number);
    let lengths = vectors(argument, &length, claims)?;
    let shape = broadcast(&[origins.named(), directions.named(), lengths.named()])?;
    let shapes = from_sequence::column("shapes", shapes)?;
    shapes.check_index()?;
    let query = RayCastBatch {
        origins: origins.source(&shape, None),
        directions: directions.source(&shape, None),
        lengths: lengths.source(&shape, None),
        count: shape.iter().product(),
        shapes,
    };
    batch.answer(query, &shape).map(RayCastBatchResult)
}
