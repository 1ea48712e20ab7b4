//! Arcs through two poses. Random ones are compared with fractions in `tests/test_arc.py`.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use carom::geom::ArcStep;

type Case = ([f64; 3], [f64; 3], [f64; 2]);

/// Two poses and the center of the arc through them, rounded (`tests/reference/oracle/arc.py`).
#[rustfmt::skip]
#[allow(clippy::approx_constant, clippy::unreadable_literal)]
const CENTERS: &[Case] = &[
    ([0.0, 0.0, 0.0], [1.0, 1.0, 1.5707963267948966], [-3.061616997868383e-17, 1.0]),
    ([3.0, -4.0, 1.0], [5.0, 7.0, -1.5], [5.827503794899907, 1.1677265827454715]),
    ([1.0, 2.0, 0.0], [-3.0, 5.0, 3.141592653589793], [-1.0, 3.5]),
    ([1.0, 2.0, 0.0], [-3.0, 5.0, 3.1415926535897927], [-1.0000000000000004, 3.4999999999999996]),
    ([1.0, 2.0, 0.0], [-3.0, 5.0, -3.141592653589793], [-0.9999999999999999, 3.5]),
    ([1000000.0, 2000000.0, 0.5], [1000001.0, 2000000.0, 0.500000001], [1000000.5, 1002000028.2819322]),
    ([0.0, 0.0, 0.0], [1.0, 0.0, 1e-12], [0.5, 1000000000000.0]),
    ([0.0, 0.0, 0.0], [1e-300, 0.0, 5e-324], [5e-301, 2.0240225330731062e+23]),
    ([1.0, 2.0, 0.0], [1.0, 2.0000000000000004, -5e-324], [8.98846567431158e+307, 2.0]),
    ([1.7e+308, 1.6e+308, 0.0], [-1.7e+308, 1.5e+308, 2.0], [3.210463079671652e+306, 4.584425529116379e+307]),
    ([1.7e+308, 0.0, 0.0], [1.7e+308, 5e-324, 5e-324], [1.7e+308, 0.0]),
    ([8.289046e-317, 0.0, 0.0], [0.0, 0.0, 8.095e-320], [4.144523e-317, -1024.0]),
    ([1e-300, 2e-300, 0.0], [3e-300, -1e-300, -0.75], [-1.8107183095365812e-300, -2.0404788730243877e-300]),
    ([1.0, 0.0, 0.0], [2.0, 0.0, 1e-310], [1.5, f64::INFINITY]),
    ([-1.5e+308, 1e+308, 3.0], [1.5e+308, 1e+308, -3.0], [0.0, f64::INFINITY]),
];

/// The unit in the last place of a finite number.
fn unit(number: f64) -> f64 {
    number.abs().next_up() - number.abs()
}

#[test]
fn a_center_is_within_four_units_in_the_last_place() {
    for &(from, to, expected) in CENTERS {
        let center = ArcStep::between(from, to).center;
        let coordinates = [from[0], from[1], to[0], to[1], expected[0], expected[1]];
        let finite = coordinates.iter().filter(|number| number.is_finite());
        let most = 4.0 * unit(finite.fold(0.0, |most, number| most.max(number.abs())));
        for (found, expected) in [center.x, center.y].into_iter().zip(expected) {
            let is_near = found == expected || (found - expected).abs() <= most;
            assert!(is_near, "{from:?} to {to:?}: {center:?}");
        }
    }
}

#[test]
fn without_a_turn_there_is_no_center() {
    for heading in [0.0, -0.0] {
        let step = ArcStep::between([1.0, 2.0, heading], [3.0, 4.0, 0.0]);
        assert_eq!(step.turn, 0.0);
        assert!(step.center.x.is_nan() && step.center.y.is_nan());
    }
}

#[test]
fn a_turn_on_the_spot_is_about_the_position() {
    let center = ArcStep::between([0.1, -0.3, 0.0], [0.1, -0.3, 1.0]).center;
    assert_eq!([center.x, center.y], [0.1, -0.3]);
}

#[test]
fn the_turn_is_the_short_way_round_however_far_apart_the_headings() {
    for (from, to, turn) in [
        (0.0, PI, PI),
        (0.0, -PI, -PI),
        (1.0, 1.0 + TAU, 0.0),
        (0.0, 3.0 * FRAC_PI_2, -FRAC_PI_2),
    ] {
        assert!((ArcStep::turn(from, to) - turn).abs() < 1e-15);
    }
    assert!(ArcStep::turn(-f64::MAX, f64::MAX).abs() <= PI);
}
