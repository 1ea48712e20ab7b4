//! Whether triangles tile a polygon, decided exactly.
//!
//! All triangles run counterclockwise. If their sides, those that run both ways cancelled, are the
//! polygon's edges, then the number of triangles over a point less the polygon's own cover of it
//! (one inside, none outside) is a function without jumps that vanishes far away: it is zero
//! everywhere. Sides need not meet end to end: pieces of one line that cancel as a whole make no
//! jump either.

use std::collections::HashMap;

use super::{Region, Triangle, VertexId, sides};
use crate::predicates::{Sign, side};

/// Whether the triangles cover the polygon once and nothing else.
pub(super) fn is_tiling(triangles: &[Triangle], region: &Region) -> bool {
    let is_left =
        |&[a, b, c]: &Triangle| side(region.edge([a, b]), region.point(c)) == Sign::Positive;
    triangles.iter().all(is_left)
        && left_over(triangles, region).is_some_and(|rest| cancels(&rest, region))
}

/// Sides less the polygon's edges, those that run both ways taken out. None if one runs twice.
fn left_over(triangles: &[Triangle], region: &Region) -> Option<Vec<[VertexId; 2]>> {
    let mut net: HashMap<[VertexId; 2], i32> = HashMap::new();
    let mut add = |[start, end]: [VertexId; 2], count: i32| {
        let (key, count) = if start < end {
            ([start, end], count)
        } else {
            ([end, start], -count)
        };
        *net.entry(key).or_default() += count;
    };
    triangles
        .iter()
        .flat_map(|&it| sides(it))
        .for_each(|side| add(side, 1));
    region.edges.iter().for_each(|&edge| add(edge, -1));
    let mut rest: Vec<_> = net.into_iter().filter(|&(_, count)| count != 0).collect();
    rest.sort_unstable();
    let directed = |([start, end], count): ([VertexId; 2], i32)| match count {
        1 => Some([start, end]),
        -1 => Some([end, start]),
        _ => None,
    };
    rest.into_iter().map(directed).collect()
}

/// Whether directed pieces, which together have no ends, are loops on one line each, which run as
/// often one way as the other over every point.
fn cancels(rest: &[[VertexId; 2]], region: &Region) -> bool {
    let mut at: HashMap<VertexId, Vec<usize>> = HashMap::new();
    for (piece, &[start, end]) in rest.iter().enumerate() {
        at.entry(start).or_default().push(piece);
        at.entry(end).or_default().push(piece);
    }
    let mut seen = vec![false; rest.len()];
    (0..rest.len()).all(|piece| seen[piece] || is_loop(piece, rest, region, &at, &mut seen))
}

/// Whether the pieces on the line of one that hang together with it arrive at each place as often
/// as they leave it.
fn is_loop(
    first: usize,
    rest: &[[VertexId; 2]],
    region: &Region,
    at: &HashMap<VertexId, Vec<usize>>,
    seen: &mut [bool],
) -> bool {
    let line = region.edge(rest[first]);
    let on_line = |&piece: &usize| {
        rest[piece]
            .iter()
            .all(|&place| side(line, region.point(place)) == Sign::Zero)
    };
    let mut balance: HashMap<VertexId, i32> = HashMap::new();
    let mut open = vec![first];
    seen[first] = true;
    while let Some(piece) = open.pop() {
        let [start, end] = rest[piece];
        *balance.entry(start).or_default() -= 1;
        *balance.entry(end).or_default() += 1;
        for next in [start, end].iter().flat_map(|place| &at[place]) {
            if !seen[*next] && on_line(next) {
                seen[*next] = true;
                open.push(*next);
            }
        }
    }
    balance.values().all(|&count| count == 0)
}
