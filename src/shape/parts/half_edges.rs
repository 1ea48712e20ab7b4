//! The half-edges of triangles, with their twins, if the triangles tile a polygon: decided exactly.
//!
//! All triangles are counterclockwise. Consider the number of triangles over a point minus 1 inside
//! the polygon and 0 outside. It changes only across sides of triangles and edges of the polygon.
//! Where opposite sides cancel, and the rest are the polygon's edges, it changes nowhere, and as it
//! vanishes far away it is zero everywhere. Sides need not cancel one by one: segments of one line
//! may cancel as a whole.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::planar_graph::{Region, Triangle, VertexId};
use crate::predicates::{Sign, side};

/// A side of a triangle, directed counterclockwise.
pub(super) struct HalfEdge {
    pub(crate) from: VertexId,
    pub(crate) next: usize,
    pub(crate) previous: usize,
    /// The opposite half-edge of the neighbour, if there is one.
    pub(crate) twin: Option<usize>,
}

/// Half-edges and edges up to which their list is not allocated.
const FEW: usize = 32;

/// The half-edges of triangles, three of each, if they tile the polygon.
pub(super) fn half_edges(triangles: &[Triangle], region: &Region) -> Option<Vec<HalfEdge>> {
    let is_left =
        |&[a, b, c]: &Triangle| side(region.edge([a, b]), region.point(c)) == Sign::Positive;
    if !triangles.iter().all(is_left) {
        return None;
    }
    let half_edge = |(index, from)| {
        let (first, corner) = (index - index % 3, index % 3);
        HalfEdge {
            from,
            next: first + (corner + 1) % 3,
            previous: first + (corner + 2) % 3,
            twin: None,
        }
    };
    let corners = triangles.as_flattened().iter().copied();
    let mut half_edges: Vec<_> = corners.enumerate().map(half_edge).collect();
    let rest = left_over(&mut half_edges, region)?;
    cancels(&rest, region).then_some(half_edges)
}

/// Finds the twins. Returns what is left of all half-edges and the polygon's reversed edges once opposite ones
/// are cancelled, or `None` if one remains twice.
fn left_over(half_edges: &mut [HalfEdge], region: &Region) -> Option<Vec<[VertexId; 2]>> {
    let ends = |it: &HalfEdge| [it.from, half_edges[it.next].from];
    let edges = region.edges.iter().map(|&[start, end]| [end, start]);
    let segment = |(index, [start, end]): (u32, [VertexId; 2])| {
        ([start.min(end), start.max(end)], start > end, index)
    };
    let all = (0..).zip(half_edges.iter().map(ends).chain(edges));
    let mut all: SmallVec<[_; FEW]> = all.map(segment).collect();
    // One number is compared sooner than two.
    all.sort_unstable_by_key(|&([low, high], ..)| u64::from(low) << 32 | u64::from(high));
    let mut rest = Vec::new();
    for same in all.chunk_by(|one, other| one.0 == other.0) {
        let (mut balance, mut pair) = (0, [None; 2]);
        for &(_, is_back, index) in same {
            balance += if is_back { -1 } else { 1 };
            let index = index as usize;
            if index < half_edges.len() {
                pair[usize::from(is_back)] = Some(index);
            }
        }
        if let [Some(one), Some(other)] = pair {
            half_edges[one].twin = Some(other);
            half_edges[other].twin = Some(one);
        }
        let ([low, high], ..) = same[0];
        match balance {
            0 => {}
            1 => rest.push([low, high]),
            -1 => rest.push([high, low]),
            _ => return None,
        }
    }
    Some(rest)
}

/// Whether directed segments, as many of which start as end at every vertex, form loops on one line
/// each, so that over every point as many run in one direction as in the other.
fn cancels(rest: &[[VertexId; 2]], region: &Region) -> bool {
    let mut at: FxHashMap<VertexId, Vec<usize>> = FxHashMap::default();
    for (segment, &[start, end]) in rest.iter().enumerate() {
        at.entry(start).or_default().push(segment);
        at.entry(end).or_default().push(segment);
    }
    let mut seen = vec![false; rest.len()];
    (0..rest.len()).all(|segment| seen[segment] || is_loop(segment, rest, region, &at, &mut seen))
}

/// Whether the segments connected with the first one on its line end at each vertex as often as they
/// start there.
fn is_loop(
    first: usize,
    rest: &[[VertexId; 2]],
    region: &Region,
    at: &FxHashMap<VertexId, Vec<usize>>,
    seen: &mut [bool],
) -> bool {
    let line = region.edge(rest[first]);
    let on_line = |&segment: &usize| {
        rest[segment]
            .iter()
            .all(|&vertex| side(line, region.point(vertex)) == Sign::Zero)
    };
    let mut balance: FxHashMap<VertexId, i32> = FxHashMap::default();
    let mut open = vec![first];
    seen[first] = true;
    while let Some(segment) = open.pop() {
        let [start, end] = rest[segment];
        *balance.entry(start).or_default() -= 1;
        *balance.entry(end).or_default() += 1;
        for next in [start, end].iter().flat_map(|vertex| &at[vertex]) {
            if !seen[*next] && on_line(next) {
                seen[*next] = true;
                open.push(*next);
            }
        }
    }
    balance.values().all(|&count| count == 0)
}
