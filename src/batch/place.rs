//! One shape at many poses.

use rayon::prelude::*;

use crate::batch::column::Shared;
use crate::batch::invalid_row::{ArgumentRow, InvalidRow};
use crate::batch::operand_rows::OperandRows;
use crate::batch::stop::{CancelToken, Stop};
use crate::geom::{self, Point};
use crate::invalid_shape::{InvalidRing, InvalidShape};

/// Writes the vertices of `shape` at every pose `[x, y, heading]` to `placed`, pose after pose.
///
/// # Errors
///
/// If cancelled, or if a vertex, a pose, or a placed vertex is not finite; of several, that of the
/// lowest pose.
pub fn place(
    shape: &[Point],
    poses: &OperandRows<Shared<[f64; 3]>>,
    placed: &mut [Point],
    threads: usize,
    control: &CancelToken,
) -> Result<(), Stop> {
    finite(shape)
        .map_err(|why| Stop::Refused(0, InvalidRow::Shape(ArgumentRow::whole("shape"), why)))?;
    let put = |(row, placed): (usize, &mut [Point])| {
        control.proceed()?;
        let pose @ [x, y, heading] = poses.at(row);
        if !pose.iter().all(|number| number.is_finite()) {
            let why = InvalidRow::NotFinite(poses.argument_row(row), pose.to_vec());
            return Err(Stop::Refused(row, why));
        }
        placed.copy_from_slice(shape);
        geom::place(placed, x, y, heading);
        finite(placed)
            .map_err(|why| Stop::Refused(row, InvalidRow::Placed(poses.argument_row(row), why)))
    };
    let length = shape.len().max(1);
    if threads == 1 {
        return placed.chunks_mut(length).enumerate().try_for_each(put);
    }
    let outcomes = placed.par_chunks_mut(length).enumerate().map(put);
    outcomes.reduce(|| Ok(()), Result::and)
}

fn finite(ring: &[Point]) -> Result<(), InvalidShape> {
    match ring.iter().position(|vertex| !vertex.is_finite()) {
        None => Ok(()),
        Some(vertex) => {
            let value = ring[vertex];
            let why = InvalidRing::NotFinite { vertex, value };
            Err(InvalidShape::Ring { ring: 0, why })
        }
    }
}
