//! Sets of times: those at which two shapes touch, and those that need not be looked at.

use std::cell::RefCell;
use std::ops::Deref;

use smallvec::SmallVec;

use crate::geom::{Bounds, Motion};
use crate::predicates::numbers::ten_digits::{ten_digits_above, ten_digits_below};

/// Closed intervals of time without a time in common, in order: from when until when.
#[derive(Clone, Debug)]
pub struct TimeIntervals(SmallVec<[[f64; 2]; 1]>);

impl FromIterator<[f64; 2]> for TimeIntervals {
    fn from_iter<I: IntoIterator<Item = [f64; 2]>>(intervals: I) -> Self {
        Self(intervals.into_iter().collect())
    }
}

impl Deref for TimeIntervals {
    type Target = [[f64; 2]];

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

/// Intervals that certainly belong to the result, apart and in order: what lies in one need not be looked
/// at.
pub(super) struct Covered(RefCell<SmallVec<[[f64; 2]; 4]>>);

impl Covered {
    /// The cover made of these intervals.
    pub(crate) fn by(intervals: impl Iterator<Item = [f64; 2]>) -> Self {
        let covered = Self(RefCell::default());
        intervals.for_each(|interval| covered.add(interval));
        covered
    }

    /// Adds an interval, whose ends are known to ten digits.
    pub(crate) fn add(&self, [enter, leave]: [f64; 2]) {
        let mut enter = if enter > 0.0 {
            ten_digits_above(enter)
        } else {
            0.0
        };
        let mut leave = if leave < 1.0 {
            ten_digits_below(leave)
        } else {
            1.0
        };
        if enter > leave {
            return;
        }
        let mut known = self.0.borrow_mut();
        let first = known.partition_point(|&[_, end]| end < enter);
        let last = known.partition_point(|&[start, _]| start <= leave);
        for [start, end] in known.drain(first..last) {
            (enter, leave) = (enter.min(start), leave.max(end));
        }
        known.insert(first, [enter, leave]);
    }

    /// A lower bound of the time at which two boxes meet, the first moving; infinite if they meet only
    /// within one of the intervals.
    pub(super) fn time_outside(&self, a: &Bounds, b: &Bounds, velocity: Motion) -> f64 {
        let Some([enter, leave]) = a.meeting_times(b, velocity) else {
            return f64::INFINITY;
        };
        let known = self.0.borrow();
        let before = known.partition_point(|&[start, _]| start <= enter);
        let around = before.checked_sub(1).map(|index| known[index]);
        if around.is_some_and(|[_, end]| leave <= end) {
            f64::INFINITY
        } else {
            enter
        }
    }
}
