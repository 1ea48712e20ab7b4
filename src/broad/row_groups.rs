//! Rows that meet only rows of the same group, and a tree over the boxes of each group.

use super::box_index::row_number;
use super::box_tree::BoxTree;
use crate::geom::Bounds;

/// The group of a row that meets none.
pub(crate) const NO_GROUP: u32 = u32::MAX;

/// The boxes of rows, by group.
#[derive(Debug)]
pub(crate) struct RowGroups {
    trees: Vec<BoxTree>,
    /// The rows of each group, one group after the other.
    rows: Vec<u32>,
    /// Where those of each group start, and the number of all.
    starts: Vec<usize>,
}

impl RowGroups {
    /// The groups of rows with these boxes, of which `groups` has the numbers.
    pub(super) fn new(boxes: &[Bounds], groups: &[u32]) -> Self {
        let group = |row: u32| groups[row as usize];
        let mut rows: Vec<u32> = (0..groups.len()).map(row_number).collect();
        rows.retain(|&row| group(row) != NO_GROUP);
        rows.sort_by_key(|&row| group(row));
        let mut starts = vec![0];
        for (place, &row) in rows.iter().enumerate() {
            // Groups without a row start where the next one does.
            starts.resize(group(row) as usize + 1, place);
        }
        starts.push(rows.len());
        let of_group = |ends: &[usize]| {
            let rows = rows[ends[0]..ends[1]].iter();
            BoxTree::new(rows.map(|&row| boxes[row as usize]))
        };
        let trees = starts.windows(2).map(of_group).collect();
        Self {
            trees,
            rows,
            starts,
        }
    }

    /// The tree of a group, and the row of each of its boxes.
    pub(super) fn of(&self, group: u32) -> Option<(&BoxTree, &[u32])> {
        let group = group as usize;
        let tree = self.trees.get(group)?;
        Some((tree, &self.rows[self.starts[group]..self.starts[group + 1]]))
    }
}
