//! Queries about shapes of which one moves without a turn.

mod circle_arrival;
mod circle_arrival_filter;
pub(super) mod closest_approach;
pub(super) mod contact_intervals;
mod convex_entry;
pub(super) mod ray_cast;
mod rounded_intervals;
pub(super) mod rounded_sweep;
mod sharp_intervals;
mod sharp_sweep;
pub(super) mod straight_approach;
pub(super) mod sweep_result;
pub(super) mod swept_circle;
pub(super) mod swept_collision;
pub(super) mod time_intervals;
