//! All times at which two shapes, one moving, come within a margin of each other.

use super::rounded_intervals::{RoundedPair, convex_interval};
use super::rounded_sweep::MovingPair;
use super::sharp_intervals::TranslatedPair;
use super::time_intervals::TimeIntervals;
use crate::convex;
use crate::convex::filter::one_pair::with_table;
use crate::convex::filter::{self, FilteredInterval};
use crate::geom::{Motion, Vec2};
use crate::shape::checked_shape::{Shape, convex_rings, filter_radius, radius_sum};
use crate::shape::rest::within_distance::is_within;

/// All times of the frame at which `a`, moving relative to `b`, comes within a margin of it.
pub fn contact_intervals(
    a: &Shape<'_>,
    b: &Shape<'_>,
    velocity: impl Into<Motion>,
    margin: f64,
) -> TimeIntervals {
    let velocity = velocity.into();
    let radius = radius_sum(a, b, margin);
    if radius.is_zero()
        && let Some((a, b)) = convex_rings(a, b)
    {
        return convex::contact_interval(a, b, velocity)
            .into_iter()
            .collect();
    }
    let vector = velocity.vector();
    if let Some(found) = vector.and_then(|vector| filtered([a, b], vector, margin)) {
        let Vec2 { x, y } = found.times;
        return found.touch.then_some([x, y]).into_iter().collect();
    }
    if vector == Some(Vec2::ZERO) {
        let touch = is_within(a, b, margin);
        return touch.then_some([0.0, 1.0]).into_iter().collect();
    }
    if let Some(rings) = MovingPair::of_convex([a, b], None, velocity, radius)
        && let Ok(interval) = convex_interval(&rings, is_within(a, b, margin))
    {
        return interval;
    }
    let [a, b] = [a, b].map(Shape::boundary);
    let cores = TranslatedPair { a, b, velocity };
    if radius.is_zero() {
        cores.intervals()
    } else {
        RoundedPair { cores, radius }.intervals()
    }
}

/// All times at which convex shapes come within a margin, with radii or without an interior, where floats can tell.
fn filtered([a, b]: [&Shape<'_>; 2], velocity: Vec2, margin: f64) -> Option<FilteredInterval<f64>> {
    let radius = filter_radius(a, b, margin)?;
    let rings = (a.small_convex()?, b.small_convex()?);
    let found = with_table([&rings.0, &rings.1], |table| {
        filter::rounded_interval(table, velocity, radius)
    });
    found.is_certain.then_some(found)
}
