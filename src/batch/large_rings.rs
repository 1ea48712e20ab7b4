//! Fills the rows of convex rings that are too large for tiles, one by one, but without validating
//! polygons.

use fearless_simd::Simd;

use crate::batch::rows::RingRows;
use crate::batch::tile_io::{Numbers, TileOperands, TileOutput};
use crate::batch::tile_query::{LargeRing, TileQuery};
use crate::convex::{self, Convexity, filter};
use crate::simd::lanes::{Lanes, Vectors};

/// Reads the rings of an operand that are certainly strictly convex; a row that follows itself is
/// not examined again.
struct LargeRingCursor<'s, 'a> {
    rows: &'s RingRows<'a>,
    place: usize,
    ring: Option<LargeRing<'a>>,
}

impl<'s, 'a> LargeRingCursor<'s, 'a> {
    fn new(rows: &'s RingRows<'a>) -> Self {
        Self {
            rows,
            place: usize::MAX,
            ring: None,
        }
    }

    /// The ring of a row.
    #[inline]
    fn at(&mut self, row: usize) -> Option<&LargeRing<'a>> {
        let place = self.rows.place(row);
        if place != self.place {
            self.place = place;
            self.ring = self.read(row);
        }
        self.ring.as_ref()
    }

    fn read(&self, row: usize) -> Option<LargeRing<'a>> {
        let (vertices, winding) = self.rows.ring(row)?;
        let convexity = match winding {
            Some(clockwise) => Convexity {
                clockwise,
                bounds: self.rows.convex_bounds(row),
            },
            None => convex::certainly_convex(vertices)?,
        };
        Some(LargeRing::new(vertices, convexity))
    }
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
pub(super) fn large<Q: TileQuery<RINGS>, S: Simd, const RINGS: usize>(
    simd: S,
    operands: &TileOperands<'_, RINGS>,
    output: &mut TileOutput<'_, '_>,
) {
    let fields = operands.fields;
    let is_answered = fields.is_subset(Q::LARGE) || Q::is_told_apart(fields);
    if operands.tiles_only || !is_answered {
        return;
    }
    simd.vectorize(
        #[inline(always)]
        || {
            // Not by `retain`, which would be compiled without these instructions.
            let mut still_open = 0;
            let mut cursors = operands.rings.each_ref().map(LargeRingCursor::new);
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
fn large_row<Q: TileQuery<RINGS>, S: Simd, const RINGS: usize>(
    simd: S,
    operands: &TileOperands<'_, RINGS>,
    cursors: &mut [LargeRingCursor<'_, '_>; RINGS],
    output: &mut TileOutput<'_, '_>,
    row: usize,
) -> bool {
    let numbers = operands.numbers(row);
    if !numbers.has_finite_velocity() {
        return false;
    }
    let rings = cursors.each_mut().map(|cursor| cursor.at(row));
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
