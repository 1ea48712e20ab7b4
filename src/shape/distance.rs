//! Distance of two polygons: the least of all pairs of a vertex and an edge.

use std::ops::ControlFlow;

use super::boundary::{Boundary, PairBound, edge_pairs};
use super::crossing::intersects;
use crate::convex::{Distance, NearestFeatures, beside};
use crate::geom::{Bounds, Edge, WideFloat};
use crate::predicates::{Least, Length, TO_TEN_DIGITS};

/// Bounds squared distances from below, in a unit in which they neither overflow nor underflow.
struct DistanceBound {
    /// The power of two by which coordinates are multiplied, if necessary.
    scale: Option<f64>,
}

impl DistanceBound {
    fn new(a: &Bounds, b: &Bounds) -> Self {
        let all = a.union(b);
        // Halved first, because the difference of two floats may overflow.
        let half = |min: f64, max: f64| max / 2.0 - min / 2.0;
        let size = half(all.min.x, all.max.x).max(half(all.min.y, all.max.y));
        let (_, exponent) = libm::frexp(size);
        Self {
            scale: (exponent.abs() > 60).then(|| libm::ldexp(1.0, -exponent.clamp(-1022, 1022))),
        }
    }

    /// An upper bound of the squared length in this unit; the length is known to ten digits.
    fn square_above(&self, length: Length) -> f64 {
        let scale = WideFloat::from(self.scale.unwrap_or(1.0));
        let length = (length.value(TO_TEN_DIGITS) * scale).to_f64();
        length * length * (1.0 + 1e-9) + f64::MIN_POSITIVE
    }
}

impl PairBound for DistanceBound {
    #[inline(always)]
    fn prepared(&self, a: Bounds) -> Bounds {
        self.scale.map_or(a, |scale| a.scaled(scale))
    }

    #[inline(always)]
    fn bound_of_edges(&self, prepared: &Bounds, b: &Bounds) -> f64 {
        prepared.squared_distance_below(&self.prepared(*b))
    }
}

/// The distance of two polygons and their nearest points.
pub(crate) fn distance(a: &Boundary, b: &Boundary) -> Distance {
    if intersects(a, b) {
        return Distance(None);
    }
    let search = DistanceBound::new(&a.bounds(), &b.bounds());
    let (mut least, mut limit) = (Least::default(), f64::INFINITY);
    let _ = edge_pairs([a, b], &search, limit, |[i, j], edges| {
        for (kind, candidate) in candidates(edges).into_iter().flatten().enumerate() {
            if least.offer(candidate, NearestFeatures::length, (i, j, kind)) {
                limit = search.square_above(candidate.length());
            }
        }
        ControlFlow::Continue(limit)
    });
    Distance(least.found())
}

/// The nearest points of two edges without their ends: both starts, or a start and a point inside
/// the other edge.
fn candidates([of_a, of_b]: [Edge; 2]) -> [Option<NearestFeatures>; 3] {
    let (a, b) = (of_a.start, of_b.start);
    [
        Some(NearestFeatures::Vertices { a, b }),
        beside(of_b, a).then_some(NearestFeatures::VertexOfA { a, edge: of_b }),
        beside(of_a, b).then_some(NearestFeatures::VertexOfB { b, edge: of_a }),
    ]
}
