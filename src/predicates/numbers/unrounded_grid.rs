//! Coordinates that are multiples of a number so large that no difference and no product of them is rounded.

use crate::simd::lanes::{Lanes, Vectors};

/// Where coordinates are multiples of a common quantum, so few of which span the box that no
/// difference, and no product or sum of products of two differences, is rounded.
///
/// A sum with a number 2^29 times the span is rounded to a multiple of half that number's last
/// place, the quantum. The span is below 2^25 of these, and a product of two below 2^50.
/// Test: `on_a_grid_nothing_is_rounded`.
#[derive(Clone, Copy, Debug)]
pub struct Grid<L: Lanes> {
    rounder: L,
}

impl<L: Lanes> Grid<L> {
    /// The finest grid for differences up to `span`.
    #[inline(always)]
    pub fn new(span: L) -> Self {
        let rounder = span * span.all(f64::from(1 << 29));
        Self { rounder }
    }

    /// The finest grid on which not even products of four differences are rounded, nor the
    /// difference of two such: the span is below 2^12 quanta, a cross product below 2^25 of their
    /// squares, and the difference below 2^51 of their fourth powers.
    #[inline(always)]
    pub fn for_products_of_squares(span: L) -> Self {
        let rounder = span * span.all((1_u64 << 42) as f64);
        Self { rounder }
    }

    /// Whether a coordinate is on the grid. Far from the origin, where the sum could be rounded
    /// less finely, the answer is no.
    #[inline(always)]
    pub fn holds(&self, coordinate: L) -> L::Mask {
        let eighth = self.rounder * self.rounder.all(0.125);
        let rounded = (coordinate + self.rounder) - self.rounder;
        rounded.same(coordinate) & eighth.above(coordinate.abs())
    }

    /// Whether both coordinates are.
    #[inline(always)]
    pub fn holds_both(&self, place: Vectors<L>) -> L::Mask {
        self.holds(place.x) & self.holds(place.y)
    }
}
