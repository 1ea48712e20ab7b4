//! Area and centroid.

use super::Polygon;
use super::boundary::Boundary;
use crate::convex::Cyclic;
use crate::geom::{Bounds, Edge, Point, WideFloat};
use crate::predicates::{Moment, TO_TWELVE_DIGITS, TwiceArea, moment, twice_area};

/// What a polygon covers, holes left out: within 1e-12 of its own value, however thin it is.
pub fn area(polygon: &Polygon<'_>) -> f64 {
    let twice = match polygon.exactly_convex() {
        Some(ring) => twice_area(&inside(&**ring, ring.len()), TO_TWELVE_DIGITS),
        None => twice_area(&inside_all(polygon.boundary()), TO_TWELVE_DIGITS),
    };
    (twice / WideFloat::from(2.0)).to_f64()
}

/// The centroid of what a polygon covers, within a unit in the last place of its coordinates and
/// 1e-12 of the longer side of the box round the polygon.
pub fn centroid(polygon: &Polygon<'_>) -> Point {
    match polygon.exactly_convex() {
        Some(ring) => centroid_of(inside(&**ring, ring.len())),
        None => centroid_of(inside_all(polygon.boundary())),
    }
}

/// The area on the left of a boundary's edges, seen from a vertex of the shell.
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
    // An error of the moment counts by what it does to the quotient.
    let error = TO_TWELVE_DIGITS * size * thrice.to_f64();
    let origin = area.origin;
    let mut along = Moment {
        area,
        along_y: false,
    };
    let x = beyond(origin.x, moment(&along, error) / thrice);
    along.along_y = true;
    Point::new(x, beyond(origin.y, moment(&along, error) / thrice))
}

/// `from + by`, where neither the sum nor the distance need fit a float on the way.
fn beyond(from: f64, by: WideFloat) -> f64 {
    let sum = from + by.to_f64();
    if sum.is_finite() {
        return sum;
    }
    let half = WideFloat::from(0.5);
    2.0 * (from * 0.5 + (by * half).to_f64())
}
