//! Moving boxes that may meet: the candidate pairs of a join.

use std::ops::ControlFlow;

use super::tree::BoxTree;
use crate::geom::{Bounds, Motion, Point, Vec2};

/// `motion - observer`, where `motion` has no drift.
pub(crate) fn relative(motion: Motion, observer: Vec2) -> Motion {
    let tip = |vector: Vec2| Point::new(vector.x, vector.y);
    match motion.vector() {
        _ if observer == Vec2::ZERO => motion,
        Some(vector) if vector == observer => Motion::NONE,
        Some(vector) => Motion::between(tip(observer), tip(vector)),
        None => motion.with_drift(observer, -1.0),
    }
}

/// Rows with moving boxes, in a tree over the boxes swept by their motion.
#[derive(Debug)]
pub(crate) struct MovingBoxes {
    boxes: Vec<Bounds>,
    velocities: Option<Vec<Vec2>>,
    swept: BoxTree,
    /// The mean velocity: relative to it the swept boxes are smaller.
    observer: Vec2,
}

impl MovingBoxes {
    /// Boxes, empty for missing rows, and their velocities, if they move.
    pub(crate) fn new(boxes: Vec<Bounds>, velocities: Option<Vec<Vec2>>) -> Self {
        let observer = velocities.as_deref().map_or(Vec2::ZERO, mean);
        let sweep = |row: usize| match &velocities {
            Some(velocities) if !boxes[row].is_empty() => {
                boxes[row].swept(relative(velocities[row].into(), observer))
            }
            _ => boxes[row],
        };
        let swept = BoxTree::new((0..boxes.len()).map(sweep));
        Self {
            boxes,
            velocities,
            swept,
            observer,
        }
    }

    /// The rows that have a box, neighbours in space close together.
    pub(crate) fn rows(&self) -> Vec<u32> {
        let has_box = |row: &usize| !self.boxes[*row].is_empty();
        let rows = self.swept.indices().filter(has_box);
        rows.map(|row| u32::try_from(row).expect("fewer than 2^32 rows"))
            .collect()
    }

    /// The box of a row and its motion.
    pub(crate) fn mover(&self, row: usize) -> (Bounds, Motion) {
        (self.boxes[row], self.velocity(row).into())
    }

    fn velocity(&self, row: usize) -> Vec2 {
        self.velocities.as_ref().map_or(Vec2::ZERO, |all| all[row])
    }

    /// Visits the rows whose boxes may come within a margin of a moving box.
    pub(crate) fn near(
        &self,
        (bounds, motion): (Bounds, Motion),
        margin: f64,
        mut visit: impl FnMut(usize),
    ) {
        let bounds = if margin > 0.0 {
            bounds.grown(margin)
        } else {
            bounds
        };
        let swept = bounds.swept(relative(motion, self.observer));
        let _ = self.swept.search(
            |other| swept.meets(other),
            |row| {
                let motion = relative(motion, self.velocity(row));
                if bounds.meeting_time_below(&self.boxes[row], motion) < f64::INFINITY {
                    visit(row);
                }
                ControlFlow::Continue(())
            },
        );
    }
}

/// The mean velocity, or zero where it overflows.
fn mean(velocities: &[Vec2]) -> Vec2 {
    let sum = |(x, y): (f64, f64), velocity: &Vec2| (x + velocity.x, y + velocity.y);
    let (x, y) = velocities.iter().fold((0.0, 0.0), sum);
    let count = velocities.len() as f64;
    let mean = Vec2::new(x / count, y / count);
    if mean.is_finite() { mean } else { Vec2::ZERO }
}
