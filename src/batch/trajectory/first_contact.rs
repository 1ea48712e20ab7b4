//! The first contact of each trajectory.

use std::ops::ControlFlow;

use super::step::{Step, StepContact};
use crate::batch::queries::query_result::record;
use crate::batch::{Field, FieldKind, QueryResult, TrajectoryResult, Value};
use crate::geom::{Point, Vec2};

/// The first contact of a trajectory; `None` if it has none.
#[derive(Clone, Copy, Debug, Default)]
pub struct FirstContact(Option<StepContact>);

record!(FirstContact, true when HIT, |this| {
    HIT "hit": Bool = Value::Bool(this.0.is_some()),
    STEP "step": Index = this.0.map(|contact| contact.step).into(),
    TIME "time": Float = Value::Float(this.0.map_or(f64::INFINITY, |contact| contact.collision.time())),
    OBSTACLE "obstacle": Index = this.0.map(|contact| contact.obstacle).into(),
    NORMAL "normal": Vector = this.0.map_or(Vec2::ZERO, |contact| contact.collision.normal()).into(),
    CONTACT "contact": Segment = Value::Segment(
        this.0.map_or([Point::NAN; 2], |contact| contact.contact)
    ),
});

impl TrajectoryResult for FirstContact {
    fn follow(&mut self, step: &Step<'_>) -> ControlFlow<()> {
        self.0 = step.first_contact();
        match self.0 {
            Some(_) => ControlFlow::Break(()),
            None => ControlFlow::Continue(()),
        }
    }
}
