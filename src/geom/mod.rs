//! The vocabulary: plain `Copy` values and nothing that decides.
//!
//! Conventions, stated once for the whole crate:
//! - coordinates are finite `f64`s, x to the right and y up, so positive turns are counterclockwise;
//! - every shape is closed: its boundary belongs to it, and touching is intersecting;
//! - a [`Point`] is a place, a [`Vec2`] a displacement or a direction.

mod bounds;
mod motion;
mod wide_float;

pub use bounds::Bounds;
pub use motion::Motion;
pub(crate) use wide_float::WideFloat;

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

/// A directed segment; where only its direction matters, a direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edge {
    /// Where it begins.
    pub start: Point,
    /// Where it ends.
    pub end: Point,
}

/// `to - from + shift`, not rounded: what a motion adds to a place is never folded into it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Displacement {
    /// Where it begins.
    pub from: Point,
    /// Where it would end without the shift.
    pub to: Point,
    /// What is added, if anything.
    pub shift: Option<Motion>,
}

impl Edge {
    /// The edge from `start` to `end`.
    pub const fn new(start: Point, end: Point) -> Self {
        Self { start, end }
    }

    /// The edge from the origin along `vector`.
    pub const fn from_origin(vector: Vec2) -> Self {
        Self::new(Point::ORIGIN, Point::new(vector.x, vector.y))
    }

    /// The same segment, run through the other way.
    #[must_use]
    pub const fn reversed(self) -> Self {
        Self::new(self.end, self.start)
    }

    /// What leads from its start to its end.
    pub const fn displacement(self) -> Displacement {
        Displacement::between(self.start, self.end)
    }
}

impl Displacement {
    /// What leads from one point to another.
    pub const fn between(from: Point, to: Point) -> Self {
        Self {
            from,
            to,
            shift: None,
        }
    }

    /// This displacement and `shift` on top of it, in place of any other.
    #[must_use]
    pub const fn shifted(self, shift: Motion) -> Self {
        Self {
            shift: Some(shift),
            ..self
        }
    }

    /// This displacement after its end moved within a frame.
    #[must_use]
    pub fn after(self, velocity: Motion) -> Self {
        self.shifted(self.shift.map_or(velocity, |shift| shift.then(velocity)))
    }
}

impl Point {
    /// The point `(0, 0)`.
    pub const ORIGIN: Self = Self::new(0.0, 0.0);

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

/// Moves `shape` to a pose: turned by `heading` radians counterclockwise about the origin, then
/// moved by `(x, y)`.
///
/// The sine and cosine are those of a portable library, not of the processor or the system, so
/// that the same pose gives the same vertices everywhere.
pub fn place(shape: &mut [Point], x: f64, y: f64, heading: f64) {
    let (sin, cos) = libm::sincos(heading);
    for vertex in shape {
        *vertex = Point::new(
            vertex.x * cos - vertex.y * sin + x,
            vertex.x * sin + vertex.y * cos + y,
        );
    }
}
