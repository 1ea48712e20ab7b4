//! Every way in which an input is refused, with the position of the fault.

use std::fmt;

use crate::geom::Point;

/// Why a vertex array is not a polygon this crate can answer for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum InvalidPolygon {
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
        /// The vertex where the second edge starts.
        value: Point,
    },
    /// A vertex lies inside the hull of its ring by more than rounding.
    NotConvex {
        /// Position in the caller's order.
        vertex: usize,
        /// The vertex itself.
        value: Point,
    },
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

impl fmt::Display for InvalidPolygon {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::TooFewVertices { count } => {
                write!(f, "a polygon has three vertices or more, not {count}")
            }
            Self::NotFinite { vertex, value } => write!(
                f,
                "vertex {vertex} is {}; coordinates must be finite",
                Numbers(&[value.x, value.y])
            ),
            Self::ZeroArea => f.write_str("all vertices lie on one line: the area is zero"),
            Self::Spike { vertex, value } => write!(
                f,
                "the ring turns back on itself at vertex {vertex}, ({:?}, {:?})",
                value.x, value.y
            ),
            Self::SelfIntersection {
                first,
                second,
                value,
            } => write!(
                f,
                "the ring meets itself: edge {first} and edge {second}, \
                 which starts at vertex {second}, ({:?}, {:?}), have a point in common",
                value.x, value.y
            ),
            Self::NotConvex { vertex, value } => write!(
                f,
                "the polygon is not convex at vertex {vertex}, ({:?}, {:?})",
                value.x, value.y
            ),
        }
    }
}

impl std::error::Error for InvalidPolygon {}
