//! Arguments: what is accepted, how they are named in messages, and what is raised.

pub(super) mod affine_arguments;
pub(super) mod batch_operand;
pub(super) mod broadcasting;
pub(super) mod errors;
pub(super) mod expected_argument;
pub(super) mod float64_arrays;
pub(super) mod input_error;
pub(super) mod keywords;
pub(super) mod nested_sequences;
pub(super) mod numpy_arrays;
pub(super) mod pairs_argument;
pub(super) mod rings_taken_for_rows;
pub(super) mod row_numbers;
pub(super) mod trajectories_argument;
pub(super) mod trajectory_arguments;
pub(super) mod turn_arguments;
pub(super) mod vector_arguments;
pub(super) mod velocity_arguments;
