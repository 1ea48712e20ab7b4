//! Why a shape or a ring is invalid, with the position of the fault.

use std::fmt;

use crate::geom::Point;

/// A ring of a shape: the shell of a polygon is ring 0, the holes follow. Small, as it is in every error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RingPosition {
    /// Which of several polygons it belongs to; `None` if the shape is one polygon.
    pub part: Option<u32>,
    /// The ring, within its polygon.
    pub ring: u32,
}

impl RingPosition {
    /// A ring of a polygon, or of one of several.
    pub(crate) fn new(part: Option<usize>, ring: usize) -> Self {
        let number = |it| u32::try_from(it).unwrap_or(u32::MAX);
        Self {
            part: part.map(number),
            ring: number(ring),
        }
    }
}

/// Why a shape is invalid. Vertices have the index in their ring, in the caller's order; an edge has the
/// index of its first vertex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum InvalidShape {
    /// A ring is invalid on its own.
    Ring {
        /// The ring.
        ring: usize,
        /// Why it is invalid.
        why: InvalidRing,
    },
    /// One of several points, paths or polygons is invalid on its own.
    Part {
        /// The part.
        part: usize,
        /// The ring, within the part.
        ring: usize,
        /// Why it is invalid.
        why: InvalidRing,
    },
    /// One of several polygons lies in another.
    PartInPart {
        /// The inner polygon.
        part: usize,
        /// The outer polygon.
        other: usize,
    },
    /// Two rings cross, or share an edge or a part of one.
    RingsMeet {
        /// The rings, in increasing order.
        rings: [RingPosition; 2],
        /// An edge of each.
        edges: [usize; 2],
        /// A common point of the edges.
        at: Point,
        /// Whether the edges have a segment in common.
        shared: bool,
    },
    /// A hole lies outside the shell.
    HoleOutside {
        /// The hole.
        ring: RingPosition,
        /// A vertex of it that is outside.
        value: Point,
    },
    /// A hole lies in another hole.
    HoleInHole {
        /// The inner hole.
        ring: RingPosition,
        /// The outer hole.
        other: RingPosition,
    },
    /// The interior is disconnected, because rings touch each other.
    InteriorCut {
        /// A ring that completes the separation.
        ring: RingPosition,
        /// A point where it touches another ring.
        at: Point,
    },
    /// The shape is of a kind that is convex in no case, or only in some.
    Kind {
        /// The kind's name in Python.
        name: &'static str,
    },
    /// The shape is a path or points without a radius, and not both shapes are convex.
    NoInterior {
        /// The kind's name in Python.
        name: &'static str,
    },
    /// The shape is not convex, and there is a radius or a margin.
    RoundedConcave,
    /// The shape has a radius, of which only one predicate is defined.
    RadiusInPredicate,
    /// There is a radius, where an area is asked for.
    RadiusInArea,
    /// The polygon is not convex, because it has a hole.
    HasHole,
    /// The polygon is not convex: a vertex lies inside the hull by more than rounding.
    NotConvex {
        /// The index of the vertex.
        vertex: usize,
        /// Its coordinates.
        value: Point,
    },
}

/// Why vertices are not a valid ring.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum InvalidRing {
    /// Fewer than three vertices, the closing one not counted.
    TooFewVertices {
        /// The number of vertices.
        count: usize,
    },
    /// A coordinate is infinite or NaN.
    NotFinite {
        /// The index of the vertex.
        vertex: usize,
        /// Its coordinates.
        value: Point,
    },
    /// A point has a coordinate that is infinite or NaN.
    PointNotFinite {
        /// The point.
        value: Point,
    },
    /// A point, path or polygon without vertices.
    Empty,
    /// A path of fewer than two vertices.
    ShortPath {
        /// The number of vertices.
        count: usize,
    },
    /// All vertices of one of several paths coincide, of which a predicate is not defined.
    PathOfOnePoint,
    /// All vertices are collinear.
    ZeroArea,
    /// The two edges at a vertex overlap.
    Spike {
        /// The index of the vertex.
        vertex: usize,
        /// Its coordinates.
        value: Point,
    },
    /// Two edges that are not neighbours meet.
    SelfIntersection {
        /// The index of the first edge.
        first: usize,
        /// The index of the second edge.
        second: usize,
        /// A common point of both.
        at: Point,
    },
}

impl InvalidShape {
    /// Whether the polygon is valid, and only not convex.
    pub fn is_concave(&self) -> bool {
        matches!(
            self,
            Self::HasHole | Self::NotConvex { .. } | Self::Kind { .. }
        )
    }
}

impl fmt::Display for RingPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ring = self.ring;
        match self.part {
            None => write!(f, "ring {ring}"),
            Some(part) if ring == 0 => write!(f, "part {part}"),
            Some(part) => write!(f, "ring {ring} of part {part}"),
        }
    }
}

impl fmt::Display for InvalidShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Ring { ring: 0, why } => why.fmt(f),
            Self::Ring { ring, why } => write!(f, "ring {ring}: {why}"),
            Self::Part {
                part,
                why: InvalidRing::Empty,
                ..
            } => write!(f, "part {part} is empty"),
            Self::Part { part, ring: 0, why } => write!(f, "part {part}: {why}"),
            Self::Part { part, ring, why } => write!(f, "part {part}: ring {ring}: {why}"),
            Self::PartInPart { part, other } => {
                write!(
                    f,
                    "part {part} lies inside part {other}; parts must not overlap"
                )
            }
            Self::RingsMeet {
                rings: [first, second],
                edges: [one, other],
                at,
                shared,
            } => {
                match (first.part, second.part) {
                    (None, _) => write!(f, "rings {} and {}", first.ring, second.ring)?,
                    (Some(part), other) if other == first.part => {
                        write!(f, "rings {} and {} of part {part}", first.ring, second.ring)?;
                    }
                    (Some(part), Some(other)) if first.ring == 0 && second.ring == 0 => {
                        write!(f, "parts {part} and {other}")?;
                    }
                    _ => write!(f, "{first} and {second}")?,
                }
                let what = if shared { "share an edge" } else { "cross" };
                write!(
                    f,
                    " {what}: edge {one} of {first} and edge {other} of {second} meet at {at}"
                )
            }
            Self::HoleOutside { ring, value } => write!(
                f,
                "{ring} is a hole outside the shell: {value} is not inside; the shell comes first"
            ),
            Self::HoleInHole { ring, other } => {
                write!(f, "{ring} is a hole inside another hole, {other}")
            }
            Self::InteriorCut { ring, at } => write!(
                f,
                "rings that touch cut the interior in two: {ring} closes the cut at {at}"
            ),
            Self::Kind { name } => write!(f, "the {name} is not convex"),
            Self::NoInterior { name } => write!(
                f,
                "the {name} has no interior; penetration takes polygons, or two convex shapes of any kind"
            ),
            Self::RoundedConcave => f.write_str(
                "the shape is not convex; with a radius or a margin penetration takes convex shapes",
            ),
            Self::RadiusInPredicate => {
                f.write_str("there is a radius, which only the predicate 'intersects' takes")
            }
            Self::RadiusInArea => {
                f.write_str("there is a radius; overlap_area takes shapes without one")
            }
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
            Self::PointNotFinite { value } => {
                write!(f, "the point is {value}; coordinates must be finite")
            }
            Self::Empty => f.write_str("there are no vertices"),
            Self::ShortPath { count } => {
                write!(f, "a path has two vertices or more, not {count}")
            }
            Self::PathOfOnePoint => f.write_str(
                "all vertices of the path coincide; only the predicate 'intersects' takes it",
            ),
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

impl std::error::Error for InvalidShape {}
