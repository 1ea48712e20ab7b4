//! The minimum translation that clears a whole sweep of convex shapes with a radius, or without an interior.

use crate::convex::filter::one_pair::with_table;
use crate::convex::filter::{self, FilteredSweep};
use crate::convex::{self, SweepOutcome};
use crate::geom::{Motion, RadiusSum, Vec2, WideFloat, WideVector};
use crate::predicates::{Length, TO_TEN_DIGITS, length_difference};
use crate::shape::checked_shape::{Shape, convex_rings, filter_radius, radius_sum};
use crate::shape::straight::rounded_sweep::MovingPair;
use crate::shape::straight::straight_approach::nearest_while_moving;

/// The translation of `a`, beyond its motion by `velocity`, that clears its whole sweep from `b`, for
/// convex shapes that meet within the frame; `None` for polygons without a radius or margin, and NaN for
/// shapes that are not convex.
pub(crate) fn rounded_sweep_mtv(
    a: &Shape<'_>,
    b: &Shape<'_>,
    velocity: Motion,
    margin: f64,
) -> Option<Vec2> {
    let radius = radius_sum(a, b, margin);
    if radius.is_zero() && a.kind().is_polygonal() && b.kind().is_polygonal() {
        return None;
    }
    if let Some(mtv) = filtered_mtv([a, b], velocity, margin) {
        return Some(mtv);
    }
    let (Ok(core_a), Ok(core_b)) = (a.convex_core(), b.convex_core()) else {
        return Some(Vec2::NAN);
    };
    let cores_meet = if let Some((a, b)) = convex_rings(a, b) {
        let outcome = convex::swept_collision(a, b, None, velocity);
        !matches!(outcome, SweepOutcome::Never)
    } else {
        let cores = MovingPair::new([a, b], None, velocity, RadiusSum::ZERO);
        cores.meet_at_start() || cores.come_into_contact()
    };
    let sum = Length::Number(radius);
    let (depth, direction) = if cores_meet {
        let least = convex::sweep_depth(&core_a, &core_b, velocity);
        let (depth, direction) = least.unwrap_or((WideFloat::ZERO, WideVector::ALONG_X));
        (depth + sum.value(TO_TEN_DIGITS), direction)
    } else {
        let nearest = nearest_while_moving([a, b], None, velocity);
        let depth = length_difference(sum, nearest.length(), TO_TEN_DIGITS);
        (depth, nearest.direction())
    };
    Some((direction * depth).to_vec2())
}

/// The minimum translation that clears a whole sweep of shapes that meet within the frame, if they are convex
/// polygons and floats can tell.
fn filtered_mtv([a, b]: [&Shape<'_>; 2], velocity: Motion, margin: f64) -> Option<Vec2> {
    let velocity = velocity.vector()?;
    let radius = filter_radius(a, b, margin)?;
    let (a, b) = convex_rings(a, b)?;
    let found = with_table([a, b], |table| {
        let sweep = FilteredSweep::known(true, true, true, 0.0);
        filter::rounded_sweep_mtv(table, &sweep, velocity, radius)
    });
    found.is_certain.then(|| found.mtv())
}
