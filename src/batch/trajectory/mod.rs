//! Footprints that follow trajectories among obstacles.

mod clearance;
mod first_contact;
mod footprints;
mod obstacles;
mod poses;
mod step;

pub use clearance::{Clearance, ClearanceBatch};
pub use first_contact::{FirstContact, FirstContactBatch};
pub use footprints::TrajectoryBatch;
pub use obstacles::Obstacles;
pub use poses::Poses;
