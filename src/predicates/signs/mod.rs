//! Signs of the questions that queries ask, and values that are exact to the last places: orientations,
//! lengths, times, areas.

pub(super) mod area_moments;
pub(super) mod area_of_pieces;
pub(super) mod compensated_moments;
pub(super) mod crossing_time;
pub mod depth_comparison;
pub(super) mod frame_times;
pub(super) mod length_comparison;
pub(super) mod orientation;
pub mod orientation_filter;
pub mod precise_squares;
pub(super) mod ring_area_filter;
pub(super) mod swept_circle;
pub mod time_order_filter;
