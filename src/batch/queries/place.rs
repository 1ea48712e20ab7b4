//! Footprints at poses.

use rayon::prelude::*;

use crate::batch::{CancelToken, InvalidRow, OperandRows, Shared, Stop};
use crate::geom::{Placement, Point};
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

    /// What is wrong with a footprint that is not finite as placed.
    fn fault(&self, row: usize, poses: &PoseRows, placed: &[Point]) -> InvalidRow {
        let footprint = self.rows.items_of(row, self.vertices);
        if let Err(why) = check_finite(footprint) {
            return InvalidRow::Shape(self.rows.argument_row(row), why);
        }
        let why = check_finite(placed).expect_err("a vertex that is not finite");
        let [_, _, heading] = poses.at(row);
        let at_origin = Placement::new([0.0, 0.0, heading]);
        let is_far = (footprint.iter()).all(|&vertex| at_origin.apply(vertex).is_finite());
        // A single pose of many footprints does not tell them apart.
        let at = if poses.is_one() && !self.rows.is_one() {
            self.rows.argument_row(row)
        } else {
            poses.argument_row(row)
        };
        InvalidRow::Placed { at, why, is_far }
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
        if placed.is_empty() {
            // No row looks at the vertices.
            self.check()?;
        }
        let put = |(row, placed): (usize, &mut [Point])| {
            control.proceed()?;
            let pose = poses.at(row);
            InvalidRow::check_finite(&pose, || poses.argument_row(row))
                .map_err(|why| Stop::Refused(row, why))?;
            let placement = Placement::new(pose);
            let mut is_finite = true;
            for (placed, &vertex) in placed
                .iter_mut()
                .zip(self.rows.items_of(row, self.vertices))
            {
                *placed = placement.apply(vertex);
                is_finite &= placed.is_finite();
            }
            if is_finite {
                return Ok(());
            }
            Err(Stop::Refused(row, self.fault(row, poses, placed)))
        };
        let length = self.vertices.max(1);
        if threads == 1 {
            return placed.chunks_mut(length).enumerate().try_for_each(put);
        }
        let outcomes = placed.par_chunks_mut(length).enumerate().map(put);
        outcomes.reduce(|| Ok(()), Result::and)
    }
}
