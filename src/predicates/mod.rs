//! Exact geometric predicates: the only place where signs are decided.
//!
//! Each predicate is the sign of a polynomial in the input's coordinates, written once (see
//! [`numbers::polynomial::Polynomial`]). It is first evaluated in floats with an error bound
//! ([`numbers::bounded`]), and where the bound doesn't decide, with exact numbers ([`numbers::exact`]). The
//! numbers in results are values of the same polynomials, so that they lose no digits to cancellation.

pub mod bounds;
pub mod numbers;
pub mod signs;
pub mod turning;

pub use bounds::ray_slabs::RaySlabs;
pub(crate) use numbers::adaptive::{TO_TEN_DIGITS, TO_THE_LAST_PLACE, TO_TWELVE_DIGITS};
pub use numbers::big_ball::BigBall;
pub(crate) use numbers::error_free::two_product;
pub use numbers::rough_points_and_lines::{Rough, RoughLine, RoughPoint};
pub use numbers::sign::Sign;
pub(crate) use signs::area_moments::rounded_moments;
pub use signs::area_moments::{Moment, TwiceArea, rounded_moments_of_ring};
pub use signs::area_of_pieces::{EdgePieces, PointOnEdge, area_of_pieces};
pub(crate) use signs::compensated_moments::compensated_moments;
pub use signs::compensated_moments::moments_of_ring;
pub use signs::crossing_time::{CoordinateAtCrossing, Crossing, GapAtTime, TimeDifference};
pub(crate) use signs::frame_times::{BEFORE_END, strictly_within};
pub use signs::frame_times::{FrameInterval, FrameTime};
pub(crate) use signs::length_comparison::{
    Least, length, length_difference, rounded_radius_sum, shortest,
};
pub use signs::length_comparison::{
    Length, Measured, SquareDifference, SquaredLength, compare_lengths,
};
pub use signs::orientation::{Cross, Dot, cross, dot, is_within_angle, side, turn};
pub(crate) use signs::orientation::{cross_value, dot_value, have_same_direction};
pub use signs::ring_area_filter::{AreaSum, twice_areas_of_ring};
pub(crate) use signs::ring_area_filter::{
    MOST_IN_A_PLAIN_SUM, compensated_twice_area, plain_twice_area,
};
pub use signs::swept_circle::FootSquares;
pub(crate) use signs::swept_circle::{DistanceTimes, half_chord, precise_arrival};
pub use turning::lane_rotation::LaneRotation;
pub use turning::relative_pose::{RelativePose, Rotation};
pub use turning::turned_points::{BallRotation, at, direction, moved, rotation};
pub use turning::turning_clearance_error::ClearanceError;
pub(crate) use turning::turning_clearance_error::inverse_length;
pub use turning::turning_double_roots::Waves;
pub use turning::turning_vertex_and_edge::{GapFeature, TurningContact, TurningGap};
