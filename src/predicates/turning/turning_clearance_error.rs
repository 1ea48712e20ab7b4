//! Bounds on the errors of the clearances between rings that turn, and the lengths for which they hold.

use super::lane_rotation::LaneRotation;
use crate::predicates::bounds::error_bounds::ROUNDINGS;
use crate::simd::lanes::{Lanes, Mask};

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
