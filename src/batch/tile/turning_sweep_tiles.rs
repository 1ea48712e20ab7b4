//! Sweeps of shapes that turn: rows that certainly never meet and, if `will_intersect` alone is asked, rows that certainly
//! do, eight at a time.

use fearless_simd::{mask64x8, prelude::*};

use super::tile_driver;
use super::tile_operands::TileOperands;
use super::tile_output::Answers;
use super::tile_query::{Row, Tile};
use crate::batch::{FieldSet, OutputTable, QueryResult, SweptCollisionWithMtv, TileQuery};
use crate::convex::{TurningMotion, TurningRings, TurningVertex};
use crate::shape::Concave;
use crate::simd::lanes::{Lanes, Vectors};
use crate::simd::load::Lane;

/// The shortest time steps of the search, as parts of the frame: long ones for all rows, shorter ones for
/// rows that are undecided.
const FINEST: [f64; 3] = [0.25, 0.0625, 1.0 / 256.0];

/// Fills the rows of shapes that certainly never meet, or that certainly do if `will_intersect` alone is asked, and returns
/// the others, in order.
pub(crate) fn fill(operands: &TileOperands<'_, 2>, table: &mut OutputTable<'_>) -> Vec<usize> {
    let fill = |finest, table: &mut OutputTable<'_>, open| {
        let operands = TileOperands {
            finest,
            ..*operands
        };
        tile_driver::fill::<TurningSweepQuery, 2>(&operands, table, open).0
    };
    let coarse = fill(FINEST[0], table, None);
    let left = coarse.len();
    let fine = fill(FINEST[1], table, Some(coarse));
    // If most rows are still undecided, most of them meet, or all but do, and shorter steps would not help.
    if 2 * fine.len() < left {
        fill(FINEST[2], table, Some(fine))
    } else {
        fine
    }
}

/// Whether shapes that turn certainly never meet; if `will_intersect` alone is asked, whether they certainly do.
#[derive(Clone, Copy, Debug)]
struct TurningSweepQuery;

impl TileQuery<2> for TurningSweepQuery {
    // One kernel for all sizes.
    const LONG: FieldSet = FieldSet::ALL;
    const TURNS: bool = true;

    type Answer = SweptCollisionWithMtv;
    type Edge<S: Simd> = TurningVertex<Lane<S>>;

    fn one(row: &Row<'_, 2>) -> Result<SweptCollisionWithMtv, Concave> {
        Ok(row.sweep())
    }

    // Of 16-gons a row that is apart takes three fifths of the time; one that meets, if
    // the tile can't tell that, twice as long.
    fn most_pairs(_fields: FieldSet) -> usize {
        12 * 12
    }

    #[inline(always)]
    fn eight<S: Simd>(
        tile: &Tile<'_, S, 2>,
        edges: &mut [Self::Edge<S>],
    ) -> (mask64x8<S>, impl Fn(usize) -> Answers<S>) {
        let turning = tile.numbers.turns.expect("shapes that turn");
        let velocity = tile.numbers.velocity.expect("a sweep has a velocity");
        let zero = velocity.x.all(0.0);
        let mut centers = turning.centers;
        for (side, center) in centers.iter_mut().enumerate() {
            // Without a turn the center has no meaning.
            let is_still = turning.angles[side].same(zero);
            *center = Vectors::choose(is_still, tile.rings[side][0], *center);
        }
        let motion = TurningMotion {
            centers,
            angles: turning.angles,
            gap: centers[0] - centers[1],
            velocity,
            reach: tile.numbers.margin,
        };
        let is_boolean_alone = tile
            .fields
            .is_subset(FieldSet::new(&[SweptCollisionWithMtv::WILL_INTERSECT]));
        let mut rings = TurningRings::new(tile.rings, motion, edges);
        if is_boolean_alone {
            rings = rings.seeking_overlap();
        }
        let time = rings.apart_until(zero, turning.finest);
        let overlap = rings.overlap();
        let mut certain = time.at_least(zero.all(1.0)) | overlap;
        if tile.fields.contains(SweptCollisionWithMtv::MTV) {
            // For rows in which nothing turns, `mtv` is not NaN but is left to the exact form.
            let [turn_a, turn_b] = turning.angles;
            certain &= !(turn_a.same(zero) & turn_b.same(zero));
        }
        (
            certain,
            #[inline(always)]
            move |field| match field {
                SweptCollisionWithMtv::WILL_INTERSECT => Answers::Bools(overlap),
                _ => Answers::Same(SweptCollisionWithMtv::NEVER_TURNING.value(field)),
            },
        )
    }
}
