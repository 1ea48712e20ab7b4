//! Whether a ring is convex, as far as floats can tell: vertex by vertex, where there may be several rings side by side
//! in lanes, or eight vertices at a time.

use fearless_simd::prelude::*;

use super::table::lane_corners::{Corners, bounds};
use super::table::load_vertices::{eight, slide_to_next};
use crate::geom::{Bounds, Edge, Point};
use crate::predicates::bounds::error_bounds::{box_error, certainly_positive};
use crate::simd::instructions::with_instructions;
use crate::simd::lanes::{Lanes, Vectors};
use crate::simd::load::{self, LANES, Lane};

/// Vertices from which on eight at a time take less time than one by one.
const LONG: usize = 12;

/// A ring that is certainly convex.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Convexity {
    /// Its winding.
    pub(crate) clockwise: bool,
    /// Its bounding box, if that was computed.
    pub(crate) bounds: Option<Bounds>,
}

/// Whether an edge goes to the right, or straight up.
#[inline(always)]
fn ascending<L: Lanes>(edge: Vectors<L>) -> L::Mask {
    let zero = edge.x.all(0.0);
    edge.x.above(zero) | (edge.x.same(zero) & edge.y.above(zero))
}

/// Whether an edge goes to the right, or straight up.
///
/// Round a convex ring this changes exactly twice; more often means that the ring winds round
/// more than once or turns back, which turns alone cannot tell.
#[inline]
pub(crate) fn ascends(edge: Edge) -> bool {
    ascending(Vectors::from(edge.end) - Vectors::from(edge.start))
}

/// The winding of a ring, if the filter can tell that every vertex is a true corner and that the
/// ring goes round once; `None` says nothing.
#[inline(always)]
pub(crate) fn certainly_convex(vertices: &[Point]) -> Option<Convexity> {
    // The most common length, for which the loops unroll.
    match <&[Point; 4]>::try_from(vertices) {
        Ok(quad) => certainly_turns(&quad[..]),
        Err(_) if vertices.len() < 3 => None,
        Err(_) if vertices.len() >= LONG => certainly_convex_long(vertices),
        Err(_) => certainly_turns(vertices),
    }
}

#[inline(always)]
fn certainly_turns(vertices: &[Point]) -> Option<Convexity> {
    let [low, high] = bounds([vertices]);
    let size = high - low;
    let error = box_error(size, size);
    let clockwise = !turns_left(vertices, error);
    (!clockwise || turns_right(vertices, error)).then_some(Convexity {
        clockwise,
        bounds: Some(Bounds {
            min: low.into(),
            max: high.into(),
        }),
    })
}

/// The bounding box of the vertices visited so far, and the range of the turns there.
struct Visited<S: Simd> {
    low: Vectors<Lane<S>>,
    high: Vectors<Lane<S>>,
    least_turn: Lane<S>,
    most_turn: Lane<S>,
    /// NaN if any turn is NaN.
    sum_of_turns: Lane<S>,
}

impl<S: Simd> Visited<S> {
    #[inline(always)]
    fn none(simd: S) -> Self {
        let infinity = Lane::splat(simd, f64::INFINITY);
        let minus_infinity = Lane::splat(simd, f64::NEG_INFINITY);
        Self {
            low: Vectors::both(infinity),
            high: Vectors::both(minus_infinity),
            least_turn: infinity,
            most_turn: minus_infinity,
            sum_of_turns: Lane::splat(simd, 0.0),
        }
    }

    /// Adds vertices with the edges that end and those that start there.
    #[inline(always)]
    fn with(
        self,
        vertices: Vectors<Lane<S>>,
        incoming: Vectors<Lane<S>>,
        outgoing: Vectors<Lane<S>>,
    ) -> Self {
        let turn = incoming.cross(outgoing);
        Self {
            low: self.low.with(vertices, Lane::smaller),
            high: self.high.with(vertices, Lane::larger),
            least_turn: self.least_turn.smaller(turn),
            most_turn: self.most_turn.larger(turn),
            sum_of_turns: self.sum_of_turns + turn,
        }
    }

    /// The winding, if all turns certainly go to one side.
    #[inline(always)]
    fn convexity(&self) -> Option<Convexity> {
        let (low, high) = (self.low, self.high);
        let bounds = Bounds {
            min: Point::new(low.x.reduce_min(), low.y.reduce_min()),
            max: Point::new(high.x.reduce_max(), high.y.reduce_max()),
        };
        let error = box_error(bounds.size(), bounds.size());
        let (least, most) = (self.least_turn.reduce_min(), self.most_turn.reduce_max());
        // A minimum may lose a NaN, a sum can't.
        let are_numbers = self.sum_of_turns.same(self.sum_of_turns).all_true();
        let clockwise = certainly_positive(-most, error);
        (are_numbers && (clockwise || certainly_positive(least, error))).then_some(Convexity {
            clockwise,
            bounds: Some(bounds),
        })
    }
}

/// [`certainly_convex`] for rings of [`LONG`] and more vertices.
fn certainly_convex_long(ring: &[Point]) -> Option<Convexity> {
    with_instructions!(simd => convexity(simd, ring))
}

#[inline(always)]
fn convexity<S: Simd>(simd: S, ring: &[Point]) -> Option<Convexity> {
    let count = ring.len();
    let last_block = count - LANES;
    let first = load::splat(simd, ring[0]);
    let mut visited = Visited::none(simd);
    let mut vertices = eight(simd, ring, 0);
    // The edges of the block before; of the first block the one that ends there comes last.
    let mut before = first - load::splat(simd, ring[count - 1]);
    let mut last_ascends = ascending(before).to_bitmask() >> (LANES - 1);
    // Round a convex ring this changes twice.
    let mut changes = 0;
    let mut start = 0;
    while start < count {
        // The last block overlaps the one before. Else each vertex is loaded but once.
        let block = start.min(last_block);
        let (ends, next) = if block + LANES <= last_block {
            let next = eight(simd, ring, block + LANES);
            (vertices.with(next, slide_to_next), next)
        } else if block < last_block {
            (eight(simd, ring, block + 1), eight(simd, ring, last_block))
        } else {
            (vertices.with(first, slide_to_next), vertices)
        };
        let outgoing = ends - vertices;
        let incoming = if block == start {
            before.with(outgoing, slide_to_previous)
        } else {
            vertices - eight(simd, ring, block - 1)
        };
        visited = visited.with(vertices, incoming, outgoing);
        let ascends = ascending(outgoing).to_bitmask() >> (start - block);
        let size = LANES - (start - block);
        changes += ((ascends ^ (ascends << 1 | last_ascends)) & ((1 << size) - 1)).count_ones();
        last_ascends = ascends >> (size - 1);
        (before, vertices) = (outgoing, next);
        start += size;
    }
    if changes == 2 {
        visited.convexity()
    } else {
        None
    }
}

/// The last of the eight numbers before, then all but the last of eight.
#[inline(always)]
fn slide_to_previous<S: Simd>(before: Lane<S>, numbers: Lane<S>) -> Lane<S> {
    before.slide::<7>(numbers)
}

/// Whether a ring certainly turns left at every vertex and goes round once, if a cross product of
/// its edges is wrong by no more than the error.
#[inline(always)]
pub(crate) fn turns_left<L: Lanes, R: Corners<L> + ?Sized>(ring: &R, error: L) -> L::Mask {
    all_left(
        ring.count(),
        #[inline(always)]
        |start| ring.edge_vector(start),
        error,
    )
}

/// Whether a ring certainly turns right at every vertex and goes round once: see [`turns_left`].
#[inline(always)]
pub(crate) fn turns_right<L: Lanes, R: Corners<L> + ?Sized>(ring: &R, error: L) -> L::Mask {
    all_left(
        ring.count(),
        // Exchanging x and y mirrors the ring: a turn to the right becomes one to the left, and the
        // cross product only changes its sign.
        #[inline(always)]
        |start| {
            let Vectors { x, y } = ring.edge_vector(start);
            Vectors { x: y, y: x }
        },
        error,
    )
}

#[inline(always)]
fn all_left<L: Lanes>(count: usize, edge: impl Fn(usize) -> Vectors<L>, error: L) -> L::Mask {
    let zero = error.all(0.0);
    let none = zero.above(zero);
    let mut left = !none;
    // The turns are to the left, each by less than half a turn, so that in each round the direction
    // of the edges changes once from downward to upward. A second such change means a second round.
    // Rings of four vertices or fewer go round once.
    let [mut rose, mut rose_again] = [none; 2];
    let mut incoming = edge(count - 1);
    for start in 0..count {
        let outgoing = edge(start);
        left = left & certainly_positive(incoming.cross_contracted(outgoing), error);
        if count > 4 {
            let rises = outgoing.y.above(zero) & !incoming.y.above(zero);
            rose_again = rose_again | (rose & rises);
            rose = rose | rises;
        }
        incoming = outgoing;
    }
    left & !rose_again
}
