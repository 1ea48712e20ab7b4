//! Bodies in motion, among obstacles and each other.

mod clearance;
mod encounters;
mod first_contact;
mod groups;
mod margins;
mod obstacles;
mod placed_column;
mod placed_footprint;
mod placed_obstacles;
mod poses;
mod rows_of_bodies;
mod step;
mod swept_step;
mod trajectories;
mod trajectory_batch;

pub use clearance::Clearance;
pub use encounters::{Encounter, EncounterSearch};
pub use first_contact::FirstContact;
pub use groups::Groups;
pub use margins::Margins;
pub use obstacles::Obstacles;
pub use placed_column::place_column;
pub use poses::{PathKind, Poses};
pub use step::{StepApproach, StepContact};
pub use trajectories::Trajectories;
pub use trajectory_batch::{TrajectoryBatch, TrajectoryResult};
