//! The first contact of each trajectory.

use super::placed_obstacles::PlacedObstacles;
use super::step::{Step, StepContact};
use super::trajectory_batch::{TrajectoryResult, clock_time};
use crate::batch::queries::query_result::record;
use crate::batch::{Field, FieldKind, FieldSet, QueryResult, Value};
use crate::geom::{Point, Vec2};
use crate::shape::Shape;

/// The first contact of a trajectory, if it has one, and its time on the clock of the poses.
#[derive(Clone, Copy, Debug)]
pub struct FirstContact {
    contact: Option<StepContact>,
    at: f64,
}

record!(FirstContact, true when HIT, |this| {
    HIT "hit": Bool = Value::Bool(this.contact.is_some()),
    STEP "step": Index = this.contact.map(|it| it.step).into(),
    TIME "time": Float = Value::Float(this.contact.map_or(f64::INFINITY, |it| it.collision.time())),
    OBSTACLE "obstacle": Index = this.contact.map(|it| it.obstacle).into(),
    NORMAL "normal": Vector = this.contact.map_or(Vec2::ZERO, |it| it.collision.normal()).into(),
    CONTACT "contact": Segment = Value::Segment(this.contact.map_or([Point::NAN; 2], |it| it.contact)),
    PART "part": Index if there = this.contact.map(|it| it.row).into(),
    AT "at": Float if there = Value::Float(this.at),
});

impl Default for FirstContact {
    fn default() -> Self {
        Self {
            contact: None,
            at: f64::INFINITY,
        }
    }
}

impl TrajectoryResult for FirstContact {
    fn needs_normal(fields: FieldSet) -> bool {
        fields.contains(Self::NORMAL) || fields.contains(Self::CONTACT)
    }

    fn follow(&mut self, step: &Step<'_>, shape: &Shape<'_>, placed: &mut PlacedObstacles) {
        if let Some(contact) = step.first_contact(shape, placed)
            && self.contact.is_none_or(|first| contact.precedes(&first))
        {
            self.contact = Some(contact);
        }
    }

    fn is_final(&self) -> bool {
        self.contact.is_some()
    }

    fn read_clock(&mut self, times: &[f64]) {
        if let Some(contact) = &self.contact {
            self.at = clock_time(times, contact.step, contact.collision.time());
        }
    }
}
