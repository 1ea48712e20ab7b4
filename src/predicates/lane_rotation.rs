//! Rotations per lane, and the clearances of rings that turn, in floats with bounds on the errors.

use super::error_bounds::ROUNDINGS;
use crate::simd::lanes::{Lanes, Mask, Vectors};

/// The cosine (`x`) and the sine (`y`) of an angle per lane.
#[derive(Clone, Copy, Debug)]
pub struct LaneRotation<L>(pub Vectors<L>);

/// The factors between consecutive terms of the Taylor series of cosine and sine.
const COS: [f64; 9] = divisors(0.0);
const SIN: [f64; 9] = divisors(1.0);

/// How often an angle is halved before the series is evaluated: the largest one becomes less than
/// 0.8.
const HALVINGS: i32 = 6;

/// `1 / ((2 k - 1 + first) (2 k + first))`, from the ninth to the first.
const fn divisors(first: f64) -> [f64; 9] {
    let (mut all, mut index, mut k) = ([0.0; 9], 9, 1.0);
    while index > 0 {
        index -= 1;
        all[index] = 1.0 / ((2.0 * k - 1.0 + first) * (2.0 * k + first));
        k += 1.0;
    }
    all
}

impl<L: Lanes> LaneRotation<L> {
    /// The largest angle, in radians, for which the error bound holds.
    pub const LARGEST: f64 = 50.0;

    /// Bounds the error of sine and cosine, as the length of a vector. Each series is off by less than 2.5 units of
    /// rounding (half of ε), the vector by 3.6; squared six times, that is multiplied by 64, and each square adds
    /// less than √5 units: 371 in all. Test: `rotations_per_lane_are_within_their_bound`.
    pub const ERROR: f64 = 200.0 * f64::EPSILON;

    /// The rotation by an angle.
    #[inline(always)]
    pub fn by(angle: L) -> Self {
        let small = angle * angle.all(1.0 / f64::from(1 << HALVINGS));
        let (square, one) = (small * small, angle.all(1.0));
        let (mut cos, mut sin) = (one, one);
        for index in 0..COS.len() {
            cos = one - square * angle.all(COS[index]) * cos;
            sin = one - square * angle.all(SIN[index]) * sin;
        }
        let mut rotation = Self(Vectors {
            x: cos,
            y: small * sin,
        });
        for _ in 0..HALVINGS {
            rotation = rotation.then(rotation);
        }
        rotation
    }

    /// The rotation by the opposite angle.
    #[inline(always)]
    #[must_use]
    pub fn reversed(self) -> Self {
        let Vectors { x, y } = self.0;
        Self(Vectors {
            x,
            y: x.all(0.0) - y,
        })
    }

    /// The rotation by the sum of both angles.
    #[inline(always)]
    #[must_use]
    pub fn then(self, next: Self) -> Self {
        Self(next.of(self.0))
    }

    /// The rotated vector.
    #[inline(always)]
    pub fn of(self, vector: Vectors<L>) -> Vectors<L> {
        vector.rotated([self.0.x, self.0.y])
    }
}

/// Squares of lengths neither overflow nor underflow if the sum of all is between these.
/// Test: `squares_of_usual_lengths_are_normal`.
pub const USUAL_LENGTHS: [f64; 2] = [1e-100, 1e100];

/// Edges that are shorter may have a square that underflows. They count as points, since the errors of all clearances
/// are larger. Test: `squares_of_usual_lengths_are_normal`.
pub const SHORTEST: f64 = 1e-140;

/// One over a length; zero of one whose square may underflow.
#[inline(always)]
pub(crate) fn inverse_length<L: Lanes>(length: L) -> L {
    let is_long = length.above(length.all(SHORTEST));
    is_long.choose(length.all(1.0) / length, length.all(0.0))
}

/// The errors of the clearances between two rings that turn.
#[derive(Clone, Copy, Debug)]
pub struct ClearanceError<L: Lanes> {
    rounding: L,
    /// The lanes in which the errors are bounded.
    pub is_known: L::Mask,
}

impl<L: Lanes> ClearanceError<L> {
    /// Bounds the error of a clearance relative to the lengths that take part, added. After four steps the rotation of a
    /// ring is composed of five, each off by 371 units of rounding (half of ε), in four products that add √5 units each; the
    /// relative one is composed of two: 3,730 units. The angles and times are rounded, by less than 300 units as turns
    /// are of at most 50; differences, products with the normal and the sum by less than 20.
    /// Test: `places_of_turning_rings_are_within_their_bound`.
    pub const RELATIVE: f64 = 2200.0 * f64::EPSILON;

    /// The farthest vertex of a ring from its center, in lengths of the shortest edge, up to which the normals of its edges
    /// tell that rings overlap: as the vertices are rounded relative to the center, a normal is off by up to 2 units for
    /// each of these, and 3 more. With them the errors add up to 4,117 units, of 4,400 in the bound.
    /// Tests: `clearances_are_negative_where_overlaps_are_told`, `an_overlap_told_by_rounded_normals_is_one`.
    pub const FARTHEST_IN_EDGES: f64 = 32.0;

    /// The bound for lengths of this sum, and turns whose sizes have this sum.
    #[inline(always)]
    pub fn new(lengths: L, turns: L) -> Self {
        let [least, most] = USUAL_LENGTHS.map(|it| lengths.all(it));
        Self {
            rounding: lengths * lengths.all(Self::RELATIVE),
            is_known: lengths.above(least)
                & most.above(lengths)
                & turns.all(LaneRotation::<L>::LARGEST).at_least(turns),
        }
    }

    /// A rounded clearance above this certainly exceeds a sum of products of lengths, of twenty roundings at most.
    #[inline(always)]
    pub fn above(&self, sum: L) -> L {
        sum * sum.all(1.0 + ROUNDINGS) + self.rounding
    }

    /// Whether normals are precise enough to tell that rings overlap, given the distance of a ring's farthest vertex from
    /// its center and the length of its shortest edge.
    #[inline(always)]
    pub fn tells_overlaps(&self, farthest: L, shortest: L) -> L::Mask {
        self.is_known & (shortest * shortest.all(Self::FARTHEST_IN_EDGES)).above(farthest)
    }
}
