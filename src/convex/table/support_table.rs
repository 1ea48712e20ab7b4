//! Support table of two convex rings: for every edge, how far the other ring reaches behind it.
//!
//! SAT, sweep and contact read the table; an edge with a negative overlap separates the rings.
//! [`SupportTable::new`] compares every edge with every vertex, for one pair or for eight side by
//! side. Three faster ways fill it for one pair: [`SupportTable::by_blocks`] eight edges at a time,
//! [`SupportTable::by_calipers`] for large rings, and `filter/quad_pair.rs` for two quadrilaterals.

use fearless_simd::prelude::*;

use super::lane_corners::Corners;
use super::load_vertices;
use crate::convex::cyclic::Cyclic;
use crate::geom::{Displacement, Point};
use crate::predicates::bounds::error_bounds::{BEYOND_ANY_OVERLAP, box_error, certainly_positive};
use crate::predicates::numbers::unrounded_grid::Grid;
use crate::predicates::{Sign, cross};
use crate::simd::lanes::{Lanes, Mask, Scratch, Vectors};
use crate::simd::load::{self, LANES};

/// One edge of the Minkowski difference `{b - a}`.
#[derive(Clone, Copy, Debug)]
pub struct EdgeSupport<L> {
    /// Overlap along the outward normal, times the edge's length: a cross product, not normalised.
    /// Negative: separating.
    pub(crate) overlap: L,
    /// Edge vector, counterclockwise on the difference.
    pub(crate) direction: Vectors<L>,
    /// Start of the edge on its own ring, relative to the first vertex of `a`.
    pub(crate) start: Vectors<L>,
}

impl<L: Lanes> Scratch<L> for EdgeSupport<L> {
    #[inline(always)]
    fn scratch(like: L) -> Self {
        let zero = like.all(0.0);
        Self {
            overlap: zero,
            direction: Vectors::both(zero),
            start: Vectors::both(zero),
        }
    }
}

impl<L: Lanes> EdgeSupport<L> {
    /// How fast the origin, moving by `velocity`, approaches the edge from outside, times the
    /// edge's length.
    #[inline(always)]
    pub(crate) fn approach(&self, velocity: Vectors<L>) -> L {
        self.direction.cross(velocity)
    }

    /// The overlap with `a` displaced.
    // Not by `Option::map_or`, whose closure stays a call, compiled without the tile's instructions.
    #[inline(always)]
    pub(crate) fn overlap_displaced(&self, shift: Option<Vectors<L>>) -> L {
        match shift {
            Some(shift) => self.overlap + self.approach(shift),
            None => self.overlap,
        }
    }

    /// The larger of the overlaps at the start and at the end of a motion.
    #[inline(always)]
    pub(crate) fn swept_overlap(&self, velocity: Vectors<L>) -> L {
        self.overlap + self.approach(velocity).larger(self.overlap.all(0.0))
    }
}

/// How far the deepest of some points lies behind an edge, times the edge's length.
///
/// That is the difference of two cross products, of the edge with the point and with the edge's
/// start, all relative to one origin: only the first depends on the point.
#[inline(always)]
pub(crate) fn overlap<L: Lanes, T>(
    edge: Vectors<L>,
    start: Vectors<L>,
    others: &[T],
    point: impl Fn(&T) -> Vectors<L>,
    cross: impl Fn(Vectors<L>, Vectors<L>) -> L,
) -> L {
    let mut deepest = cross(edge, point(&others[0]));
    for other in &others[1..] {
        deepest = deepest.larger(cross(edge, point(other)));
    }
    deepest - cross(edge, start)
}

/// All edges of the Minkowski difference, with a bound on the error of their overlaps.
pub(crate) struct SupportTable<'r, L, R: ?Sized> {
    pub(crate) rings: [&'r R; 2],
    /// The edges of a, then those of b.
    pub(crate) edges: &'r [EdgeSupport<L>],
    /// Width and height of the bounding box of both rings.
    pub(crate) size: Vectors<L>,
    /// Bound on the error of every overlap.
    pub(crate) error: L,
}

impl<R: ?Sized, L: Copy> Clone for SupportTable<'_, L, R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R: ?Sized, L: Copy> Copy for SupportTable<'_, L, R> {}

impl<'r, L: Lanes, R: Corners<L> + ?Sized> SupportTable<'r, L, R> {
    /// Compares every edge with every vertex of two rings whose common bounding box has this size.
    /// `edges` is scratch space, one entry for each edge. A segment counts as a ring of two edges, a point
    /// as one of a single edge which never separates.
    #[inline(always)]
    pub(crate) fn new(
        rings: [&'r R; 2],
        size: Vectors<L>,
        edges: &'r mut [EdgeSupport<L>],
    ) -> Self {
        let [a, b] = rings;
        let [of_a, of_b] = Self::starts(rings, edges);
        let start = |edge: &EdgeSupport<L>| edge.start;
        for (index, edge) in of_a.iter_mut().enumerate() {
            let vector = a.edge_vector(index);
            edge.overlap = overlap(vector, edge.start, of_b, start, Vectors::cross);
            // On the difference the edges of a run backward.
            edge.direction = vector.reversed();
        }
        for (index, edge) in of_b.iter_mut().enumerate() {
            let vector = b.edge_vector(index);
            edge.overlap = overlap(vector, edge.start, of_a, start, Vectors::cross);
            edge.direction = vector;
        }
        for edges in [of_a, of_b] {
            if let [point] = edges {
                let zero = size.x.all(0.0);
                point.overlap = zero.all(BEYOND_ANY_OVERLAP);
                point.direction.x = zero.all(1.0);
            }
        }
        Self {
            rings,
            edges,
            size,
            error: box_error(size, size),
        }
    }

    /// The edges of `a` and of `b` with their starts.
    #[inline(always)]
    fn starts<'e>(
        [a, b]: [&R; 2],
        edges: &'e mut [EdgeSupport<L>],
    ) -> [&'e mut [EdgeSupport<L>]; 2] {
        let (of_a, of_b) = edges.split_at_mut(a.count());
        let origin = a.corner(0);
        for (ring, edges) in [(a, &mut *of_a), (b, &mut *of_b)] {
            for (index, edge) in edges.iter_mut().enumerate() {
                edge.start = ring.corner(index) - origin;
            }
        }
        [of_a, of_b]
    }

    /// The table for the lanes that are still open, with an error of zero where all corners and `vector` lie on a grid
    /// on which nothing is rounded. `None` if that is so in no lane.
    #[inline(always)]
    pub(crate) fn on_grid(self, open: L::Mask, vector: Option<Vectors<L>>) -> Option<Self> {
        let error = error_on_grid(self.rings, self.size, vector, self.error);
        // A lane that is decided keeps its answer, whatever the lanes beside it need.
        let error = open.choose(error, self.error);
        let is_better = self.error.above(error);
        is_better.any().then_some(Self { error, ..self })
    }

    /// Whether one of the two is a segment or a point.
    #[inline(always)]
    pub(crate) fn is_thin(&self) -> bool {
        self.rings.iter().any(|ring| ring.count() < 3)
    }

    /// The ends of the first edge for which this holds, and whether it is one of `a`.
    #[inline(always)]
    pub(crate) fn find_edge(&self, holds: impl Fn(usize) -> L::Mask) -> ([Vectors<L>; 2], L::Mask) {
        let zero = self.error.all(0.0);
        let none = zero.above(zero);
        let mut ends = [Vectors::both(zero); 2];
        let [mut is_found, mut is_of_a] = [none; 2];
        let mut position = 0;
        for ring in self.rings {
            is_of_a = is_found;
            for start in 0..ring.count() {
                let is_this = holds(position) & !is_found;
                is_found = is_found | is_this;
                ends = Vectors::choose_ends(is_this, ring.ends(start), ends);
                position += 1;
            }
        }
        (ends, is_of_a)
    }

    /// Whether an edge belongs to the other ring, as seen from `a` or from `b`.
    #[inline(always)]
    pub(crate) fn is_of_other(&self, index: usize, seen_from_a: L::Mask) -> L::Mask {
        if index < self.rings[0].count() {
            !seen_from_a
        } else {
            seen_from_a
        }
    }

    /// The vertex of the other ring that is deepest behind an edge, and whether it is certainly
    /// deeper than all others.
    #[inline(always)]
    pub(crate) fn deepest(
        &self,
        [start, end]: [Vectors<L>; 2],
        is_of_a: L::Mask,
    ) -> (Vectors<L>, L::Mask) {
        let zero = self.error.all(0.0);
        let nothing = zero.all(f64::NEG_INFINITY);
        let [mut most, mut second] = [nothing; 2];
        let mut vertex = Vectors::both(zero);
        let mut position = 0;
        for (ring, is_other) in self.rings.into_iter().zip([!is_of_a, is_of_a]) {
            for index in 0..ring.count() {
                let depth = (end - start).cross(self.edges[position].start);
                let depth = is_other.choose(depth, nothing);
                let is_deeper = depth.above(most);
                second = second.larger(is_deeper.choose(most, depth));
                vertex = Vectors::choose(is_deeper, ring.corner(index), vertex);
                most = most.larger(depth);
                position += 1;
            }
        }
        (vertex, certainly_positive(most - second, self.error))
    }

    /// The least overlap of all edges, not divided by their lengths: for its sign.
    #[inline(always)]
    pub(crate) fn least_overlap(&self) -> L {
        // Each comparison waits for the one before: the two rings run side by side.
        let (of_a, of_b) = self.edges.split_at(self.rings[0].count());
        let [mut least, mut least_of_b] = [of_a[0].overlap, of_b[0].overlap];
        for edge in &of_a[1..] {
            least = least.smaller(edge.overlap);
        }
        for edge in &of_b[1..] {
            least_of_b = least_of_b.smaller(edge.overlap);
        }
        least.smaller(least_of_b)
    }
}

/// The error bound of overlaps, or zero where all corners and `vector` lie on a grid so coarse that
/// no product of two differences is rounded. The rings' common bounding box has this size.
#[inline(always)]
pub(crate) fn error_on_grid<L: Lanes, R: Corners<L> + ?Sized>(
    rings: [&R; 2],
    size: Vectors<L>,
    vector: Option<Vectors<L>>,
    error: L,
) -> L {
    let zero = error.all(0.0);
    let longest = vector.map_or(zero, Vectors::largest);
    let grid = Grid::new(size.x.larger(size.y).larger(longest));
    // Where the error is infinite, products may leave the range of floats.
    let mut is_exact = zero.all(f64::INFINITY).above(error);
    for ring in rings {
        for index in 0..ring.count() {
            is_exact = is_exact & grid.holds_both(ring.corner(index));
        }
    }
    if let Some(vector) = vector {
        is_exact = is_exact & grid.holds_both(vector);
    }
    is_exact.choose(zero, error)
}

impl<'r> SupportTable<'r, f64, [Point]> {
    /// The table of [`Self::new`], to the bit, for one pair of rings of eight or more vertices: eight edges at a time.
    #[inline(always)]
    pub(crate) fn by_blocks<S: Simd>(
        simd: S,
        rings: [&'r [Point]; 2],
        size: Vectors<f64>,
        edges: &'r mut [EdgeSupport<f64>],
    ) -> Self {
        let [a, b] = rings;
        let [of_a, of_b] = Self::starts(rings, edges);
        let origin = load::splat(simd, a[0]);
        let point = |&other: &Point| load::splat(simd, other) - origin;
        for (ring, others, edges, is_of_a) in [(a, b, of_a, true), (b, a, of_b, false)] {
            for block in 0..ring.len().div_ceil(LANES) {
                let (start, end) = load_vertices::edges(simd, ring, block);
                let depths = overlap(end - start, start - origin, others, point, Vectors::cross);
                let first = load_vertices::first(block, ring.len());
                for (lane, edge) in edges[first..first + LANES].iter_mut().enumerate() {
                    edge.overlap = depths[lane];
                    let vector = ring.edge_vector(first + lane);
                    edge.direction = if is_of_a { vector.reversed() } else { vector };
                }
            }
        }
        Self {
            rings,
            edges,
            size,
            error: box_error(size, size),
        }
    }

    /// The table of [`Self::new`], but for rounding, by rotating calipers (Shamos): the deepest vertex is followed round
    /// the other ring as the edges turn. A sweep with `mtv` takes four fifths of the instructions
    /// for 32-gons, and a seventh for 256-gons.
    pub(crate) fn by_calipers(
        [a, b]: [&'r [Point]; 2],
        size: Vectors<f64>,
        edges: &'r mut [EdgeSupport<f64>],
    ) -> Self {
        let error = box_error(size, size);
        let (of_a, of_b) = edges.split_at_mut(a.len());
        for (ring, others, edges, sign) in [(a, b, of_a, -1.0), (b, a, of_b, 1.0)] {
            let mut deepest = 0;
            for (index, table_edge) in edges.iter_mut().enumerate() {
                let start = Vectors::from(ring[index]);
                let direction = ring.edge_vector(index);
                let is_deeper = |from: usize, to: usize| {
                    let step = Vectors::from(others[to]) - others[from].into();
                    let sign = Sign::of_rounded(direction.cross(step), error);
                    let exact = Displacement::between(others[from], others[to]);
                    sign.unwrap_or_else(|| cross(ring.edge(index), exact)) == Sign::Positive
                };
                let first = deepest;
                while is_deeper(deepest, others.next(deepest)) {
                    deepest = others.next(deepest);
                }
                // Round a convex ring the depth rises once and falls once.
                if deepest == first {
                    while is_deeper(deepest, others.previous(deepest)) {
                        deepest = others.previous(deepest);
                    }
                }
                *table_edge = EdgeSupport {
                    overlap: direction.cross(Vectors::from(others[deepest]) - start),
                    direction: direction.times(sign),
                    start: start - a[0].into(),
                };
            }
        }
        Self {
            rings: [a, b],
            edges,
            size,
            error,
        }
    }
}
