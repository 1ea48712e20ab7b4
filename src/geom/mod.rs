//! Points, vectors, edges, circles, radii, boxes, motions, turns, arcs and rays: plain `Copy` values. What boxes tell
//! here is exact; the bounds that leave room for rounding are in `predicates`.
//!
//! Conventions, stated once for the whole crate:
//! - coordinates are finite `f64`s, x to the right and y up, so positive turns are counterclockwise;
//! - every shape is closed: its boundary belongs to it, and touching is intersecting;
//! - a [`Point`] is a position, a [`Vec2`] a displacement or a direction.

mod arc;
mod bounds;
mod displacement;
mod display_numbers;
mod motion;
mod placement;
mod primitives;
mod radius_sum;
mod ray;
mod turn;
mod wide_float;
mod wide_vector;

pub use arc::ArcStep;
pub use bounds::Bounds;
pub use displacement::Displacement;
pub(crate) use display_numbers::{DisplayNumber, DisplayNumbers};
pub use motion::Motion;
pub use placement::{Placement, place};
pub use primitives::{Circle, Edge, Point, Vec2, Vectors};
pub use radius_sum::RadiusSum;
pub use ray::Ray;
pub use turn::Turn;
pub(crate) use wide_float::WideFloat;
pub(crate) use wide_vector::WideVector;
