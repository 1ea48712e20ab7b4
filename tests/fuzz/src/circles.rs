//! Circles, rays and points against shapes of any kind.

use arbitrary::Result;
use carom::batch::queries::circle_queries::{
    CircleIntersectsQuery, CirclePolygonQuery, SweptCircleQuery,
};
use carom::batch::{QueryBatch, QueryOperands};
use carom::geom::{Circle, Point, Ray, Vec2};
use carom::predicates::RaySlabs;
use carom::shape::{
    CirclePolygon, Location, Shape, circle_polygon, circle_reaches, locate_each, ray_cast,
    swept_circle,
};
use num_bigint::BigInt;

use crate::Answers;
use crate::exact::{Figure, Unit};
use crate::pairs::{ABOVE, BELOW};
use crate::rows::{answers, answers_of};
use crate::scene::{Given, Scene, operand, shapes};

/// See the module.
pub fn circles(data: &[u8]) -> Answers {
    decoded(data).ok()
}

fn decoded(data: &[u8]) -> Result<Vec<u64>> {
    let mut scene = Scene::new(data)?;
    let count = usize::from(scene.below(10)?) + 1;
    let polygons = scene.rows(count)?;
    let column = scene.column(&polygons)?;
    let (mut centers, mut radii, mut velocities) = (Vec::new(), Vec::new(), Vec::new());
    for polygon in &polygons {
        let circle = Circle {
            center: scene.point_near()?,
            radius: scene.length()?.abs(),
        };
        let velocity = scene.vector()?;
        check(circle, velocity, polygon);
        centers.push(circle.center);
        radii.push(circle.radius);
        velocities.push(velocity);
    }
    macro_rules! batch {
        ($query:expr, $moves:expr) => {
            QueryBatch {
                query: $query,
                operands: QueryOperands {
                    polygons: [shapes("polygon", &column)],
                    circle: Some((operand("center", &centers), operand("radius", &radii))),
                    velocity: $moves.then(|| operand("velocity", &velocities).into()),
                    margin: None,
                    turns: [None, None],
                    len: count,
                    check: true,
                },
            }
        };
    }
    let mut bits = answers(batch!(CirclePolygonQuery, false));
    bits.extend(answers_of(
        batch!(CircleIntersectsQuery, false),
        &[CirclePolygon::INTERSECTS],
    ));
    bits.extend(answers(batch!(SweptCircleQuery, true)));
    Ok(bits)
}

fn check(circle: Circle, velocity: Vec2, given: &Given) {
    let shape = Shape::new(given.rings()).expect("valid");
    let what = || format!("{circle:?} {velocity:?} {given:?}");
    let overlap = circle_polygon(circle, &shape);
    let (gap, sweep) = (
        overlap.distance(),
        swept_circle(circle, velocity, &shape, 0.0),
    );
    let bounds = [gap * BELOW, gap * ABOVE];
    let numbers = [
        circle.center.x,
        circle.center.y,
        circle.radius,
        velocity.x,
        velocity.y,
    ];
    let finite = |it: &f64| it.is_finite();
    let unit = Unit::of(given.numbers().chain(numbers).chain(bounds).filter(finite));
    let (figure, center) = (unit.figure(given.rings()), unit.point(circle.center));
    let disc = Figure::segment([center.clone(), center.clone()]);
    let radius =
        |extra: f64| unit.number(circle.radius) + unit.number(given.radius) + unit.number(extra);
    let touches = disc.is_within(&figure, &radius(0.0));
    assert_eq!(overlap.intersects(), touches, "circle {}", what());
    assert_eq!(
        circle_reaches(circle, &shape),
        touches,
        "reaches {}",
        what()
    );
    assert_eq!(gap == 0.0, touches, "gap {gap:e} {}", what());
    if (f64::MIN_POSITIVE * 1e12..f64::MAX / 2.0).contains(&gap) {
        assert!(
            disc.is_within(&figure, &radius(bounds[1])),
            "gap {gap:e} is too small {}",
            what()
        );
        assert!(
            !disc.is_within(&figure, &radius(bounds[0])),
            "gap {gap:e} is too large {}",
            what()
        );
    }
    let comes = |part: f64| disc.comes_within(&figure, &unit.part(velocity, part), &radius(0.0));
    let (truth, time) = (comes(1.0), sweep.time());
    assert_eq!(sweep.intersects(), touches, "at the start {}", what());
    assert_eq!(sweep.will_intersect(), truth, "swept {}", what());
    if truth && time > 1e-8 {
        assert!(!comes(time * BELOW), "time {time:e} is late {}", what());
        assert!(
            comes((time * ABOVE).min(1.0)),
            "time {time:e} is early {}",
            what()
        );
    }
    if given.kind.is_polygonal() && given.radius == 0.0 {
        let location = if figure.has_on_boundary(&center) {
            Location::Boundary
        } else if figure.contains(&center) {
            Location::Inside
        } else {
            Location::Outside
        };
        let locate = |points: &[Point]| {
            let mut found = Vec::new();
            locate_each(points, &shape, |it| found.push(it));
            found
        };
        assert_eq!(locate(&[circle.center]), [location], "locate {}", what());
        let others = [
            circle.center,
            given.vertices[0],
            Point::new(given.vertices[0].x, circle.center.y),
        ];
        let others = [others, others, others].concat();
        let one_by_one: Vec<_> = others.iter().flat_map(|&it| locate(&[it])).collect();
        assert_eq!(locate(&others), one_by_one, "locate {}", what());
    }
    cast(circle.center, velocity, given, &shape);
}

/// A ray to the end of its direction: a moving point.
fn cast(origin: Point, direction: Vec2, given: &Given, shape: &Shape<'_>) {
    if direction == Vec2::ZERO {
        return;
    }
    let numbers = [origin.x, origin.y, direction.x, direction.y];
    let unit = Unit::of(given.numbers().chain(numbers));
    let (figure, start) = (unit.figure(given.rings()), unit.point(origin));
    let point = Figure::segment([start.clone(), start]);
    let radius: BigInt = unit.number(given.radius);
    let truth = point.comes_within(&figure, &unit.part(direction, 1.0), &radius);
    let ray = Ray { origin, direction };
    let hit = ray_cast(ray, &RaySlabs::new(ray), [1.0, f64::INFINITY], shape);
    assert_eq!(hit.is_some(), truth, "ray {ray:?} {given:?}");
    if let Some(hit) = hit {
        let swept = swept_circle(
            Circle {
                center: origin,
                radius: 0.0,
            },
            direction,
            shape,
            0.0,
        )
        .time();
        assert!(
            (hit.time() - swept).abs() <= 1e-9 * swept,
            "{} {swept} {ray:?} {given:?}",
            hit.time()
        );
    }
}
