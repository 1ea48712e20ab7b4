//! Filters leave open what they can't know: cases made to lie within their bounds.

use std::cmp::Ordering;

use carom::geom::{Displacement, Edge, Motion, Point, RadiusSum, Turn, Vec2};
use carom::predicates::bounds::point_edge_filter::{
    Closeness, DISTANCE_MARGIN, EdgeProjection, LeastDistance,
};
use carom::predicates::bounds::square_errors::Squares;
use carom::predicates::bounds::swept_circle_filter::CirclePath;
use carom::predicates::numbers::compensated_differences::{self, Rounded};
use carom::predicates::numbers::double_double::DoubleDouble;
use carom::predicates::numbers::polynomial::{Number, Polynomial};
use carom::predicates::numbers::unrounded_grid::Grid;
use carom::predicates::numbers::verdict::Verdict;
use carom::predicates::{
    Crossing, GapAtTime, GapFeature, TurningGap, bounds::within_distance_filter,
    signs::depth_comparison,
};
use carom::simd::lanes::Vectors;
use proptest::prelude::*;

use crate::numbers::{Rational, beside, with_all_bits};

fn of(value: f64) -> Rational {
    Rational::of(value)
}

fn vector() -> impl Strategy<Value = Vectors<f64>> {
    (with_all_bits(), with_all_bits()).prop_map(|(x, y)| Vectors { x, y })
}

fn steps() -> impl Strategy<Value = [i64; 2]> {
    [-3..=3i64, -3..=3]
}

fn dot(a: &[Rational; 2], b: &[Rational; 2]) -> Rational {
    a[0].times(&b[0]).plus(&a[1].times(&b[1]))
}

fn cross(a: &[Rational; 2], b: &[Rational; 2]) -> Rational {
    a[0].times(&b[1]).minus(&a[1].times(&b[0]))
}

fn exact(vector: Vectors<f64>) -> [Rational; 2] {
    [of(vector.x), of(vector.y)]
}

#[test]
fn a_place_is_on_a_grid_only_if_both_coordinates_are() {
    let grid = Grid::new(1.0);
    for (x, y, is_on) in [
        (0.25, 0.5, true),
        (0.25, 0.1, false),
        (0.1, 0.25, false),
        (0.1, 0.1, false),
    ] {
        assert_eq!(grid.holds_both(Vectors { x, y }), is_on);
    }
}

#[test]
fn an_eighth_of_the_span_is_on_both_grids_and_a_tenth_on_neither() {
    for grid in [Grid::new(1.0), Grid::for_products_of_squares(1.0)] {
        assert!(grid.holds(0.125));
        assert!(!grid.holds(0.1));
    }
}

#[test]
fn the_least_distance_is_certain_only_above_the_margin_at_any_scale() {
    for exponent in [-40, -1, 0, 1, 40] {
        let square = 4f64.powi(exponent);
        let least = LeastDistance::of(square, square, false);
        assert!(least.is_certain(0.5 * square / DISTANCE_MARGIN));
        assert!(!least.is_certain(2.0 * square / DISTANCE_MARGIN));
    }
}

#[test]
fn an_overlap_has_the_margin_of_depths_only_above_it() {
    let margin = depth_comparison::DEPTH_MARGIN;
    assert!(depth_comparison::has_margin(1.0, 0.5 / margin));
    assert!(!depth_comparison::has_margin(1.0, 2.0 / margin));
}

/// The square root of such a square is not known to a few roundings.
#[test]
fn a_depth_along_a_direction_whose_square_underflows_has_no_bounds() {
    assert_eq!(
        depth_comparison::depth_range(1.0, 0.0, 1e-320),
        [f64::NEG_INFINITY, f64::INFINITY]
    );
}

/// Both squares are rounded, whatever the error of the gap is.
#[test]
fn a_gap_of_the_distance_itself_is_not_certainly_beyond() {
    let along_x = Vectors { x: 1.0, y: 0.0 };
    let squares = Squares {
        sum: 1.0,
        error: 0.0,
        error_of_products: 0.0,
    };
    assert!(!within_distance_filter::gap_within(along_x, along_x, 1.0, &squares).no);
    assert!(within_distance_filter::gap_within(along_x, along_x, 1.0 - 1e-12, &squares).no);
}

#[test]
fn the_least_distance_is_not_certain_where_any_number_of_edges_tie() {
    for count in 2..6 {
        let mut least = LeastDistance::of(1.0, 1.0, false);
        for _ in 1..count {
            least.offer_square(1.0, 1.0);
        }
        assert!(!least.is_certain(1e-15));
    }
}

#[test]
fn both_hold_if_each_does_and_not_if_one_does_not() {
    let verdict = |decided: Option<bool>| Verdict {
        yes: decided == Some(true),
        no: decided == Some(false),
    };
    let all = [None, Some(false), Some(true)];
    for (one, other) in all
        .into_iter()
        .flat_map(|one| all.map(|other| (one, other)))
    {
        let both = match (one, other) {
            (Some(true), Some(true)) => Some(true),
            (Some(false), _) | (_, Some(false)) => Some(false),
            _ => None,
        };
        assert_eq!(verdict(one).and(verdict(other)).decided(), both);
    }
}

#[test]
fn a_double_double_within_its_error_has_no_sign() {
    let factor = DoubleDouble::of(1.0 + f64::EPSILON);
    let product = factor.times(&factor).times(&factor);
    for exponent in 30..65 {
        let small = DoubleDouble::of(2f64.powi(-50)).times(&DoubleDouble::of(2f64.powi(-exponent)));
        let sum = product.minus(&product).plus(&small);
        let [high, _] = sum.parts();
        assert!(!sum.is_exact() && (sum.sign().is_none() || high > sum.error()));
    }
}

#[test]
fn a_speed_that_underflow_may_have_left_does_not_pass_as_accurate() {
    let number = |value: f64| Rounded { value, error: 0.0 };
    let passes = |speed: f64| {
        compensated_differences::is_accurate_time(0.5, [number(0.5), number(speed)], 1.0, 1.0)
    };
    assert!(passes(1.0) && !passes(2f64.powi(-400)) && !passes(2f64.powi(-500)));
}

#[test]
fn a_distance_that_underflow_may_have_left_does_not_pass_as_accurate() {
    let number = |value: f64| Rounded { value, error: 0.0 };
    let passes = |distance: f64| {
        compensated_differences::is_accurate_time(
            distance,
            [number(distance), number(1.0)],
            1.0,
            1.0,
        )
    };
    assert!(passes(0.5) && !passes(2f64.powi(-400)) && !passes(0.0));
}

/// The vertex crosses the line of the edge at a sixth of the frame, at half of it and at five sixths, only at
/// the second beside the edge.
#[test]
fn a_contact_where_a_range_of_time_is_halved_is_found() {
    let edge = Edge::new(Point::new(-2.0, 0.0), Point::new(-0.5, 0.0));
    let turn = Turn {
        angle: 3.0 * std::f64::consts::PI,
        center: Point::ORIGIN,
    };
    let gap = TurningGap::new(
        (edge, Turn::NONE),
        (Point::new(0.0, -1.0), turn),
        None,
        Motion::from(Vec2::ZERO),
        RadiusSum::from(0.0),
    );
    let found = gap.first_contact(GapFeature::Edge, [0.0, 1.0]);
    assert!(found.is_some_and(|it| (it.time - 0.5).abs() < 1e-15));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn a_point_that_all_but_ends_at_a_point_of_the_line_may_not_miss_it(
        line in vector(),
        gap in vector(),
        steps in steps(),
        is_shifted: bool,
    ) {
        let back = beside(gap.times(-1.0), steps);
        let back = Motion::from(Vec2::new(back.x, back.y));
        let still = Motion::from(Vec2::ZERO);
        let (shift, velocity) = if is_shifted { (Some(back), still) } else { (None, back) };
        let between = Displacement::between(Point::ORIGIN, Point::new(gap.x, gap.y));
        let crossing = Crossing {
            line: Edge::from_origin(Vec2::new(line.x, line.y)),
            gap: Displacement { shift, ..between },
            velocity,
        };
        if crossing.surely_misses() {
            let side = |time| GapAtTime(crossing, time).evaluate::<Rational>().sign();
            prop_assert!(side(0.0) == Ordering::Greater || side(1.0) == Ordering::Less);
        }
    }

    #[test]
    fn distances_beyond_a_radius_are_known_to_ten_digits_near_contact_at_any_scale(
        edge in vector(),
        along in 0.0..1.0f64,
        steps in steps(),
        exponent in -30..30i32,
        is_edge: bool,
        part in prop_oneof![Just(0.7), Just(1e-3)],
    ) {
        let scale = 2f64.powi(exponent);
        let edge = edge.times(scale);
        let length = edge.length_squared().sqrt();
        prop_assume!(length > 0.0);
        let away = edge.turned_left().times(-part);
        let gap = beside(if is_edge { edge.times(along) + away } else { away }, steps);
        let at = EdgeProjection::along(gap, edge);
        let radius = away.length_squared().sqrt();
        let (beyond, is_known) = at.distance_beyond(is_edge, radius);
        if is_known {
            // Near contact the difference of the squares is that of the lengths times twice the radius.
            let (gap, edge) = (exact(gap), exact(edge));
            let per_radius = of(beyond).times(&of(2.0 * radius));
            let square = of(radius).squared();
            let (difference, found) = if is_edge {
                let length_squared = dot(&edge, &edge);
                let difference = cross(&edge, &gap).squared().minus(&square.times(&length_squared));
                (difference, per_radius.times(&length_squared))
            } else {
                (dot(&gap, &gap).minus(&square), per_radius)
            };
            let off = found.minus(&difference).abs();
            prop_assert!(off.is_at_most(&difference.clone().abs().times(&of(1e-6))));
            prop_assert_eq!(Some(difference.sign()), beyond.partial_cmp(&0.0));
        }
    }

    #[test]
    fn a_circle_that_all_but_touches_a_corner_reaches_it_if_the_filter_says_so(
        away in vector(),
        steps in steps(),
    ) {
        // Both edges lead away from the circle, so that the corner is nearest.
        let aside = away.turned_left().times(0.5);
        let (center, corner) = (beside(away, steps), away.times(0.0));
        let (left, right) = (aside - away, away.times(-1.0) - aside);
        let radius = away.length_squared().sqrt();
        let size = [center, left, right].map(|it| it.map(f64::abs));
        let squares = Squares::new(size[0] + size[1] + size[2], radius);
        let edges = [(corner, left), (left, right), (right, corner)];
        let closeness = edges.into_iter().fold(Closeness::of_none(radius), |least, (start, end)| {
            least.with(&EdgeProjection::new(center, start, end), radius)
        });
        if let Some(reaches) = closeness.verdict(radius, &squares).decided() {
            let center = exact(center);
            prop_assert_eq!(reaches, dot(&center, &center).is_at_most(&of(radius).squared()));
        }
    }

    #[test]
    fn a_circle_that_ends_beside_a_vertex_does_not_surely_fall_short(
        velocity in vector(),
        part in 0.5..2.0f64,
        steps in steps(),
    ) {
        let aside = velocity.turned_left().times(part);
        let gap = beside(aside - velocity, steps);
        let size = gap.map(f64::abs);
        let near = CirclePath::new(size, 0.0, velocity).comes_near(gap);
        if near.falls_short {
            let ([x, y], [u, v]) = (exact(gap), exact(velocity));
            let at_end = [x.plus(&u), y.plus(&v)];
            prop_assert_eq!(dot(&[u, v], &at_end).sign(), Ordering::Less);
        }
    }

    #[test]
    fn a_circle_that_grazes_a_vertex_or_ends_on_it_is_told_within_the_bounds(
        velocity in vector(),
        aside in -1.0..=1.0f64,
        is_grazing: bool,
        more in 0.0..2.0f64,
        radius in 0.1..4.0f64,
        steps in steps(),
        exponent in prop_oneof![Just(0), -20..20i32],
    ) {
        let scale = 2f64.powi(exponent);
        let (velocity, radius) = (velocity.times(scale), radius * scale);
        let speed = velocity.length_squared().sqrt();
        prop_assume!(speed > 1e-3 * scale);
        let (ahead, across) = (velocity.times(1.0 / speed), velocity.turned_left().times(1.0 / speed));
        let gap = if is_grazing {
            across.times(radius) - velocity.times(more)
        } else {
            across.times(radius * aside) - ahead.times(radius * (1.0 - aside * aside).sqrt()) - velocity
        };
        let gap = beside(gap, steps);
        let path = CirclePath::new(gap.map(f64::abs), radius, velocity);
        let arrival = path.to_vertex(&EdgeProjection::along(gap, velocity));
        let (gap, velocity, radius) = (exact(gap), exact(velocity), of(radius));
        let outside = dot(&gap, &gap).minus(&radius.squared());
        prop_assume!(outside.sign() == Ordering::Greater);
        let Some(arrives) = arrival.verdict.decided() else { return Ok(()) };
        let approach = of(0.0).minus(&dot(&gap, &velocity));
        let path = dot(&velocity, &velocity);
        let discriminant = radius.squared().times(&path).minus(&cross(&velocity, &gap).squared());
        let at_end = outside.minus(&approach).minus(&approach).plus(&path);
        let truth = approach.sign() == Ordering::Greater
            && discriminant.sign() != Ordering::Less
            && (approach.is_at_most(&path) || at_end.sign() != Ordering::Greater);
        prop_assert_eq!(arrives, truth);
        if arrives {
            // The time is `(approach - √discriminant) / path`.
            let [least, most] = [1.0 - 4e-11, 1.0 + 4e-11].map(|part| {
                approach.minus(&of(arrival.time).times(&of(part)).times(&path))
            });
            let is_at_least = |rest: &Rational| {
                rest.sign() != Ordering::Less && discriminant.is_at_most(&rest.squared())
            };
            prop_assert!(is_at_least(&least) && (!is_at_least(&most) || most.squared().is_at_most(&discriminant)));
        }
    }
}
