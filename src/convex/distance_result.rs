//! The distance of two shapes: their nearest features, from which the numbers are computed.

use std::cmp::Ordering;

use super::clipping::{advanced, point_along};
use super::minkowski_difference::right_normal;
use crate::geom::{Bounds, Displacement, Edge, Motion, Point, RadiusSum, WideFloat, WideVector};
use crate::predicates::{
    Length, Sign, TO_TEN_DIGITS, TO_THE_LAST_PLACE, TO_TWELVE_DIGITS, compare_lengths, dot,
    dot_value, length, length_difference, side,
};

/// The distance of two shapes. The nearest features are chosen exactly; the numbers are computed when asked for.
#[derive(Clone, Copy, Debug)]
pub struct Distance {
    /// `None` when the shapes intersect.
    nearest: Option<NearestFeatures>,
    radii: [f64; 2],
}

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

    /// The same after a displacement of the first shape.
    pub(crate) fn length_displaced(&self, shift: Option<Motion>) -> Length {
        let gap = |from, to| Displacement { from, to, shift };
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

    /// The same where the shapes are given in the other order.
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

    /// The nearest point of each shape.
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

/// The same for a point that is displaced.
pub(crate) fn foot_displaced(edge: Edge, point: Point, shift: Option<Motion>) -> Point {
    let length = length(edge);
    let fraction = |from: Edge| {
        let gap = Displacement {
            shift,
            ..Displacement::between(from.start, point)
        };
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
    let past = |from| dot(edge, Displacement { from, to, shift });
    past(edge.start) == Sign::Positive && past(edge.end) == Sign::Negative
}

impl Distance {
    /// The distance of shapes without a radius, given their nearest features if they are apart.
    pub(crate) fn new(nearest: Option<NearestFeatures>) -> Self {
        let radii = [0.0; 2];
        Self { nearest, radii }
    }

    /// The distance of two boxes.
    pub(crate) fn of_boxes(a: &Bounds, b: &Bounds) -> Self {
        // Along each axis the two nearest coordinates, or one that both boxes have.
        let nearest = |min_a: f64, max_a: f64, min_b: f64, max_b: f64| {
            if max_a < min_b {
                (max_a, min_b)
            } else if max_b < min_a {
                (min_a, max_b)
            } else {
                (min_a, min_a)
            }
        };
        let x = nearest(a.min.x, a.max.x, b.min.x, b.max.x);
        let y = nearest(a.min.y, a.max.y, b.min.y, b.max.y);
        let (a, b) = (Point::new(x.0, y.0), Point::new(x.1, y.1));
        Self::new((a != b).then_some(NearestFeatures::Vertices { a, b }))
    }

    /// The distance of the shapes with these radii.
    pub(crate) fn with_radii(self, radii: [f64; 2]) -> Self {
        let sum = RadiusSum::new([radii[0], radii[1], 0.0]);
        let is_apart = |nearest: &NearestFeatures| {
            sum.is_zero()
                || compare_lengths(nearest.length(), Length::Number(sum)) == Ordering::Greater
        };
        let nearest = self.nearest.filter(is_apart);
        Self { nearest, radii }
    }

    /// Compares two distances, a total order: exactly, where that of shapes with radii counts as its value to
    /// twelve digits.
    pub fn compare(&self, other: &Self) -> Ordering {
        let is_sharp = |it: &Self| it.radii == [0.0; 2];
        match (self.nearest, other.nearest) {
            (Some(own), Some(others)) if is_sharp(self) && is_sharp(other) => {
                compare_lengths(own.length(), others.length())
            }
            _ if is_sharp(self) => self.compare_with(other.value(TO_TWELVE_DIGITS)),
            _ if is_sharp(other) => other.compare(self).reverse(),
            _ => {
                let [own, others] = [self, other].map(|it| it.value(TO_TWELVE_DIGITS));
                own.total_cmp(&others)
            }
        }
    }

    /// Compares the distance with a number that is 0 or more and may be infinite, exactly.
    pub fn compare_with(&self, number: f64) -> Ordering {
        let [a, b] = self.radii;
        match self.nearest {
            Some(nearest) if number < f64::INFINITY => compare_lengths(
                nearest.length(),
                Length::Number(RadiusSum::new([a, b, number])),
            ),
            None if number == 0.0 => Ordering::Equal,
            _ => Ordering::Less,
        }
    }

    /// The nearest features of the shapes without their radii; `None` when the shapes intersect.
    pub(crate) fn nearest(&self) -> Option<NearestFeatures> {
        self.nearest
    }

    /// The distance; zero when the shapes have a point in common.
    pub fn distance(&self) -> f64 {
        self.value(TO_TEN_DIGITS)
    }

    /// The distance with this relative error at most.
    fn value(&self, error: f64) -> f64 {
        let [a, b] = self.radii;
        let radius = RadiusSum::new([a, b, 0.0]);
        self.nearest.map_or(0.0, |nearest| {
            let length = nearest.length();
            let distance = if radius.is_zero() {
                length.value(error)
            } else {
                length_difference(length, Length::Number(radius), error)
            };
            distance.to_f64()
        })
    }

    /// The point of the first shape nearest to the second; NaN when they intersect.
    pub fn closest_a(&self) -> Point {
        self.nearest.map_or(Point::NAN, |nearest| {
            moved_along(nearest.points().0, self.radii[0], || -nearest.direction())
        })
    }

    /// The point of the second shape nearest to the first; NaN when they intersect.
    pub fn closest_b(&self) -> Point {
        self.nearest.map_or(Point::NAN, |nearest| {
            moved_along(nearest.points().1, self.radii[1], || nearest.direction())
        })
    }
}

/// A point moved by a distance along a unit vector.
pub(crate) fn moved_along(
    point: Point,
    distance: f64,
    direction: impl Fn() -> WideVector,
) -> Point {
    match distance {
        0.0 => point,
        _ => advanced(point, direction() * WideFloat::from(distance)),
    }
}
