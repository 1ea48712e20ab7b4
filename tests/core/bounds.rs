//! Boxes hold what they must: rounding may make them larger, never smaller.

use std::cmp::Ordering;

use carom::geom::{Bounds, Edge, Motion, Point, RadiusSum, Ray, Turn, Vec2};
use carom::predicates::bounds::box_distance_bounds::is_circle_apart;
use carom::predicates::numbers::polynomial::{Number, Polynomial};
use carom::predicates::{Crossing, GapAtTime, RaySlabs};
use proptest::prelude::*;

use crate::numbers::{Rational, close_by, coordinate, displacement, edge, motion, point};

/// Where a motion gets to in so many eighths of the frame, less where it starts.
fn way(motion: Motion, eighths: i64) -> [Rational; 2] {
    let Motion {
        from,
        to,
        drift,
        drift_from,
        steps,
    } = motion;
    let part = Rational::of(eighths as f64).times(&Rational::power_of_two(-3));
    let component = |from: f64, to: f64, [drift_from, drift]: [f64; 2]| {
        let drift = Rational::difference(drift, drift_from).times(&Rational::of(steps));
        Rational::difference(to, from).plus(&drift).times(&part)
    };
    [
        component(from.x, to.x, [drift_from.x, drift.x]),
        component(from.y, to.y, [drift_from.y, drift.y]),
    ]
}

fn place(point: Point, motion: Motion, eighths: i64) -> [Rational; 2] {
    let [x, y] = way(motion, eighths);
    [
        Rational::of(point.x).plus(&x),
        Rational::of(point.y).plus(&y),
    ]
}

fn is_below(low: f64, value: &Rational) -> bool {
    low == f64::NEG_INFINITY || (low.is_finite() && Rational::of(low).is_at_most(value))
}

fn is_above(high: f64, value: &Rational) -> bool {
    high == f64::INFINITY || (high.is_finite() && value.is_at_most(&Rational::of(high)))
}

fn holds(bounds: &Bounds, [x, y]: &[Rational; 2]) -> bool {
    is_below(bounds.min.x, x)
        && is_above(bounds.max.x, x)
        && is_below(bounds.min.y, y)
        && is_above(bounds.max.y, y)
}

/// Floats, or infinities, with an exact number between them.
fn around(value: &Rational, guess: f64) -> (f64, f64) {
    let (mut low, mut high, mut step) = (guess, guess, f64::MIN_POSITIVE);
    while !is_below(low, value) || !is_above(high, value) {
        (low, high) = ((guess - step).next_down(), (guess + step).next_up());
        step *= 4.0;
    }
    (low, high)
}

/// Points whose coordinates are far below those at which floats overflow.
fn small_point() -> impl Strategy<Value = Point> {
    let exponent = prop_oneof![3 => -3..=3, 1 => -40..=60, 1 => -560..=-440, 1 => -1070..=-900];
    let coordinate =
        || (close_by(), exponent.clone()).prop_map(|(value, exponent)| value * 2f64.powi(exponent));
    (coordinate(), coordinate()).prop_map(|(x, y)| Point::new(x, y))
}

/// The square of a gap across a slow path rounds to the least float, which the squared speed magnifies.
#[test]
fn tiny_boxes_are_within_their_bounds() {
    let speed = 2e-139;
    for part in 1..2000 {
        let gap = f64::from(part) * 1e-26;
        let square = Rational::of(gap).squared();
        let (one, other) = (
            Bounds::from(Point::ORIGIN),
            Bounds::from(Point::new(0.0, gap)),
        );
        let bound = one.squared_distance_below_moving(&other, Vec2::new(speed, 0.0));
        assert!(is_below(bound, &square), "{gap:e}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn a_swept_box_holds_all_places(point in point(), motion in motion(), eighths in 0..=8i64) {
        prop_assert!(holds(&Bounds::from(point).swept(motion), &place(point, motion, eighths)));
    }

    #[test]
    fn a_moved_box_holds_where_it_moved(point in point(), motion in motion()) {
        prop_assert!(holds(&Bounds::from(point).moved(motion), &place(point, motion, 8)));
    }

    #[test]
    fn boxes_that_meet_are_not_told_to_meet_later(
        point in point(),
        motion in motion(),
        eighths in 0..=8i64,
    ) {
        let [x, y] = place(point, motion, eighths);
        let guess = motion.rounded();
        let part = eighths as f64 / 8.0;
        let finite = |value: f64| if value.is_finite() { value } else { 0.0 };
        let (left, right) = around(&x, finite(point.x + guess.x * part));
        let (bottom, top) = around(&y, finite(point.y + guess.y * part));
        let there = Bounds { min: Point::new(left, bottom), max: Point::new(right, top) };
        let time = Bounds::from(point).meeting_time_below(&there, motion);
        prop_assert!(time <= part, "{time} > {part}");
    }

    #[test]
    fn a_box_on_a_ray_is_entered_no_later_than_the_ray_is_there(
        origin in point(),
        tip in point(),
        eighths in 0..=8000i64,
    ) {
        let direction = Vec2::new(tip.x, tip.y);
        let [x, y] = place(origin, direction.into(), eighths);
        let time = eighths as f64 / 8.0;
        let finite = |value: f64| if value.is_finite() { value } else { 0.0 };
        let (left, right) = around(&x, finite(origin.x + direction.x * time));
        let (bottom, top) = around(&y, finite(origin.y + direction.y * time));
        let there = Bounds { min: Point::new(left, bottom), max: Point::new(right, top) };
        let entry = RaySlabs::new(Ray { origin, direction }).entry_below(&there);
        prop_assert!(entry.is_some_and(|entry| entry <= time), "{entry:?} > {time}");
    }

    #[test]
    fn a_grown_box_holds_all_within_reach(point in point(), reach in 0.0..1e9f64) {
        let bounds = Bounds::from(point).grown(reach);
        let reach = Rational::of(reach);
        let [x, y] = [Rational::of(point.x), Rational::of(point.y)];
        prop_assert!(holds(&bounds, &[x.minus(&reach), y.plus(&reach)]));
        prop_assert!(holds(&bounds, &[x.plus(&reach), y.minus(&reach)]));
    }

    #[test]
    fn boxes_taken_to_be_within_a_distance_have_no_points_farther_apart(
        low in point(),
        high in point(),
        other in point(),
        ulps in -3..=3i32,
        is_drawn in any::<bool>(),
        drawn in 0.0..1e160f64,
    ) {
        let (one, there) = (Bounds::from(Edge::new(low, high)), Bounds::from(other));
        let squares = |from: Point| {
            let [x, y] = [Rational::difference(other.x, from.x), Rational::difference(other.y, from.y)];
            x.squared().plus(&y.squared())
        };
        let (one_square, other_square) = (squares(low), squares(high));
        let farthest = (other - low).length().max((other - high).length());
        // Next to the farthest distance, if not any.
        let step = |it: f64| if ulps < 0 { it.next_down() } else { it.next_up() };
        let near = (0..ulps.abs() * 8).fold(farthest, |it, _| step(it)).max(0.0);
        let distance = if is_drawn || !near.is_finite() { drawn } else { near };
        let square = Rational::of(distance).squared();
        for (a, b) in [(one, there), (there, one)] {
            if a.are_certainly_within(&b, distance) {
                prop_assert!(one_square.is_at_most(&square) && other_square.is_at_most(&square));
            }
        }
    }

    #[test]
    fn boxes_taken_to_be_apart_have_no_points_within_the_distance(
        one in point(),
        other in point(),
        ulps in -3..=3i32,
    ) {
        let [x, y] = [Rational::difference(other.x, one.x), Rational::difference(other.y, one.y)];
        let square = x.squared().plus(&y.squared());
        let step = |it: f64| if ulps < 0 { it.next_down() } else { it.next_up() };
        let near = (0..ulps.abs() * 20).fold((other - one).length(), |it, _| step(it)).max(0.0);
        prop_assume!(near.is_finite());
        let (a, b) = (Bounds::from(one), Bounds::from(other));
        let is_within = square.is_at_most(&Rational::of(near).squared());
        prop_assert!(!is_within || a.may_be_within(&b, near));
        let [low, high] = [one, other].map(Vec2::from);
        prop_assert!(!is_within || !is_circle_apart([low; 2], high, near, None));
    }

    #[test]
    fn sums_of_radii_are_within_their_bounds(radii in [coordinate(), coordinate(), coordinate()]) {
        let radii = radii.map(f64::abs);
        let [below, above] = RadiusSum::new(radii).bounds();
        let [a, b, c] = radii.map(Rational::of);
        let sum = a.plus(&b).plus(&c);
        prop_assert!(is_below(below, &sum) && is_above(above, &sum), "{below:e} {above:e}");
    }

    #[test]
    fn distances_of_moving_boxes_are_no_less_than_their_bound(
        one in small_point(),
        other in small_point(),
        velocity in small_point(),
        eighths in 0..=8i64,
    ) {
        let velocity = Vec2::from(velocity);
        let [x, y] = place(one, velocity.into(), eighths);
        let (x, y) = (Rational::of(other.x).minus(&x), Rational::of(other.y).minus(&y));
        let bound = Bounds::from(one).squared_distance_below_moving(&other.into(), velocity);
        prop_assert!(is_below(bound, &x.squared().plus(&y.squared())), "{bound:e}");
    }

    #[test]
    fn what_surely_misses_is_left_of_the_line_or_stays_right_of_it(
        line in edge(),
        gap in displacement(),
        velocity in motion(),
    ) {
        let crossing = Crossing { line, gap, velocity };
        if crossing.surely_misses() {
            let side = |time| GapAtTime(crossing, time).evaluate::<Rational>().sign();
            prop_assert!(side(0.0) == Ordering::Greater || side(1.0) == Ordering::Less);
        }
    }
}

#[test]
fn boxes_whose_farthest_points_are_clearly_within_a_distance_are_found() {
    let bounds = |x: f64| Bounds::from(Edge::new(Point::new(x, 0.0), Point::new(x + 1.0, 1.0)));
    let (one, other) = (bounds(0.0), bounds(3.0));
    // The farthest points are 4 and 1 apart.
    assert!(one.are_certainly_within(&other, 4.13) && other.are_certainly_within(&one, 4.13));
    assert!(!one.are_certainly_within(&other, 4.12) && !other.are_certainly_within(&one, 4.12));
}

/// Of a center far away the least angle leads somewhere, and of one beside the point an angle may lead nowhere; the
/// square of a large arm overflows.
#[test]
fn the_box_of_a_turn_holds_places_at_the_ends_of_the_range_of_floats() {
    let least = f64::from_bits(1);
    let of = |angle: f64, center: f64, point: Point| {
        let center = Point::new(center, 0.0);
        Turn { angle, center }.bounds([point])
    };
    let far = of(least, 1e300, Point::ORIGIN);
    assert!(far.min.y <= -1e300 * least && far.max.x >= 0.0);
    let beside = of(1e-200, 2.0 * least, Point::ORIGIN);
    assert!(beside.min.x <= 0.0 && beside.max.x >= 0.0);
    assert!(beside.min.y <= 0.0 && beside.max.y >= 0.0);
    let large = of(-4.0, 0.0, Point::new(3e200, 4e200));
    assert!(large.max.x >= 5e200 && large.max.x < 5.1e200);
}
