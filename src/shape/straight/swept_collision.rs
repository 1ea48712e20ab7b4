//! Whether and when two shapes, one moving, first meet: the algorithm is chosen by what they are and how
//! they move.

use super::rounded_sweep::{self, MovingPair, RoundedContact};
use super::sharp_sweep;
use super::sweep_result::SweptCollision;
use super::swept_circle::{SweptCircle, swept};
use crate::convex::{self, MinkowskiDifference};
use crate::geom::{Circle, Motion, RadiusSum};
use crate::shape::checked_shape::{Shape, convex_rings, radius_sum};
use crate::shape::relative_motion::RelativeMotion;
use crate::shape::rest::sat::displaced_sat;
use crate::shape::rest::within_distance::is_within;
use crate::shape::turning::turning_sweep::TurningPair;

/// First contact of `a`, moving relative to `b`, or when they come within a margin.
#[inline]
pub fn swept_collision(
    a: &Shape<'_>,
    b: &Shape<'_>,
    motion: impl Into<RelativeMotion>,
    margin: f64,
) -> SweptCollision {
    let motion = motion.into();
    let meeting = sweep([a, b], motion, margin, false);
    if meeting.intersects()
        && let Ok(sat) = displaced_sat(a, b, motion.offset, margin)
    {
        return SweptCollision::Overlap(Some(sat));
    }
    meeting
}

/// First contact of `a`, moving relative to `b`, without normal and contact if they overlap at the start or turn.
#[inline]
pub fn meeting(
    a: &Shape<'_>,
    b: &Shape<'_>,
    motion: impl Into<RelativeMotion>,
    margin: f64,
) -> SweptCollision {
    sweep([a, b], motion.into(), margin, true)
}

/// First contact of the first shape with the second, without normal and contact if they overlap at the start, or if they
/// turn and only the time is wanted.
#[inline]
fn sweep(
    shapes: [&Shape<'_>; 2],
    motion: RelativeMotion,
    margin: f64,
    is_time_alone: bool,
) -> SweptCollision {
    let [a, b] = shapes;
    let motion = motion.of_shapes(shapes);
    let (offset, velocity) = (motion.offset, motion.velocity);
    let radius = radius_sum(a, b, margin);
    if motion.turns.is_some() {
        if meet_at_start(a, b, offset, margin) {
            return SweptCollision::Overlap(None);
        }
        let pair = TurningPair {
            shapes,
            motion,
            radius,
        };
        let contact = if is_time_alone {
            pair.first_time().map(RoundedContact::of_time)
        } else {
            pair.first_contact()
        };
        return contact.map_or(SweptCollision::Never, SweptCollision::Contact);
    }
    if radius.is_zero() {
        if let Some((a, b)) = convex_rings(a, b) {
            return convex::swept_collision(a, b, offset, velocity).into();
        }
        if a.kind().is_polygonal() && b.kind().is_polygonal() {
            let difference = MinkowskiDifference::new(a.boundary(), b.boundary(), offset);
            return sharp_sweep::swept_collision(&difference, velocity).into();
        }
    }
    if offset.is_none()
        && let Some(met) = swept_point(shapes, velocity, radius)
    {
        return met;
    }
    let filtered = match offset {
        None => rounded_sweep::filtered([a, b], velocity, margin),
        Some(_) => None,
    };
    let pair = || MovingPair::new([a, b], offset, velocity, radius);
    let rings = || MovingPair::of_convex([a, b], offset, velocity, radius);
    if let Some((sweep, features)) = filtered {
        if sweep.intersects {
            return SweptCollision::Overlap(None);
        } else if !sweep.will_intersect {
            return SweptCollision::Never;
        }
        let contact = features.and_then(|features| {
            let (ring_a, ring_b) = (a.small_convex()?, b.small_convex()?);
            let rings = MovingPair {
                a: &*ring_a,
                b: &*ring_b,
                offset,
                velocity,
                radius,
            };
            rings.contact_of(&features, b.radius())
        });
        if let Some(contact) = contact.or_else(|| pair().first_contact(b.radius())) {
            return SweptCollision::Contact(RoundedContact {
                filtered_time: Some(sweep.time()),
                ..contact
            });
        }
    }
    if meet_at_start(a, b, offset, margin) {
        return SweptCollision::Overlap(None);
    }
    let contact = rings()
        .and_then(|rings| rings.contact_of_convex(b.radius()).ok())
        .unwrap_or_else(|| pair().first_contact(b.radius()));
    contact.map_or(SweptCollision::Never, SweptCollision::Contact)
}

/// First contact of two shapes whose radii have this sum, of which one is a point and the other has more than two vertices,
/// by the search for circles; `None` if they are others. Nothing is told of how shapes overlap at the start.
fn swept_point(
    [a, b]: [&Shape<'_>; 2],
    velocity: Motion,
    radius: RadiusSum,
) -> Option<SweptCollision> {
    let is_larger = |shape: &Shape<'_>| shape.rings().vertices() > 2;
    let (met, of_b) = match (a.as_point(), b.as_point()) {
        (Some(center), _) if is_larger(b) => (swept(Circle { center, radius }, velocity, b), None),
        (_, Some(center)) if is_larger(a) => {
            // A motion that starts at the origin needs no rounding.
            let back = velocity.vector().map(|velocity| velocity.reversed().into());
            let back = back.unwrap_or_else(|| velocity.reversed());
            let of_b = Circle {
                center,
                radius: b.radius(),
            };
            (swept(Circle { center, radius }, back, a), Some(of_b))
        }
        _ => return None,
    };
    Some(match met {
        SweptCircle::Never => SweptCollision::Never,
        SweptCircle::Overlap(_) => SweptCollision::Overlap(None),
        SweptCircle::Impact(impact) => SweptCollision::Contact(impact.as_contact(of_b)),
    })
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
    if motion.turns.is_some() {
        let pair = TurningPair {
            shapes,
            motion,
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
        && let Some((sweep, _)) = rounded_sweep::filtered([a, b], velocity, margin)
    {
        return sweep.will_intersect;
    }
    let by_search = || MovingPair::new(shapes, offset, velocity, radius).come_into_contact();
    meet_at_start(a, b, offset, margin)
        || MovingPair::of_convex(shapes, offset, velocity, radius)
            .and_then(|rings| rings.arriving().ok())
            .map_or_else(by_search, |event| event.is_some())
}

/// Whether the distance of two shapes, the first displaced by an offset, is at most a margin.
fn meet_at_start(a: &Shape<'_>, b: &Shape<'_>, offset: Option<Motion>, margin: f64) -> bool {
    if offset.is_none() {
        return is_within(a, b, margin);
    }
    MovingPair::new([a, b], offset, Motion::NONE, radius_sum(a, b, margin)).meet_at_start()
}
