//! Every way in which an input is refused, with the position of the fault.

use std::fmt;

use crate::geom::Point;

/// Why rings are not a polygon this crate can answer for. Rings are counted from the shell, which
/// is ring 0; vertices and edges within their ring, an edge by the vertex where it starts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum InvalidPolygon {
    /// A ring is none.
    Ring {
        /// Which.
        ring: usize,
        /// What is wrong with it.
        why: InvalidRing,
    },
    /// Two rings cross, or share more than a point.
    RingsMeet {
        /// Which, in rising order.
        rings: [usize; 2],
        /// The edges that do, one of each.
        edges: [usize; 2],
        /// A point of both.
        at: Point,
        /// Whether they share a stretch.
        shared: bool,
    },
    /// A hole lies outside the shell.
    HoleOutside {
        /// Which ring.
        ring: usize,
        /// A vertex of it that does.
        value: Point,
    },
    /// A hole lies in another hole.
    HoleInHole {
        /// Which ring.
        ring: usize,
        /// The other.
        other: usize,
    },
    /// Rings that touch each other cut the interior in two.
    InteriorCut {
        /// A ring that closes the cut.
        ring: usize,
        /// Where it touches another.
        at: Point,
    },
    /// It has a hole, so it is not convex.
    HasHole,
    /// A vertex lies inside the hull of its ring by more than rounding.
    NotConvex {
        /// Position in the caller's order.
        vertex: usize,
        /// The vertex itself.
        value: Point,
    },
}

/// Why vertices are not a ring.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum InvalidRing {
    /// Fewer than three vertices, the closing one not counted.
    TooFewVertices {
        /// How many there were.
        count: usize,
    },
    /// A coordinate is infinite or NaN.
    NotFinite {
        /// Position in the caller's order.
        vertex: usize,
        /// The vertex itself.
        value: Point,
    },
    /// All vertices lie on one line.
    ZeroArea,
    /// The ring turns back on itself at a vertex.
    Spike {
        /// Position in the caller's order.
        vertex: usize,
        /// The vertex itself.
        value: Point,
    },
    /// Two edges that are not neighbours meet, or the ring winds round more than once.
    SelfIntersection {
        /// Position of the first edge: it runs from this vertex to the next.
        first: usize,
        /// Position of the second edge.
        second: usize,
        /// A point of both.
        at: Point,
    },
}

impl InvalidPolygon {
    /// Whether it is a polygon all the same, only not a convex one.
    pub fn is_concave(&self) -> bool {
        matches!(self, Self::HasHole | Self::NotConvex { .. })
    }
}

/// A number as Python writes it, which spells NaN in small letters.
pub(crate) struct Number(pub(crate) f64);

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_nan() {
            f.write_str("nan")
        } else {
            write!(f, "{:?}", self.0)
        }
    }
}

/// Numbers in parentheses.
pub(crate) struct Numbers<'a>(pub(crate) &'a [f64]);

impl fmt::Display for Numbers<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, &number) in self.0.iter().enumerate() {
            f.write_str(if position == 0 { "(" } else { ", " })?;
            write!(f, "{}", Number(number))?;
        }
        f.write_str(")")
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Numbers(&[self.x, self.y]).fmt(f)
    }
}

impl fmt::Display for InvalidPolygon {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Ring { ring: 0, why } => why.fmt(f),
            Self::Ring { ring, why } => write!(f, "ring {ring}: {why}"),
            Self::RingsMeet {
                rings: [first, second],
                edges: [one, other],
                at,
                shared,
            } => {
                let what = if shared { "share a stretch" } else { "cross" };
                write!(
                    f,
                    "rings {first} and {second} {what}: edge {one} of ring {first} and \
                     edge {other} of ring {second} meet at {at}"
                )
            }
            Self::HoleOutside { ring, value } => write!(
                f,
                "ring {ring} is a hole outside the shell: {value} is not inside; the shell comes first"
            ),
            Self::HoleInHole { ring, other } => {
                write!(f, "ring {ring} is a hole inside another hole, ring {other}")
            }
            Self::InteriorCut { ring, at } => write!(
                f,
                "rings that touch cut the interior in two: ring {ring} closes the cut at {at}"
            ),
            Self::HasHole => f.write_str("the polygon is not convex: it has a hole, ring 1"),
            Self::NotConvex { vertex, value } => {
                write!(f, "the polygon is not convex at vertex {vertex}, {value}")
            }
        }
    }
}

impl fmt::Display for InvalidRing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::TooFewVertices { count } => {
                write!(
                    f,
                    "a polygon has three vertices or more, not {count}, closing ones not counted"
                )
            }
            Self::NotFinite { vertex, value } => {
                write!(f, "vertex {vertex} is {value}; coordinates must be finite")
            }
            Self::ZeroArea => f.write_str("all vertices lie on one line: the area is zero"),
            Self::Spike { vertex, value } => {
                write!(
                    f,
                    "the ring turns back on itself at vertex {vertex}, {value}"
                )
            }
            Self::SelfIntersection { first, second, at } => write!(
                f,
                "the ring meets itself: edge {first} and edge {second} have the point {at} in \
                 common"
            ),
        }
    }
}

impl std::error::Error for InvalidPolygon {}
