//! Turns that lanes tell are those of exact arithmetic.

use carom::geom::{Displacement, Edge, Point};
use carom::predicates::numbers::polynomial::Polynomial;
use carom::predicates::signs::orientation_filter::{self, TURN_ROUNDINGS, is_usual_edge};
use carom::predicates::{Cross, Sign, dot, turn};
use carom::simd::lanes::Vectors;
use proptest::prelude::*;

use crate::numbers::{Roundings, close_by, exponent, point};

fn vector(edge: Edge) -> Vectors<f64> {
    Vectors::from(edge.end) - Vectors::from(edge.start)
}

fn is_told_rightly([before, here, after]: [Point; 3]) -> Result<(), TestCaseError> {
    let (incoming, outgoing) = (Edge::new(before, here), Edge::new(here, after));
    let [one, other] = [incoming, outgoing].map(vector);
    if !is_usual_edge(one) || !is_usual_edge(other) {
        return Ok(());
    }
    let found = orientation_filter::turns(one, other);
    let truth = turn(incoming, outgoing);
    prop_assert!(!found.left || truth == Sign::Positive);
    prop_assert!(!found.right || truth == Sign::Negative);
    prop_assert!(!found.straight || truth == Sign::Zero);
    if truth == Sign::Zero {
        let is_back = dot(incoming, outgoing.displacement()) == Sign::Negative;
        prop_assert_eq!(found.back, is_back);
    }
    Ok(())
}

fn points(coordinate: impl Strategy<Value = f64>) -> impl Strategy<Value = [Point; 3]> {
    let points = |numbers: Vec<f64>| {
        std::array::from_fn(|index| Point::new(numbers[2 * index], numbers[2 * index + 1]))
    };
    prop::collection::vec(coordinate, 6).prop_map(points)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn turns_in_lanes_are_exact(points in [point(), point(), point()]) {
        is_told_rightly(points)?;
    }

    #[test]
    fn turns_in_lanes_of_points_nearly_on_a_line_are_exact(points in points(close_by())) {
        is_told_rightly(points)?;
    }

    #[test]
    fn turns_in_lanes_of_points_of_any_size_are_exact(points in points(close_by()), exponent in exponent()) {
        let scaled = |it: Point| Point::new(it.x * 2f64.powi(exponent), it.y * 2f64.powi(exponent));
        is_told_rightly(points.map(scaled))?;
    }

    #[test]
    fn turns_in_lanes_where_edges_are_divided_are_exact(points in points(close_by()), part in 0.0..1.0f64) {
        let [start, end, _] = points;
        let along = |from: f64, to: f64| from + part * (to - from);
        let amid = Point::new(along(start.x, end.x), along(start.y, end.y));
        is_told_rightly([start, amid, end])?;
        is_told_rightly([start, end, amid])?;
    }
}

#[test]
fn turns_in_lanes_have_the_roundings_of_a_cross_product() {
    let edge = Displacement::between(Point::ORIGIN, Point::new(1.0, 1.0));
    let Roundings(count) = Cross(edge, edge).evaluate();
    assert_eq!(count, TURN_ROUNDINGS);
}

/// Each may be half a unit in the last place of both products, which are 1.
#[test]
fn turns_that_roundings_may_have_made_are_open() {
    let turns = |units: u32| {
        let y = 1.0 + f64::from(units) * f64::EPSILON;
        orientation_filter::turns(Vectors { x: 1.0, y: 1.0 }, Vectors { x: 1.0, y })
    };
    for units in 1..=TURN_ROUNDINGS {
        assert!(!turns(units).left && !turns(units).right);
    }
    assert!(turns(50).left);
}

#[test]
fn edges_without_length_and_out_of_range_are_not_usual() {
    for (x, y) in [
        (0.0, 0.0),
        (f64::NAN, 1.0),
        (1.0, f64::INFINITY),
        (1e-40, 1.0),
        (1e30, 0.0),
    ] {
        assert!(!is_usual_edge(Vectors { x, y }));
    }
    assert!(is_usual_edge(Vectors { x: 0.0, y: -1.0 }));
}
