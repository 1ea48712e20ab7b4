//! Fills rows of a table eight at a time: boxes first, then tiles of rings of equal size.
//!
//! Rows that a tile can't take, or can't answer with certainty, are left to be answered one by one.

use std::hint::black_box;
use std::ops::Range;

use fearless_simd::{mask64x8, prelude::*};

use super::tile_operands::{Numbers, TileOperands};
use super::tile_output::TileOutput;
use super::tile_query::Tile;
use super::tile_rows::TileRows;
use crate::batch::column::RowBoxes;
use crate::batch::rows::polygon_operand::PolygonOperand;
use crate::batch::{FieldSet, OutputTable, QueryResult, TileQuery};
use crate::convex;
use crate::predicates::bounds::box_distance_bounds::{are_apart, is_circle_apart};
use crate::predicates::bounds::conservative_boxes::{LaneBox, grown};
use crate::predicates::bounds::error_bounds::box_error;
use crate::simd::instructions::{has_wide_registers, with_instructions};
use crate::simd::lanes::{Lanes, Mask, Scratch, Vectors};
use crate::simd::load::{self, LANES, Lane, MOST_IN_A_TILE, fits_a_tile, fits_a_tile_if_thin};

/// Vertices per ring, and the row.
type Fitting<const RINGS: usize> = ([usize; RINGS], usize);

/// Rows whose rings have the same sizes.
enum SameSizeRows<'l, const RINGS: usize> {
    Run(Range<usize>),
    Listed(&'l [Fitting<RINGS>]),
}

impl<const RINGS: usize> SameSizeRows<'_, RINGS> {
    /// The rows of the next tile.
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

/// Fills these rows of a table, or all, as far as it can. Returns the others, in order, and whether the boxes of all
/// rows were compared.
pub(crate) fn fill<Q: TileQuery<RINGS>, const RINGS: usize>(
    operands: &TileOperands<'_, RINGS>,
    table: &mut OutputTable<'_>,
    listed: Option<Vec<usize>>,
) -> (Vec<usize>, bool) {
    let open = Vec::new();
    let mut output = TileOutput { table, open };
    let sizes = sizes(operands, PolygonOperand::size);
    let most_pairs = Q::most_pairs(operands.fields);
    let rows = 0..output.table.rows;
    let mut near = None;
    if listed.is_none()
        && let Some(apart) = Q::same_if_apart(operands.fields)
    {
        let of_convex = Q::is_of_convex(operands.fields);
        near = super::tile_driver::near(operands, rows.len(), sizes, of_convex);
        if near.is_some() {
            output.table.answer_all(|field| apart.value(field));
        }
    }
    let are_near = near.is_some();
    match (sizes, near.or(listed)) {
        (Some(sizes), None) if fit(operands, sizes, most_pairs) => {
            same_size::<Q, RINGS>(operands, &mut output, sizes, SameSizeRows::Run(rows));
        }
        // No tile takes these rows. Looking at each took an eighth of the instructions of the distance between a point
        // and a path of 6 vertices.
        (_, near) if !operands.rings.iter().all(|it| it.column.has_convex()) => {
            output.open.extend(near.unwrap_or_else(|| rows.collect()));
        }
        (sizes, near) => {
            let listed = fitting(operands, sizes, near, rows, most_pairs, &mut output.open);
            for listed in listed.chunk_by(|one, other| one.0 == other.0) {
                // A tile takes as long for one row as for eight. Where sizes from 3 to 32 vertices are random, most
                // rows have sizes that no other row has: without a tile for each, all rows take 0.4 to 0.9 of the time.
                if let [(_, row)] = listed {
                    output.open.push(*row);
                    continue;
                }
                let rows = SameSizeRows::Listed(listed);
                same_size::<Q, RINGS>(operands, &mut output, listed[0].0, rows);
            }
        }
    }
    output.open.sort_unstable();
    (output.open, are_near)
}

/// Vertices per ring, if all rings have any.
#[inline]
fn sizes<'a, const RINGS: usize>(
    operands: &TileOperands<'a, RINGS>,
    size: impl Fn(&PolygonOperand<'a>) -> Option<usize>,
) -> Option<[usize; RINGS]> {
    let mut sizes = [0; RINGS];
    for (into, rings) in sizes.iter_mut().zip(&operands.rings) {
        *into = size(rings)?;
    }
    Some(sizes)
}

/// Pairs of vertices up to which tiles take rows of columns with margins or radii, whatever the query's limit is: that one
/// compares tiles with GJK, which takes no rounded shapes of so few vertices.
const MOST_PAIRS_IF_ROUNDED: usize = 32 * 32;

/// Whether a tile takes rings of these sizes, with so many pairs of vertices at most.
fn fit<const RINGS: usize>(
    operands: &TileOperands<'_, RINGS>,
    sizes: [usize; RINGS],
    most_pairs: usize,
) -> bool {
    let fits = if RINGS == 2 {
        fits_a_tile_if_thin
    } else {
        fits_a_tile
    };
    let most_pairs = if operands.are_rounded() {
        most_pairs.max(MOST_PAIRS_IF_ROUNDED)
    } else {
        most_pairs
    };
    let is_small = sizes.iter().product::<usize>() <= most_pairs;
    is_small && sizes.into_iter().all(fits)
}

/// The rows that a tile takes, by size; the others are left open.
fn fitting<const RINGS: usize>(
    operands: &TileOperands<'_, RINGS>,
    sizes_of_all: Option<[usize; RINGS]>,
    near: Option<Vec<usize>>,
    rows: Range<usize>,
    most_pairs: usize,
    open: &mut Vec<usize>,
) -> Vec<Fitting<RINGS>> {
    let mut fitting: Vec<Fitting<RINGS>> = Vec::with_capacity(rows.len());
    let mut is_even = true;
    for row in near.unwrap_or_else(|| rows.collect()) {
        let size = |rings: &PolygonOperand<'_>| Some(rings.ring(row)?.0.len());
        match sizes_of_all.or_else(|| sizes(operands, size)) {
            Some(sizes) if fit(operands, sizes, most_pairs) => {
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

/// Rows after which it is decided whether it pays to look at the boxes of all.
const SAMPLE: usize = 64;

/// What a row costs that is answered apart from its neighbours, in units of a pair of vertices (0.4
/// ns), or of a vertex of a single ring (1.3 ns): some 29 ns instead of 4, and 27 instead of 2.
const fn cost_alone(rings: usize) -> usize {
    if rings == 2 { 72 } else { 20 }
}

/// What a look at the boxes of a row costs, in the same units: some 7 ns where they come from memory,
/// for two rings as much as two quadrilaterals.
const fn cost_of_boxes(rings: usize) -> usize {
    if rings == 2 { 16 } else { 3 }
}

/// Of so many rows those whose boxes are not certainly apart, in order. `None` if there are no boxes, if they don't
/// tell enough, or if it doesn't pay. Not generic over the query, so that it is compiled once for all.
fn near<const RINGS: usize>(
    operands: &TileOperands<'_, RINGS>,
    rows: usize,
    sizes: Option<[usize; RINGS]>,
    of_convex: bool,
) -> Option<Vec<usize>> {
    // Convex rows of one size could all be answered with their neighbours, for little more than their
    // vertices cost. If some are left out, the memory of the others is harder to prefetch.
    let sizes = sizes.filter(|_| operands.rings.iter().all(|it| it.column.are_convex()));
    let pays = |near: usize, seen: usize| {
        let product = sizes.map(|sizes| sizes.iter().product::<usize>());
        product.is_none_or(|product| {
            let rest = product.saturating_sub(cost_of_boxes(RINGS));
            near * (product + cost_alone(RINGS)) < seen * rest
        })
    };
    // Decided before the boxes are computed: a column of quadrilaterals has not stored them.
    if !pays(0, 1) {
        return None;
    }
    let mut boxes = Vec::with_capacity(RINGS);
    for rings in &operands.rings {
        boxes.push(rings.column.boxes(of_convex)?);
    }
    with_instructions!(simd => {
        let mut near = vec![0; rows + 1];
        let (mut count, mut seen) = (0, 0);
        let mut run = SameSizeRows::<RINGS>::Run(0..rows);
        while let Some(rows) = run.next() {
            if seen == SAMPLE && !pays(count, seen) {
                return None;
            }
            seen += rows.count();
            let mut are_near = !eight_apart(simd, operands, &boxes, &rows).to_bitmask();
            // The bits can't be predicted, so there is no branch on them.
            for lane in 0..rows.count() {
                near[count] = rows.row(lane);
                count += (are_near & 1) as usize;
                are_near >>= 1;
            }
        }
        near.truncate(count);
        Some(near)
    })
}

/// The rows of a tile that are certainly apart, as their boxes tell.
#[inline(always)]
fn eight_apart<S: Simd, const RINGS: usize>(
    simd: S,
    operands: &TileOperands<'_, RINGS>,
    boxes: &[RowBoxes<'_>],
    rows: &TileRows,
) -> mask64x8<S> {
    let zero = Vectors::both(Lane::splat(simd, 0.0));
    let mut sides = [[zero; 2]; RINGS];
    for (index, rings) in operands.rings.iter().enumerate() {
        sides[index] = load::boxes(simd, &rings.eight_boxes(boxes[index], rows));
    }
    let numbers = operands.eight_numbers_without_margin(simd, rows);
    if let Some(margin) = &operands.margin {
        // The boxes include the radii. An invalid margin tells nothing.
        let margin = load::numbers(simd, margin.eight(rows));
        let is_margin = margin.at_least(Lane::splat(simd, 0.0));
        sides[0] = grown(
            sides[0],
            is_margin.choose(margin, Lane::splat(simd, f64::NAN)),
        );
    }
    apart(sides, &numbers)
}

/// Where shapes in these boxes are certainly apart: two polygons, or a circle and a polygon.
#[inline(always)]
pub(crate) fn apart<L: Lanes, const RINGS: usize>(
    boxes: [LaneBox<L>; RINGS],
    numbers: &Numbers<L>,
) -> L::Mask {
    match boxes[..] {
        [a, b] => are_apart([a, b], numbers.velocity),
        _ => is_circle_apart(boxes[0], numbers.center, numbers.radius, numbers.velocity),
    }
}

/// Answers rows whose rings have these sizes.
fn same_size<Q: TileQuery<RINGS>, const RINGS: usize>(
    operands: &TileOperands<'_, RINGS>,
    output: &mut TileOutput<'_, '_>,
    sizes: [usize; RINGS],
    rows: SameSizeRows<'_, RINGS>,
) {
    with_instructions!(simd => same_size_with::<Q, _, RINGS>(simd, operands, output, sizes, rows));
}

/// Answers rows whose rings have these sizes, with these instructions.
///
/// Triangles, quads and octagons have kernels with unrolled loops where registers are wide enough to
/// hold them: triangles take about twice the time without, and
/// `intersects` of octagons a third more instructions.
#[inline(never)]
fn same_size_with<Q: TileQuery<RINGS>, S: Simd, const RINGS: usize>(
    simd: S,
    operands: &TileOperands<'_, RINGS>,
    output: &mut TileOutput<'_, '_>,
    sizes: [usize; RINGS],
    rows: SameSizeRows<'_, RINGS>,
) {
    let is_short = !operands.fields.intersects(Q::LONG);
    if const { has_wide_registers::<S>() && !FieldSet::ALL.is_subset(Q::LONG) } && is_short {
        if sizes == [3; RINGS] {
            return tiles::<Q, S, RINGS, 3, 6>(simd, operands, output, sizes, rows);
        }
        if sizes == [4; RINGS] {
            return tiles::<Q, S, RINGS, 4, 8>(simd, operands, output, sizes, rows);
        }
        if sizes == [8; RINGS] {
            return tiles::<Q, S, RINGS, 8, 16>(simd, operands, output, sizes, rows);
        }
    }
    tiles::<Q, S, RINGS, MOST_IN_A_TILE, MOST_EDGES>(simd, operands, output, sizes, rows);
}

/// Edges of two rings in a tile.
const MOST_EDGES: usize = 2 * MOST_IN_A_TILE;

/// Answers rows whose rings have `MOST` vertices, or if that is the most that a tile takes, these
/// sizes.
#[inline(always)]
fn tiles<
    Q: TileQuery<RINGS>,
    S: Simd,
    const RINGS: usize,
    const MOST: usize,
    const EDGES: usize,
>(
    simd: S,
    operands: &TileOperands<'_, RINGS>,
    output: &mut TileOutput<'_, '_>,
    sizes: [usize; RINGS],
    mut rows: SameSizeRows<'_, RINGS>,
) {
    simd.vectorize(
        #[inline(always)]
        || {
            // Constants where `MOST` is the size, so that loops unroll and long kernels drop out.
            let (sizes, fields) = if MOST < MOST_IN_A_TILE {
                ([MOST; RINGS], operands.fields.without(Q::LONG))
            } else {
                (sizes, operands.fields)
            };
            let zero = Lane::splat(simd, 0.0);
            // Puts a vector in memory. Without any the stack is not aligned for vectors, and what
            // the registers can't hold would lie across two lines of the cache: a third slower for
            // eight vertices.
            black_box(zero);
            // Arrays of their own, not passed to anything that could stay a call, as `map` of arrays
            // does: what a call could write to is kept out of registers.
            let mut memory = [[Vectors::both(zero); MOST]; RINGS];
            let mut edges = [Q::Edge::<S>::scratch(zero); EDGES];
            // For each ring of the rows a bit, whether it is taken to be clockwise where that is
            // not known.
            let mut reversed = [0; RINGS];
            // No loops over the rings: where they don't unroll, rings can't be kept in registers.
            const { assert!(RINGS == 1 || RINGS == 2) };
            let last = RINGS - 1;
            let mut next = rows.next();
            while let Some(rows_of_tile) = &next {
                let before = reversed;
                let into = &mut memory[0][..sizes[0]];
                let first = operands.rings[0].load::<S, MOST>(simd, rows_of_tile, into, before[0]);
                let mut windings = [first; RINGS];
                if RINGS == 2 {
                    let into = &mut memory[last][..sizes[last]];
                    let second = &operands.rings[last];
                    windings[last] = second.load::<S, MOST>(simd, rows_of_tile, into, before[last]);
                }
                let mut rings = [&memory[0][..sizes[0]]; RINGS];
                rings[last] = &memory[last][..sizes[last]];
                let sides = convex::bounds(rings);
                let size = sides[1] - sides[0];
                let error = box_error(size, size);
                let mut certain = windings[0].convex(rings[0], error, &mut reversed[0]);
                if RINGS == 2 {
                    certain &= windings[last].convex(rings[last], error, &mut reversed[last]);
                }
                if reversed != before {
                    // Some rings had the opposite winding: load the tile again with those reversed.
                    continue;
                }
                let mut numbers = operands.eight_numbers(simd, rows_of_tile);
                if Q::TURNS {
                    numbers.turns = Some(operands.eight_turns(simd, rows_of_tile));
                }
                certain &= numbers.has_finite_velocity() & numbers.has_radius();
                let tile = Tile {
                    rings,
                    sides,
                    numbers,
                    reversed: mask64x8::from_bitmask(simd, windings[0].reversed),
                    fields,
                };
                let (is_certain, answers) = Q::eight(&tile, &mut edges[..sizes.iter().sum()]);
                output.write(rows_of_tile, certain & is_certain, answers);
                next = rows.next();
            }
        },
    );
}
