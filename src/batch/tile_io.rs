//! What is read and what is written of eight rows side by side: how operands are loaded, and how a
//! table is filled.

use fearless_simd::{mask64x8, prelude::*};

use crate::batch::column::RowBoxes;
use crate::batch::output::OutputTable;
use crate::batch::polygon_queries::{Lane, Ring};
use crate::batch::row_kinds::EightKindCodes;
use crate::batch::rows::{ItemRows, RingRows};
use crate::batch::tile_rows::{Answers, TileRows};
use crate::convex;
use crate::geom::{Point, Vec2};
use crate::simd::lanes::Vectors;
use crate::simd::tile::{self, LANES, load, turn};

/// Rows that were left open.
pub(super) type Open = Vec<usize>;

/// A table that is being filled, and the rows of it that are left open.
pub(super) struct TileOutput<'t, 'c> {
    pub(super) table: &'t mut OutputTable<'c>,
    pub(super) open: &'t mut Open,
}

impl TileOutput<'_, '_> {
    /// Writes the answers to a tile, and adds the rows of which they are not known to the open ones.
    #[inline(always)]
    pub(super) fn settle<S: Simd>(
        &mut self,
        places: &TileRows,
        known: mask64x8<S>,
        answers: impl Fn(usize) -> Answers<S>,
    ) {
        for (field, column) in &mut self.table.columns {
            answers(*field).write(column, places);
        }
        if let Some(valid) = &mut self.table.valid {
            places.write(valid, [1; LANES]);
        }
        let known = known.to_bitmask();
        if known != (1 << LANES) - 1 {
            let is_open = |lane: &usize| known >> lane & 1 == 0;
            let lanes = (0..places.count()).filter(is_open);
            self.open.extend(lanes.map(|lane| places.row(lane)));
        }
    }
}

/// What is known of the rings of a tile.
#[derive(Clone, Copy)]
pub(super) struct TileWinding<S: Simd> {
    /// The rows that are rings of the tile's size.
    is_ring: mask64x8<S>,
    /// Whether they are known to be convex, and run counterclockwise now.
    is_known: bool,
    /// A bit for each that was turned.
    pub(super) turned: u64,
}

impl<S: Simd> TileWinding<S> {
    /// The rows that are convex rings and run counterclockwise now. If that isn't known, it is those
    /// that turn left; where some turn right after all, the bits of those that are turned change.
    #[inline(always)]
    pub(super) fn agrees(&self, ring: &Ring<S>, error: Lane<S>, turned: &mut u64) -> mask64x8<S> {
        if self.is_known {
            return self.is_ring;
        }
        let left = convex::turns_left(ring, error);
        if !left.all_true() {
            *turned ^= convex::turns_right(ring, error).to_bitmask();
        }
        self.is_ring & left
    }
}

impl ItemRows<'_, f64> {
    /// Loads those of eight rows.
    #[inline(always)]
    pub(super) fn load<S: Simd>(&self, simd: S, rows: &TileRows) -> Lane<S> {
        tile::numbers(simd, self.eight(rows))
    }
}

impl ItemRows<'_, Vec2> {
    /// Loads those of eight rows.
    #[inline(always)]
    pub(super) fn load<S: Simd>(&self, simd: S, rows: &TileRows) -> Vectors<Lane<S>> {
        tile::vectors(simd, &self.eight(rows))
    }
}

impl ItemRows<'_, Point> {
    /// Loads those of eight rows.
    #[inline(always)]
    pub(super) fn load<S: Simd>(&self, simd: S, rows: &TileRows) -> Vectors<Lane<S>> {
        let mut vectors = [Vec2::ZERO; LANES];
        // Not by `map`, which stays a call.
        for (vector, point) in vectors.iter_mut().zip(self.eight(rows)) {
            *vector = Vec2::new(point.x, point.y);
        }
        tile::vectors(simd, &vectors)
    }
}

impl RingRows<'_> {
    /// Loads the boxes round the polygons of eight rows.
    #[inline(always)]
    pub(super) fn load_boxes<S: Simd>(
        &self,
        simd: S,
        boxes: RowBoxes<'_>,
        rows: &TileRows,
    ) -> [Vectors<Lane<S>>; 2] {
        tile::boxes(simd, &self.eight_boxes(boxes, rows))
    }

    /// Loads the rings of eight rows, and turns those that run clockwise, where it is not known
    /// those of these bits.
    #[inline(always)]
    pub(super) fn load<S: Simd>(
        &self,
        simd: S,
        rows: &TileRows,
        into: &mut Ring<S>,
        turned: u64,
    ) -> TileWinding<S> {
        let count = into.len();
        let run = match rows {
            TileRows::Run(first) => self.run(*first, count),
            TileRows::Listed(..) => None,
        };
        let (vertices, is_ring, known) = match run {
            Some((run, codes)) => (
                [
                    &run[..count],
                    &run[count..2 * count],
                    &run[2 * count..3 * count],
                    &run[3 * count..4 * count],
                    &run[4 * count..5 * count],
                    &run[5 * count..6 * count],
                    &run[6 * count..7 * count],
                    &run[7 * count..8 * count],
                ],
                codes.map_or(!0, EightKindCodes::convex),
                codes.map(EightKindCodes::clockwise),
            ),
            None => self.gather(rows, count),
        };
        load(simd, &vertices, into);
        let clockwise = known.unwrap_or(turned);
        if clockwise != 0 {
            turn(into, mask64x8::from_bitmask(simd, clockwise));
        }
        TileWinding {
            is_ring: mask64x8::from_bitmask(simd, is_ring),
            is_known: known.is_some(),
            turned: clockwise,
        }
    }

    /// The rings of eight rows that lie anywhere; a bit for each that has so many vertices; and a
    /// bit for each that runs clockwise, if all are known to be convex.
    #[inline(never)]
    fn gather(&self, rows: &TileRows, count: usize) -> ([&[Point]; LANES], u64, Option<u64>) {
        let mut vertices: [&[Point]; LANES] = [&[]; LANES];
        let [mut is_ring, mut clockwise] = [0_u64; 2];
        let mut is_known = true;
        for (lane, vertices) in vertices.iter_mut().enumerate() {
            let (ring, winding, is_taken) = self.taken(rows.row(lane), count);
            *vertices = ring;
            is_known &= winding.is_some();
            is_ring |= u64::from(is_taken) << lane;
            clockwise |= u64::from(winding == Some(true)) << lane;
        }
        (vertices, is_ring, is_known.then_some(clockwise))
    }
}
