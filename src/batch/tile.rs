//! Eight rows side by side: how they are loaded, and what becomes of their answers.

use fearless_simd::{f64x8, mask64x8, prelude::*};

use crate::batch::column::Column;
use crate::geom::{Point, Vec2};
use crate::predicates::lanes::Vectors;

/// Rows in a tile.
pub(super) const LANES: usize = 8;

/// One number per row.
pub type Lane<S> = f64x8<S>;

/// Loads the first vertices of eight rows: as many as the ring has room for.
#[inline(always)]
pub(super) fn load<S: Simd>(simd: S, rows: &[&[Point]; LANES], ring: &mut [Vectors<Lane<S>>]) {
    let count = ring.len();
    // Lengths that are known here make each load one instruction.
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
    for first in (0..count).step_by(4) {
        let columns = transposed([
            four(simd, &rows[0][first..]),
            four(simd, &rows[1][first..]),
            four(simd, &rows[2][first..]),
            four(simd, &rows[3][first..]),
            four(simd, &rows[4][first..]),
            four(simd, &rows[5][first..]),
            four(simd, &rows[6][first..]),
            four(simd, &rows[7][first..]),
        ]);
        for index in 0..4.min(count - first) {
            let [x, y] = [columns[2 * index], columns[2 * index + 1]];
            ring[first + index] = Vectors { x, y };
        }
    }
}

/// The coordinates of four vertices, the last one again where there are fewer.
#[inline(always)]
fn four<S: Simd>(simd: S, vertices: &[Point]) -> Lane<S> {
    let [p, q, r, s] = match vertices.first_chunk::<4>() {
        Some(four) => *four,
        None => {
            let last = vertices.len() - 1;
            [0, 1, 2, 3].map(|index: usize| vertices[index.min(last)])
        }
    };
    Lane::simd_from(simd, [p.x, p.y, q.x, q.y, r.x, r.y, s.x, s.y])
}

/// What was the n-th number of each row becomes the n-th row.
#[inline(always)]
fn transposed<S: Simd>(rows: [Lane<S>; LANES]) -> [Lane<S>; LANES] {
    shuffled(shuffled(shuffled(rows)))
}

/// Each row between those of the other half: three times this is a transposition.
#[inline(always)]
fn shuffled<S: Simd>([a, b, c, d, e, f, g, h]: [Lane<S>; LANES]) -> [Lane<S>; LANES] {
    let [(a, b), (c, d), (e, f), (g, h)] = [
        a.interleave(e),
        b.interleave(f),
        c.interleave(g),
        d.interleave(h),
    ];
    [a, b, c, d, e, f, g, h]
}

/// One number of each of eight rows.
#[inline(always)]
pub(super) fn numbers<S: Simd>(simd: S, rows: [f64; LANES]) -> Lane<S> {
    Lane::simd_from(simd, rows)
}

/// One vector of each of eight rows.
#[inline(always)]
pub(super) fn vectors<S: Simd>(simd: S, rows: &[Vec2; LANES]) -> Vectors<Lane<S>> {
    let [a, b, c, d, e, f, g, h] = *rows;
    let first = Lane::simd_from(simd, [a.x, a.y, b.x, b.y, c.x, c.y, d.x, d.y]);
    let second = Lane::simd_from(simd, [e.x, e.y, f.x, f.y, g.x, g.y, h.x, h.y]);
    let (x, y) = first.deinterleave(second);
    Vectors { x, y }
}

/// Turns the rings that run clockwise the other way.
#[inline(always)]
pub(super) fn turn<S: Simd>(ring: &mut [Vectors<Lane<S>>], clockwise: mask64x8<S>) {
    let last = ring.len() - 1;
    for index in 0..ring.len() / 2 {
        let (first, second) = (ring[index], ring[last - index]);
        ring[index] = Vectors::choose(clockwise, second, first);
        ring[last - index] = Vectors::choose(clockwise, first, second);
    }
}

/// A field of eight answers.
pub enum Answers<S: Simd> {
    /// A yes or no per row.
    Bools(mask64x8<S>),
    /// A number per row.
    Floats(Lane<S>),
    /// A vector per row.
    Vectors(Vectors<Lane<S>>),
    /// A position per row, a whole number.
    Indices(Lane<S>),
    /// For each row whether it is the second of two features.
    Features(mask64x8<S>),
    /// NaN in all rows.
    Nothing,
}

/// The rows of a tile: eight that follow one another, or as they are listed. Where there are fewer,
/// the first takes the place of those that are missing.
#[derive(Clone, Copy)]
pub(super) struct Places {
    first: usize,
    listed: Option<[usize; LANES]>,
    count: usize,
}

impl<S: Simd> Answers<S> {
    /// Writes them to a column.
    #[inline(always)]
    pub(super) fn write(&self, column: &mut Column<'_>, places: &Places) {
        match (self, column) {
            (Self::Bools(mask), Column::Bool(bytes)) => places.write(bytes, spread(*mask)),
            (Self::Floats(numbers), Column::Float { values, width: 1 }) => {
                places.write(values, numbers.to_array());
            }
            (Self::Vectors(Vectors { x, y }), Column::Float { values, width: 2 }) => {
                let (pairs, _) = values.as_chunks_mut::<2>();
                let (low, high) = x.interleave(*y);
                let (low, high) = (low.to_array(), high.to_array());
                let pair =
                    |half: [f64; LANES], index: usize| [half[2 * index], half[2 * index + 1]];
                places.write(
                    pairs,
                    [
                        pair(low, 0),
                        pair(low, 1),
                        pair(low, 2),
                        pair(low, 3),
                        pair(high, 0),
                        pair(high, 1),
                        pair(high, 2),
                        pair(high, 3),
                    ],
                );
            }
            (Self::Indices(numbers), Column::Index(positions)) => {
                let mut eight = [0; LANES];
                // Whole numbers below the length of a ring.
                #[allow(clippy::cast_possible_truncation)]
                for (position, number) in eight.iter_mut().zip(numbers.to_array()) {
                    *position = number as i64;
                }
                places.write(positions, eight);
            }
            (Self::Features(mask), Column::Feature(features)) => {
                places.write(features, spread(*mask).map(u8::cast_signed));
            }
            (Self::Nothing, Column::Float { values, width: 4 }) => {
                let (segments, _) = values.as_chunks_mut::<4>();
                places.write(segments, [[f64::NAN; 4]; LANES]);
            }
            (_, column) => unreachable!("a field of another kind in {column:?}"),
        }
    }
}

impl Places {
    /// Rows that follow one another.
    #[inline(always)]
    pub(super) fn run(first: usize, count: usize) -> Self {
        if count == LANES {
            return Self {
                first,
                listed: None,
                count,
            };
        }
        let mut rows = [0; LANES];
        for (lane, row) in rows.iter_mut().enumerate() {
            *row = first + lane;
        }
        Self::listed(rows, count)
    }

    /// The first so many of these, which ascend.
    #[inline(always)]
    pub(super) fn listed(mut rows: [usize; LANES], count: usize) -> Self {
        let [first, .., last] = rows;
        let is_run = count == LANES && last == first + LANES - 1;
        for row in &mut rows[count..] {
            *row = first;
        }
        Self {
            first,
            listed: (!is_run).then_some(rows),
            count,
        }
    }

    /// How many there are.
    #[inline(always)]
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// One of them.
    #[inline(always)]
    pub(super) fn row(&self, lane: usize) -> usize {
        match &self.listed {
            None => self.first + lane,
            Some(rows) => rows[lane],
        }
    }

    /// The first, if they follow one another.
    #[inline(always)]
    pub(super) fn first_of_run(&self) -> Option<usize> {
        self.listed.is_none().then_some(self.first)
    }

    /// The same rows counted from where a table begins.
    #[inline(always)]
    pub(super) fn after(&self, start: usize) -> Self {
        Self {
            first: start + self.first,
            listed: self.listed.map(|rows| rows.map(|row| start + row)),
            count: self.count,
        }
    }

    /// Writes one item per row.
    #[inline(always)]
    pub(super) fn write<T: Copy>(&self, column: &mut [T], values: [T; LANES]) {
        match &self.listed {
            None => column[self.first..][..LANES].copy_from_slice(&values),
            Some(rows) => {
                for (&row, value) in rows[..self.count].iter().zip(values) {
                    column[row] = value;
                }
            }
        }
    }
}

/// A byte per lane, 0 or 1.
#[inline(always)]
fn spread<S: Simd>(mask: mask64x8<S>) -> [u8; LANES] {
    // Bit n of the mask, times the factor, is bit 7 of byte 7 - n.
    let bits = mask.to_bitmask().wrapping_mul(0x8040_2010_0804_0201);
    ((bits >> 7) & 0x0101_0101_0101_0101).to_be_bytes()
}
