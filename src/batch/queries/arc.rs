//! The arcs between successive poses, or between the poses of two operands.

use rayon::prelude::*;

use super::place::PoseRows;
use crate::batch::{ArgumentRow, CancelToken, InvalidRow, Stop};
use crate::geom::{ArcStep, Point};

/// Pairs of poses.
#[derive(Debug)]
pub enum PosePairs {
    /// Each pose with the next one, of trajectories that have so many poses each, one at least.
    Successive(PoseRows, usize),
    /// The poses of one operand with those of another.
    Given([PoseRows; 2]),
}

impl PosePairs {
    /// The two poses of a pair, if they are finite.
    fn poses(&self, row: usize) -> Result<[[f64; 3]; 2], InvalidRow> {
        let finite = |poses: &PoseRows, row: usize| {
            let (pose, at) = (poses.at(row), || -> ArgumentRow { poses.argument_row(row) });
            InvalidRow::check_finite(&pose, at).map(|()| pose)
        };
        match self {
            Self::Successive(poses, count) => {
                let pose = row + row / (count - 1);
                Ok([finite(poses, pose)?, finite(poses, pose + 1)?])
            }
            Self::Given([from, to]) => Ok([finite(from, row)?, finite(to, row)?]),
        }
    }

    /// Writes the turn and the center of each pair's arc.
    ///
    /// # Errors
    ///
    /// If cancelled, or if a pose is not finite; of several, the lowest.
    pub fn arcs(
        &self,
        turns: &mut [f64],
        centers: &mut [Point],
        threads: usize,
        control: &CancelToken,
    ) -> Result<(), Stop> {
        let put = |(row, (turn, center)): (usize, (&mut f64, &mut Point))| {
            control.proceed()?;
            let [from, to] = self.poses(row).map_err(|why| Stop::Refused(row, why))?;
            let step = ArcStep::between(from, to);
            (*turn, *center) = (step.turn, step.center);
            Ok(())
        };
        if threads == 1 {
            let mut rows = turns.iter_mut().zip(centers).enumerate();
            return rows.try_for_each(put);
        }
        let rows = turns.par_iter_mut().zip(centers).enumerate();
        rows.map(put).reduce(|| Ok(()), Result::and)
    }
}
