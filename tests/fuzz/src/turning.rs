//! Shapes that turn. The oracle is one-sided: poses at sampled times, in floats with a wide margin.

use arbitrary::Result;
use carom::batch::queries::moving_queries::{ClosestApproachQuery, SweptCollisionQuery};
use carom::batch::{QueryBatch, QueryOperands, TurnRows};
use carom::geom::{Motion, Point, Turn, Vec2};
use carom::shape::{
    RelativeMotion, Rings, Shape, closest_approach, comes_within, distance, sat, swept_collision,
};

use crate::Answers;
use crate::pairs::operands;
use crate::rows::answers;
use crate::scene::{Given, Scene, operand};

const ANGLES: [f64; 12] = [
    0.0,
    0.0,
    0.5,
    -0.5,
    1e-9,
    std::f64::consts::FRAC_PI_2,
    std::f64::consts::PI,
    -std::f64::consts::PI,
    3.0,
    -7.0,
    20.0,
    5e-324,
];

/// See the module.
pub fn turning(data: &[u8]) -> Answers {
    decoded(data).ok()
}

fn decoded(data: &[u8]) -> Result<Vec<u64>> {
    let mut scene = Scene::new(data)?;
    let count = usize::from(scene.below(2)?) + 1;
    let (of_a, of_b) = (scene.rows(count)?, scene.rows(count)?);
    let (a, b) = (scene.column(&of_a)?, scene.column(&of_b)?);
    let (mut velocities, mut turns) = (Vec::new(), [Vec::new(), Vec::new()]);
    for row in 0..count {
        velocities.push(if scene.bytes.arbitrary()? {
            scene.vector()?
        } else {
            Vec2::ZERO
        });
        for side in &mut turns {
            let angle = *scene.bytes.choose(&ANGLES)?;
            side.push(Turn {
                angle,
                center: scene.point_near()?,
            });
        }
        check(
            [&of_a[row], &of_b[row]],
            velocities[row],
            [turns[0][row], turns[1][row]],
        );
    }
    let rows = |side: &[Turn]| {
        let angles: Vec<f64> = side.iter().map(|it| it.angle).collect();
        let centers: Vec<Point> = side.iter().map(|it| it.center).collect();
        Some(TurnRows {
            angle: operand("turn", &angles),
            center: Some(operand("center", &centers)),
        })
    };
    let both = [&a, &b];
    macro_rules! bits {
        ($query:expr) => {
            answers(QueryBatch {
                query: $query,
                operands: QueryOperands {
                    velocity: Some(operand("velocity", &velocities).into()),
                    turns: [rows(&turns[0]), rows(&turns[1])],
                    ..operands(both)
                },
            })
        };
    }
    let mut bits = bits!(SweptCollisionQuery);
    bits.extend(bits!(ClosestApproachQuery));
    Ok(bits)
}

/// The vertices at a time, rounded.
fn placed(given: &Given, turn: Turn, velocity: Vec2, time: f64) -> Vec<Point> {
    let (sin, cos) = (turn.angle * time).sin_cos();
    let place = |it: &Point| {
        let (x, y) = (it.x - turn.center.x, it.y - turn.center.y);
        Point::new(
            turn.center.x + (x * cos - y * sin) + time * velocity.x,
            turn.center.y + (x * sin + y * cos) + time * velocity.y,
        )
    };
    given.vertices.iter().map(place).collect()
}

fn check([a, b]: [&Given; 2], velocity: Vec2, turns: [Turn; 2]) {
    let [of_a, of_b] = [a, b].map(|it| Shape::new(it.rings()).expect("valid"));
    let motion = RelativeMotion {
        turns: Turn::of_both(turns),
        ..RelativeMotion::from(Motion::from(velocity))
    };
    let what = || format!("{a:?} {b:?} {velocity:?} {turns:?}");
    let sweep = swept_collision(&of_a, &of_b, motion, 0.0);
    let time = sweep.time();
    assert_eq!(time.is_finite(), sweep.will_intersect(), "{}", what());
    assert!(
        time >= 0.0 && (time <= 1.0 || time == f64::INFINITY),
        "time {time} {}",
        what()
    );
    assert_eq!(
        comes_within(&of_a, &of_b, motion, 0.0),
        sweep.will_intersect(),
        "comes within {}",
        what()
    );
    let approach = closest_approach(&of_a, &of_b, motion);
    assert_eq!(
        approach.distance == 0.0,
        sweep.will_intersect(),
        "approach {}",
        what()
    );
    let numbers = || {
        a.numbers().chain(b.numbers()).chain([
            turns[0].center.x,
            turns[1].center.x,
            turns[0].center.y,
        ])
    };
    let largest = numbers()
        .chain([velocity.x, velocity.y, turns[1].center.y])
        .fold(0.0, |most: f64, it| most.max(it.abs()));
    if !(1e-100..1e100).contains(&largest) {
        return;
    }
    let slack = 1e-9 * largest;
    for sample in 0..=8 {
        let at = f64::from(sample) / 8.0;
        let there = [
            placed(a, turns[0], velocity, at),
            placed(b, turns[1], Vec2::ZERO, at),
        ];
        let at_that_time = [(a, &there[0]), (b, &there[1])].map(|(given, vertices)| {
            let rings = Rings::of_kind(vertices, &given.offsets, given.kind, &given.polygons);
            Shape::new(rings.with_radius(given.radius))
        });
        let [Ok(at_a), Ok(at_b)] = at_that_time else {
            continue;
        };
        let gap = distance(&at_a, &at_b).distance();
        assert!(
            gap >= approach.distance - slack,
            "{gap:e} < {:e} at {at} {}",
            approach.distance,
            what()
        );
        if let Ok(overlap) = sat(&at_a, &at_b, 0.0)
            && overlap.depth() > slack
        {
            assert!(
                time <= at,
                "overlap {:e} at {at}, time {time} {}",
                overlap.depth(),
                what()
            );
        }
    }
}
