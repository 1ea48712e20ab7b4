//! The boxes of consecutive rows, and the tree that finds them.

use std::ops::ControlFlow;

use super::box_tree::BoxTree;
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
    /// An index of `boxes`, which are at the indices from `first` on in the tree.
    pub(crate) fn new(boxes: &'t [Bounds], tree: &'t BoxTree, first: usize) -> Self {
        Self { boxes, tree, first }
    }

    /// The row of a box of the tree, if it is one of these.
    #[inline]
    pub(super) fn row(&self, index: usize) -> Option<usize> {
        let row = index.checked_sub(self.first)?;
        (row < self.boxes.len()).then_some(row)
    }

    /// Visits the rows whose boxes pass the test.
    pub(crate) fn search(
        &self,
        may_matter: impl Fn(&Bounds) -> bool,
        mut visit: impl FnMut(usize),
    ) {
        let _ = self.tree.search(may_matter, |index| {
            if let Some(row) = self.row(index) {
                visit(row);
            }
            ControlFlow::Continue(())
        });
    }

    /// Branch and bound over rows: see [`BoxTree::branch_and_bound`].
    pub(crate) fn branch_and_bound(
        &self,
        bound: impl Fn(&Bounds) -> Option<f64>,
        limit: f64,
        mut visit: impl FnMut(usize) -> f64,
    ) {
        let mut last = limit;
        let _ = self.tree.branch_and_bound(bound, limit, |index| {
            if let Some(row) = self.row(index) {
                last = visit(row);
            }
            ControlFlow::Continue(last)
        });
    }

    /// Branch and bound over rows, of equals the lowest first: see [`BoxTree::lowest_first`]. Where the tree
    /// has other boxes too, `is_late` gets a lower bound of the lowest row.
    pub(crate) fn lowest_first(
        &self,
        bound: impl Fn(&Bounds) -> Option<f64>,
        limit: f64,
        is_late: impl Fn(&Bounds, usize) -> bool,
        mut visit: impl FnMut(usize) -> f64,
    ) {
        let mut last = limit;
        let is_late =
            |bounds: &Bounds, index: usize| is_late(bounds, index.saturating_sub(self.first));
        let _ = self.tree.lowest_first(bound, limit, is_late, |index| {
            if let Some(row) = self.row(index) {
                last = visit(row);
            }
            ControlFlow::Continue(last)
        });
    }

    /// The rows that have a box, neighbours in space close together.
    pub(crate) fn rows(&self) -> impl Iterator<Item = usize> {
        let rows = self.tree.indices().filter_map(|index| self.row(index));
        rows.filter(|&row| !self.boxes[row].is_empty())
    }
}

/// The number of a row, as pairs hold it.
pub(crate) fn row_number(row: usize) -> u32 {
    u32::try_from(row).expect("fewer than 2^32 rows")
}
