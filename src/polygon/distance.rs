//! How far apart two simple rings are, by all pairs of a vertex and an edge.

use super::crossing::intersects;
use crate::convex::{Cyclic, Distance, Nearest, beside};
use crate::geom::Point;
use crate::predicates::shortest;

/// The distance of two rings and where it is taken.
pub(crate) fn distance(a: &[Point], b: &[Point]) -> Distance {
    if intersects(a, b) {
        return Distance(None);
    }
    let pairs = (0..a.len()).flat_map(|i| (0..b.len()).map(move |j| (i, j)));
    let candidates = pairs.flat_map(|(i, j)| {
        let (vertex_a, vertex_b) = (a[i], b[j]);
        let (edge_a, edge_b) = (a.edge(i), b.edge(j));
        [
            Some(Nearest::Vertices {
                a: vertex_a,
                b: vertex_b,
            }),
            beside(edge_b, vertex_a).then_some(Nearest::VertexOfA {
                a: vertex_a,
                edge: edge_b,
            }),
            beside(edge_a, vertex_b).then_some(Nearest::VertexOfB {
                b: vertex_b,
                edge: edge_a,
            }),
        ]
    });
    Distance(shortest(candidates.flatten(), Nearest::length))
}
