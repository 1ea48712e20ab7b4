//! One shape at many poses.

use rayon::prelude::*;

use crate::batch::{ArgumentRow, CancelToken, InvalidRow, OperandRows, Shared, Stop};
use crate::geom::{self, Point};
use crate::invalid_shape::InvalidShape;
use crate::shape;

/// Writes these vertices of a shape at every pose `[x, y, heading]` to `placed`, pose after pose.
///
/// # Errors
///
/// If cancelled, or if a vertex, a pose, or a placed vertex is not finite; of several, that of the
/// lowest pose.
pub fn place(
    vertices: &[Point],
    poses: &OperandRows<Shared<[f64; 3]>>,
    placed: &mut [Point],
    threads: usize,
    control: &CancelToken,
) -> Result<(), Stop> {
    let check_finite = |ring: &[Point]| {
        shape::check_finite(ring).map_err(|why| InvalidShape::Ring { ring: 0, why })
    };
    check_finite(vertices)
        .map_err(|why| Stop::Refused(0, InvalidRow::Shape(ArgumentRow::whole("shape"), why)))?;
    let put = |(row, placed): (usize, &mut [Point])| {
        control.proceed()?;
        let (at, pose) = (|| poses.argument_row(row), poses.at(row));
        InvalidRow::check_finite(&pose, at).map_err(|why| Stop::Refused(row, why))?;
        placed.copy_from_slice(vertices);
        let [x, y, heading] = pose;
        geom::place(placed, x, y, heading);
        check_finite(placed).map_err(|why| {
            placed.copy_from_slice(vertices);
            geom::place(placed, 0.0, 0.0, heading);
            let (at, is_far) = (at(), check_finite(placed).is_ok());
            Stop::Refused(row, InvalidRow::Placed { at, why, is_far })
        })
    };
    let length = vertices.len().max(1);
    if threads == 1 {
        return placed.chunks_mut(length).enumerate().try_for_each(put);
    }
    let outcomes = placed.par_chunks_mut(length).enumerate().map(put);
    outcomes.reduce(|| Ok(()), Result::and)
}
