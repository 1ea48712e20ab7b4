//! The corners of a ring, its vertices without repeated and collinear ones; and those of a path.

use std::array;

use fearless_simd::prelude::*;

use super::BoundaryCorner;
use super::edge_block::ones;
use crate::convex::ascends;
use crate::geom::{Edge, Point};
use crate::invalid_shape::InvalidRing;
use crate::predicates::{Sign, dot, signs::orientation_filter, turn};
use crate::shape::parts::convex_hull::order;
use crate::simd::instructions::with_instructions;
use crate::simd::load::{self, LANES};

/// The corners of a ring in the caller's order, and the turn at each.
pub(crate) struct RingCorners {
    pub(crate) corners: Vec<BoundaryCorner>,
    turns: Vec<Sign>,
    pub(crate) clockwise: bool,
}

impl RingCorners {
    /// Checks a ring on its own; `first` is the position of its first vertex among those of all
    /// rings.
    pub(crate) fn find(vertices: &[Point], ring: usize, first: usize) -> Result<Self, InvalidRing> {
        let count = vertices.len();
        if count < 3 {
            // Repeated vertices count once.
            let is_repeated = count == 2 && vertices[0] == vertices[1];
            let count = count - usize::from(is_repeated);
            return Err(InvalidRing::TooFewVertices { count });
        }
        if let Some(found) = with_instructions!(simd => find_by_lanes(simd, vertices, ring, first))
        {
            return Ok(found);
        }
        // Also checked in trusted input: loops around a ring end only if its numbers compare.
        check_finite(vertices)?;
        let mut corners = distinct(vertices, ring, first, Some(vertices[count - 1]));
        if corners.len() < 3 {
            return Err(InvalidRing::ZeroArea);
        }
        let mut turns = Vec::with_capacity(corners.len());
        let mut spike = None;
        let mut incoming = Edge::new(corners[corners.len() - 1].point, corners[0].point);
        for (outgoing, corner) in edges(&corners).zip(&corners) {
            let turn = turn(incoming, outgoing);
            let is_back = || dot(incoming, outgoing.displacement()) == Sign::Negative;
            if turn == Sign::Zero && spike.is_none() && is_back() {
                let vertex = corner.position as usize - first;
                let value = corner.point;
                spike = Some(InvalidRing::Spike { vertex, value });
            }
            turns.push(turn);
            incoming = outgoing;
        }
        if turns.iter().all(|&turn| turn == Sign::Zero) {
            return Err(InvalidRing::ZeroArea);
        }
        spike.map_or(Ok(()), Err)?;
        let mut of_corners = turns.iter();
        corners.retain(|_| of_corners.next() != Some(&Sign::Zero));
        turns.retain(|&turn| turn != Sign::Zero);
        Self::new(corners, turns).ok_or(InvalidRing::ZeroArea)
    }

    /// `None` if there are too few corners.
    fn new(corners: Vec<BoundaryCorner>, turns: Vec<Sign>) -> Option<Self> {
        (corners.len() >= 3).then(|| Self {
            clockwise: turns[leftmost(&corners).unwrap_or(0)] == Sign::Negative,
            corners,
            turns,
        })
    }

    /// Whether the ring is exactly convex: all turns have one sign, and it winds around once.
    pub(crate) fn is_convex(&self) -> bool {
        let changes = || {
            let ascending: Vec<bool> = edges(&self.corners).map(ascends).collect();
            let next = ascending.iter().cycle().skip(1);
            let changes = ascending.iter().zip(next).filter(|(one, next)| one != next);
            changes.count()
        };
        self.turns.iter().all(|turn| *turn == self.turns[0]) && changes() == 2
    }
}

/// [`RingCorners::find`] for eight vertices at a time. `None` where the ring is invalid, repeats a vertex, or has
/// edges that are very short or very long.
#[inline(always)]
fn find_by_lanes<S: Simd>(
    simd: S,
    vertices: &[Point],
    ring: usize,
    first: usize,
) -> Option<RingCorners> {
    let count = vertices.len();
    let (mut corners, mut turns) = (Vec::with_capacity(count), Vec::with_capacity(count));
    for start in (0..count).step_by(LANES) {
        let inner = start
            .checked_sub(1)
            .and_then(|before| vertices.get(before..));
        let wrapped;
        let points: &[Point; LANES + 2] =
            if let Some(points) = inner.and_then(<[Point]>::first_chunk) {
                points
            } else {
                wrapped = with_neighbours(vertices, start);
                &wrapped
            };
        let [before @ .., _, _] = points;
        let [_, here @ .., _] = points;
        let [_, _, after @ ..] = points;
        let middle = load::points(simd, here);
        let (incoming, outgoing) = (
            middle - load::points(simd, before),
            load::points(simd, after) - middle,
        );
        let of_ring = u64::MAX >> (64 - LANES.min(count - start));
        let found = orientation_filter::turns(incoming, outgoing);
        let is_usual = orientation_filter::is_usual_edge(outgoing)
            & orientation_filter::is_usual_edge(incoming);
        if !is_usual.to_bitmask() & of_ring != 0 {
            return None;
        }
        let (mut left, mut right) = (found.left.to_bitmask(), found.right.to_bitmask());
        let mut straight = found.straight.to_bitmask();
        for lane in ones(!(left | right | straight) & of_ring) {
            let [incoming, outgoing] =
                [lane, lane + 1].map(|from| Edge::new(points[from], points[from + 1]));
            let into = match turn(incoming, outgoing) {
                Sign::Positive => &mut left,
                Sign::Negative => &mut right,
                Sign::Zero => &mut straight,
            };
            *into |= 1 << lane;
        }
        if straight & found.back.to_bitmask() & of_ring != 0 {
            return None;
        }
        for lane in ones((left | right) & of_ring) {
            corners.push(corner(here[lane], first + start + lane, ring));
            let is_left = left >> lane & 1 == 1;
            turns.push(if is_left {
                Sign::Positive
            } else {
                Sign::Negative
            });
        }
    }
    // Of fewer corners, the general search tells what is wrong.
    RingCorners::new(corners, turns)
}

/// Eight vertices of a ring from one on, the one before them and the one after them, where this wraps around.
fn with_neighbours(vertices: &[Point], start: usize) -> [Point; LANES + 2] {
    let count = vertices.len();
    array::from_fn(|offset| {
        let mut index = start + offset + count - 1;
        while index >= count {
            index -= count;
        }
        vertices[index]
    })
}

/// A corner, whose indices are stored in half as many bytes.
fn corner(point: Point, position: usize, ring: usize) -> BoundaryCorner {
    let [position, ring] =
        [position, ring].map(|index| u32::try_from(index).expect("fewer than 2^32 vertices"));
    BoundaryCorner {
        point,
        position,
        ring,
    }
}

/// The corners of a path there and back: its distinct vertices in order, then those between the last
/// and the first.
pub(crate) fn path_corners(
    vertices: &[Point],
    ring: usize,
    first: usize,
) -> Result<Vec<BoundaryCorner>, InvalidRing> {
    let count = vertices.len();
    if count < 2 {
        return Err(InvalidRing::ShortPath { count });
    }
    check_finite(vertices)?;
    let mut corners = distinct(vertices, ring, first, None);
    corners.extend_from_within(1.min(corners.len() - 1)..corners.len() - 1);
    let there = corners.len() / 2 + 1;
    corners[there..].reverse();
    Ok(corners)
}

pub(crate) fn point_corner(
    vertices: &[Point],
    ring: usize,
    first: usize,
) -> Result<Vec<BoundaryCorner>, InvalidRing> {
    match *vertices {
        [value, ..] if !value.is_finite() => Err(InvalidRing::PointNotFinite { value }),
        [_, ..] => Ok(distinct(&vertices[..1], ring, first, None)),
        [] => Err(InvalidRing::Empty),
    }
}

pub(crate) fn check_finite(vertices: &[Point]) -> Result<(), InvalidRing> {
    match vertices.iter().position(|vertex| !vertex.is_finite()) {
        None => Ok(()),
        Some(vertex) => {
            let value = vertices[vertex];
            Err(InvalidRing::NotFinite { vertex, value })
        }
    }
}

/// The vertices that differ from the one before, if there is one.
fn distinct(
    vertices: &[Point],
    ring: usize,
    first: usize,
    mut previous: Option<Point>,
) -> Vec<BoundaryCorner> {
    let mut corners = Vec::with_capacity(vertices.len());
    for (index, &point) in vertices.iter().enumerate() {
        if Some(point) != previous {
            corners.push(corner(point, first + index, ring));
        }
        previous = Some(point);
    }
    corners
}

fn edges(corners: &[BoundaryCorner]) -> impl Iterator<Item = Edge> {
    let next = corners.iter().cycle().skip(1);
    let ends = corners.iter().zip(next);
    ends.map(|(start, end)| Edge::new(start.point, end.point))
}

/// The lowest of the leftmost corners: a vertex of the hull, so that the turn there is the ring's
/// orientation.
fn leftmost(corners: &[BoundaryCorner]) -> Option<usize> {
    let along = |&one: &usize, &other: &usize| order(corners[one].point, corners[other].point);
    (0..corners.len()).min_by(along)
}
