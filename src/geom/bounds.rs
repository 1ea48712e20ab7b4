//! Axis-aligned boxes.

use super::motion::Motion;
use super::primitives::{Edge, Point, Vec2};

/// An axis-aligned box, its boundary included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Least x and y.
    pub min: Point,
    /// Greatest x and y.
    pub max: Point,
}

impl Bounds {
    /// The empty box, the identity of [`Self::union`].
    pub const EMPTY: Self = Self {
        min: Point::new(f64::INFINITY, f64::INFINITY),
        max: Point::new(f64::NEG_INFINITY, f64::NEG_INFINITY),
    };

    /// Whether the box is empty.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.min.x > self.max.x
    }

    /// `[min.x, min.y, max.x, max.y]`.
    pub fn numbers(&self) -> [f64; 4] {
        let Self { min, max } = self;
        [min.x, min.y, max.x, max.y]
    }

    /// The middle, rounded.
    #[inline]
    pub(crate) fn middle(&self) -> Point {
        let middle = |min: f64, max: f64| 0.5 * (min + max);
        Point::new(
            middle(self.min.x, self.max.x),
            middle(self.min.y, self.max.y),
        )
    }

    /// The smallest box that contains both.
    #[inline]
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        Self {
            min: Point::new(self.min.x.min(other.min.x), self.min.y.min(other.min.y)),
            max: Point::new(self.max.x.max(other.max.x), self.max.y.max(other.max.y)),
        }
    }

    /// Whether the boxes have a point in common.
    #[inline]
    pub fn meets(&self, other: &Self) -> bool {
        (self.min.x <= other.max.x)
            & (other.min.x <= self.max.x)
            & (self.min.y <= other.max.y)
            & (other.min.y <= self.max.y)
    }

    /// Whether the other box is part of this one.
    #[inline]
    pub fn contains(&self, other: &Self) -> bool {
        (self.min.x <= other.min.x)
            & (other.max.x <= self.max.x)
            & (self.min.y <= other.min.y)
            & (other.max.y <= self.max.y)
    }

    /// A box that contains all points within a distance of this one; the box itself for 0.
    #[inline]
    #[must_use]
    pub fn grown(&self, distance: f64) -> Self {
        if distance == 0.0 {
            return *self;
        }
        let by = Vec2::new(distance, distance);
        self.moved_within([-by, by])
    }

    /// A box that contains this one all along its motion by `velocity`.
    #[inline]
    #[must_use]
    pub fn swept(&self, velocity: Motion) -> Self {
        let [low, high] = velocity.range();
        let down = |x: f64, by: f64| if by < 0.0 { (x + by).next_down() } else { x };
        let up = |x: f64, by: f64| if by > 0.0 { (x + by).next_up() } else { x };
        Self {
            min: Point::new(down(self.min.x, low.x), down(self.min.y, low.y)),
            max: Point::new(up(self.max.x, high.x), up(self.max.y, high.y)),
        }
    }

    /// A box that contains this one after its motion by `shift`.
    #[inline]
    #[must_use]
    pub fn moved(&self, shift: Motion) -> Self {
        self.moved_within(shift.range())
    }

    /// A sum is rounded to the nearest float, so that the next one bounds it.
    #[inline]
    fn moved_within(&self, [low, high]: [Vec2; 2]) -> Self {
        Self {
            min: Point::new(
                (self.min.x + low.x).next_down(),
                (self.min.y + low.y).next_down(),
            ),
            max: Point::new(
                (self.max.x + high.x).next_up(),
                (self.max.y + high.y).next_up(),
            ),
        }
    }

    /// The box with all coordinates multiplied by `factor`.
    #[must_use]
    pub fn scaled(&self, factor: f64) -> Self {
        let [min, max] =
            [self.min, self.max].map(|Point { x, y }| Point::new(x * factor, y * factor));
        Self { min, max }
    }

    /// A lower bound of the squared distance between two boxes.
    #[inline]
    pub fn squared_distance_below(&self, other: &Self) -> f64 {
        let gap = |min: f64, max: f64| min.max(max).max(0.0);
        let x = gap(other.min.x - self.max.x, self.min.x - other.max.x);
        let y = gap(other.min.y - self.max.y, self.min.y - other.max.y);
        // Five roundings at most; where a square underflows, the truth is not below it by more
        // than the smallest float.
        (x * x + y * y) * (1.0 - 8.0 * f64::EPSILON)
    }

    /// A lower bound of the squared distance between two boxes while this one moves by `velocity`: of the
    /// gaps along the axes, and across the path.
    #[inline]
    pub fn squared_distance_below_moving(&self, other: &Self, velocity: Vec2) -> f64 {
        let swept = self.swept(velocity.into());
        let across = |x: f64, y: f64| velocity.x * y - velocity.y * x;
        // The least and the greatest of the other box less this one, across the path.
        let (low, high) = (other.min - self.max, other.max - self.min);
        let [left, right] = [velocity.x < 0.0, velocity.y < 0.0];
        let pick = |first: bool, one: f64, other: f64| if first { one } else { other };
        let least = across(pick(right, low.x, high.x), pick(left, high.y, low.y));
        let most = across(pick(right, high.x, low.x), pick(left, low.y, high.y));
        let size = velocity.x.abs() * low.y.abs().max(high.y.abs())
            + velocity.y.abs() * low.x.abs().max(high.x.abs());
        let gap = least.max(-most) - 8.0 * f64::EPSILON * size;
        let speed = velocity.x * velocity.x + velocity.y * velocity.y;
        let is_usual = speed > f64::MIN_POSITIVE * 1e30 && gap > 0.0;
        let beside = if is_usual {
            gap * gap / speed * (1.0 - 8.0 * f64::EPSILON)
        } else {
            0.0
        };
        swept.squared_distance_below(other).max(beside)
    }

    /// Whether two boxes may come within a distance of each other: false only if they certainly do not.
    #[inline]
    pub fn may_be_within(&self, other: &Self, distance: f64) -> bool {
        // The square is rounded once; the smallest normal float covers underflow.
        let square = distance * distance * (1.0 + f64::EPSILON) + f64::MIN_POSITIVE;
        self.squared_distance_below(other) <= square
    }

    /// Whether all points of two boxes are certainly within a distance of each other.
    #[inline]
    pub fn are_certainly_within(&self, other: &Self, distance: f64) -> bool {
        let x = (other.max.x - self.min.x).max(self.max.x - other.min.x);
        let y = (other.max.y - self.min.y).max(self.max.y - other.min.y);
        // Six roundings at most; a square that underflows is below the smallest normal float. Strictly below,
        // since both may overflow.
        let square = distance * distance * (1.0 - 8.0 * f64::EPSILON) - f64::MIN_POSITIVE;
        x * x + y * y < square
    }

    /// A lower bound of the time in the frame at which this box, moving by `velocity`, first meets
    /// another; infinite if it does not.
    #[inline]
    pub fn meeting_time_below(&self, other: &Self, velocity: Motion) -> f64 {
        let times = self.meeting_times(other, velocity);
        times.map_or(f64::INFINITY, |[first, _]| first)
    }

    /// The same, and an upper bound of the time at which it last meets it; `None` if it does not.
    #[inline]
    pub fn meeting_times(&self, other: &Self, velocity: Motion) -> Option<[f64; 2]> {
        let [low, high] = velocity.range();
        let [near, far] = [other.min.x - self.max.x, other.max.x - self.min.x];
        let (enter_x, exit_x) = crossing_times(near, far, [low.x, high.x]);
        let [near, far] = [other.min.y - self.max.y, other.max.y - self.min.y];
        let (enter_y, exit_y) = crossing_times(near, far, [low.y, high.y]);
        let enter = enter_x.max(enter_y).max(0.0);
        let exit = exit_x.min(exit_y).min(1.0);
        // A comparison with NaN is false, so that NaN never excludes a contact.
        if enter > exit {
            None
        } else {
            Some([enter, exit])
        }
    }
}

/// The smallest box that contains all of them.
impl FromIterator<Self> for Bounds {
    fn from_iter<I: IntoIterator<Item = Self>>(boxes: I) -> Self {
        let all = |all: Self, one: Self| all.union(&one);
        boxes.into_iter().fold(Self::EMPTY, all)
    }
}

impl From<Edge> for Bounds {
    #[inline]
    fn from(Edge { start, end }: Edge) -> Self {
        Self {
            min: Point::new(start.x.min(end.x), start.y.min(end.y)),
            max: Point::new(start.x.max(end.x), start.y.max(end.y)),
        }
    }
}

impl From<Point> for Bounds {
    #[inline]
    fn from(point: Point) -> Self {
        Self {
            min: point,
            max: point,
        }
    }
}

/// Bounds of the times at which a point that starts at 0 enters and leaves `near..=far`, at a speed
/// between `low` and `high`: a lower bound of the first and an upper bound of the second.
#[inline]
fn crossing_times(near: f64, far: f64, [low, high]: [f64; 2]) -> (f64, f64) {
    // A difference and a quotient make two roundings, each of half a unit in the last place; the
    // smallest normal float covers underflow.
    const BELOW: f64 = 1.0 - 2.0 * f64::EPSILON;
    const ABOVE: f64 = 1.0 + 2.0 * f64::EPSILON;
    let begin = |enter: f64| (if enter > 0.0 { enter * BELOW } else { enter }) - f64::MIN_POSITIVE;
    let end = |exit: f64| (if exit > 0.0 { exit * ABOVE } else { exit }) + f64::MIN_POSITIVE;
    if low > 0.0 {
        let enter = near / if near > 0.0 { high } else { low };
        return (begin(enter), end(far / if far > 0.0 { low } else { high }));
    }
    if high < 0.0 {
        let enter = far / if far < 0.0 { low } else { high };
        return (
            begin(enter),
            end(near / if near < 0.0 { high } else { low }),
        );
    }
    // The speed may be zero, so that it may never leave; it enters first at the largest speed.
    let enter = if near > 0.0 {
        near / high.abs()
    } else if far < 0.0 {
        far.abs() / low.abs()
    } else {
        f64::NEG_INFINITY
    };
    (begin(enter), f64::INFINITY)
}
