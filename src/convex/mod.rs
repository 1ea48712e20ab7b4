//! The narrow phase on convex rings.
//!
//! Two convex shapes A and B meet where their Minkowski difference `{b - a}` contains the origin;
//! A moving by `v` makes the origin move by `v`. Every query here is one about that difference and
//! the origin: `filter`, `gjk` and `epa` try floats with error bounds, and exact predicates on the
//! edges of the difference (`minkowski_difference`) decide what those leave open.

mod convexity_filter;
mod cyclic;
pub(crate) mod filter;
mod large;
mod one;
mod ring;
pub(crate) mod table;

pub use filter::{TurningMotion, TurningRings, TurningVertex};
pub use one::distance_result::Distance;
pub use one::sat::SharpSat;
pub use table::support_table::EdgeSupport;

pub(crate) use convexity_filter::{Convexity, ascends, certainly_convex, turns_left, turns_right};
pub(crate) use cyclic::Cyclic;
pub(crate) use large::extreme_vertices::farthest_vertex;
pub(crate) use large::gjk::is_faster as gjk_is_faster;
pub(crate) use one::clipping::contact_beside;
pub(crate) use one::contact_interval::contact_interval;
pub(crate) use one::distance::{certain_distance, distance, nearest_displaced};
pub(crate) use one::intersects::intersects;
pub(crate) use one::minkowski_difference::{
    Corner, DifferenceEdge, MinkowskiDifference, Owner, right_normal,
};
pub(crate) use one::moved_point::{advanced, moved_along, point_along};
pub(crate) use one::nearest_features::{NearestFeatures, beside, foot, foot_displaced};
pub(crate) use one::sat::{sat, sat_of_thin};
pub(crate) use one::sweep_mtv::{sweep_depth, sweep_mtv};
pub(crate) use one::swept_collision::{Impact, SweepOutcome, bisector, swept_collision};
pub(crate) use ring::Ring;
pub(crate) use table::lane_corners::bounds;
pub(crate) use table::support_table::SupportTable;
