//! The convex hull of points, decided exactly.

use std::cmp::Ordering;

use crate::geom::{Edge, Point};
use crate::predicates::{Sign, side};

/// From left to right, of equals from below; total, so that unchecked NaN cannot upset a sort,
/// and blind to the sign of zero.
pub(super) fn order(a: Point, b: Point) -> Ordering {
    let plain = |value: f64| value + 0.0;
    plain(a.x)
        .total_cmp(&plain(b.x))
        .then(plain(a.y).total_cmp(&plain(b.y)))
}

/// The corners of the convex hull of finite points, counterclockwise from the leftmost, of several
/// the lowest, by Andrew's monotone chain. Fewer than three if the points lie on one line.
pub fn convex_hull(points: &[Point]) -> Vec<Point> {
    let mut sorted = points.to_vec();
    sorted.sort_by(|&a, &b| order(a, b));
    let mut hull = half_hull(sorted.iter().copied());
    hull.extend(half_hull(sorted.iter().rev().copied()));
    hull
}

/// The lower half of a hull from points sorted to the right, without its last corner.
fn half_hull(points: impl Iterator<Item = Point>) -> Vec<Point> {
    let mut chain: Vec<Point> = Vec::new();
    for point in points {
        while let [.., before, last] = chain[..] {
            if side(Edge::new(before, last), point) == Sign::Positive {
                break;
            }
            chain.pop();
        }
        chain.push(point);
    }
    chain.pop();
    chain
}
