//! The pairs of a vertex of one boundary and an edge of another that may be the nearest, and their least
//! distance: eight at a time, in floats with a bound on the error.

use fearless_simd::prelude::*;
use smallvec::SmallVec;

use super::edge_block::{EdgeBlock, ones};
use crate::geom::{Bounds, Point};
use crate::predicates::point_edge_filter::{ERRORS_WITH_ENDS, EdgeProjection};
use crate::predicates::square_errors::Squares;
use crate::simd::instructions::with_instructions;
use crate::simd::lanes::Lanes;
use crate::simd::load::{self, LANES, Lane};

/// The least squared distance of vertices of one boundary and edges of another.
pub(super) struct LeastSquare {
    /// Bound on the error of the difference of two squared distances.
    error: f64,
    are_points: [bool; 2],
    /// Bounds of a distance that the least is compared with, if it is.
    within: Option<[f64; 2]>,
    /// The least so far.
    square: f64,
}

/// A vertex of one boundary and an edge of the other.
#[derive(Clone, Copy)]
pub(super) struct VertexAndEdge {
    pub(super) vertex: usize,
    pub(super) edge: usize,
    /// Whether the vertex is one of the first boundary.
    pub(super) is_of_first: bool,
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
    /// Of no pairs yet, for two boundaries in this box, which may be points. With `within`, bounds of a distance,
    /// comparing ends once a pair is certainly within it. `None` if products could leave the range of floats.
    #[inline]
    pub(super) fn new(
        bounds: &Bounds,
        are_points: [bool; 2],
        within: Option<[f64; 2]>,
    ) -> Option<Self> {
        let [_, length] = within.unwrap_or_default();
        // Both distances that are compared are rounded.
        let error = 2.0 * ERRORS_WITH_ENDS * Squares::new(bounds.size(), length).error;
        (error < f64::INFINITY).then_some(Self {
            error,
            are_points,
            within,
            square: f64::INFINITY,
        })
    }

    /// Compares the pairs of a block of each boundary.
    pub(super) fn compare(&mut self, blocks: [&EdgeBlock; 2]) {
        with_instructions!(simd => {
            self.visit(
                simd,
                blocks,
                #[inline(always)]
                |_, _, _| {},
            );
        });
    }

    /// Compares a point with the edges of a block.
    pub(super) fn compare_point(&mut self, point: Point, block: &EdgeBlock) {
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

    /// The squared distance from which on vertex and edge are not the nearest.
    pub(super) fn limit(&self) -> f64 {
        self.square + self.error
    }

    /// Whether one of the pairs is certainly within the distance, or none is; `None` if that is open.
    pub(super) fn are_within(&self) -> Option<bool> {
        let [below, above] = self.within?;
        match self.square {
            square if square + self.error <= below * below => Some(true),
            square if square - self.error > above * above => Some(false),
            _ => None,
        }
    }

    /// Visits the squared distances of the pairs of a block of each boundary, eight at a time.
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

    /// The same for the starts of the edges of one block and the edges of the other: all edges at once for each
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

    /// The same for a vertex and the edges of a block.
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

    /// Compares eight pairs, and visits their squared distances with the limit from which on they are not the
    /// nearest.
    #[inline(always)]
    fn visit_eight<S: Simd>(
        &mut self,
        simd: S,
        at: &EdgeProjection<Lane<S>>,
        pairs: EightPairs,
        mut visit: impl FnMut(f64, Lane<S>, EightPairs),
    ) {
        let squares = at.distance_squared_with_ends();
        let is_meant = fearless_simd::mask64x8::from_bitmask(simd, pairs.lanes);
        let squares = is_meant.select(squares, squares.all(f64::INFINITY));
        self.square = self.square.min(squares.reduce_min());
        visit(self.limit(), squares, pairs);
    }
}

/// The pairs of features, one of each boundary, that may be the nearest.
pub(super) struct CandidatePairs {
    least: LeastSquare,
    /// Pairs that were not much farther than the nearest one before them, and their squared distances.
    candidates: SmallVec<[(f64, VertexAndEdge); 2 * LANES]>,
}

impl CandidatePairs {
    /// An empty list: see [`LeastSquare::new`].
    #[inline]
    pub(super) fn new(bounds: &Bounds, are_points: [bool; 2]) -> Option<Self> {
        LeastSquare::new(bounds, are_points, None).map(|least| Self {
            least,
            candidates: SmallVec::new(),
        })
    }

    /// Adds the pairs of a block of each boundary, and returns the squared distance from which on a pair is
    /// not the nearest.
    pub(super) fn add(&mut self, blocks: [&EdgeBlock; 2]) -> f64 {
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

    /// Adds the pairs of a point and the edges of a block, and returns the squared distance from which on an
    /// edge is not the nearest.
    pub(super) fn add_edges(&mut self, point: Point, block: &EdgeBlock) -> f64 {
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

    /// The squared distance from which on vertex and edge are not the nearest.
    pub(super) fn limit(&self) -> f64 {
        self.least.limit()
    }

    /// Those that may be the nearest.
    pub(super) fn found(&self) -> impl Iterator<Item = VertexAndEdge> {
        let limit = self.limit();
        let near = (self.candidates.iter()).filter(move |(square, _)| *square <= limit);
        near.map(|&(_, pair)| pair)
    }
}

/// Keeps those pairs whose squared distances are not above a limit.
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
