//! Broad phase: candidate pairs by bounding boxes, never missing a pair that meets.

mod box_index;
mod box_tree;
mod moving_boxes;
mod packing;

pub(crate) use box_index::BoxIndex;
pub(crate) use box_tree::{BoxTree, heap_bytes, meeting_pairs, own_pairs, pairs};
pub(crate) use moving_boxes::{MovingBoxes, RowMotions, relative, row_number};
