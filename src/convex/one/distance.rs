//! The distance of two convex rings and their nearest points: the distance of the origin from the
//! Minkowski difference.

use super::distance_result::Distance;
use super::minkowski_difference::{Corner, DifferenceEdge, MinkowskiDifference, Owner};
use super::nearest_features::NearestFeatures;
use crate::convex::Ring;
use crate::convex::cyclic::Cyclic;
use crate::convex::filter::FacingEdge;
use crate::convex::filter::one_pair::with_table;
use crate::convex::large::gjk;
use crate::geom::{Bounds, Displacement, Edge, Motion, Point};
use crate::predicates::{Sign, dot, shortest};

/// Pairs of vertices up to which the filter takes less time than [`distance`].
const FEW_PAIRS: usize = 128;

/// The distance of two rings whose boxes are apart, as [`distance`] gives it, if the filter can tell.
pub(crate) fn certain_distance(a: &Ring<'_>, b: &Ring<'_>) -> Option<f64> {
    let is_small = a.len() * b.len() <= FEW_PAIRS;
    let attempt = || {
        with_table([a, b], |table| {
            let nearest = FacingEdge::farthest(table, None).nearest();
            let (distance, is_certain) = nearest.distance(table.size);
            is_certain.then_some(distance)
        })
    };
    (is_small && !a.bounds().meets(&b.bounds())).then(attempt)?
}

pub(crate) fn distance(a: &Ring<'_>, b: &Ring<'_>) -> Distance {
    // The bounds are computed once for both searches: with [`nearest_displaced`] here, quads far apart took a tenth longer.
    let difference = MinkowskiDifference::<[Point]>::new(a, b, None);
    if gjk::is_faster(a.len(), b.len()) {
        let bounds = gjk::known_bounds(a, b);
        if gjk::intersects(difference, bounds) == Some(true) {
            return Distance::new(None);
        }
        if let Some(nearest) = nearest_by_gjk(difference, bounds) {
            return Distance::new(Some(nearest));
        }
    }
    Distance::new(nearest_by_edges(difference))
}

/// The nearest features of two rings, the first of them displaced; `None` if they meet.
pub(crate) fn nearest_displaced(
    a: &Ring<'_>,
    b: &Ring<'_>,
    offset: Option<Motion>,
) -> Option<NearestFeatures> {
    let difference = MinkowskiDifference::<[Point]>::new(a, b, offset);
    let by_gjk = || {
        let bounds = gjk::known_bounds(a, b);
        let moved = |a: Bounds| offset.map_or(a, |offset| a.moved(offset));
        nearest_by_gjk(difference, bounds.map(|[a, b]| [moved(a), b]))
    };
    let attempt = gjk::is_faster(a.len(), b.len()).then(by_gjk).flatten();
    attempt.or_else(|| nearest_by_edges(difference))
}

/// The nearest features, on an edge of the difference that faces the origin: inside one, or at a corner.
/// `None` if none does.
fn nearest_by_edges(difference: MinkowskiDifference<'_>) -> Option<NearestFeatures> {
    let facing = difference
        .edges()
        .filter(|edge| difference.support(edge).overlap() == Sign::Negative);
    let candidates = facing.map(|edge| nearest_on(&difference, &edge));
    shortest(candidates, |it| it.length_displaced(difference.offset))
}

/// The nearest features, if they are at a corner that GJK finds or on an edge beside it.
fn nearest_by_gjk(
    difference: MinkowskiDifference<'_>,
    bounds: Option<[Bounds; 2]>,
) -> Option<NearestFeatures> {
    let corners = gjk::nearest_corners(difference, bounds);
    let at_corner = corners
        .into_iter()
        .find(|&corner| is_nearest(difference, corner));
    if let Some(corner) = at_corner {
        let (a, b) = difference.vertices(corner);
        return Some(NearestFeatures::Vertices { a, b });
    }
    corners
        .into_iter()
        .flat_map(|corner| difference.beside(corner))
        .filter_map(|edge| difference.true_edge(edge.owner, edge.from))
        .filter(|edge| difference.support(edge).overlap() == Sign::Negative)
        .map(|edge| nearest_on(&difference, &edge))
        .find(|nearest| !matches!(nearest, NearestFeatures::Vertices { .. }))
}

/// Whether no point of the difference is nearer to the origin than a corner: neither ring extends
/// beyond its vertex in the direction of the other's.
fn is_nearest(difference: MinkowskiDifference<'_>, corner: Corner) -> bool {
    let gap = difference.gap(corner);
    let recedes = |ring: &[Point], vertex: usize, nearer: Sign| {
        [ring.previous(vertex), ring.next(vertex)]
            .into_iter()
            .map(|neighbour| Displacement::between(ring[vertex], ring[neighbour]))
            .all(|step| dot(gap, step) != nearer)
    };
    dot(gap, gap) == Sign::Positive
        && recedes(difference.a, corner.a, Sign::Negative)
        && recedes(difference.b, corner.b, Sign::Positive)
}

fn nearest_on(difference: &MinkowskiDifference<'_>, edge: &DifferenceEdge) -> NearestFeatures {
    let (a, b) = difference.vertices(edge.from);
    let (end_a, end_b) = difference.vertices(difference.end(edge));
    let direction = difference.direction(edge);
    // The origin lies past a corner b - a of the edge when a - b points along the edge.
    if dot(direction, difference.gap(edge.from)) != Sign::Positive {
        return NearestFeatures::Vertices { a, b };
    }
    if dot(direction, difference.gap(difference.end(edge))) != Sign::Negative {
        return NearestFeatures::Vertices { a: end_a, b: end_b };
    }
    match edge.owner {
        Owner::A => NearestFeatures::VertexOfB {
            b,
            edge: Edge::new(a, end_a),
        },
        Owner::B => NearestFeatures::VertexOfA {
            a,
            edge: Edge::new(b, end_b),
        },
    }
}
