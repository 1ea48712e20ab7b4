//! Roundings counted term by term: every bound on an error covers the most that they can leave. Random
//! inputs come nowhere near that, so that a bound half as large would pass with them.
//!
//! Each bound is read from what the code makes of terms of size 1.

use std::cmp::Ordering;

use carom::geom::{Bounds, Displacement, Edge, Motion, Point, Ray, Turn, Vec2};
use carom::predicates::bounds::point_edge_filter::{
    DISTANCE_MARGIN, ERROR_WITH_ENDS, EdgeProjection, FAR, TIED_DISTANCES,
};
use carom::predicates::bounds::square_errors::Squares;
use carom::predicates::bounds::swept_circle_filter::{CirclePath, NORMAL_ERROR, SweptStrip};
use carom::predicates::numbers::ball::{Ball, FloatBall};
use carom::predicates::numbers::bounded::Bounded;
use carom::predicates::numbers::compensated_differences::{self, Compensated, Rounded};
use carom::predicates::numbers::double_double::DoubleDouble;
use carom::predicates::numbers::polynomial::Number;
use carom::predicates::numbers::unrounded_grid::Grid;
use carom::predicates::signs::depth_comparison::Depth;
use carom::predicates::{
    ClearanceError, Crossing, LaneRotation, RaySlabs,
    bounds::{box_distance_bounds, conservative_boxes, error_bounds, within_distance_filter},
    numbers::ten_digits,
    signs::{depth_comparison, time_order_filter},
    turning::turning_clearance_error,
};
use carom::simd::lanes::Vectors;
use proptest::prelude::*;

use crate::numbers::{Rational, Worst};
use crate::predicates::forms;

/// The unit roundoff.
const U: f64 = f64::EPSILON / 2.0;

const ALONG_X: Vectors<f64> = Vectors { x: 1.0, y: 0.0 };
const ALONG_Y: Vectors<f64> = Vectors { x: 0.0, y: 1.0 };

fn of(value: f64) -> Rational {
    Rational::of(value)
}

/// `(1 + u)^k`, the most by which `k` roundings multiply.
fn above(roundings: u32) -> Rational {
    of(1.0).plus(&of(U)).power(roundings)
}

/// `(1 - u)^k`, the least.
fn below(roundings: u32) -> Rational {
    of(1.0).minus(&of(U)).power(roundings)
}

/// Two differences, the product and the sum.
fn product() -> Worst {
    Worst::new(1.0, 4)
}

#[test]
fn the_bounds_of_a_box_cover_sums_of_two_cross_products() {
    let sum = product().plus(&product());
    let along_x = Vec2::new(1.0, 0.0);
    for bound in [
        error_bounds::error_along(ALONG_X, ALONG_Y),
        error_bounds::box_error(ALONG_X, ALONG_Y),
        error_bounds::cross_error(along_x, Vec2::new(0.0, 1.0)),
    ] {
        assert!(sum.is_within(bound));
    }
}

/// A direction that is a sum of two differences: five roundings of the cross product, of terms whose sizes add up
/// to the direction's length at most. Its length has four, as has the square root of a square of six, and the
/// quotient one.
#[test]
fn the_bound_of_distances_from_chords_covers_all_roundings() {
    let bound = of(1.0).plus(&of(error_bounds::distance_error(ALONG_X)).times(&below(20)));
    assert!(above(5 + 1).is_at_most(&bound.times(&below(4))));
}

#[test]
fn the_bounds_of_squares_cover_differences_and_products() {
    let squares = Squares::new(ALONG_X, 0.0);
    assert!(product().plus(&product()).is_within(squares.error));
    // Several bounds take the error of a single product for a third of this.
    assert!(product().is_within(squares.error / 3.0));
    let of_squares = product().times(&product());
    let difference = of_squares.plus(&of_squares);
    assert!(difference.is_within(squares.error_of_products));
    // The square of a sum of three terms.
    let of_sum = squares.of_sum();
    let square = Worst::new(1.0, 2 * 3 + 1);
    assert!(product().plus(&square).is_within(of_sum.error));
    assert!(square.is_within(of_sum.error / 3.0));
    let of_products = square.times(&product()).plus(&square.times(&product()));
    assert!(of_products.is_within(of_sum.error_of_products));
}

/// Of a vector along an axis and a normal of which each component is known to ten digits: the difference, the
/// product and the sum, beside the sum of the sizes, which is rounded twice.
#[test]
fn products_with_a_normal_are_within_their_bound() {
    let ten_digits = of(1.0).plus(&of(1e-10));
    let off = ten_digits.times(&above(3)).minus(&of(1.0));
    assert!(off.is_at_most(&of(NORMAL_ERROR).times(&below(2))));
}

/// A gap is off by five products: see [`within_distance_filter::gap_within`].
#[test]
fn a_gap_that_roundings_may_have_left_is_no_gap() {
    let squares = Squares::new(ALONG_X, 0.0);
    let is_gap = |roundings: f64| {
        let step = ALONG_X.times(roundings * U);
        within_distance_filter::gap_within(step, ALONG_X, 0.0, &squares).no
    };
    assert!(!is_gap(5.0 * 4.0) && is_gap(50.0));
}

/// Of the distance of a point that moves and is shifted: the difference, or a sum of a difference and a multiple
/// of another, times the direction.
#[test]
fn a_side_that_roundings_may_have_changed_is_open() {
    let line = Edge::from_origin(Vec2::new(1.0, 0.0));
    let vertical = |y: f64| Motion::from(Vec2::new(0.0, y));
    let misses = |gap: f64, shift: Option<f64>, velocity: f64| {
        let crossing = Crossing {
            line,
            gap: Displacement {
                shift: shift.map(vertical),
                ..Displacement::between(Point::ORIGIN, Point::new(0.0, gap))
            },
            velocity: vertical(velocity),
        };
        crossing.surely_misses()
    };
    // A multiple of a difference and its sum with another, the direction, the product and the sum; and two sums.
    let roundings = f64::from(3 + 1 + 1 + 1 + 2);
    let [open, clear] = [roundings, 30.0].map(|roundings| {
        let rest = |size: f64| roundings * U * size;
        [
            // Ends right of the line, all but on it.
            misses(-1.0, None, 1.0 - rest(2.0)),
            misses(-1.0, Some(0.5), 0.5 - rest(2.0)),
            misses(-1.0, Some(1.0), -rest(2.0)),
            // Starts left of it.
            misses(-1.0, Some(1.0 + rest(2.0)), 0.0),
            misses(1.0, Some(-1.0 + rest(2.0)), 0.0),
        ]
    });
    assert_eq!(open, [false; 5]);
    assert_eq!(clear, [true; 5]);
}

/// The error of the square of a value that is as large as its own error is three times the product of the two.
#[test]
fn depths_that_may_be_equal_are_rivals() {
    let unknown = Depth::new(1.0, 1.0, 1.0);
    let [may_be, _] = unknown.rivals(&Depth::new(2.0, 0.0, 1.0));
    assert!(may_be);
    let [may_be, _] = Depth::new(2.0, 0.0, 1.0).rivals(&unknown);
    assert!(may_be);
}

#[test]
fn the_room_for_roundings_covers_ten_of_each_of_two_values() {
    let most = of(1.0).plus(&of(error_bounds::ROUNDINGS));
    assert!(above(10).is_at_most(&most.times(&below(10))));
    // A difference, the root of a square of four roundings, and the quotient.
    let [least, most] = depth_comparison::depth_range(1.0, 0.0, 1.0);
    assert!(above(1 + 2 + 1 + 1).is_at_most(&of(most).times(&below(4))));
    assert!(of(least).times(&above(4)).is_at_most(&below(1 + 2 + 1 + 1)));
}

/// Of a point at the origin and one at `(x, 0)`.
#[test]
fn bounds_of_boxes_cover_all_roundings() {
    let at = |x: f64| Bounds::from(Point::new(x, 0.0));
    let (one, along_x) = (of(1.0), Vec2::new(1.0, 0.0));
    // The difference twice, the square, the sum and the factor.
    let square = at(0.0).squared_distance_below(&at(1.0));
    assert!(of(square).times(&above(5)).is_at_most(&one));
    // Across the path, three roundings of the terms, which count twice in the square, and seven.
    let up = Vec2::new(0.0, 1.0);
    let square = at(0.0).squared_distance_below_moving(&at(1.0), up);
    assert!(of(square).times(&above(2 * 3 + 7)).is_at_most(&one));
    // A difference, the quotient and the factor.
    let times = |velocity: Vec2| at(0.0).meeting_times(&at(1.0), velocity.into());
    let [enter, leave] = times(along_x.times(2.0)).expect("they meet");
    let half = of(0.5);
    assert!(of(enter).times(&above(3)).is_at_most(&half));
    assert!(half.is_at_most(&of(leave).times(&below(3))));
    // The same with an inverse.
    let ray = Ray {
        origin: Point::ORIGIN,
        direction: along_x.times(2.0),
    };
    let enter = RaySlabs::new(ray).entry_below(&at(1.0)).expect("they meet");
    assert!(of(enter).times(&above(4)).is_at_most(&half));
    // A difference of two, a difference, a product and the sum of these.
    let drift = Motion::drifting(along_x, 1.0);
    assert!(Worst::new(1.0, 4).is_within(at(0.0).moved(drift).max.x - 1.0));
}

/// Of a box or a circle per lane: a sum, and two sums.
#[test]
fn boxes_per_lane_are_widened_by_all_roundings() {
    let unit = [ALONG_X, ALONG_X];
    let [low, high] = conservative_boxes::grown(unit, 1.0);
    let sum = Worst::new(2.0, 2);
    assert!(sum.is_within(high.x - 2.0) && sum.is_within(-low.x));
    // A circle of radius 1 that ends as far from a point as roundings leave of it.
    let is_apart = |roundings: f64| {
        let point = ALONG_X.times(3.0 + roundings * U);
        let origin = Vectors { x: 0.0, y: 0.0 };
        box_distance_bounds::is_circle_apart([point; 2], origin, 1.0, Some(ALONG_X.times(2.0)))
    };
    assert!(!is_apart(3.0 * 2.0 + 2.0 * 5.0) && is_apart(400.0));
}

/// The place after a turn is a sum of two terms, each a product of a difference and a sine that is off by two roundings;
/// the sagitta adds a cosine and a difference.
#[test]
fn the_box_of_a_turn_covers_all_roundings() {
    let turn = |center: f64| Turn {
        angle: 1e-300,
        center: Point::new(center, 0.0),
    };
    let term = Worst::new(1.0, 1 + 2 + 1 + 1);
    let off = term.plus(&term).plus(&Worst::new(1.0, 2));
    let of_reach = turn(0.0).bounds([Point::new(1.0, 0.0)]);
    assert!(off.is_within(of_reach.max.y));
    // The sum with the center.
    let far = turn(2f64.powi(60)).bounds([Point::new(2f64.powi(60), 0.0)]);
    assert!(Worst::new(2f64.powi(60), 1).is_within(far.max.x - 2f64.powi(60)));
}

/// The gap less its error, twice in its square, the square, two of the path's square, and two products.
#[test]
fn points_that_may_pass_within_a_distance_are_not_told_apart() {
    let may_pass =
        |square: f64| within_distance_filter::may_pass_within(square.sqrt(), 0.0, 1.0, 1.0);
    assert!(may_pass(1.0 + f64::from(2 + 1 + 2 + 2) * U) && !may_pass(1.0 + 100.0 * U));
    // Nearer by the error.
    let may_pass = |error: f64| within_distance_filter::may_pass_within(-2.0, error, 1.0, 1.0);
    assert!(may_pass(1.0) && !may_pass(0.9) && may_pass(f64::NAN));
}

/// Two products of two accurate values, one of which is multiplied by the factor.
#[test]
fn times_beyond_the_factor_are_in_order() {
    let [one, part] = [1.0, error_bounds::ACCURATE].map(of);
    let (most, least) = (one.plus(&part).squared(), one.minus(&part).squared());
    let later = of(time_order_filter::LATER).times(&least);
    assert!(most.times(&above(1)).is_at_most(&later.times(&below(3))));
}

/// An edge that counts as a point is shorter than the error of any clearance.
#[test]
fn squares_of_usual_lengths_are_normal() {
    let [least, most] = turning_clearance_error::USUAL_LENGTHS;
    let shortest = turning_clearance_error::SHORTEST;
    assert!((shortest * shortest).is_normal() && (most * most).is_finite());
    assert!(shortest < least * U && (least * least).is_normal());
    let is_known = |length: f64| ClearanceError::new(length, 1.0).is_known;
    assert!(is_known(1.0) && !is_known(least) && !is_known(most) && !is_known(f64::NAN));
    assert!(!ClearanceError::new(1.0, 2.0 * LaneRotation::<f64>::LARGEST).is_known);
}

/// Places, products and sums as for clearances that are positive, and normals that are off by the roundings of both ends of
/// an edge, of their difference and of its length.
#[test]
fn clearances_are_negative_where_overlaps_are_told() {
    let normal = 2.0 * ClearanceError::<f64>::FARTHEST_IN_EDGES + 3.0;
    let units = 3_730.0 + 300.0 + 20.0 + normal;
    assert!(units * U <= ClearanceError::<f64>::RELATIVE);
}

/// Of rotations about a center: their bends, with the sum and the square of the step, twelve roundings.
#[test]
fn clearances_above_a_sum_exceed_it_in_spite_of_roundings() {
    let error = ClearanceError::new(0.0, 0.0);
    assert!(above(12).is_at_most(&of(error.above(1.0)).times(&below(1))));
}

/// 1e-10 of each, and twice that of a square.
#[test]
fn bounds_of_ten_digits_hold_numbers_and_squares() {
    let part = of(1e-10);
    let (high, low) = (of(1.0).plus(&part), of(1.0).minus(&part));
    for number in [0.1, 1.0, 3e200] {
        let most = of(ten_digits::ten_digits_above(number));
        let least = of(ten_digits::ten_digits_below(number));
        assert!(of(number).times(&high).is_at_most(&most));
        assert!(least.is_at_most(&of(number).times(&low)));
    }
    let square = of(ten_digits::square_of_ten_digits_above(3.0));
    assert!(of(3.0).times(&high).squared().is_at_most(&square));
    assert!(ten_digits::square_of_ten_digits_above(1e-200) > 0.0);
}

#[test]
fn numbers_of_ten_digits_are_in_order_where_these_tell() {
    let compare = ten_digits::compare_ten_digits;
    for number in [1e-300, 0.1, 1.0, 3e200] {
        // Each may be the other, off by 1e-10 of itself.
        assert_eq!(compare(number, number * (1.0 + 2e-10)), None);
        assert_eq!(compare(number * (1.0 + 2e-10), number), None);
        assert_eq!(compare(number, 2.0 * number), Some(Ordering::Less));
        assert_eq!(compare(2.0 * number, number), Some(Ordering::Greater));
    }
    // Subnormal ones have fewer digits.
    assert_eq!(compare(1e-310, 1e-320), None);
}

/// The public contract: 1e-10 of a number, of a quotient of two accurate ones, too, and of one whose divisor is a
/// square. Two depths are equally good if they differ by 1e-12 of themselves.
#[test]
fn quotients_of_accurate_values_have_ten_digits() {
    assert!(!error_bounds::is_accurate(
        1.0,
        1.001 * error_bounds::ACCURATE
    ));
    let [one, part] = [1.0, error_bounds::ACCURATE].map(of);
    let (high, low) = (one.plus(&part), one.minus(&part));
    let room = of(1.0 + 0.4e-10);
    assert!(high.times(&above(4)).is_at_most(&room.times(&low)));
    let allowed = of(1.0 + 1e-12).squared();
    let equal = of(1.0 + depth_comparison::EQUALLY_GOOD + error_bounds::ROUNDINGS);
    assert!(equal.times(&above(4)).is_at_most(&allowed));
}

#[test]
fn a_distance_within_ten_digits_of_a_limit_is_open() {
    for distance in [1e-300, 0.1, 1.0, 3e200] {
        let beside = [1.0 - 1e-10, 1.0, 1.0 + 1e-10].map(|part| distance * part);
        assert_eq!(
            beside.map(|limit| ten_digits::accurately_below(distance, limit)),
            [None; 3]
        );
    }
}

#[test]
fn a_distance_a_millionth_beside_a_limit_is_told_from_it() {
    for distance in [1e-300, 0.1, 1.0, 3e200] {
        let beside = [1.0 - 1e-6, 1.0 + 1e-6].map(|part| distance * part);
        assert_eq!(
            beside.map(|limit| ten_digits::accurately_below(distance, limit)),
            [Some(false), Some(true)]
        );
    }
    assert_eq!(ten_digits::accurately_below(0.0, 0.0), Some(true));
}

/// Of a cross product of this error, the square of the distance is off by twice its relative error.
#[test]
fn squared_distances_within_the_margin_are_known_to_a_tenth_of_a_tie() {
    let share = of(Squares::new(ALONG_X, 0.0).error * DISTANCE_MARGIN);
    let product = of(4.0 * U).times(&above(4));
    let tie = of(TIED_DISTANCES / 10.0);
    let twice = of(2.0).times(&product).times(&above(4));
    assert!(twice.is_at_most(&tie.times(&share)));
}

/// See [`EdgeProjection::distance_squared_with_ends`]; then the sum of the squares is rounded four times, the bounds and
/// the square of the length once each.
#[test]
fn the_bound_of_distances_with_ends_covers_all_roundings() {
    let roundings = f64::from(6 * 4 + 4 + 2 * 2 + 2) + f64::from(4 + 2);
    assert!(roundings * U <= ERROR_WITH_ENDS);
}

/// A center beside an edge and one beside a vertex, whose distance exceeds the radius by little: the squares are
/// rounded eleven times. The sizes of all terms grow with that of the scene.
#[test]
fn a_distance_of_which_a_radius_leaves_few_digits_is_not_known() {
    let beside = Vectors { x: 0.5, y: -1.0 };
    let cases = [
        (false, ALONG_X, ALONG_X),
        (true, beside, ALONG_X),
        (true, beside.turned_left(), ALONG_Y),
    ];
    // Half of the sum of the squares over their difference.
    let few = 11.0 * U / error_bounds::ACCURATE;
    for (scale, (is_edge, gap, edge)) in [1.0, 2f64.powi(20), 2f64.powi(-20)]
        .into_iter()
        .flat_map(|scale| cases.map(|case| (scale, case)))
    {
        let is_known = |beyond: f64| {
            let at = EdgeProjection::along(gap.times(scale), edge.times(scale));
            let (found, is_known) = at.distance_beyond(is_edge, (1.0 - beyond) * scale);
            assert!((found / (beyond * scale) - 1.0).abs() < 1e-10);
            is_known
        };
        assert!(!is_known(0.99 * few) && is_known(2.0 * few));
    }
}

/// A depth that is left of two lengths of 1: of four roundings and of three and a quotient from an edge, of three
/// from a vertex.
#[test]
fn a_depth_of_which_rounding_leaves_few_digits_is_not_known() {
    let is_known = |is_edge: bool, depth: f64| {
        let x = if is_edge { 0.5 } else { 0.0 };
        let center = Vectors { x, y: depth - 1.0 };
        let size = Vectors { x: 1.0, y: 1.0 };
        let at = EdgeProjection::along(center, ALONG_X);
        at.overlap(is_edge, 1.0, size, false).2
    };
    for (is_edge, roundings) in [(true, 4 + 3 + 1), (false, 3)] {
        let few = f64::from(roundings) * U / 1e-10;
        assert!(!is_known(is_edge, few) && is_known(is_edge, 1e-3));
    }
}

/// A circle of radius 1 that flies along the x-axis past a vertex this far beyond its center or its rim.
struct Flight {
    gap: Vectors<f64>,
}

impl Flight {
    fn arrival(
        &self,
        velocity: Vectors<f64>,
    ) -> carom::predicates::bounds::swept_circle_filter::Arrival<f64> {
        let path = CirclePath::new(self.gap.map(f64::abs), 1.0, velocity);
        path.to_vertex(&EdgeProjection::along(self.gap, velocity))
    }
}

/// The discriminant is the difference of two numbers of size 1, of 11 and 10 roundings; its error over twice the
/// product of the root and the sum is that of the time.
#[test]
fn the_time_of_a_graze_of_which_rounding_leaves_few_digits_is_open() {
    for (speed, side) in [(4.0, 1.0), (4.0, -1.0), (1.0, 1.0), (1.0, -1.0)] {
        let flight = |root: f64| {
            let y = side * (1.0 - root * root).sqrt();
            let gap = Vectors { x: speed / -2.0, y };
            Flight { gap }.arrival(ALONG_X.times(speed)).verdict
        };
        // The sum is half of the squared speed, and the discriminant the square of the root times the speed.
        let few = f64::from(11 + 10) * U / speed / 4e-11;
        assert!(!flight(few).yes && flight(0.1).yes);
    }
}

/// The same where the vertex is far beside the path in its coordinates: those products cancel. Relative to the
/// product of the root and the radius times the speed, twice four roundings of `√2 distance / root` are left.
#[test]
fn the_normal_of_a_graze_far_away_is_not_known() {
    let (diagonal, root) = (Vectors { x: 1.0, y: 1.0 }, 0.1f64);
    let across = (1.0 - root * root).sqrt();
    let has_normal = |distance: f64| {
        let aside = diagonal.turned_left().times(across / 2f64.sqrt());
        let gap = aside - diagonal.times(distance);
        let arrival = Flight { gap }.arrival(diagonal.times(2.0 * distance));
        assert!(arrival.verdict.yes);
        arrival.has_normal
    };
    let far = error_bounds::ACCURATE * root / (8.0 * U * 2f64.sqrt() * across);
    assert!(!has_normal(1.05 * far) && has_normal(0.1 * far));
}

/// A distance that is left of the square of a length of 1 and that of the radius, of four roundings and of one, and
/// one that is left of two lengths, of four each.
#[test]
fn the_time_of_a_circle_that_starts_all_but_in_contact_is_open() {
    let at_vertex = |distance: f64| {
        let gap = Vectors {
            x: -1.0 - distance,
            y: 0.0,
        };
        Flight { gap }.arrival(ALONG_X.times(4.0)).verdict.yes
    };
    assert!(!at_vertex(5.0 * U / 2.0 / 4e-11) && at_vertex(0.1));
    let at_edge = |distance: f64| {
        let gap = Vectors {
            x: 0.5,
            y: -1.0 - distance,
        };
        let path = CirclePath::new(Vectors { x: 1.0, y: 2.0 }, 1.0, ALONG_Y.times(4.0));
        path.to_edge(&EdgeProjection::along(gap, ALONG_X))
            .verdict
            .yes
    };
    assert!(!at_edge(8.0 * U / 4e-11) && at_edge(0.1));
}

/// Half the width of the strip is rounded by two units of the sum of squares, and a product by four.
#[test]
fn what_rounding_may_have_put_beside_a_strip_is_in_it() {
    let is_beyond = |roundings: f64| {
        let sum = 3.0;
        let gap = ALONG_Y.times(1.0 + roundings * U * sum);
        let strip = SweptStrip::new(ALONG_Y, 1.0, ALONG_X);
        strip.is_beyond([gap; 2])
    };
    assert!(!is_beyond(6.0) && is_beyond(20.0));
}

/// `u` of the terms' sizes for the products, and twice `u` of the value for the two sums.
#[test]
fn the_bound_of_compensated_products_covers_all_roundings() {
    let dot =
        |other| Compensated::exact(Vectors { x: 1.0, y: 1.0 }).dot(&Compensated::exact(other));
    let cancelled = dot(Vectors { x: 1.0, y: -1.0 });
    assert!(cancelled.value == 0.0 && cancelled.error > 2.0 * U);
    let single = dot(ALONG_X);
    assert!(single.value == 1.0 && single.error - 0.5 * cancelled.error > 2.0 * U);
}

#[test]
fn the_bound_of_precise_cross_products_is_that_of_double_doubles() {
    let unit = error_bounds::box_error(ALONG_X, ALONG_Y);
    let number = |a: f64| DoubleDouble::difference(a, 0.0);
    let cross = number(1.0)
        .times(&number(1.0))
        .minus(&number(0.0).times(&number(0.0)));
    // The sizes of the terms are those of rounded differences.
    let error = of(cross.error()).times(&above(4));
    assert!(error.is_at_most(&of(unit).times(&of(compensated_differences::PRECISE))));
}

/// The public contract leaves a point eight roundings of the extent. The error of a denominator, up to a 64th of
/// it, multiplies that of the fraction; the fraction, the path, the product and the sum are rounded.
#[test]
fn a_fraction_leaves_room_for_the_roundings_of_a_path() {
    let number = |value: f64, error: f64| Rounded { value, error };
    for longest in [0.0, 0.25, 0.5, 1.0] {
        let left = 8.0 - 4.0 * longest;
        // Errors of all sizes and longest paths, from those that surely pass.
        for quarters in 1..64 {
            let error = f64::from(quarters) * 0.25 * U / f64::max(longest, 1e-3);
            let times = [number(0.5, error), number(1.0, 0.0)];
            let ends = [number(0.5, error), number(-0.5, error)];
            let off = error * longest / U;
            if compensated_differences::is_accurate_time(0.5, times, 1.0, longest)
                || compensated_differences::is_accurate_fraction(ends, 1.0, longest)
            {
                assert!(off * 64.0 / 63.0 <= left, "{longest} {off}");
            } else {
                assert!(off > 0.9 * left, "{longest} {off}");
            }
        }
    }
    let unsure = number(1.0, 1.0 / 63.0);
    assert!(!compensated_differences::is_accurate_time(
        1e-9,
        [number(1e-9, 0.0), unsure],
        1.0,
        1e-9
    ));
}

/// A radius takes eight operations at most, each of which may round it down; the factor makes up for that.
#[test]
fn the_radius_of_a_float_ball_makes_up_for_its_own_roundings() {
    let one = FloatBall::of(1.0);
    let results = [
        one.plus(&one),
        one.times(&one),
        one.over(&one, 53),
        one.root(53),
    ];
    for result in results {
        let bound = of(result.radius().to_f64()).times(&below(8));
        let middle = of(result.to_f64());
        assert!(middle.times(&of(U)).is_at_most(&bound));
    }
    let size = FloatBall::of(1.0).size().to_f64();
    assert!(of(1.0).is_at_most(&of(size).times(&below(8))));
}

/// `k` products: a float loses one rounding in each, a double-double seven squares of it. Less would cover the
/// polynomials that there are.
#[test]
fn the_error_of_a_product_grows_with_each_factor() {
    for products in 1..100 {
        let ones = 0..products;
        let float = ones
            .clone()
            .fold(Bounded::of(1.0), |it, _| it.times(&Bounded::of(1.0)));
        assert!(Worst::new(1.0, products).is_within(float.error()));
        let one = DoubleDouble::of(1.0);
        let error = ones.fold(one, |it, _| it.times(&one)).error();
        let left = of(f64::from(7 * products) * U * U).times(&above(100));
        assert!(left.is_at_most(&of(error)), "{products}");
    }
}

#[test]
fn the_error_of_a_double_double_is_in_proportion_to_its_magnitude() {
    let error = |size: f64| {
        let product = DoubleDouble::of(size).times(&DoubleDouble::of(0.1));
        product.error()
    };
    for size in [2f64.powi(-60), 2f64.powi(60)] {
        assert_eq!(error(size), size * error(1.0));
    }
}

/// Units of rounding: 3.6 from the series, each of six squares twice as many and √5 more.
#[test]
fn the_bound_of_rotations_per_lane_covers_all_squares() {
    let units = (0..6).fold(3.6, |units, _| 2.0 * units + 5f64.sqrt());
    assert!(units * U < LaneRotation::<f64>::ERROR);
}

/// The most factors of a polynomial's terms.
#[derive(Clone)]
struct Factors {
    all: i32,
    /// Those that are not numbers of steps, the only ones that are given and below zero.
    small: i32,
}

impl Number for Factors {
    fn difference(_: f64, _: f64) -> Self {
        Self { all: 1, small: 1 }
    }

    fn of(a: f64) -> Self {
        let small = i32::from(a >= 0.0);
        Self { all: 1, small }
    }

    fn plus(&self, other: &Self) -> Self {
        Self {
            all: self.all.max(other.all),
            small: self.small.max(other.small),
        }
    }

    fn minus(&self, other: &Self) -> Self {
        self.plus(other)
    }

    fn times(&self, other: &Self) -> Self {
        Self {
            all: self.all + other.all,
            small: self.small + other.small,
        }
    }
}

/// The least and the largest power of two of which a bound is finite.
fn usual(has_bound: impl Fn(f64) -> bool) -> [i32; 2] {
    let powers = || (-1000..1000).filter(|&it| has_bound(2f64.powi(it)));
    [powers().min(), powers().max()].map(|it| it.expect("most have a bound"))
}

/// A product of so many factors neither overflows nor loses its last error, and a magnitude sums few of them. The
/// number of steps may be the length of a ray, below 1, but not in the polynomial with the most factors.
#[test]
fn products_of_numbers_that_have_a_bound_are_normal() {
    let factors = forms::<Factors>();
    let small = |it: &Factors| if it.all > 10 { it.small } else { it.all };
    let smallest = factors.iter().map(small).max().expect("there are forms");
    let largest_count = factors.iter().map(|it| it.all).max();
    assert_eq!((smallest, largest_count), (10, Some(12)));
    let of_floats = usual(|it| Bounded::of(it).error().is_finite());
    let doubled = usual(|it| DoubleDouble::of(it).error().is_finite());
    for ([least, largest], digits) in [(of_floats, 0), (doubled, 106)] {
        assert!(10 * least - digits > f64::MIN_EXP);
        assert!(12 * (largest + 1) + 8 < f64::MAX_EXP);
    }
    // Products of coordinates, and squared distances in a box of usual size.
    assert!(
        error_bounds::LARGEST_FACTOR.powi(2).is_finite()
            && error_bounds::LARGEST_FACTOR >= 2f64.powi(64)
    );
    assert!(FAR.is_finite() && FAR > 2.0 * error_bounds::LARGEST_SIZE.powi(2));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// Coordinates of up to so many bits, some of which are on the grid.
    #[test]
    fn on_a_grid_nothing_is_rounded(bits in 6..30u32, numbers in any::<[i32; 4]>(), exponent in -40..40, far in -30..30i32) {
        let numbers = numbers.map(|it| f64::from(it >> (31 - bits)) * 2f64.powi(exponent));
        let span = numbers.iter().fold(0.0, |most: f64, it| most.max(it.abs()));
        prop_assume!(span > 0.0);
        let origin = span * f64::from(far);
        let [x, y, u, v] = numbers.map(|it| it + origin);
        let holds = |grid: Grid<f64>| [x, y, u, v, origin].into_iter().all(|it| grid.holds(it));
        let exact = |a: f64, b: f64| of(a - b).minus(&Rational::difference(a, b)).is_at_most(&of(0.0));
        let difference = [x, y, u, v].map(|it| it - origin);
        let rational = [x, y, u, v].map(|it| Rational::difference(it, origin));
        let cross = difference[0] * difference[3] - difference[1] * difference[2];
        let truth = rational[0].times(&rational[3]).minus(&rational[1].times(&rational[2]));
        if holds(Grid::new(span)) {
            prop_assert!([x, y, u, v].into_iter().all(|it| exact(it, origin) && exact(origin, it)));
            prop_assert!(of(cross).minus(&truth).abs().is_at_most(&of(0.0)));
        }
        if holds(Grid::for_products_of_squares(span)) {
            let dot = difference[0] * difference[2] + difference[1] * difference[3];
            let other = rational[0].times(&rational[2]).plus(&rational[1].times(&rational[3]));
            let products = truth.squared().minus(&other.squared());
            prop_assert!(of(cross * cross - dot * dot).minus(&products).abs().is_at_most(&of(0.0)));
        }
    }
}
