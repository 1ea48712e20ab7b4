//! Moving boxes that may meet: the candidate pairs of a join.

use std::ops::ControlFlow;

use super::box_index::BoxIndex;
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

/// How rows move, and a tree over the boxes that their motion sweeps.
#[derive(Debug)]
pub(crate) struct RowMotions {
    velocities: Option<Vec<Vec2>>,
    /// The swept boxes, if the rows move differently.
    swept: Option<BoxTree>,
    /// The velocity of all rows, or the mean: relative to it the swept boxes are smaller.
    observer: Vec2,
}

impl RowMotions {
    /// Of rows with these boxes, and their velocities, if they move.
    pub(crate) fn new(boxes: &[Bounds], velocities: Option<Vec<Vec2>>) -> Self {
        let (mut observer, mut swept) = (Vec2::ZERO, None);
        if let Some(all) = &velocities {
            if all.windows(2).all(|two| two[0] == two[1]) {
                observer = all.first().copied().unwrap_or(Vec2::ZERO);
            } else {
                observer = mean(all);
                let sweep = |(bounds, &velocity): (&Bounds, &Vec2)| {
                    if bounds.is_empty() {
                        *bounds
                    } else {
                        bounds.swept(relative(velocity.into(), observer))
                    }
                };
                swept = Some(BoxTree::new(boxes.iter().zip(all).map(sweep)));
            }
        }
        Self {
            velocities,
            swept,
            observer,
        }
    }
}

/// Rows with moving boxes, in a tree over the boxes swept by their motion.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MovingBoxes<'t> {
    pub(crate) index: BoxIndex<'t>,
    pub(crate) motions: &'t RowMotions,
}

impl MovingBoxes<'_> {
    /// The rows that have a box, neighbours in space close together.
    pub(crate) fn rows(&self) -> Vec<u32> {
        let number = |row| u32::try_from(row).expect("fewer than 2^32 rows");
        self.index.rows().map(number).collect()
    }

    /// The box of a row and its motion.
    pub(crate) fn mover(&self, row: usize) -> (Bounds, Motion) {
        (self.index.boxes[row], self.velocity(row).into())
    }

    fn velocity(&self, row: usize) -> Vec2 {
        self.motions
            .velocities
            .as_ref()
            .map_or(Vec2::ZERO, |all| all[row])
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
        let swept = bounds.swept(relative(motion, self.motions.observer));
        let is_near = |other: &Bounds| swept.meets(other);
        let visit = |row: usize| {
            let motion = relative(motion, self.velocity(row));
            if bounds.meeting_time_below(&self.index.boxes[row], motion) < f64::INFINITY {
                visit(row);
            }
            ControlFlow::Continue(())
        };
        let _ = match &self.motions.swept {
            Some(tree) => tree.search(is_near, visit),
            None => self.index.search(is_near, visit),
        };
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
