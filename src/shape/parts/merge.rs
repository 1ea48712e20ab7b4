//! Merging triangles into convex parts, in linear time.

use super::half_edges::HalfEdge;
use super::planar_graph::Region;
use crate::convex::Cyclic;
use crate::geom::Point;
use crate::predicates::{Sign, turn};

/// Merges neighbours wherever the union is convex at both ends of their common side.
pub(crate) fn merged(mut half_edges: Vec<HalfEdge>, region: &Region) -> Vec<Vec<Point>> {
    // Half-edges that no longer bound a part, or one that is already among the parts.
    let mut done = vec![false; half_edges.len()];
    for index in 0..half_edges.len() {
        if let Some(twin) = half_edges[index].twin
            && index < twin
            && is_needless(&half_edges, index, twin, region)
        {
            remove(&mut half_edges, index, twin);
            (done[index], done[twin]) = (true, true);
        }
    }
    parts(&half_edges, done, region)
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
    }
}

/// The rings of the parts, without collinear vertices.
fn parts(half_edges: &[HalfEdge], mut done: Vec<bool>, region: &Region) -> Vec<Vec<Point>> {
    let (mut parts, mut ring) = (Vec::new(), Vec::new());
    for start in 0..half_edges.len() {
        ring.clear();
        let mut index = start;
        while !done[index] {
            done[index] = true;
            ring.push(region.point(half_edges[index].from));
            index = half_edges[index].next;
        }
        if ring.is_empty() {
            continue;
        }
        let turns = |&corner: &usize| ring.turn_at(corner) == Sign::Positive;
        let mut part = Vec::with_capacity(ring.len());
        part.extend((0..ring.len()).filter(turns).map(|k| ring[k]));
        parts.push(part);
    }
    parts
}
