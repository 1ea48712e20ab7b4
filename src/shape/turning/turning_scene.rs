//! Two shapes of which one moves and both may turn, in floats that are scaled to magnitudes of
//! about 1.

use smallvec::SmallVec;

use super::relative_vertex_motion::RelativeMotionAt;
use super::shapes_at::{A, B};
use super::turning_origin::{OriginArc, origins};
use crate::convex::Cyclic;
use crate::geom::{Bounds, Motion, Point, Vec2, WideFloat, WideVector};
use crate::predicates::Rotation;
use crate::shape::boundary::Boundary;
use crate::shape::checked_shape::Shape;
use crate::shape::relative_motion::RelativeMotion;

/// The ratio of an origin's path to all other lengths above which these keep fewer than half of their digits.
const VAST: f64 = 1e8;

/// A shape relative to its origin, with all lengths scaled by a power of two.
pub(super) struct Centered<'b> {
    pub(crate) boundary: &'b Boundary,
    /// Its center, or the middle of its box where the center is far away: see [`origins`].
    pub(crate) origin: Point,
    pub(crate) turn: f64,
    pub(crate) arc: OriginArc,
    /// The corners, relative to the origin.
    pub(crate) corners: SmallVec<[Vec2; 8]>,
    /// The edges, each at the index of the corner at which it starts.
    pub(crate) edges: SmallVec<[CenteredEdge; 8]>,
    /// The box round the corners.
    pub(crate) bounds: Bounds,
    /// The largest distance of a corner from the origin.
    pub(crate) farthest: f64,
    /// The middle of a shape that does not turn, the origin of another.
    pub(crate) middle: Vec2,
}

/// An edge relative to the origin of its shape.
#[derive(Clone, Copy)]
pub(super) struct CenteredEdge {
    pub(crate) start: Vec2,
    /// The unit vector along it; zero for an edge that is as good as a point.
    pub(crate) along: Vec2,
    pub(crate) extent: f64,
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
    pub(crate) fn part(&self, point: Vec2) -> f64 {
        (point - self.start).dot(self.along).clamp(0.0, self.extent)
    }

    /// The point of the edge that is nearest to a given one.
    pub(crate) fn foot(&self, point: Vec2) -> Vec2 {
        self.start + self.along.times(self.part(point))
    }
}

/// The shapes, one of which moves.
pub(super) struct Scene<'b> {
    /// `a` and `b`.
    pub(crate) shapes: [Centered<'b>; 2],
    /// From the origin of `b` to that of `a` at the start.
    pub(crate) start: Vec2,
    pub(crate) velocity: Vec2,
    /// How both move together by turning alike, not scaled. It is left out of all else.
    pub(super) together: OriginArc,
    /// Lengths are divided by this power of two.
    pub(crate) exponent: i32,
    /// Whether the shapes fly so far by turning that the lengths between them at the start are lost.
    pub(super) is_vast: bool,
}

impl<'b> Scene<'b> {
    pub(crate) fn new(shapes: [&'b Shape<'_>; 2], motion: &RelativeMotion) -> Self {
        let offset = motion.offset.map_or(WideVector::ZERO, Motion::wide);
        let velocity = motion.velocity.wide();
        let (turns, origins) = (motion.both_turns(), origins(shapes, motion));
        let [of_a, of_b] = origins;
        let start = WideVector::between(of_b, of_a) + offset;
        let corners = [0, 1].map(|side| {
            let (boundary, origin) = (shapes[side].boundary(), origins[side]);
            let corners = boundary.corners.iter();
            corners.map(move |corner| WideVector::between(origin, corner.point))
        });
        let arcs = [0, 1].map(|side| {
            let turn = turns[side];
            WideVector::between(turn.center, origins[side]) * turn.angle.into()
        });
        // Of shapes that turn alike only the difference of the arcs moves one relative to the other.
        let (arcs, together) = if turns[A].angle == turns[B].angle {
            let between_centers = WideVector::between(turns[B].center, turns[A].center);
            let arm = WideVector::between(of_b, of_a) - between_centers;
            let arc = arm * turns[A].angle.into();
            ([arc, WideVector::ZERO], arcs[B])
        } else {
            (arcs, WideVector::ZERO)
        };
        // How far the origins may move: by less than twice their distance from the centers.
        let ways = [0, 1].map(|side| arcs[side] * (2.0 / turns[side].angle.abs().max(2.0)).into());
        let vectors = (corners.iter().cloned().flatten()).chain([start, velocity]);
        let [extent, way] = [largest(vectors), largest(ways)];
        let is_vast = extent * VAST.into() < way;
        let exponent = if extent < way { way } else { extent }.exponent();
        let unit = WideFloat::new(1.0, -exponent);
        let scaled = |it: WideVector| (it * unit).to_vec2();
        let centered = |side: usize| {
            let corners = corners[side].clone().map(scaled).collect();
            let arc = OriginArc {
                turn: turns[side].angle,
                vector: scaled(arcs[side]),
            };
            Centered::new(shapes[side].boundary(), origins[side], arc, corners)
        };
        Self {
            shapes: [0, 1].map(centered),
            start: scaled(start),
            velocity: scaled(velocity),
            together: OriginArc {
                turn: turns[B].angle,
                vector: together.to_vec2(),
            },
            exponent,
            is_vast,
        }
    }

    /// From the origin of `b` to that of `a`.
    pub(crate) fn between(&self, time: f64) -> Vec2 {
        let [moved_a, moved_b] = self.shapes.each_ref().map(|shape| shape.arc.moved(time));
        self.straight(time) + (moved_a - moved_b)
    }

    /// From the origin of `b` to that of `a`, if nothing turned.
    fn straight(&self, time: f64) -> Vec2 {
        self.start + self.velocity.times(time)
    }

    /// How fast that changes, and a bound of its second derivative.
    pub(super) fn velocity_between(&self, time: f64) -> (Vec2, f64) {
        let [a, b] = self.shapes.each_ref();
        let velocity = self.velocity + (a.arc.velocity(time) - b.arc.velocity(time));
        let [of_a, of_b] = [a, b].map(|it| it.turn.abs() * it.arc.vector.length());
        (velocity, of_a + of_b)
    }

    /// How the vertices of each shape move as seen from the other one about its origin, at a time.
    pub(crate) fn views(&self, time: f64) -> [RelativeMotionAt; 2] {
        let [a, b] = [&self.shapes[0], &self.shapes[1]].map(|shape| shape.turn);
        let [of_a, of_b] = [a, b].map(|turn| Rotation::new(turn, time));
        let relative = if b == 0.0 {
            of_a
        } else if a == 0.0 {
            of_b.reversed()
        } else {
            Rotation::new(a - b, time)
        };
        let straight = self.straight(time);
        let moved = self.shapes.each_ref().map(|shape| shape.arc.moved(time));
        let view = |own: usize, still: Rotation, sign: f64, rotation: Rotation| {
            let [mover, frame] = [own, 1 - own].map(|side| &self.shapes[side]);
            let pull = straight.times(sign) + moved[own];
            RelativeMotionAt {
                origin: still.of(pull - moved[1 - own]),
                pull: still.of(pull),
                arcs: [rotation.of(mover.arc.vector), still.of(frame.arc.vector)],
                velocity: still.of(self.velocity).times(sign),
                turn: mover.turn,
                back: -frame.turn,
                spin: mover.turn - frame.turn,
                rotation,
            }
        };
        [
            view(0, of_b.reversed(), 1.0, relative),
            view(1, of_a.reversed(), -1.0, relative.reversed()),
        ]
    }
}

impl<'b> Centered<'b> {
    fn new(
        boundary: &'b Boundary,
        origin: Point,
        arc: OriginArc,
        corners: SmallVec<[Vec2; 8]>,
    ) -> Self {
        let edge = |index: usize| CenteredEdge::new(corners[index], corners[boundary.next(index)]);
        let bounds: Bounds = (corners.iter().map(|it| Point::new(it.x, it.y)))
            .map(Bounds::from)
            .collect();
        let Bounds { min, max } = bounds;
        Self {
            boundary,
            origin,
            turn: arc.turn,
            arc,
            bounds,
            edges: (0..corners.len()).map(edge).collect(),
            farthest: corners.iter().map(|&it| it.length()).fold(0.0, f64::max),
            middle: if arc.turn == 0.0 {
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
    pub(crate) fn support(&self, direction: Vec2, sector: Option<&[Rotation; 2]>) -> f64 {
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

    /// A box relative to the origin, scaled.
    pub(super) fn local(&self, Bounds { min, max }: Bounds, exponent: i32) -> Bounds {
        let unit = libm::scalbn(1.0, -exponent);
        let point =
            |it: Point| Point::new((it.x - self.origin.x) * unit, (it.y - self.origin.y) * unit);
        Bounds {
            min: point(min),
            max: point(max),
        }
    }
}

/// The largest absolute value of a component.
fn largest(vectors: impl IntoIterator<Item = WideVector>) -> WideFloat {
    let sizes = (vectors.into_iter()).flat_map(|it| [it.x.abs(), it.y.abs()]);
    sizes.fold(
        WideFloat::ZERO,
        |largest, it| if largest < it { it } else { largest },
    )
}
