//! The boxes of consecutive rows, and the tree that finds them.

use std::ops::ControlFlow;

use super::tree::BoxTree;
use crate::geom::Bounds;

/// The boxes of some rows, empty for missing ones, and a tree over these boxes and perhaps others.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BoxIndex<'t> {
    pub(crate) boxes: &'t [Bounds],
    pub(super) tree: &'t BoxTree,
    /// The index in the tree of the first box.
    first: usize,
}

impl<'t> BoxIndex<'t> {
    /// Boxes that a tree holds from `first` on.
    pub(crate) fn new(boxes: &'t [Bounds], tree: &'t BoxTree, first: usize) -> Self {
        Self { boxes, tree, first }
    }

    /// The row of a box of the tree, if it is one of these.
    #[inline]
    pub(super) fn row(&self, index: usize) -> Option<usize> {
        let row = index.checked_sub(self.first)?;
        (row < self.boxes.len()).then_some(row)
    }

    /// Visits the rows whose boxes pass the test, until the visitor breaks.
    pub(crate) fn search(
        &self,
        may_matter: impl Fn(&Bounds) -> bool,
        mut visit: impl FnMut(usize) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.tree.search(may_matter, |index| match self.row(index) {
            Some(row) => visit(row),
            None => ControlFlow::Continue(()),
        })
    }

    /// The rows that have a box, neighbours in space close together.
    pub(crate) fn rows(&self) -> impl Iterator<Item = usize> {
        let rows = self.tree.indices().filter_map(|index| self.row(index));
        rows.filter(|&row| !self.boxes[row].is_empty())
    }
}
