//! Exact geometric predicates: the only place where signs are decided.
//!
//! Each predicate is the sign of a polynomial in the input's coordinates, written once (see
//! [`polynomial::Polynomial`]). It is first evaluated in floats with an error bound ([`bounded`]), and where the
//! bound doesn't decide, with exact numbers ([`exact`]). The numbers in results are values of the same
//! polynomials, so that they lose no digits to cancellation.

mod adaptive;
mod area_moments;
mod area_of_pieces;
pub mod ball;
mod big_ball;
pub mod bounded;
pub mod box_distance_bounds;
mod box_meeting_times;
pub mod compensated_differences;
mod compensated_moments;
pub mod conservative_boxes;
mod crossing_time;
pub mod depth_comparison;
pub mod double_double;
pub mod error_bounds;
mod error_free;
pub mod exact;
mod frame_times;
mod lane_rotation;
mod length_comparison;
mod number_vector;
mod orientation;
pub mod orientation_filter;
pub mod point_edge_filter;
pub mod polynomial;
pub mod precise_squares;
mod ray_slabs;
mod relative_pose;
mod ring_area_filter;
mod rough_points_and_lines;
mod sign;
pub mod square_errors;
mod swept_circle;
pub mod swept_circle_filter;
pub mod ten_digits;
pub mod time_order_filter;
mod turned_points;
pub mod turning_clearance_error;
mod turning_distance;
mod turning_double_roots;
mod turning_search;
mod turning_vertex_and_edge;
pub mod unrounded_grid;
pub mod verdict;
pub mod within_distance_filter;

pub(crate) use adaptive::{TO_TEN_DIGITS, TO_THE_LAST_PLACE, TO_TWELVE_DIGITS};
pub(crate) use area_moments::rounded_moments;
pub use area_moments::{Moment, TwiceArea, rounded_moments_of_ring};
pub use area_of_pieces::{EdgePieces, PointOnEdge, area_of_pieces};
pub use big_ball::BigBall;
pub(crate) use compensated_moments::compensated_moments;
pub use compensated_moments::moments_of_ring;
pub use crossing_time::{CoordinateAtCrossing, Crossing, GapAtTime, TimeDifference};
pub(crate) use error_free::two_product;
pub use frame_times::{FrameInterval, FrameTime};
pub use lane_rotation::LaneRotation;
pub(crate) use length_comparison::{
    Least, length, length_difference, rounded_radius_sum, shortest,
};
pub use length_comparison::{Length, Measured, SquareDifference, SquaredLength, compare_lengths};
pub use orientation::{Cross, Dot, cross, dot, is_within_angle, side, turn};
pub(crate) use orientation::{cross_value, dot_value, have_same_direction};
pub use ray_slabs::RaySlabs;
pub use relative_pose::{RelativePose, Rotation};
pub use ring_area_filter::{AreaSum, twice_areas_of_ring};
pub(crate) use ring_area_filter::{MOST_IN_A_PLAIN_SUM, compensated_twice_area, plain_twice_area};
pub use rough_points_and_lines::{Rough, RoughLine, RoughPoint};
pub use sign::Sign;
pub use swept_circle::FootSquares;
pub(crate) use swept_circle::{DistanceTimes, half_chord, precise_arrival};
pub use turned_points::{direction, placed, rotation};
pub use turning_clearance_error::ClearanceError;
pub(crate) use turning_clearance_error::inverse_length;
pub use turning_double_roots::Waves;
pub use turning_vertex_and_edge::{GapFeature, TurningContact, TurningGap};
