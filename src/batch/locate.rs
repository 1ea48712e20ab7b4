//! Many points and one polygon.

use std::sync::Arc;

use rayon::prelude::*;

use crate::batch::column::{Column, Shared};
use crate::batch::invalid_row::InvalidRow;
use crate::batch::operand_rows::OperandRows;
use crate::batch::output::OutputTable;
use crate::batch::result_fields::Value;
use crate::batch::stop::{CancelToken, Stop};
use crate::batch::tile_operands::TileOperands;
use crate::geom::Point;
use crate::shape::{Location, Locator};

/// Points that a thread takes at a time: enough that the cost of taking them vanishes, few enough that
/// they stay in the first-level cache.
const SHARE: usize = 1024;

/// Writes the position of each point relative to the only row of an examined column: -1 outside, 0 on
/// the boundary, 1 inside. All points are outside a missing row.
///
/// # Errors
///
/// If cancelled, or if a point is not finite: the first such.
pub fn locate(
    points: &OperandRows<Shared<Point>>,
    polygon: &Arc<Column>,
    positions: &mut [i8],
    threads: usize,
    control: &CancelToken,
) -> Result<(), Stop> {
    let polygon = polygon.view().polygon(0);
    let locator = polygon.as_ref().map(Locator::new);
    let fill = |(share, positions): (usize, &mut [i8])| {
        let first = share * SHARE;
        let view = points.view(first);
        let points_of_share: Vec<Point> = (0..positions.len()).map(|row| view.at(row)).collect();
        if let Some(bad) = points_of_share.iter().position(|point| !point.is_finite()) {
            let Point { x, y } = points_of_share[bad];
            let fault = InvalidRow::NotFinite(points.argument_row(first + bad), vec![x, y]);
            return Err(Stop::Refused(first + bad, fault));
        }
        control.write(|| match &locator {
            None => positions.fill(-1),
            Some(locator) => {
                let mut rows = positions.iter_mut();
                locator.locate(&points_of_share, |location| {
                    if let Some(row) = rows.next() {
                        *row = location as i8;
                    }
                });
            }
        })
    };
    let shares = positions.chunks_mut(SHARE).enumerate();
    if threads == 1 {
        return shares.into_iter().try_for_each(fill);
    }
    let outcomes = positions.par_chunks_mut(SHARE).enumerate().map(fill);
    // The lowest share comes first.
    outcomes.reduce(|| Ok(()), Result::and)
}

/// Vertices of a polygon, for each point, up to which it is prepared: a [`Locator`] takes some nanoseconds per vertex,
/// and saves dozens per point. Other numbers were not measured.
const PREPARED: usize = 16;

/// Writes whether the circles without a radius, which are points, reach the only shape, and returns the other rows, in
/// order. `None`, with nothing written, where the shape is a convex polygon, which tiles answer, or has a radius, or
/// where there are too few points. One by one, points in a concave polygon of 8 vertices took twice as long, of 500
/// four times.
pub(super) fn reached(
    operands: &TileOperands<'_, 1>,
    table: &mut OutputTable<'_>,
) -> Option<Vec<usize>> {
    let polygon = operands.rings[0].only()?;
    let (centers, radii) = operands.circle.as_ref()?;
    if polygon.is_exactly_convex() || polygon.radius() > 0.0 {
        return None;
    }
    let is_point = |&row: &usize| radii.at(row) == 0.0 && centers.at(row).is_finite();
    let (rows, others): (Vec<usize>, Vec<usize>) = (0..table.rows).partition(is_point);
    if rows.len() * PREPARED < polygon.vertices() {
        return None;
    }
    let points: Vec<Point> = rows.iter().map(|&row| centers.at(row)).collect();
    let mut next = rows.into_iter();
    Locator::new(&polygon).locate(&points, |location| {
        if let Some(row) = next.next() {
            table.answer(row, |_| Value::Bool(location != Location::Outside));
        }
    });
    Some(others)
}
