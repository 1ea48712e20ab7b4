//! Where a moving circle first touches an edge's line or a vertex, and when it touches the vertex.

use std::cmp::Ordering;

use super::length_comparison::{Length, compare_lengths, length, square_difference};
use super::orientation::{cross, dot, dot_value};
use crate::geom::{Displacement, Edge, Motion, RadiusSum, WideFloat};
use crate::predicates::numbers::adaptive::{self, TO_THE_LAST_PLACE};
use crate::predicates::numbers::ball::Ball;
use crate::predicates::numbers::big_ball::BigBall;
use crate::predicates::numbers::number_vector::Vector;
use crate::predicates::numbers::polynomial::{Number, Polynomial};
use crate::predicates::numbers::sign::Sign;

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

/// The times at which a point that moves along a line is at a distance from a vertex: the roots of
/// `|gap + t path|² = radius²`, each in the form without cancellation. There are such times.
pub(crate) struct DistanceTimes {
    gap: Displacement,
    radius: Length,
    speed: WideFloat,
    /// Half of the chord that the circle round the vertex cuts from the path, times the speed.
    half_chord: WideFloat,
    /// How fast the point approaches at the start, times the distance from the vertex.
    approach: WideFloat,
}

impl DistanceTimes {
    /// For a point at this gap from the vertex, and its path in a unit of time.
    pub(crate) fn new(gap: Displacement, path: Motion, radius: Length) -> Self {
        let speed = length(path);
        Self {
            gap,
            radius,
            speed,
            half_chord: half_chord(gap, path, radius) * speed,
            approach: -dot_value(path, gap, TO_THE_LAST_PLACE),
        }
    }

    /// The square of the distance less that of the radius, at the start.
    fn outside(&self) -> WideFloat {
        square_difference(Length::Whole(self.gap), self.radius, TO_THE_LAST_PLACE)
    }

    /// When the point, which approaches, comes within the distance.
    pub(crate) fn enter(&self) -> WideFloat {
        self.outside() / (self.approach + self.half_chord)
    }

    /// When the point leaves: the greater root.
    pub(crate) fn leave(&self) -> WideFloat {
        if self.approach.is_negative() {
            -self.outside() / (self.half_chord - self.approach)
        } else {
            (self.approach + self.half_chord) / (self.speed * self.speed)
        }
    }

    pub(crate) fn are_equal(&self) -> bool {
        self.half_chord.is_zero()
    }
}

/// When a circle that moves along a path first touches the line of an edge, or else a vertex, at this gap from its
/// start. To so many bits, for times whose difference is lost in rounding.
pub(crate) fn precise_arrival(
    edge: Option<Edge>,
    gap: Displacement,
    path: Motion,
    radius: RadiusSum,
    bits: usize,
) -> BigBall {
    let (gap, path) = (gap.vector::<BigBall>(), path.terms::<BigBall>());
    let radius = radius.number::<BigBall>();
    let Some(edge) = edge.map(Vector::<BigBall>::along) else {
        let outside = gap.length_squared().minus(&radius.squared());
        let across = path.cross(&gap).squared();
        let chord = path
            .length_squared()
            .times(&radius.squared())
            .minus(&across);
        return outside.over(&chord.root(bits).minus(&path.dot(&gap)), bits);
    };
    let reach = edge.length_squared().root(bits).times(&radius);
    let distance = edge.cross(&gap).size().minus(&reach);
    distance.over(&edge.cross(&path).size(), bits)
}

/// Half of the chord that the circle round a vertex cuts from the path of a point at this gap from it.
pub(crate) fn half_chord(gap: Displacement, path: Motion, radius: Length) -> WideFloat {
    let across = Length::AcrossMotion(path, gap);
    square_difference(radius, across, TO_THE_LAST_PLACE).sqrt()
}
