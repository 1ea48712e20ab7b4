//! Sweeps of shapes that turn: the enclosures, and contacts planted where floats can't decide.

use std::f64::consts::PI;

use carom::convex::{TurningMotion, TurningRings, TurningVertex};
use carom::geom::{Bounds, Motion, Point, Turn, Vec2, Vectors};
use carom::predicates::numbers::ball::{Ball, FloatBall};
use carom::predicates::numbers::polynomial::Number;
use carom::predicates::{BigBall, ClearanceError, LaneRotation, RelativePose, Rotation, Sign};
use carom::shape::{RelativeMotion, Rings, Shape, ShapeKind, SweptCollision, swept_collision};
use carom::simd::lanes::Scratch;

use crate::numbers::angles;

/// Whether two balls have a number in common.
fn meet(one: &BigBall, other: &BigBall) -> bool {
    matches!(one.minus(other).sign(), None | Some(Sign::Zero))
}

#[test]
fn float_sines_are_within_their_bound() {
    let small = angles(200).flat_map(|it| [it * 1e-9, it * 1e-100, it * 1e-300, it * 1e-315]);
    let quarters = (1..2_000).map(|count| f64::from(count) * 0.5 * PI);
    let all = [(200, angles(20_000).chain(quarters).collect::<Vec<_>>())];
    for (bits, angle) in (all.into_iter().chain([(1200, small.collect())]))
        .flat_map(|(bits, angles)| angles.into_iter().map(move |angle| (bits, angle)))
    {
        let floats = FloatBall::of(angle).cos_sin(53);
        let exact = BigBall::of(angle).cos_sin(bits);
        for (float, exact) in floats.iter().zip(&exact) {
            let middle = BigBall::of(float.to_f64());
            let error = middle.minus(exact).size();
            // Half of the bound, so that the claim has room.
            let bound = BigBall::of(float.radius().to_f64()).times(&BigBall::of(0.5));
            assert!(error.is_below(&bound), "{angle:e}");
        }
    }
}

#[test]
fn sines_of_any_precision_satisfy_the_addition_theorem() {
    let one = BigBall::of(1.0);
    for (bits, angle) in [60, 100, 128, 256, 1000].into_iter().zip(angles(5)) {
        for angle in [angle, -angle, 1e6, 1e-300, 0.0] {
            let [cos, sin] = BigBall::of(angle).cos_sin(bits);
            let [cos_of_double, sin_of_double] = BigBall::of(2.0 * angle).cos_sin(2 * bits);
            assert!(meet(&cos.squared().plus(&sin.squared()), &one));
            assert!(meet(&cos.squared().minus(&sin.squared()), &cos_of_double));
            let product = cos.times(&sin);
            assert!(meet(&product.plus(&product), &sin_of_double));
            let radius = cos.radius().to_f64();
            assert!(radius <= 2f64.powi(2 - i32::try_from(bits).unwrap()));
        }
    }
}

#[test]
fn a_ball_that_touches_zero_has_no_sign() {
    let one = FloatBall::of(1.0);
    let radius = FloatBall::of(0.0).widened(&one).radius();
    assert_eq!(radius.widened(&one).sign(), None);
}

#[test]
fn quotients_and_roots_enclose_those_of_all_numbers() {
    let (three, seven) = (BigBall::of(3.0), BigBall::of(7.0));
    for bits in [30, 100, 500] {
        let third = three.over(&seven, bits);
        assert!(meet(&third.times(&seven), &three));
        let wide = three.widened(&BigBall::of(0.5));
        let quotient = wide.over(&seven.widened(&BigBall::of(1.0)), bits);
        for number in [2.51 / 8.0, 3.49 / 6.0, 3.0 / 7.0] {
            assert!(meet(&quotient, &BigBall::of(number)));
        }
        assert!(meet(&seven.root(bits).squared(), &seven));
        let roots = BigBall::of(4.0).widened(&BigBall::of(1.0)).root(bits);
        for number in [3.01f64.sqrt(), 4.99f64.sqrt()] {
            assert!(meet(&roots, &BigBall::of(number)));
        }
    }
}

/// A vector over balls, turned by an angle.
pub(crate) fn turned([x, y]: [&BigBall; 2], angle: &BigBall) -> [BigBall; 2] {
    let [cos, sin] = angle.cos_sin(200);
    [
        x.times(&cos).minus(&y.times(&sin)),
        x.times(&sin).plus(&y.times(&cos)),
    ]
}

/// The error of a place as a part of its bound, for vectors and turns of very different sizes, and for those that
/// all but cancel.
fn largest_part_of_the_bound(largest_turn: f64, count: usize) -> f64 {
    let of = BigBall::of;
    let numbers: Vec<f64> = angles(7 * count)
        .map(|angle| angle / 16_777_216.0)
        .collect();
    let parts = numbers.chunks_exact(7).map(|numbers| {
        let &[x, y, u, v, turn, other, time] = numbers else {
            unreachable!()
        };
        let (gap, turns) = (
            Vec2::new(x, y),
            [turn, other].map(|turn| turn * largest_turn),
        );
        let [turn, other] = turns;
        let time = time.abs();
        let pose = RelativePose::new(gap, turns, time);
        // The place that cancels the shift, or any.
        let back = Rotation::new(other - turn, time).of(-pose.center);
        [Vec2::new(u, v), back].map(|arm| {
            let angle = of(other).times(&of(time));
            let shift = turned([&of(x), &of(y)], &of(0.0).minus(&angle));
            let angle = of(turn).minus(&of(other)).times(&of(time));
            let along = turned([&of(arm.x), &of(arm.y)], &angle);
            let place = pose.place(arm);
            let off = [(place.x, 0), (place.y, 1)].map(|(rounded, axis)| {
                let exact = shift[axis].plus(&along[axis]);
                exact.minus(&of(rounded)).to_f64()
            });
            let size = gap.length() + arm.length();
            let bound = RelativePose::ERROR * (1.0 + turn.abs() + other.abs()) * size;
            Vec2::new(off[0], off[1]).length() / bound
        })
    });
    parts.flatten().fold(0.0, f64::max)
}

#[test]
fn places_are_within_their_bound() {
    for largest_turn in [1e-9, 1.0, 50.0, 1e6] {
        let part = largest_part_of_the_bound(largest_turn, 20_000);
        assert!(part < 0.9, "{largest_turn:e}: {part}");
    }
    // The bound is not much too large: a fifth of it is reached.
    let part = largest_part_of_the_bound(1e-9, 20_000);
    assert!(part > 0.2, "{part}");
}

/// The vertex of a point that turns and moves, as seen from another that turns: `R(-other t) (gap + t v) + R((turn -
/// other) t) arm`.
fn exact_place(
    [gap, velocity, arm]: [Vec2; 3],
    [turn, other]: [f64; 2],
    time: f64,
) -> [BigBall; 2] {
    let (of, time) = (BigBall::of, BigBall::of(time));
    let at = |from: f64, by: f64| of(from).plus(&of(by).times(&time));
    let (x, y) = (at(gap.x, velocity.x), at(gap.y, velocity.y));
    let back = of(0.0).minus(&of(other)).times(&time);
    let along = of(turn).minus(&of(other)).times(&time);
    let (center, arm) = (
        turned([&x, &y], &back),
        turned([&of(arm.x), &of(arm.y)], &along),
    );
    [0, 1].map(|axis| center[axis].plus(&arm[axis]))
}

#[test]
fn places_of_turning_rings_are_within_their_bound() {
    let numbers: Vec<f64> = angles(12 * 5_000)
        .map(|angle| angle / 16_777_216.0)
        .collect();
    let largest = LaneRotation::<f64>::LARGEST;
    let parts = numbers.chunks_exact(12).map(|numbers| {
        let vector = |first: usize| Vec2::new(numbers[first], numbers[first + 1]);
        let [gap, velocity, arm_a, arm_b] = [0, 2, 4, 6].map(vector);
        let turns = [numbers[8], numbers[9]].map(|turn| turn * 0.5 * largest);
        let (start, step) = (numbers[10].abs(), 0.25 * numbers[11].abs());
        let origin = Vectors { x: 0.0, y: 0.0 };
        let motion = TurningMotion {
            centers: [origin; 2],
            angles: turns,
            gap,
            velocity,
            reach: 0.0,
        };
        let mut scratch = [TurningVertex::scratch(0.0); 2];
        let mut rings = TurningRings::new([&[arm_a], &[arm_b]], motion, &mut scratch);
        let count = rings.steps_apart(start, step);
        // It stops after the first step in which they may meet.
        let mut time = start;
        for before in [0.0, 1.0, 2.0, 3.0] {
            if before <= count {
                time += step;
            }
        }
        let size = [gap, velocity, arm_a, arm_b]
            .map(Vec2::length)
            .iter()
            .sum::<f64>();
        let bound = ClearanceError::<f64>::RELATIVE * size;
        let [turn_a, turn_b] = turns;
        let exact = [
            exact_place([gap, velocity, arm_a], [turn_a, turn_b], time),
            exact_place([-gap, -velocity, arm_b], [turn_b, turn_a], time),
        ];
        let errors = [0, 1].map(|ring: usize| {
            let place = rings.place(ring, 0);
            let off =
                |axis: usize, rounded| exact[ring][axis].minus(&BigBall::of(rounded)).to_f64();
            Vec2::new(off(0, place.x), off(1, place.y)).length() / bound
        });
        errors[0].max(errors[1])
    });
    let part = parts.fold(0.0, f64::max);
    assert!((0.02..0.9).contains(&part), "{part}");
}

/// Whether the box of a vertex that turns holds its place at a time.
fn box_holds(turn: Turn, vertex: Point, time: f64) -> bool {
    let Turn { angle, center } = turn;
    let bounds = turn.bounds([vertex]);
    let of = BigBall::of;
    let arm =
        [(vertex.x, center.x), (vertex.y, center.y)].map(|(to, from)| of(to).minus(&of(from)));
    let arm = turned([&arm[0], &arm[1]], &of(angle).times(&of(time)));
    let place = [center.x, center.y].map(of);
    let ends = [(bounds.min.x, bounds.max.x), (bounds.min.y, bounds.max.y)];
    ends.into_iter().enumerate().all(|(axis, (min, max))| {
        let place = place[axis].plus(&arm[axis]);
        let beyond = [of(min).minus(&place), place.minus(&of(max))].map(|it| it.sign());
        beyond.iter().all(|it| *it != Some(Sign::Positive))
    })
}

#[test]
fn the_box_of_a_turn_holds_all_places() {
    let numbers: Vec<f64> = angles(7 * 5_000)
        .map(|angle| angle / 16_777_216.0)
        .collect();
    for numbers in numbers.chunks_exact(7) {
        let &[x, y, u, v, turn, time, far] = numbers else {
            unreachable!()
        };
        // Some centers are far from the origin, and some turns are about a point of the shape.
        let center = Point::new(x, y + (far * 1e9).trunc());
        let vertex = Point::new(center.x + u, center.y + v);
        let angle = 4.0 * turn;
        assert!(
            box_holds(Turn { angle, center }, vertex, time.abs()),
            "{numbers:?}"
        );
        // Some are all but straight on, about a center very far away.
        for distance in [1e10, 1e17, 1e40] {
            let (vertex, center) = (Point::new(u, v), Point::new(x * distance, y * distance));
            let angle = turn / distance;
            let turn = Turn { angle, center };
            assert!(
                box_holds(turn, vertex, time.abs()),
                "{distance:e} {numbers:?}"
            );
            let Bounds { min, max } = turn.bounds([vertex]);
            let way = angle.abs() * f64::hypot(center.x - vertex.x, center.y - vertex.y);
            assert!(
                max.x - min.x + max.y - min.y <= 1.5 * way + 1e-13,
                "{distance:e} {numbers:?}"
            );
        }
        // Squares of arms underflow, or the arms themselves are the least floats.
        for scale in [2f64.powi(-540), 2f64.powi(-1060)] {
            let [center, vertex] =
                [(x, y), (x + u, y + v)].map(|(x, y)| Point::new(x * scale, y * scale));
            let turn = Turn { angle, center };
            assert!(box_holds(turn, vertex, time.abs()), "{scale:e} {numbers:?}");
        }
    }
}

fn points(vertices: &[(f64, f64)]) -> Vec<Point> {
    vertices.iter().map(|&(x, y)| Point::new(x, y)).collect()
}

const NO_TURN: Turn = Turn {
    angle: 0.0,
    center: Point::NAN,
};

fn about(angle: f64, x: f64, y: f64) -> Turn {
    Turn {
        angle,
        center: Point::new(x, y),
    }
}

fn sweep(
    a: &[(f64, f64)],
    b: &[(f64, f64)],
    (x, y): (f64, f64),
    turns: [Turn; 2],
    margin: f64,
) -> SweptCollision {
    sweep_along(a, b, Motion::from(Vec2::new(x, y)), turns, margin)
}

fn sweep_along(
    a: &[(f64, f64)],
    b: &[(f64, f64)],
    velocity: Motion,
    turns: [Turn; 2],
    margin: f64,
) -> SweptCollision {
    let (a, b) = (points(a), points(b));
    let shape = |vertices: &[Point]| match vertices.len() {
        1 => Shape::new(Rings::of_one(vertices, ShapeKind::Point)).map(|it| it.examined()),
        _ => Shape::new(vertices).map(|it| it.examined()),
    };
    let [of_a, of_b] = [&a, &b].map(|vertices| shape(vertices).unwrap());
    let rings = |vertices| match <[Point]>::len(vertices) {
        1 => Rings::of_one(vertices, ShapeKind::Point),
        _ => Rings::from(vertices),
    };
    let a = Shape::known(rings(&a), &of_a, None);
    let b = Shape::known(rings(&b), &of_b, None);
    let motion = RelativeMotion {
        offset: None,
        velocity,
        turns: Some(turns),
    };
    swept_collision(&a, &b, motion, margin)
}

/// A wall to the right of a vertical line.
fn wall(x: f64) -> [(f64, f64); 4] {
    [(x, -9.0), (x + 1.0, -9.0), (x + 1.0, 9.0), (x, 9.0)]
}

/// Its farthest vertex is 5 from the origin.
const BLADE: [(f64, f64); 3] = [(3.0, 4.0), (1.0, 1.0), (1.0, 2.0)];

#[test]
fn a_graze_is_contact_and_a_unit_in_the_last_place_less_is_none() {
    let turns = [about(-1.0, 0.0, 0.0), NO_TURN];
    let graze = sweep(&BLADE, &wall(5.0), (0.0, 0.0), turns, 0.0);
    assert!(graze.will_intersect() && !graze.intersects());
    assert!((graze.time() - (4.0f64 / 3.0).atan()).abs() < 1e-15);
    assert_eq!(graze.normal(), Vec2::new(-1.0, 0.0));
    let miss = sweep(&BLADE, &wall(5.0f64.next_up()), (0.0, 0.0), turns, 0.0);
    assert!(!miss.will_intersect());
    let along = sweep(&BLADE, &wall(5.0), (0.0, 0.5), turns, 0.0);
    assert!(along.will_intersect());
    let margin = sweep(&BLADE, &wall(5.5), (0.0, 0.0), turns, 0.5);
    assert!(margin.will_intersect());
    let beyond = sweep(&BLADE, &wall(5.5f64.next_up()), (0.0, 0.0), turns, 0.5);
    assert!(!beyond.will_intersect());
}

/// The distance of centers is compared with a sum of which roundings are a small part.
#[test]
fn a_graze_far_from_the_origin_or_within_a_wide_margin_is_contact() {
    let graze = |x: f64, margin: f64| {
        let turns = [about(-1.0, x, 0.0), NO_TURN];
        let wall = |beyond: f64| wall(beyond + x + 5.0 + margin);
        let blade = BLADE.map(|(along, y)| (x + along, y));
        [0.0, 1e-12]
            .map(|beyond| sweep(&blade, &wall(beyond), (0.0, 0.0), turns, margin).will_intersect())
    };
    assert_eq!(graze(1000.0, 0.0), [true, false]);
    assert_eq!(graze(-1000.0, 0.0), [true, false]);
    assert_eq!(graze(0.0, 100.0), [true, false]);
}

/// Its velocity is a difference, which is rounded down; the next wall is beyond the place that it is rounded to.
#[test]
fn a_turning_shape_reaches_a_wall_that_its_rounded_path_does_not() {
    let unit = 2f64.powi(-53);
    let tip = 2f64.powi(-20) + 1.2 * unit;
    let arrow = [
        (tip, 0.0),
        (-0.5 * tip, 0.2 * tip),
        (-0.5 * tip, -0.2 * tip),
    ];
    let velocity = Motion::between(Point::new(-0.9 * unit, -0.9 * unit), Point::new(1.0, 1.0));
    let turns = [about(1e-300, 0.0, 0.0), NO_TURN];
    let last = 1.0 + 2f64.powi(-20) + 2.0 * unit;
    let reaches = |x: f64| sweep_along(&arrow, &wall(x), velocity, turns, 0.0).will_intersect();
    assert!(reaches(last) && !reaches(last.next_up()));
}

#[test]
fn a_turning_shape_arrives_on_every_side() {
    let turned = |(x, y): (f64, f64)| (-y, x);
    let mut arrow = [(0.0, 0.0), (-1.0, -0.2), (-1.0, 0.2)];
    let (mut wall, mut velocity) = (wall(2.0), (2.0, 0.0));
    let turns = [about(0.1, 0.0, 0.0), NO_TURN];
    for _ in 0..4 {
        assert_eq!(sweep(&arrow, &wall, velocity, turns, 0.0).time(), 1.0);
        (arrow, wall, velocity) = (arrow.map(turned), wall.map(turned), turned(velocity));
    }
}

#[test]
fn a_point_turns_through_another_at_the_same_distance_only() {
    let turns = [about(1.0, 0.0, 0.0), NO_TURN];
    let hit = sweep(&[(5.0, 0.0)], &[(3.0, 4.0)], (0.0, 0.0), turns, 0.0);
    assert!((hit.time() - (4.0f64 / 3.0).atan()).abs() < 1e-15);
    assert_eq!(hit.contact(), [Point::new(3.0, 4.0); 2]);
    let farther = (3.0, 4.0f64.next_up());
    let miss = sweep(&[(5.0, 0.0)], &[farther], (0.0, 0.0), turns, 0.0);
    assert!(!miss.will_intersect());
}

#[test]
fn a_vertex_at_the_center_arrives_exactly_at_the_end_of_the_frame() {
    let arrow = [(0.0, 0.0), (-1.0, -0.2), (-1.0, 0.2)];
    let turns = [about(0.1, 0.0, 0.0), NO_TURN];
    assert_eq!(
        sweep(&arrow, &wall(2.0), (2.0, 0.0), turns, 0.0).time(),
        1.0
    );
    let beyond = wall(2.0f64.next_up());
    assert!(!sweep(&arrow, &beyond, (2.0, 0.0), turns, 0.0).will_intersect());
    let tip = [(3.0, 1.0), (4.0, 0.0), (4.0, 2.0)];
    let hit = sweep(&arrow, &tip, (6.0, 2.0), turns, 0.0);
    assert_eq!(hit.time(), 0.5);
    assert_eq!(hit.contact(), [Point::new(3.0, 1.0); 2]);
}

#[test]
fn mirror_images_meet_vertex_on_vertex_while_they_approach() {
    let own = [(-1.0, 0.0), (0.5, 2.0), (-1.0, 3.0)];
    let other = [(4.0, 3.0), (2.5, 2.0), (4.0, 0.0)];
    let turns = [about(-0.4, -1.0, 0.0), about(0.4, 4.0, 0.0)];
    let hit = sweep(&own, &other, (1.0, 0.0), turns, 0.0);
    assert!((hit.time() - 0.844_212_558_038_686_7).abs() < 1e-15);
    assert_eq!(hit.contact()[0], hit.contact()[1]);
}

#[test]
fn a_door_closes_flush() {
    let door = [(1.0, 0.0), (4.0, 0.0), (4.0, -0.5), (1.0, -0.5)];
    let frame = [(0.0, 1.0), (0.0, 4.0), (-0.5, 4.0), (-0.5, 1.0)];
    let turns = [about(2.0, 0.0, 0.0), NO_TURN];
    let hit = sweep(&door, &frame, (0.0, 0.0), turns, 0.0);
    assert!((hit.time() - std::f64::consts::FRAC_PI_4).abs() < 1e-15);
    assert_eq!(hit.contact(), [Point::new(0.0, 1.0), Point::new(0.0, 4.0)]);
}

#[test]
fn many_revolutions_end() {
    let blade = [(1.0, 0.0), (2.0, 0.0), (2.0, 1.0)];
    let block = [(3.0, -0.1), (4.0, -0.1), (4.0, 0.1), (3.0, 0.1)];
    let turns = [about(1e6, 0.0, 0.0), about(-9e5, 3.5, 0.0)];
    assert!(!sweep(&blade, &block, (0.0, 0.0), turns, 0.0).will_intersect());
    let inside = [(0.5, -3.0), (2.5, -3.0), (2.5, -1.0), (0.5, -1.0)];
    let hit = sweep(&blade, &inside, (0.0, 0.0), [turns[0], NO_TURN], 0.0);
    assert!(hit.time() < 1e-5);
}

#[test]
fn near_the_largest_float_a_sweep_has_the_time_of_the_same_scene_scaled_down() {
    let small = 2f64.powi(-40);
    let at = |x: f64, y: f64, size: f64| {
        [(0.0, 0.0), (small, 0.0), (0.0, small)]
            .map(|(of_x, of_y)| ((x + of_x) * size, (y + of_y) * size))
    };
    let swept = |size: f64, (x, y): (f64, f64)| {
        let turns = [about(PI / 2.0, 0.25 * size, 0.0), about(20.0, 0.0, 0.0)];
        let [a, b] = [at(0.875, 0.25, size), at(0.25, 0.0, size)];
        sweep(&a, &b, (x * size, y * size), turns, 0.0).time()
    };
    // A quarter of a turn brings `a` to (0, 0.625) + velocity, 20 radians bring `b` to a quarter of that direction.
    let meeting = (0.25 * 20f64.cos(), 0.25 * 20f64.sin() - 0.625);
    for velocity in [(-0.25, -0.25), meeting] {
        let time = swept(1.0, velocity);
        assert_eq!(time.is_finite(), velocity == meeting);
        for exponent in [1000, 1020, 1022] {
            let far = swept(2f64.powi(exponent), velocity);
            assert!(
                far == time || (far - time).abs() <= 1e-10 * time,
                "2^{exponent}: {far} {time}"
            );
        }
    }
}
