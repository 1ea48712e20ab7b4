//! Times of the frame and intervals of them, exactly.

use std::cmp::Ordering;

use super::crossing_time::Crossing;
use crate::predicates::numbers::sign::Sign;

/// A time of the frame, exactly.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(clippy::large_enum_variant)] // It lives on the stack.
pub enum FrameTime {
    /// 0.
    Start,
    /// When a point crosses a line from its right, after the start and before the end, if there is one.
    At(Crossing),
    /// 1.
    End,
}

/// The largest float below 1.
pub(crate) const BEFORE_END: f64 = 1.0 - f64::EPSILON / 2.0;

/// A rounded time that is known to lie after the start of the frame and before its end.
pub(crate) fn strictly_within(time: f64) -> f64 {
    time.clamp(f64::from_bits(1), BEFORE_END)
}

impl FrameTime {
    /// Compares two times.
    #[inline]
    pub fn compare(&self, other: &Self) -> Ordering {
        let position = |time: &Self| match time {
            Self::Start => 0,
            Self::At(_) => 1,
            Self::End => 2,
        };
        match (self, other) {
            (Self::At(own), Self::At(other)) => own.compare(other),
            _ => position(self).cmp(&position(other)),
        }
    }

    /// The time as a number, to ten digits: 0 and 1 only at the start and at the end.
    pub fn value(&self) -> f64 {
        match self {
            Self::Start => 0.0,
            Self::At(crossing) => {
                let time = crossing.rounded_time();
                strictly_within(time.unwrap_or_else(|| crossing.time().to_f64()))
            }
            Self::End => 1.0,
        }
    }
}

impl Crossing {
    /// When a point that does not run along the line crosses it.
    ///
    /// # Errors
    ///
    /// Outside the frame: whether that is before it or after.
    pub fn frame_time(&self) -> Result<FrameTime, Ordering> {
        self.time_given(self.approach())
    }

    fn time_given(&self, approach: Sign) -> Result<FrameTime, Ordering> {
        let crossing = match approach {
            Sign::Negative => self.reversed(),
            _ => *self,
        };
        match (crossing.before(), crossing.after()) {
            (Sign::Positive, _) => Err(Ordering::Less),
            (Sign::Zero, _) => Ok(FrameTime::Start),
            (Sign::Negative, Sign::Negative) => Err(Ordering::Greater),
            (Sign::Negative, Sign::Zero) => Ok(FrameTime::End),
            (Sign::Negative, Sign::Positive) => Ok(FrameTime::At(crossing)),
        }
    }
}

/// A closed interval of times of the frame, exactly.
#[derive(Clone, Copy, Debug)]
pub struct FrameInterval {
    /// When it begins.
    pub enter: FrameTime,
    /// When it ends.
    pub leave: FrameTime,
}

impl FrameInterval {
    /// The times at which a moving point is on the left of all lines, or on them.
    pub fn left_of(lines: impl IntoIterator<Item = Crossing>) -> Option<Self> {
        let (mut enter, mut leave) = (FrameTime::Start, FrameTime::End);
        for crossing in lines {
            let approach = crossing.approach();
            if approach == Sign::Zero {
                if crossing.before() == Sign::Negative {
                    return None;
                }
                continue;
            }
            match (approach, crossing.time_given(approach)) {
                (Sign::Positive, Err(Ordering::Greater))
                | (Sign::Negative, Err(Ordering::Less)) => {
                    return None;
                }
                (Sign::Positive, Ok(time)) if time.compare(&enter) == Ordering::Greater => {
                    enter = time;
                }
                (Sign::Negative, Ok(time)) if time.compare(&leave) == Ordering::Less => {
                    leave = time;
                }
                _ => {}
            }
        }
        (enter.compare(&leave) != Ordering::Greater).then_some(Self { enter, leave })
    }

    /// The union of intervals: those that are apart, in order.
    pub fn union(mut intervals: Vec<Self>) -> Vec<Self> {
        intervals.sort_by(|one, other| one.enter.compare(&other.enter));
        let mut apart: Vec<Self> = Vec::new();
        for next in intervals {
            match apart.last_mut() {
                Some(last) if next.enter.compare(&last.leave) != Ordering::Greater => {
                    if next.leave.compare(&last.leave) == Ordering::Greater {
                        last.leave = next.leave;
                    }
                }
                _ => apart.push(next),
            }
        }
        apart
    }

    /// The ends as numbers, equal if they are the same.
    pub fn values(&self) -> [f64; 2] {
        let enter = self.enter.value();
        if self.enter.compare(&self.leave) == Ordering::Equal {
            return [enter; 2];
        }
        [enter, self.leave.value().max(enter)]
    }
}
