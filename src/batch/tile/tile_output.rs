//! How the answers of eight rows are written: which fields, and which rows are left open.

use fearless_simd::{mask64x8, prelude::*};

use super::tile_rows::TileRows;
use crate::batch::{OutputColumn, OutputTable, Value};
use crate::simd::lanes::Vectors;
use crate::simd::load::{LANES, Lane};

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
    /// The same value in all rows.
    Same(Value),
}

impl<S: Simd> Answers<S> {
    /// Writes the field to a column.
    #[inline(always)]
    pub(crate) fn write(&self, column: &mut OutputColumn<'_>, rows: &TileRows) {
        match (self, column) {
            (Self::Bools(mask), OutputColumn::Bool(column)) => rows.write(column, bytes(*mask)),
            (Self::Floats(numbers), OutputColumn::Float { values, width: 1 }) => {
                rows.write(values, numbers.to_array());
            }
            (Self::Vectors(Vectors { x, y }), OutputColumn::Float { values, width: 2 }) => {
                let (vectors, _) = values.as_chunks_mut::<2>();
                rows.write(vectors, by_row(x.interleave(*y).into()));
            }
            (Self::Segments([start, end]), OutputColumn::Float { values, width: 4 }) => {
                let (segments, _) = values.as_chunks_mut::<4>();
                let (xs_low, xs_high) = start.x.interleave(end.x);
                let (ys_low, ys_high) = start.y.interleave(end.y);
                let (first, second) = xs_low.interleave(ys_low);
                let (third, fourth) = xs_high.interleave(ys_high);
                rows.write(segments, by_row([first, second, third, fourth]));
            }
            (Self::Indices(numbers), OutputColumn::Index(positions)) => {
                let mut eight = [0; LANES];
                // The numbers are indices, whole and below the length of a ring.
                #[allow(clippy::cast_possible_truncation)]
                for (position, number) in eight.iter_mut().zip(numbers.to_array()) {
                    *position = number as i64;
                }
                rows.write(positions, eight);
            }
            (Self::Features(mask), OutputColumn::Feature(features)) => {
                rows.write(features, bytes(*mask).map(u8::cast_signed));
            }
            (Self::Same(value), column) => {
                for lane in 0..rows.count() {
                    column.set(rows.row(lane), *value);
                }
            }
            (_, column) => unreachable!("a field of another kind in {column:?}"),
        }
    }
}

/// `N` numbers per row, from the same numbers of all rows in memory order.
#[inline(always)]
fn by_row<S: Simd, const N: usize>(numbers: [Lane<S>; N]) -> [[f64; N]; LANES] {
    let mut all = [[0.0; LANES]; N];
    for (into, eight) in all.iter_mut().zip(numbers) {
        *into = eight.to_array();
    }
    let (rows, _) = all.as_flattened().as_chunks::<N>();
    rows.try_into().expect("eight times as many")
}

/// A table that is being filled, and its rows that are left to be answered one by one.
pub(super) struct TileOutput<'t, 'c> {
    pub(crate) table: &'t mut OutputTable<'c>,
    pub(crate) open: Vec<usize>,
}

impl TileOutput<'_, '_> {
    /// Writes the answers to a tile, and leaves the rows open where they are not `certain`.
    #[inline(always)]
    pub(crate) fn write<S: Simd>(
        &mut self,
        rows: &TileRows,
        certain: mask64x8<S>,
        answers: impl Fn(usize) -> Answers<S>,
    ) {
        for (field, column) in &mut self.table.columns {
            answers(*field).write(column, rows);
        }
        if let Some(valid) = &mut self.table.valid {
            rows.write(valid, [1; LANES]);
        }
        let certain = certain.to_bitmask();
        if certain != (1 << LANES) - 1 {
            let is_open = |lane: &usize| certain >> lane & 1 == 0;
            let lanes = (0..rows.count()).filter(is_open);
            self.open.extend(lanes.map(|lane| rows.row(lane)));
        }
    }
}

/// A byte per lane, 0 or 1.
#[inline(always)]
fn bytes<S: Simd>(mask: mask64x8<S>) -> [u8; LANES] {
    // Bit n of the mask, times the factor, is bit 7 of byte 7 - n.
    let bytes = mask.to_bitmask().wrapping_mul(0x8040_2010_0804_0201) >> 7;
    (bytes & 0x0101_0101_0101_0101).to_be_bytes()
}
