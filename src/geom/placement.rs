//! Shapes placed at poses: turned by a heading, then moved.

use super::primitives::{Point, Vec2};

/// Moves `shape` to a pose: turned by `heading` radians counterclockwise about the origin, then
/// translated by `(x, y)`.
///
/// The sine and cosine are those of a portable library, not of the processor or the system, so
/// that the same pose gives the same vertices everywhere.
pub fn place(shape: &mut [Point], x: f64, y: f64, heading: f64) {
    let placement = Placement::new([x, y, heading]);
    for vertex in shape {
        *vertex = placement.apply(*vertex);
    }
}

/// A pose, with the sine and cosine of its heading.
#[derive(Clone, Copy, Debug)]
pub struct Placement {
    position: Vec2,
    sin: f64,
    cos: f64,
}

impl Placement {
    /// The placement at the pose `[x, y, heading]`.
    pub fn new([x, y, heading]: [f64; 3]) -> Self {
        let (sin, cos) = libm::sincos(heading);
        let position = Vec2::new(x, y);
        Self { position, sin, cos }
    }

    /// The vertex moved to the pose, rounded.
    #[inline]
    pub fn apply(self, vertex: Point) -> Point {
        let Self { position, sin, cos } = self;
        (Vec2::from(vertex).rotated([cos, sin]) + position).into()
    }
}
