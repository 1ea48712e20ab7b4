//! The minimum translation that clears a whole sweep of one shape from another, for shapes with a radius or without an
//! interior.

use super::checked_shape::{Shape, radius_sum};
use super::nearest_cores::NearestCores;
use super::rounded_sweep::MovingPair;
use crate::convex;
use crate::geom::{Motion, RadiusSum, Vec2, WideFloat, WideVector};
use crate::predicates::{Length, TO_TEN_DIGITS, length_difference};

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
    let (Ok(core_a), Ok(core_b)) = (a.convex_core(), b.convex_core()) else {
        return Some(Vec2::NAN);
    };
    let cores = MovingPair::new([a, b], None, velocity, RadiusSum::ZERO);
    let sum = Length::Number(radius);
    let (depth, direction) = if cores.meet_at_start() || cores.come_into_contact() {
        let least = convex::sweep_depth(&core_a, &core_b, velocity);
        let (depth, direction) = least.unwrap_or((WideFloat::ZERO, WideVector::ALONG_X));
        (depth + sum.value(TO_TEN_DIGITS), direction)
    } else {
        let nearest = NearestCores::while_moving([&core_a, &core_b], velocity);
        let depth = length_difference(sum, nearest.length(), TO_TEN_DIGITS);
        (depth, nearest.direction())
    };
    Some((direction * depth).to_vec2())
}
