//! Differences of places that keep what rounding left of them, for numbers good to the last places.

use super::filter::UNIT_ROUNDOFF;
use crate::simd::lanes::{Lanes, Vectors};

/// A bound on the error of [`Compensated::dot`], in units of the terms' sizes, and of its own: the
/// products are rounded, then their sum, then what is added to it. The rest is room.
const ERROR: f64 = 1.0625 * UNIT_ROUNDOFF;
const OWN_ERROR: f64 = 2.125 * UNIT_ROUNDOFF;

/// Sizes between which products of four differences, and of such a product with a fifth, stay in
/// the normal range of floats: 2^200, and for a product of two 2^-400.
const LARGEST: f64 = f64::from_bits((1023 + 200) << 52);
/// The smaller of these: what is no larger may be nothing but underflow.
pub const SMALLEST: f64 = f64::from_bits((1023 - 400) << 52);

/// The difference of two places, and what its rounding left.
#[derive(Clone, Copy, Debug)]
pub struct Compensated<L> {
    high: Vectors<L>,
    low: Vectors<L>,
}

impl<L: Lanes> Compensated<L> {
    /// From one place to another.
    #[inline(always)]
    pub fn new(to: Vectors<L>, from: Vectors<L>) -> Self {
        let high = to - from;
        // Knuth's sum of two floats and its error.
        let less = high - to;
        let low = (to - (high - less)) - (from + less);
        Self { high, low }
    }

    /// A vector that is one to the last digit.
    #[inline(always)]
    pub fn exactly(vector: Vectors<L>) -> Self {
        Self {
            high: vector,
            low: Vectors::both(vector.x.all(0.0)),
        }
    }

    /// The same, a quarter turn to the left.
    #[inline(always)]
    pub fn turned_left(self) -> Self {
        Self {
            high: self.high.turned_left(),
            low: self.low.turned_left(),
        }
    }

    /// The scalar product and a bound on its error, as long as no product of two differences other
    /// than zero is smaller than [`SMALLEST`] or overflows. `tests/core/predicates.rs` holds it.
    #[inline(always)]
    pub fn dot(&self, other: &Self) -> (L, L) {
        let Vectors { x, y } = self.high.products(other.high);
        let all = |number| x.all(number);
        let rest = self.high.dot(other.low) + self.low.dot(other.high);
        let dot = (x + y) + rest;
        let error = (x.abs() + y.abs()) * all(ERROR) + dot.abs() * all(OWN_ERROR);
        (dot, error)
    }
}

/// The larger side of the box round some places.
#[inline(always)]
pub fn extent<L: Lanes>(places: [Vectors<L>; 4]) -> L {
    let [mut low, mut high] = [places[0]; 2];
    for place in &places[1..] {
        low = low.with(*place, L::smaller);
        high = high.with(*place, L::larger);
    }
    let size = high - low;
    size.x.larger(size.y)
}

/// Whether an extent is such that products stay in the normal range of floats.
#[inline(always)]
pub fn is_usual<L: Lanes>(extent: L) -> L::Mask {
    extent.above(extent.all(SMALLEST)) & extent.all(LARGEST).above(extent)
}

/// How wrong a fraction of a vector may be, times the vector's larger component, for a point on the
/// way along it; four roundings of that vector are allowed for besides.
///
/// The public contract allows a point eight units in the last place of the extent, which are eight
/// roundings of it at least; the rest is room.
#[inline(always)]
pub fn allowed<L: Lanes>(extent: L, longest: L) -> L {
    let all = |number| extent.all(number);
    (extent * all(7.8) - longest * all(4.1)) * all(UNIT_ROUNDOFF)
}
