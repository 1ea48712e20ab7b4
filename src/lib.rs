//! Exact 2-D collision queries: overlap, minimum translation, time of impact, circles, distance.
//!
//! Every yes or no is exactly right for the `f64`s given; every number is accurate to within the
//! bounds that its field states. Conventions are in [`geom`].
//!
//! The map, lowest first; a module uses only those above it:
//! - [`geom`]: points, vectors, circles, boxes;
//! - [`error`]: how input is refused, with positions, which are points;
//! - [`predicates`]: the only place where signs are decided, first by filter, then exactly;
//! - [`convex`]: the narrow phase on convex rings;
//! - `broad`: boxes, which propose what the others decide;
//! - [`polygon`]: any polygon, with holes or without: its checks, and the same questions without convexity;
//! - [`batch`]: many questions at once, bit for bit the same answers;
//! - `python`: the bindings, behind the feature `python`.

pub mod batch;
mod broad;
pub mod convex;
pub mod error;
pub mod geom;
pub mod polygon;
pub mod predicates;
#[cfg(feature = "python")]
mod python;
