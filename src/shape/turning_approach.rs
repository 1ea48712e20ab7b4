//! How near two shapes come that turn while one moves, and never meet.

use super::approach_search::Search;
use super::checked::Shape;
use super::closest_approach::ClosestApproach;
use super::relative_motion::RelativeMotion;
use super::turning_features::FeaturesAt;
use super::turning_scene::Scene;
use super::turning_view::length;
use crate::convex::advanced;
use crate::geom::{Turn, Vec2, WideFloat};

/// How near shapes come that don't meet within the frame.
pub(super) fn turning_approach(
    a: &Shape<'_>,
    b: &Shape<'_>,
    motion: RelativeMotion,
) -> ClosestApproach {
    let turns = motion.turns.unwrap_or([Turn::NONE; 2]);
    let scene = Scene::new([a, b], motion, turns);
    let radii = [a.radius(), b.radius()];
    let unit = WideFloat::new(1.0, -scene.exponent);
    let reach = ((WideFloat::from(radii[0]) + WideFloat::from(radii[1])) * unit).to_f64();
    let nearest = Search::new(&scene, motion.period(), reach).nearest();
    scene.approach(&nearest, radii)
}

impl Scene<'_> {
    /// The result in the coordinates of the caller.
    fn approach(&self, nearest: &FeaturesAt, radii: [f64; 2]) -> ClosestApproach {
        let unscaled = |it: f64| WideFloat::new(it, self.exponent);
        let (time, points) = (nearest.time, nearest.points(self));
        let gap = points[0] - points[1];
        // Rounding may put them on one spot.
        let length = length(gap);
        let unit = if length > 0.0 {
            gap.times(1.0 / length)
        } else {
            Vec2::ZERO
        };
        let [closest_a, closest_b] = [(0, -1.0), (1, 1.0)].map(|(side, sign): (usize, f64)| {
            let radius = WideFloat::from(radii[side]) * WideFloat::from(sign);
            let Vec2 { x, y } = points[side];
            let moved = [(x, unit.x), (y, unit.y)]
                .map(|(at, unit)| unscaled(at) + WideFloat::from(unit) * radius);
            advanced(self.shapes[1].center, moved)
        });
        let radii = WideFloat::from(radii[0]) + WideFloat::from(radii[1]);
        let distance = unscaled(nearest.distance) - radii;
        // They don't meet, though the distance may be lost in rounding.
        let least = unscaled(f64::EPSILON);
        let distance = if distance < least { least } else { distance };
        ClosestApproach {
            distance: distance.to_f64(),
            time,
            closest_a,
            closest_b,
        }
    }
}
