//! Many points and one polygon.

use std::sync::Arc;

use rayon::prelude::*;

use crate::batch::{CancelToken, Column, InvalidRow, OperandRows, Shared, Stop};
use crate::geom::Point;
use crate::shape::Locator;

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
