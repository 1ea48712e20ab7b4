//! Broad phase: candidate pairs by bounding boxes, never missing a pair that meets.

mod moving_boxes;
mod tree;

pub(crate) use moving_boxes::{MovingBoxes, relative};
pub(crate) use tree::{BoxTree, heap_bytes, meeting_pairs, own_pairs, pairs};
