//! Which moving boxes may meet: the candidates of a join.

use std::ops::ControlFlow;

use super::tree::BoxTree;
use crate::geom::{Bounds, Motion, Point, Vec2};

/// A box and how far it moves within the frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mover {
    pub(crate) bounds: Bounds,
    pub(crate) velocity: Vec2,
}

/// A motion as one sees it who moves too; neither has drifted before.
fn relative(motion: Motion, observer: Vec2) -> Motion {
    let tip = |vector: Vec2| Point::new(vector.x, vector.y);
    match motion.vector() {
        _ if observer == Vec2::ZERO => motion,
        Some(vector) if vector == observer => Motion::NONE,
        Some(vector) => Motion::between(tip(observer), tip(vector)),
        None => motion.with_drift(observer, -1.0),
    }
}

/// Movers in a tree, to be asked which of them another may meet.
#[derive(Debug)]
pub(crate) struct Crowd {
    movers: Vec<Option<Mover>>,
    /// Where each box of the tree stands among the movers.
    rows: Vec<usize>,
    tree: Option<BoxTree>,
    /// What the crowd has in common: trails are shorter to one who moves with it.
    observer: Vec2,
}

impl Crowd {
    /// A crowd of those movers that there are.
    pub(crate) fn new(movers: Vec<Option<Mover>>) -> Self {
        let present = || movers.iter().flatten();
        let rows: Vec<_> = (0..movers.len())
            .filter(|&row| movers[row].is_some())
            .collect();
        let observer = mean(present().map(|mover| mover.velocity));
        let trail = |mover: &Mover| {
            mover
                .bounds
                .swept(relative(mover.velocity.into(), observer))
        };
        let tree = (!rows.is_empty()).then(|| BoxTree::new(present().map(trail).collect()));
        Self {
            movers,
            rows,
            tree,
            observer,
        }
    }

    /// All movers, by row.
    pub(crate) fn movers(&self) -> &[Option<Mover>] {
        &self.movers
    }

    /// The rows of all movers, those near each other close together.
    pub(crate) fn rows(&self) -> Vec<usize> {
        let numbers = self.tree.iter().flat_map(BoxTree::numbers);
        numbers.map(|number| self.rows[number]).collect()
    }

    /// Visits the rows of all that may come within a margin of a box that moves.
    pub(crate) fn near(
        &self,
        bounds: &Bounds,
        motion: Motion,
        margin: f64,
        mut visit: impl FnMut(usize),
    ) {
        let Some(tree) = &self.tree else { return };
        let bounds = if margin > 0.0 {
            bounds.grown(margin)
        } else {
            *bounds
        };
        let trail = bounds.swept(relative(motion, self.observer));
        let meets = |other: &Mover| {
            let motion = relative(motion, other.velocity);
            bounds.meeting_time_below(&other.bounds, motion) < f64::INFINITY
        };
        let _ = tree.search(
            |bounds| trail.meets(bounds),
            |leaf| {
                let row = self.rows[leaf];
                if self.movers[row].as_ref().is_some_and(meets) {
                    visit(row);
                }
                ControlFlow::Continue(())
            },
        );
    }
}

/// The mean of some velocities, or none at all where it can't be had.
fn mean(velocities: impl Iterator<Item = Vec2>) -> Vec2 {
    let (mut x, mut y, mut count) = (0.0, 0.0, 0.0_f64);
    for velocity in velocities {
        (x, y, count) = (x + velocity.x, y + velocity.y, count + 1.0);
    }
    let mean = Vec2::new(x / count, y / count);
    if mean.is_finite() { mean } else { Vec2::ZERO }
}
