//! The pairs of a vertex of one boundary and an edge of another that may be the nearest, and their least
//! distance: eight at a time, in floats with a bound on the error, and those that are left, if they are many, in
//! double-double arithmetic.

use fearless_simd::prelude::*;
use smallvec::SmallVec;

use super::edge_block::{EdgeBlock, ones};
use crate::geom::{Bounds, Point};
use crate::predicates::point_edge_filter::{ERRORS_WITH_ENDS, EdgeProjection};
use crate::predicates::precise_squares::{PreciseSquare, precise_error};
use crate::predicates::square_errors::Squares;
use crate::simd::instructions::with_instructions;
use crate::simd::lanes::{Lanes, Vectors};
use crate::simd::load::{self, LANES, Lane};

/// Pairs up to which it costs less to compare them exactly than to measure all more precisely.
const FEW_PAIRS: u32 = 4;

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
struct EightPairs<'b> {
    first: VertexAndEdge,
    alone: Alone,
    /// The edges, or the vertices.
    block: &'b EdgeBlock,
    /// A bit for each pair.
    lanes: u64,
}

/// What is in all of eight pairs.
#[derive(Clone, Copy)]
enum Alone {
    Vertex(Point),
    /// The ends of the edge.
    Edge([Point; 2]),
}

impl EightPairs<'_> {
    fn pair(&self, lane: usize) -> VertexAndEdge {
        let mut pair = self.first;
        match self.alone {
            Alone::Vertex(_) => pair.edge += lane,
            Alone::Edge(_) => pair.vertex += lane,
        }
        pair
    }

    /// The vertices, and where the edges start and end.
    #[inline(always)]
    fn places<S: Simd>(&self, simd: S) -> [Vectors<Lane<S>>; 3] {
        let [starts, ends] = self.block.ends(simd);
        match self.alone {
            Alone::Vertex(vertex) => [load::splat(simd, vertex), starts, ends],
            Alone::Edge([start, end]) => [starts, load::splat(simd, start), load::splat(simd, end)],
        }
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
    fn visit<'b, S: Simd>(
        &mut self,
        simd: S,
        [a, b]: [&'b EdgeBlock; 2],
        mut visit: impl FnMut(f64, Lane<S>, EightPairs<'b>),
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
    fn visit_starts<'b, S: Simd>(
        &mut self,
        simd: S,
        own: &'b EdgeBlock,
        (other, is_of_first): (&'b EdgeBlock, bool),
        mut visit: impl FnMut(f64, Lane<S>, EightPairs<'b>),
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
            let at @ [start, end] = other.ends_of(edge);
            let (start, end) = (load::splat(simd, start), load::splat(simd, end));
            let first = VertexAndEdge {
                vertex: own.range().start,
                edge: other.range().start + edge,
                is_of_first,
            };
            let pairs = EightPairs {
                first,
                alone: Alone::Edge(at),
                block: own,
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
    fn visit_vertex<'b, S: Simd>(
        &mut self,
        simd: S,
        (vertex, point): (usize, Point),
        (block, is_of_first): (&'b EdgeBlock, bool),
        visit: impl FnMut(f64, Lane<S>, EightPairs<'b>),
    ) {
        let ([start, end], [_, lanes]) = (block.ends(simd), block.there());
        let first = VertexAndEdge {
            vertex,
            edge: block.range().start,
            is_of_first,
        };
        let pairs = EightPairs {
            first,
            alone: Alone::Vertex(point),
            block,
            lanes,
        };
        let at = EdgeProjection::new(load::splat(simd, point), start, end);
        self.visit_eight(simd, &at, pairs, visit);
    }

    /// Compares eight pairs, and visits their squared distances with the limit from which on they are not the
    /// nearest.
    #[inline(always)]
    fn visit_eight<'b, S: Simd>(
        &mut self,
        simd: S,
        at: &EdgeProjection<Lane<S>>,
        pairs: EightPairs<'b>,
        mut visit: impl FnMut(f64, Lane<S>, EightPairs<'b>),
    ) {
        let squares = at.distance_squared_with_ends();
        let is_meant = fearless_simd::mask64x8::from_bitmask(simd, pairs.lanes);
        let squares = is_meant.select(squares, squares.all(f64::INFINITY));
        self.square = self.square.min(squares.reduce_min());
        visit(self.limit(), squares, pairs);
    }
}

/// The pairs of features, one of each boundary, that may be the nearest.
pub(super) struct CandidatePairs<'b> {
    least: LeastSquare,
    /// Bound on the error of a squared distance in double-double arithmetic.
    error: f64,
    /// Pairs that were not much farther than the nearest one before them, and squared distances by lane.
    candidates: SmallVec<[(EightPairs<'b>, [f64; LANES]); 4]>,
}

impl<'b> CandidatePairs<'b> {
    /// An empty list: see [`LeastSquare::new`].
    #[inline]
    pub(super) fn new(bounds: &Bounds, are_points: [bool; 2]) -> Option<Self> {
        LeastSquare::new(bounds, are_points, None).map(|least| Self {
            least,
            error: precise_error(&Squares::new(bounds.size(), 0.0)),
            candidates: SmallVec::new(),
        })
    }

    /// Adds the pairs of a block of each boundary, and returns the squared distance from which on a pair is
    /// not the nearest.
    pub(super) fn add(&mut self, blocks: [&'b EdgeBlock; 2]) -> f64 {
        let (least, candidates) = (&mut self.least, &mut self.candidates);
        with_instructions!(simd => {
            least.visit(
                simd,
                blocks,
                #[inline(always)]
                |limit, squares, pairs| candidates.extend(not_above(limit, squares, pairs)),
            );
        });
        self.limit()
    }

    /// Adds the pairs of a point and the edges of a block, and returns the squared distance from which on an
    /// edge is not the nearest.
    pub(super) fn add_edges(&mut self, point: Point, block: &'b EdgeBlock) -> f64 {
        let (least, candidates) = (&mut self.least, &mut self.candidates);
        with_instructions!(simd => {
            least.visit_vertex(
                simd,
                (0, point),
                (block, true),
                #[inline(always)]
                |limit, squares, pairs| candidates.extend(not_above(limit, squares, pairs)),
            );
        });
        self.limit()
    }

    /// The squared distance from which on vertex and edge are not the nearest.
    pub(super) fn limit(&self) -> f64 {
        self.least.limit()
    }

    /// Those that may be the nearest.
    pub(super) fn found(mut self) -> SmallVec<[VertexAndEdge; LANES]> {
        let (limit, mut count) = (self.limit(), 0);
        self.candidates.retain(|(pairs, squares)| {
            pairs.lanes &= lanes(|lane| squares[lane] <= limit);
            count += pairs.lanes.count_ones();
            pairs.lanes != 0
        });
        if count > FEW_PAIRS {
            self.keep_precisely_nearest();
        }
        let pairs = self.candidates.iter();
        let each = |(pairs, _): &(EightPairs<'b>, _)| {
            let pairs = *pairs;
            ones(pairs.lanes).map(move |lane| pairs.pair(lane))
        };
        pairs.flat_map(each).collect()
    }

    /// Drops pairs that are certainly not the nearest by their distances in double-double arithmetic.
    fn keep_precisely_nearest(&mut self) {
        let mut squares: SmallVec<[[[f64; LANES]; 2]; 8]> = SmallVec::new();
        // Both distances that are compared are rounded.
        let error = 2.0 * self.error;
        with_instructions!(simd => {
            let all = |number| Lane::splat(simd, number);
            let far = PreciseSquare { high: all(f64::INFINITY), low: all(0.0) };
            let mut least_by_lane = far;
            for (pairs, _) in &self.candidates {
                let [vertices, starts, ends] = pairs.places(simd);
                let square = PreciseSquare::new(vertices, starts, ends);
                let is_meant = fearless_simd::mask64x8::from_bitmask(simd, pairs.lanes);
                let is_nearer = is_meant & all(0.0).above(square.minus(least_by_lane));
                least_by_lane = square.choose(is_nearer, least_by_lane);
                squares.push([square.high.to_array(), square.low.to_array()]);
            }
            let PreciseSquare { high, low } = least_by_lane;
            let by_lane = high.to_array().into_iter().zip(low.to_array());
            let [high, low] = by_lane.fold([f64::INFINITY, 0.0], |least, (high, low)| {
                let difference = (high - least[0]) + (low - least[1]);
                if difference < 0.0 { [high, low] } else { least }
            });
            let least = PreciseSquare { high: all(high), low: all(low) };
            for ((pairs, _), [high, low]) in self.candidates.iter_mut().zip(&squares) {
                let square = PreciseSquare {
                    high: load::numbers(simd, *high),
                    low: load::numbers(simd, *low),
                };
                pairs.lanes &= !square.minus(least).above(all(error)).to_bitmask();
            }
        });
    }
}

/// A bit for each lane for which a condition holds.
fn lanes(holds: impl Fn(usize) -> bool) -> u64 {
    (0..LANES).fold(0, |bits, lane| bits | u64::from(holds(lane)) << lane)
}

/// Those of eight pairs whose squared distances are not above a limit, if there are any, and these.
#[inline(always)]
fn not_above<S: Simd>(
    limit: f64,
    squares: Lane<S>,
    pairs: EightPairs<'_>,
) -> Option<(EightPairs<'_>, [f64; LANES])> {
    let near: fearless_simd::mask64x8<S> = squares.all(limit).at_least(squares);
    let lanes = near.to_bitmask() & pairs.lanes;
    (lanes != 0).then(|| (EightPairs { lanes, ..pairs }, squares.to_array()))
}
