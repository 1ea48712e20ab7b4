//! The pairs of a vertex of one boundary and an edge of another that may be the nearest, and their least
//! distance: eight at a time, in floats with a bound on the error, and those that are left, if they are many, in
//! double-double arithmetic.

use fearless_simd::prelude::*;
use smallvec::SmallVec;

use super::edge_block::{EdgeBlock, ones};
use crate::geom::Point;
use crate::predicates::point_edge_filter::EdgeProjection;
use crate::predicates::precise_squares::{BoundedSquare, PreciseSquare};
use crate::simd::instructions::with_instructions;
use crate::simd::lanes::{Lanes, Vectors};
use crate::simd::load::{self, LANES, Lane};

/// Pairs up to which it costs less to compare them exactly than to measure all more precisely.
const FEW_PAIRS: u32 = 4;

/// Eights of pairs of unknown distance up to which some known one is waited for.
const MANY_UNKNOWN: usize = 64;

/// The least squared distance of vertices of one boundary and edges of another.
pub(super) struct LeastSquare {
    are_points: [bool; 2],
    /// Bounds of a distance that the least is compared with, if it is.
    within: Option<[f64; 2]>,
    /// A lower and an upper bound of the least so far.
    bounds: [f64; 2],
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
    /// Of no pairs yet, of two boundaries, which may be points. With `within`, bounds of a distance, comparing ends once a
    /// pair is certainly within it.
    pub(super) fn new(are_points: [bool; 2], within: Option<[f64; 2]>) -> Self {
        Self {
            are_points,
            within,
            bounds: [f64::INFINITY; 2],
        }
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

    /// The squared distance above which vertex and edge are not the nearest.
    pub(super) fn limit(&self) -> f64 {
        self.bounds[1]
    }

    /// Whether one of the pairs is certainly within the distance, or none is; `None` if that is open.
    pub(super) fn are_within(&self) -> Option<bool> {
        let [below, above] = self.within?;
        match self.bounds {
            [_, most] if most < f64::INFINITY && most <= below * below => Some(true),
            [least, _] if least > above * above => Some(false),
            _ => None,
        }
    }

    /// Visits lower bounds of the squared distances of the pairs of a block of each boundary, eight at a time.
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

    /// Compares eight pairs, and visits lower bounds of their squared distances with the limit above which they are not
    /// the nearest.
    #[inline(always)]
    fn visit_eight<'b, S: Simd>(
        &mut self,
        simd: S,
        at: &EdgeProjection<Lane<S>>,
        pairs: EightPairs<'b>,
        mut visit: impl FnMut(f64, Lane<S>, EightPairs<'b>),
    ) {
        let length = self.within.map_or(0.0, |[_, above]| above);
        let [below, above] = at.distance_squared_bounds(length);
        let is_meant = fearless_simd::mask64x8::from_bitmask(simd, pairs.lanes);
        let least = |bounds: Lane<S>| {
            is_meant
                .select(bounds, bounds.all(f64::INFINITY))
                .reduce_min()
        };
        self.bounds[1] = self.bounds[1].min(least(above));
        if self.within.is_some() {
            self.bounds[0] = self.bounds[0].min(least(below));
        }
        visit(self.limit(), below, pairs);
    }
}

/// What [`CandidatePairs::found`] finds.
pub(super) struct NearestPairs {
    pub(super) pairs: SmallVec<[VertexAndEdge; LANES]>,
    /// An upper bound of the least squared distance, also where such a square is rounded.
    pub(super) limit: f64,
}

/// The pairs of features, one of each boundary, that may be the nearest.
pub(super) struct CandidatePairs<'b> {
    least: LeastSquare,
    /// Pairs that were not much farther than the nearest one before them, and lower bounds of squared distances by lane.
    candidates: SmallVec<[(EightPairs<'b>, [f64; LANES]); 4]>,
}

impl<'b> CandidatePairs<'b> {
    /// An empty list: see [`LeastSquare::new`].
    #[inline]
    pub(super) fn new(are_points: [bool; 2]) -> Self {
        Self {
            least: LeastSquare::new(are_points, None),
            candidates: SmallVec::new(),
        }
    }

    /// Whether of so many pairs none has a distance that is known: their products leave the range of floats.
    fn none_is_known(&self) -> bool {
        self.candidates.len() > MANY_UNKNOWN && self.least.limit() == f64::INFINITY
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

    /// The squared distance above which vertex and edge are not the nearest; below zero, so that a search ends, if none
    /// is known.
    pub(super) fn limit(&self) -> f64 {
        if self.none_is_known() {
            -1.0
        } else {
            self.least.limit()
        }
    }

    /// Those that may be the nearest; `None` if the distances of none of many are known.
    pub(super) fn found(mut self) -> Option<NearestPairs> {
        if self.none_is_known() {
            return None;
        }
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
        Some(NearestPairs {
            pairs: pairs.flat_map(each).collect(),
            limit,
        })
    }

    /// Drops pairs that are certainly not the nearest by their distances in double-double arithmetic.
    fn keep_precisely_nearest(&mut self) {
        let mut found: SmallVec<[[[f64; LANES]; 3]; 8]> = SmallVec::new();
        with_instructions!(simd => {
            let all = |number| Lane::splat(simd, number);
            let far = [f64::INFINITY, 0.0, 0.0];
            let mut least_by_lane = BoundedSquare::from_numbers(far.map(all));
            for (pairs, _) in &self.candidates {
                let [vertices, starts, ends] = pairs.places(simd);
                let square = PreciseSquare::new(vertices, starts, ends);
                let is_meant = fearless_simd::mask64x8::from_bitmask(simd, pairs.lanes);
                least_by_lane = square.or_lower(is_meant, least_by_lane);
                found.push(square.numbers().map(|it| it.to_array()));
            }
            let by_lane = least_by_lane.numbers().map(|it| it.to_array());
            let least = (0..LANES).fold(BoundedSquare::from_numbers(far), |least, lane| {
                BoundedSquare::from_numbers(by_lane.map(|it| it[lane])).or_lower(true, least)
            });
            let least = BoundedSquare::from_numbers(least.numbers().map(all));
            for ((pairs, _), numbers) in self.candidates.iter_mut().zip(&found) {
                let square = BoundedSquare::from_numbers(numbers.map(|it| load::numbers(simd, it)));
                pairs.lanes &= !square.is_above(least).to_bitmask();
            }
        });
    }
}

/// A bit for each lane for which a condition holds.
fn lanes(holds: impl Fn(usize) -> bool) -> u64 {
    (0..LANES).fold(0, |bits, lane| bits | u64::from(holds(lane)) << lane)
}

/// Those of eight pairs the lower bounds of whose squared distances are not above a limit, if there are any, and these.
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
