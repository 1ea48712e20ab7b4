//! How the origin lies to the edges of the difference.

use crate::convex::gjk;
use crate::convex::ring::{Corners, following, outgoing};
use crate::predicates::error_bounds::{Grid, box_error};
use crate::simd::lanes::{Lanes, Mask, Vectors};

/// Vertices up to which a ring can be one of eight side by side.
pub(crate) const MOST_IN_A_TILE: usize = 16;

/// Whether a ring with so many vertices can be one of eight side by side.
#[inline]
pub(crate) fn fits_a_tile(count: usize) -> bool {
    (3..=MOST_IN_A_TILE).contains(&count)
}

/// Whether rings with so many vertices can be looked at eight pairs at a time: not where for one
/// pair there is a faster way.
#[inline]
pub(crate) fn fit_a_tile(a: usize, b: usize) -> bool {
    fits_a_tile(a) && fits_a_tile(b) && !gjk::pays(a, b)
}

/// How the origin lies to an edge of the difference.
#[derive(Clone, Copy, Debug)]
pub struct EdgeSupport<L> {
    /// How far the deepest vertex of the other ring lies behind the edge, times the edge's length.
    pub(super) overlap: L,
    /// The edge as a vector, as it runs on the difference.
    pub(super) direction: Vectors<L>,
    /// Where it starts on its own ring, seen from the first vertex of `a`.
    pub(super) start: Vectors<L>,
}

impl<L: Lanes> EdgeSupport<L> {
    /// Room for one.
    #[inline(always)]
    pub(crate) fn room(like: L) -> Self {
        let zero = like.all(0.0);
        let zeros = Vectors { x: zero, y: zero };
        Self {
            overlap: zero,
            direction: zeros,
            start: zeros,
        }
    }
}

/// How far the deepest of other places lies behind an edge, times the edge's length.
///
/// How far one does is the difference of two cross products, of the edge with the place and with
/// the edge's start, all seen from the same point: no other place needs the second anew.
#[inline(always)]
pub(super) fn overlap<L: Lanes, T>(
    edge: Vectors<L>,
    start: Vectors<L>,
    others: &[T],
    place: impl Fn(&T) -> Vectors<L>,
    cross: impl Fn(Vectors<L>, Vectors<L>) -> L,
) -> L {
    let mut deepest = cross(edge, place(&others[0]));
    for other in &others[1..] {
        deepest = deepest.larger(cross(edge, place(other)));
    }
    deepest - cross(edge, start)
}

/// All edges of the difference, and how well they are known.
pub(crate) struct SupportTable<'r, L, R: ?Sized> {
    pub(super) rings: [&'r R; 2],
    /// The edges of a, then those of b.
    pub(super) reaches: &'r [EdgeSupport<L>],
    /// The width and height of the box round both rings.
    pub(super) size: Vectors<L>,
    /// The most by which an overlap can be wrong.
    pub(super) error: L,
}

impl<R: ?Sized, L: Copy> Clone for SupportTable<'_, L, R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R: ?Sized, L: Copy> Copy for SupportTable<'_, L, R> {}

impl<'r, L: Lanes, R: Corners<L> + ?Sized> SupportTable<'r, L, R> {
    /// Looks at every edge and every vertex of two rings, the box round which has this size. The
    /// table stays in the room given, one for each edge.
    #[inline(always)]
    pub(crate) fn new(
        rings: [&'r R; 2],
        size: Vectors<L>,
        reaches: &'r mut [EdgeSupport<L>],
    ) -> Self {
        let [a, b] = rings;
        let (of_a, of_b) = reaches.split_at_mut(a.count());
        let origin = a.corner(0);
        for (ring, reaches) in [(a, &mut *of_a), (b, &mut *of_b)] {
            for (index, reach) in reaches.iter_mut().enumerate() {
                reach.start = ring.corner(index) - origin;
            }
        }
        let place = |reach: &EdgeSupport<L>| reach.start;
        for (index, reach) in of_a.iter_mut().enumerate() {
            let edge = outgoing(a, index);
            reach.overlap = overlap(edge, reach.start, of_b, place, Vectors::cross);
            // On the difference it runs backward.
            let zero = edge.x.all(0.0);
            reach.direction = edge.map(|component| zero - component);
        }
        for (index, reach) in of_b.iter_mut().enumerate() {
            let edge = outgoing(b, index);
            reach.overlap = overlap(edge, reach.start, of_a, place, Vectors::cross);
            reach.direction = edge;
        }
        Self {
            rings,
            reaches,
            size,
            error: box_error(size, size),
        }
    }

    /// The same table, with the knowledge that nothing was rounded where all corners and the vector
    /// are on a grid. None if that is nowhere so.
    #[inline(always)]
    pub(super) fn on_grid(self, vector: Vectors<L>) -> Option<Self> {
        let error = error_on_grid(self.rings, self.size, Some(vector), self.error);
        let is_better = self.error.above(error);
        is_better.any().then_some(Self { error, ..self })
    }

    /// The ends of the first edge of which this is true, and whether it is one of `a`.
    #[inline(always)]
    pub(super) fn edge(&self, is_it: impl Fn(usize) -> L::Mask) -> ([Vectors<L>; 2], L::Mask) {
        let zero = self.error.all(0.0);
        let none = zero.above(zero);
        let mut ends = [Vectors { x: zero, y: zero }; 2];
        let mut is_found = none;
        let mut is_of_a = none;
        let mut position = 0;
        for ring in self.rings {
            for start in 0..ring.count() {
                let is_this = is_it(position) & !is_found;
                is_found = is_found | is_this;
                let [from, to] = ends;
                ends = [
                    Vectors::choose(is_this, ring.corner(start), from),
                    Vectors::choose(is_this, ring.corner(following(ring, start)), to),
                ];
                position += 1;
            }
            if position == self.rings[0].count() {
                is_of_a = is_found;
            }
        }
        (ends, is_of_a)
    }

    /// Whether an edge belongs to the other ring, as seen from `a` or from `b`.
    #[inline(always)]
    pub(super) fn is_of_other(&self, index: usize, seen_from_a: L::Mask) -> L::Mask {
        if index < self.rings[0].count() {
            !seen_from_a
        } else {
            seen_from_a
        }
    }

    /// The vertex deepest behind an edge of either ring, of the other one; and whether it certainly
    /// lies deeper than all others.
    #[inline(always)]
    pub(super) fn deepest(
        &self,
        [start, end]: [Vectors<L>; 2],
        is_of_a: L::Mask,
    ) -> (Vectors<L>, L::Mask) {
        let zero = self.error.all(0.0);
        let nothing = zero.all(f64::NEG_INFINITY);
        let [mut most, mut second] = [nothing; 2];
        let mut vertex = Vectors { x: zero, y: zero };
        let mut position = 0;
        for (ring, is_other) in self.rings.into_iter().zip([!is_of_a, is_of_a]) {
            for index in 0..ring.count() {
                let depth = (end - start).cross(self.reaches[position].start);
                let depth = is_other.choose(depth, nothing);
                let is_deeper = depth.above(most);
                second = second.larger(is_deeper.choose(most, depth));
                vertex = Vectors::choose(is_deeper, ring.corner(index), vertex);
                most = most.larger(depth);
                position += 1;
            }
        }
        (vertex, (most - second).above(self.error))
    }

    #[inline(always)]
    pub(super) fn least_overlap(&self) -> L {
        // Each comparison waits for the one before: those of either ring need not wait for the other.
        let (of_a, of_b) = self.reaches.split_at(self.rings[0].count());
        let [mut least, mut least_of_b] = [of_a[0].overlap, of_b[0].overlap];
        for reach in &of_a[1..] {
            least = least.smaller(reach.overlap);
        }
        for reach in &of_b[1..] {
            least_of_b = least_of_b.smaller(reach.overlap);
        }
        least.smaller(least_of_b)
    }
}

/// An answer in lanes; open where neither is set.
#[derive(Clone, Copy, Debug)]
pub struct Verdict<L: Lanes> {
    pub(crate) yes: L::Mask,
    pub(crate) no: L::Mask,
}

impl<L: Lanes> Verdict<L> {
    /// Whether a number with this error at most is at least zero.
    #[inline(always)]
    pub(super) fn reached(number: L, error: L) -> Self {
        let zero = number.all(0.0);
        let is_exact = error.same(zero);
        Self {
            yes: number.above(error) | (is_exact & number.same(zero)),
            no: (zero - error).above(number),
        }
    }

    /// Where it is open.
    #[inline(always)]
    pub(crate) fn open(&self) -> L::Mask {
        !(self.yes | self.no)
    }
}

/// An error that is finite, or zero where all corners, and the vector, are on a grid so fine that no
/// product of two differences is rounded; the rings are in a box of this size.
#[inline(always)]
pub(super) fn error_on_grid<L: Lanes, R: Corners<L> + ?Sized>(
    rings: [&R; 2],
    size: Vectors<L>,
    vector: Option<Vectors<L>>,
    error: L,
) -> L {
    let zero = error.all(0.0);
    let beyond = vector.map_or(zero, |vector| vector.x.abs().larger(vector.y.abs()));
    let grid = Grid::new(size.x.larger(size.y).larger(beyond));
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
