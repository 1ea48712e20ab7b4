//! Which instructions the kernels use: those that [`crate::predicates`] uses too, so that one pair
//! and eight of them are looked at alike.

pub(crate) use crate::predicates::instructions::with_instructions;
pub use crate::predicates::instructions::{NAMES, VARIABLE, level, name};
