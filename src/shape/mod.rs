//! Any polygon, and the questions asked of it.
//!
//! A pair takes its path here and nowhere else: two exactly convex shapes go to [`crate::convex`];
//! concave polygons, polygons with holes, and a ring that is convex but for rounding are taken as
//! they are given, by the general forms.

mod area;
mod boundary;
mod circle_polygon;
mod convex_hull;
mod convex_parts;
mod corners;
mod crossing;
mod directions;
mod distance;
mod inside;
mod plane_sweep;
mod polygon;
mod rings;
mod swept_circle;
mod swept_collision;
mod validate;
mod within_distance;

use crate::convex::{self, MinkowskiDifference, SweepOutcome};
use crate::error::InvalidPolygon;
use crate::geom::{Circle, Edge, Motion, Point, Vec2};

pub use crate::convex::{Distance, Sat, SweepClearance, SweptCollision};
pub use area::{area, centroid};
pub use circle_polygon::{CirclePolygon, Feature};
pub use convex_hull::convex_hull;
pub use convex_parts::convex_parts;
pub use polygon::{General, Polygon, PolygonKind};
pub use rings::{Rings, open};
pub use swept_circle::SweptCircle;

/// Both rings, if both polygons are exactly convex.
fn rings<'p, 'a>(
    a: &'p Polygon<'a>,
    b: &'p Polygon<'a>,
) -> Option<(&'p convex::Ring<'a>, &'p convex::Ring<'a>)> {
    a.exactly_convex().zip(b.exactly_convex())
}

/// Whether two rings as they are given have a point in common, if floats can tell that and that
/// they are good; nothing is known otherwise.
#[inline]
pub fn certainly_intersect(rings: [&[Point]; 2]) -> Option<bool> {
    convex::filter::certainly_intersect(rings)
}

/// Whether two polygons have a point in common.
#[inline]
pub fn intersects(a: &Polygon<'_>, b: &Polygon<'_>) -> bool {
    match rings(a, b) {
        Some((a, b)) => convex::intersects(a, b),
        None => crossing::intersects(a.boundary(), b.boundary()),
    }
}

/// A polygon that is good but not convex, where only convex ones will do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Concave {
    /// Which of the two.
    pub operand: usize,
    /// Where it is not convex.
    pub why: InvalidPolygon,
}

/// Overlap and the way out of two convex polygons; a ring that is convex but for rounding counts
/// as its hull.
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

/// How one shape moves relative to another within a frame.
#[derive(Clone, Copy, Debug)]
pub struct RelativeMotion {
    /// How far it is at the start from where its vertices say.
    pub offset: Option<Motion>,
    /// How far it moves.
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

/// Whether, when and where `a` meets `b` while it moves relative to it.
#[inline]
pub fn swept_collision(
    a: &Polygon<'_>,
    b: &Polygon<'_>,
    course: impl Into<RelativeMotion>,
) -> SweptCollision {
    let course = course.into();
    let hulls = || a.hull().ok().zip(b.hull().ok());
    let meeting = meeting(a, b, course);
    if meeting.intersects()
        && let Some((a, b)) = hulls()
    {
        let sat = convex::sat(a, b, course.offset);
        return SweptCollision(SweepOutcome::Overlap(Some(sat)));
    }
    meeting
}

/// As [`swept_collision`], but without normal and contact of shapes that overlap at the start.
#[inline]
pub fn meeting(
    a: &Polygon<'_>,
    b: &Polygon<'_>,
    course: impl Into<RelativeMotion>,
) -> SweptCollision {
    let RelativeMotion { offset, velocity } = course.into();
    SweptCollision(if let Some((a, b)) = rings(a, b) {
        convex::swept_collision(a, b, offset, velocity)
    } else {
        let difference = MinkowskiDifference::new(a.boundary(), b.boundary()).moved(offset);
        swept_collision::swept_collision(&difference, velocity)
    })
}

/// The smallest translation that clears `b` from the whole sweep of `a`; meant for shapes that
/// meet within the frame. None if either polygon is not convex.
#[inline]
pub fn sweep_clearance(a: &Polygon<'_>, b: &Polygon<'_>, velocity: Vec2) -> Option<SweepClearance> {
    let (a, b) = (a.hull().ok()?, b.hull().ok()?);
    Some(convex::sweep_clearance(a, b, velocity))
}

/// What [`sweep_clearance`] takes, kept for the time when someone asks.
#[derive(Clone, Debug)]
pub struct PendingClearance {
    a: convex::Ring<'static>,
    b: convex::Ring<'static>,
    velocity: Vec2,
}

impl PendingClearance {
    /// Keeps copies. None if either polygon is not convex.
    #[inline]
    pub fn new(a: &Polygon<'_>, b: &Polygon<'_>, velocity: Vec2) -> Option<Self> {
        let [a, b] =
            [a.hull().ok()?, b.hull().ok()?].map(|ring| convex::Ring::owned(ring.iter().copied()));
        Some(Self { a, b, velocity })
    }

    /// The clearance.
    pub fn settle(&self) -> SweepClearance {
        convex::sweep_clearance(&self.a, &self.b, self.velocity)
    }
}

/// Whether `a` comes within a margin of `b`, at some time while it moves by the vector along
/// `path`, if there is one.
pub fn comes_within(a: &Polygon<'_>, b: &Polygon<'_>, path: Option<Edge>, margin: f64) -> bool {
    let meets = match path {
        None => intersects(a, b),
        Some(path) => meeting(a, b, Motion::between(path.start, path.end)).will_intersect(),
    };
    meets
        || margin > 0.0
            && within_distance::boundaries_come_within([a.boundary(), b.boundary()], path, margin)
}

/// How a circle and a polygon lie to each other.
pub fn circle_polygon(circle: Circle, polygon: &Polygon<'_>) -> CirclePolygon {
    circle_polygon::circle_polygon(circle, polygon)
}

/// Whether a circle and a polygon have a point in common: all other fields of the answer may stay
/// open.
pub fn circle_reaches(circle: Circle, polygon: &Polygon<'_>) -> CirclePolygon {
    circle_polygon::circle_reaches(circle, polygon)
}

/// Whether, when and where a circle meets a polygon while it moves by `velocity`.
pub fn swept_circle(circle: Circle, velocity: Vec2, polygon: &Polygon<'_>) -> SweptCircle {
    swept_circle::swept_circle(circle, Edge::from_origin(velocity), polygon)
}

/// How far apart two polygons are.
pub fn distance(a: &Polygon<'_>, b: &Polygon<'_>) -> Distance {
    match rings(a, b) {
        Some((a, b)) => convex::distance(a, b),
        None => distance::distance(a.boundary(), b.boundary()),
    }
}
