//! One pair of convex rings, exactly.

pub(super) mod clipping;
pub(super) mod contact_interval;
pub(super) mod distance;
pub(super) mod distance_result;
pub(super) mod intersects;
pub(super) mod minkowski_difference;
pub(super) mod moved_point;
pub(super) mod nearest_features;
pub(super) mod sat;
pub(super) mod sweep_mtv;
pub(super) mod swept_collision;
