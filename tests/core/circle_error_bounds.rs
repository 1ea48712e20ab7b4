//! The bounds of the filters for circles, rederived and held against rationals.

use std::cmp::Ordering;

use carom::geom::Point;
use carom::predicates::bounds::error_bounds::box_error;
use carom::predicates::bounds::point_edge_filter::{
    Closeness, DISTANCE_MARGIN, EdgeProjection, LeastDistance, TIED_DISTANCES,
};
use carom::predicates::bounds::square_errors::Squares;
use carom::predicates::bounds::swept_circle_filter::{
    CirclePath, SweptStrip, certainly_before, time_to_box_below, time_to_point_above,
};
use carom::predicates::bounds::within_distance_filter::gap_within;
use carom::predicates::numbers::polynomial::Number;
use carom::predicates::numbers::verdict::Verdict;
use carom::predicates::signs::depth_comparison::depth_range;
use carom::predicates::signs::precise_squares::BoundedSquare;
use carom::shape::{Rings, Shape, ShapeKind, contact_intervals};
use carom::simd::lanes::Vectors;
use proptest::prelude::*;

use crate::numbers::{Rational, Worst, beside, close_by, coordinate, wide, with_all_bits};

/// What the public contract allows a result's relative error to be.
const TEN_DIGITS: f64 = 1e-10;

fn place() -> impl Strategy<Value = Vectors<f64>> {
    (coordinate(), coordinate()).prop_map(|(x, y)| Vectors { x, y })
}

/// A point up to two away from the origin.
fn facing_away() -> impl Strategy<Value = [f64; 2]> {
    [-2.0..=2.0f64, -2.0..=2.0f64]
}

/// The relative error of the time of an arrival: a numerator and a denominator known to eleven digits, or a sum
/// of which two terms are.
const ERROR_OF_TIMES: f64 = 4e-11;

/// A length of the same kind as the coordinates.
fn radius() -> impl Strategy<Value = f64> {
    prop_oneof![4 => close_by(), 1 => coordinate()].prop_map(f64::abs)
}

fn steps() -> impl Strategy<Value = [i64; 2]> {
    [-1..=1i64, -1..=1]
}

fn moderate() -> impl Strategy<Value = Vectors<f64>> {
    (close_by(), close_by()).prop_map(|(x, y)| Vectors { x, y })
}

fn with_all_bits_in_both() -> impl Strategy<Value = Vectors<f64>> {
    (with_all_bits(), with_all_bits()).prop_map(|(x, y)| Vectors { x, y })
}

/// A position along an edge, often at one of its ends.
fn share() -> impl Strategy<Value = f64> {
    prop_oneof![Just(0.0), Just(1.0), 0.0..1.0f64]
}

/// The ends of an edge and a center: anywhere, near the perpendicular through an end, or, as seen from the
/// start, with components of any size.
fn edge_and_center() -> impl Strategy<Value = [Vectors<f64>; 3]> {
    let anywhere = [place(), place(), place()];
    let at_end = (moderate(), moderate(), share(), -2.0..2.0f64, steps());
    let at_end = at_end.prop_map(|(start, end, share, height, steps)| {
        let edge = end - start;
        let foot = start + edge.times(share);
        [
            start,
            end,
            beside(foot + edge.turned_left().times(height), steps),
        ]
    });
    let of_any_size = [wide(), wide(), wide(), wide()]
        .prop_map(|[x, y, u, v]| [(0.0, 0.0), (x, y), (u, v)].map(|(x, y)| Vectors { x, y }));
    prop_oneof![anywhere, at_end, of_any_size]
}

type Triangle = [Vectors<f64>; 3];

/// Two triangles, a direction and a distance: any, or triangles with edges across the direction that are all but
/// that far apart.
fn facing() -> impl Strategy<Value = ([Triangle; 2], [Vectors<f64>; 2], f64)> {
    let triangle = || [place(), place(), place()];
    let anywhere = ([triangle(), triangle()], [place(), place()], radius());
    let distance = prop_oneof![Just(0.0), 0.0..1e-9f64, radius()];
    let aside = [-2.0..2.0f64, -2.0..2.0, -2.0..2.0];
    let facing = (moderate(), [moderate(), moderate()], distance, aside);
    let facing = facing.prop_map(|(from, ends, distance, [a, b, aside])| {
        let direction = ends[1] - ends[0];
        let across = direction.turned_left();
        let length = direction.length_squared().sqrt().max(f64::MIN_POSITIVE);
        let to = from + direction.times(distance / length) + across.times(aside);
        let a = [from, from + across.times(a), from - direction];
        let b = [to, to + across.times(b), to + direction];
        ([a, b], ends, distance)
    });
    prop_oneof![anywhere, facing]
}

/// An edge, the center of a circle, its velocity and its radius: any, or so that the circle all but touches an
/// end of the edge, all but starts or ends in contact, or moves from contact with one point of the line to another.
fn approach() -> impl Strategy<Value = ([Vectors<f64>; 4], f64)> {
    let anywhere = ([place(), place(), place(), place()], radius());
    let moderate = || prop_oneof![moderate(), with_all_bits_in_both()];
    let places = [moderate(), moderate(), moderate()];
    let radius = prop_oneof![2 => Just(0.0), 1 => close_by()].prop_map(f64::abs);
    let grazing = (places, radius, share(), share(), any::<bool>(), steps());
    let grazing = grazing.prop_map(
        |([start, end, velocity], radius, share, other, is_along, steps)| {
            let edge = end - start;
            let length = edge.length_squared().sqrt().max(f64::MIN_POSITIVE);
            let away = edge.turned_left().times(radius / length);
            let [contact, target] = [share, other].map(|share| start + edge.times(share) - away);
            let (center, velocity) = if is_along {
                let center = beside(contact, steps);
                (center, (target - center).times(2.0))
            } else {
                (beside(contact - velocity.times(other), steps), velocity)
            };
            ([start, end, center, velocity], radius)
        },
    );
    // A point on the edge, whose distance to it shrinks, but not by the rounded cross product.
    let parallel = [(1.2, -0.8), (2.8, -3.4), (1.4, -1.125), (0.8, -1.3)];
    let parallel = Just((parallel.map(|(x, y)| Vectors { x, y }), 0.0));
    prop_oneof![5 => anywhere, 14 => grazing, 1 => parallel]
}

fn of(value: f64) -> Rational {
    Rational::of(value)
}

/// A vector in rationals.
#[derive(Clone)]
struct Exact {
    x: Rational,
    y: Rational,
}

impl Exact {
    fn between(from: Vectors<f64>, to: Vectors<f64>) -> Self {
        Self {
            x: Rational::difference(to.x, from.x),
            y: Rational::difference(to.y, from.y),
        }
    }

    fn cross(&self, other: &Self) -> Rational {
        self.x.times(&other.y).minus(&self.y.times(&other.x))
    }

    fn dot(&self, other: &Self) -> Rational {
        self.x.times(&other.x).plus(&self.y.times(&other.y))
    }
}

/// A circle's center and an edge in rationals.
struct ExactProjection {
    gap: Exact,
    edge: Exact,
}

impl ExactProjection {
    fn new(center: Vectors<f64>, start: Vectors<f64>, end: Vectors<f64>) -> Self {
        Self {
            gap: Exact::between(start, center),
            edge: Exact::between(start, end),
        }
    }

    /// Numerator and denominator of the squared distance from the edge; none where the edge's end
    /// is nearest.
    fn distance_squared(&self) -> Option<(Rational, Rational)> {
        let (dot, length) = (self.edge.dot(&self.gap), self.edge.dot(&self.edge));
        if length.is_at_most(&dot) {
            None
        } else if dot.sign() == Ordering::Greater {
            Some((self.edge.cross(&self.gap).squared(), length))
        } else {
            Some((self.gap.dot(&self.gap), of(1.0)))
        }
    }

    /// The same with the edge's end.
    fn distance_squared_with_ends(&self) -> (Rational, Rational) {
        self.distance_squared().unwrap_or_else(|| {
            let Self { gap, edge } = self;
            let from_end = Exact {
                x: gap.x.minus(&edge.x),
                y: gap.y.minus(&edge.y),
            };
            (from_end.dot(&from_end), of(1.0))
        })
    }
}

/// The sign of `a + b √s`.
fn sign_with_root(a: &Rational, b: &Rational, s: &Rational) -> Ordering {
    let (first, second) = (a.sign(), b.times(s).sign());
    if second == Ordering::Equal || first == second {
        return first;
    }
    match a.squared().minus(&b.squared().times(s)).sign() {
        Ordering::Greater => first,
        Ordering::Equal => Ordering::Equal,
        Ordering::Less => second,
    }
}

/// Whether `value` differs from `a + b √s` by `error` at most.
fn is_within(value: &Rational, error: &Rational, [a, b, s]: [&Rational; 3]) -> bool {
    let rest = a.minus(value);
    sign_with_root(&rest.plus(error), b, s) != Ordering::Less
        && sign_with_root(&rest.minus(error), b, s) != Ordering::Greater
}

fn positive(value: &Rational) -> bool {
    value.sign() == Ordering::Greater
}

/// Width and height of a box.
fn size(places: &[Vectors<f64>]) -> Vectors<f64> {
    let most = |coordinate: fn(&Vectors<f64>) -> f64| {
        let values = || places.iter().map(coordinate);
        values().fold(f64::MIN, f64::max) - values().fold(f64::MAX, f64::min)
    };
    Vectors {
        x: most(|place| place.x),
        y: most(|place| place.y),
    }
}

/// The edges of a triangle, counterclockwise; none if it has no area.
fn edges([a, b, c]: [Vectors<f64>; 3]) -> Option<[[Vectors<f64>; 2]; 3]> {
    match Exact::between(a, b).cross(&Exact::between(b, c)).sign() {
        Ordering::Greater => Some([[a, b], [b, c], [c, a]]),
        Ordering::Less => Some([[a, c], [c, b], [b, a]]),
        Ordering::Equal => None,
    }
}

/// The vertex that is farthest along a direction, by rounded products of differences.
fn farthest(
    corners: &[Vectors<f64>],
    direction: Vectors<f64>,
    origin: Vectors<f64>,
) -> Vectors<f64> {
    let along = |corner: &Vectors<f64>| direction.dot(*corner - origin);
    let farther = |a: &&Vectors<f64>, b: &&Vectors<f64>| along(a).total_cmp(&along(b));
    *corners.iter().max_by(farther).expect("there are corners")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn gaps_are_within_their_bound(([a, b], [tail, tip], distance) in facing()) {
        let size = size(&[&a[..], &b[..], &[tail, tip]].concat());
        let direction = tip - tail;
        let from = farthest(&a, direction, tail);
        let to = farthest(&b, Vectors { x: -direction.x, y: -direction.y }, tail);
        let squares = Squares::new(size, distance);
        let square = of(distance).squared();
        match gap_within(to - from, direction, distance, &squares).decided() {
            Some(true) => {
                let step = Exact::between(from, to);
                prop_assert!(step.dot(&step).is_at_most(&square));
            }
            Some(false) => {
                let along = Exact { x: of(direction.x), y: of(direction.y) };
                for (from, to) in a.iter().flat_map(|from| b.iter().map(move |to| (*from, *to))) {
                    let gap = along.dot(&Exact::between(from, to));
                    prop_assert!(positive(&gap));
                    let least = square.times(&along.dot(&along));
                    prop_assert!(!gap.squared().is_at_most(&least));
                }
            }
            None => {}
        }
    }

    #[test]
    fn depths_are_in_their_range([start, end] in [place(), place()], [from, to] in [place(), place()]) {
        let size = size(&[start, end, from, to]);
        let (edge, gap) = (end - start, to - from);
        let exact = (Exact::between(start, end), Exact::between(from, to));
        let overlap = exact.0.cross(&exact.1);
        let squared = exact.0.dot(&exact.0);
        let error = box_error(size, size);
        let [least, most] = depth_range(edge.cross(gap), error, edge.length_squared());
        if least.is_finite() && most.is_finite() {
            let beyond = |depth: f64| sign_with_root(&overlap, &of(-depth), &squared);
            prop_assert_ne!(beyond(least), Ordering::Less);
            prop_assert_ne!(beyond(most), Ordering::Greater);
        }
    }

    #[test]
    fn opposite_signs_are_certain(([start, end, ends @ ..], _) in approach()) {
        let size = size(&[start, end, ends[0], ends[1]]);
        let error = box_error(size, size);
        let sides = ends.map(|point| (end - start).cross(point - start));
        let exact = ends.map(|point| Exact::between(start, end).cross(&Exact::between(start, point)).sign());
        if let Some(straddles) = Verdict::straddles_zero(sides, error).decided() {
            prop_assert_eq!(straddles, exact[0] == exact[1].reverse() && exact[0] != Ordering::Equal);
            prop_assert!(exact.iter().all(|sign| *sign != Ordering::Equal));
        }
    }


    #[test]
    fn circles_reach_triangles_as_the_filter_says(corners in [place(), place(), place()], center in place(), radius in radius()) {
        let Some(edges) = edges(corners) else { return Ok(()) };
        let squares = Squares::new(size(&[&corners[..], &[center]].concat()), radius);
        let mut closeness = Closeness::of_none(radius);
        let (mut inside, mut reached) = (true, false);
        let radius_squared = of(radius).squared();
        for [start, end] in edges {
            closeness = closeness.with(&EdgeProjection::new(center, start, end), radius);
            let exact = ExactProjection::new(center, start, end);
            inside &= exact.edge.cross(&exact.gap).sign() != Ordering::Less;
            reached |= exact.distance_squared().is_some_and(|(numerator, denominator)| {
                numerator.is_at_most(&radius_squared.times(&denominator))
            });
        }
        if let Some(filtered) = closeness.verdict(radius, &squares).decided() {
            prop_assert_eq!(filtered, inside || reached);
        }
    }

    #[test]
    fn circles_of_rounded_radius_are_told_within_their_bound(corners in [place(), place(), place()], center in place(), radii in [radius(), radius(), radius()]) {
        let Some(edges) = edges(corners) else { return Ok(()) };
        let radius = radii[0] + radii[1] + radii[2];
        let squares = Squares::new(size(&[&corners[..], &[center]].concat()), radius).of_sum();
        let mut closeness = Closeness::of_none(radius);
        let (mut inside, mut reached) = (true, false);
        let sum = radii.iter().skip(1).fold(of(radii[0]), |sum, &radius| sum.plus(&of(radius)));
        for [start, end] in edges {
            closeness = closeness.with(&EdgeProjection::new(center, start, end), radius);
            let exact = ExactProjection::new(center, start, end);
            inside &= exact.edge.cross(&exact.gap).sign() != Ordering::Less;
            reached |= exact.distance_squared().is_some_and(|(numerator, denominator)| {
                numerator.is_at_most(&sum.squared().times(&denominator))
            });
        }
        if let Some(filtered) = closeness.verdict(radius, &squares).decided() {
            prop_assert_eq!(filtered, inside || reached);
        }
        let (from, to) = (center, corners[0]);
        let step = to - from;
        // Any direction tells no more than the truth.
        let direction = corners[2] - corners[1];
        if let Some(is_within) = gap_within(step, direction, radius, &squares).decided() {
            let exact = Exact::between(from, to);
            prop_assert_eq!(is_within, exact.dot(&exact).is_at_most(&sum.squared()));
        }
    }

    #[test]
    fn squared_distances_are_told_apart(corners in [place(), place(), place()], center in place()) {
        let Some(edges) = edges(corners) else { return Ok(()) };
        let error = Squares::new(size(&[&corners[..], &[center]].concat()), 0.0).error;
        let projections = edges.map(|[start, end]| EdgeProjection::new(center, start, end));
        let mut least = LeastDistance::new(&projections[0], error);
        let mut nearest = 0;
        for (index, projection) in projections.iter().enumerate().skip(1) {
            if least.offer(projection, error) {
                nearest = index;
            }
        }
        let exact = edges.map(|[start, end]| ExactProjection::new(center, start, end).distance_squared());
        let at = projections[nearest];
        if least.is_certain(error) && at.is_in_region(at.dot > 0.0, error) {
            let (numerator, denominator) = exact[nearest].clone().expect("the region holds the center");
            // Also on the border of their regions: (0, 0) is nearer to the edge from (1, -2) to (-5e-324, -2) than to its
            // end, by the square of an error.
            for (other, under) in exact.iter().flatten() {
                let other = other.times(&denominator);
                prop_assert!(numerator.times(under).is_at_most(&other));
            }
        }
        let shortest = projections.iter().map(|at| at.edge_squared).fold(f64::MAX, f64::min);
        for (at, exact) in projections.iter().zip(exact) {
            let Some((numerator, denominator)) = exact else { continue };
            let is_beside = at.is_in_region(at.dot > 0.0, error);
            if is_beside && shortest * at.distance_squared(error) >= (error * DISTANCE_MARGIN) * (error * DISTANCE_MARGIN) {
                let off = of(at.distance_squared(error)).times(&denominator).minus(&numerator).abs();
                prop_assert!(off.times(&of(10.0)).is_at_most(&numerator.times(&of(TIED_DISTANCES))));
            }
        }
    }

    #[test]
    fn regions_hold_the_center_where_that_is_told([start, end, center] in edge_and_center()) {
        let error = Squares::new(size(&[start, end, center]), 0.0).error;
        let at = EdgeProjection::new(center, start, end);
        let ExactProjection { gap, edge } = ExactProjection::new(center, start, end);
        let (dot, length) = (edge.dot(&gap), edge.dot(&edge));
        let (is_past_start, is_past_end) = (positive(&dot), length.is_at_most(&dot));
        prop_assert!(!at.is_in_region(true, error) || (is_past_start && !is_past_end));
        prop_assert!(!at.is_in_region(false, error) || !is_past_start);
    }

    #[test]
    fn distances_are_known_to_ten_digits([start, end, center] in edge_and_center(), is_edge: bool) {
        let at = EdgeProjection::new(center, start, end);
        let (distance, is_known) = at.distance(is_edge, size(&[start, end, center]));
        if is_known {
            let ExactProjection { gap, edge } = ExactProjection::new(center, start, end);
            let (numerator, denominator) = if is_edge {
                (edge.cross(&gap).squared(), edge.dot(&edge))
            } else {
                (gap.dot(&gap), of(1.0))
            };
            let off = of(distance).squared().times(&denominator).minus(&numerator).abs();
            prop_assert!(off.is_at_most(&numerator.times(&of(2.0 * TEN_DIGITS))));
        }
    }

    #[test]
    fn distances_from_edges_with_their_ends_are_within_their_bound(
        [start, end, center] in edge_and_center(),
        length in radius(),
    ) {
        let at = EdgeProjection::new(center, start, end);
        let (numerator, denominator) = ExactProjection::new(center, start, end).distance_squared_with_ends();
        for length in [0.0, length] {
            let [below, above] = at.distance_squared_bounds(length);
            // What the square of the length may be off is within the bounds, too.
            let rounded = of(length * length).minus(&of(length).squared()).abs().times(&denominator);
            if above.is_finite() {
                prop_assert!(of(below).times(&denominator).plus(&rounded).is_at_most(&numerator));
                prop_assert!(numerator.plus(&rounded).is_at_most(&of(above).times(&denominator)));
            }
        }
    }

    #[test]
    fn precise_squares_are_within_their_bound([start, end, center] in edge_and_center()) {
        let BoundedSquare { square: [high, low], error } = BoundedSquare::new(center, start, end);
        if error.is_finite() {
            let (numerator, denominator) = ExactProjection::new(center, start, end).distance_squared_with_ends();
            let off = of(high).plus(&of(low)).times(&denominator).minus(&numerator).abs();
            prop_assert!(off.is_at_most(&of(error).times(&denominator)));
        }
    }

    #[test]
    fn edges_that_are_reached_are_in_the_strip(
        [start, end, center, velocity] in [place(), place(), place(), place()],
        radius in radius(),
        eighths in 0..=8_u8,
    ) {
        let time = f64::from(eighths) / 8.0;
        let mut at = ExactProjection::new(center, start, end);
        at.gap.x = at.gap.x.plus(&of(time).times(&of(velocity.x)));
        at.gap.y = at.gap.y.plus(&of(time).times(&of(velocity.y)));
        let (numerator, denominator) = at.distance_squared_with_ends();
        if numerator.is_at_most(&of(radius).squared().times(&denominator)) {
            let strip = SweptStrip::new(size(&[start, end, center]), radius, velocity);
            let gaps = [start, end].map(|end| end - center);
            prop_assert!(!strip.is_beyond(gaps));
            let is_later = strip.time_below(gaps) > time;
            prop_assert!(!is_later);
        }
    }

    #[test]
    fn edges_that_a_displaced_circle_reaches_are_in_a_strip_of_twice_the_size(
        [start, end, center, velocity, offset] in [place(), place(), place(), place(), place()],
        radius in radius(),
        eighths in 0..=8_u8,
    ) {
        let time = f64::from(eighths) / 8.0;
        let mut at = ExactProjection::new(center, start, end);
        at.gap.x = at.gap.x.plus(&of(time).times(&of(velocity.x))).plus(&of(offset.x));
        at.gap.y = at.gap.y.plus(&of(time).times(&of(velocity.y))).plus(&of(offset.y));
        let (numerator, denominator) = at.distance_squared_with_ends();
        if numerator.is_at_most(&of(radius).squared().times(&denominator)) {
            let twice = (size(&[start, end, center]) + offset.map(f64::abs)).times(2.0);
            // The offset itself may be rounded, too.
            for offset in [offset, offset.map(f64::next_up), offset.map(f64::next_down)] {
                let strip = SweptStrip::new(twice, radius, velocity);
                let gaps = [start, end].map(|end| end - center - offset);
                prop_assert!(!strip.is_beyond(gaps));
                let is_later = strip.time_below(gaps) > time;
                prop_assert!(!is_later);
            }
        }
    }

    #[test]
    fn circles_reach_boxes_and_points_within_the_bounds_of_their_times(
        [start, end, center, velocity] in [place(), place(), place(), place()],
        radius in radius(),
        eighths in 0..=8_u8,
    ) {
        let moved = |time: f64| {
            let mut at = ExactProjection::new(center, start, end);
            at.gap.x = at.gap.x.plus(&of(time).times(&of(velocity.x)));
            at.gap.y = at.gap.y.plus(&of(time).times(&of(velocity.y)));
            at
        };
        let (time, reach) = (f64::from(eighths) / 8.0, of(radius).squared());
        let (numerator, denominator) = moved(time).distance_squared_with_ends();
        if numerator.is_at_most(&reach.times(&denominator)) {
            let gaps = [start.with(end, f64::min), start.with(end, f64::max)].map(|it| it - center);
            prop_assert!(time_to_box_below(gaps, radius, velocity) <= time);
        }
        let latest = time_to_point_above(start - center, radius, velocity);
        if latest.is_finite() {
            let gap = moved(latest).gap;
            prop_assert!(gap.dot(&gap).is_at_most(&reach));
        }
    }

    #[test]
    fn bounds_of_the_time_to_a_box_or_a_point_are_near_it(
        [x, y] in [-9.0..=9.0_f64, -9.0..=9.0],
        radius in 0.1..4.0_f64,
    ) {
        let gap = Vectors { x, y };
        let distance = gap.length_squared().sqrt();
        prop_assume!(distance > 1.5 * radius);
        let (time, velocity) = ((distance - radius) / (2.0 * distance), gap.times(2.0));
        let below = time_to_box_below([gap, gap], radius, velocity);
        let above = time_to_point_above(gap, radius, velocity);
        prop_assert!(time - 1e-4 <= below && below <= above && above <= time + 1e-4);
        let beside = Vectors { x: -velocity.y, y: velocity.x };
        prop_assert_eq!(time_to_box_below([gap, gap], radius, beside), f64::INFINITY);
        for never in [gap.times(-1.0), beside] {
            prop_assert_eq!(time_to_point_above(gap, radius, never), f64::INFINITY);
        }
        // Products of such lengths leave the range of floats, the square of the speed alone does not.
        for scale in [-330, 330].map(|exponent| 2.0_f64.powi(exponent)) {
            let [gap, velocity] = [gap, velocity].map(|it| it.times(scale));
            prop_assert!(time_to_box_below([gap, gap], radius * scale, velocity) <= time);
            prop_assert!(time <= time_to_point_above(gap, radius * scale, velocity));
        }
    }

    #[test]
    fn overlaps_are_known_to_ten_digits([start, end, center] in edge_and_center(), radius in radius(), is_edge: bool) {
        let at = EdgeProjection::new(center, start, end);
        let size = size(&[start, end, center]);
        let squares = Squares::new(size, radius);
        let (_, overlap, is_known) = at.overlap(is_edge, radius, size, false);
        let is_usual = at.edge_squared.min(at.gap_squared) >= 2.0_f64.powi(-600);
        if is_known && squares.error.is_finite() && is_usual {
            let exact = ExactProjection::new(center, start, end);
            let error = of(overlap.abs() * TEN_DIGITS);
            let rest = of(radius).minus(&of(overlap));
            // Of an edge, `radius + cross / √edge²`, times that root.
            let sign = |rest: Rational| if is_edge {
                sign_with_root(&exact.edge.cross(&exact.gap), &rest, &exact.edge.dot(&exact.edge))
            } else {
                sign_with_root(&rest, &of(-1.0), &exact.gap.dot(&exact.gap))
            };
            prop_assert!(sign(rest.plus(&error)) != Ordering::Less);
            prop_assert!(sign(rest.minus(&error)) != Ordering::Greater);
        }
    }

    #[test]
    fn contact_is_known_where_nothing_is_rounded(numbers in [-9..=9i8, -9..=9, -9..=9, -9..=9], radius in 0..9u8, is_edge: bool) {
        let [x, y, u, v] = numbers.map(f64::from);
        let [start, end, center] = [(0.0, 0.0), (x, y), (u, v)].map(|(x, y)| Vectors { x, y });
        let at = EdgeProjection::new(center, start, end);
        let square = f64::from(radius).powi(2);
        let touches = if is_edge {
            at.cross < 0.0 && at.cross * at.cross == square * at.edge_squared
        } else {
            at.gap_squared == square && square > 0.0
        };
        let (_, overlap, is_known) = at.overlap(is_edge, radius.into(), size(&[start, end, center]), true);
        prop_assert!(!touches || (is_known && overlap == 0.0));
    }

    #[test]
    fn distances_beyond_a_sum_of_radii_are_known_to_ten_digits([start, end, center] in edge_and_center(), radii in [radius(), radius(), radius()], is_edge: bool) {
        let at = EdgeProjection::new(center, start, end);
        let (beyond, is_known) = at.distance_beyond(is_edge, (radii[0] + radii[1]) + radii[2]);
        // Sums of which a term is tiny leave the range in which the caller asks.
        if is_known && radii.iter().all(|&it| it == 0.0 || it > 1e-30) {
            let ExactProjection { gap, edge } = ExactProjection::new(center, start, end);
            let sum = radii.iter().fold(of(0.0), |sum, &radius| sum.plus(&of(radius)));
            let error = of(beyond.abs() * TEN_DIGITS);
            let rest = sum.plus(&of(beyond));
            // Of an edge, `|cross| / √edge² - sum`, times that root.
            let sign = |rest: Rational| if is_edge {
                sign_with_root(&edge.cross(&gap).abs(), &rest.times(&of(-1.0)), &edge.dot(&edge))
            } else {
                sign_with_root(&rest.times(&of(-1.0)), &of(1.0), &gap.dot(&gap))
            };
            prop_assert!(beyond != 0.0);
            prop_assert!(sign(rest.minus(&error)) != Ordering::Less);
            prop_assert!(sign(rest.plus(&error)) != Ordering::Greater);
        }
    }

    #[test]
    fn a_circle_that_recedes_or_falls_short_stays_away(vertex in place(), center in place(), velocity in place(), radii in [radius(), radius(), radius()]) {
        let radius = (radii[0] + radii[1]) + radii[2];
        let path = CirclePath::new(size(&[vertex, center]), radius, velocity).of_sum();
        let near = path.comes_near(center - vertex);
        let gap = Exact::between(vertex, center);
        let velocity = Exact { x: of(velocity.x), y: of(velocity.y) };
        let at_end = Exact { x: gap.x.plus(&velocity.x), y: gap.y.plus(&velocity.y) };
        let sum = radii.iter().fold(of(0.0), |sum, &radius| sum.plus(&of(radius)));
        let is_outside = |gap: &Exact| positive(&gap.dot(gap).minus(&sum.squared()));
        if near.recedes {
            prop_assert!(is_outside(&gap) && positive(&velocity.dot(&gap)));
        }
        if near.falls_short {
            prop_assert!(is_outside(&at_end) && velocity.dot(&at_end).sign() == Ordering::Less);
        }
    }

    #[test]
    fn arrivals_at_edges_are_within_their_bounds(([start, end, center, velocity], radius) in approach()) {
        let path = CirclePath::new(size(&[start, end, center]), radius, velocity);
        let arrival = path.to_edge(&EdgeProjection::new(center, start, end));
        let Some(arrives) = arrival.verdict.decided() else { return Ok(()) };
        let ExactProjection { gap, edge } = ExactProjection::new(center, start, end);
        let velocity = Exact { x: of(velocity.x), y: of(velocity.y) };
        let (cross, along, pace) = (edge.cross(&gap), edge.dot(&velocity), edge.cross(&velocity));
        let (radius, length) = (of(radius), edge.dot(&edge));
        // The height is `-cross - radius √edge²`.
        let zero = of(0.0);
        let back = zero.minus(&radius);
        let height = |factor: &Rational, plus: &Rational| {
            sign_with_root(&plus.minus(&factor.times(&cross)), &factor.times(&back), &length)
        };
        let foot = edge.dot(&gap).times(&pace);
        let exact = height(&of(1.0), &zero) != Ordering::Less
            && positive(&pace)
            && height(&of(1.0), &zero.minus(&pace)) != Ordering::Greater
            && height(&along, &foot) == Ordering::Greater
            && height(&along, &foot.minus(&length.times(&pace))) == Ordering::Less;
        prop_assert_eq!(arrives, exact);
        if arrives {
            let reached = zero.minus(&of(arrival.time).times(&pace));
            prop_assert!(height(&of(1.0 + ERROR_OF_TIMES), &reached) != Ordering::Less);
            prop_assert!(height(&of(1.0 - ERROR_OF_TIMES), &reached) != Ordering::Greater);
        }
    }

    /// Circles that start far apart, so that the gap at the end cancels: multiplied by 2^420, which floats cannot
    /// decide, they give the exact answer.
    #[test]
    fn ends_of_intervals_are_known_where_gaps_cancel(
        apart in 0..44i32,
        radius in -40..3i32,
        [from, to] in [facing_away(), facing_away()],
    ) {
        let radius = libm::ldexp(1.0, radius);
        let start = Point::new(libm::ldexp(from[0], apart), libm::ldexp(from[1], apart));
        let end = Point::new(to[0], to[1]);
        let intervals = |factor: f64| {
            let point = |Point { x, y }: Point| [Point::new(x * factor, y * factor)];
            let (own, other) = (point(start), point(Point::ORIGIN));
            let circle = |center, radius: f64| {
                Shape::new(Rings::of_one(center, ShapeKind::Point).with_radius(radius * factor)).unwrap()
            };
            let velocity = (end - start).times(factor);
            contact_intervals(&circle(&own, radius), &circle(&other, 0.5), velocity, 0.0)
        };
        let (found, exact) = (intervals(1.0), intervals(libm::ldexp(1.0, 420)));
        prop_assert_eq!(found.len(), exact.len());
        for (found, exact) in found.iter().zip(exact.iter()) {
            prop_assert_eq!(found[0] == found[1], exact[0] == exact[1]);
            for (found, exact) in found.iter().zip(exact) {
                prop_assert!((found - exact).abs() <= TEN_DIGITS * exact, "{found} {exact}");
                prop_assert_eq!(*found == 0.0, *exact == 0.0);
            }
        }
    }

    #[test]
    fn arrivals_that_may_be_simultaneous_are_not_put_in_order(time in 0.0..=1.0f64, share in -1.0..=1.0f64) {
        let other = time * (1.0 + 2.0 * ERROR_OF_TIMES * share);
        prop_assert!(!certainly_before(time, other));
    }

    #[test]
    fn arrivals_at_vertices_are_within_their_bounds(vertex in place(), center in place(), velocity in place(), radius in radius()) {
        let path = CirclePath::new(size(&[vertex, center]), radius, velocity);
        let arrival = path.to_vertex(&EdgeProjection::new(center, vertex, vertex));
        let gap = Exact::between(vertex, center);
        let velocity = Exact { x: of(velocity.x), y: of(velocity.y) };
        let radius = of(radius);
        let outside = gap.dot(&gap).minus(&radius.squared());
        let Some(arrives) = arrival.verdict.decided().filter(|_| positive(&outside)) else { return Ok(()) };
        let approach = of(0.0).minus(&gap.dot(&velocity));
        let across = velocity.cross(&gap);
        let path = velocity.dot(&velocity);
        let discriminant = radius.squared().times(&path).minus(&across.squared());
        let at_end = outside.minus(&approach).minus(&approach).plus(&path);
        let exact = positive(&approach)
            && discriminant.sign() != Ordering::Less
            && (approach.is_at_most(&path) || !positive(&at_end));
        prop_assert_eq!(arrives, exact);
        if arrives {
            // The time is `(approach - √discriminant) / path`.
            let time = of(arrival.time).times(&path);
            let error = time.times(&of(ERROR_OF_TIMES));
            prop_assert!(is_within(&time, &error, [&approach, &of(-1.0), &discriminant]));
        }
        if arrives && arrival.has_normal {
            let length = radius.times(&path);
            let error = length.times(&of(TEN_DIGITS));
            let Vectors { x, y } = arrival.outward.map(|component| component / arrival.length);
            let components = [(x, &velocity.x, velocity.y.times(&of(-1.0))), (y, &velocity.y, velocity.x.clone())];
            for (component, along, left) in components {
                let truth = [&left.times(&across), &along.times(&of(-1.0)), &discriminant];
                prop_assert!(is_within(&of(component).times(&length), &error, truth));
            }
        }
    }
}

/// In units of the sum of squares, a product of two vectors is 1 at most, the dot product of gap and
/// velocity a quarter, and radius times length a half. Each has four roundings.
#[test]
fn the_bounds_of_arrivals_cover_all_roundings() {
    let Squares {
        error,
        error_of_products,
        ..
    } = Squares::new(Vectors { x: 1.0, y: 0.0 }, 0.0);
    let product = Worst::new(1.0, 4);
    let height = product.plus(&Worst::new(0.5, 4));
    assert!(height.is_within(error) && product.is_within(error));
    assert!(height.plus(&product).is_within(2.0 * error));
    let past_start = product.times(&product).plus(&height.times(&product));
    assert!(past_start.is_within(error_of_products));
    let before_end = product.times(&product).plus(&past_start);
    assert!(before_end.is_within(2.0 * error_of_products));
    let outside = product.plus(&Worst::new(1.0, 1)).no_larger_than(1.0);
    let approach = Worst::new(0.25, 4);
    let at_end = outside.plus(&approach).plus(&approach).plus(&product);
    assert!(at_end.is_within(2.0 * error));
    let discriminant = product.times(&product).plus(&product.times(&product));
    assert!(discriminant.is_within(error_of_products));
}
