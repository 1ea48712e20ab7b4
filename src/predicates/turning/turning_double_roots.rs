//! The exact conditions under which a search by precision alone would not end.
//!
//! A distance that changes by turns is a polynomial in the time plus waves: cosines and sines of
//! rational multiples of the time with polynomials as amplitudes, all coefficients algebraic. So it is a
//! polynomial F(t, z) with z = e^{igt}. By Lindemann's theorem z is transcendental at an algebraic time
//! that is not 0. That leaves few exact zeros:
//! - at the end of the frame only where every amplitude is zero;
//! - double roots where F and its derivative have a common zero (t, z). They have no common factor but
//!   a power of z unless F has a square factor or one in z alone. Without such a factor the common
//!   zeros are pairs of algebraic numbers, hence t = 0. The distance from a line is of degree 1 in t,
//!   with simple zeros of the leading coefficient, so that it needs a velocity of zero across the line.
//!   The squared distance from an end has the discriminant |v|^2 R^2 - (v x gap)^2 in t; that is
//!   constantly zero where nothing turns, or for mirror images that turn by opposite angles;
//! - a vertex on a vertex is a double root of the squared distance with R = 0.

use super::turning_vertex_and_edge::{GapFeature, TurningGap};
use crate::predicates::numbers::ball::Ball;
use crate::predicates::numbers::big_ball::BigBall;
use crate::predicates::numbers::exact::Big;
use crate::predicates::numbers::number_vector::Vector;
use crate::predicates::numbers::polynomial::Number;
use crate::predicates::numbers::sign::Sign;

/// Whether a distance may have a minimum of exactly zero at a time after the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Graze {
    /// Never: precision tells every minimum from zero.
    Never,
    /// Every minimum that is not zero differs from zero by as much as the distance varies.
    Exact,
    /// The minimum is zero only where the gap's component along the velocity vanishes.
    Passing,
    /// No condition of low degree is known that would tell.
    Unknown,
}

/// A distance as a polynomial plus waves.
pub struct Waves {
    /// Coefficients of the powers of the time, the constant first.
    polynomial: [Big; 3],
    /// The square of a further term, which is not negative: its root is added to the polynomial.
    root_of: Big,
    oscillating: Vec<Wave>,
}

/// `(cos[0] + cos[1] t) cos(frequency t) + (sin[0] + sin[1] t) sin(frequency t)`.
#[derive(Clone)]
struct Wave {
    frequency: Big,
    cos: [Big; 2],
    sin: [Big; 2],
}

impl Wave {
    /// Adds the amplitudes of another.
    fn add(&mut self, other: &Self) {
        for order in 0..2 {
            self.cos[order] = self.cos[order].plus(&other.cos[order]);
            self.sin[order] = self.sin[order].plus(&other.sin[order]);
        }
    }

    /// Upper bounds of the amplitude and of its derivative while the time is between -4 and 4.
    fn amplitude_above(&self) -> [BigBall; 2] {
        let [constant, linear] =
            [0, 1].map(|order| size(&self.cos[order]).plus(&size(&self.sin[order])));
        [constant.plus(&linear.times(&BigBall::of(4.0))), linear]
    }

    /// An upper bound of the third derivative while the time is between -4 and 4.
    fn third_derivative_above(&self) -> BigBall {
        let [amplitude, linear] = self.amplitude_above();
        let frequency = size(&self.frequency);
        (amplitude.times(&frequency))
            .plus(&linear.times(&BigBall::of(3.0)))
            .times(&frequency.squared())
            .size()
    }

    /// An upper bound of how much the third derivative changes if the frequency becomes another one: by the mean value
    /// theorem the difference of the frequencies times the derivative by the frequency `f` between them. That of
    /// `f^3 cos(f t)` is at most `3 f^2 + f^3 |t|`, that of `f^2 cos(f t)` at most `2 f + f^2 |t|`.
    fn difference_above(&self, frequency: &Big) -> BigBall {
        let [amplitude, linear] = self.amplitude_above();
        let difference = size(&self.frequency.minus(frequency));
        let largest = size(&self.frequency).plus(&size(frequency));
        let turned = largest.times(&BigBall::of(4.0));
        (amplitude.times(&largest))
            .times(&turned.plus(&BigBall::of(3.0)))
            .plus(
                &linear
                    .times(&turned.plus(&BigBall::of(2.0)))
                    .times(&BigBall::of(3.0)),
            )
            .times(&largest)
            .times(&difference)
            .size()
    }
}

fn size(number: &Big) -> BigBall {
    BigBall::exactly(number.clone()).size()
}

type BigVector = Vector<Big>;

impl Waves {
    /// The distance of the vertex from the edge's line, times the edge's length, plus that of the radius;
    /// or the squared distance from an end less the squared radius.
    pub fn of(gap: &TurningGap, feature: GapFeature) -> Self {
        let [d0, d1] = [
            gap.between_centers().vector::<Big>(),
            gap.velocity.terms::<Big>(),
        ];
        let vertex = gap.of_vertex().vector::<Big>();
        let [of_edge, of_vertex] = [gap.edge_turn.angle, gap.vertex_turn.angle];
        let relative = Big::difference(of_vertex, of_edge);
        let (of_edge, of_vertex) = (Big::of(of_edge), Big::of(of_vertex));
        let zero = Big::zero;
        let radius = gap.radius.number::<Big>();
        // A constant vector against another that turns.
        let wave = |frequency: &Big, [cos, sin]: [[Big; 2]; 2]| Wave {
            frequency: frequency.clone(),
            cos,
            sin,
        };
        if feature == GapFeature::Edge {
            let edge = gap.of_edge(feature).vector::<Big>();
            let start = gap.of_edge(GapFeature::Start).vector::<Big>();
            let waves = vec![
                wave(
                    &zero().minus(&of_edge),
                    [
                        [edge.cross(&d0), edge.cross(&d1)],
                        [edge.dot(&d0), edge.dot(&d1)],
                    ],
                ),
                wave(
                    &relative,
                    [[edge.cross(&vertex), zero()], [edge.dot(&vertex), zero()]],
                ),
            ];
            let polynomial = [zero().minus(&edge.cross(&start)), zero(), zero()];
            let root_of = radius.squared().times(&edge.length_squared());
            return Self::merged(polynomial, root_of, waves);
        }
        let end = gap.of_edge(feature).vector::<Big>();
        let two = Big::of(2.0);
        // Twice the product of one vector with another that turns.
        let product = |one: &BigVector, turning: &BigVector| {
            [one.dot(turning).times(&two), turning.cross(one).times(&two)]
        };
        let moving = |turning: &BigVector| {
            let [[c0, s0], [c1, s1]] = [&d0, &d1].map(|of_centers| product(of_centers, turning));
            [[c0, c1], [s0, s1]]
        };
        let opposite = |vector: &BigVector| vector.times(&Big::of(-1.0));
        let [cos, sin] = product(&opposite(&end), &vertex);
        let waves = vec![
            wave(&of_vertex, moving(&vertex)),
            wave(&of_edge, moving(&opposite(&end))),
            wave(&relative, [[cos, zero()], [sin, zero()]]),
        ];
        let constant = (d0.length_squared())
            .plus(&vertex.length_squared())
            .plus(&end.length_squared())
            .minus(&radius.squared());
        let polynomial = [constant, d0.dot(&d1).times(&two), d1.length_squared()];
        Self::merged(polynomial, zero(), waves)
    }

    /// Waves of the same frequency or the opposite one are added, those of frequency zero are part of the
    /// polynomial.
    fn merged(mut polynomial: [Big; 3], root_of: Big, waves: Vec<Wave>) -> Self {
        let mut merged: Vec<Wave> = Vec::new();
        for mut wave in waves {
            match wave.frequency.sign() {
                Sign::Zero => {
                    for (sum, term) in polynomial.iter_mut().zip(&wave.cos) {
                        *sum = sum.plus(term);
                    }
                    continue;
                }
                Sign::Negative => {
                    wave.frequency = Big::zero().minus(&wave.frequency);
                    wave.sin = wave.sin.map(|term| Big::zero().minus(&term));
                }
                Sign::Positive => {}
            }
            let same = |it: &&mut Wave| it.frequency.minus(&wave.frequency).is_zero();
            match merged.iter_mut().find(same) {
                Some(sum) => sum.add(&wave),
                None => merged.push(wave),
            }
        }
        let is_zero = |wave: &Wave| wave.cos.iter().chain(&wave.sin).all(Big::is_zero);
        merged.retain(|wave| !is_zero(wave));
        Self {
            polynomial,
            root_of,
            oscillating: merged,
        }
    }

    /// Whether the distance does not depend on the time.
    pub(super) fn is_constant(&self) -> bool {
        self.oscillating.is_empty() && self.polynomial[1..].iter().all(Big::is_zero)
    }

    /// An upper bound of the third derivative's size while the time is between -4 and 4. Lengths that cancel each
    /// other leave it small: waves of nearly the same frequency are added as if they had the same, and how much they
    /// differ from that is added to the bound.
    pub fn third_derivative_above(&self) -> BigBall {
        let mut merged: Vec<Wave> = Vec::new();
        let mut differences = BigBall::of(0.0);
        for wave in &self.oscillating {
            let own = wave.third_derivative_above();
            let near = merged.iter_mut().find_map(|sum| {
                let difference = wave.difference_above(&sum.frequency);
                difference.is_below(&own).then_some((sum, difference))
            });
            if let Some((sum, difference)) = near {
                sum.add(wave);
                differences = differences.plus(&difference);
            } else {
                merged.push(wave.clone());
            }
        }
        let bounds = merged.iter().map(Wave::third_derivative_above);
        bounds.fold(differences, |sum, one| sum.plus(&one).size())
    }

    /// Whether the distance is exactly zero at the end of the frame.
    pub(super) fn vanish_at_end(&self) -> bool {
        let [constant, linear, square] = &self.polynomial;
        let constant = constant.plus(linear).plus(square);
        let at_end = |[constant, linear]: &[Big; 2]| constant.plus(linear).is_zero();
        self.oscillating
            .iter()
            .all(|wave| at_end(&wave.cos) && at_end(&wave.sin))
            && constant.sign() != Sign::Positive
            && constant.squared().minus(&self.root_of).is_zero()
    }

    /// Its double roots after the start.
    pub(super) fn graze(&self, gap: &TurningGap, feature: GapFeature) -> Graze {
        let exact = |is_exact: bool| if is_exact { Graze::Exact } else { Graze::Never };
        let [constant, linear, square] = &self.polynomial;
        let is_of_end = feature != GapFeature::Edge;
        if self.oscillating.is_empty() {
            let discriminant = linear
                .squared()
                .minus(&square.times(constant).times(&Big::of(4.0)));
            return exact(is_of_end && !square.is_zero() && discriminant.is_zero());
        }
        let is_steady = |wave: &Wave| wave.cos[1].is_zero() && wave.sin[1].is_zero();
        if !linear.is_zero() || !square.is_zero() || !self.oscillating.iter().all(is_steady) {
            return if is_of_end && passes(gap, feature) {
                Graze::Passing
            } else {
                Graze::Never
            };
        }
        let [wave] = &*self.oscillating else {
            return Graze::Unknown;
        };
        // (constant + root)^2 = amplitude^2
        let amplitude = wave.cos[0].squared().plus(&wave.sin[0].squared());
        let rest = amplitude.minus(&constant.squared()).minus(&self.root_of);
        let twice = constant.times(&Big::of(2.0));
        let squares = rest.squared().minus(&twice.squared().times(&self.root_of));
        exact(squares.is_zero() && rest.sign().times(twice.sign()) != Sign::Negative)
    }
}

/// Whether the gap's component across the velocity is always the radius: where opposite turns are mirror
/// images of each other.
fn passes(gap: &TurningGap, feature: GapFeature) -> bool {
    if gap.edge_turn.angle != -gap.vertex_turn.angle {
        return false;
    }
    let (d0, d1) = (
        gap.between_centers().vector::<Big>(),
        gap.velocity.terms::<Big>(),
    );
    let vertex = gap.of_vertex().vector::<Big>();
    let end = gap.of_edge(feature).vector::<Big>();
    let radius = gap.radius.number::<Big>();
    let across = d1.cross(&d0).squared();
    d1.cross(&vertex.minus(&end)).is_zero()
        && d1.dot(&vertex.plus(&end)).is_zero()
        && across
            .minus(&d1.length_squared().times(&radius.squared()))
            .is_zero()
}
