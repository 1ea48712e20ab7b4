//! Consecutive edges of a boundary, eight at a time, in floats with a bound on the error: which of them
//! meet those of another block, and which a ray from a point crosses.

use std::ops::{ControlFlow, Range};

use fearless_simd::prelude::*;
use smallvec::SmallVec;

use crate::geom::{Bounds, Edge, Point, Ray};
use crate::predicates::bounds::error_bounds::box_error;
use crate::predicates::numbers::verdict::Verdict;
use crate::simd::instructions::with_instructions;
use crate::simd::lanes::{Lanes, Vectors};
use crate::simd::load::{self, LANES, Lane};

/// The starts of up to eight consecutive edges and the end of the last one, which is repeated where
/// there are fewer.
#[derive(Clone, Debug)]
pub(crate) struct EdgeBlock {
    points: [Point; LANES + 1],
    pub(crate) bounds: Bounds,
    /// The index of the first edge.
    first: u32,
    /// The number of edges.
    count: u8,
    /// Distance in `points` from an edge's start to its end: 1, or 0 for points.
    step: u8,
    /// Number of starts, and of edges, on the way there of a path, which is stored there and back. In other
    /// shapes, all of them.
    there: [u8; 2],
}

impl EdgeBlock {
    /// The block of the edges with these indices, which go round a ring from corner to corner, or
    /// are points.
    pub(crate) fn new(
        indices: Range<usize>,
        corners: impl Fn(usize) -> Point,
        are_points: bool,
    ) -> Self {
        let step = usize::from(!are_points);
        let last = corners(indices.end - 1 + step);
        let mut points = [last; LANES + 1];
        for (point, index) in points.iter_mut().zip(indices.clone()) {
            *point = corners(index);
        }
        let count = narrow(indices.len());
        Self {
            points,
            bounds: points.iter().map(|&point| Bounds::from(point)).collect(),
            first: u32::try_from(indices.start).expect("fewer than 2^32 edges"),
            count,
            step: narrow(step),
            there: [count; 2],
        }
    }

    /// The blocks of a ring, one after the other.
    pub(crate) fn of_ring(ring: &[Point]) -> impl Iterator<Item = Self> {
        let count = ring.len();
        let vertex = move |index| ring[if index == count { 0 } else { index }];
        (0..count)
            .step_by(LANES)
            .map(move |first| Self::new(first..(first + LANES).min(count), vertex, false))
    }

    /// This block as part of a path, which is stored there and back. `there` is the number of starts and of
    /// edges, from the first edge of the block on, that belong to the way there.
    pub(crate) fn of_path(self, there: [usize; 2]) -> Self {
        let there = there.map(|there| narrow(there.min(LANES)).min(self.count));
        Self { there, ..self }
    }

    /// Reads one number of each cache line (64 bytes) of the block.
    #[inline]
    pub(crate) fn read_ahead(&self) -> f64 {
        let [first, .., last] = self.points;
        first.x + self.points[LANES / 2].x + last.x + self.bounds.max.x
    }

    /// The indices of the edges.
    pub(crate) fn range(&self) -> Range<usize> {
        let first = self.first as usize;
        first..first + usize::from(self.count)
    }

    #[inline(always)]
    pub(crate) fn start(&self, index: usize) -> Point {
        self.points[index - self.first as usize]
    }

    /// The starts of the edges, in order; where there are fewer than eight, the others are repeats.
    pub(crate) fn starts(&self) -> [Point; LANES] {
        let [starts @ .., _] = self.points;
        starts
    }

    /// A bit for each edge.
    pub(crate) fn edges(&self) -> u64 {
        (1 << self.count) - 1
    }

    /// A bit for each start, and one for each edge, but for those of a path's way back.
    pub(crate) fn there(&self) -> [u64; 2] {
        let [starts, edges] = self.there;
        [(1 << starts) - 1, (1 << edges) - 1]
    }

    /// Whether the block has a vertex on the way there. Always so for shapes other than paths.
    pub(crate) fn is_there(&self) -> bool {
        self.there[0] > 0
    }

    /// Where one of the edges starts and ends.
    #[inline(always)]
    pub(crate) fn ends_of(&self, lane: usize) -> [Point; 2] {
        [
            self.points[lane],
            self.points[lane + usize::from(self.step)],
        ]
    }

    /// Where the first edge starts and the last one ends.
    pub(crate) fn ends_of_all(&self) -> [Point; 2] {
        let last = usize::from(self.count) - 1;
        [self.points[0], self.ends_of(last)[1]]
    }

    /// Where the edges start and end.
    #[inline(always)]
    pub(crate) fn ends<S: Simd>(&self, simd: S) -> [Vectors<Lane<S>>; 2] {
        let [starts @ .., _] = &self.points;
        let [_, ends @ ..] = &self.points;
        let ends = if self.step == 0 { starts } else { ends };
        [load::points(simd, starts), load::points(simd, ends)]
    }

    /// The lower left and the upper right corners of the boxes of the edges.
    #[inline(always)]
    fn boxes<S: Simd>(&self, simd: S) -> [Vectors<Lane<S>>; 2] {
        let [from, to] = self.ends(simd);
        [from.with(to, Lane::smaller), from.with(to, Lane::larger)]
    }

    /// A bit for each edge whose box has a point in common with `bounds`; `[low, high]` are the boxes of the edges.
    #[inline(always)]
    fn near<S: Simd>(&self, simd: S, [low, high]: &[Vectors<Lane<S>>; 2], bounds: &Bounds) -> u64 {
        let min = load::splat(simd, bounds.min);
        let max = load::splat(simd, bounds.max);
        let is_near = max.x.at_least(low.x)
            & max.y.at_least(low.y)
            & high.x.at_least(min.x)
            & high.y.at_least(min.y);
        is_near.to_bitmask() & self.edges()
    }
}

/// For each edge of one block a bit for each edge of another whose box has a point in common with its own.
pub(super) fn boxes_meeting(one: &EdgeBlock, other: &EdgeBlock) -> [u64; LANES] {
    let mut meeting = [0; LANES];
    with_instructions!(simd => {
        let near = one.near(simd, &one.boxes(simd), &other.bounds);
        let boxes = other.boxes(simd);
        for edge in ones(near) {
            let [start, end] = one.ends_of(edge);
            let bounds = Bounds::from(Edge::new(start, end));
            meeting[edge] = other.near(simd, &boxes, &bounds);
        }
    });
    meeting
}

/// For each block a bit for each side to which none of its edges leads: 8 left, 4 right, 2 down, 1 up.
pub(super) fn avoided_sides(blocks: &[EdgeBlock]) -> SmallVec<[u8; LANES]> {
    let mut sides = SmallVec::with_capacity(blocks.len());
    with_instructions!(simd => {
        for block in blocks {
            let [from, to] = block.ends(simd);
            let mut avoided = 0;
            for (low, high) in [(from.x, to.x), (to.x, from.x), (from.y, to.y), (to.y, from.y)] {
                let is_avoided = high.at_least(low).to_bitmask() == u64::from(u8::MAX);
                avoided = avoided << 1 | u8::from(is_avoided);
            }
            sides.push(avoided);
        }
    });
    sides
}

/// Whether x and y are each monotone along edges that avoid these sides.
pub(super) fn is_monotone(avoided: u8) -> bool {
    avoided & 0b0011 != 0 && avoided & 0b1100 != 0
}

/// For each edge of one block a bit for each edge of another that it may meet.
pub(crate) fn may_meet(a: &EdgeBlock, b: &EdgeBlock) -> [u64; LANES] {
    let mut near = [0; LANES];
    with_instructions!(simd => {
        let _ = for_near_edges(
            simd,
            a,
            b,
            #[inline(always)]
            |index, verdict, near_a| {
                near[index] = !verdict.no.to_bitmask() & near_a;
                ControlFlow::Continue(())
            },
        );
    });
    near
}

/// Whether an edge of one block meets one of another. `meet` decides exactly for two edges, given by
/// their indices in their boundaries.
#[inline]
pub(crate) fn blocks_meet(
    a: &EdgeBlock,
    b: &EdgeBlock,
    mut meet: impl FnMut(usize, usize) -> bool,
) -> bool {
    let mut open = [0; LANES];
    with_instructions!(simd => certainly_meet(simd, a, b, &mut open))
        || (0..LANES)
            .any(|i| ones(open[i]).any(|j| meet(a.first as usize + i, b.first as usize + j)))
}

/// Whether an edge of `a` certainly meets one of `b`; if not, `open` becomes the edges of `b` that
/// may meet each edge of `a`.
#[inline(always)]
fn certainly_meet<S: Simd>(simd: S, a: &EdgeBlock, b: &EdgeBlock, open: &mut [u64; LANES]) -> bool {
    let found = for_near_edges(
        simd,
        a,
        b,
        #[inline(always)]
        |index, verdict, near_a| {
            if verdict.yes.to_bitmask() & near_a != 0 {
                return ControlFlow::Break(());
            }
            open[index] = verdict.undecided().to_bitmask() & near_a;
            ControlFlow::Continue(())
        },
    );
    found.is_break()
}

/// Visits the edges of `a` whose box meets that of `b`, with the verdict whether each edge of `b` meets it, and a bit
/// for each edge of `b` whose box meets that of `a`, until the visitor breaks.
#[inline(always)]
fn for_near_edges<S: Simd>(
    simd: S,
    a: &EdgeBlock,
    b: &EdgeBlock,
    mut visit: impl FnMut(usize, Verdict<Lane<S>>, u64) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let size = a.bounds.union(&b.bounds).size();
    let error = Lane::splat(simd, box_error(size, size));
    let near_a = b.near(simd, &b.boxes(simd), &a.bounds);
    let mut near_b = a.near(simd, &a.boxes(simd), &b.bounds);
    if near_a == 0 {
        return ControlFlow::Continue(());
    }
    let [from, to] = b.ends(simd);
    let direction = to - from;
    while near_b != 0 {
        let index = near_b.trailing_zeros() as usize;
        near_b &= near_b - 1;
        let [start, end] = a.ends_of(index);
        let (start, end) = (load::splat(simd, start), load::splat(simd, end));
        let edge = end - start;
        let sides = [edge.cross(from - start), edge.cross(to - start)];
        let others = [direction.cross(start - from), direction.cross(end - from)];
        let verdict =
            Verdict::straddles_zero(sides, error).and(Verdict::straddles_zero(others, error));
        visit(index, verdict, near_a)?;
    }
    ControlFlow::Continue(())
}

/// Whether a ray from a point of this box to the right crosses the edges of a block an odd number of
/// times, and a bit for each edge for which that is open or that may hold the point.
#[inline(always)]
pub(super) fn certain_crossings<S: Simd>(
    simd: S,
    block: &EdgeBlock,
    point: Point,
    bounds: &Bounds,
) -> (bool, u64) {
    let size = bounds.size();
    let error = Lane::splat(simd, box_error(size, size));
    let [from, to] = block.ends(simd);
    let point = load::splat(simd, point);
    let cross = (to - from).cross(point - from);
    let side = Verdict::at_least_zero(cross, error);
    // The lower end belongs to the edge, the upper end doesn't.
    let [starts_below, ends_below] = [from, to].map(|end| point.y.at_least(end.y));
    let is_passed = starts_below ^ ends_below;
    let crosses = (starts_below & side.yes) | (ends_below & side.no);
    let (low, high) = (from.with(to, Lane::smaller), from.with(to, Lane::larger));
    let is_in_box = point.x.at_least(low.x)
        & point.y.at_least(low.y)
        & high.x.at_least(point.x)
        & high.y.at_least(point.y);
    // A flat box has no error: there the point may be on the edge although the side is decided.
    let on_line = side.undecided() | cross.same(cross.all(0.0));
    let open = on_line & (is_passed | is_in_box);
    let crosses = (is_passed & crosses & !open).to_bitmask() & block.edges();
    (
        crosses.count_ones() % 2 == 1,
        open.to_bitmask() & block.edges(),
    )
}

/// A bit for each edge of a block whose ends may lie on different sides of a ray's line, or on it.
#[inline]
pub(crate) fn maybe_crossed(block: &EdgeBlock, ray: Ray) -> u64 {
    with_instructions!(simd => {
        let size = block.bounds.union(&ray.origin.into()).size();
        let error = Lane::splat(simd, box_error(size, ray.direction.map(f64::abs)));
        let origin = load::splat(simd, ray.origin);
        let Vectors { x, y } = ray.direction;
        let direction = load::splat(simd, Point::new(x, y));
        let sides = block.ends(simd).map(
            #[inline(always)]
            |end| direction.cross(end - origin),
        );
        (!Verdict::straddles_zero(sides, error).no).to_bitmask() & block.edges()
    })
}

/// A number up to eight.
fn narrow(number: usize) -> u8 {
    u8::try_from(number).expect("blocks are small")
}

/// The positions of the bits that are set.
pub(crate) fn ones(mut bits: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let position = bits.trailing_zeros() as usize;
        bits &= bits.wrapping_sub(1);
        (position < 64).then_some(position)
    })
}
