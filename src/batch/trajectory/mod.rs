//! Footprints that follow trajectories among obstacles.

mod clearance;
mod first_contact;
mod footprints;
mod obstacles;
mod poses;
mod step;

pub use clearance::Clearance;
pub use first_contact::FirstContact;
pub use footprints::{TrajectoryBatch, TrajectoryResult};
pub use obstacles::Obstacles;
pub use poses::Poses;
