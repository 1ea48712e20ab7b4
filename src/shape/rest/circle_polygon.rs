//! A circle against a shape at rest: the nearest feature of the boundary gives all numbers.

use smallvec::SmallVec;

use super::circle_polygon_result::{CirclePolygon, ExactNearest};
use crate::convex::filter::{
    CircleInBox, FilteredCircle, certainly_holds, certainly_nearest, certainly_reaches, squares_of,
    to_index,
};
use crate::convex::{Cyclic, Ring};
use crate::geom::{Bounds, Circle, Edge, Point, RadiusSum};
use crate::predicates::numbers::ten_digits::square_of_ten_digits_above;
use crate::predicates::{Least, Sign, side, turn};
use crate::shape::boundary::boundary_feature::{
    BoundaryFeature, Rank, RankedFeatures, features_along, features_at,
};
use crate::shape::boundary::edge_block::EdgeBlock;
use crate::shape::boundary::nearest_edge_filter::NearestEdge;
use crate::shape::boundary::point_in_polygon::{Location, locate};
use crate::shape::boundary::{Boundary, FEW};
use crate::shape::checked_shape::Shape;
use crate::shape::pair::nearest_pairs_filter::{CandidatePairs, LeastSquare};

/// Vertices of a convex polygon up to which a scan of all edges takes less time than a search for the nearest in its
/// boundary. Whether a search is certain depends on the edges that it saw. So that the answers have the same bits alone and
/// in a column, this decides, not whether a column keeps the boundary.
pub(super) const MOST_SCANNED: usize = 512;

/// Overlap and nearest feature of a circle and a shape.
pub fn circle_polygon(circle: Circle, polygon: &Shape<'_>) -> CirclePolygon {
    nearest(with_radius(circle, polygon, 0.0), polygon)
}

/// A circle with the radius of a shape and a margin added.
pub(crate) fn with_radius(circle: Circle, shape: &Shape<'_>, margin: f64) -> Circle<RadiusSum> {
    let Circle { center, radius } = circle;
    let radius = RadiusSum::new([radius, shape.radius(), margin]);
    Circle { center, radius }
}

/// Overlap and nearest feature of a circle whose radius includes the shape's.
pub(crate) fn nearest(circle: Circle<RadiusSum>, polygon: &Shape<'_>) -> CirclePolygon {
    let (rounded, is_sum) = with_rounded_radius(circle);
    filtered(rounded, is_sum, polygon).unwrap_or_else(|| exact(circle, polygon))
}

/// A circle whose radius is a float, and whether it was rounded: the float that
/// [`rounded_radius_sum`](crate::predicates::rounded_radius_sum) gives where that is not NaN.
pub(crate) fn with_rounded_radius(circle: Circle<RadiusSum>) -> (Circle, bool) {
    let Circle { center, radius } = circle;
    let is_sum = radius.exactly().is_none();
    let radius = radius.terms().sum();
    (Circle { center, radius }, is_sum)
}

/// Whether a circle and a shape have a point in common.
pub fn circle_reaches(circle: Circle, polygon: &Shape<'_>) -> bool {
    reaches_core(with_radius(circle, polygon, 0.0), polygon)
}

/// Whether a circle, whose radius includes all others, and a shape have a point in common.
pub(crate) fn reaches_core(circle: Circle<RadiusSum>, polygon: &Shape<'_>) -> bool {
    let certainly = |radius| {
        let circle = Circle {
            center: circle.center,
            radius,
        };
        match (polygon.scanned_ring(), polygon.exactly_convex()) {
            (Some(ring), _) => certainly_reaches(ring, circle),
            // Most circles that reach a convex polygon at all have their center well inside.
            (_, Some(ring)) if certainly_holds(ring, circle.center) => Some(true),
            _ => general_reaches(circle, polygon.boundary()),
        }
    };
    let attempt = match circle.radius.bounds() {
        [below, above] if below == above => certainly(below),
        [below, _] if certainly(below) == Some(true) => Some(true),
        [_, above] => certainly(above).filter(|reaches| !reaches),
    };
    attempt.unwrap_or_else(|| nearest(circle, polygon).intersects())
}

/// How many times larger than a circle's radius half of a polygon's box must be for its center to be located first.
/// Other factors were not measured.
const MUCH_LARGER: f64 = 4.0;

/// Whether a circle reaches a polygon that need not be convex: its center lies inside, or it reaches an
/// edge. `None` if neither is certain.
fn general_reaches(circle: Circle, boundary: &Boundary) -> Option<bool> {
    let (center, bounds) = (Bounds::from(circle.center), boundary.bounds());
    if !bounds.may_be_within(&center, circle.radius) {
        return Some(false);
    }
    // A circle that does not reach the edges may be inside, or without a radius on the boundary.
    let may_be_in = circle.radius == 0.0 || boundary.kind.is_polygonal();
    let holds_center = || may_be_in && locate(circle.center, boundary) != Location::Outside;
    if circle.radius == 0.0 {
        return Some(holds_center());
    }
    // Most circles that meet a polygon have their center inside, if they are small beside it, or else reach its edges.
    let is_small = MUCH_LARGER * circle.radius < bounds.half_size();
    if is_small && holds_center() {
        return Some(true);
    }
    let within = Some([circle.radius; 2]);
    let mut near = LeastSquare::new([true, false], within);
    // Of many blocks one that is near often decides, for a fraction of the search.
    if boundary.tree_there().len() > FEW {
        near.compare_point(circle.center, boundary.block_near(circle.center));
        if near.are_within() == Some(true) {
            return Some(true);
        }
    }
    let distance = |other: &Bounds| other.squared_distance_below(&center);
    let reach = square_of_ten_digits_above(circle.radius);
    let mut reaches = Some(false);
    boundary.search_least(boundary.tree_there(), distance, reach, |block| {
        near.compare_point(circle.center, block);
        reaches = near.are_within();
        // No bound is below zero: the search ends.
        if reaches == Some(true) { -1.0 } else { reach }
    });
    Some(reaches? || !is_small && holds_center())
}

/// The answer of the filter, if it is certain.
fn filtered(circle: Circle, is_sum: bool, polygon: &Shape<'_>) -> Option<CirclePolygon> {
    let ring = match polygon.exactly_convex() {
        Some(ring) if ring.len() != polygon.rings().vertices() => return None,
        Some(ring) if ring.len() <= MOST_SCANNED => ring,
        _ => return filtered_by_edges(circle, is_sum, polygon),
    };
    let nearest = certainly_nearest(ring, circle, is_sum)?.rounded_by(polygon.radius());
    let index = nearest.index(polygon.is_clockwise(), ring.len());
    Some(CirclePolygon {
        index: to_index(index),
        nearest,
        exact: None,
    })
}

/// The answer of the filter for a polygon that need not be convex and whose every vertex is a corner. Without
/// it, the distance to concave 8-gons took 1.6 times as long, and all fields together twice as long.
fn filtered_by_edges(circle: Circle, is_sum: bool, polygon: &Shape<'_>) -> Option<CirclePolygon> {
    if !polygon.kind().is_polygonal() {
        return None;
    }
    let (boundary, own) = (polygon.boundary(), Bounds::from(circle.center));
    let around = CircleInBox::new(circle, boundary.bounds());
    let squares = squares_of(around.size, around.radius, is_sum);
    let mut nearest = NearestEdge::new(squares.error);
    boundary.search_least(
        boundary.tree(),
        |bounds| bounds.squared_distance_below(&own),
        f64::INFINITY,
        |block| nearest.add(circle.center, block),
    );
    let start = nearest.certain()?;
    let number = boundary.ring_of(start);
    let ring = &boundary.rings[number];
    let count = ring.corners.len();
    if count != polygon.rings().ring(number).len() {
        return None;
    }
    let edge = boundary.edge(start);
    let nearest = FilteredCircle::of_edge([edge.start.into(), edge.end.into()], &around, &squares);
    // Where the boundary turns right, the region of a vertex is inside.
    let is_inside = || boundary.turn_at(start) != Sign::Positive;
    if !nearest.is_certain || !nearest.is_edge && is_inside() {
        return None;
    }
    let first = if nearest.is_edge && ring.reversed {
        boundary.next(start)
    } else {
        start
    };
    // All vertices are corners, in the caller's order or the opposite. Not the position that the corner keeps, which lies
    // elsewhere in memory: that took a tenth longer.
    let position = first - ring.corners.start;
    let position = if ring.reversed {
        count - 1 - position
    } else {
        position
    };
    Some(CirclePolygon {
        index: ring.first + position,
        nearest: nearest.rounded_by(polygon.radius()),
        exact: None,
    })
}

/// The ring of an exactly convex polygon, if all vertices that were given are corners of it.
pub(crate) fn as_given<'p, 'a>(polygon: &'p Shape<'a>) -> Option<&'p Ring<'a>> {
    polygon
        .exactly_convex()
        .filter(|ring| ring.len() == polygon.rings().vertices())
}

/// The feature of a shape without its radius that is nearest to a point, and the point's location.
pub(crate) fn nearest_feature(
    center: Point,
    shape: &Shape<'_>,
) -> ((Rank, BoundaryFeature), Location) {
    let edges = nearest_edges(center, shape);
    if let Some((rank, feature)) = only_feature(center, shape, &edges) {
        let location = location_beside(feature, center, shape);
        return ((rank, facing(feature, center, shape)), location);
    }
    let end = |edge: usize| {
        let boundary = (!shape.kind().is_polygonal()).then(|| shape.boundary());
        boundary.map(|boundary| features_at(boundary, boundary.next(edge)))
    };
    let along = |&edge: &usize| features_along(shape, edge).into_iter().chain(end(edge));
    let nearest = nearest_of(center, edges.iter().flat_map(along));
    let (rank, feature) = nearest.unwrap_or_else(|| no_feature(shape));
    let location = locate(center, shape.boundary());
    ((rank, facing(feature, center, shape)), location)
}

/// A feature; of the two edges there and back of a path, the one that faces the center.
fn facing(feature: BoundaryFeature, center: Point, shape: &Shape<'_>) -> BoundaryFeature {
    match feature {
        BoundaryFeature::Edge(edge) if !shape.kind().is_polygonal() => {
            BoundaryFeature::Edge(edge_facing(edge, center))
        }
        _ => feature,
    }
}

/// Of the two edges there and back of a path, the one that has a point on its right or on its line.
pub(super) fn edge_facing(edge: Edge, point: Point) -> Edge {
    if side(edge, point) == Sign::Positive {
        edge.reversed()
    } else {
        edge
    }
}

/// The location of a point to which one feature is nearer than all others but its neighbors: on the left of
/// the boundary is the interior, and a vertex is nearest on the outer side of its turn.
fn location_beside(feature: BoundaryFeature, point: Point, shape: &Shape<'_>) -> Location {
    let is_polygonal = shape.kind().is_polygonal();
    let side_of_point = match feature {
        BoundaryFeature::Edge(edge) => side(edge, point),
        BoundaryFeature::Vertex { leaving, .. } if leaving.start == point => Sign::Zero,
        BoundaryFeature::Vertex { arriving, leaving } if is_polygonal => {
            match turn(arriving, leaving) {
                Sign::Zero => side(leaving, point),
                turn => -turn,
            }
        }
        BoundaryFeature::Vertex { .. } => Sign::Negative,
    };
    match side_of_point {
        Sign::Zero => Location::Boundary,
        Sign::Positive if is_polygonal => Location::Inside,
        _ => Location::Outside,
    }
}

/// A placeholder for the nearest feature if all vertices are equal or NaN. That can only happen in unchecked
/// memory, or if another thread changes the memory.
fn no_feature(polygon: &Shape<'_>) -> (Rank, BoundaryFeature) {
    let vertex = polygon.bounds().min;
    let [arriving, leaving] = [Edge::new(vertex, vertex); 2];
    ((0, false), BoundaryFeature::Vertex { arriving, leaving })
}

/// The answer of the exact predicates, for shapes of any kind.
fn exact(circle: Circle<RadiusSum>, polygon: &Shape<'_>) -> CirclePolygon {
    let center = circle.center;
    let (((index, is_edge), feature), location) = nearest_feature(center, polygon);
    let inside = location == Location::Inside;
    let intersects = inside || feature.is_reached(circle);
    CirclePolygon {
        index,
        nearest: FilteredCircle::without_numbers(intersects, is_edge),
        exact: Some(ExactNearest {
            center,
            radius: circle.radius,
            rounding: polygon.radius(),
            feature,
            inside,
        }),
    }
}

/// The feature nearest to a point; of equally near ones, the one with the least rank.
fn nearest_of(
    center: Point,
    features: impl Iterator<Item = RankedFeatures>,
) -> Option<(Rank, BoundaryFeature)> {
    let mut least = Least::default();
    // Unchecked memory may hold NaN: then no feature faces the center, and the first one is taken.
    let mut any = None;
    for features in features {
        any = any.or(Some(features[0]));
        for (rank, feature) in features {
            if feature.faces(center) {
                let distance = |(_, feature): &(Rank, BoundaryFeature)| feature.distance(center);
                least.offer((rank, feature), distance, rank);
            }
        }
    }
    least.found().or(any)
}

/// The feature nearest to a point, given all edges that may be nearest, if no distances need to be compared.
/// If there is one edge, it is its interior: an end also belongs to another edge, unless a path ends there.
/// If there are two edges and the vertex between them faces the point, it is that vertex: the interiors then
/// do not face the point.
fn only_feature(
    center: Point,
    shape: &Shape<'_>,
    edges: &[usize],
) -> Option<(Rank, BoundaryFeature)> {
    match *edges {
        [edge] if shape.kind().is_polygonal() => match *features_along(shape, edge) {
            [[_, interior]] => Some(interior),
            _ => None,
        },
        [edge] => {
            let boundary = shape.boundary();
            let [start, interior] = features_at(boundary, edge);
            let [end, _] = features_at(boundary, boundary.next(edge));
            let mut nearest = [start, interior, end].into_iter();
            nearest.find(|(_, feature)| feature.faces(center))
        }
        [one, other] => {
            let next = |edge: usize| match shape.scanned_ring() {
                Some(_) => shape.rings().ring(0).next(edge),
                None => shape.boundary().next(edge),
            };
            let [arriving, leaving] = if next(one) == other {
                [one, other]
            } else {
                [other, one]
            };
            let is_reversed = shape.scanned_ring().is_none() && {
                let boundary = shape.boundary();
                boundary.rings[boundary.ring_of(arriving)].reversed
            };
            let from_vertex = if is_reversed { arriving } else { leaving };
            let [vertex, _] = *features_along(shape, from_vertex).first()?;
            let is_between = next(arriving) == leaving;
            (is_between && vertex.1.faces(center)).then_some(vertex)
        }
        _ => None,
    }
}

/// The edges of a shape that may be nearest to a point: all of them where products could leave the range of
/// floats. Those of [`Shape::scanned_ring`] are the caller's, others are the boundary's, and of a path
/// those on its way there.
pub(super) fn nearest_edges(point: Point, shape: &Shape<'_>) -> SmallVec<[usize; 8]> {
    let own = Bounds::from(point);
    let ring = shape.scanned_ring().map(|_| shape.rings().ring(0));
    let blocks: SmallVec<[EdgeBlock; 1]> = ring.into_iter().flat_map(EdgeBlock::of_ring).collect();
    let mut nearest = CandidatePairs::new([true, false]);
    if ring.is_some() {
        for block in &blocks {
            nearest.add_edges(point, block);
        }
    } else {
        let distance = |bounds: &Bounds| bounds.squared_distance_below(&own);
        let boundary = shape.boundary();
        boundary.search_least(boundary.tree_there(), distance, f64::INFINITY, |block| {
            nearest.add_edges(point, block)
        });
    }
    match nearest.found() {
        Some(nearest) => nearest.pairs.iter().map(|pair| pair.edge).collect(),
        None => (0..ring.map_or_else(|| shape.vertices(), <[Point]>::len)).collect(),
    }
}
