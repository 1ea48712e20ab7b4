//! Straight paths of translations: edges of a convolution, and rays.

use std::cmp::Ordering;

use crate::geom::{Displacement, Edge, Motion, Point, Vec2, WideFloat};
use crate::predicates::{Crossing, FrameTime, Sign};

/// A point of the plane of translations: the difference `b - a` of two points, given as `[a, b]`.
pub type Translation = [Point; 2];

/// Relative error of a rough time, and of the path to it.
const ROUGH: f64 = 1e-9;

/// Error of the path where it underflows: four of the least floats, each half of which a product loses.
const UNDERFLOW: f64 = f64::from_bits(4);

/// A straight path of translations: an edge, from its start at time 0 to its end at time 1, or a ray.
#[derive(Clone, Copy, Debug)]
pub struct Path {
    /// The start.
    pub start: Translation,
    /// The end; `None` for a ray.
    pub end: Option<Translation>,
    /// From its start to its end, or the direction of the ray.
    pub velocity: Motion,
}

impl Path {
    /// The ray along a direction from the origin, which is the zero translation.
    pub fn ray(direction: Vec2) -> Self {
        Self {
            start: [Point::ORIGIN; 2],
            end: None,
            velocity: direction.into(),
        }
    }

    /// The same edge in the opposite direction; `None` for a ray.
    pub(super) fn reversed(&self) -> Option<Self> {
        self.end.map(|end| Self {
            start: end,
            end: Some(self.start),
            velocity: self.velocity.reversed(),
        })
    }

    /// Where along the path it comes nearest to the origin.
    pub(super) fn foot(&self) -> FrameTime {
        let Motion { from, to, .. } = self.velocity;
        let crossing = Crossing {
            line: Edge::new(from, to).turned_clockwise(),
            gap: from_origin(self.start),
            velocity: self.velocity,
        };
        crossing.frame_time().unwrap_or_else(|order| match order {
            Ordering::Greater => FrameTime::End,
            _ => FrameTime::Start,
        })
    }

    /// The translation at a time, to the last place.
    pub(super) fn translation(&self, time: &FrameTime) -> [WideFloat; 2] {
        let at_corner = |[a, b]: Translation| {
            [
                WideFloat::difference(b.x, a.x),
                WideFloat::difference(b.y, a.y),
            ]
        };
        match time {
            FrameTime::Start => at_corner(self.start),
            FrameTime::At(crossing) => crossing.point(from_origin(self.start)),
            FrameTime::End => at_corner(self.end.unwrap_or(self.start)),
        }
    }

    /// The same translation in floats, with a bound on its error.
    pub fn rough_point(&self, time: &FrameTime) -> RoughPoint {
        let difference = |[a, b]: Translation| b - a;
        let (start, velocity) = (difference(self.start), self.velocity.rounded());
        let (at, error) = match time {
            FrameTime::Start => (start, 0.0),
            FrameTime::End => (difference(self.end.unwrap_or(self.start)), 0.0),
            FrameTime::At(crossing) => {
                let time = crossing.time_within(ROUGH / 8.0);
                // Where the direction is long and the shapes are small, the time is no float.
                let step = velocity.map(|it| (WideFloat::from(it) * time).to_f64());
                let error = ROUGH * largest(step) + 4.0 * f64::EPSILON * largest(start) + UNDERFLOW;
                (Vec2::new(start.x + step.x, start.y + step.y), error)
            }
        };
        RoughPoint {
            at,
            error: error + f64::EPSILON * largest(at),
            velocity,
        }
    }

    /// Positive if the path leads from right to left across a line.
    pub(super) fn approach(&self, crossing: &Crossing) -> Sign {
        // An edge lies along an edge of every difference to which the same edge belongs.
        let Motion { from, to, .. } = self.velocity;
        let along = Edge::new(from, to);
        if crossing.line == along || crossing.line == along.reversed() {
            return Sign::Zero;
        }
        crossing.approach()
    }
}

/// A point of a path, rounded.
pub struct RoughPoint {
    /// The point.
    pub at: Vec2,
    /// Bounds the error of each component; NaN where floats overflow.
    pub error: f64,
    /// The velocity of the path.
    pub velocity: Vec2,
}

impl RoughPoint {
    /// This point for comparisons in a union of this extent: the bound also covers the roundings of lines
    /// through other points, and of products with them, six of half a unit in the last place of the largest
    /// coordinate. Test: `sides_of_rough_lines_are_within_their_bound`.
    #[inline(always)]
    #[must_use]
    pub fn within(mut self, extent: f64) -> Self {
        self.error += 8.0 * f64::EPSILON * (extent + largest(self.at));
        self
    }
}

/// The larger component of a vector.
pub(super) fn largest(vector: Vec2) -> f64 {
    vector.x.abs().max(vector.y.abs())
}

/// The displacement from the origin to a translation.
fn from_origin([a, b]: Translation) -> Displacement {
    Displacement::between(a, b)
}

/// The displacement from one translation to another, in as few terms as possible.
pub(super) fn between([from_a, from_b]: Translation, [to_a, to_b]: Translation) -> Displacement {
    if from_a == to_a {
        Displacement::between(from_b, to_b)
    } else if from_b == to_b {
        Displacement::between(to_a, from_a)
    } else if to_a == to_b {
        Displacement::between(from_b, from_a)
    } else {
        Displacement::between(from_b, to_b).shifted(Motion::between(to_a, from_a))
    }
}
