//! The narrow phase on convex rings.
//!
//! Two convex shapes A and B meet where their Minkowski difference `{b - a}` contains the origin;
//! A moving by `v` makes the origin move by `v`. Every question here is one about that difference
//! and the origin, and every answer is chosen by exact predicates on its edges (`minkowski`).

mod contact;
mod distance;
mod epa;
pub(crate) mod filter;
mod gjk;
mod minkowski;
mod ring;
mod sat;
mod simd_ring;
mod swept_collision;

pub use distance::Distance;
pub use sat::Sat;
pub use swept_collision::{SweepClearance, SweptCollision};

pub(crate) use contact::point_along;
pub(crate) use distance::{NearestFeatures, beside, distance, foot};
pub(crate) use minkowski::{Corner, DifferenceEdge, MinkowskiDifference, Owner, right_normal};
pub(crate) use ring::{Cyclic, Ring, ascends, bounds, certainly_convex, turns_left, turns_right};
pub(crate) use sat::{intersects, sat};
pub(crate) use simd_ring::Convexity;
pub(crate) use swept_collision::{
    Impact, SweepOutcome, bisector, sweep_clearance, swept_collision,
};
