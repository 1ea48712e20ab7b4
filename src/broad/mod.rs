//! What could have to do with what, judged by boxes: may say maybe, never a wrong no.

mod tree;

pub(crate) use tree::{BoxTree, own_pairs, pairs};
