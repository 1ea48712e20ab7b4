//! By what bodies are found within a step: the boxes that they sweep.

use super::placed_footprint::PlacedFootprint;
use super::trajectories::Trajectories;
use crate::batch::{CancelToken, Stop};
use crate::broad::{BoxIndex, BoxTree};
use crate::geom::Bounds;

/// The boxes of bodies within a step, and a tree over what they sweep.
#[derive(Debug)]
pub(super) struct SweptStep {
    /// The box of each body at the start of the step, with what it sweeps by turning; empty where it is absent.
    boxes: Vec<Bounds>,
    /// A tree over the boxes that they sweep by turning and moving.
    tree: BoxTree,
}

impl SweptStep {
    pub(super) fn new(
        bodies: &Trajectories,
        step: usize,
        control: &CancelToken,
    ) -> Result<Self, Stop> {
        let mut placed = PlacedFootprint::default();
        let (mut boxes, mut swept) = (Vec::new(), Vec::new());
        for row in 0..bodies.len() {
            control.proceed()?;
            let [turned, moved] = Self::boxes(bodies, row, step, &mut placed);
            boxes.push(turned);
            swept.push(moved);
        }
        Ok(Self {
            tree: BoxTree::new(swept.into_iter()),
            boxes,
        })
    }

    /// The box that a body sweeps by turning within a step, and by turning and moving; empty if it is absent.
    pub(super) fn boxes(
        bodies: &Trajectories,
        row: usize,
        step: usize,
        placed: &mut PlacedFootprint,
    ) -> [Bounds; 2] {
        if !bodies.put(placed, row, step) {
            return [Bounds::EMPTY; 2];
        }
        let motion = bodies.poses.motion(row, step);
        let turned = placed.bounds(motion.turn);
        [turned, turned.swept(motion.motion)]
    }

    /// The box of a body, with what it sweeps by turning; empty if it is absent.
    pub(super) fn bounds(&self, row: usize) -> Bounds {
        self.boxes[row]
    }

    /// Finds bodies by the boxes that they sweep.
    pub(super) fn index(&self) -> BoxIndex<'_> {
        BoxIndex::new(&self.boxes, &self.tree, 0)
    }

    pub(super) fn nbytes(&self) -> usize {
        size_of_val(&self.boxes[..]) + self.tree.nbytes()
    }
}
