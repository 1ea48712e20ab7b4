//! Points, vectors, edges and circles.

use std::ops::{Add, Mul, Neg, Sub};

/// A position in the plane.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct Point {
    /// Abscissa.
    pub x: f64,
    /// Ordinate.
    pub y: f64,
}

/// A vector per lane of `L`; where a kernel has lanes, points are such vectors too.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct Vectors<L> {
    /// Components along x.
    pub x: L,
    /// Components along y.
    pub y: L,
}

/// A displacement, a velocity over one frame, or a direction.
pub type Vec2 = Vectors<f64>;

/// A disc: all points no farther than `radius` from `center`. The radius may be a sum.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Circle<R = f64> {
    /// The middle of the disc.
    pub center: Point,
    /// The radius; zero makes it a point.
    pub radius: R,
}

/// A directed segment; where only its direction matters, a direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edge {
    /// The first end.
    pub start: Point,
    /// The other end.
    pub end: Point,
}

impl Circle {
    /// Whether a circle can have this radius; NaN can't be one.
    pub fn is_radius(radius: f64) -> bool {
        radius.is_finite() && radius >= 0.0
    }
}

impl Point {
    /// The point `(0, 0)`.
    pub const ORIGIN: Self = Self::new(0.0, 0.0);

    /// The value for "no point".
    pub const NAN: Self = Self::new(f64::NAN, f64::NAN);

    /// The point `(x, y)`.
    pub const fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }

    /// Whether neither coordinate is infinite or NaN.
    #[inline]
    pub fn is_finite(self) -> bool {
        self.x.is_finite() && self.y.is_finite()
    }
}

impl Vec2 {
    /// The vector `(0, 0)`.
    pub const ZERO: Self = Self::new(0.0, 0.0);

    /// The value for "no vector".
    pub const NAN: Self = Self::new(f64::NAN, f64::NAN);

    /// The length, where its square neither overflows nor underflows.
    pub fn length(self) -> f64 {
        (self.x * self.x + self.y * self.y).sqrt()
    }

    /// Whether neither component is infinite or NaN.
    #[inline]
    pub fn is_finite(self) -> bool {
        self.x.is_finite() && self.y.is_finite()
    }
}

impl From<Point> for Vec2 {
    #[inline(always)]
    fn from(Point { x, y }: Point) -> Self {
        Self { x, y }
    }
}

impl From<Vec2> for Point {
    #[inline(always)]
    fn from(Vectors { x, y }: Vec2) -> Self {
        Self { x, y }
    }
}

impl<L> Vectors<L> {
    /// The vector `(x, y)`.
    #[inline(always)]
    pub const fn new(x: L, y: L) -> Self {
        Self { x, y }
    }
}

impl<L: Sub<Output = L>> Sub for Vectors<L> {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self {
            x: self.x - other.x,
            y: self.y - other.y,
        }
    }
}

impl<L: Add<Output = L>> Add for Vectors<L> {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self {
            x: self.x + other.x,
            y: self.y + other.y,
        }
    }
}

impl<L: Copy + Add<Output = L> + Sub<Output = L> + Mul<Output = L>> Vectors<L> {
    /// This number in both components.
    #[inline(always)]
    pub fn both(component: L) -> Self {
        Self {
            x: component,
            y: component,
        }
    }

    /// `self * factor`.
    #[inline(always)]
    pub fn times(self, factor: L) -> Self {
        Self {
            x: self.x * factor,
            y: self.y * factor,
        }
    }

    /// The vector turned counterclockwise by the angle of this cosine and sine.
    #[inline(always)]
    pub fn rotated(self, [cos, sin]: [L; 2]) -> Self {
        Self {
            x: self.x * cos - self.y * sin,
            y: self.x * sin + self.y * cos,
        }
    }

    /// `self × other`.
    #[inline(always)]
    pub fn cross(self, other: Self) -> L {
        self.x * other.y - self.y * other.x
    }

    /// `self · other`.
    #[inline(always)]
    pub fn dot(self, other: Self) -> L {
        let Self { x, y } = self.products(other);
        x + y
    }

    /// The terms of `self · other`.
    #[inline(always)]
    pub fn products(self, other: Self) -> Self {
        self.with(
            other,
            #[inline(always)]
            |own, other| own * other,
        )
    }

    /// The square of the length.
    #[inline(always)]
    pub fn length_squared(self) -> L {
        self.dot(self)
    }

    /// Applies a function to both components.
    #[inline(always)]
    pub fn map(self, change: impl Fn(L) -> L) -> Self {
        Self {
            x: change(self.x),
            y: change(self.y),
        }
    }

    /// Combines each component with the other's.
    #[inline(always)]
    pub fn with(self, other: Self, combine: impl Fn(L, L) -> L) -> Self {
        Self {
            x: combine(self.x, other.x),
            y: combine(self.y, other.y),
        }
    }
}

impl Sub for Point {
    type Output = Vec2;

    #[inline(always)]
    fn sub(self, other: Self) -> Vec2 {
        Vec2::new(self.x - other.x, self.y - other.y)
    }
}

impl Neg for Vec2 {
    type Output = Self;

    fn neg(self) -> Self {
        Self::new(-self.x, -self.y)
    }
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

    /// The edge from `end` to `start`.
    #[must_use]
    pub const fn reversed(self) -> Self {
        Self::new(self.end, self.start)
    }

    /// The edge rotated by 90 degrees clockwise about the origin, which rotates its direction as
    /// well.
    #[must_use]
    pub const fn turned_clockwise(self) -> Self {
        let Self { start, end } = self;
        Self::new(Point::new(start.y, -start.x), Point::new(end.y, -end.x))
    }
}
