//! Two shapes that turn while one moves, at a time: where their vertices are, and how fast these move.

use smallvec::SmallVec;

use crate::convex::Cyclic;
use crate::geom::{Motion, Point, Vec2, WideVector};
use crate::predicates::numbers::ball::Ball;
use crate::predicates::numbers::polynomial::Number;
use crate::predicates::{BallRotation, BigBall, at, direction, moved, rotation};
use crate::shape::boundary::Boundary;
use crate::shape::relative_motion::RelativeMotion;

/// The index of a shape.
pub(crate) const A: usize = 0;
pub(crate) const B: usize = 1;

pub(super) struct ShapesAt<'b, N> {
    pub(crate) shapes: [&'b Boundary; 2],
    motion: RelativeMotion,
    pub(crate) time: N,
    /// The rotation of each shape that turns.
    pub(super) rotations: [Option<BallRotation<N>>; 2],
}

impl<'b, N: Ball> ShapesAt<'b, N> {
    /// Two shapes that turn while the first one moves.
    pub(crate) fn new(shapes: [&'b Boundary; 2], motion: RelativeMotion, time: N) -> Self {
        let rotations = motion
            .both_turns()
            .map(|turn| (turn.angle != 0.0).then(|| rotation(turn, &time)));
        Self {
            shapes,
            motion,
            time,
            rotations,
        }
    }

    pub(crate) fn position(&self, shape: usize, corner: usize) -> [N; 2] {
        let point = self.shapes[shape].vertex(corner);
        let rotation = self.rotations[shape].as_ref();
        let center = self.motion.both_turns()[shape].center;
        let turned = rotation.map(|rotation| (center, rotation));
        sum(&at(point), &moved(point, turned, &self.motions(shape)))
    }

    /// A lower bound of the local extent: the largest difference of coordinates at the start, or a component of the
    /// velocity.
    pub(super) fn extent(&self) -> f64 {
        let [of_a, of_b] = self.shapes.map(Boundary::bounds);
        let Vec2 { x, y } = of_a.union(&of_b).size();
        let velocity = self.motion.velocity.rounded();
        [x, y, velocity.x.abs(), velocity.y.abs()]
            .into_iter()
            .fold(0.0, f64::max)
    }

    /// The motions by which a shape has moved, each with its factor.
    fn motions(&self, shape: usize) -> SmallVec<[(Motion, N); 2]> {
        if shape == B {
            return SmallVec::new();
        }
        let offset = self.motion.offset.map(|offset| (offset, N::of(1.0)));
        let velocity = (self.motion.velocity, self.time.clone());
        std::iter::once(velocity).chain(offset).collect()
    }

    /// The unit vector along an edge, turned; `None` for the edge of a point.
    pub(crate) fn direction(&self, shape: usize, corner: usize) -> Option<[N; 2]> {
        let edge = self.shapes[shape].edge(corner);
        let rotation = self.rotations[shape].as_ref();
        (edge.start != edge.end).then(|| direction(edge, rotation))
    }

    /// The velocity of `a` at a point of it, relative to that of `b` at one of its points.
    pub(super) fn relative_velocity(&self, [of_a, of_b]: [&[N; 2]; 2]) -> [N; 2] {
        let turning = |shape: usize, point: &[N; 2]| {
            let turn = self.motion.both_turns()[shape];
            let center = sum(
                &at(turn.center),
                &moved(turn.center, None, &self.motions(shape)),
            );
            let angle = N::of(turn.angle);
            let [x, y] = [0, 1].map(|axis| point[axis].minus(&center[axis]).times(&angle));
            [N::of(0.0).minus(&y), x]
        };
        let [of_a, of_b] = [turning(A, of_a), turning(B, of_b)];
        let straight = moved(Point::ORIGIN, None, &[(self.motion.velocity, N::of(1.0))]);
        [0, 1].map(|axis| straight[axis].plus(&of_a[axis]).minus(&of_b[axis]))
    }
}

fn sum<N: Ball>(one: &[N; 2], other: &[N; 2]) -> [N; 2] {
    [0, 1].map(|axis| one[axis].plus(&other[axis]))
}

/// `to - from`.
pub(crate) fn between(from: &[BigBall; 2], to: &[BigBall; 2]) -> WideVector {
    wide([0, 1].map(|axis| to[axis].minus(&from[axis])))
}

pub(crate) fn wide([x, y]: [BigBall; 2]) -> WideVector {
    WideVector::new(x.to_wide(), y.to_wide())
}
