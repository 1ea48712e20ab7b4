//! The queries as a user of the crate calls them.

use carom::batch::{QueryResult, SweptCollisionWithMtv, Value};
use carom::geom::{Circle, Point, Ray, Vec2};
use carom::invalid_shape::{InvalidRing, InvalidShape};
use carom::predicates::RaySlabs;
use carom::shape::{
    Concave, Feature, Rings, Shape, ShapeKind, circle_polygon, comes_within, contact_intervals,
    distance, is_within, ray_cast, sat, swept_circle, swept_collision,
};

fn points(vertices: &[(f64, f64)]) -> Vec<Point> {
    vertices.iter().map(|&(x, y)| Point::new(x, y)).collect()
}

fn square(x: f64, y: f64, side: f64) -> Vec<Point> {
    points(&[(x, y), (x + side, y), (x + side, y + side), (x, y + side)])
}

#[test]
fn squares_that_share_a_corner_touch() {
    let (a, b) = (square(0.0, 0.0, 1.0), square(1.0, 1.0, 1.0));
    let (a, b) = (Shape::new(&a).unwrap(), Shape::new(&b).unwrap());
    assert!(is_within(&a, &b, 0.0));
    assert_eq!(sat(&a, &b, 0.0).unwrap().depth(), 0.0);
    assert_eq!(
        sat(&a, &b, 0.0).unwrap().contact(),
        [Point::new(1.0, 1.0); 2]
    );
}

#[test]
fn a_hairline_gap_is_a_gap() {
    let (a, b) = (square(0.0, 0.0, 1.0), square(1.0f64.next_up(), 0.0, 1.0));
    let (a, b) = (Shape::new(&a).unwrap(), Shape::new(&b).unwrap());
    assert!(!is_within(&a, &b, 0.0));
    assert_eq!(distance(&a, &b).distance(), f64::EPSILON);
}

#[test]
fn a_thin_wall_stops_a_fast_body() {
    let body = square(0.0, 0.0, 1.0);
    let wall = points(&[(10.0, -5.0), (10.001, -5.0), (10.001, 5.0), (10.0, 5.0)]);
    let (body, wall) = (Shape::new(&body).unwrap(), Shape::new(&wall).unwrap());
    let sweep = swept_collision(&body, &wall, Vec2::new(90.0, 0.0), 0.0);
    assert_eq!(sweep.time(), 0.1);
    assert_eq!(sweep.normal(), Vec2::new(-1.0, 0.0));
    assert!(!sweep.intersects() && sweep.will_intersect());
}

#[test]
fn a_sweep_past_a_corner_is_no_hit_however_the_edges_project() {
    let (a, b) = (square(0.0, 0.0, 1.0), square(8.0, 0.0, 1.0));
    let (a, b) = (Shape::new(&a).unwrap(), Shape::new(&b).unwrap());
    assert!(!swept_collision(&a, &b, Vec2::new(10.0, 10.0), 0.0).will_intersect());
}

#[test]
fn the_clearance_frees_the_whole_sweep() {
    let (a, b) = (square(0.0, 0.0, 2.0), square(3.0, 0.5, 1.0));
    let (a, b) = (Shape::new(&a).unwrap(), Shape::new(&b).unwrap());
    let sweep = SweptCollisionWithMtv::lazy(&a, &b, Vec2::new(10.0, 0.0), 0.0);
    let mtv = sweep.value(SweptCollisionWithMtv::MTV);
    assert_eq!(mtv, Value::Vector(Vec2::new(0.0, -1.5)));
}

#[test]
fn magnitudes_at_both_ends_of_the_range_are_no_trouble() {
    let (huge, tiny) = (
        square(-1e308, -1e308, 1e308),
        square(5e-324, 5e-324, 5e-324),
    );
    let (huge, tiny) = (Shape::new(&huge).unwrap(), Shape::new(&tiny).unwrap());
    assert!(!is_within(&huge, &tiny, 0.0));
    assert!(distance(&huge, &tiny).distance() > 0.0);
    let sweep = swept_collision(&huge, &tiny, Vec2::new(1e-300, 1e-300), 0.0);
    assert!(sweep.will_intersect());
    assert!(sweep.time() > 0.0);
}

#[test]
fn a_circle_names_the_feature_in_the_callers_order() {
    let ring = points(&[
        (0.0, 0.0),
        (0.0, 2.0),
        (0.0, 2.0),
        (2.0, 2.0),
        (2.0, 0.0),
        (0.0, 0.0),
    ]);
    let polygon = Shape::new(&ring).unwrap();
    let at = |x, y| Circle {
        center: Point::new(x, y),
        radius: 0.5,
    };
    let vertex = circle_polygon(at(-1.0, 3.0), &polygon);
    assert_eq!((vertex.feature(), vertex.index()), (Feature::Vertex, 1));
    let edge = circle_polygon(at(1.0, 3.0), &polygon);
    assert_eq!((edge.feature(), edge.index()), (Feature::Edge, 2));
    assert_eq!(edge.normal(), Vec2::new(0.0, 1.0));
}

#[test]
fn a_moving_point_meets_a_corner_only_head_on() {
    let ring = square(0.0, 0.0, 1.0);
    let polygon = Shape::new(&ring).unwrap();
    let point = Circle {
        center: Point::new(-1.0, -1.0),
        radius: 0.0,
    };
    let hit = swept_circle(point, Vec2::new(2.0, 2.0), &polygon, 0.0);
    assert_eq!(hit.time(), 0.5);
    assert!(!swept_circle(point, Vec2::new(2.0, -2.0), &polygon, 0.0).will_intersect());
}

#[test]
fn shapes_of_all_kinds_come_within_a_margin_where_they_move_as_near() {
    let ring = |x: f64, kind: ShapeKind| match kind {
        ShapeKind::Point => points(&[(x, 0.0)]),
        ShapeKind::Path => points(&[(x, -1.0), (x, 1.0)]),
        _ => points(&[(x, -1.0), (x + 1e-3, 0.0), (x, 1.0)]),
    };
    let kinds = [ShapeKind::Point, ShapeKind::Path, ShapeKind::Polygon];
    for (one, other) in kinds
        .into_iter()
        .flat_map(|it| kinds.map(|other| (it, other)))
    {
        let (ring_a, ring_b) = (ring(0.0, one), ring(4.0, other));
        for (radii, margin) in [([0.0, 0.0], 0.5), ([0.5, 0.0], 0.0), ([0.0, 0.25], 0.25)] {
            let a = Shape::new(Rings::of_one(&ring_a, one).with_radius(radii[0])).unwrap();
            let b = Shape::new(Rings::of_one(&ring_b, other).with_radius(radii[1])).unwrap();
            let come = |way: f64| comes_within(&a, &b, Vec2::new(way, 0.0), margin);
            assert!(!come(3.0) && !come(3.25), "{one:?} {other:?}");
            assert!(come(3.75) && come(9.0), "{one:?} {other:?}");
        }
    }
}

#[test]
fn a_ray_that_ends_on_a_round_side_hits_it() {
    let (axis, radius) = (-1.0_f64.next_up(), 1.0_f64.next_up());
    let ends = points(&[(axis, 2.0_f64.next_down()), (axis, 3.0)]);
    let capsule = Rings::of_one(&ends, ShapeKind::Path).with_radius(radius);
    let capsule = Shape::new(capsule).unwrap();
    let ray = Ray {
        origin: Point::new(2.0, 3.000_000_000_000_001),
        direction: Vec2::new(-2.0, -1.0),
    };
    let cast = |length: f64| ray_cast(ray, &RaySlabs::new(ray), [length, f64::INFINITY], &capsule);
    assert_eq!(cast(1.0).map(|hit| hit.time()), Some(1.0));
    assert!(cast(1.0_f64.next_down()).is_none());
    assert!(cast(2.0).is_some() && cast(f64::INFINITY).is_some());
}

#[test]
fn a_ray_misses_a_rounded_shape_that_a_moving_point_just_misses() {
    let (origin, direction) = (
        Point::new(0.2, 0.8),
        (-0.1_f64.next_down(), -0.4_f64.next_down()),
    );
    let direction = Vec2::new(direction.0, direction.1);
    let ring = points(&[
        (1e-323, 1e-323),
        (0.1, 0.0),
        (0.100_000_000_000_000_03, 0.1),
    ]);
    let ring = Rings::from(&ring).with_radius(0.3_f64.next_up());
    let shape = Shape::new(ring).unwrap();
    let ray = Ray { origin, direction };
    let hit = ray_cast(ray, &RaySlabs::new(ray), [1.0, f64::INFINITY], &shape);
    let (center, radius) = (origin, 0.0);
    let swept = swept_circle(Circle { center, radius }, direction, &shape, 0.0);
    assert!(!swept.will_intersect() && hit.is_none());
}

#[test]
fn faults_are_named_with_their_position() {
    let fault = |vertices: &[(f64, f64)]| Shape::new(&points(vertices)).unwrap_err();
    let in_ring = |vertices: &[(f64, f64)]| match fault(vertices) {
        InvalidShape::Ring { ring: 0, why } => why,
        other => panic!("{other:?}"),
    };
    assert_eq!(
        in_ring(&[(0.0, 0.0), (1.0, 1.0), (2.0, 2.0)]),
        InvalidRing::ZeroArea
    );
    assert_eq!(
        in_ring(&[(0.0, 0.0), (1.0, 1.0), (0.0, 0.0)]),
        InvalidRing::TooFewVertices { count: 2 }
    );
    assert_eq!(
        in_ring(&[(0.0, 0.0), (2.0, 2.0), (2.0, 0.0), (0.0, 2.0)]),
        InvalidRing::SelfIntersection {
            first: 0,
            second: 2,
            at: Point::new(1.0, 1.0),
        }
    );
    assert!(matches!(
        in_ring(&[(0.0, 0.0), (4.0, 0.0), (2.0, 0.0), (4.0, 4.0)]),
        InvalidRing::Spike { vertex: 1, .. }
    ));
    assert!(matches!(
        in_ring(&[(0.0, 0.0), (f64::NAN, 0.0), (1.0, 1.0)]),
        InvalidRing::NotFinite { vertex: 1, .. }
    ));
    let twice_round: Vec<_> = (0..10)
        .map(|k| (f64::from(k) * 0.4 * std::f64::consts::PI * 2.0).sin_cos())
        .collect();
    assert!(Shape::new(&points(&twice_round[..5])).is_err());
}

#[test]
fn only_sat_refuses_a_concave_polygon() {
    let dart = points(&[(0.0, 0.0), (4.0, 0.0), (1.0, 1.0), (0.0, 4.0)]);
    let in_notch = square(2.0, 2.0, 1.0);
    let (dart, in_notch) = (Shape::new(&dart).unwrap(), Shape::new(&in_notch).unwrap());
    assert!(!is_within(&dart, &in_notch, 0.0));
    let why = InvalidShape::NotConvex {
        vertex: 2,
        value: Point::new(1.0, 1.0),
    };
    let refused = sat(&in_notch, &dart, 0.0).unwrap_err();
    assert_eq!(refused, Concave { operand: 1, why });
}

#[test]
fn collinear_vertices_misplaced_by_rounding_are_no_concavity() {
    let (sin, cos) = 0.3f64.sin_cos();
    let turned: Vec<_> = [
        (0.0, 0.0),
        (1.0, 0.0),
        (2.0, 0.0),
        (3.0, 0.0),
        (3.0, 1.0),
        (0.0, 1.0),
    ]
    .map(|(x, y): (f64, f64)| Point::new(x * cos - y * sin + 1e5, x * sin + y * cos))
    .to_vec();
    let polygon = Shape::new(&turned).unwrap();
    assert!(polygon.is_convex());
    assert!(is_within(&polygon, &polygon, 0.0));
}

#[test]
fn unchecked_nonsense_is_answered_somehow() {
    let nan = vec![Point::NAN; 5];
    let wild = points(&[
        (0.0, f64::INFINITY),
        (f64::NAN, 1.0),
        (1.0, 0.0),
        (3.0, f64::NEG_INFINITY),
    ]);
    let good = square(0.0, 0.0, 1.0);
    let good = Shape::new(&good).unwrap();
    for vertices in [&nan, &wild] {
        if let Ok(polygon) = Shape::trusted(vertices) {
            let _ = sat(&polygon, &good, 0.0).map(|sat| sat.contact());
            let _ = swept_collision(&good, &polygon, Vec2::new(1.0, f64::NAN), 0.0).contact();
            let _ = distance(&good, &polygon).closest_a();
        }
    }
}

#[test]
fn a_square_passes_another_in_half_of_the_frame() {
    let (own, other) = (square(0.0, 0.0, 1.0), square(2.0, 0.5, 1.0));
    let [own, other] = [&own, &other].map(|it| Shape::new(it).unwrap());
    let times = |x, y| contact_intervals(&own, &other, Vec2::new(x, y), 0.0).to_vec();
    assert_eq!(times(4.0, 0.0), [[0.25, 0.75]]);
    assert_eq!(times(2.0, 0.0), [[0.5, 1.0]]);
    assert_eq!(times(1.0, 0.0), [[1.0, 1.0]]);
    assert_eq!(times(2.0, 6.0), [[0.0; 2]; 0]);
    assert_eq!(times(4.0, 6.0), [[0.25, 0.25]]);
}
