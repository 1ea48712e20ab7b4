//! Area and centroid.

use super::boundary::Boundary;
use super::polygon::Polygon;
use crate::convex::Cyclic;
use crate::geom::{Bounds, Edge, Point, WideFloat};
use crate::predicates::{Moment, TO_TWELVE_DIGITS, TwiceArea, moment, twice_area};

/// The area, holes subtracted, within a relative error of 1e-12 however thin the polygon is.
pub fn area(polygon: &Polygon<'_>) -> f64 {
    let twice = match polygon.exactly_convex() {
        Some(ring) => twice_area(&inside(&**ring, ring.len()), TO_TWELVE_DIGITS),
        None => twice_area(&inside_all(polygon.boundary()), TO_TWELVE_DIGITS),
    };
    (twice / WideFloat::from(2.0)).to_f64()
}

/// The centroid, within a unit in the last place of its coordinates plus 1e-12 of the longer side of
/// the bounding box.
pub fn centroid(polygon: &Polygon<'_>) -> Point {
    match polygon.exactly_convex() {
        Some(ring) => centroid_of(inside(&**ring, ring.len())),
        None => centroid_of(inside_all(polygon.boundary())),
    }
}

/// The area on the left of a boundary's edges, as seen from a vertex of the shell.
fn inside<B: Cyclic + ?Sized>(
    boundary: &B,
    count: usize,
) -> TwiceArea<impl Iterator<Item = Edge> + Clone> {
    TwiceArea {
        origin: boundary.vertex(0),
        edges: (0..count).map(|index| boundary.edge(index)),
    }
}

fn inside_all(boundary: &Boundary) -> TwiceArea<impl Iterator<Item = Edge> + Clone> {
    inside(boundary, boundary.corners().len())
}

fn centroid_of(area: TwiceArea<impl Iterator<Item = Edge> + Clone>) -> Point {
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

/// `from + by`, without overflow on the way.
fn sum(from: f64, by: WideFloat) -> f64 {
    let plain = from + by.to_f64();
    if plain.is_finite() {
        return plain;
    }
    let half = WideFloat::from(0.5);
    2.0 * (from * 0.5 + (by * half).to_f64())
}
