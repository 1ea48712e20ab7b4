//! Two shapes of which one moves and both may turn, in floats that are scaled to magnitudes of
//! about 1.

use smallvec::SmallVec;

use super::boundary::Boundary;
use super::checked_shape::Shape;
use super::relative_motion::RelativeMotion;
use super::relative_vertex_motion::View;
use crate::convex::Cyclic;
use crate::geom::{Bounds, Motion, Point, Turn, Vec2, WideFloat, WideVector};
use crate::predicates::Rotation;

/// A shape about its center, with all lengths scaled by a power of two.
pub(super) struct Centered<'b> {
    pub(super) boundary: &'b Boundary,
    pub(super) center: Point,
    pub(super) turn: f64,
    /// The corners, relative to the center.
    pub(super) corners: SmallVec<[Vec2; 8]>,
    /// The edges, each at the index of the corner at which it starts.
    pub(super) edges: SmallVec<[CenteredEdge; 8]>,
    /// The box round the corners.
    pub(super) bounds: Bounds,
    /// The largest distance of a corner from the center.
    pub(super) farthest: f64,
    /// The middle of a shape that does not turn, the center of another.
    pub(super) middle: Vec2,
}

/// An edge relative to the center of its shape.
#[derive(Clone, Copy)]
pub(super) struct CenteredEdge {
    pub(super) start: Vec2,
    /// The unit vector along it; zero for an edge that is as good as a point.
    pub(super) along: Vec2,
    pub(super) extent: f64,
}

impl CenteredEdge {
    fn new(start: Vec2, end: Vec2) -> Self {
        let extent = (end - start).length();
        // Squares of shorter ones underflow.
        if extent < 1e-150 {
            return Self {
                start,
                along: Vec2::ZERO,
                extent: 0.0,
            };
        }
        Self {
            start,
            along: (end - start).times(1.0 / extent),
            extent,
        }
    }

    /// The distance from the edge's start to the point of the edge that is nearest to a given one.
    pub(super) fn part(&self, point: Vec2) -> f64 {
        (point - self.start).dot(self.along).clamp(0.0, self.extent)
    }

    /// The point of the edge that is nearest to a given one.
    pub(super) fn foot(&self, point: Vec2) -> Vec2 {
        self.start + self.along.times(self.part(point))
    }
}

/// The shapes, one of which moves.
pub(super) struct Scene<'b> {
    /// `a` and `b`.
    pub(super) shapes: [Centered<'b>; 2],
    /// From the center of `b` to that of `a` at the start.
    pub(super) start: Vec2,
    pub(super) velocity: Vec2,
    /// Lengths are divided by this power of two.
    pub(super) exponent: i32,
}

impl<'b> Scene<'b> {
    pub(super) fn new(
        shapes: [&'b Shape<'_>; 2],
        motion: RelativeMotion,
        turns: [Turn; 2],
    ) -> Self {
        let offset = motion.offset.map_or(WideVector::ZERO, Motion::wide);
        let [of_a, of_b] = turns.map(|turn| turn.center);
        let start = WideVector::between(of_b, of_a) + offset;
        let velocity = motion.velocity.wide();
        let corners = [0, 1].map(|side| {
            let (boundary, center) = (shapes[side].boundary(), turns[side].center);
            let corners = boundary.corners.iter();
            corners.map(move |corner| WideVector::between(center, corner.point))
        });
        let largest = (corners.iter().cloned().flatten())
            .chain([start, velocity])
            .flat_map(|it| [it.x.abs(), it.y.abs()])
            .fold(
                WideFloat::ZERO,
                |largest, it| if largest < it { it } else { largest },
            );
        let exponent = largest.exponent();
        let unit = WideFloat::new(1.0, -exponent);
        let scaled = |it: WideVector| (it * unit).to_vec2();
        let centered = |side: usize| {
            let corners = corners[side].clone().map(scaled).collect();
            Centered::new(shapes[side].boundary(), turns[side], corners)
        };
        Self {
            shapes: [0, 1].map(centered),
            start: scaled(start),
            velocity: scaled(velocity),
            exponent,
        }
    }

    /// From the center of `b` to that of `a`.
    pub(super) fn between(&self, time: f64) -> Vec2 {
        self.start + self.velocity.times(time)
    }

    /// How the vertices of each shape move as seen from the other one about its center, at a time.
    pub(super) fn views(&self, time: f64) -> [View; 2] {
        let [a, b] = [&self.shapes[0], &self.shapes[1]].map(|shape| shape.turn);
        let [of_a, of_b] = [a, b].map(|turn| Rotation::new(turn, time));
        let relative = if b == 0.0 {
            of_a
        } else if a == 0.0 {
            of_b.reversed()
        } else {
            Rotation::new(a - b, time)
        };
        let view = |[own, other]: [f64; 2], still: Rotation, sign: f64, rotation| View {
            center: still.of(self.between(time)).times(sign),
            velocity: still.of(self.velocity).times(sign),
            turn: own,
            back: -other,
            spin: own - other,
            rotation,
        };
        [
            view([a, b], of_b.reversed(), 1.0, relative),
            view([b, a], of_a.reversed(), -1.0, relative.reversed()),
        ]
    }
}

impl<'b> Centered<'b> {
    fn new(boundary: &'b Boundary, turn: Turn, corners: SmallVec<[Vec2; 8]>) -> Self {
        let edge = |index: usize| CenteredEdge::new(corners[index], corners[boundary.next(index)]);
        let bounds: Bounds = (corners.iter().map(|it| Point::new(it.x, it.y)))
            .map(Bounds::from)
            .collect();
        let Bounds { min, max } = bounds;
        Self {
            boundary,
            center: turn.center,
            turn: turn.angle,
            bounds,
            edges: (0..corners.len()).map(edge).collect(),
            farthest: corners.iter().map(|&it| it.length()).fold(0.0, f64::max),
            middle: if turn.angle == 0.0 {
                Vec2::new(0.5 * (min.x + max.x), 0.5 * (min.y + max.y))
            } else {
                Vec2::ZERO
            },
            corners,
        }
    }

    /// The angles by which it is turned throughout a range of time; `None` if they are many.
    pub(super) fn sector(&self, middle: f64, half: f64) -> Option<[Rotation; 2]> {
        let half = self.turn.abs() * half;
        let by = |turn, time| Rotation::new(turn, time);
        (half < std::f64::consts::FRAC_PI_2).then(|| [by(self.turn, middle), by(half, 1.0)])
    }

    /// How far it reaches along a direction, a unit vector, however it is turned within a sector.
    pub(super) fn support(&self, direction: Vec2, sector: Option<&[Rotation; 2]>) -> f64 {
        let Some(&[middle, Rotation { sin, cos }]) = sector else {
            return self.farthest;
        };
        // The corners stay, and the direction turns.
        let direction = middle.reversed().of(direction);
        let height = |corner: &Vec2| {
            let (along, across) = (corner.dot(direction), corner.cross(direction).abs());
            if across * cos < along * sin {
                corner.length()
            } else {
                along * cos + across * sin
            }
        };
        let heights = self.corners.iter().map(height);
        heights.fold(f64::NEG_INFINITY, f64::max)
    }

    /// A box relative to the center, scaled.
    pub(super) fn local(&self, Bounds { min, max }: Bounds, exponent: i32) -> Bounds {
        let unit = libm::scalbn(1.0, -exponent);
        let point =
            |it: Point| Point::new((it.x - self.center.x) * unit, (it.y - self.center.y) * unit);
        Bounds {
            min: point(min),
            max: point(max),
        }
    }
}
