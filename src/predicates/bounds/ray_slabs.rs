//! When a ray enters boxes. Test: `a_box_on_a_ray_is_entered_no_later_than_the_ray_is_there`.

use super::conservative_boxes::{ABOVE, BELOW, UNDERFLOW};
use crate::geom::{Bounds, Ray};

/// A ray, prepared for many boxes.
#[derive(Clone, Copy, Debug)]
pub struct RaySlabs {
    x: RaySlab,
    y: RaySlab,
}

#[derive(Clone, Copy, Debug)]
struct RaySlab {
    origin: f64,
    speed: Speed,
}

#[derive(Clone, Copy, Debug)]
enum Speed {
    /// The coordinate is constant.
    Zero,
    /// The inverse of the speed.
    Inverse(f64),
    /// The inverse of the speed is subnormal or infinite.
    Unusual,
}

impl RaySlabs {
    /// Prepares a ray.
    pub fn new(Ray { origin, direction }: Ray) -> Self {
        Self {
            x: RaySlab::new(origin.x, direction.x),
            y: RaySlab::new(origin.y, direction.y),
        }
    }

    /// A lower bound of the time at which the ray enters a box; `None` if it certainly never does.
    #[inline]
    pub fn entry_below(&self, bounds: &Bounds) -> Option<f64> {
        let [enter_x, exit_x] = self.x.times(bounds.min.x, bounds.max.x);
        let [enter_y, exit_y] = self.y.times(bounds.min.y, bounds.max.y);
        let (enter, exit) = (enter_x.max(enter_y).max(0.0), exit_x.min(exit_y));
        // A difference below zero has its sign even when rounded.
        let enter = enter * BELOW - UNDERFLOW;
        let is_met = exit >= 0.0 && enter <= exit * ABOVE + UNDERFLOW;
        is_met.then(|| enter.clamp(0.0, f64::MAX))
    }
}

impl RaySlab {
    fn new(origin: f64, speed: f64) -> Self {
        let inverse = 1.0 / speed;
        let speed = if speed == 0.0 {
            Speed::Zero
        } else if inverse.is_normal() {
            Speed::Inverse(inverse)
        } else {
            Speed::Unusual
        };
        Self { origin, speed }
    }

    /// The times at which the coordinate enters and leaves an interval: a difference, the inverse and the product
    /// make three roundings.
    #[inline]
    fn times(&self, min: f64, max: f64) -> [f64; 2] {
        match self.speed {
            Speed::Inverse(inverse) => {
                let (near, far) = if inverse > 0.0 {
                    (min, max)
                } else {
                    (max, min)
                };
                // A difference that overflows is larger than the largest float.
                let gap = (near - self.origin).clamp(-f64::MAX, f64::MAX);
                [gap * inverse, (far - self.origin) * inverse]
            }
            Speed::Zero if self.origin < min || max < self.origin => {
                [f64::INFINITY, f64::NEG_INFINITY]
            }
            Speed::Zero | Speed::Unusual => [f64::NEG_INFINITY, f64::INFINITY],
        }
    }
}
