//! How rows are answered eight side by side, whatever is asked.
//!
//! Rows that a tile can't take, or can't answer beyond doubt, are left to the form for one row.

use std::hint::black_box;
use std::ops::Range;

use fearless_simd::{mask64x8, prelude::*};

use crate::batch::column::RowBoxes;
use crate::batch::output::OutputTable;
use crate::batch::result::Value;
use crate::batch::rows::RingRows;
use crate::batch::tile_io::{Open, TileOutput};
use crate::batch::tile_rows::TileRows;
use crate::simd::instructions::with_instructions;
use crate::simd::lanes::Vectors;
use crate::simd::tile::{LANES, Lane, MOST_IN_A_TILE};

/// A query about rows that have so many rings each, and whatever else.
pub(super) trait TileQuery<const RINGS: usize> {
    /// What a row costs that is answered away from its neighbours, besides 1 for each pair of
    /// vertices, or for each vertex of a single ring.
    const ALONE: usize;

    /// Whether there is a text of its own for each of the usual sizes.
    const UNROLLS: bool;

    /// What is kept of an edge while a tile is answered.
    type Edge<S: Simd>: Copy;

    /// The operands that are rings.
    fn ring_rows(&self) -> [&RingRows<'_>; RINGS];

    /// Whether a tile takes rings of these sizes.
    fn fit(sizes: [usize; RINGS]) -> bool;

    /// The boxes round the rings, if they are kept and tell enough of rows that are apart.
    fn boxes(&self) -> Option<[RowBoxes<'_>; RINGS]>;

    /// The rows that are certainly apart, as their boxes tell.
    fn apart<S: Simd>(
        &self,
        simd: S,
        boxes: &[RowBoxes<'_>; RINGS],
        rows: &TileRows,
    ) -> mask64x8<S>;

    /// A field of the answer to a row that is apart.
    fn of_apart(field: usize) -> Value;

    /// Answers open rows whose rings are convex but too long for tiles.
    fn settle_long<S: Simd>(&self, simd: S, output: &mut TileOutput<'_, '_>);

    /// Scratch for what is kept of an edge.
    fn edge<S: Simd>(zero: Lane<S>) -> Self::Edge<S>;

    /// Answers the rows of a tile. Where rings turn out not to run as they were taken to, that is
    /// mended and nothing is answered.
    fn answer<S: Simd, const MOST: usize>(
        &self,
        simd: S,
        output: &mut TileOutput<'_, '_>,
        rows: &TileRows,
        room: Scratch<'_, S, Self::Edge<S>, RINGS, MOST>,
    ) -> bool;
}

/// Scratch for the rings of a tile.
pub(super) struct Scratch<'r, S: Simd, E, const RINGS: usize, const MOST: usize> {
    /// How many vertices they have.
    pub(super) sizes: [usize; RINGS],
    pub(super) rings: &'r mut [[Vectors<Lane<S>>; MOST]; RINGS],
    /// What is kept of their edges.
    pub(super) edges: &'r mut [E],
    /// A bit for each that is taken to run clockwise, where that is not known.
    pub(super) turned: &'r mut [u64; RINGS],
}

/// How many vertices the rings of a row have, and the row.
type Fitting<const RINGS: usize> = ([usize; RINGS], usize);

/// Rows whose rings have the same sizes.
enum SameSizeRows<'l, const RINGS: usize> {
    Run(Range<usize>),
    Listed(&'l [Fitting<RINGS>]),
}

impl<const RINGS: usize> SameSizeRows<'_, RINGS> {
    /// The next of them that make a tile.
    #[inline(always)]
    fn next(&mut self) -> Option<TileRows> {
        match self {
            Self::Run(rows) => {
                let first = rows.start;
                let count = LANES.min(rows.end - first);
                rows.start += count;
                (count > 0).then(|| TileRows::run(first, count))
            }
            Self::Listed(listed) => {
                let (eight, rest) = listed.split_at(LANES.min(listed.len()));
                *listed = rest;
                let mut rows = [eight.first()?.1; LANES];
                for (row, fitting) in rows.iter_mut().zip(eight) {
                    *row = fitting.1;
                }
                Some(TileRows::Listed(rows, eight.len()))
            }
        }
    }
}

/// Fills rows of a table as far as it can, and adds those that it can't to the open ones.
pub(super) fn fill<B: TileQuery<RINGS>, const RINGS: usize>(
    batch: &B,
    table: &mut OutputTable<'_>,
    rows: Range<usize>,
    open: &mut Open,
) {
    let before = open.len();
    let output = &mut TileOutput { table, open };
    with_instructions!(simd => fill_with(batch, simd, output, rows));
    open[before..].sort_unstable();
}

#[inline(always)]
fn fill_with<B: TileQuery<RINGS>, S: Simd, const RINGS: usize>(
    batch: &B,
    simd: S,
    output: &mut TileOutput<'_, '_>,
    rows: Range<usize>,
) {
    let sizes = sizes(batch, RingRows::size);
    let near = near(batch, simd, output.table, rows.clone(), sizes);
    let Some(sizes) = sizes else {
        let listed = match near {
            Some(near) => fitting(batch, near.into_iter(), output.open),
            None => fitting(batch, rows, output.open),
        };
        batch.settle_long(simd, output);
        for listed in listed.chunk_by(|one, other| one.0 == other.0) {
            alike(
                batch,
                simd,
                output,
                listed[0].0,
                SameSizeRows::Listed(listed),
            );
        }
        return;
    };
    match near {
        Some(near) if B::fit(sizes) => {
            let listed: Vec<_> = near.into_iter().map(|row| (sizes, row)).collect();
            alike(batch, simd, output, sizes, SameSizeRows::Listed(&listed));
        }
        None if B::fit(sizes) => alike(batch, simd, output, sizes, SameSizeRows::Run(rows)),
        _ => {
            match near {
                Some(near) => output.open.extend(near),
                None => output.open.extend(rows),
            }
            batch.settle_long(simd, output);
        }
    }
}

/// How many vertices each of the rings has, if all of them have any.
#[inline(always)]
fn sizes<'s, B: TileQuery<RINGS>, const RINGS: usize>(
    batch: &'s B,
    size: impl Fn(&RingRows<'s>) -> Option<usize>,
) -> Option<[usize; RINGS]> {
    let mut sizes = [0; RINGS];
    for (into, ring_rows) in sizes.iter_mut().zip(batch.ring_rows()) {
        *into = size(ring_rows)?;
    }
    Some(sizes)
}

/// Rows that are looked at to tell whether it pays to look at all of them.
const SAMPLE: usize = 64;

/// Answers rows whose boxes are apart, and returns the others, in order; but nothing, if there are
/// no boxes, they don't tell enough, or it doesn't pay.
#[inline(always)]
fn near<B: TileQuery<RINGS>, S: Simd, const RINGS: usize>(
    batch: &B,
    simd: S,
    table: &mut OutputTable<'_>,
    rows: Range<usize>,
    sizes: Option<[usize; RINGS]>,
) -> Option<Vec<usize>> {
    let boxes = batch.boxes()?;
    // Rows of one size could all be answered with their neighbours, for little more than what their
    // vertices cost; where others are left out, their memory comes unforeseen.
    let pays = |near: usize, seen: usize| {
        let product = sizes.map(|sizes| sizes.iter().product::<usize>());
        product.is_none_or(|product| near * (product + B::ALONE) <= seen * product)
    };
    let near = simd.vectorize(
        #[inline(always)]
        || {
            let mut near = vec![0; rows.len() + 1];
            let mut count = 0;
            let mut seen = 0;
            let mut run = SameSizeRows::<RINGS>::Run(rows.clone());
            while let Some(places) = run.next() {
                if seen == SAMPLE && !pays(count, seen) {
                    return None;
                }
                seen += places.count();
                let mut are_near = !batch.apart(simd, &boxes, &places).to_bitmask();
                // Each bit is as good as random: no branch on it.
                for lane in 0..places.count() {
                    near[count] = places.row(lane);
                    count += (are_near & 1) as usize;
                    are_near >>= 1;
                }
            }
            near.truncate(count);
            Some(near)
        },
    )?;
    table.answer_all(rows, B::of_apart);
    Some(near)
}

/// Rows that a tile takes, those of one size together; the others are left open.
#[inline(always)]
fn fitting<B: TileQuery<RINGS>, const RINGS: usize>(
    batch: &B,
    rows: impl ExactSizeIterator<Item = usize>,
    open: &mut Open,
) -> Vec<Fitting<RINGS>> {
    let mut fitting: Vec<Fitting<RINGS>> = Vec::with_capacity(rows.len());
    let mut is_even = true;
    for row in rows {
        let size = |ring_rows: &RingRows<'_>| ring_rows.ring(row).map(|ring| ring.0.len());
        match sizes(batch, size) {
            Some(sizes) if B::fit(sizes) => {
                is_even &= fitting.first().is_none_or(|first| first.0 == sizes);
                fitting.push((sizes, row));
            }
            _ => open.push(row),
        }
    }
    if !is_even {
        fitting.sort_unstable();
    }
    fitting
}

/// Answers rows whose rings have these sizes.
#[inline(never)]
fn alike<B: TileQuery<RINGS>, S: Simd, const RINGS: usize>(
    batch: &B,
    simd: S,
    output: &mut TileOutput<'_, '_>,
    sizes: [usize; RINGS],
    rows: SameSizeRows<'_, RINGS>,
) {
    match sizes[0] {
        _ if !B::UNROLLS => {
            tiles::<B, S, RINGS, MOST_IN_A_TILE, MOST_EDGES>(batch, simd, output, sizes, rows);
        }
        3 if sizes == [3; RINGS] => tiles::<B, S, RINGS, 3, 6>(batch, simd, output, sizes, rows),
        4 if sizes == [4; RINGS] => tiles::<B, S, RINGS, 4, 8>(batch, simd, output, sizes, rows),
        8 if sizes == [8; RINGS] => tiles::<B, S, RINGS, 8, 16>(batch, simd, output, sizes, rows),
        _ => tiles::<B, S, RINGS, MOST_IN_A_TILE, MOST_EDGES>(batch, simd, output, sizes, rows),
    }
}

/// Edges of two rings in a tile.
const MOST_EDGES: usize = 2 * MOST_IN_A_TILE;

/// The same. Rings have `MOST` vertices each; where that is the most that a tile takes, they have
/// these sizes.
#[inline(always)]
fn tiles<
    B: TileQuery<RINGS>,
    S: Simd,
    const RINGS: usize,
    const MOST: usize,
    const EDGES: usize,
>(
    batch: &B,
    simd: S,
    output: &mut TileOutput<'_, '_>,
    sizes: [usize; RINGS],
    mut rows: SameSizeRows<'_, RINGS>,
) {
    simd.vectorize(
        #[inline(always)]
        || {
            // Known when the program is compiled, so that loops unroll.
            let sizes = if MOST < MOST_IN_A_TILE {
                [MOST; RINGS]
            } else {
                sizes
            };
            let zero = Lane::splat(simd, 0.0);
            // Puts a vector in memory. Without any the stack is not aligned for vectors, and what
            // the registers can't hold would lie across two lines of the cache: a third slower for
            // eight vertices.
            black_box(zero);
            // Each by itself, and out of reach of anything that could stay a call, as `map` of arrays
            // does: what a call could write to is kept out of registers.
            let mut rings = [[Vectors { x: zero, y: zero }; MOST]; RINGS];
            let mut edges = [B::edge(zero); EDGES];
            let mut turned = [0; RINGS];
            let mut next = rows.next();
            while let Some(places) = &next {
                let room = Scratch {
                    sizes,
                    rings: &mut rings,
                    edges: &mut edges[..sizes.iter().sum()],
                    turned: &mut turned,
                };
                if batch.answer(simd, output, places, room) {
                    next = rows.next();
                }
            }
        },
    );
}
