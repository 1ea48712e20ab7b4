//! Boxes along the axes.

use super::{Edge, Point, Vec2};

/// The points between two corners, both included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Least x and y.
    pub min: Point,
    /// Greatest x and y.
    pub max: Point,
}

impl Bounds {
    /// No points at all; the union with it changes nothing.
    pub const EMPTY: Self = Self {
        min: Point::new(f64::INFINITY, f64::INFINITY),
        max: Point::new(f64::NEG_INFINITY, f64::NEG_INFINITY),
    };

    /// The smallest box with both boxes in it.
    #[inline]
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        Self {
            min: Point::new(self.min.x.min(other.min.x), self.min.y.min(other.min.y)),
            max: Point::new(self.max.x.max(other.max.x), self.max.y.max(other.max.y)),
        }
    }

    /// Whether two boxes have a point in common.
    #[inline]
    pub fn meets(&self, other: &Self) -> bool {
        (self.min.x <= other.max.x)
            & (other.min.x <= self.max.x)
            & (self.min.y <= other.max.y)
            & (other.min.y <= self.max.y)
    }

    /// A box with every point in it that is no farther than `reach` from this one.
    #[must_use]
    pub fn grown(&self, reach: f64) -> Self {
        // A sum is rounded to the nearest float, so the next one is beyond it.
        let down = |x: f64| (x - reach).next_down();
        let up = |x: f64| (x + reach).next_up();
        Self {
            min: Point::new(down(self.min.x), down(self.min.y)),
            max: Point::new(up(self.max.x), up(self.max.y)),
        }
    }

    /// A box with every point in it that this one passes while it moves by `velocity`.
    #[inline]
    #[must_use]
    pub fn swept(&self, velocity: Vec2) -> Self {
        let down = |x: f64, by: f64| if by < 0.0 { (x + by).next_down() } else { x };
        let up = |x: f64, by: f64| if by > 0.0 { (x + by).next_up() } else { x };
        Self {
            min: Point::new(down(self.min.x, velocity.x), down(self.min.y, velocity.y)),
            max: Point::new(up(self.max.x, velocity.x), up(self.max.y, velocity.y)),
        }
    }

    /// At most the squared distance between two boxes.
    #[inline]
    pub fn squared_distance_below(&self, other: &Self) -> f64 {
        let gap = |min: f64, max: f64| min.max(max).max(0.0);
        let x = gap(other.min.x - self.max.x, self.min.x - other.max.x);
        let y = gap(other.min.y - self.max.y, self.min.y - other.max.y);
        // Five roundings at most; where a square underflows, the truth is not below it by more
        // than the smallest float.
        (x * x + y * y) * (1.0 - 8.0 * f64::EPSILON)
    }

    /// At most the time at which this box, moving by `velocity` within a frame, first meets
    /// another; infinite if it does not within the frame.
    #[inline]
    pub fn meeting_time_below(&self, other: &Self, velocity: Vec2) -> f64 {
        let (enter_x, exit_x) = crossing_times(
            other.min.x - self.max.x,
            other.max.x - self.min.x,
            velocity.x,
        );
        let (enter_y, exit_y) = crossing_times(
            other.min.y - self.max.y,
            other.max.y - self.min.y,
            velocity.y,
        );
        let enter = enter_x.max(enter_y).max(0.0);
        // Comparisons with NaN, of which nothing is known, are false.
        if enter > exit_x.min(exit_y).min(1.0) {
            f64::INFINITY
        } else {
            enter
        }
    }
}

/// The smallest box with all of them in it.
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

/// When something that moves by `speed` gets through what begins at `near` and ends at `far` of
/// it: no later than the first, no earlier than the second.
#[inline]
fn crossing_times(near: f64, far: f64, speed: f64) -> (f64, f64) {
    // A difference and a quotient make two roundings, each of half a unit in the last place; the
    // smallest float covers underflow.
    const BELOW: f64 = 1.0 - 2.0 * f64::EPSILON;
    const ABOVE: f64 = 1.0 + 2.0 * f64::EPSILON;
    if speed == 0.0 {
        return if near > 0.0 || far < 0.0 {
            (f64::INFINITY, f64::NEG_INFINITY)
        } else {
            (f64::NEG_INFINITY, f64::INFINITY)
        };
    }
    let (enter, exit) = if speed > 0.0 {
        (near / speed, far / speed)
    } else {
        (far / speed, near / speed)
    };
    let enter = if enter > 0.0 { enter * BELOW } else { enter };
    let exit = if exit > 0.0 { exit * ABOVE } else { exit };
    (enter - f64::MIN_POSITIVE, exit + f64::MIN_POSITIVE)
}
