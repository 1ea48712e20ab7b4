//! The first contact of each trajectory.

use std::ops::ControlFlow;

use crate::batch::invalid_row::InvalidRow;
use crate::batch::query::Query;
use crate::batch::query_result::{Field, FieldKind, FieldSet, QueryResult, Value, record};
use crate::batch::trajectory::footprints::{PlacedFootprint, TrajectoryBatch};
use crate::batch::trajectory::step::StepContact;
use crate::geom::{Point, Vec2};

/// The first contact of each trajectory.
#[derive(Debug)]
pub struct FirstContactBatch(pub TrajectoryBatch);

/// The first contact of a trajectory; `None` if it has none.
#[derive(Clone, Copy, Debug)]
pub struct FirstContact(pub Option<StepContact>);

record!(FirstContact, true when STEP, |this| {
    STEP "step": Index = index(this.0.map(|contact| contact.step)),
    TIME "time": Float = Value::Float(this.0.map_or(f64::INFINITY, |contact| contact.collision.time())),
    OBSTACLE "obstacle": Index = index(this.0.map(|contact| contact.obstacle)),
    NORMAL "normal": Vector = this.0.map_or(Vec2::ZERO, |contact| contact.collision.normal()).into(),
    CONTACT "contact": Segment = Value::Segment(
        this.0.map_or([Point::NAN; 2], |contact| contact.contact)
    ),
});

/// A position as a field; -1 for none.
pub(super) fn index(position: Option<usize>) -> Value {
    Value::Index(position.map_or(-1, |position| i64::try_from(position).unwrap_or(-1)))
}

impl Query for FirstContactBatch {
    type Answer = FirstContact;
    type Cursor<'a> = PlacedFootprint;

    fn rows(&self) -> usize {
        self.0.poses.count
    }

    fn longest(&self) -> usize {
        self.0.longest()
    }

    fn cursor(&self, _: FieldSet) -> PlacedFootprint {
        PlacedFootprint::default()
    }

    fn answer(
        &self,
        row: usize,
        placed: &mut PlacedFootprint,
    ) -> Result<Option<FirstContact>, InvalidRow> {
        let mut first = None;
        let is_answered = self.0.visit_steps(row, placed, |step| {
            first = step.first_contact();
            match first {
                Some(_) => ControlFlow::Break(()),
                None => ControlFlow::Continue(()),
            }
        })?;
        Ok(is_answered.then_some(FirstContact(first)))
    }
}
