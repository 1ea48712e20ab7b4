//! Shapes of any kind, and one function per query.
//!
//! The functions here choose the algorithm: two exactly convex polygons go to [`crate::convex`];
//! concave polygons, polygons with holes, and rings that are convex but for rounding go to the
//! general algorithms, which take them as they are given.

mod area;
mod bernstein;
mod boundary;
mod boundary_feature;
mod checked_shape;
mod circle_arrival;
mod circle_polygon;
mod closest_approach;
mod contact_intervals;
mod convex_hull;
mod convex_parts;
mod convex_pieces;
pub mod convolution;
pub mod convolution_path;
mod distance;
mod edge_block;
mod edge_pairs;
mod interior_angle;
mod intersects;
mod kind;
mod locate;
mod minkowski_edge_lines;
mod minkowski_union;
mod nearest_cores;
mod nearest_edge_filter;
mod nearest_pairs_filter;
mod nesting;
mod penetration;
mod plane_sweep;
mod point_in_polygon;
mod ray_cast;
mod relative_motion;
mod relative_vertex_motion;
mod ring_corners;
mod rings;
mod rounded_directional_depth;
mod rounded_intervals;
mod rounded_sweep;
mod sat;
mod shapes_at;
mod sweep_result;
mod swept_circle;
mod swept_collision;
mod turning_approach;
mod turning_approach_search;
mod turning_contact_points;
mod turning_feature_distance;
mod turning_scene;
mod turning_sweep;
mod validate;
mod within_distance;

use crate::convex::{self, MinkowskiDifference};
use crate::geom::{Motion, Point, Vec2};

pub use crate::convex::Distance;
pub use area::{area, centroid};
pub use checked_shape::{ExaminedShape, Shape};
use checked_shape::{convex_rings, radius_sum};
pub use circle_polygon::{CirclePolygon, Feature, circle_polygon, circle_reaches};
pub use closest_approach::ClosestApproach;
pub use contact_intervals::TimeIntervals;
use contact_intervals::TranslatedPair;
pub use convex_hull::convex_hull;
pub use convex_parts::convex_parts;
pub use kind::ShapeKind;
pub use locate::{Locator, locate};
pub use penetration::{Penetration, overlap_alone, penetration};
pub use point_in_polygon::Location;
pub use ray_cast::{RayHit, ray_cast};
pub use relative_motion::RelativeMotion;
pub use rings::{Rings, open};
use rounded_intervals::RoundedPair;
use rounded_sweep::{MovingPair, RoundedContact};
pub(crate) use sat::rounded_sweep_mtv;
pub use sat::{Concave, Sat, sat, sat_or_apart};
pub use sweep_result::SweptCollision;
pub use swept_circle::{SweptCircle, swept_circle, swept_circle_time};
use turning_sweep::TurningPair;
pub use within_distance::is_within;

/// Whether two rings, as they are given, have a point in common. None if the filter can't decide
/// that, or that the rings are convex.
#[inline]
pub fn certainly_intersect(rings: [&[Point]; 2]) -> Option<bool> {
    convex::filter::certainly_intersect(rings)
}

/// First contact of `a`, moving relative to `b`, or when they come within a margin.
#[inline]
pub fn swept_collision(
    a: &Shape<'_>,
    b: &Shape<'_>,
    motion: impl Into<RelativeMotion>,
    margin: f64,
) -> SweptCollision {
    let motion = motion.into();
    let meeting = meeting(a, b, motion, margin);
    if meeting.intersects()
        && let Ok(sat) = sat::displaced_sat(a, b, motion.offset, margin)
    {
        return SweptCollision::Overlap(Some(sat));
    }
    meeting
}

/// As [`swept_collision`], but without normal and contact of shapes that overlap at the start.
#[inline]
pub fn meeting(
    a: &Shape<'_>,
    b: &Shape<'_>,
    motion: impl Into<RelativeMotion>,
    margin: f64,
) -> SweptCollision {
    let motion = motion.into().of_shapes([a, b]);
    let (offset, velocity) = (motion.offset, motion.velocity);
    let (shapes, radius) = ([a, b], radius_sum(a, b, margin));
    if let Some(turns) = motion.turns {
        if meet_at_start(a, b, offset, margin) {
            return SweptCollision::Overlap(None);
        }
        let pair = TurningPair {
            shapes,
            motion,
            turns,
            radius,
        };
        let contact = pair.first_contact();
        return contact.map_or(SweptCollision::NEVER, SweptCollision::Contact);
    }
    if radius.is_zero() {
        if let Some((a, b)) = convex_rings(a, b) {
            return convex::swept_collision(a, b, offset, velocity).into();
        }
        if a.kind().is_polygonal() && b.kind().is_polygonal() {
            let difference = MinkowskiDifference::new(a.boundary(), b.boundary(), offset);
            return swept_collision::swept_collision(&difference, velocity).into();
        }
    }
    let filtered = match offset {
        None => rounded_sweep::filtered([a, b], velocity, margin),
        Some(_) => None,
    };
    if filtered.is_some_and(|sweep| sweep.intersects) {
        return SweptCollision::Overlap(None);
    } else if filtered.is_some_and(|sweep| !sweep.will_intersect) {
        return SweptCollision::NEVER;
    }
    let pair = MovingPair::new([a, b], offset, velocity, radius);
    if let Some(sweep) = filtered
        && let Some(contact) = pair.first_contact(b.radius())
    {
        return SweptCollision::Contact(RoundedContact {
            filtered_time: Some(sweep.time()),
            ..contact
        });
    }
    if meet_at_start(a, b, offset, margin) {
        return SweptCollision::Overlap(None);
    }
    (pair.first_contact(b.radius())).map_or(SweptCollision::NEVER, SweptCollision::Contact)
}

/// Whether the distance of two shapes, the first displaced by an offset, is at most a margin.
fn meet_at_start(a: &Shape<'_>, b: &Shape<'_>, offset: Option<Motion>, margin: f64) -> bool {
    if offset.is_none() {
        return is_within(a, b, margin);
    }
    MovingPair::new([a, b], offset, Motion::NONE, radius_sum(a, b, margin)).meet_at_start()
}

/// All times of the frame at which `a`, moving relative to `b`, comes within a margin of it.
pub fn contact_intervals(
    a: &Shape<'_>,
    b: &Shape<'_>,
    velocity: Vec2,
    margin: f64,
) -> TimeIntervals {
    let radius = radius_sum(a, b, margin);
    if radius.is_zero()
        && let Some((a, b)) = convex_rings(a, b)
    {
        return convex::contact_interval(a, b, velocity)
            .into_iter()
            .collect();
    }
    if velocity == Vec2::ZERO {
        let touch = is_within(a, b, margin);
        return touch.then_some([0.0, 1.0]).into_iter().collect();
    }
    let [a, b] = [a, b].map(Shape::boundary);
    let cores = TranslatedPair { a, b, velocity };
    if radius.is_zero() {
        cores.intervals()
    } else {
        RoundedPair { cores, radius }.intervals()
    }
}

/// How near `a`, moving relative to `b`, comes to it within the frame.
pub fn closest_approach(
    a: &Shape<'_>,
    b: &Shape<'_>,
    motion: impl Into<RelativeMotion>,
) -> ClosestApproach {
    let motion = motion.into();
    let meeting = meeting(a, b, motion, 0.0);
    if meeting.will_intersect() {
        return ClosestApproach::meeting(meeting.time());
    }
    approach_apart(a, b, motion)
}

/// The same for shapes that don't meet within the frame.
pub fn approach_apart(a: &Shape<'_>, b: &Shape<'_>, motion: RelativeMotion) -> ClosestApproach {
    let motion = motion.of_shapes([a, b]);
    if motion.turns.is_some() {
        turning_approach::turning_approach(a, b, motion)
    } else {
        ClosestApproach::apart([a, b], motion.offset, motion.velocity)
    }
}

/// Whether `a`, which has no offset, comes within a margin of `b` at some time of the frame.
pub fn comes_within(
    a: &Shape<'_>,
    b: &Shape<'_>,
    motion: impl Into<RelativeMotion>,
    margin: f64,
) -> bool {
    let motion = motion.into().of_shapes([a, b]);
    let (offset, velocity) = (motion.offset, motion.velocity);
    let (shapes, radius) = ([a, b], radius_sum(a, b, margin));
    if let Some(turns) = motion.turns {
        let pair = TurningPair {
            shapes,
            motion,
            turns,
            radius,
        };
        return meet_at_start(a, b, offset, margin) || pair.come_into_contact();
    } else if velocity == Motion::NONE {
        return is_within(a, b, margin);
    }
    if radius.is_zero() && a.kind().is_polygonal() && b.kind().is_polygonal() {
        return meeting(a, b, motion, 0.0).will_intersect();
    }
    if offset.is_none()
        && let Some(sweep) = rounded_sweep::filtered([a, b], velocity, margin)
    {
        return sweep.will_intersect;
    }
    meet_at_start(a, b, offset, margin)
        || MovingPair::new([a, b], offset, velocity, radius).come_into_contact()
}

/// Whether two shapes are certainly farther apart than a distance; `false` says nothing.
pub fn certainly_farther(a: &Shape<'_>, b: &Shape<'_>, distance: f64) -> bool {
    let [_, above] = radius_sum(a, b, distance).bounds();
    within_distance::certainly_within([a, b], above) == Some(false)
}

/// The number that [`distance`] gives, if a filter can tell.
pub fn certain_distance(a: &Shape<'_>, b: &Shape<'_>) -> Option<f64> {
    let are_sharp = radius_sum(a, b, 0.0).is_zero();
    let (a, b) = convex_rings(a, b).filter(|_| are_sharp)?;
    convex::certain_distance(a, b)
}

/// The distance between two shapes.
pub fn distance(a: &Shape<'_>, b: &Shape<'_>) -> Distance {
    let core = distance::core_distance(a, b);
    match [a.radius(), b.radius()] {
        [0.0, 0.0] => core,
        radii => core.with_radii(radii),
    }
}
