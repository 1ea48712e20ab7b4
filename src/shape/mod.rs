//! Shapes of any kind, and one function per query.
//!
//! Each query's file has the function of two [`Shape`]s, which chooses the algorithm: two exactly convex
//! polygons go to [`crate::convex`]; concave polygons, polygons with holes, and rings that are convex
//! but for rounding go to the general algorithms, which take them as they are given. Where shapes that turn
//! or have a radius need algorithms of their own, these are in files beside it: `swept_collision` chooses
//! among `sharp_sweep`, `rounded_sweep` and `turning_sweep`.

mod boundary;
mod checked_shape;
mod examined_shape;
mod kind;
mod pair;
mod parts;
pub mod penetration;
mod relate;
mod relative_motion;
mod rest;
mod rings;
mod straight;
mod turning;
mod validity;

pub use crate::convex::Distance;
pub use crate::convex::filter::certainly_intersect;
pub use boundary::point_in_polygon::Location;
pub(crate) use boundary::ring_corners::check_finite;
pub use checked_shape::Shape;
pub use examined_shape::{ConvexCorners, ExaminedShape};
pub use kind::ShapeKind;
pub use parts::convex_hull::convex_hull;
pub use parts::convex_parts::convex_parts;
pub(crate) use penetration::rounded_sweep_mtv::rounded_sweep_mtv;
pub use penetration::{Penetration, overlap_alone, penetration};
pub use relate::{Predicate, boxes_refuse, check_for, relates};
pub use relative_motion::RelativeMotion;
pub use rest::area::{area, centroid};
pub(crate) use rest::area::{longer_area, plain_area};
pub use rest::circle_polygon::{circle_polygon, circle_reaches};
pub use rest::circle_polygon_result::{CirclePolygon, Feature};
pub use rest::distance::{certain_distance, distance};
pub use rest::locate::{locate_each, prepare_to_locate};
pub use rest::overlap_area::{check_without_radius, overlap_area};
pub use rest::sat::{Concave, Sat, sat, sat_or_apart};
pub use rest::within_distance::{certainly_farther, is_within};
pub use rings::{Rings, open};
pub use straight::closest_approach::{approach_apart, closest_approach};
pub use straight::contact_intervals::contact_intervals;
pub use straight::ray_cast::{RayHit, ray_cast};
pub use straight::straight_approach::ClosestApproach;
pub use straight::sweep_result::SweptCollision;
pub use straight::swept_circle::{SweptCircle, swept_circle, swept_circle_time};
pub use straight::swept_collision::{comes_within, meeting, swept_collision};
pub use straight::time_intervals::TimeIntervals;
