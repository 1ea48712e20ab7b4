//! Eight rows side by side: how they are loaded, and what becomes of their answers.

use fearless_simd::{f64x4, f64x8, mask64x8, prelude::*};

use crate::batch::column::Column;
use crate::geom::{Bounds, Point, Vec2};
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

/// The coordinates of two vertices of one row, then of the next, the last vertex again where there
/// is only one.
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

/// Two vertices in every row, from two in two rows at a time.
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

/// One box of each of eight rows.
#[inline(always)]
pub(super) fn boxes<S: Simd>(simd: S, rows: &[Bounds; LANES]) -> [Vectors<Lane<S>>; 2] {
    let [a, b, c, d, e, f, g, h] = rows.map(|bounds| f64x4::simd_from(simd, bounds.numbers()));
    transposed([a.combine(b), c.combine(d), e.combine(f), g.combine(h)])
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
    /// Two points per row.
    Segments([Vectors<Lane<S>>; 2]),
    /// NaN in all rows.
    Nothing,
}

/// The rows of a tile.
#[derive(Clone, Copy)]
pub(super) enum Places {
    /// Eight that follow one another.
    Run(usize),
    /// The first so many of these; those that follow are rows too, but answered elsewhere.
    Listed([usize; LANES], usize),
}

impl<S: Simd> Answers<S> {
    /// Writes them to a column.
    #[inline(always)]
    pub(super) fn write(&self, column: &mut Column<'_>, places: &Places) {
        match (self, column) {
            (Self::Bools(mask), Column::Bool(bytes)) => places.write_bools(bytes, *mask),
            (Self::Floats(numbers), Column::Float { values, width: 1 }) => {
                places.write(values, numbers.to_array());
            }
            (Self::Vectors(Vectors { x, y }), Column::Float { values, width: 2 }) => {
                let (pairs, _) = values.as_chunks_mut::<2>();
                places.write(pairs, rows(x.interleave(*y).into()));
            }
            (Self::Segments([start, end]), Column::Float { values, width: 4 }) => {
                let (segments, _) = values.as_chunks_mut::<4>();
                let (xs_low, xs_high) = start.x.interleave(end.x);
                let (ys_low, ys_high) = start.y.interleave(end.y);
                let (first, second) = xs_low.interleave(ys_low);
                let (third, fourth) = xs_high.interleave(ys_high);
                places.write(segments, rows([first, second, third, fourth]));
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

/// So many numbers per row, from those of all rows one after the other.
#[inline(always)]
fn rows<S: Simd, const N: usize>(numbers: [Lane<S>; N]) -> [[f64; N]; LANES] {
    let mut all = [[0.0; LANES]; N];
    for (into, eight) in all.iter_mut().zip(numbers) {
        *into = eight.to_array();
    }
    let (rows, _) = all.as_flattened().as_chunks::<N>();
    rows.try_into().expect("eight times as many")
}

impl Places {
    /// Of rows that follow one another, eight or fewer.
    #[inline(always)]
    pub(super) fn run(first: usize, count: usize) -> Self {
        if count == LANES {
            return Self::Run(first);
        }
        let mut rows = [first; LANES];
        for (lane, row) in rows[..count].iter_mut().enumerate() {
            *row += lane;
        }
        Self::Listed(rows, count)
    }

    /// How many there are.
    #[inline(always)]
    pub(super) fn count(&self) -> usize {
        match self {
            Self::Run(_) => LANES,
            Self::Listed(_, count) => *count,
        }
    }

    /// One of them.
    #[inline(always)]
    pub(super) fn row(&self, lane: usize) -> usize {
        match self {
            Self::Run(first) => first + lane,
            Self::Listed(rows, _) => rows[lane],
        }
    }

    /// Writes one item per row.
    #[inline(always)]
    pub(super) fn write<T: Copy>(&self, column: &mut [T], values: [T; LANES]) {
        match self {
            Self::Run(first) => column[*first..][..LANES].copy_from_slice(&values),
            Self::Listed(rows, count) => {
                for (&row, value) in rows[..*count].iter().zip(values) {
                    column[row] = value;
                }
            }
        }
    }

    /// Writes a byte per row, 0 or 1.
    #[inline(always)]
    fn write_bools<S: Simd>(&self, column: &mut [u8], mask: mask64x8<S>) {
        let bits = mask.to_bitmask();
        match self {
            Self::Run(first) => {
                column[*first..][..LANES].copy_from_slice(&spread(mask));
            }
            Self::Listed(rows, count) => {
                for (lane, &row) in rows[..*count].iter().enumerate() {
                    column[row] = u8::from(bits >> lane & 1 == 1);
                }
            }
        }
    }
}

/// A byte per lane, 0 or 1.
#[inline(always)]
fn spread<S: Simd>(mask: mask64x8<S>) -> [u8; LANES] {
    // Bit n of the mask, times the factor, is bit 7 of byte 7 - n.
    let bytes = mask.to_bitmask().wrapping_mul(0x8040_2010_0804_0201) >> 7;
    (bytes & 0x0101_0101_0101_0101).to_be_bytes()
}
