//! Two polygons per row, eight rows side by side.

use fearless_simd::{mask64x8, prelude::*};

use crate::batch::column::Table;
use crate::batch::filling::Filling;
use crate::batch::kernels::PairNoun;
use crate::batch::long::LongPairs;
use crate::batch::operand::{Items, Shapes, Shared, Source, Strands};
use crate::batch::ragged::Boxes;
use crate::batch::record::Value;
use crate::batch::tile::{Lane, Places};
use crate::batch::tiled::{Room, Tiled};
use crate::convex;
use crate::geom::Vec2;
use crate::predicates::about::box_error;
use crate::predicates::lanes::{Lanes, Vectors};

/// Two polygons per row, for the tiles of a table.
pub(super) struct Pairs<'a, K> {
    noun: &'a K,
    a: Strands<'a>,
    b: Strands<'a>,
    velocity: Option<Items<'a, Vec2>>,
    /// The fields that the table has.
    fields: Vec<usize>,
}

impl<'a, K> Pairs<'a, K> {
    pub(super) fn new(
        noun: &'a K,
        a: &'a Source<Shapes>,
        b: &'a Source<Shapes>,
        velocity: Option<&'a Source<Shared<Vec2>>>,
        table: &Table<'_>,
    ) -> Self {
        Self {
            noun,
            a: Strands::new(a, table.first),
            b: Strands::new(b, table.first),
            velocity: velocity.map(|velocity| velocity.view(table.first)),
            fields: table.columns.iter().map(|(field, _)| *field).collect(),
        }
    }

    #[inline(always)]
    fn velocity<S: Simd>(&self, simd: S, rows: &Places) -> Option<Vectors<Lane<S>>> {
        self.velocity.as_ref().map(
            #[inline(always)]
            |velocity| velocity.load(simd, rows),
        )
    }
}

impl<K: PairNoun> Tiled<2> for Pairs<'_, K> {
    // Some 29 ns, among neighbours 4; a pair of vertices takes 0.4.
    const ALONE: usize = 72;

    const UNROLLS: bool = K::UNROLLS;

    type Edge<S: Simd> = K::Edge<S>;

    fn strands(&self) -> [&Strands<'_>; 2] {
        [&self.a, &self.b]
    }

    fn fit([a, b]: [usize; 2]) -> bool {
        convex::fit_a_tile(a, b)
    }

    fn boxes(&self) -> Option<[Boxes<'_>; 2]> {
        if !K::is_told_apart(&self.fields) {
            return None;
        }
        Some([self.a.boxes()?, self.b.boxes()?])
    }

    #[inline(always)]
    fn apart<S: Simd>(&self, simd: S, boxes: &[Boxes<'_>; 2], rows: &Places) -> mask64x8<S> {
        let boxes = [
            self.a.load_boxes(simd, boxes[0], rows),
            self.b.load_boxes(simd, boxes[1], rows),
        ];
        convex::apart(boxes, self.velocity(simd, rows))
    }

    fn of_apart(field: usize) -> Value {
        K::of_apart(field).expect("told apart")
    }

    fn settle_long<S: Simd>(&self, _: S, filling: &mut Filling<'_, '_>) {
        let long = LongPairs {
            a: &self.a,
            b: &self.b,
            velocity: self.velocity.as_ref(),
            fields: &self.fields,
        };
        long.settle(self.noun, filling.table, filling.open);
    }

    #[inline(always)]
    fn edge<S: Simd>(zero: Lane<S>) -> Self::Edge<S> {
        K::room(zero)
    }

    #[inline(always)]
    fn answer<S: Simd, const MOST: usize>(
        &self,
        simd: S,
        filling: &mut Filling<'_, '_>,
        rows: &Places,
        room: Room<'_, S, Self::Edge<S>, 2, MOST>,
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
        let answers = self.noun.eight(rings, size, velocity, room.edges);
        let mut known = K::is_known(&answers) & are_good;
        if let Some(velocity) = velocity {
            let infinity = velocity.x.all(f64::INFINITY);
            let speed = velocity.map(Lanes::abs);
            known = known & infinity.above(speed.x) & infinity.above(speed.y);
        }
        filling.settle(
            rows,
            known,
            #[inline(always)]
            |field| K::field(&answers, field),
        );
        true
    }
}
