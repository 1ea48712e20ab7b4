//! Distance of two shapes: the least of all pairs of a vertex and an edge.

use std::ops::ControlFlow;

use super::circle_polygon::{edge_facing, nearest_edges, nearest_feature};
use super::intersects::intersects;
use super::quick_intersects::certainly_intersects;
use crate::convex::{self, Cyclic, Distance, NearestFeatures, beside};
use crate::geom::{Bounds, Displacement, Edge, Motion, Point, WideFloat};
use crate::predicates::numbers::ten_digits::square_of_ten_digits_above;
use crate::predicates::{Least, Length, Sign, TO_TEN_DIGITS, dot};
use crate::shape::boundary::Boundary;
use crate::shape::boundary::boundary_feature::BoundaryFeature;
use crate::shape::boundary::edge_pairs::{block_pairs, edge_pairs};
use crate::shape::boundary::point_in_polygon::Location;
use crate::shape::checked_shape::{Shape, convex_rings, radius_sum};
use crate::shape::pair::nearest_pairs_filter::{CandidatePairs, NearestPairs, VertexAndEdge};

/// The distance between two shapes.
pub fn distance(a: &Shape<'_>, b: &Shape<'_>) -> Distance {
    core_distance(a, b).with_radii([a.radius(), b.radius()])
}

/// The number that [`distance`] gives, if a filter can tell.
pub fn certain_distance(a: &Shape<'_>, b: &Shape<'_>) -> Option<f64> {
    let are_sharp = radius_sum(a, b, 0.0).is_zero();
    let (a, b) = convex_rings(a, b).filter(|_| are_sharp)?;
    convex::certain_distance(a, b)
}

/// The distance of two shapes without their radii, and their nearest points.
pub(crate) fn core_distance(a: &Shape<'_>, b: &Shape<'_>) -> Distance {
    if let Some((a, b)) = convex_rings(a, b) {
        return convex::distance(a, b);
    }
    match (a.as_point(), b.as_point()) {
        (Some(a), Some(b)) => {
            let nearest = (a != b).then_some(NearestFeatures::Vertices { a, b });
            Distance::new(nearest)
        }
        (Some(a), None) => Distance::new(nearest_to(a, b)),
        (None, Some(b)) => Distance::new(nearest_to(b, a).map(NearestFeatures::swapped)),
        _ if certainly_intersects(a, b) => Distance::new(None),
        (None, None) => boundary_distance(a.boundary(), b.boundary()),
    }
}

/// The nearest features of a point and of a shape that does not hold it.
fn nearest_to(a: Point, shape: &Shape<'_>) -> Option<NearestFeatures> {
    if !shape.kind().is_polygonal() {
        return nearest_on_paths(a, shape);
    }
    let ((_, feature), location) = nearest_feature(a, shape);
    let b = feature.start();
    let nearest = match feature {
        BoundaryFeature::Vertex { .. } => NearestFeatures::Vertices { a, b },
        BoundaryFeature::Edge(edge) => NearestFeatures::VertexOfA { a, edge },
    };
    (location == Location::Outside).then_some(nearest)
}

/// [`nearest_to`] for paths or points, without the ranks and neighbors that features have in a circle's answer: with these,
/// the distance of a point from a path of 6 vertices took 1.4 times as many instructions.
fn nearest_on_paths(a: Point, shape: &Shape<'_>) -> Option<NearestFeatures> {
    let boundary = shape.boundary();
    let on_edge = |index: usize| {
        let edge = boundary.edge(index);
        let past = |end: Point| dot(edge, Displacement::between(end, a));
        if past(edge.start) != Sign::Positive {
            (NearestFeatures::Vertices { a, b: edge.start }, (index, 0))
        } else if past(edge.end) != Sign::Negative {
            let end = boundary.next(index);
            (NearestFeatures::Vertices { a, b: edge.end }, (end, 0))
        } else {
            (NearestFeatures::VertexOfA { a, edge }, (index, 1))
        }
    };
    let nearest = match *nearest_edges(a, shape) {
        [only] => Some(on_edge(only).0),
        ref several => {
            let mut least = Least::default();
            for (nearest, rank) in several.iter().copied().map(on_edge) {
                least.offer(nearest, NearestFeatures::length, rank);
            }
            least.found()
        }
    };
    let nearest = nearest.filter(|nearest| !nearest.touch())?;
    Some(match nearest {
        NearestFeatures::VertexOfA { edge, .. } => NearestFeatures::VertexOfA {
            a,
            edge: edge_facing(edge, a),
        },
        nearest => nearest,
    })
}

fn boundary_distance(a: &Boundary, b: &Boundary) -> Distance {
    // Points and paths touch only where their nearest features do.
    let kinds = [a.kind, b.kind];
    let of_points_and_paths =
        kinds.iter().any(|it| it.is_of_points()) && !kinds.iter().any(|it| it.is_polygonal());
    if !of_points_and_paths && intersects(a, b) {
        return Distance::new(None);
    }
    if let Some(nearest) = nearest_pairs([a, b]) {
        let nearest = nearest_of([a, b], nearest);
        return Distance::new(nearest.filter(|it| !of_points_and_paths || !it.touch()));
    }
    let scale = scale(&[a.bounds().union(&b.bounds())]);
    let (mut least, mut limit) = (Least::default(), f64::INFINITY);
    visit_candidates([a, b], None, scale, limit, |candidate, rank| {
        if least.offer(candidate, NearestFeatures::length, rank) {
            limit = scaled_square_above(candidate.length(), scale);
        }
        limit
    });
    let nearest = least.found();
    Distance::new(nearest.filter(|it| !of_points_and_paths || !it.touch()))
}

/// Visits the features of two boundaries, the first displaced, that may be the nearest, with the indices of their edges
/// and their place among [`candidates`]. The visitor returns an upper bound of the squared distance, scaled.
pub(crate) fn visit_candidates(
    boundaries: [&Boundary; 2],
    shift: Option<Motion>,
    scale: Option<f64>,
    limit: f64,
    mut visit: impl FnMut(NearestFeatures, (usize, usize, u8)) -> f64,
) {
    let scaled = scaled_by(scale);
    let by = shift.map(|shift| shift.scaled_by(scale.unwrap_or(1.0)));
    let placed = |a: Bounds| by.map_or_else(|| scaled(a), |by| scaled(a).moved(by));
    let bound = |a: &Bounds, b: &Bounds| a.squared_distance_below(&scaled(*b));
    let bound_of_blocks = |a: &Bounds, b: &Bounds| bound(&placed(*a), b);
    let visit = |[i, j]: [usize; 2], edges| {
        // There is always a candidate, so that the first limit is not returned again.
        let all = (0..).zip(candidates(edges, shift));
        let limit = all.fold(limit, |_, (kind, candidate)| visit(candidate, (i, j, kind)));
        ControlFlow::Continue(limit)
    };
    let _ = edge_pairs(boundaries, placed, bound, bound_of_blocks, limit, visit);
}

/// The vertices and edges of two boundaries that may be the nearest, as far as floats can tell.
fn nearest_pairs([a, b]: [&Boundary; 2]) -> Option<NearestPairs> {
    let are_points = [a, b].map(|it| it.kind.is_of_points());
    let mut nearest = CandidatePairs::new(are_points);
    let bound = Bounds::squared_distance_below;
    let _ = block_pairs(
        [a, b],
        Boundary::tree_there,
        bound,
        f64::INFINITY,
        |blocks| ControlFlow::Continue(nearest.add(blocks)),
    );
    nearest.found()
}

/// The nearest of these: of equally near ones, the one that [`candidates`] gives first for the lowest edges.
fn nearest_of([a, b]: [&Boundary; 2], nearest: NearestPairs) -> Option<NearestFeatures> {
    let mut least = Least::default();
    let limit = nearest.limit;
    for VertexAndEdge {
        vertex,
        edge,
        is_of_first,
    } in nearest.pairs
    {
        let [own, other] = if is_of_first { [a, b] } else { [b, a] };
        let a = own.vertex(vertex);
        let mut offer = |features: NearestFeatures, on_other: usize, kind: usize| {
            let (features, [i, j]) = if is_of_first {
                (features, [vertex, on_other])
            } else {
                (features.swapped(), [on_other, vertex])
            };
            least.offer(features, NearestFeatures::length, (i, j, kind));
        };
        for end in [edge, other.next(edge)] {
            let b = other.vertex(end);
            let gap = b - a;
            if gap.dot(gap) <= limit {
                offer(NearestFeatures::Vertices { a, b }, end, 0);
            }
        }
        let at = other.edge(edge);
        if beside(at, a, None) {
            let kind = if is_of_first { 1 } else { 2 };
            offer(NearestFeatures::VertexOfA { a, edge: at }, edge, kind);
        }
    }
    least.found()
}

/// An upper bound of the squared length, scaled; the length is known to ten digits.
pub(crate) fn scaled_square_above(length: Length, scale: Option<f64>) -> f64 {
    let scale = WideFloat::from(scale.unwrap_or(1.0));
    let length = (length.value(TO_TEN_DIGITS) * scale).to_f64();
    square_of_ten_digits_above(length)
}

/// The power of two by which coordinates in these boxes are multiplied, if that is necessary, so that
/// squared distances in them neither overflow nor underflow.
pub(crate) fn scale(boxes: &[Bounds]) -> Option<f64> {
    let size = boxes.iter().map(Bounds::half_size).fold(0.0, f64::max);
    let (_, exponent) = libm::frexp(size);
    (exponent.abs() > 60).then(|| libm::ldexp(1.0, -exponent.clamp(-1022, 1022)))
}

/// Multiplies boxes by that power of two, if any.
pub(crate) fn scaled_by(scale: Option<f64>) -> impl Fn(Bounds) -> Bounds {
    move |bounds| scale.map_or(bounds, |scale| bounds.scaled(scale))
}

/// The nearest points of two edges without their ends, the first displaced: both starts, or a start and a
/// point inside the other edge.
pub(crate) fn candidates(
    [of_a, of_b]: [Edge; 2],
    shift: Option<Motion>,
) -> impl Iterator<Item = NearestFeatures> {
    let (a, b) = (of_a.start, of_b.start);
    let back = shift.map(Motion::reversed);
    let candidates = [
        Some(NearestFeatures::Vertices { a, b }),
        beside(of_b, a, shift).then_some(NearestFeatures::VertexOfA { a, edge: of_b }),
        beside(of_a, b, back).then_some(NearestFeatures::VertexOfB { b, edge: of_a }),
    ];
    candidates.into_iter().flatten()
}
