//! Large convex rings, by steps over their vertices.

pub(super) mod epa;
pub(super) mod extreme_vertices;
pub(super) mod gjk;
pub(super) mod gjk_sweep;
pub(super) mod point_in_sampled_ring;
