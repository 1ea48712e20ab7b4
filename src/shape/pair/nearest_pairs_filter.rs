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
use crate::simd::lanes::{Lanes, Vectors};
use crate::simd::load::{self, LANES, Lane};

/// Pairs up to which it costs less to compare them exactly than to measure all more precisely.
const FEW_PAIRS: u32 = 4;

/// Candidates up to which a search goes on although no distance is known yet.
const MANY_UNKNOWN: usize = 64;

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

/// Up to eight pairs of a vertex and an edge: a vertex with the edges of a block, or an edge with the vertices of one.
#[derive(Clone, Copy)]
struct EightPairs<'b> {
    first: VertexAndEdge,
    alone: Alone,
    block: &'b EdgeBlock,
    /// A bit for each pair.
    lanes: u64,
}

/// What is in all of eight pairs.
#[derive(Clone, Copy)]
enum Alone {
    Vertex(Point),
    Edge([Point; 2]),
}

impl EightPairs<'_> {
    /// Where the vertices lie, and where the edges start and end.
    #[inline(always)]
    fn places<S: Simd>(&self, simd: S) -> [Vectors<Lane<S>>; 3] {
        let [starts, ends] = self.block.ends(simd);
        match self.alone {
            Alone::Vertex(point) => [load::splat(simd, point), starts, ends],
            Alone::Edge([start, end]) => [starts, load::splat(simd, start), load::splat(simd, end)],
        }
    }

    fn pair(&self, lane: usize) -> VertexAndEdge {
        let mut pair = self.first;
        match self.alone {
            Alone::Vertex(_) => pair.edge += lane,
            Alone::Edge(_) => pair.vertex += lane,
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

    /// Visits the starts of the edges of one block with the edges of the other: all edges at once for each
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
        for edge in ones(edges) {
            let pairs = EightPairs {
                first: VertexAndEdge {
                    vertex: own.range().start,
                    edge: other.range().start + edge,
                    is_of_first,
                },
                alone: Alone::Edge(other.ends_of(edge)),
                block: own,
                lanes,
            };
            self.visit_eight(simd, pairs, &mut visit);
            if self.are_within() == Some(true) {
                return;
            }
        }
    }

    /// Visits a vertex with the edges of a block.
    #[inline(always)]
    fn visit_vertex<'b, S: Simd>(
        &mut self,
        simd: S,
        (vertex, point): (usize, Point),
        (block, is_of_first): (&'b EdgeBlock, bool),
        visit: impl FnMut(f64, Lane<S>, EightPairs<'b>),
    ) {
        let [_, lanes] = block.there();
        let pairs = EightPairs {
            first: VertexAndEdge {
                vertex,
                edge: block.range().start,
                is_of_first,
            },
            alone: Alone::Vertex(point),
            block,
            lanes,
        };
        self.visit_eight(simd, pairs, visit);
    }

    /// Compares eight pairs, and visits lower bounds of their squared distances with the limit above which they are not
    /// the nearest.
    #[inline(always)]
    fn visit_eight<'b, S: Simd>(
        &mut self,
        simd: S,
        pairs: EightPairs<'b>,
        mut visit: impl FnMut(f64, Lane<S>, EightPairs<'b>),
    ) {
        let [vertices, starts, ends] = pairs.places(simd);
        let at = EdgeProjection::new(vertices, starts, ends);
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
pub(crate) struct CandidatePairs<'b> {
    least: LeastSquare,
    /// Pairs that may be nearer than all before them, and lower bounds of their squared distances.
    candidates: SmallVec<[([f64; LANES], EightPairs<'b>); 4]>,
}

/// What [`CandidatePairs::found`] finds.
pub(crate) struct NearestPairs {
    pub(crate) pairs: SmallVec<[VertexAndEdge; LANES]>,
    /// The least squared distance is not above this, however it is rounded.
    pub(crate) limit: f64,
}

impl<'b> CandidatePairs<'b> {
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
    pub(crate) fn add(&mut self, blocks: [&'b EdgeBlock; 2]) -> f64 {
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
    pub(crate) fn add_edges(&mut self, point: Point, block: &'b EdgeBlock) -> f64 {
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

    /// Those that may be the nearest; `None` if the distances of none of many are known.
    pub(crate) fn found(mut self) -> Option<NearestPairs> {
        if self.none_is_known() {
            return None;
        }
        let limit = self.least.limit();
        let mut count = 0;
        for (squares, pairs) in &mut self.candidates {
            let bits = (0..).zip(squares.iter());
            let near = bits.fold(0, |near, (lane, square)| {
                near | u64::from(*square <= limit) << lane
            });
            pairs.lanes &= near;
            count += pairs.lanes.count_ones();
        }
        if count > FEW_PAIRS {
            with_instructions!(simd => keep_precisely_nearest(simd, &mut self.candidates));
        }
        let pairs = (self.candidates.iter())
            .flat_map(|(_, pairs)| ones(pairs.lanes).map(|lane| pairs.pair(lane)));
        Some(NearestPairs {
            pairs: pairs.collect(),
            limit,
        })
    }
}

/// Drops pairs that are certainly not the nearest by their distances in double-double arithmetic.
#[inline(always)]
fn keep_precisely_nearest<S: Simd>(simd: S, candidates: &mut [([f64; LANES], EightPairs<'_>)]) {
    let mask = |lanes| fearless_simd::mask64x8::from_bitmask(simd, lanes);
    let far = [f64::INFINITY, 0.0, 0.0].map(|number| Lane::splat(simd, number));
    let mut least = BoundedSquare::from_numbers(far);
    let mut found = Vec::with_capacity(candidates.len());
    for (_, pairs) in candidates.iter() {
        if pairs.lanes != 0 {
            let [vertices, starts, ends] = pairs.places(simd);
            let square = BoundedSquare::new(vertices, starts, ends);
            least = square.or_lower(mask(pairs.lanes), least);
            let [high, low, error] = square.numbers();
            found.push([high.to_array(), low.to_array(), error.to_array()]);
        }
    }
    let [high, low, error] = least.numbers();
    let least = [high.to_array(), low.to_array(), error.to_array()];
    let least = (1..LANES).fold(of_lane(&least, 0), |least_so_far, lane| {
        of_lane(&least, lane).or_lower(true, least_so_far)
    });
    let [high, low, error] = least.numbers();
    let least = BoundedSquare::from_numbers([
        Lane::splat(simd, high),
        Lane::splat(simd, low),
        Lane::splat(simd, error),
    ]);
    let mut found = found.into_iter();
    for (_, pairs) in candidates {
        if pairs.lanes != 0
            && let Some([high, low, error]) = found.next()
        {
            let square = BoundedSquare::from_numbers([
                load::numbers(simd, high),
                load::numbers(simd, low),
                load::numbers(simd, error),
            ]);
            pairs.lanes &= !square.is_above(least).to_bitmask();
        }
    }
}

/// The square of one lane.
fn of_lane(numbers: &[[f64; LANES]; 3], lane: usize) -> BoundedSquare<f64> {
    BoundedSquare::from_numbers([numbers[0][lane], numbers[1][lane], numbers[2][lane]])
}

/// Keeps those pairs the lower bounds of whose squared distances are not above a limit.
#[inline(always)]
fn keep<'b, S: Simd>(
    candidates: &mut SmallVec<[([f64; LANES], EightPairs<'b>); 4]>,
    limit: f64,
    squares: Lane<S>,
    pairs: EightPairs<'b>,
) {
    let near: fearless_simd::mask64x8<S> = squares.all(limit).at_least(squares);
    let lanes = near.to_bitmask() & pairs.lanes;
    if lanes != 0 {
        candidates.push((squares.to_array(), EightPairs { lanes, ..pairs }));
    }
}
