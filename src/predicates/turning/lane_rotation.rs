//! Rotations per lane, in floats with a bound on the error.

use crate::simd::lanes::{Lanes, Vectors};

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
        let mut rotation = Self(Vectors::new(cos, small * sin));
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
        Self(Vectors::new(x, x.all(0.0) - y))
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
