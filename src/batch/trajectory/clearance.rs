//! The least distance of each trajectory from the obstacles.

use super::placed_obstacles::PlacedObstacles;
use super::step::{Step, StepApproach, StepContact};
use super::trajectory_batch::{TrajectoryResult, clock_time};
use crate::batch::queries::query_result::record;
use crate::batch::{Field, FieldKind, FieldSet, QueryResult, Value};
use crate::geom::Point;
use crate::shape::Shape;

/// The least distance of a trajectory: at its first contact, or else its nearest approach, if there are obstacles;
/// and the time on the clock of the poses.
#[derive(Clone, Copy, Debug)]
pub struct Clearance {
    contact: Option<StepContact>,
    approach: Option<StepApproach>,
    at: f64,
}

record!(Clearance, true when DISTANCE, |this| {
    DISTANCE "distance": Float = Value::Float(this.least().map_or(f64::INFINITY, |it| it.distance)),
    STEP "step": Index = this.least().map(|it| it.step).into(),
    TIME "time": Float = Value::Float(this.least().map_or(f64::INFINITY, |it| it.time)),
    OBSTACLE "obstacle": Index = this.least().map(|it| it.obstacle).into(),
    CLOSEST_A "closest_a": Vector = this.least().map_or(Point::NAN, |it| it.closest[0]).into(),
    CLOSEST_B "closest_b": Vector = this.least().map_or(Point::NAN, |it| it.closest[1]).into(),
    PART "part": Index if there = this.least().map(|it| it.row).into(),
    AT "at": Float if there = Value::Float(this.at),
});

impl Clearance {
    pub(super) fn least(&self) -> Option<StepApproach> {
        self.contact.map(StepApproach::from).or(self.approach)
    }
}

impl Default for Clearance {
    fn default() -> Self {
        Self {
            contact: None,
            approach: None,
            at: f64::INFINITY,
        }
    }
}

impl TrajectoryResult for Clearance {
    fn needs_normal(_: FieldSet) -> bool {
        false
    }

    fn follow(&mut self, step: &Step<'_>, shape: &Shape<'_>, placed: &mut PlacedObstacles) {
        if let Some(contact) = step.first_contact(shape, placed) {
            if self.contact.is_none_or(|first| contact.precedes(&first)) {
                self.contact = Some(contact);
            }
        } else if self.contact.is_none() {
            step.come_closer(shape, placed, &mut self.approach);
        }
    }

    fn is_final(&self) -> bool {
        self.contact.is_some()
    }

    fn read_clock(&mut self, times: &[f64]) {
        if let Some(least) = self.least() {
            self.at = clock_time(times, least.step, least.time);
        }
    }
}
