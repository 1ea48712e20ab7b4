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

/// A tree over the boxes of rows.
#[derive(Debug)]
pub(crate) struct BoxIndex {
    /// The row of each box of the tree; empty if all rows have a box.
    rows: Vec<u32>,
    tree: Option<BoxTree>,
}

impl BoxIndex {
    /// The boxes of `count` rows, empty for missing rows.
    pub(crate) fn new(count: usize, bounds: impl Fn(usize) -> Bounds) -> Self {
        let has_box = |row: &u32| !bounds(*row as usize).is_empty();
        let all = 0..u32::try_from(count).expect("fewer than 2^32 rows");
        let found = all.clone().filter(has_box).count();
        let mut rows = Vec::new();
        if found < count {
            rows.reserve_exact(found);
            rows.extend(all.filter(has_box));
        }
        let mut boxes = Self { rows, tree: None };
        if found > 0 {
            let leaves = (0..found).map(|index| bounds(boxes.row(index)));
            boxes.tree = Some(BoxTree::new(leaves));
        }
        boxes
    }

    fn row(&self, index: usize) -> usize {
        self.rows.get(index).map_or(index, |&row| row as usize)
    }

    /// The rows that have a box, neighbours in space close together.
    pub(crate) fn rows(&self) -> Vec<u32> {
        let indices = self.tree.iter().flat_map(BoxTree::indices);
        let rows = indices.map(|index| u32::try_from(self.row(index)).unwrap_or(u32::MAX));
        rows.collect()
    }

    /// Visits the rows whose boxes meet `bounds`.
    pub(crate) fn near(&self, bounds: &Bounds, mut visit: impl FnMut(usize)) {
        let Some(tree) = &self.tree else { return };
        let _ = tree.search(
            |other| bounds.meets(other),
            |index| {
                visit(self.row(index));
                ControlFlow::Continue(())
            },
        );
    }
}

/// Rows with moving boxes, in a tree over the boxes swept by their motion.
#[derive(Debug)]
pub(crate) struct MovingBoxes {
    boxes: Vec<Bounds>,
    velocities: Option<Vec<Vec2>>,
    swept: BoxIndex,
    /// The mean velocity: relative to it the swept boxes are smaller.
    observer: Vec2,
}

impl MovingBoxes {
    /// Boxes, empty for missing rows, and their velocities, if they move.
    pub(crate) fn new(boxes: Vec<Bounds>, velocities: Option<Vec<Vec2>>) -> Self {
        let observer = velocities.as_deref().map_or(Vec2::ZERO, mean);
        let swept = BoxIndex::new(boxes.len(), |row| match &velocities {
            Some(velocities) if !boxes[row].is_empty() => {
                boxes[row].swept(relative(velocities[row].into(), observer))
            }
            _ => boxes[row],
        });
        Self {
            boxes,
            velocities,
            swept,
            observer,
        }
    }

    /// The rows that have a box, neighbours in space close together.
    pub(crate) fn rows(&self) -> Vec<u32> {
        self.swept.rows()
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
        self.swept.near(&swept, |row| {
            let motion = relative(motion, self.velocity(row));
            if bounds.meeting_time_below(&self.boxes[row], motion) < f64::INFINITY {
                visit(row);
            }
        });
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
