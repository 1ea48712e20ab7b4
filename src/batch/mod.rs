//! Many queries at once, with the same answers as one at a time, bit for bit.
//!
//! Lowest first; a file uses only those above it:
//! - `memory`, [`invalid_row`], [`stop`], [`thread_pool`]: memory, invalid operands, early stops, threads;
//! - [`result_fields`], [`lazy_result`], [`output`]: the fields of results, and the columns they go to;
//! - [`mod@column`] and [`rows`]: the operands, as memory with a map from rows of the answer;
//! - `tile`: eight rows at a time;
//! - [`queries`], [`run()`]: one row at a time, and all rows, in chunks that any number of threads may take;
//! - [`join`], [`trajectory`], [`affine`]: joins, bodies in motion, affine maps of columns.
//!
//! Nothing here knows Python, and nothing is unsafe.

pub mod affine;
pub mod column;
pub mod invalid_row;
pub mod join;
pub mod lazy_result;
pub(crate) mod memory;
pub mod output;
pub mod queries;
pub mod result_fields;
pub mod rows;
pub mod run;
pub mod stop;
pub mod thread_pool;
mod tile;
pub mod trajectory;

pub use column::{Column, ColumnBuilder, RaggedOffsets, Shared};
pub use invalid_row::{ArgumentRow, ExamineError, InvalidRow, OnInvalid, Validation};
pub use join::chunked_join::ChunkedJoin;
pub use join::moving_column::MovingColumn;
pub use join::{IndexPairs, Join};
pub use lazy_result::LazyResult;
pub use memory::OutOfMemory;
pub use output::{OutputColumn, OutputTable};
pub use queries::pair_batch::PairBatch;
pub use queries::query::Query;
pub use queries::query_batch::QueryBatch;
pub use queries::query_result::{OverlapArea, QueryResult};
pub use queries::ray_cast::{RayCast, RayCastBatch};
pub use queries::swept_collision_with_mtv::SweptCollisionWithMtv;
pub use result_fields::{Field, FieldKind, FieldSet, Value};
pub use rows::interval_rows::IntervalRows;
pub use rows::operand_rows::OperandRows;
pub use rows::query_operands::QueryOperands;
pub use rows::row_map::Rows;
pub use rows::turn_rows::TurnRows;
pub use rows::velocity_rows::VelocityRows;
pub use run::run;
pub use stop::{CancelToken, Stop};
pub use tile::tile_query::TileQuery;
pub use trajectory::{
    Clearance, Encounter, EncounterSearch, FirstContact, Groups, Margins, Obstacles, PathKind,
    Poses, Trajectories, TrajectoryBatch, TrajectoryResult,
};
