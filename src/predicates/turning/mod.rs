//! Vertices and edges of shapes that turn.

pub(super) mod lane_rotation;
pub(super) mod relative_pose;
pub(super) mod turned_points;
pub mod turning_clearance_error;
mod turning_distance;
pub(super) mod turning_double_roots;
mod turning_search;
pub(super) mod turning_vertex_and_edge;
