//! Fills the rows of convex rings that are too large for tiles, one by one, but without validating
//! polygons.

use fearless_simd::Simd;

use crate::batch::row_query::{LargeRing, RowQuery};
use crate::batch::rows::{RingRows, RowCursor};
use crate::batch::tile_io::{Numbers, TileOperands, TileOutput};
use crate::convex::{self, Convexity, filter};
use crate::simd::lanes::{Lanes, Vectors};

/// The ring of a row, if it is certainly strictly convex.
fn large_ring<'a>(rows: &RingRows<'a>, row: usize) -> Option<LargeRing<'a>> {
    let (vertices, winding) = rows.ring(row)?;
    let convexity = match winding {
        Some(clockwise) => Convexity {
            clockwise,
            bounds: rows.bounds(row),
        },
        None => convex::certainly_convex(vertices)?,
    };
    Some(LargeRing::new(vertices, convexity))
}

/// Where shapes in these boxes are certainly apart: two polygons, or a circle and a polygon.
#[inline(always)]
pub(super) fn apart<L: Lanes, const RINGS: usize>(
    boxes: [[Vectors<L>; 2]; RINGS],
    numbers: &Numbers<L>,
) -> L::Mask {
    match boxes[..] {
        [a, b] => filter::apart([a, b], numbers.velocity),
        _ => filter::beyond(boxes[0], numbers.center, numbers.radius),
    }
}

/// Answers open rows of convex rings that are too large for tiles.
#[inline(always)]
pub(super) fn large<Q: RowQuery<RINGS>, S: Simd, const RINGS: usize>(
    simd: S,
    operands: &TileOperands<'_, RINGS>,
    output: &mut TileOutput<'_, '_>,
) {
    let fields = operands.fields;
    let is_answered = fields.is_subset(Q::LARGE) || Q::is_told_apart(fields);
    if !is_answered {
        return;
    }
    simd.vectorize(
        #[inline(always)]
        || {
            // Not by `retain`, which would be compiled without these instructions.
            let mut still_open = 0;
            let mut cursors = operands.rings.map(RowCursor::new);
            for index in 0..output.open.len() {
                let row = output.open[index];
                if !large_row::<Q, S, RINGS>(simd, operands, &mut cursors, output, row) {
                    output.open[still_open] = row;
                    still_open += 1;
                }
            }
            output.open.truncate(still_open);
        },
    );
}

/// Answers a row of large convex rings, if it can.
#[inline(always)]
fn large_row<'a, Q: RowQuery<RINGS>, S: Simd, const RINGS: usize>(
    simd: S,
    operands: &TileOperands<'a, RINGS>,
    cursors: &mut [RowCursor<'a, Option<LargeRing<'a>>>; RINGS],
    output: &mut TileOutput<'_, '_>,
    row: usize,
) -> bool {
    let numbers = operands.numbers(row);
    if !numbers.has_finite_velocity() {
        return false;
    }
    let polygons = operands.rings.each_ref().map(|rings| rings.general(row));
    if polygons.iter().all(Option::is_some) {
        let polygons = polygons.map(|polygon| polygon.expect("none is missing"));
        let value = Q::general(polygons, &numbers, operands.fields);
        return value.is_some_and(|value| {
            output.table.answer(row, value);
            true
        });
    }
    let rings = cursors
        .each_mut()
        .map(|cursor| cursor.at(row, large_ring).as_ref());
    if rings.iter().any(Option::is_none) {
        return false;
    }
    let rings = rings.map(|ring| ring.expect("none is missing"));
    let has_bounds = rings.iter().all(|ring| ring.convexity.bounds.is_some());
    if has_bounds && Q::is_told_apart(operands.fields) {
        let sides = rings.map(|ring| [ring.bounds().min.into(), ring.bounds().max.into()]);
        if apart(sides, &numbers) {
            let value = |field| Q::of_apart(field).expect("told apart");
            output.table.answer(row, value);
            return true;
        }
    }
    if !operands.fields.is_subset(Q::LARGE) {
        return false;
    }
    let Some(value) = Q::large(simd, rings, &numbers, operands.fields) else {
        return false;
    };
    output.table.answer(row, value);
    true
}
