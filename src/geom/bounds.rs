//! Boxes along the axes.

use super::{Edge, Motion, Point};

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

    /// Whether there is no point in it.
    pub fn is_empty(&self) -> bool {
        self.min.x > self.max.x
    }

    /// Least x and y, greatest x and y.
    pub fn numbers(&self) -> [f64; 4] {
        let Self { min, max } = self;
        [min.x, min.y, max.x, max.y]
    }

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
    pub fn swept(&self, velocity: Motion) -> Self {
        let [low, high] = velocity.range();
        let down = |x: f64, by: f64| if by < 0.0 { (x + by).next_down() } else { x };
        let up = |x: f64, by: f64| if by > 0.0 { (x + by).next_up() } else { x };
        Self {
            min: Point::new(down(self.min.x, low.x), down(self.min.y, low.y)),
            max: Point::new(up(self.max.x, high.x), up(self.max.y, high.y)),
        }
    }

    /// A box with every point of this one in it after it moved.
    #[inline]
    #[must_use]
    pub fn moved(&self, shift: Motion) -> Self {
        let [low, high] = shift.range();
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

    /// The box with all coordinates multiplied.
    #[must_use]
    pub fn scaled(&self, factor: f64) -> Self {
        let scaled = |point: Point| Point::new(point.x * factor, point.y * factor);
        Self {
            min: scaled(self.min),
            max: scaled(self.max),
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
    pub fn meeting_time_below(&self, other: &Self, velocity: Motion) -> f64 {
        let [low, high] = velocity.range();
        let (enter_x, exit_x) = crossing_times(
            other.min.x - self.max.x,
            other.max.x - self.min.x,
            [low.x, high.x],
        );
        let (enter_y, exit_y) = crossing_times(
            other.min.y - self.max.y,
            other.max.y - self.min.y,
            [low.y, high.y],
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

/// When something gets through what begins at `near` and ends at `far` of it, at a speed that lies
/// between two: no later than the first, no earlier than the second.
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
    // It may stand still, and what it has not reached it comes to at the highest speed or never.
    let enter = if near > 0.0 {
        near / high.abs()
    } else if far < 0.0 {
        far.abs() / low.abs()
    } else {
        f64::NEG_INFINITY
    };
    (begin(enter), f64::INFINITY)
}
