//! Shapes of any kind, and one function per query.
//!
//! Each query's file has the function of two [`Shape`]s, which chooses the algorithm: two exactly convex
//! polygons go to [`crate::convex`]; concave polygons, polygons with holes, and rings that are convex
//! but for rounding go to the general algorithms, which take them as they are given. Where shapes that turn
//! or have a radius need algorithms of their own, these are in files beside it: `swept_collision` chooses
//! among `sharp_sweep`, `rounded_sweep` and `turning_sweep`.

mod area;
mod bernstein;
mod boundary;
mod boundary_feature;
mod checked_shape;
mod circle_arrival;
mod circle_polygon;
mod circle_polygon_result;
mod closest_approach;
mod contact_intervals;
mod convex_hull;
mod convex_parts;
mod convex_pieces;
pub mod convolution;
mod distance;
mod edge_block;
mod edge_pairs;
mod first_arrival_filter;
mod interior_angle;
mod intersects;
mod kind;
mod locate;
mod minkowski_edge_lines;
mod minkowski_union;
mod nearest_cores;
mod nearest_edge_filter;
mod nearest_pairs_filter;
mod nesting;
mod penetration;
mod plane_sweep;
mod point_in_polygon;
mod quick_intersects;
mod ray_cast;
mod relative_motion;
mod relative_vertex_motion;
mod ring_corners;
mod rings;
mod rounded_directional_depth;
mod rounded_hull;
mod rounded_intervals;
mod rounded_sweep;
mod rounded_sweep_mtv;
mod sat;
mod shapes_at;
mod sharp_intervals;
mod sharp_sweep;
mod straight_approach;
mod sweep_result;
mod swept_circle;
mod swept_collision;
mod time_intervals;
pub mod translation_path;
mod turning_approach;
mod turning_approach_search;
mod turning_contact_points;
mod turning_feature_distance;
mod turning_origin;
mod turning_scene;
mod turning_sweep;
mod turning_swept_boxes;
mod validate;
mod within_distance;

pub use crate::convex::Distance;
pub use crate::convex::filter::certainly_intersect;
pub use area::{area, centroid};
pub(crate) use area::{longer_area, plain_area};
pub use checked_shape::{ExaminedShape, Shape};
pub use circle_polygon::{circle_polygon, circle_reaches};
pub use circle_polygon_result::{CirclePolygon, Feature};
pub use closest_approach::{approach_apart, closest_approach};
pub use contact_intervals::contact_intervals;
pub use convex_hull::convex_hull;
pub use convex_parts::convex_parts;
pub use distance::{certain_distance, distance};
pub use kind::ShapeKind;
pub use locate::{Locator, locate};
pub use penetration::{Penetration, overlap_alone, penetration};
pub use point_in_polygon::Location;
pub use ray_cast::{RayHit, ray_cast};
pub use relative_motion::RelativeMotion;
pub(crate) use ring_corners::check_finite;
pub use rings::{Rings, open};
pub(crate) use rounded_sweep_mtv::rounded_sweep_mtv;
pub use sat::{Concave, Sat, sat, sat_or_apart};
pub use straight_approach::ClosestApproach;
pub use sweep_result::SweptCollision;
pub use swept_circle::{SweptCircle, swept_circle, swept_circle_time};
pub use swept_collision::{comes_within, meeting, swept_collision};
pub use time_intervals::TimeIntervals;
pub use within_distance::{certainly_farther, is_within};
