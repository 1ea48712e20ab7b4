//! Area and first moments of the region on the left of edges, as sums over the edges: first in floats, eight edges at a
//! time, with bounds on the errors, and where these are too large with exact numbers.

use std::array;

use fearless_simd::prelude::*;
use smallvec::SmallVec;

use crate::geom::{Edge, Point, Vectors};
use crate::predicates::numbers::bounded::{Bounded, are_in_range};
use crate::predicates::numbers::number_vector::Vector;
use crate::predicates::numbers::polynomial::{Number, Polynomial};
use crate::simd::instructions::with_instructions;
use crate::simd::lanes::{Lanes, Mask};
use crate::simd::load::{self, LANES, Lane};

/// Twice the area. Degree 2.
#[derive(Clone, Debug)]
pub struct TwiceArea<E> {
    /// The origin; near the edges, so that little cancels.
    pub origin: Point,
    /// The edges of all rings.
    pub edges: E,
}

/// Six times the first moment along an axis, from the origin. Degree 3.
#[derive(Clone, Debug)]
pub struct Moment<E> {
    /// The region.
    pub area: TwiceArea<E>,
    /// Whether along y instead of x.
    pub along_y: bool,
}

/// Twice the area of the triangle from a point to an edge. The edge, not its end, is a factor: it
/// is short, so that the terms of many edges add up to little more than the area.
#[inline(always)]
fn triangle<N: Number>(origin: Point, edge: Edge) -> N {
    Vector::between(origin, edge.start).cross(&Vector::along(edge))
}

impl<E: Iterator<Item = Edge> + Clone> Polynomial for TwiceArea<E> {
    #[inline(always)]
    fn evaluate<N: Number>(&self) -> N {
        let triangles = self.edges.clone().map(|edge| triangle(self.origin, edge));
        sum(triangles)
    }
}

impl<E: Iterator<Item = Edge> + Clone> Polynomial for Moment<E> {
    #[inline(always)]
    fn evaluate<N: Number>(&self) -> N {
        let TwiceArea { origin, edges } = &self.area;
        let along = |point: Point| {
            if self.along_y {
                N::difference(point.y, origin.y)
            } else {
                N::difference(point.x, origin.x)
            }
        };
        sum(edges.clone().map(|edge| {
            let both = along(edge.start).plus(&along(edge.end));
            triangle::<N>(*origin, edge).times(&both)
        }))
    }
}

/// In each lane a sum over some edges, as [`Bounded`]: of the terms of [`TwiceArea`] and of [`Moment`] along x and y.
#[derive(Clone, Copy)]
struct RoundedMoments<L> {
    values: [L; 3],
    magnitudes: [L; 3],
    roundings: u32,
}

impl<L: Lanes> RoundedMoments<L> {
    /// The terms of one edge in each lane.
    #[inline(always)]
    fn of_edges(origin: Vectors<L>, [start, end]: [Vectors<L>; 2]) -> Self {
        let (from, to, along) = (start - origin, end - origin, end - start);
        let (first, second) = (from.x * along.y, from.y * along.x);
        let is_usual = are_in_range(from) & are_in_range(to) & are_in_range(along);
        let size = first.abs() + second.abs();
        let size = is_usual.choose(size, size.all(f64::INFINITY));
        let value = first - second;
        // The triangle is rounded four times, the sum of coordinates twice, and their product once.
        // Test: `a_term_of_a_moment_has_seven_roundings`.
        let roundings = 7;
        let values = [value, value * (from.x + to.x), value * (from.y + to.y)];
        let magnitudes = [
            size,
            size * (from.x.abs() + to.x.abs()),
            size * (from.y.abs() + to.y.abs()),
        ];
        Self {
            values,
            magnitudes,
            roundings,
        }
    }

    #[inline(always)]
    fn plus(mut self, other: &Self) -> Self {
        for k in 0..3 {
            self.values[k] = self.values[k] + other.values[k];
            self.magnitudes[k] = self.magnitudes[k] + other.magnitudes[k];
        }
        self.roundings = self.roundings.max(other.roundings) + 1;
        self
    }
}

/// Groups of eight edges that are added one by one.
const GROUPS_PER_BLOCK: usize = 4;

/// The sums of the terms of [`TwiceArea`] and of [`Moment`] along x and y, over `count` times eight edges from `ends`.
/// By pairwise summation the roundings of a term grow with the logarithm of the number of blocks only.
#[inline(always)]
pub(crate) fn rounded_moments<S: Simd>(
    simd: S,
    origin: Point,
    count: usize,
    ends: impl Fn(usize) -> [Vectors<Lane<S>>; 2],
) -> [Bounded; 3] {
    let origin = load::splat(simd, origin);
    let mut sums: SmallVec<[RoundedMoments<Lane<S>>; 32]> = SmallVec::new();
    for first in (0..count).step_by(GROUPS_PER_BLOCK) {
        let mut sum = RoundedMoments::of_edges(origin, ends(first));
        for index in first + 1..count.min(first + GROUPS_PER_BLOCK) {
            sum = sum.plus(&RoundedMoments::of_edges(origin, ends(index)));
        }
        // As the digits of a binary counter carry over.
        for _ in 0..(first / GROUPS_PER_BLOCK + 1).trailing_zeros() {
            if let Some(other) = sums.pop() {
                sum = other.plus(&sum);
            }
        }
        sums.push(sum);
    }
    let mut total = RoundedMoments::of_edges(origin, [origin; 2]);
    for sum in sums.iter().rev() {
        total = total.plus(sum);
    }
    let mut of_lanes = [Bounded::of(0.0); 3];
    for (k, of_lanes) in of_lanes.iter_mut().enumerate() {
        let (values, magnitudes) = (total.values[k].to_array(), total.magnitudes[k].to_array());
        for lane in 0..LANES {
            let of_lane = Bounded::new(values[lane], magnitudes[lane], total.roundings);
            *of_lanes = of_lanes.plus(&of_lane);
        }
    }
    of_lanes
}

/// The starts and the ends of eight consecutive edges of a ring.
#[inline(always)]
pub(super) fn edge_group<S: Simd>(simd: S, ring: &[Point], group: usize) -> [Vectors<Lane<S>>; 2] {
    let first = group * LANES;
    let corners = ring.get(first..=first + LANES).map_or_else(
        || {
            array::from_fn(|lane| {
                // Where there are fewer edges, the last go from the first corner to itself.
                ring[if first + lane < ring.len() {
                    first + lane
                } else {
                    0
                }]
            })
        },
        |corners| array::from_fn::<Point, { LANES + 1 }, _>(|lane| corners[lane]),
    );
    let ([starts @ .., _], [_, ends @ ..]) = (&corners, &corners);
    [load::points(simd, starts), load::points(simd, ends)]
}

/// [`rounded_moments`] of the edges of a ring, in the instruction set in use.
pub fn rounded_moments_of_ring(ring: &[Point], origin: Point) -> [Bounded; 3] {
    with_instructions!(simd => rounded_moments(
        simd,
        origin,
        ring.len().div_ceil(LANES),
        #[inline(always)]
        |group| edge_group(simd, ring, group),
    ))
}

/// Terms per partial sum.
const BLOCK: usize = 64;

/// A sum of partial sums: each term is rounded few times, which keeps the error bound small.
#[inline(always)]
pub(crate) fn sum<N: Number>(terms: impl Iterator<Item = N>) -> N {
    let (mut total, mut block) = (N::of(0.0), N::of(0.0));
    for (index, term) in terms.enumerate() {
        block = block.plus(&term);
        if index % BLOCK == BLOCK - 1 {
            total = total.plus(&block);
            block = N::of(0.0);
        }
    }
    total.plus(&block)
}
