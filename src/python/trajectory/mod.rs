//! Bodies in motion: the column, and queries about it.

pub(super) mod arc;
pub(super) mod clearance;
pub(super) mod encounters;
pub(super) mod first_contact;
pub(super) mod found_encounters;
pub(super) mod trajectories;
