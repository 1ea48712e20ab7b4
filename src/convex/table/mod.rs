//! Support table of two convex rings, and how it is filled and read.

pub(crate) mod axis;
pub(super) mod facing_edge;
pub(super) mod lane_corners;
pub(super) mod load_vertices;
pub(super) mod precise_overlaps;
pub(super) mod support_table;
