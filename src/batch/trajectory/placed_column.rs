//! The shapes of a column at poses.

use std::iter;

use super::placed_footprint::invalid_as_placed;
use crate::batch::queries::place::PoseRows;
use crate::batch::{ArgumentRow, CancelToken, Column, ExamineError, InvalidRow, Stop, Validation};
use crate::geom::Placement;

/// The shapes of a column at `count` poses, one each; a single row is placed at all of them. All are validated.
///
/// # Errors
///
/// If cancelled, if there is no memory for the rows, if a pose is not finite, or if a shape is not valid as placed.
///
/// # Panics
///
/// If there are neither as many rows as poses nor a single one.
pub fn place_column(
    column: &Column,
    poses: &PoseRows,
    count: usize,
    threads: usize,
    control: &CancelToken,
) -> Result<Column, Stop> {
    assert!(column.len() == count || column.len() == 1);
    let mut placements = Vec::with_capacity(count);
    for row in 0..count {
        control.proceed()?;
        let pose = poses.at(row);
        InvalidRow::check_finite(&pose, || poses.argument_row(row))
            .map_err(|why| Stop::Refused(row, why))?;
        placements.push(Placement::new(pose));
    }
    let each = if column.len() == count {
        column.clone()
    } else {
        column.take(iter::repeat_n(0, count))
    };
    each.compact_selection()?;
    let mut placed = each.mapped(|row, vertex| placements[row].apply(vertex));
    placed
        .examine(Validation::Raise, threads)
        .map_err(|why| match why {
            ExamineError::OutOfMemory(why) => why.into(),
            ExamineError::Invalid(row, why) => {
                // A single pose of many rows does not tell them apart.
                let at = if poses.is_one() && column.len() > 1 {
                    ArgumentRow::row("shapes", &[count], row)
                } else {
                    poses.argument_row(row)
                };
                let fault = invalid_as_placed(at, why, each.rings(row), poses.at(row));
                Stop::Refused(row, fault)
            }
        })?;
    Ok(placed)
}
