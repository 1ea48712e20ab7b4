//! Exact geometric predicates: the only place where signs are decided.
//!
//! Each predicate is the sign of a polynomial in the input's coordinates, written once (see
//! [`Polynomial`]). It is first evaluated in floats with an error bound ([`filter`]), and where the
//! bound doesn't decide, with exact numbers ([`exact`]). The numbers in results are values of the same
//! polynomials, so that they lose no digits to cancellation.

mod adaptive;
mod area_moments;
pub mod compensated;
mod crossing;
pub mod double_double;
pub mod error_bounds;
mod error_free;
pub mod exact;
pub mod filter;
mod length;
pub mod number;
mod orientation;
mod sign;

use std::cmp::Ordering;

use crate::geom::{Displacement, Edge, Motion};
use number::{Number, Polynomial, Vector};

pub(crate) use adaptive::{TO_TEN_DIGITS, TO_THE_LAST_PLACE, TO_TWELVE_DIGITS};
pub use area_moments::{Moment, TwiceArea};
pub(crate) use area_moments::{moment, twice_area};
pub use crossing::{Crossing, TimeDifference};
pub(crate) use length::{Least, length, length_difference, shortest, square_difference};
pub use length::{Length, Measured, SquareDifference, SquaredLength, compare_lengths};
pub use orientation::{Cross, Dot, between, cross, dot, side, turn};
pub(crate) use orientation::{cross_value, dot_value};
pub use sign::Sign;

/// `(velocity × gap)² |edge|² - radius² (edge · velocity)²`. Degree 6.
#[derive(Clone, Copy, Debug)]
pub struct FootSquares {
    /// The edge whose line the circle reaches.
    pub edge: Edge,
    /// From a vertex of the edge to the circle's centre.
    pub gap: Displacement,
    /// The circle's.
    pub velocity: Motion,
    /// The circle's.
    pub radius: f64,
}

impl Polynomial for FootSquares {
    #[inline(always)]
    fn evaluate<N: Number>(&self) -> N {
        let edge = Vector::<N>::along(self.edge);
        let velocity = self.velocity.terms::<N>();
        let across = velocity.cross(&self.gap.vector());
        let along = edge.dot(&velocity).times(&N::of(self.radius));
        across
            .squared()
            .times(&edge.length_squared())
            .minus(&along.squared())
    }
}

/// Where along `edge` a circle that moves by `velocity`, coming from the right, first touches the line
/// through it: the sign of the foot's position past the vertex that is `gap` before the center.
///
/// The circle touches at `t = (|edge × gap| - radius |edge|) / |edge × velocity|`, and
/// `edge · (gap + t velocity)` has the sign of
/// `-(velocity × gap) |edge| - radius (edge · velocity)`.
pub(crate) fn foot_past(edge: Edge, gap: Displacement, velocity: Motion, radius: f64) -> Sign {
    let across = -between(velocity.displacement(), gap);
    let along = -dot(edge, velocity.displacement()).times(Sign::of(radius));
    sum_of_roots(across, along, || FootSquares {
        edge,
        gap,
        velocity,
        radius,
    })
}

/// Where along `edge` the center of a circle that moves by `velocity` is when the circle first touches
/// the vertex that is `gap` before the center: the sign of the center's position past that vertex.
///
/// With `D = radius² |velocity|² - (velocity × gap)²` the gap is then
/// `(-velocity √D + left (velocity × gap)) / |velocity|²`, where `left` is the velocity turned left by
/// a quarter, so that its component along the edge has the sign of
/// `(velocity × edge) (velocity × gap) - (edge · velocity) √D`. The squares of the two terms differ by
/// `|velocity|²` times [`FootSquares`].
pub(crate) fn center_past(edge: Edge, gap: Displacement, velocity: Edge, radius: f64) -> Sign {
    let across = turn(velocity, edge).times(cross(velocity, gap));
    if compare_lengths(Length::Given(radius), Length::Across(velocity, gap)) == Ordering::Equal {
        return across;
    }
    let along = -dot(edge, velocity.displacement());
    sum_of_roots(across, along, || FootSquares {
        edge,
        gap,
        velocity: Motion::between(velocity.start, velocity.end),
        radius,
    })
}

/// The sign of a sum of two terms with these signs, whose squares differ by a polynomial with the sign
/// of `squares`, that of the first less that of the second.
fn sum_of_roots(first: Sign, second: Sign, squares: impl FnOnce() -> FootSquares) -> Sign {
    if first == Sign::Zero || first == second {
        return second;
    }
    if second == Sign::Zero {
        return first;
    }
    adaptive::sign(&squares()).times(first)
}
