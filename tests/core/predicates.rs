//! The filter's bound rederived, and the exact forms held against rationals.

use std::cmp::Ordering;

use carom::geom::{Displacement, Edge, Motion, Point, RadiusSum, Vec2};
use carom::predicates::bounds::square_errors::Squares;
use carom::predicates::numbers::ball::Ball;
use carom::predicates::numbers::bounded::Bounded;
use carom::predicates::numbers::compensated_differences::{self, Compensated, Rounded};
use carom::predicates::numbers::double_double::DoubleDouble;
use carom::predicates::numbers::exact::{self, Big};
use carom::predicates::numbers::polynomial::{Number, Polynomial};
use carom::predicates::signs::depth_comparison::Depth;
use carom::predicates::{
    BigBall, CoordinateAtCrossing, Cross, Crossing, Dot, FootSquares, GapAtTime, LaneRotation,
    Length, Sign, SquareDifference, SquaredLength, TimeDifference, bounds::error_bounds,
    compare_lengths, numbers::ten_digits, signs::depth_comparison,
};
use carom::simd::lanes::Vectors;
use proptest::prelude::*;

use crate::numbers::{
    Rational, Roundings, angles, coordinate, displacement, edge, motion, point, wide,
};

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
    let is_compared = error_bounds::is_usual_size(size.x.max(size.y))
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

/// Half of them from the origin, with components of any size.
fn edge_and_point() -> impl Strategy<Value = (Edge, Point)> {
    let wide = (wide(), wide(), wide(), wide());
    let from_origin =
        wide.prop_map(|(x, y, u, v)| (Edge::from_origin(Vec2::new(x, y)), Point::new(u, v)));
    prop_oneof![(edge(), point()), from_origin]
}

/// A value and an error, at a few scales far from each other.
fn rounded() -> impl Strategy<Value = Rounded<f64>> {
    let number = || {
        (0.5..1.0f64, prop_oneof![0..4, 40..60]).prop_map(|(x, e): (f64, i32)| x * 2f64.powi(-e))
    };
    (number(), number()).prop_map(|(value, error)| Rounded { value, error })
}

fn least_and_most(it: Rounded<f64>) -> [Rational; 2] {
    [-it.error, it.error].map(|off| Rational::of(it.value).plus(&Rational::of(off)))
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
    fn a_length_equals_its_images_and_no_other(
        length in length(),
        image in 0..8_u8,
        is_back in any::<bool>(),
        change in prop_oneof![Just(0.0), Just(1.0), wide()],
    ) {
        let point = |it: Point| {
            let Point { x, y } = it;
            let (x, y) = if image & 4 == 0 { (x, y) } else { (y, x) };
            Point::new(if image & 1 == 0 { x } else { -x }, if image & 2 == 0 { y } else { -y })
        };
        let ends = |from: Point, to: Point| if is_back { (to, from) } else { (from, to) };
        let gap = |it: Displacement| {
            let (from, to) = ends(point(it.from), point(it.to));
            Displacement::between(from, Point::new(to.x + change, to.y))
        };
        let other = match length {
            Length::Across(edge, across) => {
                Length::Across(Edge::new(point(edge.start), point(edge.end)), gap(across))
            }
            Length::Whole(whole) => Length::Whole(gap(whole)),
            other => other,
        };
        let expected = SquareDifference(length, other).evaluate::<Rational>().sign();
        prop_assert_eq!(compare_lengths(length, other), expected);
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
        let gap = GapAtTime(crossing, time);
        agrees(&gap)?;
        prop_assert_eq!(crossing.compare_with(time), gap.evaluate::<Rational>().sign().reverse());
    }

    #[test]
    fn one_bound_covers_a_box((edge, point) in edge_and_point(), beyond in 1.0..3.0f64) {
        let vector = |from: Point, to: Point| Vec2::new(to.x - from.x, to.y - from.y);
        let (direction, gap) = (vector(edge.start, edge.end), vector(edge.start, point));
        let size = Vec2::new(gap.x.abs() * beyond, gap.y.abs() * beyond);
        let error = error_bounds::cross_error(direction, size);
        if error_bounds::is_usual_size(size.x.max(size.y)) && error.is_finite() {
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
    fn precise_cross_products_are_those_of_double_doubles(edge in edge(), other in edge(), along in -2.0..2.0f64) {
        // Also of vectors that are parallel up to rounding.
        let beside = Edge::new(other.start, Point::new(
            other.start.x + along * (edge.end.x - edge.start.x),
            other.start.y + along * (edge.end.y - edge.start.y),
        ));
        for other in [other, beside] {
            let kept = |edge: Edge| Compensated::new(edge.end.into(), edge.start.into());
            let size = |edge: Edge| Vectors { x: edge.end.x - edge.start.x, y: edge.end.y - edge.start.y }.map(f64::abs);
            let bound = error_bounds::box_error(size(edge), size(other));
            // Without a bound there may be NaN, also where one vector is zero.
            if bound.is_finite() && size(edge).largest() < error_bounds::LARGEST_SIZE {
                let polynomial = Cross(edge.displacement(), other.displacement());
                let (cross, is_exact) = kept(edge).cross(&kept(other));
                let doubled = polynomial.evaluate::<DoubleDouble>();
                prop_assert_eq!(cross, doubled.parts()[0]);
                prop_assert!(!is_exact || doubled.is_exact());
                if cross.abs() > bound * compensated_differences::PRECISE {
                    let truth = polynomial.evaluate::<Rational>();
                    prop_assert_eq!(cross > 0.0, truth.sign() == Ordering::Greater);
                }
            }
        }
    }

    #[test]
    fn rounded_cross_products_are_taken_where_the_filter_takes_them(edge in edge(), other in edge()) {
        let kept = |edge: Edge| Compensated::new(edge.end.into(), edge.start.into());
        let (value, is_accurate) = kept(edge).rounded_cross(&kept(other));
        let bounded = Cross(edge.displacement(), other.displacement()).evaluate::<Bounded>();
        if bounded.error().is_finite() {
            prop_assert_eq!(value, bounded.value());
            prop_assert_eq!(is_accurate, value.abs() * 1e-11 > bounded.error());
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
                let equal = Rational::of(2.1 * depth_comparison::EQUALLY_GOOD).times(&truth.abs());
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
        let extent = compensated_differences::extent([start, end, start, mover_at]).max(longest);
        if time < 1.0 && compensated_differences::is_accurate_time(time, [distance, speed], extent, longest) {
            let gap = Displacement::between(mover, line.start);
            let distance = Cross(line.displacement(), gap).evaluate::<Rational>();
            let speed = Cross(line.displacement(), Edge::from_origin(velocity).displacement()).evaluate::<Rational>();
            let off = Rational::of(time).times(&speed).minus(&distance).abs();
            let allowed = Rational::of(4.0 * f64::EPSILON).times(&Rational::of(extent)).times(&speed);
            prop_assert!(off.times(&Rational::of(longest)).is_at_most(&allowed));
        }
    }

    #[test]
    fn fractions_that_pass_as_accurate_place_a_point(
        s in rounded(),
        t in rounded(),
        extent in 1.0..4.0f64,
        part in 0.0..=1.0f64,
        exponent in -60..60i32,
    ) {
        // Values are products of two lengths.
        let scale = 2f64.powi(exponent);
        let scaled = |it: Rounded<f64>, sign: f64| Rounded {
            value: sign * it.value * scale * scale,
            error: it.error * scale * scale,
        };
        let (s, t, extent) = (scaled(s, 1.0), scaled(t, -1.0), extent * scale);
        let longest = extent * part;
        if compensated_differences::is_accurate_fraction([s, t], extent, longest) {
            let fraction = Rational::of(s.value / (s.value - t.value));
            for (s, t) in least_and_most(s).iter().flat_map(|s| least_and_most(t).map(|t| (s.clone(), t))) {
                let difference = s.minus(&t);
                prop_assert_eq!(difference.sign(), Ordering::Greater);
                let off = fraction.times(&difference).minus(&s).abs();
                let allowed = Rational::of(4.0 * f64::EPSILON).times(&Rational::of(extent)).times(&difference);
                prop_assert!(off.times(&Rational::of(longest)).is_at_most(&allowed));
            }
        }
    }

    #[test]
    fn times_that_pass_as_accurate_place_a_point_whatever_the_errors(distance in rounded(), speed in rounded(), extent in 1.0..4.0f64, part in 0.0..=1.0f64) {
        let (time, longest) = (distance.value / speed.value, extent * part);
        if time < 1.0 && compensated_differences::is_accurate_time(time, [distance, speed], extent, longest) {
            for (distance, speed) in least_and_most(distance).iter().flat_map(|distance| least_and_most(speed).map(|speed| (distance.clone(), speed))) {
                let zero = Rational::of(0.0);
                prop_assert!(!distance.is_at_most(&zero) && !speed.is_at_most(&zero));
                let off = Rational::of(time).times(&speed).minus(&distance).abs();
                let allowed = Rational::of(4.0 * f64::EPSILON).times(&Rational::of(extent)).times(&speed);
                prop_assert!(off.times(&Rational::of(longest)).is_at_most(&allowed));
            }
        }
    }

    #[test]
    fn depths_within_the_slack_differ_by_little(depth in 0.01..1.0f64, ulps in -1000..1000, lengths in [0.1..10.0f64, 0.1..10.0], beyond in 4.0..100.0f64, exponent in -30..30) {
        let [depth, lengths @ ..] = [depth, lengths[0], lengths[1]].map(|it| it * 2f64.powi(exponent));
        let extent = depth * beyond;
        let other = depth + f64::from(ulps) * 0.1 * f64::EPSILON * extent;
        let [own, other] = [(depth, lengths[0]), (other, lengths[1])].map(|(depth, length)| Depth::new(depth * length, 0.0, length * length));
        if own.is_within(&other, own.slack(extent)) {
            let [own, other] = [own, other].map(|it| it.overlap / it.length_squared.sqrt());
            // Half of what the public contract allows a length.
            prop_assert!((own - other).abs() <= 4.0 * f64::EPSILON * extent);
        }
    }

    #[test]
    fn a_product_passes_as_exact_only_if_its_error_is_a_float(a in 1.0..2.0f64, b in 1.0..2.0f64, exponent in -540..-400) {
        let [a, b] = [a, b].map(|it| it * 2f64.powi(exponent));
        let product = DoubleDouble::of(a).times(&DoubleDouble::of(b));
        if product.is_exact() {
            let [high, low] = product.parts().map(Rational::of);
            let truth = Rational::of(a).times(&Rational::of(b));
            prop_assert_eq!(high.plus(&low).minus(&truth).sign(), Ordering::Equal);
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
    let off = Rational::of(2.0 / depth_comparison::DEPTH_MARGIN + error_bounds::ROUNDINGS);
    let clear = Rational::of(1.01).times(&off);
    let least_ratio = one.minus(&Rational::of(depth_comparison::TIED_DEPTHS));
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
    let most = forms::<Roundings>().into_iter().map(|it| it.0).max();
    let most = most.expect("there are forms");
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

/// The polynomials that are asked about with the most operations, and one whose steps come before a product.
pub(crate) fn forms<N: Number>() -> Vec<N> {
    let edge = Edge::from_origin(Vec2::new(2.0, 3.0));
    let straight = Motion::between(Point::new(1.0, 2.0), Point::new(4.0, 7.0));
    let widest = straight.relative_to(straight);
    let shifted = edge.displacement().shifted(widest);
    let across = Length::Across(edge, shifted);
    let across_motion = Length::AcrossMotion(widest, shifted);
    let radius = RadiusSum::from(2.0);
    let crossing = Crossing {
        line: edge,
        gap: shifted,
        velocity: widest,
    };
    let foot = FootSquares {
        edge,
        gap: shifted,
        velocity: widest,
        radius,
    };
    let coordinate = CoordinateAtCrossing {
        crossing,
        start: shifted,
        is_y: false,
    };
    vec![
        SquareDifference(across, across).evaluate(),
        SquareDifference(across_motion, across_motion).evaluate(),
        SquareDifference(across, Length::Whole(shifted)).evaluate(),
        SquareDifference(Length::Whole(shifted), Length::Number(radius)).evaluate(),
        TimeDifference(crossing, crossing).evaluate(),
        GapAtTime(crossing, 0.5).evaluate(),
        coordinate.evaluate(),
        foot.evaluate(),
    ]
}

/// The filter tracks the roundings itself; this is the independent count.
#[test]
fn the_filter_counts_roundings_as_the_polynomials_have_them() {
    let counts = forms::<Roundings>().into_iter().map(|it| it.0);
    let tracked = forms::<Bounded>().into_iter().map(Bounded::roundings);
    assert!(tracked.eq(counts));
}

/// The sum of the terms' sizes, and the largest error that the operations of double-doubles may leave: 3 and
/// 7 times the square of the unit roundoff, of the sum or the product.
#[derive(Clone)]
struct Doubled {
    size: Rational,
    error: Rational,
}

impl Doubled {
    fn rounded(size: Rational, error: &Rational, units: f64) -> Self {
        let unit = Rational::of(units).times(&Rational::power_of_two(-106));
        let error = error.plus(&size.plus(error).times(&unit));
        Self { size, error }
    }
}

impl Number for Doubled {
    fn difference(a: f64, b: f64) -> Self {
        Self {
            size: Rational::difference(a, b).abs(),
            error: Rational::of(0.0),
        }
    }

    fn of(a: f64) -> Self {
        Self::difference(a, 0.0)
    }

    fn plus(&self, other: &Self) -> Self {
        let error = self.error.plus(&other.error);
        Self::rounded(self.size.plus(&other.size), &error, 3.0)
    }

    fn minus(&self, other: &Self) -> Self {
        self.plus(other)
    }

    fn times(&self, other: &Self) -> Self {
        let most = |it: &Self| it.size.plus(&it.error);
        let size = self.size.times(&other.size);
        let error = most(self).times(&most(other)).minus(&size);
        Self::rounded(size, &error, 7.0)
    }
}

#[test]
fn the_bound_of_double_doubles_covers_all_operations() {
    for (doubled, worst) in forms::<DoubleDouble>().iter().zip(forms::<Doubled>()) {
        assert!(worst.error.is_at_most(&Rational::of(doubled.error())));
    }
}

/// Rounded, the products are two units of the smallest float and minus one; what the differences lost is
/// larger than the sum.
#[test]
fn a_product_that_underflows_has_no_sign() {
    let (least, lost) = (2f64.powi(-537), 0.9 * f64::EPSILON / 2.0);
    let points = |x: f64, y: f64| Vectors { x, y }.times(least);
    let ends = [points(1.5, -(1.5 - f64::EPSILON)), points(1.0, 1.0)];
    let starts = [points(lost, lost), points(lost / 2.0, -lost)];
    let [first, second] = [0, 1].map(|it| Compensated::new(ends[it], starts[it]));
    let between = |it: usize| Displacement::between(starts[it].into(), ends[it].into());
    let truth = Dot(between(0), between(1)).evaluate::<Rational>();
    let rounded = first.dot(&second);
    assert!(rounded.value > 0.0 && truth.sign() == Ordering::Less);
    assert!(!rounded.has_sign());
}

#[test]
fn a_number_known_to_ten_digits_is_between_its_bounds() {
    for number in (-300..300).map(|exponent| 10f64.powi(exponent)) {
        assert!(ten_digits::ten_digits_above(number) >= number * (1.0 + 1e-10));
        assert!(ten_digits::ten_digits_below(number) <= number * (1.0 - 1e-10));
    }
}

#[test]
fn the_extent_of_points_is_the_larger_side_of_their_box_wherever_that_lies() {
    for away in [-64.0, -1.0, 0.0, 64.0] {
        let at = |x: f64, y: f64| Vectors {
            x: away + x,
            y: away - y,
        };
        let points = [at(1.0, 0.25), at(0.0, 0.0), at(0.5, 2.0), at(0.75, 1.0)];
        assert_eq!(compensated_differences::extent(points), 2.0);
        assert_eq!(
            compensated_differences::extent(points.map(Vectors::turned_left)),
            2.0
        );
    }
}

#[test]
fn products_of_differences_in_an_extent_that_passes_as_usual_are_normal() {
    let extents = (-1074..1024).map(|exponent| 2f64.powi(exponent));
    for extent in extents.filter(|&it| compensated_differences::is_usual_extent(it)) {
        assert!((extent * extent).is_normal() && extent.powi(5).is_finite());
    }
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

#[test]
fn rotations_per_lane_are_within_their_bound() {
    let largest = LaneRotation::<f64>::LARGEST;
    let parts = angles(20_000).map(|angle| {
        let angle = angle * (largest / 16_777_216.0);
        let Vectors { x: cos, y: sin } = LaneRotation::by(angle).0;
        let [exact_cos, exact_sin] = BigBall::of(angle).cos_sin(100);
        let off = |rounded, exact: BigBall| exact.minus(&BigBall::of(rounded)).to_f64();
        let error = Vec2::new(off(cos, exact_cos), off(sin, exact_sin)).length();
        error / LaneRotation::<f64>::ERROR
    });
    let part = parts.fold(0.0, f64::max);
    assert!((0.02..0.9).contains(&part), "{part}");
}

/// Of a number of more bits than a size has.
#[test]
fn the_size_of_a_ball_is_no_less_than_that_of_its_numbers() {
    let number = BigBall::of(1.0).plus(&BigBall::of(2f64.powi(-80)));
    assert_eq!(number.size().minus(&number).sign(), Some(Sign::Positive));
}
