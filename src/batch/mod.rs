//! Many queries at once, with the same answers as one at a time, bit for bit.
//!
//! Lowest first; a file uses only those above it:
//! - `memory`, [`invalid_row`], [`stop`], [`thread_pool`]: memory, invalid operands, early stops, threads;
//! - [`result_fields`]: the fields of results; [`query_result`], `swept_collision_with_mtv` and [`lazy_result`]:
//!   results; [`output`]: the columns they go to;
//! - `tile_rows`, `tile_output`: eight rows and their columns;
//! - [`mod@column`], `row_map`, `polygon_operand`, [`operand_rows`], [`turn_rows`] and [`velocity_rows`]: the
//!   operands, as memory with a map from rows of the answer;
//! - `tile_operands`, `tile_query`, `tile_driver`: eight rows at a time; `turning_sweep_tiles`: rows of
//!   shapes that turn and never meet;
//! - [`query`]: one row at a time; [`query_operands`] and [`query_batch`], [`shape_queries`], [`moving_queries`],
//!   [`circle_queries`], [`pair_batch`]: the queries;
//! - [`run()`]: all rows, in chunks that any number of threads may take;
//! - `moving_column`, [`join`] and [`chunked_join`]: joins;
//! - [`trajectory`], [`interval_rows`], [`nearest`], [`ray_cast`], [`locate`], [`place`], [`affine`]: the
//!   other operations on columns.
//!
//! Nothing here knows Python, and nothing is unsafe.

pub mod affine;
pub mod chunked_join;
pub mod circle_queries;
pub mod column;
pub mod interval_rows;
pub mod invalid_row;
pub mod join;
pub mod lazy_result;
pub mod locate;
pub(crate) mod memory;
mod moving_column;
pub mod moving_queries;
pub mod nearest;
pub mod operand_rows;
pub mod output;
pub mod pair_batch;
pub mod place;
mod polygon_operand;
pub mod query;
pub mod query_batch;
pub mod query_operands;
pub mod query_result;
pub mod ray_cast;
pub mod result_fields;
mod row_map;
pub mod run;
pub mod shape_queries;
pub mod stop;
mod swept_collision_with_mtv;
pub mod thread_pool;
mod tile_driver;
mod tile_operands;
mod tile_output;
mod tile_query;
mod tile_rows;
pub mod trajectory;
pub mod turn_rows;
mod turning_sweep_tiles;
pub mod velocity_rows;

pub use chunked_join::ChunkedJoin;
pub use column::{Column, ColumnBuilder, RaggedOffsets, Shared};
pub use interval_rows::IntervalRows;
pub use invalid_row::{ArgumentRow, ExamineError, InvalidRow, OnInvalid, Validation};
pub use join::{IndexPairs, Join};
pub use lazy_result::LazyResult;
pub use memory::OutOfMemory;
pub use moving_column::MovingColumn;
pub use operand_rows::OperandRows;
pub use output::{OutputColumn, OutputTable};
pub use pair_batch::{OverlapAreaQuery, PairBatch};
pub use query::Query;
pub use query_batch::QueryBatch;
pub use query_operands::QueryOperands;
pub use query_result::QueryResult;
pub use ray_cast::{RayCast, RayCastBatch};
pub use result_fields::{Field, FieldKind, FieldSet, Value};
pub use row_map::Rows;
pub use run::run;
pub use stop::{CancelToken, Stop};
pub use swept_collision_with_mtv::SweptCollisionWithMtv;
pub use tile_query::TileQuery;
pub use trajectory::{
    Clearance, FirstContact, Obstacles, Poses, TrajectoryBatch, TrajectoryResult,
};
pub use turn_rows::TurnRows;
pub use velocity_rows::VelocityRows;
