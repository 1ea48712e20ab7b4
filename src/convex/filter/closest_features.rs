//! Float filter for the nearest features of two convex rings that are apart, one displaced.

use crate::convex::ring::Corners;
use crate::predicates::circle_filter::{EdgeProjection, LeastDistance};
use crate::predicates::error_bounds::Squares;
use crate::simd::lanes::{Lanes, Vectors};

/// The nearest features of two rings that are apart.
pub(super) struct NearestGap<L: Lanes> {
    /// A vertex of `a` relative to an edge of `b`, or a vertex of `b` relative to an edge of `a` with the
    /// opposite sign: in either case the gap moves with `a`.
    pub(super) projection: EdgeProjection<L>,
    /// Whether the interior of the edge is nearest, not its start.
    pub(super) is_edge: L::Mask,
    /// Where they are clearly the nearest.
    pub(super) is_certain: L::Mask,
}

/// A vertex of `a` as seen from an edge of `b`.
#[inline(always)]
fn of_a<L: Lanes, R: Corners<L> + ?Sized>(
    [a, b]: [&R; 2],
    [vertex, edge]: [usize; 2],
    shift: Option<Vectors<L>>,
) -> EdgeProjection<L> {
    let [start, end] = b.ends(edge);
    EdgeProjection::along(displaced(a.corner(vertex) - start, shift), end - start)
}

/// The opposite of a vertex of `b` as seen from an edge of `a`.
#[inline(always)]
fn of_b<L: Lanes, R: Corners<L> + ?Sized>(
    [a, b]: [&R; 2],
    [vertex, edge]: [usize; 2],
    shift: Option<Vectors<L>>,
) -> EdgeProjection<L> {
    let [start, end] = a.ends(edge);
    EdgeProjection::along(displaced(start - b.corner(vertex), shift), start - end)
}

// Not by `Option::map_or`, whose closure stays a call, compiled without the tile's instructions.
#[inline(always)]
fn displaced<L: Lanes>(gap: Vectors<L>, shift: Option<Vectors<L>>) -> Vectors<L> {
    match shift {
        Some(shift) => gap + shift,
        None => gap,
    }
}

/// The nearest features of two rings that are apart, the first displaced by `shift`, and where they are
/// certain. No vector between vertices, displaced or not, is longer than `size` in either component.
#[inline(always)]
pub(super) fn nearest<L: Lanes, R: Corners<L> + ?Sized>(
    [a, b]: [&R; 2],
    size: Vectors<L>,
    shift: Option<Vectors<L>>,
) -> NearestGap<L> {
    let zero = size.x.all(0.0);
    let error = Squares::new(size, zero).error;
    let first = of_a([a, b], [0, 0], shift);
    let (mut gap, mut edge) = (first.gap, first.edge);
    let square = first.distance_squared_unless_past(error);
    let mut least = LeastDistance::of(square, first.edge_squared, zero.above(zero));
    for vertex in 0..a.count() {
        for index in usize::from(vertex == 0)..b.count() {
            let other = of_a([a, b], [vertex, index], shift);
            let square = other.distance_squared_unless_past(error);
            let is_nearer = least.offer_square(square, other.edge_squared);
            gap = Vectors::choose(is_nearer, other.gap, gap);
            edge = Vectors::choose(is_nearer, other.edge, edge);
        }
    }
    for vertex in 0..b.count() {
        for index in 0..a.count() {
            let other = of_b([a, b], [vertex, index], shift);
            // Pairs of vertices were compared above.
            let square = other.distance_squared_of_interior(error);
            let is_nearer = least.offer_square(square, other.edge_squared);
            gap = Vectors::choose(is_nearer, other.gap, gap);
            edge = Vectors::choose(is_nearer, other.edge, edge);
        }
    }
    let projection = EdgeProjection::along(gap, edge);
    let is_edge = projection.dot.above(zero);
    NearestGap {
        is_certain: least.is_certain(error) & projection.is_in_region(is_edge, error),
        projection,
        is_edge,
    }
}
