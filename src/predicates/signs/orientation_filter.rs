//! Turns of rings in floats, a vertex in each lane, with a bound on the error.

use crate::predicates::numbers::bounded::{UNIT_ROUNDOFF, are_in_range};
use crate::simd::lanes::{Lanes, Vectors};

/// Roundings of a term of a turn: of both edges, their product, and the difference.
/// Test: `turns_in_lanes_have_the_roundings_of_a_cross_product`.
pub const TURN_ROUNDINGS: u32 = 4;

/// Where a ring certainly turns to a side, and where it certainly does not turn.
#[derive(Clone, Copy, Debug)]
pub struct Turns<M> {
    /// It turns left.
    pub left: M,
    /// It turns right.
    pub right: M,
    /// It goes straight on, or straight back.
    pub straight: M,
    /// If it does not turn, whether it goes straight back.
    pub back: M,
}

/// Whether an edge has a length and components that [`turns`] takes.
#[inline(always)]
pub fn is_usual_edge<L: Lanes>(edge: Vectors<L>) -> L::Mask {
    let zero = edge.x.all(0.0);
    let is_point = edge.x.same(zero) & edge.y.same(zero);
    are_in_range(edge) & !is_point
}

/// How a ring turns from one edge to the next, both rounded and [usual](is_usual_edge). The bound is that of
/// [`crate::predicates::numbers::bounded::Bounded`].
#[inline(always)]
pub fn turns<L: Lanes>(incoming: Vectors<L>, outgoing: Vectors<L>) -> Turns<L::Mask> {
    let (first, second) = (incoming.x * outgoing.y, incoming.y * outgoing.x);
    let zero = first.all(0.0);
    let magnitude = first.abs() + second.abs();
    let error = magnitude * zero.all(f64::from(TURN_ROUNDINGS + 2) * UNIT_ROUNDOFF);
    let cross = first - second;
    // Differences have the right signs though they are rounded, and parallel edges have the same or opposite ones.
    let (along_x, along_y) = (incoming.x * outgoing.x, incoming.y * outgoing.y);
    Turns {
        left: cross.above(error),
        right: (zero - cross).above(error),
        straight: magnitude.same(zero),
        back: zero.above(along_x) | zero.above(along_y),
    }
}
