//! The pairs of a vertex of one boundary and an edge of another that may be the nearest, and their least
//! distance: eight at a time, in floats with a bound on the error, and those that are left, if they are many, in
//! double-double arithmetic.

use fearless_simd::prelude::*;
use smallvec::SmallVec;

use crate::geom::Point;
use crate::predicates::bounds::point_edge_filter::{EdgeProjection, UNKNOWN_SQUARE};
use crate::predicates::signs::precise_squares::BoundedSquare;
use crate::shape::boundary::edge_block::{EdgeBlock, ones};
use crate::simd::instructions::with_instructions;
use crate::simd::lanes::Lanes;
use crate::simd::load::{self, LANES, Lane};

/// Pairs up to which it costs less to compare them exactly than to measure all more precisely.
const FEW_PAIRS: usize = 4;

/// Pairs of unknown distance up to which some known one is waited for.
const MANY_UNKNOWN: usize = 64 * LANES;

/// The least squared distance of vertices of one boundary and edges of another.
pub(crate) struct LeastSquare {
    are_points: [bool; 2],
    /// Bounds of a distance that the least is compared with, if it is.
    within: Option<[f64; 2]>,
    /// A lower and an upper bound of the least so far.
    bounds: [f64; 2],
}

/// A vertex of one boundary and an edge of the other.
#[derive(Clone, Copy)]
pub(crate) struct VertexAndEdge {
    pub(crate) vertex: usize,
    pub(crate) edge: usize,
    /// Whether the vertex is one of the first boundary.
    pub(crate) is_of_first: bool,
}

/// Up to eight pairs of a vertex and an edge: a vertex with edges that follow each other, or an edge with such
/// vertices.
#[derive(Clone, Copy)]
struct EightPairs {
    first: VertexAndEdge,
    /// Whether one vertex is in all pairs, not one edge.
    is_vertex_alone: bool,
    /// A bit for each pair.
    lanes: u64,
}

impl EightPairs {
    fn pair(&self, lane: usize) -> VertexAndEdge {
        let mut pair = self.first;
        if self.is_vertex_alone {
            pair.edge += lane;
        } else {
            pair.vertex += lane;
        }
        pair
    }
}

impl LeastSquare {
    /// Of no pairs yet, of two boundaries, which may be points. With `within`, bounds of a distance, comparing ends once a
    /// pair is certainly within it.
    pub(crate) fn new(are_points: [bool; 2], within: Option<[f64; 2]>) -> Self {
        Self {
            are_points,
            within,
            bounds: [f64::INFINITY; 2],
        }
    }

    /// Compares the pairs of a block of each boundary.
    pub(crate) fn compare(&mut self, blocks: [&EdgeBlock; 2]) {
        with_instructions!(simd => {
            self.visit(
                simd,
                blocks,
                #[inline(always)]
                |_, _, _| {},
            );
        });
    }

    pub(crate) fn compare_point(&mut self, point: Point, block: &EdgeBlock) {
        with_instructions!(simd => {
            self.visit_vertex(
                simd,
                (0, point),
                (block, true),
                #[inline(always)]
                |_, _, _| {},
            );
        });
    }

    /// The squared distance above which vertex and edge are not the nearest.
    pub(crate) fn limit(&self) -> f64 {
        self.bounds[1]
    }

    /// Whether one of the pairs is certainly within the distance, or none is; `None` if that is open.
    pub(crate) fn are_within(&self) -> Option<bool> {
        let [below, above] = self.within?;
        match self.bounds {
            [_, most] if most < f64::INFINITY && most <= below * below => Some(true),
            [least, _] if least > above * above => Some(false),
            _ => None,
        }
    }

    /// Visits lower bounds of the squared distances of the pairs of a block of each boundary, eight at a time.
    #[inline(always)]
    fn visit<S: Simd>(
        &mut self,
        simd: S,
        [a, b]: [&EdgeBlock; 2],
        mut visit: impl FnMut(f64, Lane<S>, EightPairs),
    ) {
        // The edge that starts at a point is the point again.
        let [points_a, points_b] = self.are_points;
        if points_a || !points_b {
            self.visit_starts(simd, a, (b, true), &mut visit);
        }
        if !points_a {
            self.visit_starts(simd, b, (a, false), &mut visit);
        }
    }

    /// Visits the starts of the edges of one block with the edges of the other: all edges at once for each
    /// start, or all starts for each edge, whichever are fewer.
    #[inline(always)]
    fn visit_starts<S: Simd>(
        &mut self,
        simd: S,
        own: &EdgeBlock,
        (other, is_of_first): (&EdgeBlock, bool),
        mut visit: impl FnMut(f64, Lane<S>, EightPairs),
    ) {
        let ([lanes, _], [_, edges]) = (own.there(), other.there());
        if lanes.count_ones() <= edges.count_ones() {
            for vertex in ones(lanes) {
                let numbered = (own.range().start + vertex, own.ends_of(vertex)[0]);
                self.visit_vertex(simd, numbered, (other, is_of_first), &mut visit);
                if self.are_within() == Some(true) {
                    return;
                }
            }
            return;
        }
        let [points, _] = own.ends(simd);
        for edge in ones(edges) {
            let [start, end] = other.ends_of(edge);
            let (start, end) = (load::splat(simd, start), load::splat(simd, end));
            let first = VertexAndEdge {
                vertex: own.range().start,
                edge: other.range().start + edge,
                is_of_first,
            };
            let pairs = EightPairs {
                first,
                is_vertex_alone: false,
                lanes,
            };
            self.visit_eight(
                simd,
                &EdgeProjection::new(points, start, end),
                pairs,
                &mut visit,
            );
            if self.are_within() == Some(true) {
                return;
            }
        }
    }

    /// Visits a vertex with the edges of a block.
    #[inline(always)]
    fn visit_vertex<S: Simd>(
        &mut self,
        simd: S,
        (vertex, point): (usize, Point),
        (block, is_of_first): (&EdgeBlock, bool),
        visit: impl FnMut(f64, Lane<S>, EightPairs),
    ) {
        let ([start, end], [_, lanes]) = (block.ends(simd), block.there());
        let first = VertexAndEdge {
            vertex,
            edge: block.range().start,
            is_of_first,
        };
        let pairs = EightPairs {
            first,
            is_vertex_alone: true,
            lanes,
        };
        let at = EdgeProjection::new(load::splat(simd, point), start, end);
        self.visit_eight(simd, &at, pairs, visit);
    }

    /// Compares eight pairs, and visits lower bounds of their squared distances with the limit above which they are not
    /// the nearest.
    #[inline(always)]
    fn visit_eight<S: Simd>(
        &mut self,
        simd: S,
        at: &EdgeProjection<Lane<S>>,
        pairs: EightPairs,
        mut visit: impl FnMut(f64, Lane<S>, EightPairs),
    ) {
        let length = self.within.map_or(0.0, |[_, above]| above);
        let [below, above] = at.distance_squared_bounds(length);
        let is_meant = fearless_simd::mask64x8::from_bitmask(simd, pairs.lanes);
        let infinite = below.all(f64::INFINITY);
        let least = |bounds: Lane<S>| is_meant.select(bounds, infinite).reduce_min();
        self.bounds[1] = self.bounds[1].min(least(above));
        if self.within.is_some() {
            self.bounds[0] = self.bounds[0].min(least(below));
        }
        visit(self.limit(), below, pairs);
    }
}

/// The pairs of features, one of each boundary, that may be the nearest.
pub(crate) struct CandidatePairs {
    least: LeastSquare,
    /// Pairs that were not much farther than the nearest one before them, and lower bounds of their squared distances.
    candidates: SmallVec<[(f64, VertexAndEdge); 2 * LANES]>,
}

/// What [`CandidatePairs::found`] finds.
pub(crate) struct NearestPairs {
    pub(crate) pairs: SmallVec<[VertexAndEdge; LANES]>,
    /// An upper bound of the least squared distance, also where such a square is rounded.
    pub(crate) limit: f64,
}

impl CandidatePairs {
    /// An empty list: see [`LeastSquare::new`].
    #[inline]
    pub(crate) fn new(are_points: [bool; 2]) -> Self {
        Self {
            least: LeastSquare::new(are_points, None),
            candidates: SmallVec::new(),
        }
    }

    /// Whether many pairs are left because no distance is known: products leave the range of floats.
    fn none_is_known(&self) -> bool {
        let is_known = (2.0 * UNKNOWN_SQUARE..f64::INFINITY).contains(&self.least.limit());
        !is_known && self.candidates.len() > MANY_UNKNOWN
    }

    /// Adds the pairs of a block of each boundary, and returns [`Self::limit`].
    pub(crate) fn add(&mut self, blocks: [&EdgeBlock; 2]) -> f64 {
        let Self { least, candidates } = self;
        with_instructions!(simd => {
            least.visit(
                simd,
                blocks,
                #[inline(always)]
                |limit, squares, pairs| keep(candidates, limit, squares, pairs),
            );
        });
        self.limit()
    }

    /// Adds the pairs of a point and the edges of a block, and returns [`Self::limit`].
    pub(crate) fn add_edges(&mut self, point: Point, block: &EdgeBlock) -> f64 {
        let Self { least, candidates } = self;
        with_instructions!(simd => {
            least.visit_vertex(
                simd,
                (0, point),
                (block, true),
                #[inline(always)]
                |limit, squares, pairs| keep(candidates, limit, squares, pairs),
            );
        });
        self.limit()
    }

    /// The squared distance above which vertex and edge are not the nearest; below zero, so that a search ends, if none
    /// is known.
    fn limit(&self) -> f64 {
        if self.none_is_known() {
            -1.0
        } else {
            self.least.limit()
        }
    }

    /// Those that may be the nearest, given the vertex of a pair and the ends of its edge; `None` if the distances of none
    /// of many are known.
    pub(crate) fn found(
        &self,
        places: impl Fn(VertexAndEdge) -> [Point; 3],
    ) -> Option<NearestPairs> {
        if self.none_is_known() {
            return None;
        }
        let limit = self.least.limit();
        let near = (self.candidates.iter()).filter(|(square, _)| *square <= limit);
        let mut pairs: SmallVec<_> = near.map(|&(_, pair)| pair).collect();
        if pairs.len() > FEW_PAIRS {
            keep_precisely_nearest(&mut pairs, places);
        }
        Some(NearestPairs { pairs, limit })
    }
}

/// Drops pairs that are certainly not the nearest by their distances in double-double arithmetic.
fn keep_precisely_nearest(
    pairs: &mut SmallVec<[VertexAndEdge; LANES]>,
    places: impl Fn(VertexAndEdge) -> [Point; 3],
) {
    let far = BoundedSquare::from_numbers([f64::INFINITY, 0.0, 0.0]);
    let (mut found, mut least) = (Vec::with_capacity(pairs.len()), far);
    for eight in pairs.chunks(LANES) {
        let mut points = [[Point::ORIGIN; LANES]; 3];
        for (lane, &pair) in eight.iter().enumerate() {
            let [vertex, start, end] = places(pair);
            (points[0][lane], points[1][lane], points[2][lane]) = (vertex, start, end);
        }
        let numbers = with_instructions!(simd => {
            // Not by `map` of an array, which could stay a call.
            let [vertices, starts, ends] = &points;
            let (vertices, starts) = (load::points(simd, vertices), load::points(simd, starts));
            let square = BoundedSquare::new(vertices, starts, load::points(simd, ends));
            let [high, low, error] = square.numbers();
            [high.to_array(), low.to_array(), error.to_array()]
        });
        for lane in 0..eight.len() {
            let square = BoundedSquare::from_numbers(numbers.map(|it| it[lane]));
            least = square.or_lower(true, least);
            found.push(square);
        }
    }
    let mut found = found.into_iter();
    pairs.retain(|_| !found.next().is_some_and(|square| square.is_above(least)));
}

/// Keeps those pairs the lower bounds of whose squared distances are not above a limit.
#[inline(always)]
fn keep<S: Simd>(
    candidates: &mut SmallVec<[(f64, VertexAndEdge); 2 * LANES]>,
    limit: f64,
    squares: Lane<S>,
    pairs: EightPairs,
) {
    let near: fearless_simd::mask64x8<S> = squares.all(limit).at_least(squares);
    let near = near.to_bitmask() & pairs.lanes;
    if near == 0 {
        return;
    }
    let squares = squares.to_array();
    for lane in ones(near) {
        candidates.push((squares[lane], pairs.pair(lane)));
    }
}
