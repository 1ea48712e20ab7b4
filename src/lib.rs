//! Exact 2-D collision queries: overlap, minimum translation, time of impact, circles, distance.
//!
//! Every yes or no is exactly right for the `f64`s given; every number is accurate to within the
//! bounds that its field states. Conventions are in [`geom`].
//!
//! The map, lowest first; a module uses only those above it:
//! - [`geom`]: points, vectors, circles, boxes;
//! - [`error`]: how input is refused, with positions, which are points;
//! - [`simd`]: numbers side by side, the instruction set in use, loading a tile;
//! - [`predicates`]: the only place where signs are decided, first by a filter, then exactly;
//! - [`convex`]: the narrow phase on convex rings;
//! - `broad`: boxes and trees, which propose what the others decide;
//! - [`shape`]: any polygon, with holes or without: validation, and the same queries without convexity;
//! - [`batch`]: many queries at once, bit for bit the same answers;
//! - `python`: the bindings, behind the feature `python`.

pub mod batch;
mod broad;
pub mod convex;
pub mod error;
pub mod geom;
pub mod predicates;
#[cfg(feature = "python")]
mod python;
pub mod shape;
pub mod simd;
