//! All times at which two shapes, one moving, come within a margin of each other.

use super::checked_shape::{Shape, convex_rings, radius_sum};
use super::rounded_intervals::RoundedPair;
use super::sharp_intervals::TranslatedPair;
use super::time_intervals::TimeIntervals;
use super::within_distance::is_within;
use crate::convex::filter::{FilteredInterval, one_pair};
use crate::convex::{self, MinkowskiDifference};
use crate::geom::{Point, Vec2};
use crate::predicates::rounded_radius_sum;

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
    if let Some(found) = filtered([a, b], velocity, margin) {
        let Vec2 { x, y } = found.times;
        return found.touch.then_some([x, y]).into_iter().collect();
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

/// The same for convex shapes with a radius, or without an interior, where floats can tell.
fn filtered([a, b]: [&Shape<'_>; 2], velocity: Vec2, margin: f64) -> Option<FilteredInterval<f64>> {
    let radius = rounded_radius_sum([a.radius(), b.radius(), margin]);
    let (a, b) = (a.small_convex()?, b.small_convex()?);
    let difference = MinkowskiDifference::<[Point]>::new(&a, &b, None);
    let is_usual = radius >= 0.0;
    is_usual.then(|| one_pair::rounded_interval(&difference, velocity, radius))?
}
