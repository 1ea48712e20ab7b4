//! The only place where signs are decided.
//!
//! Each question is a polynomial in the input's coordinates, written once (see [`Polynomial`]) and
//! first evaluated in floats with a bound on the error ([`filter`]). Where the bound does not
//! settle it, the same text is evaluated over numbers that lose nothing ([`exact`]). Values that
//! go into results come from the same polynomials, so that cancellation costs them nothing.

mod area_moments;
pub mod compensated;
pub mod double_double;
pub mod error_bounds;
pub mod exact;
pub mod filter;
pub mod number;
pub mod verdict;

use std::cmp::Ordering;

use crate::geom::{Displacement, Edge, Motion, Point, Vec2, WideFloat};
use double_double::DoubleDouble;
use filter::Bounded;
use number::{Number, Polynomial, Vector};

pub use area_moments::{Moment, TwiceArea};

/// The relative error allowed to a float before its value is taken from the exact form: a quarter
/// of what the public bound of 1e-10 leaves to a quotient of two such values and a square.
pub(crate) const TO_TEN_DIGITS: f64 = 1e-11;

/// A quarter of the 1e-12 to which areas and centroids are promised: two such values make a
/// quotient. A filter passes with hundreds of edges.
pub(crate) const TO_TWELVE_DIGITS: f64 = 2.5e-13;

/// A few units in the last place, for values that move a point: there an error counts against the
/// size of the whole query. No filter passes unless hardly anything cancelled.
pub(crate) const TO_THE_LAST_PLACE: f64 = 4.0 * f64::EPSILON;

/// On which side of zero an exact value lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sign {
    /// Below zero.
    Negative,
    /// Zero itself.
    Zero,
    /// Above zero.
    Positive,
}

impl Sign {
    /// The sign of a float; NaN counts as zero.
    pub fn of(value: f64) -> Self {
        if value > 0.0 {
            Self::Positive
        } else if value < 0.0 {
            Self::Negative
        } else {
            Self::Zero
        }
    }

    /// How a difference with this sign orders its operands.
    pub(crate) fn ordering(self) -> Ordering {
        self.cmp(&Self::Zero)
    }

    /// The sign of a product.
    pub(crate) fn times(self, other: Self) -> Self {
        match other {
            Self::Negative => -self,
            Self::Zero => Self::Zero,
            Self::Positive => self,
        }
    }
}

impl std::ops::Neg for Sign {
    type Output = Self;

    fn neg(self) -> Self {
        match self {
            Self::Negative => Self::Positive,
            Self::Zero => Self::Zero,
            Self::Positive => Self::Negative,
        }
    }
}

#[inline(always)]
fn sign<P: Polynomial>(polynomial: &P) -> Sign {
    polynomial
        .evaluate::<Bounded>()
        .sign()
        .unwrap_or_else(|| exact::sign(polynomial))
}

#[inline(always)]
fn value<P: Polynomial>(polynomial: &P, tolerance: f64) -> WideFloat {
    polynomial
        .evaluate::<Bounded>()
        .value_within(tolerance)
        .map_or_else(|| closer_value(polynomial, tolerance), WideFloat::from)
}

#[cold]
#[inline(never)]
fn closer_value<P: Polynomial>(polynomial: &P, tolerance: f64) -> WideFloat {
    polynomial
        .evaluate::<DoubleDouble>()
        .value_within(tolerance)
        .unwrap_or_else(|| exact::value(polynomial))
}

impl Displacement {
    #[inline(always)]
    fn vector<N: Number>(&self) -> Vector<N> {
        let vector = Vector::between(self.from, self.to);
        match self.shift {
            None => vector,
            Some(shift) => vector.plus(&shift.terms()),
        }
    }
}

impl Motion {
    #[inline(always)]
    fn terms<N: Number>(&self) -> Vector<N> {
        if let Some(vector) = self.vector() {
            return Vector::of(vector);
        }
        let straight = Vector::between(self.from, self.to);
        if self.steps == 0.0 {
            return straight;
        }
        straight.plus(&Vector::of(self.drift).times(&N::of(self.steps)))
    }
}

/// What a displacement measures across another, times that one's length. Degree 2.
#[derive(Clone, Copy, Debug)]
pub struct Cross(pub Displacement, pub Displacement);

impl Polynomial for Cross {
    #[inline(always)]
    fn evaluate<N: Number>(&self) -> N {
        self.0.vector::<N>().cross(&self.1.vector())
    }
}

/// What a displacement measures along a direction, times the direction's length. Degree 2.
#[derive(Clone, Copy, Debug)]
pub struct Dot(pub Edge, pub Displacement);

impl Polynomial for Dot {
    #[inline(always)]
    fn evaluate<N: Number>(&self) -> N {
        Vector::along(self.0).dot(&self.1.vector())
    }
}

/// Positive when `displacement` points to the left of `direction`. Degree 2.
#[inline(always)]
pub fn cross(direction: Edge, displacement: Displacement) -> Sign {
    between(direction.displacement(), displacement)
}

/// Positive when `second` points to the left of `first`. Degree 2.
#[inline(always)]
pub fn between(first: Displacement, second: Displacement) -> Sign {
    sign(&Cross(first, second))
}

/// Positive when `displacement` points the way `direction` does. Degree 2.
#[inline(always)]
pub fn dot(direction: Edge, displacement: Displacement) -> Sign {
    sign(&Dot(direction, displacement))
}

/// Twice the area on the left of edges.
pub(crate) fn twice_area<E>(area: &TwiceArea<E>, tolerance: f64) -> WideFloat
where
    E: Iterator<Item = Edge> + Clone,
{
    value(area, tolerance)
}

/// Six times the first moment of what is on the left of edges, with an error below this.
pub(crate) fn moment<E>(moment: &Moment<E>, error: f64) -> WideFloat
where
    E: Iterator<Item = Edge> + Clone,
{
    let attempt = moment.evaluate::<Bounded>();
    if attempt.error() < error {
        WideFloat::from(attempt.value())
    } else {
        exact::value(moment)
    }
}

/// The value behind [`cross`].
pub(crate) fn cross_value(
    direction: Edge,
    displacement: Displacement,
    tolerance: f64,
) -> WideFloat {
    value(&Cross(direction.displacement(), displacement), tolerance)
}

/// The value behind [`dot`].
pub(crate) fn dot_value(direction: Edge, displacement: Displacement, tolerance: f64) -> WideFloat {
    value(&Dot(direction, displacement), tolerance)
}

/// Positive when `point` lies to the left of the line along `edge`. Degree 2.
#[inline(always)]
pub fn side(edge: Edge, point: Point) -> Sign {
    cross(edge, Displacement::between(edge.start, point))
}

/// Positive when `second` turns left of `first`. Degree 2.
#[inline(always)]
pub fn turn(first: Edge, second: Edge) -> Sign {
    cross(first, second.displacement())
}

/// A length whose square is a ratio of polynomials.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Length {
    /// What a displacement measures across a direction. Square of degree 4 over degree 2.
    Across(Edge, Displacement),
    /// How long a displacement is. Square of degree 2.
    Whole(Displacement),
    /// A number given as such. Square of degree 2.
    Given(f64),
}

impl Length {
    /// The square's numerator and denominator.
    #[inline(always)]
    fn squared<N: Number>(&self) -> (N, N) {
        match *self {
            Self::Across(direction, displacement) => {
                let direction = Vector::<N>::along(direction);
                let across = direction.cross(&displacement.vector());
                (across.squared(), direction.length_squared())
            }
            Self::Whole(displacement) => (displacement.vector().length_squared(), N::of(1.0)),
            Self::Given(length) => (N::of(length).squared(), N::of(1.0)),
        }
    }

    /// The length itself, to within `tolerance` and a few roundings.
    pub(crate) fn value(&self, tolerance: f64) -> WideFloat {
        match *self {
            Self::Across(direction, displacement) => {
                cross_value(direction, displacement, tolerance).abs() / length(direction)
            }
            Self::Whole(displacement) => {
                value(&SquaredLength(displacement), TO_THE_LAST_PLACE).sqrt()
            }
            Self::Given(length) => WideFloat::from(length.abs()),
        }
    }
}

/// The square of a displacement's length. Degree 2.
#[derive(Clone, Copy, Debug)]
pub struct SquaredLength(pub Displacement);

impl Polynomial for SquaredLength {
    #[inline(always)]
    fn evaluate<N: Number>(&self) -> N {
        self.0.vector::<N>().length_squared()
    }
}

/// How long an edge is.
pub(crate) fn length(edge: Edge) -> WideFloat {
    Length::Whole(edge.displacement()).value(TO_THE_LAST_PLACE)
}

/// The difference of two squared lengths over the product of their denominators. Degree 6 for two
/// [`Length::Across`], 4 for one, else 2.
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
    sign(&SquareDifference(first, second)).ordering()
}

/// A length with the filter's view of its square, for one that is compared again and again.
#[derive(Clone, Copy, Debug)]
pub struct Measured {
    length: Length,
    numerator: Bounded,
    denominator: Bounded,
}

impl Measured {
    /// At least the square; NaN or infinite where the filter knows nothing.
    fn square_above(&self) -> f64 {
        let numerator = self.numerator.value() + self.numerator.error();
        let denominator = self.denominator.value() - self.denominator.error();
        if denominator > 0.0 {
            // Two sums, a quotient and this product make four roundings.
            numerator / denominator * (1.0 + 4.0 * f64::EPSILON)
        } else {
            f64::INFINITY
        }
    }

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
        // Neighbouring features share their corners, and no filter can tell a tie.
        if self.length == other.length {
            return Ordering::Equal;
        }
        let first = self.numerator.times(&other.denominator);
        let second = other.numerator.times(&self.denominator);
        first
            .minus(&second)
            .sign()
            .unwrap_or_else(|| exact::sign(&SquareDifference(self.length, other.length)))
            .ordering()
    }
}

/// The candidate with the least length so far; of equals, the one that `rank` puts first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Least<T, R>(Option<(Measured, R, T)>);

impl<T, R> Default for Least<T, R> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T: Copy, R: Ord + Copy> Least<T, R> {
    /// Takes one more into account; whether it is the least so far.
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

    /// At least the square of the least length; infinite where nothing is known of it.
    pub(crate) fn square_above(&self) -> f64 {
        let square = self.0.map_or(f64::NAN, |(least, ..)| least.square_above());
        if square.is_nan() {
            f64::INFINITY
        } else {
            square
        }
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

/// `first - second`, as exact where they almost agree as where they don't.
pub(crate) fn length_difference(first: Length, second: Length, tolerance: f64) -> WideFloat {
    let sum = first.value(tolerance) + second.value(tolerance);
    if sum.is_zero() {
        return WideFloat::ZERO;
    }
    square_difference(first, second, tolerance) / sum
}

/// `first² - second²`.
pub(crate) fn square_difference(first: Length, second: Length, tolerance: f64) -> WideFloat {
    let mut difference = value(&SquareDifference(first, second), tolerance);
    for operand in [first, second] {
        if let Length::Across(direction, _) = operand {
            let length = length(direction);
            difference = difference / (length * length);
        }
    }
    difference
}

/// When something that moves by `velocity` within a frame crosses a line: it is `gap` from a point
/// of the line that runs along `line`, and gets there at `-(line × gap) / (line × velocity)`.
#[derive(Clone, Copy, Debug)]
pub struct Crossing {
    /// The line's direction.
    pub line: Edge,
    /// From a point of the line to the mover.
    pub gap: Displacement,
    /// The mover's.
    pub velocity: Motion,
}

/// The difference of two times, multiplied by both speeds. Degree 4.
#[derive(Clone, Copy, Debug)]
pub struct TimeDifference(pub Crossing, pub Crossing);

impl Polynomial for TimeDifference {
    #[inline(always)]
    fn evaluate<N: Number>(&self) -> N {
        let (gap, speed) = self.0.parts::<N>();
        let (other_gap, other_speed) = self.1.parts::<N>();
        other_gap.times(&speed).minus(&gap.times(&other_speed))
    }
}

impl Crossing {
    /// The numerator and the denominator of minus the time.
    #[inline(always)]
    fn parts<N: Number>(&self) -> (N, N) {
        let line = Vector::<N>::along(self.line);
        let speed = line.cross(&self.velocity.terms());
        (line.cross(&self.gap.vector()), speed)
    }

    /// Whether the mover comes from the right of the line (positive) or from its left.
    #[inline(always)]
    pub fn approach(&self) -> Sign {
        cross(self.line, self.velocity.displacement())
    }

    /// On which side of the line the mover is now.
    #[inline(always)]
    pub fn before(&self) -> Sign {
        cross(self.line, self.gap)
    }

    /// On which side of the line the mover is at the end of the frame.
    #[inline(always)]
    pub fn after(&self) -> Sign {
        cross(self.line, self.gap.after(self.velocity))
    }

    /// Whether the mover beyond doubt does not get from the right of the line to it or past it
    /// within the frame: a first look that spares most of them the others.
    #[inline(always)]
    pub fn surely_misses(&self) -> bool {
        let line = error_bounds::vector(self.line.start, self.line.end);
        let gap = error_bounds::vector(self.gap.from, self.gap.to);
        let (speed, velocity) = (self.velocity.size(), self.velocity.rounded());
        let mut size = Vec2::new(gap.x.abs() + speed.x, gap.y.abs() + speed.y);
        let mut before = error_bounds::cross(line, gap);
        if let Some(shift) = self.gap.shift {
            before += error_bounds::cross(line, shift.rounded());
            size = Vec2::new(size.x + shift.size().x, size.y + shift.size().y);
        }
        let after = before + error_bounds::cross(line, velocity);
        let error = error_bounds::cross_error(line, size) * 2.0;
        before > error || after < -error
    }

    /// Compares the times of two crossings in the same direction.
    #[inline(always)]
    pub fn compare(&self, other: &Self) -> Ordering {
        sign(&TimeDifference(*self, *other)).ordering()
    }

    /// The time itself, good enough to place a moving point.
    pub(crate) fn time(&self) -> WideFloat {
        let velocity = self.velocity.displacement();
        -cross_value(self.line, self.gap, TO_THE_LAST_PLACE)
            / cross_value(self.line, velocity, TO_THE_LAST_PLACE)
    }
}

/// `(velocity × gap)² |edge|² - radius² (edge · velocity)²`. Degree 6.
#[derive(Clone, Copy, Debug)]
pub struct FootSquares {
    /// The edge whose line the circle reaches.
    pub edge: Edge,
    /// From a vertex of the edge to the circle's centre.
    pub gap: Displacement,
    /// The circle's.
    pub velocity: Motion,
    /// The circle's.
    pub radius: f64,
}

impl Polynomial for FootSquares {
    #[inline(always)]
    fn evaluate<N: Number>(&self) -> N {
        let edge = Vector::<N>::along(self.edge);
        let velocity = self.velocity.terms::<N>();
        let across = velocity.cross(&self.gap.vector());
        let along = edge.dot(&velocity).times(&N::of(self.radius));
        across
            .squared()
            .times(&edge.length_squared())
            .minus(&along.squared())
    }
}

/// Where along `edge` a circle that moves by `velocity`, coming from the right, first touches the line
/// through it: the sign of the foot's position past the vertex that is `gap` before the center.
///
/// The circle touches at `t = (|edge × gap| - radius |edge|) / |edge × velocity|`, and
/// `edge · (gap + t velocity)` has the sign of
/// `-(velocity × gap) |edge| - radius (edge · velocity)`.
pub(crate) fn foot_past(edge: Edge, gap: Displacement, velocity: Motion, radius: f64) -> Sign {
    let across = -between(velocity.displacement(), gap);
    let along = -dot(edge, velocity.displacement()).times(Sign::of(radius));
    sum_of_roots(across, along, || FootSquares {
        edge,
        gap,
        velocity,
        radius,
    })
}

/// Where along `edge` the center of a circle that moves by `velocity` is when the circle first touches
/// the vertex that is `gap` before the center: the sign of the center's position past that vertex.
///
/// With `D = radius² |velocity|² - (velocity × gap)²` the gap is then
/// `(-velocity √D + left (velocity × gap)) / |velocity|²`, where `left` is the velocity turned left by
/// a quarter, so that its component along the edge has the sign of
/// `(velocity × edge) (velocity × gap) - (edge · velocity) √D`. The squares of the two terms differ by
/// `|velocity|²` times [`FootSquares`].
pub(crate) fn center_past(edge: Edge, gap: Displacement, velocity: Edge, radius: f64) -> Sign {
    let across = turn(velocity, edge).times(cross(velocity, gap));
    if compare_lengths(Length::Given(radius), Length::Across(velocity, gap)) == Ordering::Equal {
        return across;
    }
    let along = -dot(edge, velocity.displacement());
    sum_of_roots(across, along, || FootSquares {
        edge,
        gap,
        velocity: Motion::between(velocity.start, velocity.end),
        radius,
    })
}

/// The sign of a sum of two terms with these signs, whose squares differ by a polynomial with the sign
/// of `squares`, that of the first less that of the second.
fn sum_of_roots(first: Sign, second: Sign, squares: impl FnOnce() -> FootSquares) -> Sign {
    if first == Sign::Zero || first == second {
        return second;
    }
    if second == Sign::Zero {
        return first;
    }
    sign(&squares()).times(first)
}
