//! Lengths and distances, compared by their squares.

use std::cmp::Ordering;

use super::orientation::cross_value;
use crate::geom::{Displacement, Edge, Motion, RadiusSum, WideFloat};
use crate::predicates::numbers::adaptive::{TO_THE_LAST_PLACE, value};
use crate::predicates::numbers::bounded::{self, Bounded};
use crate::predicates::numbers::error_free::two_sum;
use crate::predicates::numbers::exact;
use crate::predicates::numbers::number_vector::Vector;
use crate::predicates::numbers::polynomial::{Number, Polynomial};
use crate::predicates::numbers::sign::Sign;
use crate::simd::lanes::{Lanes, Mask};

/// A length whose square is a ratio of polynomials.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Length {
    /// The length of a displacement's component perpendicular to a direction. Its square has degree 4
    /// over degree 2.
    Across(Edge, Displacement),
    /// The length of a displacement. Its square has degree 2.
    Whole(Displacement),
    /// The length of a displacement's component perpendicular to a motion.
    AcrossMotion(Motion, Displacement),
    /// A sum of numbers. Its square has degree 2.
    Number(RadiusSum),
}

impl Length {
    /// The numerator and the denominator of the square.
    #[inline(always)]
    fn squared<N: Number>(&self) -> (N, N) {
        match *self {
            Self::Across(direction, displacement) => {
                let direction = Vector::<N>::along(direction);
                let across = direction.cross(&displacement.vector());
                (across.squared(), direction.length_squared())
            }
            Self::Whole(displacement) => (displacement.vector().length_squared(), N::of(1.0)),
            Self::AcrossMotion(motion, displacement) => {
                let motion = motion.terms::<N>();
                let across = motion.cross(&displacement.vector());
                (across.squared(), motion.length_squared())
            }
            Self::Number(length) => (length.number::<N>().squared(), N::of(1.0)),
        }
    }

    /// The length, with a relative error of `tolerance` and a few roundings.
    pub(crate) fn value(&self, tolerance: f64) -> WideFloat {
        self.value_over(self.direction_length(), tolerance)
    }

    /// The length, given [`Self::direction_length`], which is then measured once for several uses.
    fn value_over(&self, direction_length: Option<WideFloat>, tolerance: f64) -> WideFloat {
        let across = match *self {
            Self::Across(direction, displacement) => {
                cross_value(direction, displacement, tolerance)
            }
            Self::AcrossMotion(motion, displacement) => {
                cross_value(motion, displacement, tolerance)
            }
            Self::Whole(displacement) => {
                return value(&SquaredLength(displacement), TO_THE_LAST_PLACE).sqrt();
            }
            Self::Number(length) => {
                let terms = length.terms().map(WideFloat::from);
                return terms.fold(WideFloat::ZERO, |sum, term| sum + term);
            }
        };
        direction_length.map_or(across, |length| across.abs() / length)
    }

    /// The length of the direction to which it is perpendicular, if it is.
    fn direction_length(&self) -> Option<WideFloat> {
        match *self {
            Self::Across(direction, _) => Some(length(direction)),
            Self::AcrossMotion(motion, _) => Some(length(motion)),
            Self::Whole(_) | Self::Number(_) => None,
        }
    }
}

impl From<f64> for Length {
    fn from(length: f64) -> Self {
        Self::Number(length.into())
    }
}

impl RadiusSum {
    /// The sum.
    #[inline(always)]
    pub(crate) fn number<N: Number>(&self) -> N {
        let mut terms = self.terms().map(N::of);
        let first = terms.next().unwrap_or_else(|| N::of(0.0));
        terms.fold(first, |sum, term| sum.plus(&term))
    }

    /// A lower and an upper bound, equal if the sum is a float; the upper one may be infinite. Two roundings, each of
    /// less than a unit in the last place of a sum of positive terms. Test: `sums_of_radii_are_within_their_bounds`.
    #[inline]
    pub fn bounds(&self) -> [f64; 2] {
        if let Some(sum) = self.exactly() {
            return [sum; 2];
        }
        let sum = self.terms().sum::<f64>();
        let below = sum.min(f64::MAX).next_down().next_down();
        [below, sum.next_up().next_up()]
    }
}

/// The sum of radii and a margin, as the terms of a [`RadiusSum`] of these add up in floats; NaN where one
/// is below 0 or not of the size for which the filter decides.
#[inline(always)]
pub(crate) fn rounded_radius_sum<L: Lanes>([a, b, c]: [L; 3]) -> L {
    let zero = a.all(0.0);
    // Of positive numbers, after Dekker: see `RadiusSum`.
    let is_exact = |one: L, other: L| (one + other - one.larger(other)).same(one.smaller(other));
    let is_term = |term: L| bounded::is_in_range(term) & term.at_least(zero);
    let other = is_exact(a, c).choose((a + c) + b, (a + b) + c);
    let other = (!is_exact(a, c) & is_exact(b, c)).choose(a + (b + c), other);
    let sum = is_exact(a, b).choose((a + b) + c, other);
    (is_term(a) & is_term(b) & is_term(c)).choose(sum, zero.all(f64::NAN))
}

/// The squared length of a displacement. Degree 2.
#[derive(Clone, Copy, Debug)]
pub struct SquaredLength(pub Displacement);

impl Polynomial for SquaredLength {
    #[inline(always)]
    fn evaluate<N: Number>(&self) -> N {
        self.0.vector::<N>().length_squared()
    }
}

/// The length of an edge or a motion.
pub(crate) fn length(displacement: impl Into<Displacement>) -> WideFloat {
    Length::Whole(displacement.into()).value(TO_THE_LAST_PLACE)
}

/// The difference of two squared lengths over the product of their denominators. Degree 6 for two
/// [`Length::Across`], 4 for one, else 2; a motion that drifts counts its steps, too.
#[derive(Clone, Copy, Debug)]
pub struct SquareDifference(pub Length, pub Length);

impl Polynomial for SquareDifference {
    #[inline(always)]
    fn evaluate<N: Number>(&self) -> N {
        let (first, first_denominator) = self.0.squared::<N>();
        let (second, second_denominator) = self.1.squared::<N>();
        first
            .times(&second_denominator)
            .minus(&second.times(&first_denominator))
    }
}

/// Compares two lengths.
#[inline(always)]
pub fn compare_lengths(first: Length, second: Length) -> Ordering {
    // Shapes at one place have the same features, and the filter can't decide a tie.
    if first == second {
        return Ordering::Equal;
    }
    let difference = SquareDifference(first, second);
    let filtered = difference.evaluate::<Bounded>().sign();
    filtered
        .unwrap_or_else(|| exact_sign(&difference))
        .ordering()
}

/// The sign of a difference that the filter leaves open. Lengths that are equal are often so because they are made of the
/// same numbers.
#[cold]
#[inline(never)]
fn exact_sign(difference: &SquareDifference) -> Sign {
    let [first, second] = [difference.0, difference.1].map(|length| Makeup::of(&length));
    if first.is_some() && first == second {
        return Sign::Zero;
    }
    exact::sign(difference)
}

/// The absolute value of a difference of two floats, exactly: the float nearest to it, and the rest.
type Size = [f64; 2];

/// Numbers that determine a length and stay the same when what it measures is turned by right angles or mirrored.
#[derive(PartialEq)]
enum Makeup {
    /// The components of a displacement, the smaller first.
    Whole([Size; 2]),
    /// A displacement across a direction that is along neither axis.
    Across {
        /// The factors of the two terms of the cross product, in order.
        terms: [[Size; 2]; 2],
        /// The sign of the product of all.
        sign: Sign,
    },
}

impl Makeup {
    /// `None` for lengths that depend on motions, and for sums that no float equals.
    fn of(length: &Length) -> Option<Self> {
        match *length {
            Length::Whole(displacement) => {
                let [x, y] = components(displacement)?;
                Some(Self::whole([x.0, y.0]))
            }
            Length::Across(edge, displacement) => {
                let [along_x, along_y] = components(edge.into())?;
                let [x, y] = components(displacement)?;
                // Along an axis, the displacement's other component is the length.
                match [along_x.1, along_y.1] {
                    [Sign::Zero, Sign::Zero] => None,
                    [Sign::Zero, _] => Some(Self::whole([x.0, [0.0; 2]])),
                    [_, Sign::Zero] => Some(Self::whole([y.0, [0.0; 2]])),
                    [one, other] => Some(Self::Across {
                        terms: in_order([[along_x.0, y.0], [along_y.0, x.0]]),
                        sign: one.times(other).times(x.1).times(y.1),
                    }),
                }
            }
            Length::Number(number) => {
                let number = number.exactly()?;
                Some(Self::whole([[number, 0.0], [0.0; 2]]))
            }
            Length::AcrossMotion(..) => None,
        }
    }

    fn whole(components: [Size; 2]) -> Self {
        Self::Whole(in_order(components))
    }
}

/// The sizes and signs of a displacement's components; `None` if it has a shift.
fn components(displacement: Displacement) -> Option<[(Size, Sign); 2]> {
    let Displacement { from, to, shift } = displacement;
    let component = |from: f64, to: f64| {
        let (high, low) = two_sum(to, -from);
        let sign = Sign::of(high);
        let size = match sign {
            Sign::Negative => [-high, -low],
            _ => [high, low],
        };
        (size, sign)
    };
    let components = [component(from.x, to.x), component(from.y, to.y)];
    shift.is_none().then_some(components)
}

fn in_order<T: PartialOrd>([one, other]: [T; 2]) -> [T; 2] {
    if one > other {
        [other, one]
    } else {
        [one, other]
    }
}

/// A length and its square as evaluated by the filter, for a length that is compared repeatedly.
#[derive(Clone, Copy, Debug)]
pub struct Measured {
    length: Length,
    numerator: Bounded,
    denominator: Bounded,
}

impl Measured {
    /// Evaluates the square.
    #[inline(always)]
    pub fn new(length: Length) -> Self {
        let (numerator, denominator) = length.squared();
        Self {
            length,
            numerator,
            denominator,
        }
    }

    /// Compares two lengths.
    #[inline(always)]
    pub fn compare(&self, other: &Self) -> Ordering {
        // Neighbouring features share corners, and the filter can't decide a tie.
        if self.length == other.length {
            return Ordering::Equal;
        }
        let first = self.numerator.times(&other.denominator);
        let second = other.numerator.times(&self.denominator);
        first
            .minus(&second)
            .sign()
            .unwrap_or_else(|| exact_sign(&SquareDifference(self.length, other.length)))
            .ordering()
    }
}

/// The candidate with the least length so far; of equal ones, the one with the least rank.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Least<T, R>(Option<(Measured, R, T)>);

impl<T, R> Default for Least<T, R> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T: Copy, R: Ord + Copy> Least<T, R> {
    /// Adds a candidate; whether it is the least so far.
    #[inline(always)]
    pub(crate) fn offer(&mut self, candidate: T, length: impl Fn(&T) -> Length, rank: R) -> bool {
        let measured = Measured::new(length(&candidate));
        let nearer = |(least, first, _): &(Measured, R, T)| {
            measured.compare(least).then_with(|| rank.cmp(first)) == Ordering::Less
        };
        let replaces = self.0.as_ref().is_none_or(nearer);
        if replaces {
            self.0 = Some((measured, rank, candidate));
        }
        replaces
    }

    #[inline(always)]
    pub(crate) fn found(self) -> Option<T> {
        self.0.map(|(.., candidate)| candidate)
    }
}

/// The candidate with the least length; the first of equals.
#[inline(always)]
pub(crate) fn shortest<T: Copy>(
    candidates: impl Iterator<Item = T>,
    length: impl Fn(&T) -> Length,
) -> Option<T> {
    let mut least = Least::default();
    for (rank, candidate) in candidates.enumerate() {
        least.offer(candidate, &length, rank);
    }
    least.found()
}

/// `first - second`, without cancellation where they are nearly equal.
pub(crate) fn length_difference(first: Length, second: Length, tolerance: f64) -> WideFloat {
    let [one, other] = [first, second].map(|it| it.direction_length());
    let sum = first.value_over(one, tolerance) + second.value_over(other, tolerance);
    if sum.is_zero() {
        return WideFloat::ZERO;
    }
    difference_over([first, second], [one, other], tolerance) / sum
}

/// `first² - second²`.
pub(crate) fn square_difference(first: Length, second: Length, tolerance: f64) -> WideFloat {
    let lengths = [first, second];
    difference_over(lengths, lengths.map(|it| it.direction_length()), tolerance)
}

/// `first² - second²`, given each [`Length::direction_length`].
#[inline(always)]
fn difference_over(
    [first, second]: [Length; 2],
    direction_lengths: [Option<WideFloat>; 2],
    tolerance: f64,
) -> WideFloat {
    let mut difference = value(&SquareDifference(first, second), tolerance);
    for length in direction_lengths.into_iter().flatten() {
        difference = difference / (length * length);
    }
    difference
}
