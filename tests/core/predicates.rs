//! The filter's bound rederived, and the exact forms held against rationals.

use carom::geom::{Displacement, Edge, Motion, Point, Vec2};
use carom::predicates::compensated::Compensated;
use carom::predicates::double_double::DoubleDouble;
use carom::predicates::error_bounds::{self, Squares};
use carom::predicates::exact::{self, Big, Unrounded};
use carom::predicates::filter::Bounded;
use carom::predicates::number::{Number, Polynomial};
use carom::predicates::{
    Cross, Crossing, Dot, FootSquares, Length, Sign, SquareDifference, SquaredLength,
    TimeDifference,
};
use carom::simd::lanes::Vectors;
use proptest::prelude::*;

use crate::numbers::{Rational, Roundings, coordinate, displacement, edge, motion, point};

fn agrees<P: Polynomial>(polynomial: &P) -> Result<(), TestCaseError> {
    let truth = polynomial.evaluate::<Rational>();
    let expected = truth.sign();
    let ordering = |sign: Sign| sign.cmp(&Sign::Zero);
    let bounded = polynomial.evaluate::<Bounded>();
    if let Some(sign) = bounded.sign() {
        prop_assert_eq!(ordering(sign), expected, "filter");
        let error = Rational::of(bounded.value()).minus(&truth).abs();
        prop_assert!(error.is_at_most(&Rational::of(bounded.error())), "bound");
    }
    if let Some(sign) = polynomial.evaluate::<Unrounded>().sign() {
        prop_assert_eq!(ordering(sign), expected, "unrounded");
    }
    let doubled = polynomial.evaluate::<DoubleDouble>();
    if let Some(sign) = doubled.sign() {
        prop_assert_eq!(ordering(sign), expected, "doubled");
    }
    if doubled.error().is_finite() {
        let [high, low] = doubled.parts().map(Rational::of);
        let error = high.plus(&low).minus(&truth).abs();
        prop_assert!(
            error.is_at_most(&Rational::of(doubled.error())),
            "doubled bound"
        );
    }
    prop_assert_eq!(
        ordering(polynomial.evaluate::<Big>().sign()),
        expected,
        "big"
    );
    prop_assert_eq!(ordering(exact::sign(polynomial)), expected, "exact");
    Ok(())
}

/// What a square or a product stands for.
#[derive(Clone, Copy)]
enum Truth {
    Cross,
    Dot,
    Gap,
    Edge,
    Radius,
}

fn length() -> impl Strategy<Value = Length> {
    prop_oneof![
        (edge(), displacement()).prop_map(|(edge, gap)| Length::Across(edge, gap)),
        displacement().prop_map(Length::Whole),
        coordinate().prop_map(Length::Given),
    ]
}

fn crossing() -> impl Strategy<Value = Crossing> {
    (edge(), displacement(), motion()).prop_map(|(line, gap, velocity)| Crossing {
        line,
        gap,
        velocity,
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn cross_has_the_sign_of_the_exact_value(first in displacement(), second in displacement()) {
        agrees(&Cross(first, second))?;
    }

    #[test]
    fn dot_has_the_sign_of_the_exact_value(edge in edge(), gap in displacement()) {
        agrees(&Dot(edge, gap))?;
        agrees(&SquaredLength(gap))?;
    }

    #[test]
    fn lengths_compare_as_their_exact_squares_do(first in length(), second in length()) {
        agrees(&SquareDifference(first, second))?;
    }

    #[test]
    fn a_length_equals_itself(length in length()) {
        prop_assert_eq!(exact::sign(&SquareDifference(length, length)), Sign::Zero);
    }

    #[test]
    fn contact_times_compare_as_their_exact_values_do(first in crossing(), second in crossing()) {
        agrees(&TimeDifference(first, second))?;
    }

    #[test]
    fn one_bound_covers_a_box(edge in edge(), point in point(), beyond in 1.0..3.0f64) {
        let vector = |from: Point, to: Point| Vec2::new(to.x - from.x, to.y - from.y);
        let (direction, gap) = (vector(edge.start, edge.end), vector(edge.start, point));
        let size = Vec2::new(gap.x.abs() * beyond, gap.y.abs() * beyond);
        let error = error_bounds::cross_error(direction, size);
        if error_bounds::is_usual(error_bounds::larger(size.x, size.y)) && error.is_finite() {
            let truth = Cross(edge.displacement(), Displacement::between(edge.start, point)).evaluate::<Rational>();
            let value = Rational::of(error_bounds::cross(direction, gap));
            prop_assert!(value.minus(&truth).abs().is_at_most(&Rational::of(error)));
        }
    }

    #[test]
    fn one_bound_covers_the_difference_of_two_products(edge in edge(), point in point(), origin in point(), is_contracted: bool) {
        let vector = |from: Point, to: Point| Vectors { x: to.x - from.x, y: to.y - from.y };
        let (direction, start, place) = (vector(edge.start, edge.end), vector(origin, edge.start), vector(origin, point));
        let of_points = |coordinate: fn(Point) -> f64| {
            let points = [edge.start, edge.end, point, origin].map(coordinate);
            points.iter().copied().fold(f64::MIN, f64::max) - points.iter().copied().fold(f64::MAX, f64::min)
        };
        let size = Vectors { x: of_points(|point| point.x), y: of_points(|point| point.y) };
        let error = error_bounds::box_error(size, size);
        if error.is_finite() {
            let cross = |vector: Vectors<f64>| if is_contracted {
                direction.x.mul_add(vector.y, -(direction.y * vector.x))
            } else {
                direction.cross(vector)
            };
            let truth = Cross(edge.displacement(), Displacement::between(edge.start, point)).evaluate::<Rational>();
            let off = Rational::of(cross(place) - cross(start)).minus(&truth).abs();
            prop_assert!(off.is_at_most(&Rational::of(error)));
            if direction.length_squared() >= 2.0_f64.powi(-600) {
                let along = error_bounds::error_along(direction, size);
                prop_assert!(off.is_at_most(&Rational::of(along)));
            }
        }
    }

    #[test]
    fn differences_that_keep_what_rounding_left_multiply_within_their_bound(edge in edge(), other in edge()) {
        let kept = |edge: Edge| Compensated::new(edge.end.into(), edge.start.into());
        let vector = |edge: Edge| Vectors { x: edge.end.x - edge.start.x, y: edge.end.y - edge.start.y };
        let terms = vector(edge).products(vector(other));
        let is_usual = |term: f64| term == 0.0 || (1e-120..1e120).contains(&term.abs());
        if is_usual(terms.x) && is_usual(terms.y) {
            let (dot, error) = kept(edge).dot(&kept(other));
            let truth = Dot(edge, other.displacement()).evaluate::<Rational>();
            let off = Rational::of(dot).minus(&truth).abs();
            prop_assert!(off.is_at_most(&Rational::of(error)));
            let (cross, error) = kept(edge).turned_left().dot(&kept(other));
            let truth = Cross(edge.displacement(), other.displacement()).evaluate::<Rational>();
            let crossed = vector(edge).turned_left().products(vector(other));
            if is_usual(crossed.x) && is_usual(crossed.y) {
                let off = Rational::of(cross).minus(&truth).abs();
                prop_assert!(off.is_at_most(&Rational::of(error)));
            }
        }
    }

    #[test]
    fn one_bound_covers_squares(edge in edge(), point in point(), radius in coordinate(), beyond in 1.0..3.0f64) {
        let vector = |from: Point, to: Point| Vectors { x: to.x - from.x, y: to.y - from.y };
        let (direction, gap, radius) = (vector(edge.start, edge.end), vector(edge.start, point), radius.abs());
        let size = direction.with(gap, |a, b| a.abs().max(b.abs()) * beyond);
        let squares = Squares::new(size, radius);
        if squares.error.is_finite() {
            let gap_between = Displacement::between(edge.start, point);
            let exact = |polynomial: Truth| match polynomial {
                Truth::Cross => Cross(edge.displacement(), gap_between).evaluate::<Rational>(),
                Truth::Dot => Dot(edge, gap_between).evaluate(),
                Truth::Gap => SquaredLength(gap_between).evaluate(),
                Truth::Edge => SquaredLength(edge.displacement()).evaluate(),
                Truth::Radius => Rational::of(radius).squared(),
            };
            let rounded = [
                (direction.cross(gap), Truth::Cross),
                (direction.dot(gap), Truth::Dot),
                (gap.length_squared(), Truth::Gap),
                (direction.length_squared(), Truth::Edge),
                (radius * radius, Truth::Radius),
            ];
            let holds = |value: f64, truth: &Rational, error: f64| {
                Rational::of(value).minus(truth).abs().is_at_most(&Rational::of(error))
            };
            for (value, truth) in rounded {
                let truth = exact(truth);
                prop_assert!(holds(value, &truth, squares.error));
                for (other, other_truth) in rounded {
                    let other_truth = exact(other_truth);
                    prop_assert!(holds(value - other, &truth.minus(&other_truth), squares.error));
                    let (value, truth) = (value * value, truth.squared());
                    for (factor, factor_truth) in rounded {
                        let product = other * factor;
                        let truth = truth.minus(&other_truth.times(&exact(factor_truth)));
                        prop_assert!(holds(value - product, &truth, squares.error_of_products));
                    }
                }
            }
        }
    }

    #[test]
    fn feet_are_told_exactly(edge in edge(), gap in displacement(), velocity in motion(), radius in coordinate()) {
        agrees(&FootSquares { edge, gap, velocity, radius })?;
    }
}

/// The filter takes `(k + 2) u magnitude` as its bound. In exact arithmetic the error after `k`
/// roundings is at most `((1 + u)^k - 1)` of the true magnitude; the computed magnitude is at
/// least `(1 - u)^k` of that, and the bound itself is rounded twice.
#[test]
fn the_filters_bound_covers_all_roundings() {
    let most = most_roundings();
    assert!(most < 100, "so that the inequality below holds with room");
    let one = Rational::of(1.0);
    let u = Rational::power_of_two(-53);
    let (above, below) = (one.plus(&u), one.minus(&u));
    for roundings in 0..=most {
        let error = above.power(roundings).minus(&one);
        let factor = Rational::of(f64::from(roundings + 2)).times(&u);
        let taken = factor.times(&below.power(roundings + 2));
        assert!(error.is_at_most(&taken), "{roundings} roundings");
    }
}

/// The largest number of roundings in any polynomial that is asked about.
fn most_roundings() -> u32 {
    let edge = carom::geom::Edge::from_origin(Vec2::ZERO);
    let widest = Motion::between(Point::new(1.0, 1.0), Point::ORIGIN).with_drift(Vec2::ZERO, 1.0);
    let shifted = edge.displacement().shifted(widest);
    let across = Length::Across(edge, shifted);
    let crossing = Crossing {
        line: edge,
        gap: shifted,
        velocity: widest,
    };
    let foot = FootSquares {
        edge,
        gap: shifted,
        velocity: widest,
        radius: 0.0,
    };
    [
        SquareDifference(across, across).evaluate::<Roundings>(),
        TimeDifference(crossing, crossing).evaluate(),
        foot.evaluate(),
    ]
    .into_iter()
    .map(|Roundings(count)| count)
    .max()
    .unwrap()
}

/// The filter tracks the roundings itself; this is the independent count.
#[test]
fn the_filter_counts_roundings_as_the_polynomials_have_them() {
    let two = Vec2::new(2.0, 3.0);
    let edge = carom::geom::Edge::from_origin(two);
    let gap = edge.displacement().shifted(two.into());
    let polynomial = SquareDifference(Length::Across(edge, gap), Length::Whole(gap));
    assert_eq!(
        polynomial.evaluate::<Bounded>().roundings(),
        polynomial.evaluate::<Roundings>().0
    );
}

#[test]
fn products_beyond_the_range_of_floats_are_left_to_big_numbers() {
    let tiny = Unrounded::of(1e-200).times(&Unrounded::of(1e-200));
    assert_eq!(tiny.sign(), None);
    let huge = Unrounded::of(1e200).times(&Unrounded::of(1e200));
    assert_eq!(huge.sign(), None);
    assert_eq!(
        Big::of(1e-200).times(&Big::of(1e-200)).sign(),
        Sign::Positive
    );
}

#[test]
fn the_filter_abstains_where_underflow_could_hide_a_term() {
    let tiny = Bounded::of(1e-200).times(&Bounded::of(1e-200));
    assert_eq!(tiny.sign(), None);
    assert_eq!(tiny.value_within(0.5), None);
}

#[test]
fn the_filter_knows_zero_where_every_term_has_a_factor_zero() {
    let zero = Bounded::difference(0.1, 0.1).times(&Bounded::of(3.0));
    assert_eq!(zero.sign(), Some(Sign::Zero));
    let unknown = Bounded::of(0.1).times(&Bounded::of(0.1));
    assert_eq!(unknown.minus(&unknown).sign(), None);
}
