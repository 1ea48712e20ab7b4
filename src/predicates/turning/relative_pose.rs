//! Positions and orientations of shapes that turn, in floats with a bound on the error.

use crate::geom::Vec2;
use crate::predicates::two_product;

/// The sine and the cosine of an angle.
#[derive(Clone, Copy, Debug)]
pub struct Rotation {
    /// The sine.
    pub sin: f64,
    /// The cosine.
    pub cos: f64,
}

impl Rotation {
    /// The rotation by the angle `time * turn`.
    pub fn new(turn: f64, time: f64) -> Self {
        if turn == 0.0 {
            return Self { sin: 0.0, cos: 1.0 };
        }
        // The rounding error of a large angle exceeds the error allowed to the results, so the rotation is
        // corrected by it.
        let (angle, rest) = two_product(turn, time);
        let (sin, cos) = libm::sincos(angle);
        Self {
            sin: sin + rest * cos,
            cos: cos - rest * sin,
        }
    }

    /// The rotated vector.
    pub fn of(self, vector: Vec2) -> Vec2 {
        vector.rotated([self.cos, self.sin])
    }

    /// The rotation by the opposite angle.
    #[must_use]
    pub fn reversed(self) -> Self {
        Self {
            sin: -self.sin,
            ..self
        }
    }
}

/// The pose of a shape in the frame of another one: the origin is the other shape's center, and the
/// axes turn with it.
#[derive(Clone, Copy, Debug)]
pub struct RelativePose {
    /// The position of its center.
    pub center: Vec2,
    /// Its rotation about its center.
    pub rotation: Rotation,
}

impl RelativePose {
    /// Bounds the error of a place relative to `(1 + |turns|) * (|gap| + |arm|)`, the turns added. A vector turned by
    /// an exact angle is off by less than seven roundings of its length, sines and cosines having three; the sum
    /// adds one; the difference of the turns is rounded once. Test: `places_are_within_their_bound`.
    pub const ERROR: f64 = 4.0 * f64::EPSILON;

    /// The pose at a time. `gap` leads from the center of the other shape to that of this one at
    /// that time.
    pub fn new(gap: Vec2, [turn, other]: [f64; 2], time: f64) -> Self {
        Self {
            center: Rotation::new(-other, time).of(gap),
            rotation: Rotation::new(turn - other, time),
        }
    }

    /// The position of a point of the shape; `arm` leads from the shape's center to it at the
    /// start.
    pub fn place(&self, arm: Vec2) -> Vec2 {
        self.center + self.rotation.of(arm)
    }
}
