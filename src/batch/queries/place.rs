//! Footprints at poses.

use rayon::prelude::*;

use crate::batch::{CancelToken, InvalidRow, OperandRows, Shared, Stop};
use crate::geom::{self, Point};
use crate::invalid_shape::InvalidShape;
use crate::shape;

/// Poses `[x, y, heading]`.
pub type PoseRows = OperandRows<Shared<[f64; 3]>>;

/// Footprints that all have as many vertices.
#[derive(Debug)]
pub struct Footprints {
    /// The vertices, footprint after footprint.
    pub rows: OperandRows<Shared<Point>>,
    /// The number of vertices of each.
    pub vertices: usize,
}

fn check_finite(ring: &[Point]) -> Result<(), InvalidShape> {
    shape::check_finite(ring).map_err(|why| InvalidShape::Ring { ring: 0, why })
}

impl Footprints {
    /// Checks that all vertices are finite.
    fn check(&self) -> Result<(), Stop> {
        for (position, ring) in self.rows.stored(self.vertices).enumerate() {
            check_finite(ring).map_err(|why| {
                let at = self.rows.stored_row(position);
                Stop::Refused(0, InvalidRow::Shape(at, why))
            })?;
        }
        Ok(())
    }

    /// Writes the footprint of each row at the row's pose to `placed`, row after row.
    ///
    /// # Errors
    ///
    /// If cancelled, or if a vertex, a pose, or a placed vertex is not finite; of several, that of the
    /// lowest row.
    pub fn place(
        &self,
        poses: &PoseRows,
        placed: &mut [Point],
        threads: usize,
        control: &CancelToken,
    ) -> Result<(), Stop> {
        self.check()?;
        let put = |(row, placed): (usize, &mut [Point])| {
            control.proceed()?;
            let pose = poses.at(row);
            InvalidRow::check_finite(&pose, || poses.argument_row(row))
                .map_err(|why| Stop::Refused(row, why))?;
            let footprint = self.rows.items_of(row, self.vertices);
            placed.copy_from_slice(footprint);
            let [x, y, heading] = pose;
            geom::place(placed, x, y, heading);
            check_finite(placed).map_err(|why| {
                placed.copy_from_slice(footprint);
                geom::place(placed, 0.0, 0.0, heading);
                let is_far = check_finite(placed).is_ok();
                // A single pose of many footprints does not tell them apart.
                let at = if poses.is_one() && !self.rows.is_one() {
                    self.rows.argument_row(row)
                } else {
                    poses.argument_row(row)
                };
                Stop::Refused(row, InvalidRow::Placed { at, why, is_far })
            })
        };
        let length = self.vertices.max(1);
        if threads == 1 {
            return placed.chunks_mut(length).enumerate().try_for_each(put);
        }
        let outcomes = placed.par_chunks_mut(length).enumerate().map(put);
        outcomes.reduce(|| Ok(()), Result::and)
    }
}
