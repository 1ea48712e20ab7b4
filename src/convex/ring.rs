//! A ring checked convex: the only way into the narrow phase.

use std::ops::Deref;

use smallvec::SmallVec;

use crate::geom::{Edge, Point};
use crate::predicates::Sign;
use crate::predicates::about::{self, About, cross, cross_error, vector};

/// The vertices of a convex polygon, counterclockwise, each a true corner: none repeated, none
/// collinear with its neighbours.
#[derive(Clone, Debug)]
pub(crate) struct Ring<'a> {
    vertices: Vertices<'a>,
}

#[derive(Clone, Debug)]
enum Vertices<'a> {
    Borrowed(&'a [Point]),
    Owned(SmallVec<[Point; 8]>),
}

impl<'a> Ring<'a> {
    /// The ring through vertices of which the caller knows that each is a true corner.
    #[inline]
    pub(crate) fn known(vertices: &'a [Point], clockwise: bool) -> Self {
        if clockwise {
            Self::owned(vertices.iter().rev().copied())
        } else {
            Self {
                vertices: Vertices::Borrowed(vertices),
            }
        }
    }

    /// The ring through corners that the caller has established.
    pub(crate) fn owned(corners: impl Iterator<Item = Point>) -> Self {
        Self {
            vertices: Vertices::Owned(corners.collect()),
        }
    }
}

/// Whether a ring runs clockwise, if the filter alone can tell that every vertex is a true corner
/// and that it goes round once; nothing is known otherwise.
#[inline]
pub(crate) fn certainly_convex(vertices: &[Point]) -> Option<bool> {
    // The most usual length, for which the loops unroll.
    let turn = match <&[Point; 4]>::try_from(vertices) {
        Ok(quad) => common_turn(quad),
        Err(_) => common_turn(vertices),
    };
    turn.map(|turn| turn == Sign::Negative)
}

/// Vertices as a ring: after the last comes the first.
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
    let (start, end) = (edge.start, edge.end);
    // Without branches: the answers round a ring are as good as random to a processor.
    (end.x > start.x) | ((end.x == start.x) & (end.y > start.y))
}

/// The way a ring turns at every vertex, if bounds on the error can tell.
#[inline(always)]
fn common_turn(vertices: &[Point]) -> Option<Sign> {
    let size = about::usual_size(vertices)?;
    let [.., before_last, last] = *vertices else {
        return None;
    };
    let mut incoming = Edge::new(before_last, last);
    let (mut left, mut right, mut changes) = (true, true, 0);
    for &vertex in vertices {
        let outgoing = Edge::new(incoming.end, vertex);
        let direction = vector(incoming.start, incoming.end);
        let turn = About {
            value: cross(direction, vector(outgoing.start, outgoing.end)),
            error: cross_error(direction, size),
        };
        left &= turn.is_positive();
        right &= turn.is_negative();
        if !(left | right) {
            return None;
        }
        changes += u32::from(ascends(incoming) != ascends(outgoing));
        incoming = outgoing;
    }
    match (left, right, changes) {
        (true, false, 2) => Some(Sign::Positive),
        (false, true, 2) => Some(Sign::Negative),
        _ => None,
    }
}
