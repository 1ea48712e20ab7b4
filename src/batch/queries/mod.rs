//! The queries, and how a row of each is answered.

pub mod arc;
pub mod boxes;
pub mod circle_queries;
pub mod locate;
pub mod moving_queries;
pub mod nearest;
pub mod pair_batch;
pub mod place;
pub mod query;
pub mod query_batch;
pub mod query_result;
pub mod ray_cast;
pub mod shape_queries;
pub(super) mod swept_collision_with_mtv;
