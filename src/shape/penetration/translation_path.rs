//! Straight paths of translations: edges of a convolution, and rays.

use std::cmp::Ordering;

use crate::geom::{Displacement, Edge, Motion, Point, Vec2, WideVector};
use crate::predicates::{Crossing, FrameTime, RoughPoint, Sign};

/// A point of the plane of translations: the difference `b - a` of two points, given as `[a, b]`.
pub type Translation = [Point; 2];

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

    /// The edge in the opposite direction; `None` for a ray.
    pub(crate) fn reversed(&self) -> Option<Self> {
        self.end.map(|end| Self {
            start: end,
            end: Some(self.start),
            velocity: self.velocity.reversed(),
        })
    }

    /// Where along the path it comes nearest to the origin.
    pub(crate) fn foot(&self) -> FrameTime {
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
    pub(crate) fn translation(&self, time: &FrameTime) -> WideVector {
        let at_corner = |[a, b]: Translation| WideVector::between(a, b);
        match time {
            FrameTime::Start => at_corner(self.start),
            FrameTime::At(crossing) => crossing.point(from_origin(self.start)),
            FrameTime::End => at_corner(self.end.unwrap_or(self.start)),
        }
    }

    /// The translation at a time in floats, with a bound on its error.
    pub fn rough_point(&self, time: &FrameTime) -> RoughPoint {
        let difference = |[a, b]: Translation| b - a;
        let velocity = self.velocity.rounded();
        match time {
            FrameTime::Start => RoughPoint::new(difference(self.start), velocity),
            FrameTime::At(crossing) => {
                RoughPoint::at_crossing(difference(self.start), velocity, crossing)
            }
            FrameTime::End => RoughPoint::new(difference(self.end.unwrap_or(self.start)), velocity),
        }
    }

    /// Positive if the path leads from right to left across a line.
    pub(crate) fn approach(&self, crossing: &Crossing) -> Sign {
        // An edge lies along an edge of every difference to which the same edge belongs.
        let Motion { from, to, .. } = self.velocity;
        let along = Edge::new(from, to);
        if crossing.line == along || crossing.line == along.reversed() {
            return Sign::Zero;
        }
        crossing.approach()
    }
}

fn from_origin([a, b]: Translation) -> Displacement {
    Displacement::between(a, b)
}

/// The displacement from one translation to another, in as few terms as possible.
pub(crate) fn between([from_a, from_b]: Translation, [to_a, to_b]: Translation) -> Displacement {
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
