//! Queries about footprints that follow trajectories.

pub(super) mod arc;
pub(super) mod clearance;
pub(super) mod first_contact;
