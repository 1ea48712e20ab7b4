//! Queries in floats with a bound on the error, for one pair or for eight side by side: every edge
//! against the vertex of the other ring that lies deepest behind it.
//!
//! One bound serves all edges, because no vertex is farther from any of them than the common
//! bounding box is wide. What the bound leaves open goes to exact predicates on the edges of the
//! Minkowski difference; what it decides is what those would find.

mod circle_polygon;
mod closest_approach;
mod contact;
mod contact_interval;
mod intersects;
mod nearest_features;
pub(crate) mod one_pair;
mod one_ring_and_circle;
mod quad_pair;
mod rounded_interval;
mod rounded_sweep;
mod sat;
mod sat_of_point;
mod sweep_mtv;
mod swept_circle;
mod swept_collision;
mod swept_contact;
mod turning_rings;
mod within_distance;

pub(crate) use super::table::axis::Measure;
pub(crate) use super::table::facing_edge::FacingEdge;
pub(crate) use circle_polygon::{
    CircleInBox, FilteredCircle, RingAndCircle, circle_reaches, nearest_feature, squares_of,
};
pub(crate) use closest_approach::{FilteredApproach, closest_approach};
pub(crate) use contact::{FilteredContact, clip, contact};
pub(crate) use contact_interval::{FilteredInterval, contact_interval};
pub(crate) use intersects::{intersects, overlaps};
pub(crate) use one_ring_and_circle::{
    certainly_holds, certainly_nearest, certainly_reaches, certainly_sat_of_point, certainly_swept,
    to_index,
};
pub use quad_pair::certainly_intersect;
pub(crate) use quad_pair::{certain_sat, certain_sweep};
pub(crate) use rounded_interval::rounded_interval;
pub(crate) use rounded_sweep::{EntryFeatures, rounded_sweep};
pub(crate) use sat::{FilteredSat, sat, sat_of_cores};
pub(crate) use sat_of_point::sat_of_point;
pub(crate) use sweep_mtv::{FilteredSweepMtv, rounded_sweep_mtv, sweep_mtv};
pub(crate) use swept_circle::{swept_circle, swept_circle_touch};
pub(crate) use swept_collision::{FilteredSweep, swept_collision};
pub(crate) use swept_contact::{
    FilteredImpact, impact, impact_of_point, path_to_line, right_normal, rounded_impact,
};
pub use turning_rings::{TurningMotion, TurningRings, TurningVertex};
pub(crate) use within_distance::{extreme, within_distance};
