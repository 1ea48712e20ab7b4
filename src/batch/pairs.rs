//! Two polygons per row, eight rows side by side.
//!
//! Operands are brought together and answers written. Rows that a tile can't take, or can't answer
//! beyond doubt, are left to the form for one row.

use std::hint::black_box;
use std::ops::Range;

use fearless_simd::prelude::*;

use crate::batch::column::Table;
use crate::batch::dispatch::with_instructions;
use crate::batch::filling::{Alike, Filling, Open, near};
use crate::batch::kernels::{Lane, PairNoun, Ring};
use crate::batch::long::LongPairs;
use crate::batch::operand::{Items, Shapes, Shared, Source, Strands};
use crate::batch::tile::{self, Places, vectors};
use crate::convex::{self, MOST_IN_A_TILE};
use crate::geom::Vec2;
use crate::predicates::about::box_error;
use crate::predicates::lanes::{Lanes, Vectors};

/// Two polygons per row, for the tiles of a table.
pub(super) struct Pairs<'a> {
    a: Strands<'a>,
    b: Strands<'a>,
    velocity: Option<Items<'a, Vec2>>,
    /// The fields that the table has.
    fields: Vec<usize>,
}

/// How many vertices the two rings of a row have, and the row.
type Fitting = ([usize; 2], usize);

impl<'a> Pairs<'a> {
    pub(super) fn new(
        a: &'a Source<Shapes>,
        b: &'a Source<Shapes>,
        velocity: Option<&'a Source<Shared<Vec2>>>,
        table: &Table<'_>,
    ) -> Self {
        Self {
            a: Strands::new(a, table.first),
            b: Strands::new(b, table.first),
            velocity: velocity.map(|velocity| velocity.view(table.first)),
            fields: table.columns.iter().map(|(field, _)| *field).collect(),
        }
    }

    /// Fills rows of the table as far as it can, and adds those that it can't to the open ones.
    pub(super) fn fill<K: PairNoun>(
        &self,
        noun: &K,
        table: &mut Table<'_>,
        rows: Range<usize>,
        open: &mut Open,
    ) {
        let before = open.len();
        let filling = &mut Filling { table, open };
        with_instructions!(simd => self.block::<K, _>(simd, noun, filling, rows));
        open[before..].sort_unstable();
    }

    /// Answers open rows whose rings are convex but too long for tiles.
    fn settle_long<K: PairNoun>(&self, noun: &K, filling: &mut Filling<'_, '_>) {
        let long = LongPairs {
            a: &self.a,
            b: &self.b,
            velocity: self.velocity.as_ref(),
            fields: &self.fields,
        };
        long.settle(noun, filling.table, filling.open);
    }

    #[inline(always)]
    fn block<K: PairNoun, S: Simd>(
        &self,
        simd: S,
        noun: &K,
        filling: &mut Filling<'_, '_>,
        rows: Range<usize>,
    ) {
        let sizes = self.a.size().zip(self.b.size());
        let near = self.near::<K, S>(simd, filling.table, rows.clone(), sizes);
        let Some((a, b)) = sizes else {
            let listed = match near {
                Some(near) => self.fitting(near.into_iter(), filling.open),
                None => self.fitting(rows, filling.open),
            };
            self.settle_long(noun, filling);
            for listed in listed.chunk_by(|one, other| one.0 == other.0) {
                self.alike::<K, S>(simd, filling, listed[0].0, Alike::Listed(listed));
            }
            return;
        };
        match near {
            Some(near) if convex::fit_a_tile(a, b) => {
                let listed: Vec<_> = near.into_iter().map(|row| ([a, b], row)).collect();
                self.alike::<K, S>(simd, filling, [a, b], Alike::Listed(&listed));
            }
            Some(near) => {
                filling.open.extend(near);
                self.settle_long(noun, filling);
            }
            None if convex::fit_a_tile(a, b) => {
                self.alike::<K, S>(simd, filling, [a, b], Alike::Run(rows));
            }
            None => {
                filling.open.extend(rows);
                self.settle_long(noun, filling);
            }
        }
    }

    /// Answers rows whose boxes are apart, and returns the others; but nothing, if there are no
    /// boxes, they don't tell enough, or it doesn't pay.
    #[inline(always)]
    fn near<K: PairNoun, S: Simd>(
        &self,
        simd: S,
        table: &mut Table<'_>,
        rows: Range<usize>,
        sizes: Option<(usize, usize)>,
    ) -> Option<Vec<usize>> {
        if !K::is_told_apart(&self.fields) {
            return None;
        }
        let [boxes_of_a, boxes_of_b] = [self.a.boxes()?, self.b.boxes()?];
        // Rows of one size could be answered with their neighbours for some 4 ns and 0.4 for each
        // pair of vertices; among others a row costs some 25 more, as its memory comes unforeseen.
        let pays = |near: usize, seen: usize| {
            sizes.is_none_or(|(a, b)| near * (a * b + 72) <= seen * a * b)
        };
        let near = simd.vectorize(
            #[inline(always)]
            || {
                near(
                    rows.clone(),
                    pays,
                    #[inline(always)]
                    |places| {
                        let pair = [
                            tile::boxes(simd, &self.a.eight_boxes(boxes_of_a, places)),
                            tile::boxes(simd, &self.b.eight_boxes(boxes_of_b, places)),
                        ];
                        let velocity = self.velocity.as_ref().map(
                            #[inline(always)]
                            |velocity| vectors(simd, &velocity.eight(places)),
                        );
                        convex::apart(pair, velocity)
                    },
                )
            },
        )?;
        table.answer_all(rows, |field| {
            K::of_apart(field).expect("as was found above")
        });
        Some(near)
    }

    /// Rows whose rings have the same sizes.
    #[inline(never)]
    fn alike<K: PairNoun, S: Simd>(
        &self,
        simd: S,
        filling: &mut Filling<'_, '_>,
        sizes: [usize; 2],
        rows: Alike<'_, [usize; 2]>,
    ) {
        match sizes {
            [3, 3] => self.tiles::<K, S, 3, 6>(simd, filling, rows),
            [4, 4] => self.tiles::<K, S, 4, 8>(simd, filling, rows),
            [8, 8] => self.tiles::<K, S, 8, 16>(simd, filling, rows),
            _ => self.large_tiles::<K, S>(simd, filling, rows, sizes),
        }
    }

    /// Rows that a tile takes, those of one size together.
    #[inline(always)]
    fn fitting(&self, rows: impl ExactSizeIterator<Item = usize>, open: &mut Open) -> Vec<Fitting> {
        let mut fitting: Vec<Fitting> = Vec::with_capacity(rows.len());
        let mut is_even = true;
        for row in rows {
            let size = |strands: &Strands<'_>| strands.ring(row).map(|ring| ring.0.len());
            match (size(&self.a), size(&self.b)) {
                (Some(a), Some(b)) if convex::fit_a_tile(a, b) => {
                    is_even &= fitting.first().is_none_or(|first| first.0 == [a, b]);
                    fitting.push(([a, b], row));
                }
                _ => open.push(row),
            }
        }
        if !is_even {
            fitting.sort_unstable();
        }
        fitting
    }

    /// Rings of one size, known when the program is compiled.
    #[inline(always)]
    fn tiles<K: PairNoun, S: Simd, const V: usize, const TWICE: usize>(
        &self,
        simd: S,
        filling: &mut Filling<'_, '_>,
        mut rows: Alike<'_, [usize; 2]>,
    ) {
        simd.vectorize(
            #[inline(always)]
            || {
                let zero = Lane::splat(simd, 0.0);
                // Puts a vector in memory. Without any the stack is not aligned for vectors, and what
                // the registers can't hold would lie across two lines of the cache: a third slower
                // for eight vertices.
                black_box(zero);
                let mut turned = [0; 2];
                let mut next = rows.next();
                while let Some(places) = &next {
                    let [mut a, mut b] = [[Vectors { x: zero, y: zero }; V]; 2];
                    let room = &mut [K::room(zero); TWICE][..];
                    let rings = [&mut a[..], &mut b[..]];
                    if self.answer::<K, S>(simd, filling, places, rings, room, &mut turned) {
                        next = rows.next();
                    }
                }
            },
        );
    }

    /// Rings of any sizes.
    #[inline(always)]
    fn large_tiles<K: PairNoun, S: Simd>(
        &self,
        simd: S,
        filling: &mut Filling<'_, '_>,
        mut rows: Alike<'_, [usize; 2]>,
        [v, w]: [usize; 2],
    ) {
        simd.vectorize(
            #[inline(always)]
            || {
                let zero = Lane::splat(simd, 0.0);
                let [mut a, mut b] = [[Vectors { x: zero, y: zero }; MOST_IN_A_TILE]; 2];
                let mut room = [K::room(zero); 2 * MOST_IN_A_TILE];
                let mut turned = [0; 2];
                let mut next = rows.next();
                while let Some(places) = &next {
                    let rings = [&mut a[..v], &mut b[..w]];
                    let room = &mut room[..v + w];
                    if self.answer::<K, S>(simd, filling, places, rings, room, &mut turned) {
                        next = rows.next();
                    }
                }
            },
        );
    }

    /// Answers the rows of a tile. The rings of these bits are taken to run clockwise; where that is
    /// wrong, the bits are mended and nothing is answered.
    #[inline(always)]
    fn answer<K: PairNoun, S: Simd>(
        &self,
        simd: S,
        filling: &mut Filling<'_, '_>,
        places: &Places,
        [a, b]: [&mut Ring<S>; 2],
        room: &mut [K::Edge<S>],
        turned: &mut [u64; 2],
    ) -> bool {
        let before = *turned;
        let winding_of_a = self.a.load(simd, places, a, turned[0]);
        let winding_of_b = self.b.load(simd, places, b, turned[1]);
        let (rings, size) = ([&*a, &*b], convex::span([&*a, &*b]));
        let error = box_error(size, size);
        let is_good = winding_of_a.agrees(rings[0], error, &mut turned[0])
            & winding_of_b.agrees(rings[1], error, &mut turned[1]);
        if *turned != before {
            return false;
        }
        let velocity = self.velocity.as_ref().map(
            #[inline(always)]
            |velocity| vectors(simd, &velocity.eight(places)),
        );
        let answers = K::eight(rings, size, velocity, room);
        let mut known = K::is_known(&answers, &self.fields) & is_good;
        if let Some(velocity) = velocity {
            let infinity = velocity.x.all(f64::INFINITY);
            let speed = velocity.map(Lanes::abs);
            known = known & infinity.above(speed.x) & infinity.above(speed.y);
        }
        filling.settle(
            places,
            known,
            #[inline(always)]
            |field| K::field(&answers, field),
        );
        true
    }
}
