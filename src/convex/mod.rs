//! The narrow phase on convex rings.
//!
//! Two convex shapes A and B meet where their Minkowski difference `{b - a}` contains the origin;
//! A moving by `v` makes the origin move by `v`. Every question here is one about that difference
//! and the origin, and every answer is chosen by exact predicates on its edges (`minkowski`).

mod certain;
mod contact;
mod distance;
mod eights;
mod gjk;
mod minkowski;
mod ring;
mod sat;
mod swept_collision;

pub use distance::Distance;
pub use sat::Sat;
pub use swept_collision::{SweepClearance, SweptCollision};

pub(crate) use certain::swept_collision as sweep_in_lanes;
pub(crate) use certain::{Around, Nearby, apart, beyond};
pub(crate) use certain::{Clearance as ClearanceInLanes, sweep_clearance as clearance_in_lanes};
pub(crate) use certain::{Contact as ContactInLanes, contact as contact_in_lanes};
pub(crate) use certain::{Fate, Meeting, certain_fate, swept_circle as swept_circle_in_lanes};
pub(crate) use certain::{Field, Reach, Verdict, fit_a_tile, fits_a_tile};
pub(crate) use certain::{Impact as ImpactInLanes, impact as impact_in_lanes};
pub(crate) use certain::{MOST_IN_A_TILE, Sat as SatInLanes, Sweep as SweepInLanes};
pub(crate) use certain::{certain_sat, certain_sweep, certainly_intersect};
pub(crate) use certain::{certainly_nearby, certainly_reaches, certainly_reaches_long};
pub(crate) use certain::{circle_reaches as circle_reaches_in_lanes, nearby as nearby_in_lanes};
pub(crate) use certain::{intersects as intersects_in_lanes, sat as sat_in_lanes};
pub(crate) use contact::point_along;
pub(crate) use distance::{Nearest, beside, distance, foot};
pub(crate) use eights::Convexity;
pub(crate) use minkowski::{Boundary, Corner, DifferenceEdge, Owner, right_normal};
pub(crate) use ring::{
    Cyclic, Ring, ascends, bounds, certainly_convex, span, turns_left, turns_right,
};
pub(crate) use sat::{intersects, sat};
pub(crate) use swept_collision::{Impact, Outcome, bisector, sweep_clearance, swept_collision};
