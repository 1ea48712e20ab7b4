//! How the origin lies to the edges of the difference.

use crate::convex::gjk;
use crate::convex::ring::{Corners, turns};
use crate::predicates::about::{Grid, box_error};
use crate::predicates::lanes::{Lanes, Mask, Vectors};

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
pub(crate) struct Reach<L> {
    /// How far the deepest vertex of the other ring lies behind the edge, times the edge's length.
    pub(super) overlap: L,
    /// The edge as a vector, as it runs on the difference.
    pub(super) direction: Vectors<L>,
}

impl<L: Lanes> Reach<L> {
    /// Room for one.
    #[inline(always)]
    pub(crate) fn room(like: L) -> Self {
        let zero = like.all(0.0);
        Self {
            overlap: zero,
            direction: Vectors { x: zero, y: zero },
        }
    }
}

/// All edges of the difference, and how well they are known.
pub struct Field<'r, L, R: ?Sized> {
    pub(super) rings: [&'r R; 2],
    /// The edges of a, then those of b.
    pub(super) reaches: &'r [Reach<L>],
    /// The width and height of the box round both rings.
    pub(super) size: Vectors<L>,
    /// The most by which an overlap can be wrong.
    pub(super) error: L,
}

impl<R: ?Sized, L: Copy> Clone for Field<'_, L, R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R: ?Sized, L: Copy> Copy for Field<'_, L, R> {}

impl<'r, L: Lanes, R: Corners<L> + ?Sized> Field<'r, L, R> {
    /// Looks at every edge and every vertex of two rings, the box round which has this size. The
    /// field stays in the room given, one for each edge.
    #[inline(always)]
    pub(crate) fn new(rings: [&'r R; 2], size: Vectors<L>, reaches: &'r mut [Reach<L>]) -> Self {
        let error = box_error(size, size);
        let [a, b] = rings;
        let (of_a, of_b) = reaches.split_at_mut(a.count());
        for index in 0..of_b.len() {
            let next = if index + 1 == of_b.len() {
                0
            } else {
                index + 1
            };
            of_b[index].direction = b.corner(next) - b.corner(index);
        }
        for index in 0..of_a.len() {
            let next = if index + 1 == of_a.len() {
                0
            } else {
                index + 1
            };
            let corner = a.corner(index);
            let direction = corner - a.corner(next);
            let mut deepest = size.x;
            for other in 0..of_b.len() {
                let gap = corner - b.corner(other);
                let overlap = direction.cross(gap);
                deepest = if other == 0 {
                    overlap
                } else {
                    deepest.larger(overlap)
                };
                let of_b = &mut of_b[other];
                let overlap = of_b.direction.cross(gap);
                of_b.overlap = if index == 0 {
                    overlap
                } else {
                    of_b.overlap.larger(overlap)
                };
            }
            of_a[index] = Reach {
                overlap: deepest,
                direction,
            };
        }
        Self {
            rings,
            reaches,
            size,
            error,
        }
    }

    /// Whether each ring certainly turns left at every vertex and goes round once, or right.
    #[inline(always)]
    pub(crate) fn turns(&self) -> [[L::Mask; 2]; 2] {
        // The edges of a run backward on the difference, which leaves their turns as they are.
        let (of_a, of_b) = self.reaches.split_at(self.rings[0].count());
        let turns_of_a = turns(
            of_a.len(),
            #[inline(always)]
            |index| of_a[index].direction,
            self.error,
        );
        let turns_of_b = turns(
            of_b.len(),
            #[inline(always)]
            |index| of_b[index].direction,
            self.error,
        );
        [turns_of_a, turns_of_b]
    }

    /// The same field, with the knowledge that nothing was rounded where all corners, and the
    /// vector, are on a grid. None if that is nowhere so.
    #[inline(always)]
    pub(super) fn on_grid(self, vector: Option<Vectors<L>>) -> Option<Self> {
        let zero = self.error.all(0.0);
        let beyond = vector.map_or(zero, |vector| vector.x.abs().larger(vector.y.abs()));
        let grid = Grid::new(self.size.x.larger(self.size.y).larger(beyond));
        let mut is_exact = zero.all(f64::INFINITY).above(self.error);
        for ring in self.rings {
            for index in 0..ring.count() {
                is_exact = is_exact & grid.holds_both(ring.corner(index));
            }
        }
        if let Some(vector) = vector {
            is_exact = is_exact & grid.holds_both(vector);
        }
        is_exact.any().then(|| Self {
            error: is_exact.choose(zero, self.error),
            ..self
        })
    }

    /// A number in as many lanes.
    #[inline(always)]
    pub(crate) fn like(&self) -> L {
        self.error
    }

    #[inline(always)]
    pub(super) fn least_overlap(&self) -> L {
        let mut least = self.reaches[0].overlap;
        for reach in &self.reaches[1..] {
            least = least.smaller(reach.overlap);
        }
        least
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

/// Whether two rings intersect.
#[inline(always)]
pub(crate) fn intersects<L: Lanes, R: Corners<L> + ?Sized>(field: &Field<'_, L, R>) -> Verdict<L> {
    overlap(field, field.least_overlap())
}

/// The same where the least overlap is known; the edges are not looked at.
#[inline(always)]
pub(super) fn overlap<L: Lanes, R: Corners<L> + ?Sized>(
    field: &Field<'_, L, R>,
    least: L,
) -> Verdict<L> {
    let verdict = Verdict::reached(least, field.error);
    if verdict.open().any()
        && let Some(exact) = field.on_grid(None)
    {
        return Verdict::reached(least, exact.error);
    }
    verdict
}
