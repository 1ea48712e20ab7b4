//! Broad phase: candidate pairs by bounding boxes, never missing a pair that meets.

mod box_index;
mod box_tree;
mod moving_boxes;
mod packing;
mod row_groups;

pub(crate) use box_index::{BoxIndex, row_number};
pub(crate) use box_tree::{BoxTree, heap_bytes, meeting_pairs, own_pairs, pairs};
pub(crate) use moving_boxes::{MovingBoxes, RowMotions, relative};
pub(crate) use row_groups::NO_GROUP;
