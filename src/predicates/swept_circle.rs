//! Where a moving circle first touches an edge's line or a vertex.

use std::cmp::Ordering;

use super::adaptive;
use super::length::{Length, compare_lengths};
use super::number::{Number, Polynomial, Vector};
use super::orientation::{cross, dot};
use super::sign::Sign;
use crate::geom::{Displacement, Edge, Motion, RadiusSum};

/// `(velocity × gap)² |edge|² - radius² (edge · velocity)²`. Degree 6.
#[derive(Clone, Copy, Debug)]
pub struct FootSquares {
    /// An edge.
    pub edge: Edge,
    /// From a vertex of the edge to the center of a circle.
    pub gap: Displacement,
    /// The circle's velocity.
    pub velocity: Motion,
    /// The circle's radius.
    pub radius: RadiusSum,
}

impl Polynomial for FootSquares {
    #[inline(always)]
    fn evaluate<N: Number>(&self) -> N {
        let edge = Vector::<N>::along(self.edge);
        let velocity = self.velocity.terms::<N>();
        let across = velocity.cross(&self.gap.vector());
        let along = edge.dot(&velocity).times(&self.radius.number());
        across
            .squared()
            .times(&edge.length_squared())
            .minus(&along.squared())
    }
}

impl FootSquares {
    /// Position along the edge where the circle, coming from the right, first touches the edge's
    /// line: the sign of the position past the vertex.
    ///
    /// The circle touches at `t = (|edge × gap| - radius |edge|) / |edge × velocity|`, and
    /// `edge · (gap + t velocity)` has the sign of
    /// `-(velocity × gap) |edge| - radius (edge · velocity)`.
    pub(crate) fn foot_past(&self) -> Sign {
        let velocity = self.velocity.displacement();
        let along = if self.radius.is_zero() {
            Sign::Zero
        } else {
            -dot(self.edge, velocity)
        };
        self.sum_of_roots(-cross(velocity, self.gap), along)
    }

    /// Position along the edge of the center when the circle first touches the vertex: the sign of the
    /// position past the vertex.
    ///
    /// With `D = radius² |velocity|² - (velocity × gap)²` the gap is then
    /// `(-velocity √D + left (velocity × gap)) / |velocity|²`, where `left` is the velocity turned
    /// left by a quarter: its component along the edge has the sign of
    /// `(velocity × edge) (velocity × gap) - (edge · velocity) √D`. The squares of the two terms
    /// differ by `|velocity|²` times the polynomial.
    pub(crate) fn center_past(&self) -> Sign {
        let path = self.velocity;
        let across = cross(path, self.edge.displacement()).times(cross(path, self.gap));
        let reach = Length::Number(self.radius);
        if compare_lengths(reach, Length::AcrossMotion(path, self.gap)) == Ordering::Equal {
            return across;
        }
        self.sum_of_roots(across, -dot(self.edge, path.displacement()))
    }

    /// The sign of a sum of two terms with these signs, where the square of the first less that of
    /// the second has the sign of the polynomial.
    fn sum_of_roots(&self, first: Sign, second: Sign) -> Sign {
        if first == Sign::Zero || first == second {
            second
        } else if second == Sign::Zero {
            first
        } else {
            adaptive::sign(self).times(first)
        }
    }
}
