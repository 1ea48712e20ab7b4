//! A quick look whether a convex polygon holds a vertex of another shape.

use super::checked_shape::Shape;
use crate::convex::filter;
use crate::geom::{Circle, Point};

/// Whether a convex polygon certainly holds a vertex of another shape: one of those near its middle. Where most shapes
/// meet, this often saves the boundary of the polygon, which takes half of the time of the answer.
pub(super) fn certainly_holds_a_vertex(polygon: &Shape<'_>, other: &Shape<'_>) -> bool {
    let Some(ring) = polygon.exactly_convex() else {
        return false;
    };
    // Convex pairs have faster answers.
    if other.is_exactly_convex() {
        return false;
    }
    let middle = ring.bounds().middle();
    let from_middle = |point: &Point| {
        let offset = *point - middle;
        offset.dot(offset)
    };
    let vertices = other.boundary().block_near(middle).starts().into_iter();
    let nearest = vertices.min_by(|one, two| from_middle(one).total_cmp(&from_middle(two)));
    nearest.is_some_and(|center| {
        let radius = 0.0;
        filter::certainly_reaches(ring, Circle { center, radius }) == Some(true)
    })
}
