//! Two polygons per row, eight rows side by side.

use fearless_simd::{mask64x8, prelude::*};

use crate::batch::column::RowBoxes;
use crate::batch::large_rings::LargeRingPairs;
use crate::batch::output::OutputTable;
use crate::batch::polygon_queries::PolygonQuery;
use crate::batch::result::Value;
use crate::batch::rows::{ItemRows, RingRows, Shapes, Shared, Source};
use crate::batch::tile_driver::{Scratch, TileQuery};
use crate::batch::tile_io::TileOutput;
use crate::batch::tile_rows::TileRows;
use crate::convex;
use crate::geom::Vec2;
use crate::predicates::error_bounds::box_error;
use crate::simd::lanes::{Lanes, Vectors};
use crate::simd::tile::{Lane, fits_a_tile};

/// Two polygons per row, for the tiles of a table.
pub(super) struct PolygonTiles<'a, K> {
    query: &'a K,
    a: RingRows<'a>,
    b: RingRows<'a>,
    velocity: Option<ItemRows<'a, Vec2>>,
    /// The fields that the table has.
    fields: Vec<usize>,
}

impl<'a, K> PolygonTiles<'a, K> {
    pub(super) fn new(
        query: &'a K,
        a: &'a Source<Shapes>,
        b: &'a Source<Shapes>,
        velocity: Option<&'a Source<Shared<Vec2>>>,
        table: &OutputTable<'_>,
    ) -> Self {
        Self {
            query,
            a: RingRows::new(a, table.first),
            b: RingRows::new(b, table.first),
            velocity: velocity.map(|velocity| velocity.view(table.first)),
            fields: table.columns.iter().map(|(field, _)| *field).collect(),
        }
    }

    #[inline(always)]
    fn velocity<S: Simd>(&self, simd: S, rows: &TileRows) -> Option<Vectors<Lane<S>>> {
        self.velocity.as_ref().map(
            #[inline(always)]
            |velocity| velocity.load(simd, rows),
        )
    }
}

impl<K: PolygonQuery> TileQuery<2> for PolygonTiles<'_, K> {
    // Some 29 ns, among neighbours 4; a pair of vertices takes 0.4.
    const ALONE: usize = 72;

    const UNROLLS: bool = K::UNROLLS;

    type Edge<S: Simd> = K::Edge<S>;

    fn ring_rows(&self) -> [&RingRows<'_>; 2] {
        [&self.a, &self.b]
    }

    fn fit([a, b]: [usize; 2]) -> bool {
        fits_a_tile(a) && fits_a_tile(b) && !convex::gjk_is_faster(a, b)
    }

    fn boxes(&self) -> Option<[RowBoxes<'_>; 2]> {
        if !K::is_told_apart(&self.fields) {
            return None;
        }
        Some([self.a.boxes()?, self.b.boxes()?])
    }

    #[inline(always)]
    fn apart<S: Simd>(&self, simd: S, boxes: &[RowBoxes<'_>; 2], rows: &TileRows) -> mask64x8<S> {
        let boxes = [
            self.a.load_boxes(simd, boxes[0], rows),
            self.b.load_boxes(simd, boxes[1], rows),
        ];
        convex::filter::apart(boxes, self.velocity(simd, rows))
    }

    fn of_apart(field: usize) -> Value {
        K::of_apart(field).expect("told apart")
    }

    fn settle_long<S: Simd>(&self, _: S, output: &mut TileOutput<'_, '_>) {
        let long = LargeRingPairs {
            a: &self.a,
            b: &self.b,
            velocity: self.velocity.as_ref(),
            fields: &self.fields,
        };
        long.settle(self.query, output.table, output.open);
    }

    #[inline(always)]
    fn edge<S: Simd>(zero: Lane<S>) -> Self::Edge<S> {
        K::room(zero)
    }

    #[inline(always)]
    fn answer<S: Simd, const MOST: usize>(
        &self,
        simd: S,
        output: &mut TileOutput<'_, '_>,
        rows: &TileRows,
        room: Scratch<'_, S, Self::Edge<S>, 2, MOST>,
    ) -> bool {
        let ([v, w], [a, b], turned) = (room.sizes, room.rings, room.turned);
        let (a, b) = (&mut a[..v], &mut b[..w]);
        let before = *turned;
        let winding_of_a = self.a.load(simd, rows, a, turned[0]);
        let winding_of_b = self.b.load(simd, rows, b, turned[1]);
        let (rings, size) = ([&*a, &*b], convex::span([&*a, &*b]));
        let error = box_error(size, size);
        let are_good = winding_of_a.agrees(rings[0], error, &mut turned[0])
            & winding_of_b.agrees(rings[1], error, &mut turned[1]);
        if *turned != before {
            return false;
        }
        let velocity = self.velocity(simd, rows);
        let answers = self.query.eight(rings, size, velocity, room.edges);
        let mut known = K::is_known(&answers) & are_good;
        if let Some(velocity) = velocity {
            let infinity = velocity.x.all(f64::INFINITY);
            let speed = velocity.map(Lanes::abs);
            known = known & infinity.above(speed.x) & infinity.above(speed.y);
        }
        output.settle(
            rows,
            known,
            #[inline(always)]
            |field| K::field(&answers, field),
        );
        true
    }
}
