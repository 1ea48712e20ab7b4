//! Convex hulls, decided exactly.

use std::cmp::Ordering;

use crate::geom::{Edge, Point};
use crate::predicates::{Sign, side};

/// The order by x, then by y. It is total, so that unchecked NaN can't upset a sort, and takes
/// both zeros as equal.
pub(crate) fn order(a: Point, b: Point) -> Ordering {
    let plain = |value: f64| value + 0.0;
    plain(a.x)
        .total_cmp(&plain(b.x))
        .then(plain(a.y).total_cmp(&plain(b.y)))
}

/// The corners of the convex hull of finite points, counterclockwise from the lowest of the
/// leftmost, by Andrew's monotone chain. Two if the points are collinear, one if
/// several points coincide.
pub fn convex_hull(points: &[Point]) -> Vec<Point> {
    let mut sorted = points.to_vec();
    sorted.sort_by(|&a, &b| order(a, b));
    let mut hull = half_hull(sorted.iter().copied());
    hull.extend(half_hull(sorted.iter().rev().copied()));
    hull.dedup();
    hull
}

/// The lower half of a hull from points sorted by x, without its last corner.
fn half_hull(points: impl ExactSizeIterator<Item = Point>) -> Vec<Point> {
    let mut chain: Vec<Point> = Vec::with_capacity(points.len());
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
