//! Merging triangles into convex parts, in linear time.

use rustc_hash::{FxBuildHasher, FxHashMap};

use super::region::{Region, Triangle, VertexId, sides};
use crate::convex::Cyclic;
use crate::geom::Point;
use crate::predicates::{Sign, turn};

/// A side of a part, directed counterclockwise.
struct HalfEdge {
    from: VertexId,
    next: usize,
    previous: usize,
    /// The opposite half-edge of the neighbour, if there is one.
    twin: Option<usize>,
    /// Whether it no longer bounds a part.
    removed: bool,
}

/// Merges neighbours wherever the union is convex at both ends of their common side.
pub(super) fn merged(triangles: &[Triangle], region: &Region) -> Vec<Vec<Point>> {
    let mut half_edges = half_edges(triangles);
    for index in 0..half_edges.len() {
        if let Some(twin) = half_edges[index].twin
            && index < twin
            && is_needless(&half_edges, index, twin, region)
        {
            remove(&mut half_edges, index, twin);
        }
    }
    parts(&half_edges, region)
}

fn half_edges(triangles: &[Triangle]) -> Vec<HalfEdge> {
    let count = 3 * triangles.len();
    let mut by_ends: FxHashMap<[VertexId; 2], usize> =
        FxHashMap::with_capacity_and_hasher(count, FxBuildHasher);
    let mut half_edges: Vec<HalfEdge> = Vec::with_capacity(count);
    for &triangle in triangles {
        let first = half_edges.len();
        for (corner, [from, to]) in sides(triangle).into_iter().enumerate() {
            let index = first + corner;
            let twin = by_ends.get(&[to, from]).copied();
            if let Some(twin) = twin {
                half_edges[twin].twin = Some(index);
            }
            by_ends.insert([from, to], index);
            half_edges.push(HalfEdge {
                from,
                next: first + (corner + 1) % 3,
                previous: first + (corner + 2) % 3,
                twin,
                removed: false,
            });
        }
    }
    half_edges
}

/// Whether the union of the parts on both sides is convex.
fn is_needless(half_edges: &[HalfEdge], index: usize, twin: usize, region: &Region) -> bool {
    let is_convex = |one: usize, other: usize| {
        let arriving = half_edges[one].previous;
        let leaving = half_edges[other].next;
        let ends = |half_edge: usize| {
            let HalfEdge { from, next, .. } = half_edges[half_edge];
            region.edge([from, half_edges[next].from])
        };
        turn(ends(arriving), ends(leaving)) != Sign::Negative
    };
    is_convex(index, twin) && is_convex(twin, index)
}

fn remove(half_edges: &mut [HalfEdge], index: usize, twin: usize) {
    for (one, other) in [(index, twin), (twin, index)] {
        let (before, after) = (half_edges[one].previous, half_edges[other].next);
        half_edges[before].next = after;
        half_edges[after].previous = before;
        half_edges[one].removed = true;
    }
}

/// The rings of the parts, without collinear vertices.
fn parts(half_edges: &[HalfEdge], region: &Region) -> Vec<Vec<Point>> {
    let mut seen = vec![false; half_edges.len()];
    let mut parts = Vec::new();
    for start in 0..half_edges.len() {
        if half_edges[start].removed || seen[start] {
            continue;
        }
        let mut ring = Vec::new();
        let mut index = start;
        while !seen[index] {
            seen[index] = true;
            ring.push(region.point(half_edges[index].from));
            index = half_edges[index].next;
        }
        let turns = |&corner: &usize| {
            turn(ring.edge(ring.previous(corner)), ring.edge(corner)) == Sign::Positive
        };
        parts.push((0..ring.len()).filter(turns).map(|k| ring[k]).collect());
    }
    parts
}
