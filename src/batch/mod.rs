//! Many questions at once, bit for bit the same answers as one at a time.
//!
//! A [`Query`] says how to answer one row; [`run`] fills the wanted [`Column`]s with the answers
//! of all rows, in chunks that any number of threads may take. What a row's operands are is the
//! business of [`operand`]: dense arrays, [`Column`] columns, broadcast or picked by index.
//! Nothing here knows Python, and nothing is unsafe.

pub mod affine;
pub mod circle_tiles;
pub mod column;
pub mod first_contact;
pub mod invalid_row;
pub mod join;
mod large_rings;
pub mod lazy_result;
pub mod output;
pub mod place;
pub mod polygon_queries;
mod polygon_tiles;
pub mod query;
pub mod result;
mod row_kinds;
pub mod rows;
pub mod run;
pub mod thread_pool;
mod tile_driver;
mod tile_io;
mod tile_rows;

pub use column::{Column, ColumnBuilder};
pub use first_contact::{FirstContact, FirstContactBatch, ObstacleIndex};
pub use invalid_row::{ArgumentRow, InvalidRow};
pub use join::{IndexPairs, Join, JoinCriterion, MovingColumn};
pub use lazy_result::LazyResult;
pub use output::{OutputColumn, OutputTable};
pub use query::{CircleBatch, PolygonBatch, Query};
pub use result::{Field, FieldKind, MtvTiming, QueryResult, SweepWithMtv, Value};
pub use rows::{Rows, Shapes, Shared, Source};
pub use run::{OnInvalid, Stop, run};
pub use thread_pool::CancelToken;
