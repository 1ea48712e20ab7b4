//! Polygons of any kind, and one function per query.
//!
//! The functions here choose the algorithm: two exactly convex polygons go to [`crate::convex`];
//! concave polygons, polygons with holes, and rings that are convex but for rounding go to the
//! general algorithms, which take them as they are given.

mod area;
mod boundary;
mod circle_polygon;
mod convex_hull;
mod convex_parts;
mod corners;
mod distance;
mod edge_block;
mod inside;
mod interior_angle;
mod intersects;
mod locate;
mod plane_sweep;
mod polygon;
mod ray_cast;
mod rings;
mod swept_circle;
mod swept_collision;
mod validate;
mod within_distance;

use crate::convex::{self, MinkowskiDifference, SweepOutcome};
use crate::error::InvalidPolygon;
use crate::geom::{Edge, Motion, Point};
use crate::predicates::error_bounds::accurately_below;

pub use crate::convex::{Distance, Sat, SweptCollision};
pub use area::{area, centroid};
pub use circle_polygon::{CirclePolygon, Feature, circle_polygon, circle_reaches};
pub use convex_hull::convex_hull;
pub use convex_parts::convex_parts;
pub use inside::Location;
pub use locate::{Locator, locate};
pub use polygon::{General, Polygon, PolygonKind};
pub use ray_cast::{RayHit, ray_cast};
pub use rings::{Rings, open};
pub use swept_circle::{SweptCircle, swept_circle};

/// The rings of two exactly convex polygons.
fn convex_rings<'p, 'a>(
    a: &'p Polygon<'a>,
    b: &'p Polygon<'a>,
) -> Option<(&'p convex::Ring<'a>, &'p convex::Ring<'a>)> {
    a.exactly_convex().zip(b.exactly_convex())
}

/// Whether two rings, as they are given, have a point in common. None if the filter can't decide
/// that, or that the rings are convex.
#[inline]
pub fn certainly_intersect(rings: [&[Point]; 2]) -> Option<bool> {
    convex::filter::certainly_intersect(rings)
}

/// Whether two polygons have a point in common.
#[inline]
pub fn intersects(a: &Polygon<'_>, b: &Polygon<'_>) -> bool {
    match convex_rings(a, b) {
        Some((a, b)) => convex::intersects(a, b),
        None => intersects::intersects(a.boundary(), b.boundary()),
    }
}

/// A valid polygon that is not convex, given to a query for convex ones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Concave {
    /// The index of the operand.
    pub operand: usize,
    /// Where it is not convex.
    pub why: InvalidPolygon,
}

/// Overlap and minimum translation of two convex polygons; a ring that is convex but for rounding is
/// replaced by its hull.
///
/// # Errors
///
/// If a polygon is not convex.
#[inline]
pub fn sat(a: &Polygon<'_>, b: &Polygon<'_>) -> Result<Sat, Concave> {
    let concave = |operand| move |why| Concave { operand, why };
    let a = a.hull().map_err(concave(0))?;
    let b = b.hull().map_err(concave(1))?;
    Ok(convex::sat(a, b, None))
}

/// As [`sat`], but of polygons that are apart normal and separation are unspecified.
///
/// # Errors
///
/// If a polygon is not convex.
#[inline]
pub fn sat_or_apart(a: &Polygon<'_>, b: &Polygon<'_>) -> Result<Sat, Concave> {
    let (ring_a, ring_b) = (a.hull(), b.hull());
    // To tell that large rings are apart takes less time than to find a separating edge.
    if let (Ok(a), Ok(b)) = (ring_a, ring_b)
        && convex::gjk_is_faster(a.len(), b.len())
        && !convex::intersects(a, b)
    {
        return Ok(Sat::apart());
    }
    sat(a, b)
}

/// The motion of one shape relative to another within a frame.
#[derive(Clone, Copy, Debug)]
pub struct RelativeMotion {
    /// The displacement at the start, if any.
    pub offset: Option<Motion>,
    /// The displacement over the frame.
    pub velocity: Motion,
}

impl<M: Into<Motion>> From<M> for RelativeMotion {
    fn from(velocity: M) -> Self {
        Self {
            offset: None,
            velocity: velocity.into(),
        }
    }
}

/// First contact of `a`, moving relative to `b`.
#[inline]
pub fn swept_collision(
    a: &Polygon<'_>,
    b: &Polygon<'_>,
    motion: impl Into<RelativeMotion>,
) -> SweptCollision {
    let motion = motion.into();
    let meeting = meeting(a, b, motion);
    if meeting.intersects()
        && let (Ok(a), Ok(b)) = (a.hull(), b.hull())
    {
        let sat = convex::sat(a, b, motion.offset);
        return SweptCollision(SweepOutcome::Overlap(Some(sat)));
    }
    meeting
}

/// As [`swept_collision`], but without normal and contact of polygons that overlap at the start.
#[inline]
pub fn meeting(
    a: &Polygon<'_>,
    b: &Polygon<'_>,
    motion: impl Into<RelativeMotion>,
) -> SweptCollision {
    let RelativeMotion { offset, velocity } = motion.into();
    SweptCollision(if let Some((a, b)) = convex_rings(a, b) {
        convex::swept_collision(a, b, offset, velocity)
    } else {
        let difference = MinkowskiDifference::new(a.boundary(), b.boundary(), offset);
        swept_collision::swept_collision(&difference, velocity)
    })
}

/// Vertices up to which it takes less time to look at all of them, and then to compute the distance,
/// than to search the boundaries for edges that are near enough.
const FEW_VERTICES: usize = 64;

/// Whether `a` comes within a margin of `b`, at some time while it moves along `path`, if any.
pub fn comes_within(a: &Polygon<'_>, b: &Polygon<'_>, path: Option<Edge>, margin: f64) -> bool {
    if path.is_none() && margin > 0.0 && a.vertices() + b.vertices() <= FEW_VERTICES {
        let attempt = within_distance::certainly_within([a, b], margin);
        let attempt = attempt.or_else(|| accurately_below(distance(a, b).distance(), margin));
        if let Some(answer) = attempt {
            return answer;
        }
    }
    let meets = match path {
        None => intersects(a, b),
        Some(path) => meeting(a, b, Motion::between(path.start, path.end)).will_intersect(),
    };
    meets
        || margin > 0.0
            && within_distance::boundaries_come_within([a.boundary(), b.boundary()], path, margin)
}

/// Whether two polygons are certainly farther apart than a distance; `false` says nothing.
pub fn certainly_farther(a: &Polygon<'_>, b: &Polygon<'_>, distance: f64) -> bool {
    within_distance::certainly_within([a, b], distance) == Some(false)
}

/// The number that [`distance`] gives, if a filter can tell.
pub fn certain_distance(a: &Polygon<'_>, b: &Polygon<'_>) -> Option<f64> {
    let (a, b) = convex_rings(a, b)?;
    convex::certain_distance(a, b)
}

/// The distance between two polygons.
pub fn distance(a: &Polygon<'_>, b: &Polygon<'_>) -> Distance {
    match convex_rings(a, b) {
        Some((a, b)) => convex::distance(a, b),
        None => distance::distance(a.boundary(), b.boundary()),
    }
}
