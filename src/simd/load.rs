//! Loading a tile: eight rows of an array, transposed to one row per lane.

use fearless_simd::{f64x4, f64x8, mask64x8, prelude::*};

use super::lanes::{Lanes, Vectors};
use crate::geom::{Bounds, Point, Vec2};

/// Rows in a tile.
pub(crate) const LANES: usize = 8;

/// The most vertices of a ring that is processed in a tile, which compares all pairs of vertices. With 64, contact intervals,
/// approaches and circles take less time than one by one, overlaps and the time of a sweep more; `way_cliffs.py` shows the
/// step to 65.
pub(crate) const MOST_IN_A_TILE: usize = 64;

/// Whether a ring with this number of vertices can be processed in a tile.
#[inline]
pub(crate) fn fits_a_tile(count: usize) -> bool {
    (3..=MOST_IN_A_TILE).contains(&count)
}

/// Whether a tile of pairs takes a ring with this number of vertices; segments and points are rings of two and of one.
#[inline]
pub(crate) fn fits_a_tile_if_thin(count: usize) -> bool {
    (1..=MOST_IN_A_TILE).contains(&count)
}

/// One number per row.
pub type Lane<S> = f64x8<S>;

/// Loads the first `ring.len()` vertices of eight rows.
#[inline(always)]
pub(crate) fn load<S: Simd>(simd: S, rows: &[&[Point]; LANES], ring: &mut [Vectors<Lane<S>>]) {
    let count = ring.len();
    // With the lengths known here each load is one instruction.
    let [a, b, c, d, e, f, g, h] = *rows;
    let rows = [
        &a[..count],
        &b[..count],
        &c[..count],
        &d[..count],
        &e[..count],
        &f[..count],
        &g[..count],
        &h[..count],
    ];
    for first in (0..count).step_by(2) {
        let two = transposed([
            two_of_two(simd, [rows[0], rows[1]], first),
            two_of_two(simd, [rows[2], rows[3]], first),
            two_of_two(simd, [rows[4], rows[5]], first),
            two_of_two(simd, [rows[6], rows[7]], first),
        ]);
        ring[first] = two[0];
        if first + 1 < count {
            ring[first + 1] = two[1];
        }
    }
}

/// The coordinates of two vertices of one row, then of the next; the last vertex twice if only one is
/// left.
#[inline(always)]
fn two_of_two<S: Simd>(simd: S, [row, next]: [&[Point]; 2], first: usize) -> Lane<S> {
    two(simd, row, first).combine(two(simd, next, first))
}

#[inline(always)]
fn two<S: Simd>(simd: S, vertices: &[Point], first: usize) -> f64x4<S> {
    let p = vertices[first];
    let q = vertices[(first + 1).min(vertices.len() - 1)];
    f64x4::simd_from(simd, [p.x, p.y, q.x, q.y])
}

/// Two vertices of each of eight rows, transposed to one row per lane. Each input holds two
/// vertices of two rows.
#[inline(always)]
fn transposed<S: Simd>([a, b, c, d]: [Lane<S>; LANES / 2]) -> [Vectors<Lane<S>>; 2] {
    let (x_of_first_rows, y_of_first_rows) = a.deinterleave(b);
    let (x_of_last_rows, y_of_last_rows) = c.deinterleave(d);
    let (x, next_x) = x_of_first_rows.deinterleave(x_of_last_rows);
    let (y, next_y) = y_of_first_rows.deinterleave(y_of_last_rows);
    [
        Vectors { x, y },
        Vectors {
            x: next_x,
            y: next_y,
        },
    ]
}

/// The boxes of eight rows, one per lane.
#[inline(always)]
pub(crate) fn boxes<S: Simd>(simd: S, rows: &[Bounds; LANES]) -> [Vectors<Lane<S>>; 2] {
    let [a, b, c, d, e, f, g, h] = rows.map(|bounds| f64x4::simd_from(simd, bounds.numbers()));
    transposed([a.combine(b), c.combine(d), e.combine(f), g.combine(h)])
}

/// The numbers of eight rows, one per lane.
#[inline(always)]
pub(crate) fn numbers<S: Simd>(simd: S, rows: [f64; LANES]) -> Lane<S> {
    Lane::simd_from(simd, rows)
}

/// The vectors of eight rows, one per lane.
#[inline(always)]
pub(crate) fn vectors<S: Simd>(simd: S, rows: &[Vec2; LANES]) -> Vectors<Lane<S>> {
    let [a, b, c, d, e, f, g, h] = *rows;
    let first = Lane::simd_from(simd, [a.x, a.y, b.x, b.y, c.x, c.y, d.x, d.y]);
    let second = Lane::simd_from(simd, [e.x, e.y, f.x, f.y, g.x, g.y, h.x, h.y]);
    let (x, y) = first.deinterleave(second);
    Vectors { x, y }
}

/// Eight points, one per lane.
#[inline(always)]
pub(crate) fn points<S: Simd>(simd: S, points: &[Point; LANES]) -> Vectors<Lane<S>> {
    let [a, b, c, d, e, f, g, h] = *points;
    let first = Lane::simd_from(simd, [a.x, a.y, b.x, b.y, c.x, c.y, d.x, d.y]);
    let second = Lane::simd_from(simd, [e.x, e.y, f.x, f.y, g.x, g.y, h.x, h.y]);
    let (x, y) = first.deinterleave(second);
    Vectors { x, y }
}

/// One point in every lane.
#[inline(always)]
pub(crate) fn splat<S: Simd>(simd: S, point: Point) -> Vectors<Lane<S>> {
    Vectors {
        x: Lane::splat(simd, point.x),
        y: Lane::splat(simd, point.y),
    }
}

/// Reverses the rings that are clockwise.
#[inline(always)]
pub(crate) fn reverse_clockwise<S: Simd>(ring: &mut [Vectors<Lane<S>>], clockwise: mask64x8<S>) {
    let last = ring.len() - 1;
    for index in 0..ring.len() / 2 {
        let (first, second) = (ring[index], ring[last - index]);
        ring[index] = Vectors::choose(clockwise, second, first);
        ring[last - index] = Vectors::choose(clockwise, first, second);
    }
}

/// The first lane with the least value, the value, and the least of the others.
#[inline(always)]
pub(crate) fn least_two<S: Simd>(simd: S, values: Lane<S>) -> (usize, [f64; 2]) {
    let least = values.reduce_min();
    let lane = values.same(values.all(least)).to_bitmask().trailing_zeros() as usize % LANES;
    let is_first = mask64x8::from_bitmask(simd, 1 << lane);
    let others = is_first.select(values.all(f64::INFINITY), values);
    (lane, [least, others.reduce_min()])
}
