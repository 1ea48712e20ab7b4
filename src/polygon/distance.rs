//! How far apart two polygons are: the nearest of all pairs of a vertex and an edge.

use std::ops::ControlFlow;

use super::crossing::intersects;
use super::outline::{Outline, Sought, edge_pairs};
use crate::convex::{Distance, Nearest, beside};
use crate::geom::{Bounds, Edge};
use crate::predicates::Least;

/// Near points: at most their squared distance.
struct Nearby;

impl Sought for Nearby {
    #[inline(always)]
    fn bound(&self, a: &Bounds, b: &Bounds) -> f64 {
        a.squared_distance_below(b)
    }
}

/// The distance of two polygons and where it is taken.
pub(crate) fn distance(a: &Outline, b: &Outline) -> Distance {
    if intersects(a, b) {
        return Distance(None);
    }
    let mut least = Least::default();
    let _ = edge_pairs([a, b], &Nearby, f64::INFINITY, |[i, j], edges| {
        for (kind, candidate) in candidates(edges).into_iter().flatten().enumerate() {
            least.offer(candidate, Nearest::length, (i, j, kind));
        }
        ControlFlow::Continue(least.square_above())
    });
    Distance(least.found())
}

/// The nearest points of two edges may be their starts, or lie at one's start and inside the other.
fn candidates([of_a, of_b]: [Edge; 2]) -> [Option<Nearest>; 3] {
    let (a, b) = (of_a.start, of_b.start);
    [
        Some(Nearest::Vertices { a, b }),
        beside(of_b, a).then_some(Nearest::VertexOfA { a, edge: of_b }),
        beside(of_a, b).then_some(Nearest::VertexOfB { b, edge: of_a }),
    ]
}
