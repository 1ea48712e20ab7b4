//! The errors of areas and moments of rings are within the bounds that are told with them.

use carom::geom::Point;
use carom::predicates::numbers::polynomial::Number;
use carom::predicates::{moments_of_ring, twice_areas_of_ring};
use proptest::prelude::*;

use crate::numbers::{Rational, Worst, close_by, exponent, with_all_bits};

/// Twice the area on the left of a ring, from the definition.
fn exact(ring: &[Point]) -> Rational {
    let next = ring.iter().cycle().skip(1);
    ring.iter()
        .zip(next)
        .fold(Rational::of(0.0), |sum, (from, to)| {
            let [x, y] = [from.x, from.y].map(Rational::of);
            sum.plus(&x.times(&Rational::of(to.y)))
                .minus(&y.times(&Rational::of(to.x)))
        })
}

fn are_within_their_bounds(ring: &[Point]) -> Result<(), TestCaseError> {
    let exact = exact(ring);
    for (kind, area) in ["plain", "compensated"]
        .iter()
        .zip(twice_areas_of_ring(ring))
    {
        // Where numbers overflow there is no bound.
        if area.error.is_finite() && area.value.is_finite() {
            let error = Rational::of(area.value).minus(&exact).abs();
            prop_assert!(error.is_at_most(&Rational::of(area.error)), "{kind}");
        }
    }
    Ok(())
}

/// Six times the moment along x, or along y, seen from a point.
fn exact_moment(ring: &[Point], origin: Point, along_y: bool) -> Rational {
    let seen = |point: &Point| {
        let x = Rational::difference(point.x, origin.x);
        [x, Rational::difference(point.y, origin.y)]
    };
    let next = ring.iter().cycle().skip(1);
    ring.iter()
        .zip(next)
        .fold(Rational::of(0.0), |sum, (from, to)| {
            let ([a, b], [c, d]) = (seen(from), seen(to));
            let both = if along_y { b.plus(&d) } else { a.plus(&c) };
            sum.plus(&a.times(&d).minus(&b.times(&c)).times(&both))
        })
}

fn moments_are_within(ring: &[Point]) -> Result<(), TestCaseError> {
    let (origin, [area, x, y]) = moments_of_ring(ring);
    let moment = |along_y| exact_moment(ring, origin, along_y);
    for (number, exact) in [(area, exact(ring)), (x, moment(false)), (y, moment(true))] {
        if number.error.is_finite() && number.value.is_finite() {
            let error = Rational::of(number.value).minus(&exact).abs();
            prop_assert!(error.is_at_most(&Rational::of(number.error)));
        }
    }
    Ok(())
}

fn ring(coordinate: impl Strategy<Value = f64>, most: usize) -> impl Strategy<Value = Vec<Point>> {
    let points = |numbers: Vec<f64>| {
        let pairs = numbers.chunks_exact(2);
        pairs.map(|pair| Point::new(pair[0], pair[1])).collect()
    };
    prop::collection::vec(coordinate, 6..2 * most).prop_map(points)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn areas_of_rings_are_within_their_bounds(ring in ring(with_all_bits(), 700)) {
        are_within_their_bounds(&ring)?;
        moments_are_within(&ring)?;
    }

    #[test]
    fn areas_of_rings_that_nearly_vanish_are_within_their_bounds(ring in ring(close_by(), 40)) {
        are_within_their_bounds(&ring)?;
        moments_are_within(&ring)?;
    }

    #[test]
    fn areas_of_rings_of_any_size_are_within_their_bounds(ring in ring(with_all_bits(), 30), exponent in exponent()) {
        let scaled = |number: f64| number * 2f64.powi(exponent);
        let ring: Vec<_> = ring.iter().map(|it| Point::new(scaled(it.x), scaled(it.y))).collect();
        are_within_their_bounds(&ring)?;
        moments_are_within(&ring)?;
    }

    #[test]
    fn areas_of_rings_far_away_are_within_their_bounds(ring in ring(with_all_bits(), 300), far in [-9..9i32, -9..9]) {
        let [x, y] = far.map(|far| 10f64.powi(far.abs()).copysign(far.into()));
        let ring: Vec<_> = ring.iter().map(|it| Point::new(it.x + x, it.y + y)).collect();
        are_within_their_bounds(&ring)?;
        moments_are_within(&ring)?;
    }

    /// However much notches cancel: here the second half of a ring goes back along the first.
    #[test]
    fn a_compensated_area_has_twice_the_digits_of_its_terms(ring in ring(with_all_bits(), 300)) {
        let back: Vec<_> = ring.iter().chain(ring.iter().rev()).copied().collect();
        let [_, compensated] = twice_areas_of_ring(&back);
        prop_assert!(compensated.value.abs() < 1e-22 && compensated.error < 1e-22);
    }
}

/// The derivations above `compensated_twice_area` and `compensated_moments`, in units of the sum of the sizes of all
/// terms.
#[test]
fn the_bounds_of_compensated_sums_cover_all_roundings() {
    let unit = Rational::power_of_two(-53);
    for sums in [27, 60, 200, 500] {
        let number = |number: u32| Rational::of(number.into());
        let grown = Worst::new(1.0, sums);
        // What sums lose, each at most a rounding of a partial sum.
        let of_sums = number(sums).times(&unit).times(&grown.most());
        let added = Worst::new(1.0, 2 * sums + 4).most().minus(&number(1));
        // The bounds themselves and the magnitudes are rounded ten times at most.
        let rounded = Worst::new(1.0, 10).most();
        // Of an area and of a moment: what a term loses, how well that is known, and what is added to the sums.
        for (of_term, known, more) in [(2.1, 3, 3), (4.1, 15, 4)] {
            let lost = of_sums.plus(&Rational::of(of_term).times(&unit));
            let of_terms = number(known).times(&unit.power(2));
            let error = added.times(&lost).plus(&of_terms);
            let bound = Rational::of(2.125).times(&number(sums + more).times(&unit).power(2));
            assert!(error.times(&rounded).is_at_most(&bound));
        }
    }
}
