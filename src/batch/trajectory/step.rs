//! One step of a trajectory among obstacles.

use smallvec::SmallVec;

use crate::batch::{Margins, Obstacles};
use crate::geom::{Bounds, Motion, Point, Turn};
use crate::predicates::numbers::ten_digits::square_of_ten_digits_above;
use crate::shape::{self, ClosestApproach, RelativeMotion, Shape, SweptCollision};

/// A footprint at a pose, and how it moves to the next one; at the last pose nothing moves.
pub struct Step<'a> {
    pub(super) obstacles: &'a Obstacles,
    /// The number of the pose.
    pub(super) number: usize,
    pub(super) shape: &'a Shape<'a>,
    pub(super) motion: Motion,
    pub(super) turn: Turn,
    /// The box of the shape, with what it sweeps by turning.
    pub(super) bounds: Bounds,
    pub(super) margins: Option<&'a Margins>,
    /// The trajectory's number, for the margins.
    pub(super) trajectory: usize,
    /// The largest of its margins.
    pub(super) largest_margin: f64,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct StepContact {
    /// The pose at which the step starts.
    pub step: usize,
    /// The obstacle's row.
    pub obstacle: usize,
    /// Time within the step, and place relative to the obstacle.
    pub collision: SweptCollision,
    /// The ends of the contact, in world coordinates.
    pub contact: [Point; 2],
}

/// How near the footprint comes to an obstacle within a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct StepApproach {
    /// The least distance; 0 at a contact.
    pub distance: f64,
    /// The pose at which the step starts.
    pub step: usize,
    /// The time within the step at which the distance is reached; at a contact, that of the first
    /// contact.
    pub time: f64,
    /// The obstacle's row.
    pub obstacle: usize,
    /// The nearest points of the footprint and of the obstacle at that time, in world coordinates; NaN at a
    /// contact.
    pub closest: [Point; 2],
}

impl From<StepContact> for StepApproach {
    fn from(contact: StepContact) -> Self {
        Self {
            distance: 0.0,
            step: contact.step,
            time: contact.collision.time(),
            obstacle: contact.obstacle,
            closest: [Point::NAN; 2],
        }
    }
}

impl Step<'_> {
    /// Lowers `least` to the least distance within the step. The footprint must touch no obstacle in it.
    pub(super) fn come_closer(&self, least: &mut Option<StepApproach>) {
        let swept = self.bounds.swept(self.motion);
        // Distances are known to ten digits, and so are their squares, but for a factor.
        let square = |it: StepApproach| square_of_ten_digits_above(it.distance);
        let limit = |least: &Option<StepApproach>| least.map_or(f64::INFINITY, square);
        let bound = |other: &Bounds| Some(swept.squared_distance_below(other));
        let start = limit(least);
        let index = self.obstacles.index(self.number);
        index.branch_and_bound(bound, start, |obstacle| {
            if let Some(approach) = self.approach(obstacle)
                && least.is_none_or(|least| approach.distance < least.distance)
            {
                *least = Some(StepApproach {
                    distance: approach.distance,
                    step: self.number,
                    time: approach.time,
                    obstacle,
                    closest: self.obstacles.closest(&approach, obstacle, self.number),
                });
            }
            limit(least)
        });
    }

    fn approach(&self, obstacle: usize) -> Option<ClosestApproach> {
        let other = self.obstacles.shape(obstacle, self.number)?;
        let motion = self.relative_motion(obstacle);
        Some(shape::approach_apart(self.shape, &other, motion))
    }

    /// The motion of the footprint relative to an obstacle.
    pub(super) fn relative_motion(&self, obstacle: usize) -> RelativeMotion {
        let (drift, turn) = self.obstacles.motion(obstacle, self.number);
        let offset = self.obstacles.offset(obstacle, self.number);
        let motion = RelativeMotion {
            offset,
            velocity: self.motion.relative_to(drift),
            turns: None,
        };
        motion.turning([self.turn, turn])
    }

    /// The distance within which the footprint and an obstacle count as touching.
    fn margin(&self, obstacle: usize) -> f64 {
        let margins = self.margins;
        margins.map_or(0.0, |margins| margins.at(self.trajectory, obstacle))
    }

    /// The obstacle that the footprint touches first.
    pub(super) fn first_contact(&self) -> Option<StepContact> {
        let mut first: Option<StepContact> = None;
        for obstacle in self.near() {
            let Some(other) = self.obstacles.shape(obstacle, self.number) else {
                continue;
            };
            let motion = self.relative_motion(obstacle);
            let collision =
                shape::swept_collision(self.shape, &other, motion, self.margin(obstacle));
            let earlier = |first: &StepContact| collision.precedes(&first.collision);
            if collision.will_intersect() && first.as_ref().is_none_or(earlier) {
                let contact = self.obstacles.contact(&collision, obstacle, self.number);
                first = Some(StepContact {
                    step: self.number,
                    obstacle,
                    collision,
                    contact,
                });
            }
        }
        first
    }

    /// The obstacles that may be touched, in ascending order.
    fn near(&self) -> SmallVec<[usize; 16]> {
        let grown = self.bounds.grown(self.largest_margin);
        let swept = grown.swept(self.motion);
        let mut near = SmallVec::new();
        let is_near = |other: &Bounds| swept.meets(other);
        self.obstacles
            .index(self.number)
            .search(is_near, |obstacle| {
                let other = self.obstacles.bounds(obstacle, self.number);
                let (drift, _) = self.obstacles.motion(obstacle, self.number);
                let motion = self.motion.relative_to(drift);
                let bounds = self.bounds.grown(self.margin(obstacle));
                if bounds.meeting_time_below(&other, motion) < f64::INFINITY {
                    near.push(obstacle);
                }
            });
        near.sort_unstable();
        near
    }
}
