//! The narrow phase on convex rings.
//!
//! Two convex shapes A and B meet where their Minkowski difference `{b - a}` contains the origin;
//! A moving by `v` makes the origin move by `v`. Every query here is one about that difference and
//! the origin: `filter`, `gjk` and `epa` try floats with error bounds, and exact predicates on the
//! edges of the difference (`minkowski_difference`) decide what those leave open.

mod clipping;
mod contact_interval;
mod convexity_filter;
mod cyclic;
mod distance;
mod distance_result;
mod epa;
mod extreme_vertices;
pub(crate) mod filter;
mod gjk;
mod gjk_sweep;
mod intersects;
mod lane_corners;
mod load_vertices;
mod minkowski_difference;
mod moved_point;
mod nearest_features;
mod point_in_sampled_ring;
mod ring;
mod sat;
mod support_table;
mod sweep_mtv;
mod swept_collision;

pub use distance_result::Distance;
pub use filter::{TurningMotion, TurningRings, TurningVertex};
pub use sat::Sat;
pub use support_table::EdgeSupport;

pub(crate) use clipping::contact_beside;
pub(crate) use contact_interval::contact_interval;
pub(crate) use convexity_filter::{Convexity, ascends, certainly_convex, turns_left, turns_right};
pub(crate) use cyclic::Cyclic;
pub(crate) use distance::{certain_distance, distance, nearest_displaced};
pub(crate) use extreme_vertices::farthest_vertex;
pub(crate) use gjk::is_faster as gjk_is_faster;
pub(crate) use intersects::intersects;
pub(crate) use lane_corners::bounds;
pub(crate) use minkowski_difference::{
    Corner, DifferenceEdge, MinkowskiDifference, Owner, right_normal,
};
pub(crate) use moved_point::{advanced, moved_along, point_along};
pub(crate) use nearest_features::{NearestFeatures, beside, foot, foot_displaced};
pub(crate) use ring::Ring;
pub(crate) use sat::{sat, sat_of_thin};
pub(crate) use support_table::SupportTable;
pub(crate) use sweep_mtv::{sweep_depth, sweep_mtv};
pub(crate) use swept_collision::{Impact, SweepOutcome, bisector, swept_collision};
