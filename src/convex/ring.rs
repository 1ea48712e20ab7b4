//! A ring that was checked to be convex. All queries of the narrow phase take this type.

use std::ops::Deref;

use smallvec::SmallVec;

use super::convexity_filter::{self, Convexity, LONG, ascending};
use crate::geom::{Bounds, Displacement, Edge, Point};
use crate::predicates::error_bounds::{box_error, certainly_positive};
use crate::simd::lanes::{Lanes, Vectors};

/// The vertices of a convex polygon, counterclockwise, each a true corner: none repeated, none
/// collinear with its neighbours.
#[derive(Clone, Debug)]
pub(crate) struct Ring<'a> {
    vertices: Vertices<'a>,
    /// Its bounding box, if that is known.
    bounds: Option<Bounds>,
}

#[derive(Clone, Debug)]
enum Vertices<'a> {
    Borrowed(&'a [Point]),
    Owned(SmallVec<[Point; 8]>),
}

impl<'a> Ring<'a> {
    /// The ring through vertices each of which is a true corner.
    #[inline]
    pub(crate) fn known(vertices: &'a [Point], convexity: Convexity) -> Self {
        let Convexity { clockwise, bounds } = convexity;
        if clockwise {
            Self {
                bounds,
                ..Self::owned(vertices.iter().rev().copied())
            }
        } else {
            Self {
                vertices: Vertices::Borrowed(vertices),
                bounds,
            }
        }
    }

    /// The ring through true corners, counterclockwise.
    pub(crate) fn owned(corners: impl Iterator<Item = Point>) -> Self {
        Self {
            vertices: Vertices::Owned(corners.collect()),
            bounds: None,
        }
    }

    /// Its bounding box, if that is known.
    #[inline]
    pub(crate) fn known_bounds(&self) -> Option<Bounds> {
        self.bounds
    }

    /// Its bounding box.
    #[inline]
    pub(crate) fn bounds(&self) -> Bounds {
        self.bounds
            .unwrap_or_else(|| self.iter().map(|&vertex| Bounds::from(vertex)).collect())
    }
}

/// The winding of a ring, if the filter can tell that every vertex is a true corner and that the
/// ring goes round once; `None` says nothing.
#[inline(always)]
pub(crate) fn certainly_convex(vertices: &[Point]) -> Option<Convexity> {
    // The most common length, for which the loops unroll.
    match <&[Point; 4]>::try_from(vertices) {
        Ok(quad) => certainly_turns(&quad[..]),
        Err(_) if vertices.len() < 3 => None,
        Err(_) if vertices.len() >= LONG => convexity_filter::certainly_convex(vertices),
        Err(_) => certainly_turns(vertices),
    }
}

#[inline(always)]
fn certainly_turns(vertices: &[Point]) -> Option<Convexity> {
    let [low, high] = bounds([vertices]);
    let size = high - low;
    let error = box_error(size, size);
    let clockwise = !turns_left(vertices, error);
    (!clockwise || turns_right(vertices, error)).then_some(Convexity {
        clockwise,
        bounds: Some(Bounds {
            min: low.into(),
            max: high.into(),
        }),
    })
}

/// The vertices of a ring, in order; over lanes, of as many rings of the same length.
pub(crate) trait Corners<L> {
    /// How many there are.
    fn count(&self) -> usize;
    /// One of them.
    fn corner(&self, index: usize) -> Vectors<L>;

    /// The ends of the edge that starts at a vertex.
    #[inline(always)]
    fn ends(&self, start: usize) -> [Vectors<L>; 2] {
        let is_last = start + 1 == self.count();
        let end = if is_last { 0 } else { start + 1 };
        [self.corner(start), self.corner(end)]
    }

    /// The edge that starts at a vertex.
    #[inline(always)]
    fn edge_vector(&self, start: usize) -> Vectors<L>
    where
        L: Lanes,
    {
        let [start, end] = self.ends(start);
        end - start
    }
}

impl Corners<f64> for [Point] {
    #[inline(always)]
    fn count(&self) -> usize {
        self.len()
    }

    #[inline(always)]
    fn corner(&self, index: usize) -> Vectors<f64> {
        self[index].into()
    }
}

impl<L: Lanes> Corners<L> for [Vectors<L>] {
    #[inline(always)]
    fn count(&self) -> usize {
        self.len()
    }

    #[inline(always)]
    fn corner(&self, index: usize) -> Vectors<L> {
        self[index]
    }
}

/// The lower left and the upper right corner of the common bounding box of rings.
#[inline(always)]
pub(crate) fn bounds<L: Lanes, R: Corners<L> + ?Sized, const N: usize>(
    rings: [&R; N],
) -> [Vectors<L>; 2] {
    let [mut low, mut high] = own_bounds(rings[0]);
    for ring in &rings[1..] {
        let [its_low, its_high] = own_bounds(*ring);
        low = low.with(its_low, L::smaller);
        high = high.with(its_high, L::larger);
    }
    [low, high]
}

#[inline(always)]
fn own_bounds<L: Lanes, R: Corners<L> + ?Sized>(ring: &R) -> [Vectors<L>; 2] {
    let [mut low, mut high] = [ring.corner(0); 2];
    for index in 1..ring.count() {
        let corner = ring.corner(index);
        low = low.with(corner, L::smaller);
        high = high.with(corner, L::larger);
    }
    [low, high]
}

/// The width and height of the common bounding box of rings.
#[inline(always)]
pub(crate) fn span<L: Lanes, R: Corners<L> + ?Sized, const N: usize>(rings: [&R; N]) -> Vectors<L> {
    let [low, high] = bounds(rings);
    high - low
}

/// Vertices of a closed ring: after the last comes the first.
pub(crate) trait Cyclic {
    /// A vertex.
    fn vertex(&self, index: usize) -> Point;
    /// The vertex after this one.
    fn next(&self, index: usize) -> usize;
    /// The vertex before this one.
    fn previous(&self, index: usize) -> usize;

    /// The edge that starts at a vertex.
    #[inline(always)]
    fn edge(&self, index: usize) -> Edge {
        Edge::new(self.vertex(index), self.vertex(self.next(index)))
    }

    /// The edge that arrives at a vertex and the one that leaves it, between which a direction points out
    /// of the shape. Where parts of a shape meet at the vertex, these may be edges of two of them.
    #[inline(always)]
    fn edges_facing(&self, vertex: usize, _direction: Displacement) -> [usize; 2] {
        [self.previous(vertex), vertex]
    }
}

impl Cyclic for [Point] {
    #[inline(always)]
    fn vertex(&self, index: usize) -> Point {
        self[index]
    }

    #[inline(always)]
    fn next(&self, index: usize) -> usize {
        if index + 1 == self.len() {
            0
        } else {
            index + 1
        }
    }

    #[inline(always)]
    fn previous(&self, index: usize) -> usize {
        index.checked_sub(1).unwrap_or(self.len() - 1)
    }
}

impl Deref for Ring<'_> {
    type Target = [Point];

    #[inline]
    fn deref(&self) -> &[Point] {
        match &self.vertices {
            Vertices::Borrowed(vertices) => vertices,
            Vertices::Owned(vertices) => vertices,
        }
    }
}

/// Whether an edge goes to the right, or straight up.
///
/// Round a convex ring this changes exactly twice; more often means that the ring winds round
/// more than once or turns back, which turns alone cannot tell.
#[inline]
pub(crate) fn ascends(edge: Edge) -> bool {
    ascending(Vectors::from(edge.end) - Vectors::from(edge.start))
}

/// Whether a ring certainly turns left at every vertex and goes round once, if a cross product of
/// its edges is wrong by no more than the error.
#[inline(always)]
pub(crate) fn turns_left<L: Lanes, R: Corners<L> + ?Sized>(ring: &R, error: L) -> L::Mask {
    all_left(
        ring.count(),
        #[inline(always)]
        |start| ring.edge_vector(start),
        error,
    )
}

/// As [`turns_left`], for turns to the right.
#[inline(always)]
pub(crate) fn turns_right<L: Lanes, R: Corners<L> + ?Sized>(ring: &R, error: L) -> L::Mask {
    all_left(
        ring.count(),
        // Exchanging x and y mirrors the ring: a turn to the right becomes one to the left, and the
        // cross product only changes its sign.
        #[inline(always)]
        |start| {
            let Vectors { x, y } = ring.edge_vector(start);
            Vectors { x: y, y: x }
        },
        error,
    )
}

#[inline(always)]
fn all_left<L: Lanes>(count: usize, edge: impl Fn(usize) -> Vectors<L>, error: L) -> L::Mask {
    let zero = error.all(0.0);
    let none = zero.above(zero);
    let mut left = !none;
    // The turns are to the left, each by less than half a turn, so that in each round the direction
    // of the edges changes once from downward to upward. A second such change means a second round.
    // Rings of four vertices or fewer go round once.
    let [mut rose, mut rose_again] = [none; 2];
    let mut incoming = edge(count - 1);
    for start in 0..count {
        let outgoing = edge(start);
        left = left & certainly_positive(incoming.cross_contracted(outgoing), error);
        if count > 4 {
            let rises = outgoing.y.above(zero) & !incoming.y.above(zero);
            rose_again = rose_again | (rose & rises);
            rose = rose | rises;
        }
        incoming = outgoing;
    }
    left & !rose_again
}
