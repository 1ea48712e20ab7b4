//! The bounds of the filters of penetration, rederived: each covers all errors of random degenerate inputs, and a
//! small part of it would not.

use carom::geom::{Displacement, Edge, Motion, Point, Vec2};
use carom::predicates::bounds::error_bounds::DISTANCE_ERROR;
use carom::predicates::numbers::polynomial::Number;
use carom::predicates::{Crossing, FrameTime, Rough, RoughLine, RoughPoint};
use carom::shape::penetration::convolution::squared_distance;
use carom::shape::penetration::translation_path::Path;

use crate::numbers::Rational;

const CASES: usize = 20_000;

/// A linear congruential generator, and the size of the points that it makes.
struct Random(u64, f64);

impl Random {
    fn bits(&mut self) -> u64 {
        let Self(state, _) = self;
        *state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        *state >> 11
    }

    /// Between -1 and 1, of one of some magnitudes.
    fn number(&mut self) -> f64 {
        let size = f64::from_bits((1023 - self.bits() % 4) << 52);
        (self.bits() as f64 / (1u64 << 52) as f64 - 1.0) * size
    }

    fn point(&mut self) -> Point {
        Point::new(self.number() * self.1, self.number() * self.1)
    }

    fn edge(&mut self) -> Edge {
        Edge::new(self.point(), self.point())
    }
}

fn of(value: f64) -> Rational {
    Rational::of(value)
}

/// A vector in rationals.
struct Exact {
    x: Rational,
    y: Rational,
}

impl Exact {
    fn between(from: Point, to: Point) -> Self {
        Self {
            x: Rational::difference(to.x, from.x),
            y: Rational::difference(to.y, from.y),
        }
    }

    fn minus(&self, other: &Self) -> Self {
        Self {
            x: self.x.minus(&other.x),
            y: self.y.minus(&other.y),
        }
    }

    fn cross(&self, other: &Self) -> Rational {
        self.x.times(&other.y).minus(&self.y.times(&other.x))
    }

    fn dot(&self, other: &Self) -> Rational {
        self.x.times(&other.x).plus(&self.y.times(&other.y))
    }
}

/// How often errors were more than a part of their bound; none may be more than the whole.
struct Tally {
    part: f64,
    beyond: usize,
}

impl Tally {
    fn of_part(part: f64) -> Self {
        Self { part, beyond: 0 }
    }

    fn add(&mut self, error: &Rational, bound: &Rational) {
        assert!(error.is_at_most(bound), "an error is not covered");
        let part = bound.times(&of(self.part));
        self.beyond += usize::from(!error.is_at_most(&part));
    }
}

impl Drop for Tally {
    fn drop(&mut self) {
        let is_needed = std::thread::panicking() || self.beyond > 0;
        assert!(is_needed, "a part of the bound is enough");
    }
}

fn largest(vector: Vec2) -> f64 {
    vector.x.abs().max(vector.y.abs())
}

/// A path from one random translation to another, half of them so long that 1 is nothing beside an error.
fn path(random: &mut Random) -> Path {
    random.1 = if random.bits().is_multiple_of(2) {
        1.0
    } else {
        2f64.powi(80)
    };
    let [start, end] = [(); 2].map(|()| [random.point(), random.point()]);
    Path {
        start,
        end: Some(end),
        velocity: Motion::between(random.point(), random.point()),
    }
}

/// `b - a`.
fn translation([a, b]: [Point; 2]) -> Exact {
    Exact::between(a, b)
}

#[test]
fn sides_of_rough_lines_are_within_their_bound() {
    let (random, mut tally) = (&mut Random(1, 1.0), Tally::of_part(1.0 / 16.0));
    for case in 0..CASES {
        let path = path(random);
        let edge = random.edge();
        // Often through the point, up to rounding.
        let [a, b] = [random.point(), random.point()];
        let through = match case % 3 {
            0 => [a, b],
            1 => [a, path.start[1]],
            _ => {
                let (time, along) = (random.number(), edge.end - edge.start);
                let [a, b] = path.start;
                [a, Point::new(b.x + time * along.x, b.y + time * along.y)]
            }
        };
        let rounded = through[1] - through[0];
        let point = path.rough_point(&FrameTime::Start);
        let extent = largest(rounded).max(largest(point.at));
        let side = RoughLine::through(edge.end - edge.start, rounded).side(&point.within(extent));
        let gap = translation(path.start).minus(&translation(through));
        let truth = Exact::between(edge.start, edge.end).cross(&gap);
        tally.add(&of(side.value).minus(&truth).abs(), &of(side.error));
    }
}

#[test]
fn rates_across_rough_lines_are_within_their_bound() {
    let (random, mut tally) = (&mut Random(2, 1.0), Tally::of_part(1.0 / 8.0));
    for case in 0..CASES {
        let (mut path, edge) = (path(random), random.edge());
        if case % 2 == 0 {
            // Nearly along the line.
            let Edge { start, end } = edge;
            let turn = random.number() * 1e-15;
            let (x, y) = (end.x - start.x, end.y - start.y);
            let to = Point::new(start.x + 0.7 * x - turn * y, start.y + 0.7 * y + turn * x);
            path.velocity = Motion::between(start, to);
        }
        let point = path.rough_point(&FrameTime::Start);
        let rate = RoughLine::through(edge.end - edge.start, Vec2::ZERO).rate(&point);
        let velocity = Exact::between(path.velocity.from, path.velocity.to);
        let truth = Exact::between(edge.start, edge.end).cross(&velocity);
        tally.add(&of(rate.value).minus(&truth).abs(), &of(rate.error));
    }
}

/// Times the error and the bound of each coordinate, so that no quotients are needed.
fn add_point(
    tally: &mut Tally,
    path: &Path,
    point: &RoughPoint,
    [numerator, denominator]: [&Rational; 2],
) {
    let start = translation(path.start);
    let along = Exact::between(path.velocity.from, path.velocity.to);
    let bound = of(point.error).times(&denominator.clone().abs());
    for (at, start, along) in [
        (point.at.x, start.x, along.x),
        (point.at.y, start.y, along.y),
    ] {
        let truth = start.times(denominator).plus(&along.times(numerator));
        tally.add(&of(at).times(denominator).minus(&truth).abs(), &bound);
    }
}

/// The quotient of the largest gap and the least speed is below the normal floats.
#[test]
fn a_time_that_underflows_is_not_above_its_upper_bound() {
    let error = 2.0 * f64::MIN_POSITIVE;
    let gap = Rough { value: 0.0, error };
    let speed = 1024.0;
    let rate = Rough {
        value: -speed,
        error,
    };
    let [_, most] = gap.times(&rate);
    assert!(error / speed <= most);
}

#[test]
fn ends_of_paths_are_within_their_bound() {
    let (random, mut tally) = (&mut Random(3, 1.0), Tally::of_part(0.125));
    for _ in 0..CASES {
        let path = path(random);
        let point = path.rough_point(&FrameTime::Start);
        add_point(&mut tally, &path, &point, [&of(0.0), &of(1.0)]);
    }
}

/// A crossing of a line by a point that starts nearly on it and moves nearly along it, so that its time is rough.
fn grazing(random: &mut Random, path: &mut Path, size: f64) -> Crossing {
    let line = random.edge();
    let Edge { start, end } = line;
    let beside = |random: &mut Random| {
        let (part, turn) = (random.number(), random.number() * size);
        let (x, y) = (end.x - start.x, end.y - start.y);
        Point::new(start.x + part * x - turn * y, start.y + part * y + turn * x)
    };
    path.velocity = Motion::between(start, beside(random));
    Crossing {
        line,
        gap: Displacement::between(start, beside(random)),
        velocity: path.velocity,
    }
}

#[test]
fn crossings_of_paths_are_within_their_bound() {
    let (random, mut tally) = (&mut Random(4, 1.0), Tally::of_part(1.0 / 64.0));
    for case in 0..CASES {
        let mut path = path(random);
        // Up to the sizes at which floats no longer do.
        let size = [1.0, 1e-4, 3e-5, 1e-5, 3e-6, 1e-9][case % 6];
        if case % 2 == 0 {
            path.start = [Point::ORIGIN; 2];
        }
        let crossing = grazing(random, &mut path, size);
        let line = Exact::between(crossing.line.start, crossing.line.end);
        let gap = line.cross(&Exact::between(crossing.gap.from, crossing.gap.to));
        let speed = line.cross(&Exact::between(path.velocity.from, path.velocity.to));
        let numerator = of(0.0).minus(&gap);
        let point = path.rough_point(&FrameTime::At(crossing));
        if point.error.is_finite() {
            add_point(&mut tally, &path, &point, [&numerator, &speed]);
        }
    }
}

#[test]
fn crossings_among_the_least_floats_are_within_their_bound() {
    let (random, mut tally) = (&mut Random(5, 1.0), Tally::of_part(1.0 / 16.0));
    for _ in 0..CASES {
        let tiny = |random: &mut Random| (random.bits() % 100) as f64 * f64::from_bits(1);
        let velocity = Vec2::new(tiny(random), tiny(random));
        let path = Path::ray(velocity);
        let (x, y) = (random.number(), random.number());
        let crossing = Crossing {
            line: Edge::new(Point::ORIGIN, Point::new(0.0, 1.0)),
            gap: Displacement::between(Point::ORIGIN, Point::new(x * 1e-322, y)),
            velocity: path.velocity,
        };
        let point = path.rough_point(&FrameTime::At(crossing));
        if velocity.x > 0.0 {
            let gap = of(0.0).minus(&of(x * 1e-322));
            add_point(&mut tally, &path, &point, [&gap, &of(velocity.x)]);
        }
    }
}

#[test]
fn times_enclose_all_that_the_bounds_allow() {
    let random = &mut Random(6, 1.0);
    let roundings = of(8.0 * f64::EPSILON);
    let mut needed = [0; 2];
    for case in 0..CASES {
        let of_size =
            |random: &mut Random, size: f64| random.number().abs() * size + f64::MIN_POSITIVE * 2.0;
        let error = [1e-300, 1e-16, 1e-10, 1e-3][case % 4];
        let value = Rough {
            value: random.number().abs() + 2.0 * error,
            error: of_size(random, error),
        };
        let rate = Rough {
            value: -random.number().abs() - 2.0 * error,
            error: of_size(random, error),
        };
        let [least, most] = value.times(&rate);
        let sum = |rough: &Rough, sign: f64| of(rough.value).plus(&of(sign * rough.error));
        let minus = |number: &Rational| of(0.0).minus(number);
        // The shortest and the longest time are quotients of these.
        let [shortest, longest] =
            [-1.0, 1.0].map(|sign| (sum(&value, sign), minus(&sum(&rate, sign))));
        let early = of(least).times(&shortest.1);
        assert!(early.is_at_most(&shortest.0), "too late");
        let late = of(most).times(&longest.1);
        assert!(longest.0.is_at_most(&late), "too early");
        // With an eighth of the room for roundings, some would not be covered.
        let room = roundings.times(&of(0.875));
        let without = early.plus(&early.times(&room));
        needed[0] += usize::from(!without.is_at_most(&shortest.0));
        let without = late.minus(&late.times(&room));
        needed[1] += usize::from(!longest.0.is_at_most(&without));
    }
    assert!(needed.iter().all(|&count| count > 0), "{needed:?}");
    let growing = Rough {
        value: 1.0,
        error: 0.5,
    };
    assert_eq!(growing.times(&growing), [f64::INFINITY; 2]);
    let unknown = Rough {
        value: -0.25,
        error: 0.5,
    };
    let [least, most] = growing.times(&unknown);
    assert!((0.0..=0.5 / 0.75).contains(&least) && most == f64::INFINITY);
}

#[test]
fn signs_are_told_only_beyond_the_bound() {
    for (value, error, is_told) in [
        (1.0, 0.5, true),
        (1.0, 1.0, false),
        (0.0, 0.5, false),
        (1.0, f64::NAN, false),
        (f64::INFINITY, 1.0, false),
        // Underflow is not in the bound.
        (1.0, 0.0, false),
        (1.0, f64::MIN_POSITIVE, false),
    ] {
        let rough = Rough { value, error };
        // A value that is certain has a rate of which it knows the time.
        let falling = Rough {
            value: -1.0,
            error: 0.5,
        };
        let [least, _] = rough.times(&falling);
        assert_eq!(least > 0.0, is_told, "{rough:?}");
    }
}

#[test]
fn distances_from_edges_are_within_their_bound() {
    let (random, mut tally) = (&mut Random(7, 1.0), Tally::of_part(1.0 / 256.0));
    for case in 0..CASES {
        let (edge, mut point) = (random.edge(), random.point());
        let along = edge.end - edge.start;
        if case % 3 > 0 {
            // Near the edge, within it and past its end.
            let part = if case % 3 == 1 {
                random.number().abs()
            } else {
                1.0 + random.number() * 1e-15
            };
            let turn = random.number() * [0.0, 1e-16, 1e-8, 1.0][case % 4];
            point = Point::new(
                edge.start.x + part * along.x - turn * along.y,
                edge.start.y + part * along.y + turn * along.x,
            );
        }
        let distance = squared_distance(point, edge).sqrt();
        let extent = largest(point - edge.start).max(largest(point - edge.end));
        let (gap, exact) = (
            Exact::between(edge.start, point),
            Exact::between(edge.start, edge.end),
        );
        let (dot, length) = (exact.dot(&gap), exact.dot(&exact));
        // The squared distance is a quotient of these.
        let [numerator, denominator] = if dot.is_at_most(&of(0.0)) {
            [gap.dot(&gap), of(1.0)]
        } else if length.is_at_most(&dot) {
            let from_end = gap.minus(&exact);
            [from_end.dot(&from_end), of(1.0)]
        } else {
            let cross = exact.cross(&gap);
            [cross.times(&cross), length]
        };
        // Rounded: whether the distance is more than another is one of squares.
        let is_more_by = |error: f64| {
            let least = distance.next_down() - error;
            let square = of(least.max(0.0)).power(2).times(&denominator);
            !square.is_at_most(&numerator)
        };
        assert!(!is_more_by(DISTANCE_ERROR * extent), "{case}");
        tally.beyond += usize::from(is_more_by(DISTANCE_ERROR * extent * tally.part));
    }
}
