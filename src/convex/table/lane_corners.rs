//! The corners of a ring, or in lanes of several rings side by side, and their bounding boxes.

use crate::geom::Point;
use crate::simd::lanes::{Lanes, Vectors};

/// The vertices of a ring, in order; over lanes, of as many rings of the same length.
pub(crate) trait Corners<L> {
    /// How many there are.
    fn count(&self) -> usize;
    /// One of them.
    fn corner(&self, index: usize) -> Vectors<L>;

    /// The ends of the edge that starts at a vertex.
    #[inline(always)]
    fn ends(&self, start: usize) -> [Vectors<L>; 2] {
        let is_last = start + 1 == self.count();
        let end = if is_last { 0 } else { start + 1 };
        [self.corner(start), self.corner(end)]
    }

    /// The edge that starts at a vertex.
    #[inline(always)]
    fn edge_vector(&self, start: usize) -> Vectors<L>
    where
        L: Lanes,
    {
        let [start, end] = self.ends(start);
        end - start
    }
}

impl Corners<f64> for [Point] {
    #[inline(always)]
    fn count(&self) -> usize {
        self.len()
    }

    #[inline(always)]
    fn corner(&self, index: usize) -> Vectors<f64> {
        self[index].into()
    }
}

impl<L: Lanes> Corners<L> for [Vectors<L>] {
    #[inline(always)]
    fn count(&self) -> usize {
        self.len()
    }

    #[inline(always)]
    fn corner(&self, index: usize) -> Vectors<L> {
        self[index]
    }
}

/// The lower left and the upper right corner of the common bounding box of rings.
#[inline(always)]
pub(crate) fn bounds<L: Lanes, R: Corners<L> + ?Sized, const N: usize>(
    rings: [&R; N],
) -> [Vectors<L>; 2] {
    let [mut low, mut high] = own_bounds(rings[0]);
    for ring in &rings[1..] {
        let [its_low, its_high] = own_bounds(*ring);
        low = low.with(its_low, L::smaller);
        high = high.with(its_high, L::larger);
    }
    [low, high]
}

#[inline(always)]
fn own_bounds<L: Lanes, R: Corners<L> + ?Sized>(ring: &R) -> [Vectors<L>; 2] {
    let [mut low, mut high] = [ring.corner(0); 2];
    for index in 1..ring.count() {
        let corner = ring.corner(index);
        low = low.with(corner, L::smaller);
        high = high.with(corner, L::larger);
    }
    [low, high]
}

/// The width and height of the common bounding box of rings.
#[inline(always)]
pub(crate) fn span<L: Lanes, R: Corners<L> + ?Sized, const N: usize>(rings: [&R; N]) -> Vectors<L> {
    let [low, high] = bounds(rings);
    high - low
}
