//! Footprints that follow trajectories among obstacles.

mod clearance;
mod first_contact;
mod margins;
mod obstacles;
mod placed_column;
mod placed_footprint;
mod poses;
mod step;
mod trajectory_batch;

pub use clearance::Clearance;
pub use first_contact::FirstContact;
pub use margins::Margins;
pub use obstacles::Obstacles;
pub use placed_column::place_column;
pub use poses::Poses;
pub use trajectory_batch::{TrajectoryBatch, TrajectoryResult};
