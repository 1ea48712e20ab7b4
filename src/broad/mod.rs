//! Broad phase: candidate pairs by bounding boxes, never missing a pair that meets.

mod join;
mod tree;

pub(crate) use join::{BoxIndex, MovingBoxes, relative};
pub(crate) use tree::{BoxTree, heap_bytes, meeting_pairs, own_pairs, pairs};
