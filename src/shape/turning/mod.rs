//! Queries about shapes that turn while one of them moves.

mod bernstein;
mod relative_vertex_motion;
mod shapes_at;
pub(super) mod turning_approach;
mod turning_approach_search;
mod turning_contact_points;
mod turning_feature_distance;
mod turning_origin;
mod turning_scene;
pub(super) mod turning_sweep;
mod turning_swept_boxes;
