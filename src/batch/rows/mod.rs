//! Which rows take part in each row of an answer.

pub mod interval_rows;
pub mod operand_rows;
pub(super) mod polygon_operand;
pub mod query_operands;
pub(super) mod row_map;
pub mod turn_rows;
pub mod velocity_rows;
