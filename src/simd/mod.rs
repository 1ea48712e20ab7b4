//! Numbers side by side: lanes, the instruction set in use, and rows of a tile in memory. No geometry.

pub mod instructions;
pub mod lanes;
pub mod tile;
