//! Times at which moving points cross lines, and intervals of them, held against rationals.

use std::cmp::Ordering;

use carom::geom::{Displacement, Edge, Point, Vec2};
use carom::predicates::numbers::polynomial::{Number, Polynomial};
use carom::predicates::{
    Cross, Crossing, FrameInterval, FrameTime, GapAtTime, Sign, TurningContact,
};
use proptest::prelude::*;

use crate::numbers::{Rational, edge, step, vector, with_all_bits};

/// The crossing of any line, or of one that the point is all but on.
fn crossing() -> impl Strategy<Value = Crossing> {
    let any = (edge(), edge()).prop_map(|(line, gap)| (line, gap.displacement()));
    let coordinates = [
        with_all_bits(),
        with_all_bits(),
        with_all_bits(),
        with_all_bits(),
    ];
    let beside = (coordinates, 0.0..1.0f64, -3..=3i64).prop_map(|([x, y, u, v], share, steps)| {
        let place = Point::new(x + (u - x) * share, step(y + (v - y) * share, steps));
        let line = Edge::new(Point::new(x, y), Point::new(u, v));
        (line, Displacement::between(line.start, place))
    });
    let given = |((line, gap), velocity): ((_, _), Vec2)| Crossing {
        line,
        gap,
        velocity: velocity.into(),
    };
    (prop_oneof![any, beside], vector()).prop_map(given)
}

/// On which side of the line the point is at a time, left above.
fn side(crossing: &Crossing, time: f64) -> Ordering {
    GapAtTime(*crossing, time).evaluate::<Rational>().sign()
}

fn is_since(enter: &FrameTime, time: f64) -> bool {
    match enter {
        FrameTime::Start => true,
        FrameTime::At(crossing) => side(crossing, time) != Ordering::Less,
        FrameTime::End => time == 1.0,
    }
}

fn is_until(leave: &FrameTime, time: f64) -> bool {
    match leave {
        FrameTime::Start => time == 0.0,
        FrameTime::At(crossing) => side(crossing, time) != Ordering::Greater,
        FrameTime::End => true,
    }
}

fn holds(interval: &FrameInterval, time: f64) -> bool {
    is_since(&interval.enter, time) && is_until(&interval.leave, time)
}

/// Whether a number is the time of a crossing to ten digits.
fn is_known_to_ten_digits(time: f64, at: &Crossing) -> bool {
    let line = at.line.displacement();
    let gap = Cross(line, at.gap).evaluate::<Rational>();
    let speed = Cross(line, at.velocity.displacement()).evaluate::<Rational>();
    let off = Rational::of(time).times(&speed).plus(&gap).abs();
    // The smallest normal float covers underflow.
    let least = speed.abs().times(&Rational::of(f64::MIN_POSITIVE));
    off.is_at_most(&Rational::of(1e-10).times(&gap.abs()).plus(&least))
}

fn intervals() -> impl Strategy<Value = Vec<FrameInterval>> {
    let interval = proptest::collection::vec(crossing(), 1..3);
    let interval = interval.prop_filter_map("ever", FrameInterval::left_of);
    proptest::collection::vec(interval, 1..4)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn a_point_is_left_of_all_lines_within_the_interval(
        lines in proptest::collection::vec(crossing(), 1..4),
        eighths in 0..=8i32,
    ) {
        let time = f64::from(eighths) / 8.0;
        let is_left = lines.iter().all(|line| side(line, time) != Ordering::Less);
        let interval = FrameInterval::left_of(lines);
        prop_assert_eq!(interval.is_some_and(|it| holds(&it, time)), is_left);
    }

    #[test]
    fn a_point_that_enters_starts_on_the_right_of_the_line_and_ends_on_it_or_on_its_left(crossing in crossing()) {
        let enters = side(&crossing, 0.0) == Ordering::Less && side(&crossing, 1.0) != Ordering::Less;
        prop_assert_eq!(crossing.is_entry(), enters);
    }

    #[test]
    fn times_are_known_to_ten_digits(crossing in crossing()) {
        let is_crossed = crossing.approach() != Sign::Zero;
        if let Some(Ok(time @ FrameTime::At(at))) = is_crossed.then(|| crossing.frame_time()) {
            prop_assert!(is_known_to_ten_digits(time.value(), &at));
        }
    }

    #[test]
    fn a_union_holds_what_one_of_its_intervals_holds(all in intervals(), eighths in 0..=8i32) {
        let time = f64::from(eighths) / 8.0;
        let is_in_one = all.iter().any(|it| holds(it, time));
        let union = FrameInterval::union(all);
        prop_assert_eq!(union.iter().filter(|it| holds(it, time)).count(), usize::from(is_in_one));
        for two in union.windows(2) {
            prop_assert_eq!(two[0].leave.compare(&two[1].enter), Ordering::Less);
        }
    }

    #[test]
    fn ends_are_in_order_and_equal_only_if_they_are_the_same(all in intervals()) {
        for interval in &all {
            let [enter, leave] = interval.values();
            prop_assert!(0.0 <= enter && enter <= leave && leave <= 1.0);
            let are_same = interval.enter.compare(&interval.leave) == Ordering::Equal;
            prop_assert!(!are_same || enter == leave);
        }
    }
}

#[test]
fn a_time_is_known_to_ten_digits_where_twice_those_of_a_float_cancel() {
    // Line and gap have sizes of 1, and an area of 2^-154 between them.
    let (end, next) = (1.5, 1.5f64.next_up());
    let mut found = 0;
    for index in 0..64 {
        let low = 2f64.powi(-50) * (1.0 + f64::from(index) / 64.0);
        for (from, by) in [([low, low.next_up()], -1.0), ([low.next_up(), low], 1.0)] {
            let start = Point::new(from[0], from[1]);
            let crossing = Crossing {
                line: Edge::new(start, Point::new(end, end)),
                gap: Displacement::between(start, Point::new(next, next)),
                velocity: Vec2::new(-by, by).into(),
            };
            if let Ok(time @ FrameTime::At(at)) = crossing.frame_time() {
                assert!(is_known_to_ten_digits(time.value(), &at), "{low:e}");
                found += 1;
            }
        }
    }
    assert_eq!(found, 128);
}

#[test]
fn a_point_that_ends_on_the_line_enters_and_one_that_starts_there_does_not() {
    let enters = |from: f64, by: f64| {
        let line = Edge::new(Point::ORIGIN, Point::new(4.0, 0.0));
        let gap = Displacement::between(Point::ORIGIN, Point::new(1.0, from));
        let velocity = Vec2::new(1.0, by).into();
        let crossing = Crossing {
            line,
            gap,
            velocity,
        };
        crossing.is_entry()
    };
    for (from, by, is_entry) in [
        (-1.0, 2.0, true),
        (-1.0, 1.0, true),
        (-1.0, 0.5, false),
        (-1.0, 0.0, false),
        (-1.0, -1.0, false),
        (0.0, 1.0, false),
        (1.0, 1.0, false),
        (1.0, -2.0, false),
    ] {
        assert_eq!(enters(from, by), is_entry, "{from} {by}");
    }
}

#[test]
fn a_turning_contact_is_as_accurate_as_its_constant_says() {
    assert_eq!(TurningContact::TIME_ERROR, 2.0_f64.powi(-37));
}
