//! Which moving boxes may meet: the candidates of a join.

use std::ops::ControlFlow;

use super::tree::BoxTree;
use crate::geom::{Bounds, Motion, Point, Vec2};

/// A motion as one sees it who moves too; neither has drifted before.
pub(crate) fn relative(motion: Motion, observer: Vec2) -> Motion {
    let tip = |vector: Vec2| Point::new(vector.x, vector.y);
    match motion.vector() {
        _ if observer == Vec2::ZERO => motion,
        Some(vector) if vector == observer => Motion::NONE,
        Some(vector) => Motion::between(tip(observer), tip(vector)),
        None => motion.with_drift(observer, -1.0),
    }
}

/// Boxes of rows in a tree, to be asked which of them another meets.
#[derive(Debug)]
pub(crate) struct BoxIndex {
    /// The row of each box of the tree; nothing if it is the box's number.
    rows: Vec<u32>,
    tree: Option<BoxTree>,
}

impl BoxIndex {
    /// Boxes of so many rows, empty for those that are missing.
    pub(crate) fn new(count: usize, bounds: impl Fn(usize) -> Bounds) -> Self {
        let number = |row| u32::try_from(row).expect("fewer than 2^32 rows");
        let is_there = |row: &usize| !bounds(*row).is_empty();
        let there = (0..count).filter(is_there).count();
        let mut rows = Vec::new();
        if there < count {
            rows.reserve_exact(there);
            rows.extend((0..count).filter(is_there).map(number));
        }
        let mut boxes = Self { rows, tree: None };
        if there > 0 {
            let leaves = (0..there).map(|number| bounds(boxes.row(number)));
            boxes.tree = Some(BoxTree::new(leaves));
        }
        boxes
    }

    fn row(&self, number: usize) -> usize {
        self.rows.get(number).map_or(number, |&row| row as usize)
    }

    /// The rows that have a box, those near each other close together.
    pub(crate) fn rows(&self) -> Vec<u32> {
        let numbers = self.tree.iter().flat_map(BoxTree::numbers);
        let rows = numbers.map(|number| u32::try_from(self.row(number)).unwrap_or(u32::MAX));
        rows.collect()
    }

    /// Visits the rows whose boxes meet another.
    pub(crate) fn near(&self, bounds: &Bounds, mut visit: impl FnMut(usize)) {
        let Some(tree) = &self.tree else { return };
        let _ = tree.search(
            |other| bounds.meets(other),
            |number| {
                visit(self.row(number));
                ControlFlow::Continue(())
            },
        );
    }
}

/// Rows whose boxes move, to be asked which of them another may meet.
#[derive(Debug)]
pub(crate) struct MovingBoxes {
    boxes: Vec<Bounds>,
    velocities: Option<Vec<Vec2>>,
    trails: BoxIndex,
    /// What the crowd has in common: trails are shorter to one who moves with it.
    observer: Vec2,
}

impl MovingBoxes {
    /// A crowd of boxes, empty for rows that are missing, and their velocities, if they move.
    pub(crate) fn new(boxes: Vec<Bounds>, velocities: Option<Vec<Vec2>>) -> Self {
        let observer = velocities.as_deref().map_or(Vec2::ZERO, mean);
        let trails = BoxIndex::new(boxes.len(), |row| match &velocities {
            Some(velocities) if !boxes[row].is_empty() => {
                boxes[row].swept(relative(velocities[row].into(), observer))
            }
            _ => boxes[row],
        });
        Self {
            boxes,
            velocities,
            trails,
            observer,
        }
    }

    /// The rows that there are, those near each other close together.
    pub(crate) fn rows(&self) -> Vec<u32> {
        self.trails.rows()
    }

    /// The box of a row, and how it moves.
    pub(crate) fn mover(&self, row: usize) -> (Bounds, Motion) {
        (self.boxes[row], self.velocity(row).into())
    }

    fn velocity(&self, row: usize) -> Vec2 {
        self.velocities.as_ref().map_or(Vec2::ZERO, |all| all[row])
    }

    /// Visits the rows of all that may come within a margin of a box that moves.
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
        let trail = bounds.swept(relative(motion, self.observer));
        self.trails.near(&trail, |row| {
            let motion = relative(motion, self.velocity(row));
            if bounds.meeting_time_below(&self.boxes[row], motion) < f64::INFINITY {
                visit(row);
            }
        });
    }
}

/// The mean of some velocities, or none at all where it can't be had.
fn mean(velocities: &[Vec2]) -> Vec2 {
    let sum = |(x, y): (f64, f64), velocity: &Vec2| (x + velocity.x, y + velocity.y);
    let (x, y) = velocities.iter().fold((0.0, 0.0), sum);
    let count = velocities.len() as f64;
    let mean = Vec2::new(x / count, y / count);
    if mean.is_finite() { mean } else { Vec2::ZERO }
}
