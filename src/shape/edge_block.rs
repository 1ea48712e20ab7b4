//! Consecutive edges of a ring, eight at a time, in floats with a bound on the error: which of them
//! meet those of another block, which a ray from a point crosses, and how near they are to a point.

use fearless_simd::prelude::*;

use crate::geom::{Bounds, Circle, Point};
use crate::predicates::circle_bounds::{Closeness, EdgeProjection};
use crate::predicates::error_bounds::{Squares, box_error};
use crate::predicates::verdict::Verdict;
use crate::simd::instructions::with_instructions;
use crate::simd::lanes::{Lanes, Vectors};
use crate::simd::tile::{self, LANES, Lane};

/// The starts of up to eight consecutive edges and the end of the last one, which is repeated where
/// there are fewer.
#[derive(Clone, Debug)]
pub(super) struct EdgeBlock {
    points: [Point; LANES + 1],
    /// A bit for each edge.
    edges: u64,
    bounds: Bounds,
}

impl EdgeBlock {
    /// Of the starts of edges and the end of the last one.
    pub(super) fn new(starts: impl ExactSizeIterator<Item = Point>, end: Point) -> Self {
        let mut points = [end; LANES + 1];
        let edges = (1 << starts.len()) - 1;
        for (into, start) in points.iter_mut().zip(starts) {
            *into = start;
        }
        Self {
            points,
            edges,
            bounds: points.iter().map(|&point| Bounds::from(point)).collect(),
        }
    }

    /// The bounding box.
    pub(super) fn bounds(&self) -> &Bounds {
        &self.bounds
    }

    /// Where the edges start and end.
    #[inline(always)]
    fn ends<S: Simd>(&self, simd: S) -> [Vectors<Lane<S>>; 2] {
        let [starts @ .., _] = &self.points;
        let [_, ends @ ..] = &self.points;
        [tile::points(simd, starts), tile::points(simd, ends)]
    }

    /// A bit for each edge whose box has a point in common with a box.
    #[inline(always)]
    fn near<S: Simd>(&self, simd: S, bounds: &Bounds) -> u64 {
        let [from, to] = self.ends(simd);
        let (low, high) = (from.with(to, Lane::smaller), from.with(to, Lane::larger));
        let min = tile::splat(simd, bounds.min);
        let max = tile::splat(simd, bounds.max);
        let is_near = max.x.at_least(low.x)
            & max.y.at_least(low.y)
            & high.x.at_least(min.x)
            & high.y.at_least(min.y);
        is_near.to_bitmask() & self.edges
    }
}

/// Whether an edge of one block meets one of another. `meet` decides exactly for two edges, given by
/// their indices.
#[inline]
pub(super) fn blocks_meet(
    a: &EdgeBlock,
    b: &EdgeBlock,
    meet: impl Fn(usize, usize) -> bool,
) -> bool {
    let mut open = [0; LANES];
    with_instructions!(simd => certainly_meet(simd, a, b, &mut open))
        || (0..LANES).any(|i| ones(open[i]).any(|j| meet(i, j)))
}

/// Whether an edge of `a` certainly meets one of `b`; if not, `open` becomes the edges of `b` that
/// may meet each edge of `a`.
#[inline(always)]
fn certainly_meet<S: Simd>(simd: S, a: &EdgeBlock, b: &EdgeBlock, open: &mut [u64; LANES]) -> bool {
    let Bounds { min, max } = a.bounds.union(&b.bounds);
    let size = Vectors::from(max) - Vectors::from(min);
    let error = Lane::splat(simd, box_error(size, size));
    let near_a = b.near(simd, &a.bounds);
    let mut near_b = a.near(simd, &b.bounds);
    if near_a == 0 {
        return false;
    }
    let [from, to] = b.ends(simd);
    let direction = to - from;
    while near_b != 0 {
        let index = near_b.trailing_zeros() as usize;
        near_b &= near_b - 1;
        let start = tile::splat(simd, a.points[index]);
        let end = tile::splat(simd, a.points[index + 1]);
        let edge = end - start;
        let sides = [edge.cross(from - start), edge.cross(to - start)];
        let others = [direction.cross(start - from), direction.cross(end - from)];
        let verdict =
            Verdict::straddles_zero(sides, error).and(Verdict::straddles_zero(others, error));
        if verdict.yes.to_bitmask() & near_a != 0 {
            return true;
        }
        open[index] = verdict.undecided().to_bitmask() & near_a;
    }
    false
}

/// Whether a ray from a point of this box to the right crosses the edges of a block an odd number of
/// times, and a bit for each edge for which that is open or that may hold the point.
#[inline]
pub(super) fn crossings(block: &EdgeBlock, point: Point, bounds: &Bounds) -> (bool, u64) {
    with_instructions!(simd => certain_crossings(simd, block, point, bounds))
}

#[inline(always)]
fn certain_crossings<S: Simd>(
    simd: S,
    block: &EdgeBlock,
    point: Point,
    bounds: &Bounds,
) -> (bool, u64) {
    let size = Vectors::from(bounds.max) - Vectors::from(bounds.min);
    let error = Lane::splat(simd, box_error(size, size));
    let [from, to] = block.ends(simd);
    let point = tile::splat(simd, point);
    let side = Verdict::at_least_zero((to - from).cross(point - from), error);
    // The lower end belongs to the edge, the upper end doesn't.
    let [starts_below, ends_below] = [from, to].map(|end| point.y.at_least(end.y));
    let is_passed = starts_below ^ ends_below;
    let crosses = (starts_below & side.yes) | (ends_below & side.no);
    let (low, high) = (from.with(to, Lane::smaller), from.with(to, Lane::larger));
    let is_in_box = point.x.at_least(low.x)
        & point.y.at_least(low.y)
        & high.x.at_least(point.x)
        & high.y.at_least(point.y);
    let open = side.undecided() & (is_passed | is_in_box);
    let crosses = (is_passed & crosses & !open).to_bitmask() & block.edges;
    (
        crosses.count_ones() % 2 == 1,
        open.to_bitmask() & block.edges,
    )
}

/// Whether a circle whose center lies in this box reaches one of the edges of these blocks; `None`
/// if that is not certain.
pub(super) fn circle_reaches<'b>(
    circle: Circle,
    blocks: impl Iterator<Item = &'b EdgeBlock>,
    bounds: &Bounds,
) -> Option<bool> {
    let Bounds { min, max } = bounds.union(&circle.center.into());
    let size = Vectors::from(max) - Vectors::from(min);
    let squares = Squares::new(size, circle.radius);
    let mut closeness = Closeness::of_none(circle.radius);
    for block in blocks {
        closeness = closeness.union(with_instructions!(simd => closest(simd, block, circle)));
    }
    // Which side of the edges the center lies on does not matter here.
    closeness.inside = f64::NEG_INFINITY;
    closeness.verdict(circle.radius, &squares).decided()
}

#[inline(always)]
fn closest<S: Simd>(simd: S, block: &EdgeBlock, circle: Circle) -> Closeness<f64> {
    let [start, end] = block.ends(simd);
    let center = tile::splat(simd, circle.center);
    let radius = Lane::splat(simd, circle.radius);
    let none = Closeness::of_none(radius);
    let is_edge = fearless_simd::mask64x8::from_bitmask(simd, block.edges);
    let all = none.with(&EdgeProjection::new(center, start, end), radius);
    let least = |own: Lane<S>, none: Lane<S>| is_edge.select(own, none).reduce_min();
    Closeness {
        inside: least(all.inside, none.inside),
        from_vertex: least(all.from_vertex, none.from_vertex),
        from_edge: least(all.from_edge, none.from_edge),
        shortest: least(all.shortest, none.shortest),
    }
}

/// The positions of the bits that are set.
pub(super) fn ones(mut bits: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let position = bits.trailing_zeros() as usize;
        bits &= bits.wrapping_sub(1);
        (position < 64).then_some(position)
    })
}
