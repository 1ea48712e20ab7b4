//! Lanes, the instruction set in use, and how a tile is loaded. No geometry.

pub mod instructions;
pub mod lanes;
pub mod load;
