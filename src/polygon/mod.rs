//! Any accepted polygon, and the questions asked of it.
//!
//! A pair takes its path here and nowhere else: two exactly convex shapes go to [`crate::convex`];
//! a ring that is convex but for rounding is taken as it is given, by the general forms.

mod circle_polygon;
mod crossing;
mod distance;
mod inside;
mod swept_circle;
mod swept_collision;
mod validate;

use crate::convex;
use crate::geom::{Circle, Vec2};

pub use crate::convex::{Distance, Sat, SweepClearance, SweptCollision};
pub use circle_polygon::{CirclePolygon, Feature};
pub use swept_circle::SweptCircle;
pub use validate::Polygon;

fn both_convex(a: &Polygon<'_>, b: &Polygon<'_>) -> bool {
    a.is_exactly_convex() && b.is_exactly_convex()
}

/// Whether two polygons have a point in common.
#[inline]
pub fn intersects(a: &Polygon<'_>, b: &Polygon<'_>) -> bool {
    if both_convex(a, b) {
        convex::intersects(a.hull(), b.hull())
    } else {
        crossing::intersects(a.outline(), b.outline())
    }
}

/// Overlap and the way out of two convex polygons; a ring that is convex but for rounding counts
/// as its hull.
#[inline]
pub fn sat(a: &Polygon<'_>, b: &Polygon<'_>) -> Sat {
    convex::sat(a.hull(), b.hull())
}

/// Whether, when and where `a` meets `b` while it moves by `velocity` relative to it.
#[inline]
pub fn swept_collision(a: &Polygon<'_>, b: &Polygon<'_>, velocity: Vec2) -> SweptCollision {
    SweptCollision(if both_convex(a, b) {
        convex::swept_collision(a.hull(), b.hull(), velocity)
    } else {
        match swept_collision::swept_collision(a.outline(), b.outline(), velocity) {
            convex::Outcome::Overlap(_) => convex::Outcome::Overlap(Some(sat(a, b))),
            outcome => outcome,
        }
    })
}

/// The smallest translation that clears `b` from the whole sweep of `a`; meant for shapes that
/// meet within the frame.
#[inline]
pub fn sweep_clearance(a: &Polygon<'_>, b: &Polygon<'_>, velocity: Vec2) -> SweepClearance {
    convex::sweep_clearance(a.hull(), b.hull(), velocity)
}

/// How a circle and a polygon lie to each other.
pub fn circle_polygon(circle: Circle, polygon: &Polygon<'_>) -> CirclePolygon {
    circle_polygon::circle_polygon(circle, polygon)
}

/// Whether, when and where a circle meets a polygon while it moves by `velocity`.
pub fn swept_circle(circle: Circle, velocity: Vec2, polygon: &Polygon<'_>) -> SweptCircle {
    swept_circle::swept_circle(circle, velocity, polygon)
}

/// How far apart two polygons are.
pub fn distance(a: &Polygon<'_>, b: &Polygon<'_>) -> Distance {
    if both_convex(a, b) {
        convex::distance(a.hull(), b.hull())
    } else {
        distance::distance(a.outline(), b.outline())
    }
}
