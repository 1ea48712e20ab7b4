//! One file for each query.

pub(super) mod boxes;
pub(super) mod circle_polygon;
pub(super) mod closest_approach;
pub(super) mod contact_intervals;
pub(super) mod convex_hull;
pub(super) mod convex_parts;
pub(super) mod distance;
pub(super) mod intersects;
pub(super) mod joins;
pub(super) mod locate;
pub(super) mod nearest;
pub(super) mod overlap_area;
pub(super) mod penetration;
pub(super) mod place;
pub(super) mod predicate_batch;
pub(super) mod ray_cast;
pub(super) mod sat;
pub(super) mod swept_circle;
pub(super) mod swept_collision;
