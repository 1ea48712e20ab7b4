//! The boxes that bodies sweep within a step, and a tree that finds them.

use crate::broad::{BoxIndex, BoxTree, row_number};
use crate::geom::Bounds;

/// The boxes of the bodies that are there within a step, and a tree over what they sweep.
#[derive(Debug)]
pub(super) struct SweptStep {
    /// Which bodies are there, in ascending order; all if it is empty.
    rows: Vec<u32>,
    /// The box of each at the start of the step, with what it sweeps by turning.
    boxes: Vec<Bounds>,
    /// A tree over the boxes that they sweep by turning and moving.
    tree: BoxTree,
}

impl SweptStep {
    /// The index of bodies by their boxes: of what each sweeps by turning, and by turning and moving; empty where a body is
    /// absent.
    pub(super) fn new(boxes: impl Iterator<Item = [Bounds; 2]>) -> Self {
        let (mut rows, mut turned, mut swept, mut count) = (Vec::new(), Vec::new(), Vec::new(), 0);
        for [own, moved] in boxes {
            if !own.is_empty() {
                rows.push(row_number(count));
                turned.push(own);
                swept.push(moved);
            }
            count += 1;
        }
        if rows.len() == count {
            rows = Vec::new();
        }
        rows.shrink_to_fit();
        turned.shrink_to_fit();
        Self {
            rows,
            tree: BoxTree::new(swept.into_iter()),
            boxes: turned,
        }
    }

    /// The body at a position.
    fn row(&self, position: usize) -> usize {
        self.rows
            .get(position)
            .map_or(position, |&row| row as usize)
    }

    /// The box of a body, with what it sweeps by turning; empty if it is absent.
    pub(super) fn bounds(&self, row: usize) -> Bounds {
        let position = if self.rows.is_empty() {
            Some(row)
        } else {
            self.rows.binary_search(&row_number(row)).ok()
        };
        position
            .and_then(|position| self.boxes.get(position))
            .copied()
            .unwrap_or(Bounds::EMPTY)
    }

    /// Visits the bodies whose boxes pass the test.
    pub(super) fn search(
        &self,
        may_matter: impl Fn(&Bounds) -> bool,
        mut visit: impl FnMut(usize),
    ) {
        self.index()
            .search(may_matter, |position| visit(self.row(position)));
    }

    /// Branch and bound over bodies: see [`BoxIndex::branch_and_bound`].
    pub(super) fn branch_and_bound(
        &self,
        bound: impl Fn(&Bounds) -> Option<f64>,
        limit: f64,
        mut visit: impl FnMut(usize) -> f64,
    ) {
        self.index()
            .branch_and_bound(bound, limit, |position| visit(self.row(position)));
    }

    /// The bodies that are there, neighbours in space close together.
    pub(super) fn neighbours(&self) -> impl Iterator<Item = usize> {
        self.tree.indices().map(|position| self.row(position))
    }

    fn index(&self) -> BoxIndex<'_> {
        BoxIndex::new(&self.boxes, &self.tree, 0)
    }

    pub(super) fn nbytes(&self) -> usize {
        size_of_val(&self.rows[..]) + size_of_val(&self.boxes[..]) + self.tree.nbytes()
    }
}
