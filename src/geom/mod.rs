//! The vocabulary: plain `Copy` values and nothing that decides.
//!
//! Conventions, stated once for the whole crate:
//! - coordinates are finite `f64`s, x to the right and y up, so positive turns are counterclockwise;
//! - every shape is closed: its boundary belongs to it, and touching is intersecting;
//! - a [`Point`] is a place, a [`Vec2`] a displacement or a direction.

/// A place in the plane.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct Point {
    /// Abscissa.
    pub x: f64,
    /// Ordinate.
    pub y: f64,
}

/// A displacement, a velocity over one frame, or a direction.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct Vec2 {
    /// Component along x.
    pub x: f64,
    /// Component along y.
    pub y: f64,
}

/// A disc: all points no farther than `radius` from `center`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Circle {
    /// Where the disc is.
    pub center: Point,
    /// How far it reaches; zero makes it a point.
    pub radius: f64,
}

impl Point {
    /// The point `(x, y)`.
    pub const fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }

    /// A point that stands for "there is none".
    pub const NAN: Self = Self::new(f64::NAN, f64::NAN);

    /// Whether neither coordinate is infinite or NaN.
    pub fn is_finite(self) -> bool {
        self.x.is_finite() && self.y.is_finite()
    }
}

impl Vec2 {
    /// The vector `(x, y)`.
    pub const fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }

    /// No displacement.
    pub const ZERO: Self = Self::new(0.0, 0.0);

    /// A vector that stands for "there is none".
    pub const NAN: Self = Self::new(f64::NAN, f64::NAN);

    /// Whether neither component is infinite or NaN.
    pub fn is_finite(self) -> bool {
        self.x.is_finite() && self.y.is_finite()
    }
}

impl std::ops::Neg for Vec2 {
    type Output = Self;

    fn neg(self) -> Self {
        Self::new(-self.x, -self.y)
    }
}

/// Puts `shape` at a pose: turned by `heading` radians counterclockwise about the origin, then
/// moved by `(x, y)`.
///
/// The sine and cosine are those of a portable library, not of the processor or the system, so
/// that the same pose gives the same vertices everywhere.
///
/// # Panics
///
/// If `placed` is shorter than `shape`.
pub fn place(shape: &[Point], x: f64, y: f64, heading: f64, placed: &mut [Point]) {
    let (sin, cos) = libm::sincos(heading);
    for (to, from) in placed[..shape.len()].iter_mut().zip(shape) {
        *to = Point::new(
            from.x * cos - from.y * sin + x,
            from.x * sin + from.y * cos + y,
        );
    }
}
