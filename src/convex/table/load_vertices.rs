//! The vertices of a ring, and the edges from them, in blocks of eight.

use fearless_simd::prelude::*;

use crate::geom::Point;
use crate::simd::lanes::Vectors;
use crate::simd::load::{self, LANES, Lane};

/// Eight vertices from `first` on.
#[inline(always)]
pub(crate) fn eight<S: Simd>(simd: S, ring: &[Point], first: usize) -> Vectors<Lane<S>> {
    load::points(simd, ring[first..].first_chunk().expect("eight vertices"))
}

/// The first vertex of a block of eight; the last block overlaps the one before.
#[inline(always)]
pub(crate) fn first(block: usize, count: usize) -> usize {
    (block * LANES).min(count - LANES)
}

/// Where eight edges start and end.
#[inline(always)]
pub(crate) fn edges<S: Simd>(
    simd: S,
    ring: &[Point],
    block: usize,
) -> (Vectors<Lane<S>>, Vectors<Lane<S>>) {
    let first = first(block, ring.len());
    let start = eight(simd, ring, first);
    let end = if first + LANES < ring.len() {
        eight(simd, ring, first + 1)
    } else {
        start.with(load::splat(simd, ring[0]), slide_to_next)
    };
    (start, end)
}

/// All but the first of eight numbers, then the first of the following eight.
#[inline(always)]
pub(crate) fn slide_to_next<S: Simd>(numbers: Lane<S>, following: Lane<S>) -> Lane<S> {
    numbers.slide::<1>(following)
}
