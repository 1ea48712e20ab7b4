//! The bounds on the errors of areas and moments, rederived: no smaller than the roundings of each term can make the
//! error, and not much larger, so that no more rings than necessary are left to exact numbers.

use carom::geom::{Edge, Point, Vec2};
use carom::predicates::numbers::compensated_differences::Rounded;
use carom::predicates::numbers::polynomial::{Number, Polynomial};
use carom::predicates::{
    AreaSum, Moment, TwiceArea, moments_of_ring, rounded_moments_of_ring, twice_areas_of_ring,
};
use proptest::prelude::*;

use crate::numbers::{Rational, Roundings, close_by, exponent, step, with_all_bits};

/// The unit roundoff.
const U: f64 = f64::EPSILON / 2.0;

fn of(value: f64) -> Rational {
    Rational::of(value)
}

/// `(1 + u)^k - 1`, what so many roundings add to a term at most.
fn lost(roundings: u32) -> Rational {
    of(1.0).plus(&of(U)).power(roundings).minus(&of(1.0))
}

fn total(terms: impl Iterator<Item = Rational>) -> Rational {
    terms.fold(of(0.0), |sum, term| sum.plus(&term))
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap()
}

/// The sum of the sizes of all terms `(x - x[0]) (y[after] - y[before])`.
fn size_of_terms(ring: &[Point]) -> Rational {
    let n = ring.len();
    total((0..n).map(|here| {
        let width = Rational::difference(ring[here].x, ring[0].x);
        let (before, after) = (ring[(here + n - 1) % n].y, ring[(here + 1) % n].y);
        width.times(&Rational::difference(after, before)).abs()
    }))
}

/// How many sums a term goes through: those of groups of eight vertices in blocks of 32, those of blocks, those of
/// halves of the lanes, and those of the vertices that are left over.
fn sums_of_a_plain_area(vertices: usize) -> u32 {
    let groups = (vertices - 2) / 8;
    let left_over = vertices - 1 - 8 * groups;
    let of_groups = match groups {
        0 => 0,
        _ => groups.min(32) - 1 + groups.div_ceil(32) - 1 + 3,
    };
    count(of_groups + left_over)
}

/// The same of a compensated sum, whose lanes are added one by one, and the first vertex after them. What is added to
/// zero is not rounded.
fn sums_of_a_compensated_area(vertices: usize) -> u32 {
    let groups = (vertices - 2) / 8;
    let left_over = vertices - 1 - 8 * groups;
    count(groups.min(32) - 1 + groups.div_ceil(32) - 1 + 7 + 1 + left_over)
}

/// The same of a compensated sum over edges.
fn sums_of_a_compensated_moment(vertices: usize) -> u32 {
    let groups = vertices.div_ceil(8);
    count(groups.min(32) - 1 + groups.div_ceil(32) - 1 + 7)
}

/// Numbers of vertices with blocks that are full, those that are not, and every number of vertices that are left over.
const VERTICES: [usize; 14] = [
    258, 259, 260, 261, 262, 263, 264, 265, 266, 520, 777, 1030, 2049, 4096,
];

fn ring_of(
    coordinate: impl Strategy<Value = f64>,
    vertices: impl Strategy<Value = usize>,
    most: usize,
) -> impl Strategy<Value = Vec<Point>> {
    let numbers = prop::collection::vec(coordinate, 2 * most);
    (vertices, numbers).prop_map(|(vertices, numbers)| {
        let pairs = numbers.chunks_exact(2).take(vertices);
        pairs.map(|pair| Point::new(pair[0], pair[1])).collect()
    })
}

/// A way there and back, so that there is no area, and a bound has no part for it.
fn there_and_back(ring: &[Point]) -> Vec<Point> {
    let (there, others) = ring.split_at(ring.len() / 2);
    let middle = others.iter().take(ring.len() % 2);
    there
        .iter()
        .chain(middle)
        .chain(there.iter().rev())
        .copied()
        .collect()
}

fn long_ring() -> impl Strategy<Value = Vec<Point>> {
    ring_of(
        with_all_bits(),
        prop::sample::select(VERTICES.to_vec()),
        4096,
    )
}

/// The smallest and the largest of some numbers.
fn range(numbers: impl Iterator<Item = f64>) -> [f64; 2] {
    numbers.fold([f64::INFINITY, f64::NEG_INFINITY], |[min, max], it| {
        [it.min(min), it.max(max)]
    })
}

fn largest(ring: &[Point], coordinate: impl Fn(&Point) -> f64, origin: f64) -> Rational {
    let [min, max] = range(ring.iter().map(coordinate));
    let [low, high] = [min, max].map(|it| Rational::difference(it, origin).abs());
    if low.is_at_most(&high) { high } else { low }
}

/// `2 (h + more)^2 u^2` of the sizes of all terms, and a rounding of the value.
fn of_compensated(roundings: u32, sizes: &Rational, value: f64) -> Rational {
    let square = of(f64::from(roundings) * U).power(2);
    let of_value = of(value.abs() * U);
    of(2.0).times(&square).times(sizes).plus(&of_value)
}

fn area_counts_its_sums(ring: &[Point], is_far: bool) {
    let add = if is_far { 1e7 } else { 0.0 };
    let moved = |it: &Point| Point::new(it.x + add, it.y);
    let ring: Vec<_> = ring.iter().map(moved).collect();
    let [_, area] = twice_areas_of_ring(&ring);
    // Where coordinates are larger than their range they are seen from the smallest.
    let [origin, _] = range(ring.iter().map(|it| it.x));
    let width = largest(&ring, |it| it.x, if is_far { origin } else { 0.0 });
    let [low, high] = range(ring.iter().map(|it| it.y));
    let height = Rational::difference(high, low);
    let sizes = of(ring.len() as f64).times(&width).times(&height);
    let sums = sums_of_a_compensated_area(ring.len());
    is_about(area, &sizes, sums + 3);
}

fn moments_count_their_sums(ring: &[Point], is_far: bool) {
    let add = if is_far { 1e7 } else { 0.0 };
    let moved = |it: &Point| Point::new(it.x - add, it.y / 8.0 + add);
    let ring: Vec<_> = ring.iter().map(moved).collect();
    let (origin, moments) = moments_of_ring(&ring);
    let x = largest(&ring, |it| it.x, origin.x);
    let y = largest(&ring, |it| it.y, origin.y);
    let triangle = of(2.0).times(&x).times(&y);
    let moment = |arm: &Rational| triangle.times(&of(2.0)).times(arm);
    let sums = sums_of_a_compensated_moment(ring.len());
    for (number, size) in moments
        .into_iter()
        .zip([triangle.clone(), moment(&x), moment(&y)])
    {
        is_about(number, &of(ring.len() as f64).times(&size), sums + 4);
    }
}

/// Whether a bound is that of [`of_compensated`], or larger by what sums of zero, edges that fill up the last eight and
/// a sixteenth make.
fn is_about(number: Rounded<f64>, sizes: &Rational, roundings: u32) {
    let error = of(number.error);
    assert!(of_compensated(roundings, sizes, number.value).is_at_most(&error));
    let most = of_compensated(roundings + 4, sizes, number.value).times(&of(1.1));
    assert!(error.is_at_most(&most));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn bounds_of_plain_areas_count_the_roundings_of_each_term(ring in long_ring()) {
        let [plain, _] = twice_areas_of_ring(&ring);
        // Both differences and the product.
        let roundings = 3 + sums_of_a_plain_area(ring.len());
        let sizes = size_of_terms(&ring);
        prop_assert!(lost(roundings).times(&sizes).is_at_most(&of(plain.error)));
        let most = of(f64::from(roundings + 5) * U).times(&sizes);
        prop_assert!(of(plain.error).is_at_most(&most));
    }

    #[test]
    fn bounds_of_compensated_areas_count_the_sums_on_the_way(ring in long_ring(), is_far in any::<bool>()) {
        area_counts_its_sums(&there_and_back(&ring), is_far);
    }

    #[test]
    fn bounds_of_compensated_moments_count_the_sums_on_the_way(ring in long_ring(), is_far in any::<bool>()) {
        moments_count_their_sums(&there_and_back(&ring), is_far);
    }

    #[test]
    fn bounds_of_plain_moments_count_the_roundings_of_each_term(ring in long_ring()) {
        let ring: Vec<_> = ring.iter().map(|it| Point::new(it.x, it.y + 3.0)).collect();
        let origin = Point::new(0.5, 0.25);
        let found = rounded_moments_of_ring(&ring, origin);
        // Blocks of four groups of eight edges are added in pairs, then the lanes one by one.
        let blocks = ring.len().div_ceil(8).div_ceil(4);
        let sums = 3 + blocks.ilog2() + 7;
        let (sizes, values) = plain_moments(&ring, origin);
        for (bounded, (size, exact)) in found.iter().zip(sizes.iter().zip(values)) {
            let error = of(bounded.error());
            prop_assert!(lost(7 + sums).times(size).is_at_most(&error));
            prop_assert!(exact.minus(&of(bounded.value())).abs().is_at_most(&error));
            // The sums of the parts that are left over, and of zero.
            let most = of(f64::from(7 + sums + 2 + 8) * U).times(size);
            prop_assert!(error.is_at_most(&most));
        }
    }

    #[test]
    fn plain_moments_are_within_their_bounds(ring in ring_of(close_by(), 3..100usize, 100), exponent in exponent()) {
        let scaled = |number: f64| number * 2f64.powi(exponent);
        let ring: Vec<_> = ring.iter().map(|it| Point::new(scaled(it.x), scaled(it.y))).collect();
        let (_, values) = plain_moments(&ring, ring[0]);
        for (bounded, exact) in rounded_moments_of_ring(&ring, ring[0]).iter().zip(values) {
            if bounded.error().is_finite() {
                let error = exact.minus(&of(bounded.value())).abs();
                prop_assert!(error.is_at_most(&of(bounded.error())));
            }
        }
    }

    #[test]
    fn sums_of_areas_are_within_their_bound(
        areas in prop::collection::vec((close_by(), 0.0..1e-12f64, any::<bool>()), 1..30),
        tiny in prop_oneof![Just(1.0), Just(0.0), Just(1e-30)],
        is_filled in any::<bool>(),
        exponent in -400..400i32,
    ) {
        let scale = 2f64.powi(exponent);
        let mut sum = AreaSum::ZERO;
        let (mut exact, mut sizes, mut errors) = (of(0.0), of(0.0), of(0.0));
        // Holes of the same sizes leave no area.
        let holes = areas.iter().filter(|_| is_filled).map(|&(value, error, is_hole)| (value, error, !is_hole));
        let areas: Vec<_> = areas.iter().copied().chain(holes).collect();
        for &(value, error, is_hole) in &areas {
            // The bound of every area covers underflow.
            let (value, error) = (value * scale, error * tiny * scale + f64::MIN_POSITIVE);
            sum.add(Rounded { value, error }, is_hole);
            let size = of(value.abs());
            exact = if is_hole { exact.minus(&size) } else { exact.plus(&size) };
            sizes = sizes.plus(&size);
            errors = errors.plus(&of(error));
        }
        let found = sum.rounded();
        let off = exact.minus(&of(found.value)).abs().plus(&errors);
        prop_assert!(off.is_at_most(&of(found.error)));
        // A sum loses a rounding of the sizes, and what was lost is rounded as often, and once more.
        let count = count(areas.len());
        let of_sums = lost(count).times(&of(1.0).plus(&lost(count + 1))).times(&lost(count + 1)).times(&sizes);
        let least = errors.plus(&of_sums).plus(&of(found.value.abs() * U));
        prop_assert!(least.is_at_most(&of(found.error)));
        let most = errors.times(&of(1.0 + 1e-12)).plus(&of_compensated(count + 4, &sizes, found.value));
        prop_assert!(of(found.error).is_at_most(&most.times(&of(1.125))));
    }

    #[test]
    fn coordinates_seen_from_the_origin_of_a_sum_are_exact(
        ring in ring_of(close_by(), 3..12usize, 12),
        shift in -12.0..12.0f64,
        exponent in -40..40i32,
    ) {
        let moved = |number: f64| (number + shift) * 2f64.powi(exponent);
        let ring: Vec<_> = ring.iter().map(|it| Point::new(moved(it.x), moved(it.y))).collect();
        let (origin, _) = moments_of_ring(&ring);
        let [x, y] = [|it: &Point| it.x, |it: &Point| it.y];
        for (coordinate, origin) in [(x, origin.x), (y, origin.y)] {
            let [min, max] = range(ring.iter().map(coordinate));
            for number in ring.iter().map(coordinate) {
                let difference = Rational::difference(number, origin);
                prop_assert!(difference.minus(&of(number - origin)).sign().is_eq());
            }
            let nearest = min.abs().min(max.abs());
            let is_far = min * max > 0.0 && min.abs().max(max.abs()) <= 2.0 * nearest;
            prop_assert_eq!(origin.abs(), if is_far { nearest } else { 0.0 });
        }
    }

    /// A way there and back, a few floats beside it: however little area there is, the digits lost by a difference would
    /// show.
    #[test]
    fn areas_of_rings_that_go_back_beside_themselves_are_within_their_bounds(
        there in ring_of(1.0..3.0f64, 3..40usize, 40),
        steps in prop::collection::vec([-2..=2i64, -2..=2], 40),
        factors in [0.0..1.0f64, 0.0..1.0],
        exponent in -3..3i32,
        is_negative in any::<bool>(),
    ) {
        let scale = if is_negative { -2f64.powi(exponent) } else { 2f64.powi(exponent) };
        let at = |it: &Point| Point::new((it.x + factors[0]) * scale, (it.y + factors[1]) * scale);
        let there: Vec<_> = there.iter().map(at).collect();
        let beside = |(it, [x, y]): (&Point, &[i64; 2])| Point::new(step(it.x, *x), step(it.y, *y));
        let back: Vec<_> = there.iter().zip(&steps).map(beside).collect();
        let ring: Vec<_> = there.iter().chain(back.iter().rev()).copied().collect();
        let (_, [exact, ..]) = plain_moments(&ring, ring[0]);
        for area in twice_areas_of_ring(&ring) {
            prop_assert!(exact.minus(&of(area.value)).abs().is_at_most(&of(area.error)));
        }
    }
}

/// Twice the area and six times the moments seen from a point: the sums of the sizes of all terms, and the values.
fn plain_moments(ring: &[Point], origin: Point) -> ([Rational; 3], [Rational; 3]) {
    let zero = [of(0.0), of(0.0), of(0.0)];
    let (mut sizes, mut values) = (zero.clone(), zero);
    for (index, &start) in ring.iter().enumerate() {
        let end = ring[(index + 1) % ring.len()];
        let seen = |point: Point| {
            let x = Rational::difference(point.x, origin.x);
            [x, Rational::difference(point.y, origin.y)]
        };
        let ([a, b], [c, d]) = (seen(start), seen(end));
        let first = a.times(&d.minus(&b));
        let second = b.times(&c.minus(&a));
        let triangle = first.minus(&second);
        let size = first.abs().plus(&second.abs());
        let arms = [(a.clone(), c.clone()), (b.clone(), d.clone())];
        let add = |to: &mut Rational, term: &Rational| *to = to.plus(term);
        add(&mut sizes[0], &size);
        add(&mut values[0], &triangle);
        for (axis, (from, to)) in arms.into_iter().enumerate() {
            add(&mut values[axis + 1], &triangle.times(&from.plus(&to)));
            add(
                &mut sizes[axis + 1],
                &size.times(&from.abs().plus(&to.abs())),
            );
        }
    }
    (sizes, values)
}

/// So many that sums of zero are a small part.
#[test]
fn bounds_of_compensated_sums_of_many_vertices_count_the_sums() {
    let of_index =
        |index: usize| Point::new((index % 97) as f64 - 40.0, (index % 89) as f64 - 30.0);
    let ring: Vec<_> = (0..100_000).map(of_index).collect();
    for is_far in [false, true] {
        area_counts_its_sums(&there_and_back(&ring), is_far);
        moments_count_their_sums(&there_and_back(&ring), is_far);
    }
}

/// A term of size 1 is added to others of half its last place, of which each sum keeps nothing.
#[test]
fn each_sum_on_the_way_of_a_plain_area_may_lose_a_rounding() {
    for vertices in VERTICES.into_iter().chain(3..40) {
        let groups = (vertices - 2) / 8;
        // All terms are as long as the vertex is far to the right.
        let mut ring: Vec<_> = (0..vertices)
            .map(|index| Point::new(0.0, index as f64 / 2.0))
            .collect();
        let lanes = if groups == 0 { vec![] } else { vec![2, 3, 5] };
        let of_block = (1..groups.min(32)).map(|group| 1 + 8 * group);
        let of_blocks = (32..groups).step_by(32).map(|group| 1 + 8 * group);
        for index in lanes.into_iter().chain(of_block).chain(of_blocks) {
            ring[index].x = U;
        }
        for vertex in &mut ring[1 + 8 * groups..vertices - 1] {
            vertex.x = U;
        }
        ring[1].x = 1.0;
        let exact = total(ring.iter().map(|it| of(it.x)));
        let [plain, _] = twice_areas_of_ring(&ring);
        let error = exact.minus(&of(plain.value));
        // The last vertex adds zero, and so does the first of those left over where there are no groups.
        let sums = sums_of_a_plain_area(vertices) - if groups == 0 { 2 } else { 1 };
        assert!(
            error.minus(&of(f64::from(sums) * U)).sign().is_eq(),
            "{vertices}"
        );
        assert!(error.is_at_most(&of(plain.error)));
    }
}

/// As exact numbers would be rounded: the sums of the polynomials are those of one edge with zero, twice.
#[test]
fn a_term_of_a_moment_has_seven_roundings() {
    let area = TwiceArea {
        origin: Point::ORIGIN,
        edges: std::iter::once(Edge::from_origin(Vec2::new(1.0, 1.0))),
    };
    let Roundings(of_area) = area.evaluate();
    let Roundings(of_moment) = Moment {
        area,
        along_y: false,
    }
    .evaluate();
    assert_eq!([of_area, of_moment], [4 + 2, 7 + 2]);
    let triangle = [(1.0, 0.0), (2.0, 1.0), (0.0, 2.0)].map(|(x, y)| Point::new(x, y));
    // With the sum that starts with zero, and those of the lanes.
    for moment in rounded_moments_of_ring(&triangle, Point::ORIGIN) {
        assert_eq!(moment.roundings(), 7 + 1 + 8);
    }
}

/// Errors that are rounded away where they are added, and areas of which the last sum is no float.
#[test]
fn a_sum_of_areas_has_room_for_errors_that_were_rounded_away() {
    for count in [2, 5, 30] {
        let mut sum = AreaSum::ZERO;
        let mut errors = of(0.0);
        for index in 0..count {
            let error = if index == 0 { 1.0 } else { U };
            sum.add(Rounded { value: 0.0, error }, false);
            errors = errors.plus(&of(error));
        }
        assert!(errors.is_at_most(&of(sum.rounded().error)));
    }
}

/// A coordinate of one vertex, or the way from one to the next alone.
#[test]
fn moments_of_edges_out_of_range_have_no_bound() {
    let (tiny, huge) = (2f64.powi(-101), 2f64.powi(64));
    let have_bounds = |coordinates: [f64; 3]| {
        let [a, b, c] = coordinates;
        let ring = [(a, 1.0), (b, 2.0), (c, 4.0)].map(|(x, y)| Point::new(x, y));
        let bounded = [ring, ring.map(|it| Point::new(it.y, it.x))].map(|ring| {
            rounded_moments_of_ring(&ring, Point::ORIGIN).map(|it| it.error().is_finite())
        });
        assert!(bounded.iter().flatten().all(|it| *it == bounded[0][0]));
        bounded[0][0]
    };
    for (number, is_usual) in [
        (0.0, true),
        (1.0, true),
        (tiny, false),
        (huge, false),
        (f64::NAN, false),
    ] {
        let [one, other] = [0.5 * huge, 0.625 * huge];
        for coordinates in [
            [number, one, other],
            [one, number, other],
            [one, other, number],
        ] {
            assert_eq!(have_bounds(coordinates), is_usual, "{coordinates:?}");
        }
    }
    let near = [2f64.powi(-60), 2f64.powi(-60) + 2f64.powi(-112)];
    for [from, to] in [near, [-0.75 * huge, 0.75 * huge]] {
        for coordinates in [[from, to, 0.5], [0.5, from, to], [to, 0.5, from]] {
            assert!(!have_bounds(coordinates), "{coordinates:?}");
        }
    }
}

/// Products below the least float are lost, of a moment times the largest coordinate.
#[test]
fn bounds_of_areas_and_moments_cover_underflow() {
    let least = f64::from_bits(1);
    let tiny = [(0.0, 0.0), (least, 0.0), (0.0, least)].map(|(x, y)| Point::new(x, y));
    for area in twice_areas_of_ring(&tiny) {
        assert!(area.value == 0.0 && area.error > 0.0);
    }
    let far = [(0.5, 0.0), (2f64.powi(60), least), (0.25, 0.0)].map(|(x, y)| Point::new(x, y));
    for ring in [far, far.map(|it| Point::new(it.y, it.x))] {
        let (origin, found) = moments_of_ring(&ring);
        assert_eq!(origin, Point::ORIGIN);
        let (_, values) = plain_moments(&ring, origin);
        for (number, exact) in found.iter().zip(values) {
            let error = exact.minus(&of(number.value)).abs();
            assert!(error.is_at_most(&of(number.error)));
        }
    }
}
