//! Eight rows at a time.

pub(super) mod tile_driver;
pub(super) mod tile_operands;
pub(super) mod tile_output;
pub(super) mod tile_query;
pub(super) mod tile_rows;
pub(super) mod turning_sweep_tiles;
