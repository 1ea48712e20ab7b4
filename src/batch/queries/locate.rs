//! Many points, or circles, and one polygon.

use std::sync::Arc;

use rayon::prelude::*;

use crate::batch::{
    CancelToken, Column, InvalidRow, OperandRows, OutputTable, Shared, Stop, Value,
};
use crate::geom::{Circle, Point, RadiusSum};
use crate::shape::{Location, Shape, locate_each, prepare_to_locate};

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
    // Before any share, which must not wait for it while it writes.
    if let Some(polygon) = polygon.view().polygon(0) {
        prepare_to_locate(&polygon);
    }
    let fill = |(share, positions): (usize, &mut [i8])| {
        let first = share * SHARE;
        let view = points.view(first);
        let points_of_share: Vec<Point> = (0..positions.len()).map(|row| view.at(row)).collect();
        if let Some(bad) = points_of_share.iter().position(|point| !point.is_finite()) {
            let Point { x, y } = points_of_share[bad];
            let fault = InvalidRow::NotFinite(points.argument_row(first + bad), vec![x, y]);
            return Err(Stop::Refused(first + bad, fault));
        }
        control.write(|| match polygon.view().polygon(0) {
            None => positions.fill(-1),
            Some(polygon) => {
                let mut rows = positions.iter_mut();
                locate_each(&points_of_share, &polygon, |location| {
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

/// Writes whether circles, given by row with the polygon's radius in theirs, and a polygon have a point in common, as far
/// as boxes and centers tell, and returns the other rows, in order. `None`, with nothing written, where there are no circles,
/// or tiles take the polygon. One by one, points in a concave polygon of 8 vertices took twice as long.
pub(super) fn fill_located(
    polygon: &Shape<'_>,
    table: &mut OutputTable<'_>,
    circle: impl Fn(usize) -> Option<Circle<RadiusSum>>,
) -> Option<Vec<usize>> {
    if polygon.is_exactly_convex() && polygon.is_short() {
        return None;
    }
    let (mut others, mut near, mut centers) = (Vec::new(), Vec::new(), Vec::new());
    let (mut apart, bounds) = (Vec::new(), polygon.bounds());
    for row in 0..table.rows {
        let Some(Circle { center, radius }) = circle(row) else {
            others.push(row);
            continue;
        };
        let [_, above] = radius.bounds();
        if bounds.may_be_within(&center.into(), above) {
            near.push((row, radius.is_zero()));
            centers.push(center);
        } else {
            apart.push(row);
        }
    }
    if others.len() == table.rows {
        return None;
    }
    for row in apart {
        table.answer(row, |_| Value::Bool(false));
    }
    let mut near = near.into_iter();
    locate_each(&centers, polygon, |location| {
        let Some((row, is_point)) = near.next() else {
            return;
        };
        let holds = location != Location::Outside;
        if holds || is_point {
            table.answer(row, |_| Value::Bool(holds));
        } else {
            others.push(row);
        }
    });
    others.sort_unstable();
    Some(others)
}
