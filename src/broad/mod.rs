//! What could have to do with what, judged by boxes: may say maybe, never a wrong no.

mod join;
mod tree;

pub(crate) use join::{BoxIndex, MovingBoxes, relative};
pub(crate) use tree::{BoxTree, own_pairs, pairs};
