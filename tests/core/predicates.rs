//! The filter's bound rederived, and the exact forms held against rationals.

use std::cmp::Ordering;

use carom::geom::{Displacement, Edge, Motion, Point, RadiusSum, Vec2};
use carom::predicates::compensated::{self, Compensated, Rounded};
use carom::predicates::double_double::DoubleDouble;
use carom::predicates::error_bounds::{self, Depth, Squares};
use carom::predicates::exact::{self, Big};
use carom::predicates::filter::Bounded;
use carom::predicates::number::{Number, Polynomial};
use carom::predicates::{
    CoordinateAtCrossing, Cross, Crossing, Dot, FootSquares, GapAtTime, Length, Sign,
    SquareDifference, SquaredLength, TimeDifference,
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
    let doubled = polynomial.evaluate::<DoubleDouble>();
    if let Some(sign) = doubled.sign() {
        prop_assert_eq!(ordering(sign), expected, "doubled");
    }
    let [high, low] = doubled.parts();
    if high.is_finite() && low.is_finite() {
        let error = Rational::of(high).plus(&Rational::of(low)).minus(&truth);
        prop_assert!(
            !doubled.is_exact() || error.sign() == Ordering::Equal,
            "exact"
        );
    }
    if doubled.error().is_finite() {
        let error = Rational::of(high)
            .plus(&Rational::of(low))
            .minus(&truth)
            .abs();
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

fn vector(from: Point, to: Point) -> Vectors<f64> {
    Vectors::from(to) - Vectors::from(from)
}

/// The depth of a point behind an edge, if a filter would compare it, with the exact overlap and
/// squared length.
fn depth(edge: Edge, point: Point) -> Option<(Depth<f64>, Rational, Rational)> {
    let (direction, gap) = (vector(edge.start, edge.end), vector(edge.start, point));
    let size = gap.map(f64::abs);
    let error = error_bounds::cross_error(direction, size);
    let overlap = direction.cross(gap);
    let length_squared = direction.length_squared();
    let is_compared = error_bounds::is_usual(size.x.max(size.y))
        && error <= overlap.abs()
        && length_squared > error_bounds::SMALLEST_SQUARED_LENGTH
        && length_squared < error_bounds::LARGEST_SIZE * error_bounds::LARGEST_SIZE;
    is_compared.then(|| {
        let gap = Displacement::between(edge.start, point);
        (
            Depth::new(overlap, error, length_squared),
            Cross(edge.displacement(), gap).evaluate(),
            SquaredLength(edge.displacement()).evaluate(),
        )
    })
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
        [coordinate(), coordinate(), coordinate()]
            .prop_map(|radii| Length::Number(RadiusSum::new(radii.map(f64::abs)))),
        (motion(), displacement()).prop_map(|(motion, gap)| Length::AcrossMotion(motion, gap)),
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
        agrees(&Dot(edge.displacement(), gap))?;
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
        for is_y in [false, true] {
            agrees(&CoordinateAtCrossing { crossing: first, start: second.gap, is_y })?;
        }
    }

    #[test]
    fn the_gap_at_a_time_has_its_exact_sign(crossing in crossing(), time in coordinate()) {
        agrees(&GapAtTime(crossing, time))?;
    }

    #[test]
    fn one_bound_covers_a_box(edge in edge(), point in point(), beyond in 1.0..3.0f64) {
        let vector = |from: Point, to: Point| Vec2::new(to.x - from.x, to.y - from.y);
        let (direction, gap) = (vector(edge.start, edge.end), vector(edge.start, point));
        let size = Vec2::new(gap.x.abs() * beyond, gap.y.abs() * beyond);
        let error = error_bounds::cross_error(direction, size);
        if error_bounds::is_usual(size.x.max(size.y)) && error.is_finite() {
            let truth = Cross(edge.displacement(), Displacement::between(edge.start, point)).evaluate::<Rational>();
            let value = Rational::of(direction.cross(gap));
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
        // Neither lost to underflow nor large.
        let is_usual = |a: f64, b: f64| a == 0.0 || b == 0.0 || (1e-120..1e120).contains(&(a * b).abs());
        let are_usual = |a: Vectors<f64>, b: Vectors<f64>| is_usual(a.x, b.x) && is_usual(a.y, b.y);
        if are_usual(vector(edge), vector(other)) {
            let Rounded { value: dot, error } = kept(edge).dot(&kept(other));
            let truth = Dot(edge.displacement(), other.displacement()).evaluate::<Rational>();
            let off = Rational::of(dot).minus(&truth).abs();
            prop_assert!(off.is_at_most(&Rational::of(error)));
            let Rounded { value: cross, error } = kept(edge).turned_left().dot(&kept(other));
            let truth = Cross(edge.displacement(), other.displacement()).evaluate::<Rational>();
            if are_usual(vector(edge).turned_left(), vector(other)) {
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
                Truth::Dot => Dot(edge.displacement(), gap_between).evaluate(),
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
    fn accurate_overlaps_give_accurate_depths(edge in edge(), point in point()) {
        if let Some((depth, overlap, length_squared)) = depth(edge, point)
            && error_bounds::is_accurate(depth.overlap, depth.error)
        {
            let size = Rational::of(depth.overlap.abs() / depth.length_squared.sqrt());
            let (square, truth) = (size.squared().times(&length_squared), overlap.squared());
            let allowed = Rational::of(2.2 * error_bounds::ACCURATE).times(&truth);
            prop_assert!(square.minus(&truth).abs().is_at_most(&allowed));
        }
    }

    #[test]
    fn rivals_are_told_within_their_bound(edges in (edge(), edge()), points in (point(), point())) {
        let depths = depth(edges.0, points.0).zip(depth(edges.1, points.1));
        if let Some(((own, overlap, length), (other, other_overlap, other_length))) = depths {
            let signed = |overlap: &Rational| overlap.times(&overlap.clone().abs());
            let truth = signed(&overlap).times(&other_length);
            let difference = signed(&other_overlap).times(&length).minus(&truth);
            let [may_be, as_good] = own.rivals(&other);
            let [square, other_square] = own.squares(&other);
            if !may_be {
                prop_assert_eq!(difference.sign(), other_square.total_cmp(&square));
            } else if as_good {
                let equal = Rational::of(2.1 * error_bounds::EQUALLY_GOOD).times(&truth.abs());
                prop_assert!(difference.abs().is_at_most(&equal));
            }
        }
    }

    #[test]
    fn one_bound_covers_distances_from_chords(of_a in edge(), of_b in edge()) {
        let (a, b) = (vector(of_a.end, of_a.start), vector(of_b.start, of_b.end));
        let coordinates = |coordinate: fn(Point) -> f64| [of_a.start, of_a.end, of_b.start, of_b.end].map(coordinate);
        let span = |all: [f64; 4]| all.iter().copied().fold(f64::MIN, f64::max) - all.iter().copied().fold(f64::MAX, f64::min);
        let size = Vectors { x: span(coordinates(|point| point.x)), y: span(coordinates(|point| point.y)) };
        let direction = a + b;
        let square = direction.length_squared();
        let is_in_one_quadrant = a.x * b.x >= 0.0 && a.y * b.y >= 0.0;
        if is_in_one_quadrant && error_bounds::box_error(size, size).is_finite() && square > error_bounds::SMALLEST_SQUARED_LENGTH {
            let distance = direction.cross(vector(of_b.start, of_a.start)) / square.sqrt();
            let gap = Displacement::between(of_b.start, of_a.start);
            let part = |edge: Edge| Cross(edge.displacement(), gap).evaluate::<Rational>();
            let overlap = part(of_a.reversed()).plus(&part(of_b));
            let component = |coordinate: fn(Point) -> f64| {
                let of = |edge: Edge| Rational::difference(coordinate(edge.end), coordinate(edge.start));
                of(of_a.reversed()).plus(&of(of_b)).squared()
            };
            let length_squared = component(|point| point.x).plus(&component(|point| point.y));
            let error = Rational::of(error_bounds::distance_error(size));
            let distance = Rational::of(distance);
            let scaled = |distance: Rational| distance.squared().times(&length_squared);
            prop_assert!(overlap.squared().is_at_most(&scaled(distance.clone().abs().plus(&error))));
            if !distance.clone().abs().is_at_most(&error) {
                prop_assert_eq!(distance.sign(), overlap.sign());
                prop_assert!(scaled(distance.abs().minus(&error)).is_at_most(&overlap.squared()));
            }
        }
    }

    #[test]
    fn times_that_pass_as_accurate_place_a_point(line in edge(), mover in point(), velocity in crate::numbers::vector()) {
        let inward = Compensated::new(line.end.into(), line.start.into()).turned_left();
        let Rounded { value, error } = inward.dot(&Compensated::new(mover.into(), line.start.into()));
        let distance = Rounded { value: -value, error };
        let speed = inward.dot(&Compensated::exact(velocity));
        let time = distance.value / speed.value;
        let longest = velocity.x.abs().max(velocity.y.abs());
        let [start, end, mover_at] = [line.start, line.end, mover].map(Vectors::from);
        let extent = compensated::extent([start, end, start, mover_at]).max(longest);
        if time < 1.0 && compensated::is_accurate_time(time, [distance, speed], extent, longest) {
            let gap = Displacement::between(mover, line.start);
            let distance = Cross(line.displacement(), gap).evaluate::<Rational>();
            let speed = Cross(line.displacement(), Edge::from_origin(velocity).displacement()).evaluate::<Rational>();
            let off = Rational::of(time).times(&speed).minus(&distance).abs();
            let allowed = Rational::of(4.0 * f64::EPSILON).times(&Rational::of(extent)).times(&speed);
            prop_assert!(off.times(&Rational::of(longest)).is_at_most(&allowed));
        }
    }

    #[test]
    fn feet_are_told_exactly(edge in edge(), gap in displacement(), velocity in motion(), radii in [coordinate(), coordinate(), coordinate()]) {
        let radius = RadiusSum::new(radii.map(f64::abs));
        agrees(&FootSquares { edge, gap, velocity, radius })?;
    }
}

/// Two overlaps that are clear of their errors, with squares that are not alike: the true squares
/// are in the order of the rounded ones. The roundings of squares and products come on top.
#[test]
fn squares_that_do_not_tie_are_in_order() {
    let one = Rational::of(1.0);
    // |rounded / true - 1| is at most 1 / DEPTH_MARGIN and a little; twice that for a square.
    let off = Rational::of(2.0 / error_bounds::DEPTH_MARGIN + error_bounds::ROUNDINGS);
    let clear = Rational::of(1.01).times(&off);
    let least_ratio = one.minus(&Rational::of(error_bounds::TIED_DEPTHS));
    let (low, high) = (one.minus(&clear), one.plus(&clear));
    assert!(least_ratio.times(&high).is_at_most(&low));
}

/// Exponents of the constants that keep products in the normal range of floats.
#[test]
fn products_of_usual_sizes_are_normal() {
    let exponent = |power: f64| i32::try_from(power.to_bits() >> 52).unwrap() - 1023;
    let [smallest, largest, error, length, beyond] = [
        error_bounds::SMALLEST_SIZE,
        error_bounds::LARGEST_SIZE,
        error_bounds::SMALLEST_ERROR,
        error_bounds::SMALLEST_SQUARED_LENGTH,
        error_bounds::BEYOND_ANY_OVERLAP,
    ]
    .map(exponent);
    // A product of two squares with a third, of the largest and of the smallest sizes.
    assert!(6 * (largest + 1) < f64::MAX_EXP && 6 * smallest > f64::MIN_EXP);
    // A squared overlap at its error bound times a squared length.
    assert!(2 * error + length > f64::MIN_EXP);
    // An overlap is a cross product in a box; squared, it meets a squared length.
    assert!(beyond > 2 * largest + 2 && 2 * beyond + 2 * largest + 2 < f64::MAX_EXP);
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
    let straight = Motion::between(Point::new(1.0, 1.0), Point::ORIGIN);
    let widest = straight.relative_to(straight);
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
        radius: 0.0.into(),
    };
    [
        SquareDifference(across, across).evaluate::<Roundings>(),
        TimeDifference(crossing, crossing).evaluate(),
        CoordinateAtCrossing {
            crossing,
            start: shifted,
            is_y: false,
        }
        .evaluate(),
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
    let tiny = DoubleDouble::of(1e-200).times(&DoubleDouble::of(1e-200));
    assert_eq!(tiny.sign(), None);
    let huge = DoubleDouble::of(1e200).times(&DoubleDouble::of(1e200));
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
