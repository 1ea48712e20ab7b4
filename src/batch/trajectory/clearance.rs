//! The least distance of each trajectory from the obstacles.

use std::ops::ControlFlow;

use crate::batch::invalid_row::InvalidRow;
use crate::batch::query::Query;
use crate::batch::query_result::{Field, FieldKind, FieldSet, QueryResult, Value, record};
use crate::batch::trajectory::first_contact::index;
use crate::batch::trajectory::footprints::{PlacedFootprint, TrajectoryBatch};
use crate::batch::trajectory::step::StepApproach;

/// The least distance of each trajectory from the obstacles.
#[derive(Debug)]
pub struct ClearanceBatch(pub TrajectoryBatch);

/// The least distance of a trajectory; `None` if there are no obstacles.
#[derive(Clone, Copy, Debug)]
pub struct Clearance(Option<StepApproach>);

record!(Clearance, true when DISTANCE, |this| {
    DISTANCE "distance": Float = Value::Float(this.0.map_or(f64::INFINITY, |it| it.distance)),
    STEP "step": Index = index(this.0.map(|it| it.step)),
    TIME "time": Float = Value::Float(this.0.map_or(f64::INFINITY, |it| it.time)),
    OBSTACLE "obstacle": Index = index(this.0.map(|it| it.obstacle)),
});

impl Query for ClearanceBatch {
    type Answer = Clearance;
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
    ) -> Result<Option<Clearance>, InvalidRow> {
        let mut least: Option<StepApproach> = None;
        let is_answered = self.0.visit_steps(row, placed, |step| {
            if let Some(contact) = step.first_contact() {
                least = Some(contact.into());
                return ControlFlow::Break(());
            }
            step.come_closer(&mut least);
            ControlFlow::Continue(())
        })?;
        Ok(is_answered.then_some(Clearance(least)))
    }
}
