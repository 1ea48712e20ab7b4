//! A vertex and an edge that turn: their first contact, where floats decide it and where they can't.

use std::f64::consts::PI;

use carom::geom::{Edge, Motion, Point, RadiusSum, Turn, Vec2};
use carom::predicates::numbers::ball::Ball;
use carom::predicates::numbers::polynomial::Number;
use carom::predicates::{BigBall, GapFeature, TurningContact, TurningGap, Waves};
use proptest::prelude::*;

/// So small that 128 bits don't tell it from zero in a sum with a sine.
fn tiny() -> f64 {
    2f64.powi(-140)
}

fn about(angle: f64, x: f64, y: f64) -> Turn {
    Turn {
        angle,
        center: Point::new(x, y),
    }
}

fn point([x, y]: [f64; 2]) -> Point {
    Point::new(x, y)
}

fn edge(from: [f64; 2], to: [f64; 2]) -> Edge {
    Edge::new(point(from), point(to))
}

fn gap(
    edge: (Edge, Turn),
    vertex: ([f64; 2], Turn),
    velocity: [f64; 2],
    radius: f64,
) -> TurningGap {
    let [x, y] = velocity;
    let velocity = Motion::from(Vec2::new(x, y));
    let vertex = (point(vertex.0), vertex.1);
    TurningGap::new(edge, vertex, None, velocity, RadiusSum::from(radius))
}

fn contact(gap: &TurningGap, feature: GapFeature) -> Option<TurningContact> {
    gap.first_contact(feature, [0.0, 1.0])
}

/// The left side of a wall on the right of this line.
fn wall(x: f64) -> (Edge, Turn) {
    (edge([x, 9.0], [x, -9.0]), Turn::NONE)
}

#[test]
fn a_graze_and_what_differs_from_it_by_less_than_128_bits() {
    // The vertex is 5 from the origin; the center lies beside that.
    let grazes = |center: f64, radius: f64| {
        let gap = gap(
            wall(5.0 + radius),
            ([4.0, 3.0], about(-1.0, center, 0.0)),
            [0.0; 2],
            radius,
        );
        let contact = contact(&gap, GapFeature::Edge)?;
        assert!((contact.time - 0.75f64.atan()).abs() < 1e-15);
        Some(contact.is_graze)
    };
    for radius in [0.0, 0.5] {
        assert_eq!(grazes(0.0, radius), Some(true));
        assert_eq!(grazes(tiny(), radius), Some(false));
        assert_eq!(grazes(-tiny(), radius), None);
    }
}

#[test]
fn a_graze_and_a_miss_by_the_least_float_differ_at_any_size() {
    // As above, a power of two larger. Halves of time would tell them apart after a thousand steps.
    let least = f64::from_bits(1);
    for size in [1.0, 2f64.powi(500), 2f64.powi(1000)] {
        let grazes = |center: f64, radius: f64| {
            let [x, y] = [4.0, 3.0].map(|number| number * size);
            let wall = edge(
                [5.0 * size + radius, 9.0 * size],
                [5.0 * size + radius, -9.0 * size],
            );
            let gap = gap(
                (wall, Turn::NONE),
                ([x, y], about(-1.0, center, 0.0)),
                [0.0; 2],
                radius,
            );
            let contact = contact(&gap, GapFeature::Edge)?;
            assert!((contact.time - 0.75f64.atan()).abs() < 1e-15);
            Some(contact.is_graze)
        };
        for radius in [0.0, 0.5 * size] {
            assert_eq!(grazes(0.0, radius), Some(true));
            assert_eq!(grazes(least, radius), Some(false));
            assert_eq!(grazes(-least, radius), None);
        }
    }
}

#[test]
fn where_one_turns_and_hardly_moves_it_misses_or_crosses() {
    let grazes = |speed: f64| {
        let of_vertex = gap(
            wall(5.0),
            ([4.0, 3.0], about(-1.0, 0.0, 0.0)),
            [speed, 0.0],
            0.0,
        );
        let turning = (wall(5.0).0, about(1.0, 0.0, 0.0));
        let of_edge = gap(turning, ([4.0, 3.0], Turn::NONE), [speed, 0.0], 0.0);
        [of_vertex, of_edge].map(|gap| Some(contact(&gap, GapFeature::Edge)?.is_graze))
    };
    assert_eq!(grazes(0.0), [Some(true); 2]);
    for speed in [tiny(), 1e-300] {
        assert_eq!(grazes(speed), [Some(false); 2], "{speed}");
        assert_eq!(grazes(-speed), [None; 2], "{speed}");
    }
}

#[test]
fn a_graze_of_two_turns_at_once() {
    // At the angle whose tangent is 4/3 the center is 5 above the origin, the vertex 25 above that.
    let grazes = |height: f64| {
        let edge = (edge([-10.0, height], [10.0, height]), about(-1.0, 0.0, 0.0));
        let gap = gap(edge, ([28.0, -4.0], about(1.0, 4.0, 3.0)), [0.0; 2], 0.0);
        let contact = contact(&gap, GapFeature::Edge)?;
        assert!((contact.time - (4.0f64 / 3.0).atan()).abs() < 1e-7);
        Some(contact.is_graze)
    };
    assert_eq!(grazes(30.0), Some(true));
    assert_eq!(grazes(30.0f64.next_up()), None);
    assert_eq!(grazes(30.0f64.next_down()), Some(false));
}

#[test]
fn mirror_images_and_what_differs_from_them_by_less_than_128_bits() {
    // Two vertices that turn by opposite angles while the first moves along the line between the centers.
    let meet = |[x, y]: [f64; 2], offset: f64| {
        let edge = (edge([3.5, 2.0], [5.0, 3.0]), about(0.4, 5.0, 0.0));
        let gap = TurningGap {
            offset: Some(Motion::from(Vec2::new(0.0, offset))),
            ..gap(edge, ([1.5, 2.0], about(-0.4, x, y)), [1.0, 0.0], 0.0)
        };
        let contact = contact(&gap, GapFeature::Start)?;
        Some((contact.time - 0.844_212_558_038_686_7).abs() < 1e-15)
    };
    assert_eq!(meet([0.0, 0.0], 0.0), Some(true));
    // One is higher than the other, nearer to its center, or moves on another line.
    assert_eq!(meet([0.0, -tiny()], tiny()), None);
    assert_eq!(meet([tiny(), 0.0], 0.0), None);
    assert_eq!(meet([0.0, 0.0], tiny()), None);
}

#[test]
fn a_vertex_about_which_its_shape_turns_grazes_a_corner_or_misses_it_by_the_least_float() {
    // The vertex moves on a straight line past the corner, as if nothing turned.
    let corner = ([[0.0, 0.0], [0.0, -9.0]], [[0.0, -9.0], [0.0, 0.0]]);
    let grazes = |radius: f64, miss: f64| {
        let pass = |[from, to]: [[f64; 2]; 2], feature: GapFeature| {
            let vertex = ([-2.0, radius], about(1.0, -2.0, radius));
            let gap = TurningGap {
                offset: Some(Motion::from(Vec2::new(0.0, miss))),
                ..gap((edge(from, to), Turn::NONE), vertex, [4.0, 0.0], radius)
            };
            let contact = contact(&gap, feature)?;
            assert!((contact.time - 0.5).abs() < 1e-15);
            Some(contact.is_graze)
        };
        let found = [
            pass(corner.0, GapFeature::Start),
            pass(corner.1, GapFeature::End),
        ];
        assert_eq!(found[0], found[1]);
        found[0]
    };
    for radius in [0.0, 1.0, 3.0] {
        assert_eq!(grazes(radius, 0.0), Some(true), "{radius}");
    }
    for miss in [tiny(), f64::from_bits(1)] {
        assert_eq!(grazes(0.0, miss), None, "{miss:e}");
        assert_eq!(grazes(0.0, -miss), None, "{miss:e}");
        assert_eq!(grazes(1.0, miss), None, "{miss:e}");
        assert_eq!(grazes(1.0, -miss), Some(false), "{miss:e}");
    }
}

#[test]
fn only_contacts_within_the_range_of_time_count() {
    // Two turns: the vertex crosses the wall four times.
    let gap = gap(
        wall(3.0),
        ([5.0, 0.0], about(4.0 * PI, 0.0, 0.0)),
        [0.0; 2],
        0.0,
    );
    let first = 0.6f64.acos() / (4.0 * PI);
    let crossings = [first, 0.5 - first, 0.5 + first, 1.0 - first];
    let times = [0.0, 0.05, 0.1, 0.25, 0.4, 0.5, 0.6, 0.75, 0.9, 1.0];
    for (index, &from) in times.iter().enumerate() {
        for &to in &times[index + 1..] {
            let within = |&time: &f64| from < time && time < to;
            let expected = crossings.into_iter().find(within);
            let found = gap.first_contact(GapFeature::Edge, [from, to]);
            let off = found.map_or(0.0, |found| found.time - expected.unwrap_or(0.0));
            assert_eq!(found.is_some(), expected.is_some(), "{from} {to}");
            assert!(off.abs() < 1e-9, "{from} {to}");
        }
    }
}

#[test]
fn from_beside_a_corner_a_vertex_leaves_or_arrives_however_near_it_starts() {
    let [from, to] = [[1e6, 0.0], [0.0, 2e6]];
    for height in [1e-30, 1e-120, 1e-170, 1e-250, 5e-324] {
        let first = |sign: f64, feature: GapFeature| {
            let edge = (edge(from, to), about(-PI * sign, 2e6, 3e6));
            let vertex = ([1e6, height], about(3.0 * sign, 6e6, 8e6));
            contact(&gap(edge, vertex, [0.0; 2], 0.0), feature)
        };
        for feature in [GapFeature::Edge, GapFeature::Start, GapFeature::End] {
            assert!(first(1.0, feature).is_none());
        }
        assert!(first(-1.0, GapFeature::Start).is_none());
        // At first the vertex moves by 3 (-8e6, 5e6) a frame, the corner by PI (3e6, -1e6); (2, 1) is
        // normal to the edge.
        let speed = 2.0 * (24e6 + PI * 3e6) - (15e6 + PI * 1e6);
        let found = first(-1.0, GapFeature::Edge).unwrap();
        let time = height / speed;
        assert!((found.time - time).abs() <= 1e-10 * time + f64::from_bits(1));
    }
}

#[test]
fn a_vertex_that_turns_about_nearly_the_center_of_a_circle_leaves_it_or_enters_at_once() {
    // All the time the distance differs from the radius by so little that hundreds of bits are needed to tell.
    for height in [1e-30, 1e-170, 5e-324] {
        let first = |angle: f64| {
            let [from, to] = [[2e6, height], [2e6, 2e6]];
            let vertex = ([1e6, 0.0], about(angle, 2e6, 0.0));
            contact(
                &gap((edge(from, to), Turn::NONE), vertex, [0.0; 2], 1e6),
                GapFeature::Start,
            )
        };
        assert!(first(0.5).is_none(), "{height}");
        // Turning the other way it enters, as it rises by 1e6 sin(t / 2): above half the height.
        let entry = first(-0.5).expect("a contact").time;
        assert!(
            (entry - 1e-6 * height).abs() <= 1e-16 * height + f64::from_bits(1),
            "{height} {entry}"
        );
    }
}

#[test]
fn a_vertex_on_a_small_circle_and_an_edge_whose_center_is_far_away() {
    // The frame of the edge and what its turn moves are 1e16 times as large as the circle, and cancel each other.
    let [center, radius] = [1e6, 1e6f64.next_up() - 1e6];
    let vertex = ([center + radius, 0.0], about(PI, center, 0.0));
    let edge_with = |angle: f64| {
        let edge = edge([center - radius, -2e6], [center - radius, 2e6]);
        gap((edge, about(angle, center, 6e6)), vertex, [0.0; 2], 0.0)
    };
    let waves = Waves::of(&edge_with(5e-324), GapFeature::Edge);
    let amplitude = 4e6 * radius * PI.powi(3);
    assert!(waves.third_derivative_above().to_f64() < 10.0 * amplitude);
    // Half a turn rounded down ends 1e-42 beside the edge's line, which moves towards it or away.
    let met = |angle: f64| contact(&edge_with(angle), GapFeature::Edge).map(|it| it.time);
    for angle in [1e-17, 1e-30, 1e-47] {
        assert!(met(angle).is_some_and(|time| time > 0.7), "{angle}");
        assert_eq!(met(-angle), None, "{angle}");
    }
    assert_eq!(met(5e-324), None);
}

#[test]
fn half_a_turn_rounded_down_does_not_end_on_the_line() {
    let edge = edge([-1.0, 0.0], [-3.0, 0.0]);
    for (angle, arrives) in [(PI, false), (PI.next_up(), true)] {
        let gap = gap(
            (edge, Turn::NONE),
            ([2.0, 0.0], about(angle, 0.0, 0.0)),
            [0.0; 2],
            0.0,
        );
        assert_eq!(contact(&gap, GapFeature::Edge).is_some(), arrives);
    }
}

#[test]
fn a_constant_distance_of_zero_beyond_the_edge_is_no_contact() {
    let pivot = gap(
        wall(5.0),
        ([5.0, 20.0], about(1.0, 5.0, 20.0)),
        [0.0; 2],
        0.0,
    );
    let turn = about(1.0, 0.0, 0.0);
    let together = gap((wall(5.0).0, turn), ([4.5, 20.0], turn), [0.0; 2], 0.5);
    // Over the end of the edge, too, which is a contact of the next one.
    let along = TurningGap {
        velocity: Motion::from(Vec2::new(0.0, -15.0)),
        ..pivot
    };
    for gap in [pivot, together, along] {
        assert!(contact(&gap, GapFeature::Edge).is_none());
    }
}

#[test]
fn moments_have_about_twice_the_precision_of_a_float() {
    let turn = about(1.0, 0.0, 0.0);
    let ceiling = (edge([0.0, 4.0], [6.0, 4.0]), Turn::NONE);
    let crossing = gap(ceiling, ([5.0, 0.0], turn), [0.0; 2], 0.0);
    let back = about(-1.0, 0.0, 0.0);
    let graze = gap(wall(5.0), ([3.0, 4.0], back), [0.0; 2], 0.0);
    // Both times have a tangent of 4/3.
    for gap in [crossing, graze] {
        let found = contact(&gap, GapFeature::Edge).unwrap();
        for off in [-0.5, 0.0, 0.5] {
            let time = found.time * (1.0 + off * TurningContact::TIME_ERROR);
            let [cos, sin] = gap.moment(&TurningContact { time, ..found }).cos_sin(200);
            let error = sin
                .times(&BigBall::of(3.0))
                .minus(&cos.times(&BigBall::of(4.0)));
            assert!(error.size().is_below(&BigBall::of(2f64.powi(-98))));
        }
    }
}

/// Where a point of a shape is at a time, whose center moves.
fn turned(point: Point, turn: Turn, velocity: Vec2, time: f64) -> Point {
    let (sin, cos) = (turn.angle * time).sin_cos();
    let arm = point - turn.center;
    Point::new(
        turn.center.x + velocity.x * time + cos * arm.x - sin * arm.y,
        turn.center.y + velocity.y * time + sin * arm.x + cos * arm.y,
    )
}

/// The distance of the vertex from the edge's line, outside negative, plus the radius, and its foot as a
/// part of the edge.
fn place(gap: &TurningGap, time: f64) -> [f64; 2] {
    let velocity = gap.velocity.vector().unwrap();
    let vertex = turned(gap.vertex, gap.vertex_turn, velocity, time);
    let [start, end] =
        [gap.edge.start, gap.edge.end].map(|point| turned(point, gap.edge_turn, Vec2::ZERO, time));
    let (edge, arm) = (end - start, vertex - start);
    let (along, across) = (
        edge.x * arm.x + edge.y * arm.y,
        edge.x * arm.y - edge.y * arm.x,
    );
    let (length, radius) = (edge.length(), gap.radius.exactly().unwrap());
    [across / length + radius, along / (length * length)]
}

fn half_integers() -> impl Strategy<Value = [f64; 2]> {
    let number = || (-8..=8i32).prop_map(|number| 0.5 * f64::from(number));
    [number(), number()]
}

fn turn() -> impl Strategy<Value = Turn> {
    let angle = prop_oneof![
        Just(0.0),
        Just(2.0),
        Just(-2.0),
        Just(1e-9),
        Just(1e-3),
        -8.0..8.0f64,
        -40.0..40.0f64
    ];
    (angle, half_integers()).prop_map(|(angle, [x, y])| about(angle, x, y))
}

fn any_gap() -> impl Strategy<Value = TurningGap> {
    let velocity = prop_oneof![Just([0.0; 2]), half_integers()];
    let radius = prop_oneof![Just(0.0), Just(0.5)];
    let ends = (half_integers(), half_integers()).prop_filter("an edge", |(a, b)| a != b);
    let edge = (ends.prop_map(|(from, to)| edge(from, to)), turn());
    let vertex = (half_integers(), turn());
    (edge, vertex, velocity, radius)
        .prop_map(|(edge, vertex, velocity, radius)| gap(edge, vertex, velocity, radius))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn the_first_contact_is_where_the_vertex_first_crosses_the_edge(gap in any_gap()) {
        const STEPS: i32 = 2000;
        prop_assume!(place(&gap, 0.0)[0].abs() > 1e-9);
        let found = contact(&gap, GapFeature::Edge);
        let times = (0..=STEPS).map(|step| f64::from(step) / f64::from(STEPS));
        let places: Vec<_> = times.map(|time| (time, place(&gap, time))).collect();
        // Certain crossings only.
        let is_beside = |part: f64| (1e-6..=1.0 - 1e-6).contains(&part);
        let crossing = places.windows(2).find(|two| {
            let [(_, [before, part]), (_, [after, next])] = two else { unreachable!() };
            before.min(*after) < -1e-9 && before.max(*after) > 1e-9 && is_beside(*part) && is_beside(*next)
        });
        let last = crossing.map_or(f64::INFINITY, |two| two[1].0);
        if let Some(found) = found {
            let [distance, part] = place(&gap, found.time);
            prop_assert!(distance.abs() < 1e-6 && (-1e-6..=1.0 + 1e-6).contains(&part));
            prop_assert!(found.time <= last);
        } else {
            prop_assert_eq!(last, f64::INFINITY);
        }
    }
}

proptest! {
    #[test]
    fn third_derivatives_have_a_bound(gap in any_gap(), time in -3.9..3.9f64) {
        let length = (gap.edge.end - gap.edge.start).length();
        let from_line = |time: f64| length * place(&gap, time)[0];
        let from_start = |time: f64| {
            let vertex = turned(gap.vertex, gap.vertex_turn, gap.velocity.vector().unwrap(), time);
            let arm = vertex - turned(gap.edge.start, gap.edge_turn, Vec2::ZERO, time);
            arm.x * arm.x + arm.y * arm.y
        };
        let distances: [(GapFeature, &dyn Fn(f64) -> f64); 2] =
            [(GapFeature::Edge, &from_line), (GapFeature::Start, &from_start)];
        for (feature, distance) in distances {
            let bound = Waves::of(&gap, feature).third_derivative_above().to_f64();
            let at = |steps: f64| distance(time + 1e-3 * steps);
            let third = (at(2.0) - 2.0 * at(1.0) + 2.0 * at(-1.0) - at(-2.0)) / 2e-9;
            // A difference of floats is known to some 1e-12, and differs by the fifth derivative from the third.
            prop_assert!(third.abs() <= bound * (1.0 + 1e-2) + 1e-2, "{feature:?} {third} {bound}");
        }
    }
}

#[test]
fn a_contact_before_the_least_normal_time() {
    // The vertex arrives at the height of the edge's lower end. Turns to the right lift it onto the edge,
    // turns to the left lower it past the end. A search in floats alone would divide the time for hours.
    let unit = f64::from_bits(1);
    let [lower, upper, center] = [0.3f64.next_down(), 0.3, 0.3f64.next_up()];
    let met = |angle: f64| {
        let turn = about(angle, unit, center);
        let edge = edge([2.0 * unit, upper], [2.0 * unit, lower]);
        let gap = gap((edge, turn), ([-2.0 * unit, lower], turn), [1.0, 0.0], 0.0);
        contact(&gap, GapFeature::Edge).map(|contact| contact.time)
    };
    for angle in [1e-9, PI / 2.0, 7.0] {
        assert_eq!(met(-angle), Some(4.0 * unit), "{angle}");
    }
    for angle in [1e-9, PI / 2.0] {
        assert_eq!(met(angle), None, "{angle}");
    }
}

#[test]
fn a_vertex_that_passes_a_short_edge_right_after_the_start_is_decided() {
    let least = f64::from_bits(1);
    let x = 999_999.999_999_999_9;
    // The vertex rises from below the edge, by a thousandth of the least float beside it.
    for (feature, edge) in [
        (GapFeature::Edge, edge([x, 0.0], [x, -least])),
        (GapFeature::Start, edge([x, 0.0], [x, -least])),
        (GapFeature::Start, edge([x, -least], [x, 0.0])),
    ] {
        let gap = gap(
            (edge, Turn::NONE),
            ([x, -3.0 * least], about(0.5 * PI, -least, -3.0 * least)),
            [0.0; 2],
            0.0,
        );
        assert_eq!(contact(&gap, feature).map(|it| it.time), None);
    }
}
