//! Convex hulls and convex parts.

pub(super) mod convex_hull;
pub(super) mod convex_parts;
pub(super) mod convex_pieces;
mod half_edges;
mod merge;
pub(super) mod nearly_convex_hull;
mod planar_graph;
mod triangulate;
