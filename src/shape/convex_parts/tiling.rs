//! Whether triangles tile a polygon, decided exactly.
//!
//! All triangles are counterclockwise. Consider the number of triangles over a point minus 1 inside
//! the polygon and 0 outside. It changes only across sides of triangles and edges of the polygon.
//! Where opposite sides cancel, and the rest are the polygon's edges, it changes nowhere, and as it
//! vanishes far away it is zero everywhere. Sides need not cancel one by one: segments of one line
//! may cancel as a whole.

use rustc_hash::FxHashMap;

use super::region::{Region, Triangle, VertexId, sides};
use crate::predicates::{Sign, side};

/// Whether the triangles tile the polygon.
pub(super) fn is_tiling(triangles: &[Triangle], region: &Region) -> bool {
    let is_left =
        |&[a, b, c]: &Triangle| side(region.edge([a, b]), region.point(c)) == Sign::Positive;
    triangles.iter().all(is_left)
        && left_over(triangles, region).is_some_and(|rest| cancels(&rest, region))
}

/// The sides minus the polygon's edges, opposite ones cancelled. None if one remains twice.
fn left_over(triangles: &[Triangle], region: &Region) -> Option<Vec<[VertexId; 2]>> {
    let counted = |[start, end]: [VertexId; 2], count: i32| {
        if start < end {
            ([start, end], count)
        } else {
            ([end, start], -count)
        }
    };
    let all_sides = triangles.iter().flat_map(|&it| sides(it));
    let mut all: Vec<_> = all_sides.map(|side| counted(side, 1)).collect();
    all.extend(region.edges.iter().map(|&edge| counted(edge, -1)));
    all.sort_unstable();
    let of_segment = all.chunk_by(|one, other| one.0 == other.0);
    let net = of_segment.map(|it| (it[0].0, it.iter().map(|(_, count)| count).sum()));
    let rest = net.filter(|&(_, count)| count != 0);
    let directed = |([start, end], count): ([VertexId; 2], i32)| match count {
        1 => Some([start, end]),
        -1 => Some([end, start]),
        _ => None,
    };
    rest.map(directed).collect()
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
