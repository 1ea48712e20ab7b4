//! Number types over which predicates are evaluated, their vectors, and signs.

pub(super) mod adaptive;
pub mod ball;
pub(super) mod big_ball;
pub mod bounded;
pub mod compensated_differences;
pub mod double_double;
pub(super) mod error_free;
pub mod exact;
pub(super) mod number_vector;
pub mod polynomial;
pub(super) mod rough_points_and_lines;
pub(super) mod sign;
pub mod ten_digits;
pub mod unrounded_grid;
pub mod verdict;
