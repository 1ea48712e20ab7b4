//! Times at which a moving point crosses lines.

use std::cmp::Ordering;

use super::orientation::{cross, cross_value};
use crate::geom::{Displacement, Edge, Motion, WideFloat, WideVector};
use crate::predicates::bounds::error_bounds;
use crate::predicates::numbers::adaptive::{TO_THE_LAST_PLACE, sign, value};
use crate::predicates::numbers::number_vector::Vector;
use crate::predicates::numbers::polynomial::{Number, Polynomial};
use crate::predicates::numbers::sign::Sign;
use crate::simd::lanes::Lanes;

/// A moving point and a line. The point is at `gap` from a point of the line, which has the direction
/// `line`, and crosses it at the time `-(line × gap) / (line × velocity)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing {
    /// The line's direction.
    pub line: Edge,
    /// From a point of the line to the moving point.
    pub gap: Displacement,
    /// The motion of the point over the frame.
    pub velocity: Motion,
}

/// The difference of two crossing times, multiplied by both speeds. Degree 4.
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

/// The gap across the line at a time, times the line's length. Degree 3.
#[derive(Clone, Copy, Debug)]
pub struct GapAtTime(pub Crossing, pub f64);

impl Polynomial for GapAtTime {
    #[inline(always)]
    fn evaluate<N: Number>(&self) -> N {
        let (gap, speed) = self.0.parts::<N>();
        gap.plus(&speed.times(&N::of(self.1)))
    }
}

/// A coordinate of the point as it crosses the line, times the speed across the line; the point starts at a
/// displacement from the origin. Degree 3.
#[derive(Clone, Copy, Debug)]
pub struct CoordinateAtCrossing {
    /// The crossing.
    pub crossing: Crossing,
    /// From the origin to the point at the start of the frame.
    pub start: Displacement,
    /// Whether it is y instead of x.
    pub is_y: bool,
}

impl Polynomial for CoordinateAtCrossing {
    #[inline(always)]
    fn evaluate<N: Number>(&self) -> N {
        let (gap, speed) = self.crossing.parts::<N>();
        let [x, y] = self.start.vector::<N>().components();
        let [along_x, along_y] = self.crossing.velocity.terms::<N>().components();
        let (start, along) = if self.is_y {
            (y, along_y)
        } else {
            (x, along_x)
        };
        start.times(&speed).minus(&along.times(&gap))
    }
}

impl Crossing {
    /// The numerator and the denominator of minus the time: gap and speed across the line.
    #[inline(always)]
    fn parts<N: Number>(&self) -> (N, N) {
        let line = Vector::<N>::along(self.line);
        let speed = line.cross(&self.velocity.terms());
        (line.cross(&self.gap.vector()), speed)
    }

    /// Positive if the point moves from right to left across the line.
    #[inline(always)]
    pub fn approach(&self) -> Sign {
        cross(self.line, self.velocity.displacement())
    }

    /// The side of the line at the start of the frame, positive on the left.
    #[inline(always)]
    pub fn before(&self) -> Sign {
        cross(self.line, self.gap)
    }

    /// The side of the line at the end of the frame, positive on the left.
    #[inline(always)]
    pub fn after(&self) -> Sign {
        cross(self.line, self.gap.after(self.velocity))
    }

    /// Whether the point crosses the line from its right within the frame.
    #[inline(always)]
    pub fn is_entry(&self) -> bool {
        self.approach() == Sign::Positive
            && self.before() == Sign::Negative
            && self.after() != Sign::Negative
    }

    /// A filter that proves for most points that they don't reach the line from its right within the
    /// frame. A side is a sum of up to three cross products, of terms that are rounded up to nine times, for which
    /// the bound has twice twelve. Test: `a_side_that_roundings_may_have_changed_is_open`.
    #[inline(always)]
    pub fn surely_misses(&self) -> bool {
        let line = self.line.end - self.line.start;
        let gap = self.gap.to - self.gap.from;
        let (speed, velocity) = (self.velocity.size(), self.velocity.rounded());
        let mut size = gap.map(f64::abs) + speed;
        let mut before = line.cross(gap);
        if let Some(shift) = self.gap.shift {
            before += line.cross(shift.rounded());
            size = size + shift.size();
        }
        let after = before + line.cross(velocity);
        let error = error_bounds::cross_error(line, size) * 2.0;
        before > error || after < -error
    }

    /// Compares the time at which the point crosses the line from its right with a number, which may be infinite.
    #[inline(always)]
    pub fn compare_with(&self, time: f64) -> Ordering {
        if time == f64::INFINITY {
            return Ordering::Less;
        }
        sign(&GapAtTime(*self, time)).ordering().reverse()
    }

    /// Compares the times of two crossings in the same direction.
    #[inline(always)]
    pub fn compare(&self, other: &Self) -> Ordering {
        sign(&TimeDifference(*self, *other)).ordering()
    }

    /// The time of a crossing within the frame, if floats are accurate.
    #[inline(always)]
    pub(crate) fn rounded_time(&self) -> Option<f64> {
        if self.gap.shift.is_some() {
            return None;
        }
        let line = self.line.end - self.line.start;
        let gap = self.gap.to - self.gap.from;
        let (size, speed) = (gap.map(f64::abs), self.velocity.size());
        // A sum of several parts is rounded more often than the error bound allows for.
        let factor = if self.velocity.steps == 0.0 { 1.0 } else { 2.0 };
        let largest = line
            .map(f64::abs)
            .with(size.with(speed, f64::larger), f64::larger);
        let [distance, pace] = [gap, self.velocity.rounded()].map(|vector| line.cross(vector));
        let is_certain = error_bounds::is_usual_size(largest.x.larger(largest.y))
            && error_bounds::is_accurate(distance, error_bounds::cross_error(line, size))
            && error_bounds::is_accurate(pace, factor * error_bounds::cross_error(line, speed));
        is_certain.then(|| (-distance / pace).smaller(1.0))
    }

    /// The time, precise enough to place a moving point.
    pub(crate) fn time(&self) -> WideFloat {
        self.time_within(TO_THE_LAST_PLACE)
    }

    /// The time, with a relative error of twice the tolerance and a few roundings.
    pub(crate) fn time_within(&self, tolerance: f64) -> WideFloat {
        let velocity = self.velocity.displacement();
        -cross_value(self.line, self.gap, tolerance) / cross_value(self.line, velocity, tolerance)
    }

    /// Where the point crosses the line, to the last place, if it starts at this displacement from the
    /// origin.
    pub(crate) fn point(&self, start: Displacement) -> WideVector {
        let speed = cross_value(self.line, self.velocity.displacement(), TO_THE_LAST_PLACE);
        let crossing = *self;
        let [x, y] = [false, true].map(|is_y| {
            let coordinate = CoordinateAtCrossing {
                crossing,
                start,
                is_y,
            };
            value(&coordinate, TO_THE_LAST_PLACE)
        });
        WideVector::new(x, y) / speed
    }

    /// The crossing, of the line in its opposite direction.
    #[must_use]
    pub const fn reversed(self) -> Self {
        Self {
            line: self.line.reversed(),
            ..self
        }
    }
}
