//! Many questions at once, bit for bit the same answers as one at a time.
//!
//! A [`Question`] says how to answer one row; [`run`] fills the wanted [`Column`]s with the answers
//! of all rows, in chunks that any number of threads may take. What a row's operands are is the
//! business of [`operand`]: dense arrays, [`Ragged`] columns, broadcast or picked by index.
//! Nothing here knows Python, and nothing is unsafe.

pub mod circles;
pub mod column;
pub mod dispatch;
pub mod early;
pub mod fault;
mod filling;
pub mod join;
pub mod kernels;
mod known;
mod long;
pub mod operand;
mod pairs;
pub mod place;
pub mod question;
pub mod ragged;
pub mod record;
pub mod run;
pub mod threads;
mod tile;
mod tiled;
pub mod trajectories;
pub mod transform;

pub use column::{Column, Table};
pub use early::Prompt;
pub use fault::{Fault, Place};
pub use join::{Fleet, Join, Nearness, Pairs};
pub use operand::{Rows, Shapes, Shared, Source};
pub use question::{CircleRows, PolygonRows, Question};
pub use ragged::{Ragged, RaggedBuilder};
pub use record::{Clear, Field, Kind, Record, Sweep, Value};
pub use run::{OnInvalid, Stop, run};
pub use threads::Control;
pub use trajectories::{FirstContact, Trails, Trajectories};
