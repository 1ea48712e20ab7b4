//! Float filter for the distance of two convex rings that are apart.

use crate::convex::ring::Corners;
use crate::predicates::circle_error_bounds::{EdgeProjection, LeastDistance};
use crate::predicates::error_bounds::Squares;
use crate::simd::lanes::{Lanes, Vectors};

#[inline(always)]
fn projection<L: Lanes, R: Corners<L> + ?Sized>(
    vertex: Vectors<L>,
    ring: &R,
    index: usize,
) -> EdgeProjection<L> {
    let [start, end] = ring.ends(index);
    EdgeProjection::new(vertex, start, end)
}

/// The distance of two rings that are apart, in a box of this size, and where it is certain: where one
/// vertex and one edge or vertex are clearly the nearest.
#[inline(always)]
pub(crate) fn distance<L: Lanes, R: Corners<L> + ?Sized>(
    [a, b]: [&R; 2],
    size: Vectors<L>,
) -> (L, L::Mask) {
    let zero = size.x.all(0.0);
    let error = Squares::new(size, zero).error;
    let first = projection(a.corner(0), b, 0);
    let (mut gap, mut edge) = (first.gap, first.edge);
    let square = first.distance_squared_unless_past(error);
    let mut least = LeastDistance::of(square, first.edge_squared, zero.above(zero));
    for vertex in 0..a.count() {
        for index in usize::from(vertex == 0)..b.count() {
            let other = projection(a.corner(vertex), b, index);
            let square = other.distance_squared_unless_past(error);
            let is_nearer = least.offer_square(square, other.edge_squared);
            gap = Vectors::choose(is_nearer, other.gap, gap);
            edge = Vectors::choose(is_nearer, other.edge, edge);
        }
    }
    for vertex in 0..b.count() {
        for index in 0..a.count() {
            let other = projection(b.corner(vertex), a, index);
            // Pairs of vertices were compared above.
            let square = other.distance_squared_of_interior(error);
            let is_nearer = least.offer_square(square, other.edge_squared);
            gap = Vectors::choose(is_nearer, other.gap, gap);
            edge = Vectors::choose(is_nearer, other.edge, edge);
        }
    }
    let nearest = EdgeProjection::along(gap, edge);
    let is_edge = nearest.dot.above(zero);
    let (distance, is_accurate) = nearest.distance(is_edge, size);
    (
        distance,
        is_accurate & least.is_certain(error) & nearest.is_in_region(is_edge, error),
    )
}
