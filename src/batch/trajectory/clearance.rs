//! The least distance of each trajectory from the obstacles.

use std::ops::ControlFlow;

use super::step::{Step, StepApproach};
use crate::batch::queries::query_result::record;
use crate::batch::{Field, FieldKind, QueryResult, TrajectoryResult, Value};
use crate::geom::Point;

/// The least distance of a trajectory; `None` if there are no obstacles.
#[derive(Clone, Copy, Debug, Default)]
pub struct Clearance(Option<StepApproach>);

record!(Clearance, true when DISTANCE, |this| {
    DISTANCE "distance": Float = Value::Float(this.0.map_or(f64::INFINITY, |it| it.distance)),
    STEP "step": Index = this.0.map(|it| it.step).into(),
    TIME "time": Float = Value::Float(this.0.map_or(f64::INFINITY, |it| it.time)),
    OBSTACLE "obstacle": Index = this.0.map(|it| it.obstacle).into(),
    CLOSEST_A "closest_a": Vector = this.0.map_or(Point::NAN, |it| it.closest[0]).into(),
    CLOSEST_B "closest_b": Vector = this.0.map_or(Point::NAN, |it| it.closest[1]).into(),
});

impl TrajectoryResult for Clearance {
    fn follow(&mut self, step: &Step<'_>) -> ControlFlow<()> {
        if let Some(contact) = step.first_contact() {
            self.0 = Some(contact.into());
            return ControlFlow::Break(());
        }
        step.come_closer(&mut self.0);
        ControlFlow::Continue(())
    }
}
