//! One step of a trajectory among obstacles.

use smallvec::SmallVec;

use super::margins::Margins;
use super::obstacles::Obstacles;
use super::placed_obstacles::PlacedObstacles;
use super::poses::StepMotion;
use super::trajectories::Trajectories;
use crate::geom::{Bounds, Point};
use crate::predicates::numbers::ten_digits::square_of_ten_digits_above;
use crate::shape::{self, RelativeMotion, Shape, SweptCollision};

/// A body at a pose, and how it moves to the next one, among obstacles; its shape there is given apart.
pub struct Step<'a> {
    pub(super) obstacles: &'a Obstacles,
    /// The number of the pose.
    pub(super) number: usize,
    /// The body's row.
    pub(super) row: usize,
    /// Whether it is there at the next pose. If not, it is tested where it stands.
    pub(super) continues: bool,
    pub(super) motion: StepMotion,
    /// The box of the shape, with what it sweeps by turning.
    pub(super) bounds: Bounds,
    pub(super) margins: Option<&'a Margins>,
    /// The largest of its margins.
    pub(super) largest_margin: f64,
    /// Whether more is wanted of contacts than their time.
    pub(super) with_normal: bool,
}

/// The first contact of a body and an obstacle within a step.
#[derive(Clone, Copy, Debug)]
pub struct StepContact {
    /// The pose at which the step starts.
    pub step: usize,
    /// The body's row.
    pub row: usize,
    /// The obstacle's row.
    pub obstacle: usize,
    /// Time within the step, and place relative to the obstacle.
    pub collision: SweptCollision,
    /// The ends of the contact, in world coordinates.
    pub contact: [Point; 2],
}

/// How near the footprint comes to an obstacle within a step.
#[derive(Clone, Copy, Debug)]
pub struct StepApproach {
    /// The least distance; 0 at a contact.
    pub distance: f64,
    /// The pose at which the step starts.
    pub step: usize,
    /// The time within the step at which the distance is reached; at a contact, that of the first
    /// contact.
    pub time: f64,
    /// The body's row.
    pub row: usize,
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
            row: contact.row,
            obstacle: contact.obstacle,
            closest: [Point::NAN; 2],
        }
    }
}

impl StepContact {
    /// Whether it is before another one of the same step.
    pub(super) fn precedes(&self, other: &Self) -> bool {
        self.collision.precedes(&other.collision)
    }
}

impl<'a> Step<'a> {
    /// The step that starts at a pose at which a body is. `bounds` is the box of its shape there, with what it sweeps
    /// by turning.
    pub(super) fn new(
        (bodies, row): (&Trajectories, usize),
        number: usize,
        motion: StepMotion,
        bounds: Bounds,
        (obstacles, margins): (&'a Obstacles, Option<&'a Margins>),
        with_normal: bool,
    ) -> Self {
        Self {
            obstacles,
            number,
            row,
            continues: bodies.poses.continues(row, number),
            motion,
            bounds,
            margins,
            largest_margin: margins.map_or(0.0, |margins| margins.largest(row)),
            with_normal,
        }
    }

    /// Lowers `least` to the least distance within the step. The shape must touch no obstacle in it.
    pub(super) fn come_closer(
        &self,
        shape: &Shape<'_>,
        placed: &mut PlacedObstacles,
        least: &mut Option<StepApproach>,
    ) {
        let swept = self.bounds.swept(self.motion.motion);
        // Distances are known to ten digits, and so are their squares, but for a factor.
        let square = |it: StepApproach| square_of_ten_digits_above(it.distance);
        let limit = |least: &Option<StepApproach>| least.map_or(f64::INFINITY, square);
        let bound = |other: &Bounds| Some(swept.squared_distance_below(other));
        let start = limit(least);
        let (obstacles, number) = (self.obstacles, self.number);
        obstacles.branch_and_bound(number, bound, start, |obstacle| {
            if let Some(approach) = self.approach(shape, obstacle, placed)
                && least.is_none_or(|least| approach.distance < least.distance)
            {
                *least = Some(approach);
            }
            limit(least)
        });
    }

    /// How near the shape comes to an obstacle that it doesn't touch within the step.
    pub(super) fn approach(
        &self,
        shape: &Shape<'_>,
        obstacle: usize,
        placed: &mut PlacedObstacles,
    ) -> Option<StepApproach> {
        let other = self.obstacles.shape(obstacle, self.number, placed)?;
        let approach = shape::approach_apart(shape, &other, self.relative_motion(obstacle));
        Some(StepApproach {
            distance: approach.distance,
            step: self.number,
            time: approach.time,
            row: self.row,
            obstacle,
            closest: self.obstacles.closest(&approach, obstacle, self.number),
        })
    }

    /// How body and obstacle move. Both stand where one of them ends.
    fn motions(&self, obstacle: usize) -> [StepMotion; 2] {
        if self.continues && self.obstacles.continues(obstacle, self.number) {
            [self.motion, self.obstacles.motion(obstacle, self.number)]
        } else {
            [StepMotion::REST; 2]
        }
    }

    /// The motion of the body relative to an obstacle.
    fn relative_motion(&self, obstacle: usize) -> RelativeMotion {
        let [own, other] = self.motions(obstacle);
        let motion = RelativeMotion {
            offset: self.obstacles.offset(obstacle, self.number),
            velocity: own.motion.relative_to(other.motion),
            turns: None,
        };
        motion.turning([own.turn, other.turn])
    }

    /// The distance within which the body and an obstacle count as touching.
    fn margin(&self, obstacle: usize) -> f64 {
        let margins = self.margins;
        margins.map_or(0.0, |margins| margins.at(self.row, obstacle))
    }

    /// The obstacle that the shape touches first.
    pub(super) fn first_contact(
        &self,
        shape: &Shape<'_>,
        placed: &mut PlacedObstacles,
    ) -> Option<StepContact> {
        let mut first: Option<StepContact> = None;
        for obstacle in self.near(|_| true) {
            if let Some(contact) = self.contact(shape, obstacle, placed)
                && first.as_ref().is_none_or(|first| contact.precedes(first))
            {
                first = Some(contact);
            }
        }
        first
    }

    /// The first contact of the shape with an obstacle.
    pub(super) fn contact(
        &self,
        shape: &Shape<'_>,
        obstacle: usize,
        placed: &mut PlacedObstacles,
    ) -> Option<StepContact> {
        let other = self.obstacles.shape(obstacle, self.number, placed)?;
        let (motion, margin) = (self.relative_motion(obstacle), self.margin(obstacle));
        let collision = if self.with_normal {
            shape::swept_collision(shape, &other, motion, margin)
        } else {
            shape::meeting(shape, &other, motion, margin)
        };
        collision.will_intersect().then(|| StepContact {
            step: self.number,
            row: self.row,
            obstacle,
            contact: self.obstacles.contact(&collision, obstacle, self.number),
            collision,
        })
    }

    /// The obstacles of interest that may be touched, in ascending order.
    pub(super) fn near(&self, is_of_interest: impl Fn(usize) -> bool) -> SmallVec<[usize; 16]> {
        let grown = self.bounds.grown(self.largest_margin);
        let swept = grown.swept(self.motion.motion);
        let mut near = SmallVec::new();
        let is_near = |other: &Bounds| swept.meets(other);
        self.obstacles.search(self.number, is_near, |obstacle| {
            if !is_of_interest(obstacle) {
                return;
            }
            let other = self.obstacles.bounds(obstacle, self.number);
            let [own, of_other] = self.motions(obstacle).map(|it| it.motion);
            let motion = own.relative_to(of_other);
            let bounds = self.bounds.grown(self.margin(obstacle));
            if bounds.meeting_time_below(&other, motion) < f64::INFINITY {
                near.push(obstacle);
            }
        });
        near.sort_unstable();
        near
    }
}
