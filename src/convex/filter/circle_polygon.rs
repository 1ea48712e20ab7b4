//! A circle and a convex ring: whether they meet, and the nearest feature of the ring.
//!
//! Each edge stands for itself and for the vertex where it starts: where a vertex is nearest, the
//! centre lies before the edge that leaves it. On which side of a vertex's perpendicular the centre
//! lies need not be certain as long as only distances matter: there the vertex and the edge are
//! equally near but for the square of an error.

use fearless_simd::prelude::*;

use super::axis::{ACCURATE, ROUNDINGS};
use super::bounding_box::beyond;
use super::support::Verdict;
use crate::convex::ring::{Corners, bounds};
use crate::convex::simd_ring::{self, LANES, Lane, surely_holds};
use crate::geom::{Bounds, Circle, Point};
use crate::predicates::error_bounds::{Grid, Squares, error_along};
use crate::simd::lanes::{Lanes, Mask, Vectors};

/// More than any usual square of a distance, and finite (2^500).
const FAR: f64 = f64::from_bits((1023 + 500) << 52);

/// The part of the least square up to which another gets a closer look, that of the exact form.
const ALIKE: f64 = 1e-6;

/// As [`ALIKE`] where nothing but the last quotient is rounded.
const ALIKE_IF_EXACT: f64 = 4.0 * f64::EPSILON;

/// Where the distance times the shortest edge is so many times the error of such a product, no
/// square of a distance is wrong by a tenth of [`ALIKE`].
const CLEAR: f64 = 4e7;

/// A ring, a circle, and how well what lies between them is known.
pub(crate) struct RingAndCircle<'r, L, R: ?Sized> {
    ring: &'r R,
    pub(super) center: Vectors<L>,
    pub(super) radius: L,
    /// The width and height of the box round the ring and the centre.
    pub(super) size: Vectors<L>,
    pub(super) squares: Squares<L>,
}

impl<R: ?Sized, L: Copy> Clone for RingAndCircle<'_, L, R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R: ?Sized, L: Copy> Copy for RingAndCircle<'_, L, R> {}

/// What lies between a vertex and the centre, and the edge that starts there.
#[derive(Clone, Copy, Debug)]
pub(super) struct EdgeStart<L> {
    /// From the vertex to the centre.
    pub(super) gap: Vectors<L>,
    pub(super) edge: Vectors<L>,
    pub(super) gap_squared: L,
    pub(super) edge_squared: L,
    /// `edge × gap`: above zero on the inner side.
    pub(super) side: L,
    /// `edge · gap`: above zero past the vertex.
    pub(super) along: L,
}

impl<L: Lanes> EdgeStart<L> {
    #[inline(always)]
    pub(super) fn new(center: Vectors<L>, start: Vectors<L>, end: Vectors<L>) -> Self {
        let (gap, edge) = (center - start, end - start);
        Self {
            gap,
            edge,
            gap_squared: gap.length_squared(),
            edge_squared: edge.length_squared(),
            side: edge.cross(gap),
            along: edge.dot(gap),
        }
    }
}

impl<'r, L: Lanes, R: Corners<L> + ?Sized> RingAndCircle<'r, L, R> {
    /// A ring, counterclockwise, the lower left and the upper right corner of the box round it, and
    /// a circle.
    #[inline(always)]
    pub(crate) fn new(ring: &'r R, sides: [Vectors<L>; 2], center: Vectors<L>, radius: L) -> Self {
        let size = size_with(center, sides);
        Self {
            ring,
            center,
            radius,
            size,
            squares: Squares::new(size, radius),
        }
    }

    /// The corner after one.
    #[inline(always)]
    pub(super) fn after(&self, index: usize) -> Vectors<L> {
        let is_last = index + 1 == self.ring.count();
        self.ring.corner(if is_last { 0 } else { index + 1 })
    }

    #[inline(always)]
    pub(crate) fn count(&self) -> usize {
        self.ring.count()
    }

    #[inline(always)]
    pub(super) fn start(&self, index: usize) -> EdgeStart<L> {
        EdgeStart::new(self.center, self.ring.corner(index), self.after(index))
    }

    /// The same, with the knowledge that nothing was rounded where all coordinates and the radius
    /// are on a grid. None if that is nowhere so.
    #[inline(always)]
    fn on_grid(self) -> Option<Self> {
        let all = |number| self.radius.all(number);
        let span = self.size.x.larger(self.size.y).larger(self.radius);
        let grid = Grid::for_products_of_squares(span);
        let is_usual = all(f64::INFINITY).above(self.squares.error);
        let mut is_exact = is_usual & grid.holds_both(self.center) & grid.holds(self.radius);
        for index in 0..self.ring.count() {
            is_exact = is_exact & grid.holds_both(self.ring.corner(index));
        }
        is_exact.any().then(|| Self {
            squares: self.squares.exact(is_exact),
            ..self
        })
    }

    /// Where the circle is one: its numbers are no NaN, and its radius is not below zero.
    #[inline(always)]
    pub(crate) fn is_circle(&self) -> L::Mask {
        let Vectors { x, y } = self.center;
        x.same(x) & y.same(y) & self.radius.at_least(self.radius.all(0.0))
    }
}

/// The width and height of a box and a point.
#[inline(always)]
fn size_with<L: Lanes>(point: Vectors<L>, [low, high]: [Vectors<L>; 2]) -> Vectors<L> {
    high.with(point, L::larger) - low.with(point, L::smaller)
}

/// The least of what decides whether a circle reaches a ring, over all its edges.
#[derive(Clone, Copy, Debug)]
struct Closeness<L> {
    /// How far on the inner side of an edge the centre is, times the edge's length.
    side: L,
    /// The square of the distance from a vertex.
    from_vertex: L,
    /// The square of the distance from an edge that the centre is beside, less the radius's, both
    /// times the square of the edge's length.
    from_edge: L,
    /// The square of an edge's length.
    shortest: L,
}

impl<L: Lanes> Closeness<L> {
    /// Of no edges.
    #[inline(always)]
    fn of_none(like: L) -> Self {
        let far = like.all(FAR);
        Self {
            side: far,
            from_vertex: far,
            from_edge: far,
            shortest: far,
        }
    }

    /// With one more edge, and its start.
    #[inline(always)]
    fn with(self, start: &EdgeStart<L>, radius: L) -> Self {
        let zero = radius.all(0.0);
        let from_line = start.side * start.side - radius * radius * start.edge_squared;
        let is_past = zero.above(start.along) | start.along.above(start.edge_squared);
        let from_edge = is_past.choose(zero.all(FAR), from_line);
        Self {
            side: self.side.smaller(start.side),
            from_vertex: self.from_vertex.smaller(start.gap_squared),
            from_edge: self.from_edge.smaller(from_edge),
            shortest: self.shortest.smaller(start.edge_squared),
        }
    }

    /// Whether a circle with this radius reaches the ring.
    ///
    /// Where the centre was taken to be beside an edge and is not, or the other way round, it is by
    /// the error of a product at most. The squares of its distances from the edge and from the
    /// vertex then differ by no more than the square of that over the edge's: where the latter is
    /// not below `squares.error`, by a third of it.
    #[inline(always)]
    fn verdict(&self, radius: L, squares: &Squares<L>) -> Verdict<L> {
        let zero = radius.all(0.0);
        let Squares {
            error,
            error_of_products,
            ..
        } = *squares;
        let from_vertex = self.from_vertex - radius * radius;
        Verdict {
            yes: self.side.at_least(error)
                | (zero - error).at_least(from_vertex)
                | (zero - error_of_products).at_least(self.from_edge),
            no: (zero - error).above(self.side)
                & from_vertex.above(error)
                & self.from_edge.above(error_of_products)
                & self.shortest.at_least(error),
        }
    }
}

impl<S: Simd> Closeness<Lane<S>> {
    /// The least in any lane.
    #[inline(always)]
    fn least(&self) -> Closeness<f64> {
        Closeness {
            side: self.side.reduce_min(),
            from_vertex: self.from_vertex.reduce_min(),
            from_edge: self.from_edge.reduce_min(),
            shortest: self.shortest.reduce_min(),
        }
    }
}

/// Whether a circle reaches a ring.
#[inline(always)]
pub(crate) fn circle_reaches<L: Lanes, R: Corners<L> + ?Sized>(
    around: &RingAndCircle<'_, L, R>,
) -> Verdict<L> {
    let radius = around.radius;
    let mut closeness = Closeness::of_none(radius);
    for index in 0..around.count() {
        closeness = closeness.with(&around.start(index), radius);
    }
    let mut verdict = closeness.verdict(radius, &around.squares);
    if verdict.open().any()
        && let Some(exact) = around.on_grid()
    {
        verdict = closeness.verdict(radius, &exact.squares);
    }
    let is_circle = around.is_circle();
    Verdict {
        yes: verdict.yes & is_circle,
        no: verdict.no & is_circle,
    }
}

/// The feature of a ring that is nearest to the centre of a circle, and what it measures.
#[derive(Clone, Copy, Debug)]
pub struct FilteredCircle<L: Lanes> {
    /// Where the answer is certain, and its numbers accurate.
    pub(crate) is_certain: L::Mask,
    /// Whether circle and polygon intersect.
    pub(crate) intersects: L::Mask,
    /// Whether it is the inside of an edge.
    pub(crate) is_edge: L::Mask,
    /// Which edge, or which edge starts at the vertex.
    pub(crate) position: L,
    /// The radius less the signed distance of the centre.
    overlap: L,
    /// Out of the polygon.
    pub(crate) normal: Vectors<L>,
    /// The point of it nearest to the centre.
    pub(crate) closest: Vectors<L>,
}

impl<L: Lanes> FilteredCircle<L> {
    /// How deep the circle overlaps; zero where apart.
    #[inline(always)]
    pub(crate) fn depth(&self) -> L {
        self.intersects.choose(self.overlap, self.overlap.all(0.0))
    }

    /// The gap; zero where they intersect.
    #[inline(always)]
    pub(crate) fn distance(&self) -> L {
        let zero = self.overlap.all(0.0);
        self.intersects.choose(zero, zero - self.overlap)
    }

    /// The way out; zero where apart.
    #[inline(always)]
    pub(crate) fn mtv(&self) -> Vectors<L> {
        let depth = self.depth();
        // The sum makes a negative zero a positive one.
        self.normal
            .map(|component| component * depth + depth.all(0.0))
    }

    /// The position among so many in the caller's order, where rings that ran clockwise have been
    /// turned: what runs from the n-th vertex to the next then ran from the next but one before
    /// the last.
    #[inline(always)]
    pub(crate) fn index(&self, clockwise: L::Mask, count: usize) -> L {
        let all = |number: usize| self.position.all(number as f64);
        let last = all(count - 1);
        let turned = last - self.position;
        let before = self.position.same(last).choose(last, turned - all(1));
        clockwise.choose(self.is_edge.choose(before, turned), self.position)
    }

    #[inline(always)]
    fn choose(mask: L::Mask, yes: &Self, no: &Self) -> Self {
        Self {
            is_certain: mask.either(yes.is_certain, no.is_certain),
            intersects: mask.either(yes.intersects, no.intersects),
            is_edge: mask.either(yes.is_edge, no.is_edge),
            position: mask.choose(yes.position, no.position),
            overlap: mask.choose(yes.overlap, no.overlap),
            normal: Vectors::choose(mask, yes.normal, no.normal),
            closest: Vectors::choose(mask, yes.closest, no.closest),
        }
    }
}

/// The nearest feature of a ring.
#[inline(always)]
pub(crate) fn nearby<L: Lanes, R: Corners<L> + ?Sized>(
    around: &RingAndCircle<'_, L, R>,
) -> FilteredCircle<L> {
    let nearby = rounded_nearby(around);
    if (!nearby.is_certain).any()
        && let Some(exact) = around.on_grid()
    {
        let exact = rounded_nearby(&exact);
        return FilteredCircle::choose(nearby.is_certain, &nearby, &exact);
    }
    nearby
}

/// The nearest feature so far.
#[derive(Clone, Copy)]
struct NearestSoFar<L> {
    position: L,
    square: L,
    start: EdgeStart<L>,
    corner: Vectors<L>,
    next: Vectors<L>,
}

#[inline(always)]
fn rounded_nearby<L: Lanes, R: Corners<L> + ?Sized>(
    around: &RingAndCircle<'_, L, R>,
) -> FilteredCircle<L> {
    let Squares { error, .. } = around.squares;
    let zero = error.all(0.0);
    let is_exact = error.same(zero);
    let alike = is_exact.choose(zero.all(ALIKE_IF_EXACT), zero.all(ALIKE));
    let mut least = NearestSoFar::of(around, 0);
    let mut shortest = least.start.edge_squared;
    let mut is_tied = zero.above(zero);
    for index in 1..around.count() {
        let other = NearestSoFar::of(around, index);
        let is_nearer = least.square.above(other.square);
        let is_alike = !(other.square - least.square)
            .abs()
            .above(least.square * alike);
        // What was alike the former least is not alike one that is far below it.
        is_tied = is_alike | (is_tied & !is_nearer);
        least = NearestSoFar::choose(is_nearer, &other, &least);
        shortest = shortest.smaller(other.start.edge_squared);
    }
    let EdgeStart {
        gap,
        edge,
        gap_squared,
        edge_squared,
        side,
        along,
    } = least.start;
    let is_edge = along.above(zero);
    let beyond = edge_squared - along;
    let is_beside = along.above(error) & beyond.above(error);
    let is_before = (zero - error).at_least(along) & gap_squared.above(zero);
    let enough = error * error.all(CLEAR);
    let is_clear = !is_tied & (shortest * least.square).at_least(enough * enough);

    // The side of an edge tells inside from outside; a vertex is nearest only from outside.
    let one = zero.all(1.0);
    let length = is_edge.choose(edge_squared, gap_squared).sqrt();
    let signed = is_edge.choose((zero - side) / length, length);
    // The sum makes a negative zero a positive one.
    let overlap = around.radius - signed + zero;
    let outward = Vectors {
        x: is_edge.choose(edge.y, gap.x),
        y: is_edge.choose(zero - edge.x, gap.y),
    };
    let per_length = one / length;
    let normal = outward.map(|component| component * per_length + zero);

    let of_side = error_along(edge, around.size) * per_length;
    let of_side = is_edge.choose(is_exact.choose(zero, of_side), zero);
    let doubt = of_side + (signed.abs() + around.radius) * zero.all(ROUNDINGS);
    let is_accurate = (overlap.abs() * zero.all(ACCURATE)).above(doubt);
    // Of squares of which nothing is rounded the roots are the numbers that they seem to be.
    let radius_squared = around.radius * around.radius;
    let touches = is_edge.choose(
        side * side - radius_squared * edge_squared,
        gap_squared - radius_squared,
    );
    let is_tangent = is_exact & touches.same(zero);

    FilteredCircle {
        is_certain: is_clear
            & ((is_edge & is_beside) | (!is_edge & is_before))
            & (is_accurate | is_tangent)
            & around.is_circle(),
        intersects: overlap.at_least(zero),
        is_edge,
        position: least.position,
        overlap,
        normal,
        closest: Vectors::choose(is_edge, least.foot(around.center), least.corner),
    }
}

impl<L: Lanes> NearestSoFar<L> {
    /// The nearest of an edge and the vertex where it starts.
    #[inline(always)]
    fn of<R: Corners<L> + ?Sized>(around: &RingAndCircle<'_, L, R>, index: usize) -> Self {
        let start = around.start(index);
        let zero = around.radius.all(0.0);
        let from_line = start.side * start.side / start.edge_squared;
        let from_start = start.along.above(zero).choose(from_line, start.gap_squared);
        let is_past = start.along.at_least(start.edge_squared);
        Self {
            position: zero.all(index as f64),
            square: is_past.choose(zero.all(FAR), from_start),
            start,
            corner: around.ring.corner(index),
            next: around.after(index),
        }
    }

    #[inline(always)]
    fn choose(mask: L::Mask, yes: &Self, no: &Self) -> Self {
        let number = |yes: L, no: L| mask.choose(yes, no);
        let (one, other) = (&yes.start, &no.start);
        Self {
            position: number(yes.position, no.position),
            square: number(yes.square, no.square),
            start: EdgeStart {
                gap: Vectors::choose(mask, one.gap, other.gap),
                edge: Vectors::choose(mask, one.edge, other.edge),
                gap_squared: number(one.gap_squared, other.gap_squared),
                edge_squared: number(one.edge_squared, other.edge_squared),
                side: number(one.side, other.side),
                along: number(one.along, other.along),
            },
            corner: Vectors::choose(mask, yes.corner, no.corner),
            next: Vectors::choose(mask, yes.next, no.next),
        }
    }

    /// The point of the edge that is nearest to the centre; reckoned from the nearer end, where the
    /// step, and so its rounding, is smaller.
    #[inline(always)]
    fn foot(&self, center: Vectors<L>) -> Vectors<L> {
        let EdgeStart {
            edge,
            edge_squared,
            along,
            ..
        } = self.start;
        let is_late = (along + along).above(edge_squared);
        let from = Vectors::choose(is_late, self.next, self.corner);
        let fraction = edge.dot(center - from) / edge_squared;
        from.with(edge, |from, edge| from + edge * fraction)
    }
}

/// Asks a question of a ring, counterclockwise, and a circle.
#[inline(always)]
pub(super) fn certainly_around<T>(
    ring: &[Point],
    Circle { center, radius }: Circle,
    question: impl FnOnce(&RingAndCircle<'_, f64, [Point]>) -> T,
) -> T {
    if let Ok(quad) = <&[Point; 4]>::try_from(ring) {
        // The most usual length, for which the loops unroll.
        let quad = &quad[..];
        return question(&RingAndCircle::new(
            quad,
            bounds([quad]),
            center.into(),
            radius,
        ));
    }
    question(&RingAndCircle::new(
        ring,
        bounds([ring]),
        center.into(),
        radius,
    ))
}

/// Whether a circle reaches a ring, counterclockwise, if that is certain.
pub(crate) fn certainly_reaches(ring: &[Point], circle: Circle) -> Option<bool> {
    let Verdict { yes, no } = certainly_around(ring, circle, circle_reaches);
    (yes | no).then_some(yes)
}

/// The same for a ring of eight vertices or more in this box, which may run clockwise.
#[inline(always)]
pub(crate) fn certainly_reaches_long<S: Simd>(
    simd: S,
    ring: &[Point],
    clockwise: bool,
    bounds: &Bounds,
    circle: Circle,
) -> Option<bool> {
    let Circle { center, radius } = circle;
    let sides = [bounds.min.into(), bounds.max.into()];
    if beyond(sides, center.into(), radius) {
        return Some(false);
    }
    // Most circles that reach a ring at all have their centre well inside.
    if !clockwise && surely_holds(simd, ring, bounds, center) {
        return Some(true);
    }
    let centers = simd_ring::everywhere(simd, center);
    let radii = Lane::splat(simd, radius);
    let mut closeness = Closeness::of_none(radii);
    for block in 0..ring.len().div_ceil(LANES) {
        let (from, to) = simd_ring::edges(simd, ring, block);
        let [start, end] = if clockwise { [to, from] } else { [from, to] };
        closeness = closeness.with(&EdgeStart::new(centers, start, end), radii);
    }
    let squares = Squares::new(size_with(center.into(), sides), radius);
    let Verdict { yes, no } = closeness.least().verdict(radius, &squares);
    (yes | no).then_some(yes)
}

/// The feature of a ring, counterclockwise, that is nearest to a circle's centre, if it is certain.
pub(crate) fn certainly_nearby(ring: &[Point], circle: Circle) -> Option<FilteredCircle<f64>> {
    let nearby = certainly_around(ring, circle, nearby);
    nearby.is_certain.then_some(nearby)
}
