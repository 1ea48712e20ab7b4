//! Whether circles without a radius, which are points, reach the only shape, where that is faster than tiles.

use crate::batch::output::OutputTable;
use crate::batch::result_fields::Value;
use crate::batch::tile_operands::TileOperands;
use crate::geom::Point;
use crate::shape::{Location, Locator};

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
