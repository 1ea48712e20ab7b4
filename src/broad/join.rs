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

impl Mover {
    /// A box with all in it that the mover passes, seen by one who moves along.
    fn trail(&self, observer: Vec2) -> Bounds {
        self.bounds.swept(relative(self.velocity, observer))
    }

    /// Whether it may come within a margin of another at some time.
    fn may_meet(&self, other: &Self, margin: f64) -> bool {
        let time = self
            .bounds
            .grown(margin)
            .meeting_time_below(&other.bounds, relative(self.velocity, other.velocity));
        time < f64::INFINITY
    }
}

/// The first velocity as one sees it who moves with the second.
fn relative(first: Vec2, second: Vec2) -> Motion {
    if first == second {
        return Motion::NONE;
    }
    let tip = |vector: Vec2| Point::new(vector.x, vector.y);
    Motion::between(tip(second), tip(first))
}

/// Movers in a tree, to be asked which of them another may meet.
#[derive(Debug)]
pub(crate) struct Crowd<'m> {
    movers: &'m [Option<Mover>],
    /// Where each box of the tree stands among the movers.
    rows: Vec<usize>,
    tree: Option<BoxTree>,
    /// What the crowd has in common: trails are shorter to one who moves with it.
    observer: Vec2,
}

impl<'m> Crowd<'m> {
    /// A crowd of those movers that there are.
    pub(crate) fn new(movers: &'m [Option<Mover>]) -> Self {
        let present = || movers.iter().flatten();
        let rows = (0..movers.len()).filter(|&row| movers[row].is_some());
        let observer = mean(present().map(|mover| mover.velocity));
        let trails = present().map(|mover| mover.trail(observer));
        Self {
            movers,
            rows: rows.collect(),
            tree: movers
                .iter()
                .any(Option::is_some)
                .then(|| BoxTree::new(trails.collect())),
            observer,
        }
    }

    /// Visits the rows of all that a mover may come within a margin of.
    pub(crate) fn near(&self, mover: &Mover, margin: f64, mut visit: impl FnMut(usize)) {
        let Some(tree) = &self.tree else { return };
        let trail = mover.trail(self.observer).grown(margin);
        let _ = tree.search(
            |bounds| trail.meets(bounds),
            |leaf| {
                let row = self.rows[leaf];
                let other = self.movers[row].as_ref();
                if other.is_some_and(|other| mover.may_meet(other, margin)) {
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
