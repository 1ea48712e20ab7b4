//! Broad phase: candidate pairs by bounding boxes, never missing a pair that meets.

mod box_index;
mod moving_boxes;
mod tree;

pub(crate) use box_index::BoxIndex;
pub(crate) use moving_boxes::{MovingBoxes, RowMotions, relative, row_number};
pub(crate) use tree::{BoxTree, heap_bytes, meeting_pairs, own_pairs, pairs};
