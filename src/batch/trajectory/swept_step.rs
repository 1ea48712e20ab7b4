//! By what bodies are found within a step: the boxes that they sweep.

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
    /// The index of bodies by their boxes: of what each sweeps by turning, and by turning and moving.
    pub(super) fn new(boxes: impl ExactSizeIterator<Item = [Bounds; 2]>) -> Self {
        let (boxes, swept): (Vec<_>, Vec<_>) = boxes.map(|[turned, moved]| (turned, moved)).unzip();
        Self {
            tree: BoxTree::new(swept.into_iter()),
            boxes,
        }
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
