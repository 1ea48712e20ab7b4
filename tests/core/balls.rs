//! Balls: the ball of a result contains the results for all numbers of the operands, and few others.

use std::cmp::Ordering;
use std::fmt::Debug;

use carom::predicates::numbers::ball::{Ball, FloatBall};
use carom::predicates::numbers::polynomial::Number;
use carom::predicates::{BigBall, Sign};
use proptest::prelude::*;

use crate::numbers::{Rational, any_finite, close_by};

/// A ball over exact numbers.
#[derive(Clone, Debug)]
struct Interval {
    middle: Rational,
    radius: Rational,
}

impl Interval {
    /// `None` for a ball that is not finite.
    fn of<B: Ball>(ball: &B) -> Option<Self> {
        Some(Self {
            middle: exactly(&ball.middle())?,
            radius: exactly(&ball.radius())?,
        })
    }

    /// Some numbers in it, among them its ends, the least first.
    fn members(&self) -> [Rational; 5] {
        [-4.0, -1.0, 0.0, 2.0, 4.0].map(|quarters| {
            let part = Rational::of(quarters).times(&Rational::power_of_two(-2));
            self.middle.plus(&self.radius.times(&part))
        })
    }

    /// Whether a number differs from the middle, both times a factor, by no more than the radius.
    fn has(&self, multiple: &Rational, factor: &Rational) -> bool {
        let off = multiple.minus(&self.middle.times(factor)).abs();
        off.is_at_most(&self.radius.times(&factor.clone().abs()))
    }

    /// One with a smaller radius: less this part of itself and of the middle, less what underflow may lose,
    /// times a factor.
    fn without(&self, part: f64, factor: f64) -> Self {
        let lost = self
            .middle
            .clone()
            .abs()
            .plus(&self.radius)
            .times(&Rational::of(part));
        let lost = lost.plus(&Rational::power_of_two(-900));
        Self {
            middle: self.middle.clone(),
            radius: self.radius.minus(&lost).times(&Rational::of(factor)),
        }
    }
}

fn exactly<B: Ball>(number: &B) -> Option<Rational> {
    let (mut rest, mut sum) = (number.clone(), Rational::of(0.0));
    loop {
        let part = rest.to_f64();
        if part == 0.0 {
            assert_eq!(rest.sign(), Some(Sign::Zero));
            return Some(sum);
        }
        if !part.is_finite() {
            return None;
        }
        sum = sum.plus(&Rational::of(part));
        rest = rest.minus(&B::of(part)).middle();
    }
}

fn sign(value: &Rational) -> Sign {
    match value.sign() {
        Ordering::Less => Sign::Negative,
        Ordering::Equal => Sign::Zero,
        Ordering::Greater => Sign::Positive,
    }
}

/// An operation and what its result for two numbers is.
struct Operation<B> {
    name: &'static str,
    apply: fn(&B, &B, usize) -> B,
    has: fn(&Interval, [&Rational; 2]) -> bool,
    /// The part of the radius that is necessary.
    necessary: f64,
    /// Whether it is defined for all numbers of balls with such least and largest ones.
    is_defined: fn([[&Rational; 2]; 2]) -> bool,
}

fn operations<B: Ball>() -> Vec<Operation<B>> {
    let operation = |name, apply, has| Operation {
        name,
        apply,
        has,
        necessary: 1.0,
        is_defined: |_| true,
    };
    vec![
        operation(
            "plus",
            |a: &B, b: &B, _| a.plus(b),
            |result, [x, y]| result.has(&x.plus(y), &Rational::of(1.0)),
        ),
        operation(
            "minus",
            |a, b, _| a.minus(b),
            |result, [x, y]| result.has(&x.minus(y), &Rational::of(1.0)),
        ),
        operation(
            "times",
            |a, b, _| a.times(b),
            |result, [x, y]| result.has(&x.times(y), &Rational::of(1.0)),
        ),
        operation(
            "size",
            |a, _, _| B::of(0.0).widened(&a.size()),
            |result, [x, _]| result.has(x, &Rational::of(1.0)),
        ),
        operation(
            "widened",
            |a, b, _| a.widened(b),
            |result, [x, y]| {
                [x.plus(y), x.minus(y)]
                    .iter()
                    .all(|end| result.has(end, &Rational::of(1.0)))
            },
        ),
        operation(
            "shortened",
            |a, _, bits| a.clone().shortened(bits),
            |result, [x, _]| result.has(x, &Rational::of(1.0)),
        ),
        Operation {
            is_defined: |[_, [least, largest]]| {
                sign(least) == sign(largest) && sign(least) != Sign::Zero
            },
            ..operation("over", Ball::over, |result, [x, y]| result.has(x, y))
        },
        Operation {
            // Of a number near the radius, half of it.
            necessary: 0.5,
            is_defined: |[[least, largest], _]| {
                sign(least) != Sign::Negative && sign(largest) == Sign::Positive
            },
            ..operation(
                "root",
                |a, _, bits| a.root(bits),
                |result, [x, _]| {
                    let least = result.middle.minus(&result.radius);
                    let most = result.middle.plus(&result.radius);
                    sign(x) == Sign::Negative
                        || ((sign(&least) != Sign::Positive || least.squared().is_at_most(x))
                            && sign(&most) != Sign::Negative
                            && x.is_at_most(&most.squared()))
                },
            )
        },
    ]
}

/// Numbers of a ball; of one that is not finite, any.
fn members<B: Ball>(ball: &B) -> Vec<Rational> {
    let any = || {
        let floats = [
            -f64::MAX,
            -1.0,
            0.0,
            ball.to_f64(),
            f64::MIN_POSITIVE,
            f64::MAX,
        ];
        floats.map(Rational::of).to_vec()
    };
    Interval::of(ball).map_or_else(any, |interval| interval.members().to_vec())
}

/// Panics where a result is not in the ball of an operation.
fn contains_all_results<B: Ball + Debug>(operation: &Operation<B>, [a, b]: [&B; 2], bits: usize) {
    let result = (operation.apply)(a, b, bits);
    // One that is not finite contains all numbers.
    if let Some(result) = Interval::of(&result) {
        for x in &members(a) {
            for y in &members(b) {
                let name = operation.name;
                assert!(
                    (operation.has)(&result, [x, y]),
                    "{name} {a:?} {b:?} {bits}"
                );
            }
        }
    }
}

/// Panics where the ball of an operation is larger than its operands and so many bits make necessary.
fn contains_few_others<B: Ball + Debug>(operation: &Operation<B>, [a, b]: [&B; 2], bits: usize) {
    let result = Interval::of(&(operation.apply)(a, b, bits)).unwrap();
    if operation.name == "over" && sign(&result.middle) == Sign::Zero {
        return; // The precision of a quotient is relative to it.
    }
    let rounding = 2f64
        .powi(3 - i32::try_from(bits).unwrap())
        .max(2f64.powi(-30));
    let smaller = result.without(rounding, operation.necessary);
    if sign(&smaller.radius) == Sign::Positive {
        let (of_a, of_b) = (members(a), members(b));
        let pairs = of_a.iter().flat_map(|x| of_b.iter().map(move |y| [x, y]));
        let name = operation.name;
        let mut lacking = pairs.filter(|pair| !(operation.has)(&smaller, *pair));
        assert!(lacking.next().is_some(), "{name} {a:?} {b:?} {bits}");
    }
}

fn is_defined<B: Ball + Debug>(operation: &Operation<B>, [a, b]: [&B; 2]) -> bool {
    let [a, b] = [a, b].map(members);
    (operation.is_defined)([[&a[0], &a[4]], [&b[0], &b[4]]])
}

/// Floats whose products of a few are floats.
fn moderate() -> impl Strategy<Value = f64> {
    let any_exponent = (-1.0..1.0f64, -60..60i32).prop_map(|(x, exponent)| x * 2f64.powi(exponent));
    let close_by = close_by().prop_filter("no tiny one", |x| *x == 0.0 || x.abs() > 1e-30);
    prop_oneof![close_by, any_exponent]
}

/// A middle and a radius, independent of each other or of a ratio below 1.
fn moderate_ball() -> impl Strategy<Value = [f64; 2]> {
    let ratio = prop_oneof![
        (0..80i32).prop_map(|exponent| 2f64.powi(-exponent)),
        0.0..1.0f64,
        Just(1.0f64.next_down()),
    ];
    prop_oneof![
        moderate().prop_map(|middle| [middle, 0.0]),
        (moderate(), moderate()).prop_map(|(middle, radius)| [middle, radius.abs()]),
        (-9..=9i32, 0..=4i32).prop_map(|(middle, radius)| [middle.into(), radius.into()]),
        (moderate(), ratio).prop_map(|(middle, ratio)| [middle, middle.abs() * ratio]),
    ]
}

fn any_float_ball() -> impl Strategy<Value = FloatBall> {
    let radius = prop_oneof![
        3 => any_finite().prop_map(f64::abs),
        1 => (0..4u64).prop_map(f64::from_bits),
        1 => Just(f64::MAX),
        1 => Just(f64::INFINITY)
    ];
    let middle = prop_oneof![4 => any_finite(), 1 => Just(0.0)];
    let any = (middle, radius).prop_map(|(middle, radius)| [middle, radius]);
    prop_oneof![any, moderate_ball()].prop_map(|[middle, radius]| FloatBall::new(middle, radius))
}

/// One whose middle has more bits than a float.
fn big_ball() -> impl Strategy<Value = BigBall> {
    let factor = prop_oneof![Just(1.0), moderate()];
    let rest = prop_oneof![Just(0.0), moderate()];
    (moderate_ball(), factor, rest).prop_map(|([middle, radius], by, rest)| {
        let middle = BigBall::of(middle).times(&BigBall::of(by));
        let rest = BigBall::of(rest * 2f64.powi(-150));
        let radius = BigBall::of(radius * by);
        middle.plus(&rest).widened(&radius)
    })
}

fn has_its_sign<B: Ball + Debug>(ball: &B) {
    if let Some(interval) = Interval::of(ball) {
        let [least, .., largest] = interval.members().map(|number| sign(&number));
        assert_eq!(ball.sign(), (least == largest).then_some(least), "{ball:?}");
    } else {
        assert_eq!(ball.sign(), None, "{ball:?}");
    }
}

/// The cosines and sines of numbers of a ball are in those of the ball, which are not much larger.
fn has_cosines_and_sines<B: Ball + Debug>(ball: &B, [middle, radius]: [BigBall; 2], bits: usize) {
    let results = ball
        .cos_sin(bits)
        .map(|result| Interval::of(&result).unwrap());
    let [of_ball, rounding] = [exactly(&radius).unwrap(), Rational::power_of_two(-400)];
    for quarters in [-4.0, -1.0, 0.0, 2.0, 4.0] {
        let angle = middle.plus(&radius.times(&BigBall::of(quarters / 4.0)));
        for (result, exact) in results.iter().zip(angle.cos_sin(410)) {
            let off = exactly(&exact.middle())
                .unwrap()
                .minus(&result.middle)
                .abs();
            assert!(
                off.minus(&rounding).is_at_most(&result.radius),
                "{ball:?} {bits}"
            );
        }
    }
    let bits = i64::try_from(bits).unwrap();
    let most = of_ball.plus(&of_ball.times(&Rational::power_of_two(-40)));
    let most = most.plus(&Rational::power_of_two(2 - bits));
    assert!(
        results.iter().all(|result| result.radius.is_at_most(&most)),
        "{ball:?} {bits}"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn balls_of_floats_contain_all_results(a in any_float_ball(), b in any_float_ball()) {
        for operation in operations() {
            contains_all_results(&operation, [&a, &b], 53);
            contains_all_results(&operation, [&b, &b], 53);
        }
        has_its_sign(&a);
    }

    #[test]
    fn balls_of_floats_contain_few_others([a, b] in [moderate_ball(), moderate_ball()]) {
        let [a, b] = [a, b].map(|[middle, radius]| FloatBall::new(middle, radius));
        for operation in operations() {
            if is_defined(&operation, [&a, &b]) {
                contains_few_others(&operation, [&a, &b], 50);
            }
        }
    }

    #[test]
    fn balls_of_any_precision_contain_all_results_and_few_others(
        [a, b] in [big_ball(), big_ball()],
        bits in 1..300usize,
    ) {
        for operation in operations() {
            if is_defined(&operation, [&a, &b]) {
                contains_all_results(&operation, [&a, &b], bits);
                contains_few_others(&operation, [&a, &b], bits);
            }
        }
        has_its_sign(&a);
        prop_assert!(exactly(&a.clone().shortened(bits).middle()).unwrap().bits() <= bits as u64);
    }

    #[test]
    fn differences_are_enclosed([a, b] in [any_finite(), any_finite()]) {
        let exact = Rational::difference(a, b);
        if let Some(ball) = Interval::of(&FloatBall::difference(a, b)) {
            prop_assert!(ball.has(&exact, &Rational::of(1.0)));
        }
    }

    #[test]
    fn cosines_and_sines_are_enclosed(
        angle in prop_oneof![any_finite(), moderate()],
        [middle, radius] in moderate_ball(),
        big in big_ball(),
        bits in 1..300usize,
    ) {
        for [middle, radius] in [[middle, radius], [angle, 0.0]] {
            let parts = [middle, radius].map(BigBall::of);
            has_cosines_and_sines(&FloatBall::new(middle, radius), parts, 50);
        }
        has_cosines_and_sines(&big, [big.middle(), big.radius()], bits);
    }
}
