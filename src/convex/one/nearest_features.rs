//! The nearest features of two shapes that are apart, the points on them, and the foot of a perpendicular.

use super::minkowski_difference::right_normal;
use super::moved_point::point_along;
use crate::geom::{Displacement, Edge, Motion, Point, WideFloat, WideVector};
use crate::predicates::{Length, Sign, TO_THE_LAST_PLACE, dot, dot_value, length, side};

/// The nearest features of two shapes that are apart.
#[derive(Clone, Copy, Debug)]
pub(crate) enum NearestFeatures {
    /// Two vertices.
    Vertices { a: Point, b: Point },
    /// A vertex of `a` and the inside of an edge of `b`.
    VertexOfA { a: Point, edge: Edge },
    /// A vertex of `b` and the inside of an edge of `a`.
    VertexOfB { b: Point, edge: Edge },
}

impl NearestFeatures {
    /// The distance.
    pub(crate) fn length(&self) -> Length {
        self.length_displaced(None)
    }

    /// The distance after a displacement of the first shape.
    pub(crate) fn length_displaced(&self, shift: Option<Motion>) -> Length {
        let gap = |from, to| Displacement::new(from, to, shift);
        match *self {
            Self::Vertices { a, b } => Length::Whole(gap(b, a)),
            Self::VertexOfA { a, edge } => Length::Across(edge, gap(edge.start, a)),
            Self::VertexOfB { b, edge } => Length::Across(edge, gap(b, edge.start)),
        }
    }

    /// Whether the distance is zero.
    pub(crate) fn touch(&self) -> bool {
        match *self {
            Self::Vertices { a, b } => a == b,
            Self::VertexOfA { a: point, edge } | Self::VertexOfB { b: point, edge } => {
                side(edge, point) == Sign::Zero
            }
        }
    }

    /// The features where the shapes are given in the other order.
    pub(crate) fn swapped(self) -> Self {
        match self {
            Self::Vertices { a, b } => Self::Vertices { a: b, b: a },
            Self::VertexOfA { a, edge } => Self::VertexOfB { b: a, edge },
            Self::VertexOfB { b, edge } => Self::VertexOfA { a: b, edge },
        }
    }

    /// The unit vector from `b` to `a`.
    pub(crate) fn direction(&self) -> WideVector {
        let across = |edge: Edge, point: Point| match side(edge, point) {
            Sign::Negative => right_normal(edge),
            _ => -right_normal(edge),
        };
        match *self {
            Self::Vertices { a, b } => right_normal(Edge::new(b, a)).turned_left(),
            Self::VertexOfA { a, edge } => across(edge, a),
            Self::VertexOfB { b, edge } => -across(edge, b),
        }
    }

    pub(crate) fn points(&self) -> (Point, Point) {
        match *self {
            Self::Vertices { a, b } => (a, b),
            Self::VertexOfA { a, edge } => (a, foot(edge, a)),
            Self::VertexOfB { b, edge } => (foot(edge, b), b),
        }
    }
}

/// The point of an edge that is nearest to a point beside it.
pub(crate) fn foot(edge: Edge, point: Point) -> Point {
    foot_displaced(edge, point, None)
}

/// The point of an edge that is nearest to a displaced point beside it.
pub(crate) fn foot_displaced(edge: Edge, point: Point, shift: Option<Motion>) -> Point {
    let length = length(edge);
    let fraction = |from: Edge| {
        let gap = Displacement::new(from.start, point, shift);
        dot_value(from, gap, TO_THE_LAST_PLACE) / (length * length)
    };
    // From the nearer end, where the step, and so its rounding, is smaller.
    let past_start = fraction(edge);
    if past_start + past_start > WideFloat::ONE {
        let back = edge.reversed();
        point_along(back, fraction(back))
    } else {
        point_along(edge, past_start)
    }
}

/// Whether the perpendicular through a point, which may be displaced, meets the inside of an edge.
pub(crate) fn beside(edge: Edge, to: Point, shift: Option<Motion>) -> bool {
    let past = |from| dot(edge, Displacement::new(from, to, shift));
    past(edge.start) == Sign::Positive && past(edge.end) == Sign::Negative
}
