//! How near two shapes come that turn while one moves, and never meet.

use super::shapes_at::{A, B, ShapesAt, between, wide};
use super::turning_approach_search::ApproachSearch;
use super::turning_feature_distance::{FeaturesAt, TurningFeatures};
use super::turning_scene::Scene;
use crate::convex::{Cyclic, advanced};
use crate::geom::{Motion, Point, WideFloat, WideVector};
use crate::predicates::numbers::ball::Ball;
use crate::predicates::numbers::polynomial::Number;
use crate::predicates::{BigBall, Sign};
use crate::shape::checked_shape::Shape;
use crate::shape::relative_motion::RelativeMotion;
use crate::shape::straight::straight_approach::{ClosestApproach, straight_approach};

/// The part of the extent below which floats are not accurate enough: a result may be off by a few units in
/// the last place of the extent, or by 1e-10 of itself.
const NEAR: f64 = 1e-5;

/// Steps of Newton's iteration.
const STEPS: usize = 3;

/// How near shapes come that don't meet within the frame.
pub(crate) fn turning_approach(
    a: &Shape<'_>,
    b: &Shape<'_>,
    motion: RelativeMotion,
) -> ClosestApproach {
    let scene = Scene::new([a, b], &motion);
    let found = nearest_of(&scene, [a, b], motion);
    if scene.is_vast {
        // Most often they are nearest at the start, before they fly apart.
        let at_start = straight_approach([a, b], motion.offset, Motion::NONE);
        if at_start.distance < found.distance {
            return at_start;
        }
    }
    found
}

/// How near shapes come that don't meet; at the start of a vast motion they may be nearer.
fn nearest_of(
    scene: &Scene<'_>,
    [a, b]: [&Shape<'_>; 2],
    motion: RelativeMotion,
) -> ClosestApproach {
    let (shapes, period) = ([a, b], motion.period());
    let radii = [a.radius(), b.radius()];
    let unit = WideFloat::new(1.0, -scene.exponent);
    let reach = ((WideFloat::from(radii[0]) + WideFloat::from(radii[1])) * unit).to_f64();
    let nearest = ApproachSearch::new(scene, period, reach).nearest();
    if nearest.distance - reach > NEAR {
        return Gap::by_floats(scene, &nearest).approach(scene, radii);
    }
    let at = |time: &BigBall| {
        let shapes = ShapesAt::new(shapes.map(Shape::boundary), motion, time.clone());
        Gap::precise(&shapes, nearest.pair, scene.shapes[B].origin)
    };
    let mut time = BigBall::of(nearest.time);
    let (mut gap, mut velocity) = at(&time);
    for _ in 0..STEPS {
        let Some(next) = velocity.and_then(|velocity| gap.minimum(velocity, &time, period)) else {
            break;
        };
        let (lower, its_velocity) = at(&next);
        if lower.distance >= gap.distance {
            break;
        }
        (gap, velocity, time) = (lower, its_velocity, next);
    }
    gap.approach(scene, radii)
}

/// The nearest points of two cores at a time.
struct Gap {
    time: f64,
    /// The points of `a` and of `b`, relative to the origin of `b` at the start.
    points: [WideVector; 2],
    /// From the point of `b` to that of `a`.
    vector: WideVector,
    distance: WideFloat,
}

impl Gap {
    fn by_floats(scene: &Scene<'_>, nearest: &FeaturesAt) -> Self {
        let unscaled = |it: f64| WideFloat::new(it, scene.exponent);
        let time = nearest.time;
        let [of_a, of_b] = nearest.points(scene);
        let (gap, moved) = (of_a - of_b, scene.shapes[B].arc.moved(time));
        let [of_a, of_b, vector] = [moved + of_a, moved + of_b, gap]
            .map(|it| WideVector::new(unscaled(it.x), unscaled(it.y)));
        let together = WideVector::from(scene.together.moved(time));
        Self {
            time,
            points: [of_a + together, of_b + together],
            vector,
            distance: unscaled(nearest.distance),
        }
    }

    /// The points of a pair of features, and if these are vertices, how fast the vector changes.
    fn precise(
        shapes: &ShapesAt<'_, BigBall>,
        pair: TurningFeatures,
        origin: Point,
    ) -> (Self, Option<WideVector>) {
        let (mover, other) = (pair.mover, 1 - pair.mover);
        let vertex = shapes.position(mover, pair.vertex);
        let (foot, is_vertex) = foot(shapes, other, pair.edge, &vertex);
        let [of_a, of_b] = match mover {
            A => [vertex, foot],
            _ => [foot, vertex],
        };
        let vector = between(&of_b, &of_a);
        let velocity = || wide(shapes.relative_velocity([&of_a, &of_b]));
        let velocity = is_vertex.then(velocity);
        let origin = [origin.x, origin.y].map(BigBall::of);
        let gap = Self {
            time: shapes.time.to_f64(),
            points: [of_a, of_b].map(|point| between(&origin, &point)),
            vector,
            distance: vector.length(),
        };
        (gap, velocity)
    }

    /// The time at which two vertices are nearest, by one step of Newton's iteration: where they all but
    /// meet, their distance changes by more than it may be off while the time changes by its rounding.
    fn minimum(&self, velocity: WideVector, time: &BigBall, period: f64) -> Option<BigBall> {
        let step = (self.vector.dot(velocity) / velocity.dot(velocity)).to_f64();
        // Also false if they rest.
        let is_short = step.abs() <= period;
        let next = is_short.then(|| time.minus(&BigBall::of(step)))?;
        let rounded = next.to_f64();
        (rounded > 0.0 && rounded < period).then_some(next)
    }

    /// The result for cores with radii.
    fn approach(&self, scene: &Scene<'_>, radii: [f64; 2]) -> ClosestApproach {
        // Rounding may put the points on one spot.
        let is_apart = !self.distance.is_zero();
        let unit = if is_apart {
            self.vector / self.distance
        } else {
            self.vector
        };
        let [closest_a, closest_b] = [(0, -1.0), (1, 1.0)].map(|(side, sign): (usize, f64)| {
            let radius = WideFloat::from(sign * radii[side]);
            advanced(scene.shapes[B].origin, self.points[side] + unit * radius)
        });
        let distance = self.distance - (WideFloat::from(radii[0]) + WideFloat::from(radii[1]));
        // They don't meet, though the distance may be lost in rounding.
        let least = WideFloat::new(f64::EPSILON, scene.exponent);
        let is_known = distance > WideFloat::ZERO;
        ClosestApproach {
            distance: if is_known { distance } else { least }.to_f64(),
            time: self.time,
            closest_a,
            closest_b,
        }
    }
}

/// The point of an edge of a shape that is nearest to a point, and whether it is an end of the edge.
fn foot(
    shapes: &ShapesAt<'_, BigBall>,
    shape: usize,
    edge: usize,
    point: &[BigBall; 2],
) -> ([BigBall; 2], bool) {
    let start = shapes.position(shape, edge);
    let Some(along) = shapes.direction(shape, edge) else {
        return (start, true);
    };
    let part = |from: &[BigBall; 2]| {
        let [x, y] = [0, 1].map(|axis| point[axis].minus(&from[axis]).times(&along[axis]));
        x.plus(&y)
    };
    let from_start = part(&start);
    if from_start.sign() != Some(Sign::Positive) {
        return (start, true);
    }
    let end = shapes.position(shape, shapes.shapes[shape].next(edge));
    if part(&end).sign() != Some(Sign::Negative) {
        return (end, true);
    }
    let foot = [0, 1].map(|axis| start[axis].plus(&along[axis].times(&from_start)));
    (foot, false)
}
