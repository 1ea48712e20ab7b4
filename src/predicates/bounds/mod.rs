//! Bounds on rounding errors, what rounded products prove with them, and boxes that are rounded outwards.

pub mod box_distance_bounds;
mod box_meeting_times;
pub mod conservative_boxes;
pub mod error_bounds;
pub mod point_edge_filter;
pub(super) mod ray_slabs;
pub mod square_errors;
pub mod swept_circle_filter;
pub mod within_distance_filter;
