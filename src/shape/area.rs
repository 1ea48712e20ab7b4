//! Area and centroid.

use super::polygon::Polygon;
use crate::convex::Cyclic;
use crate::geom::{Bounds, Edge, Point, WideFloat};
use crate::predicates::{Moment, TO_TWELVE_DIGITS, TwiceArea, moment, twice_area};

/// The area, holes subtracted, within a relative error of 1e-12 however thin the polygon is.
pub fn area(polygon: &Polygon<'_>) -> f64 {
    (twice_area(&interior(polygon), TO_TWELVE_DIGITS) / WideFloat::from(2.0)).to_f64()
}

/// The centroid, within a unit in the last place of its coordinates plus 1e-12 of the longer side of
/// the bounding box.
pub fn centroid(polygon: &Polygon<'_>) -> Point {
    let area = interior(polygon);
    let Bounds { min, max } = area.edges.clone().map(Bounds::from).collect();
    let size = (max.x - min.x).max(max.y - min.y);
    let thrice = twice_area(&area, TO_TWELVE_DIGITS) * WideFloat::from(3.0);
    // The error of the quotient is promised, not that of the moment.
    let error = TO_TWELVE_DIGITS * size * thrice.to_f64();
    let origin = area.origin;
    let mut along = Moment {
        area,
        along_y: false,
    };
    let x = sum(origin.x, moment(&along, error) / thrice);
    along.along_y = true;
    Point::new(x, sum(origin.y, moment(&along, error) / thrice))
}

/// The area on the left of all edges, as seen from a vertex of the shell.
fn interior<'p>(
    polygon: &'p Polygon<'_>,
) -> TwiceArea<impl Iterator<Item = Edge> + Clone + use<'p>> {
    let ring = polygon.exactly_convex().map(|ring| &**ring);
    let boundary = ring.is_none().then(|| polygon.boundary());
    let corners = boundary.map_or(0, |boundary| boundary.corners.len());
    let count = ring.map_or(corners, <[Point]>::len);
    let edge = move |index| match (ring, boundary) {
        (Some(ring), _) => ring.edge(index),
        (None, boundary) => boundary.expect("a general polygon").edge(index),
    };
    TwiceArea {
        origin: edge(0).start,
        edges: (0..count).map(edge),
    }
}

/// `from + by`, without overflow on the way.
fn sum(from: f64, by: WideFloat) -> f64 {
    let plain = from + by.to_f64();
    if plain.is_finite() {
        return plain;
    }
    let half = WideFloat::from(0.5);
    2.0 * (from * 0.5 + (by * half).to_f64())
}
