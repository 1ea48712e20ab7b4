//! Whole questions in floats with a bound on the error, for one pair or for eight side by side:
//! every edge against the vertex of the other ring that lies deepest behind it.
//!
//! One bound serves all edges, because no vertex is farther from any of them than the box round
//! both rings is wide. What the bound leaves open goes to the walk round the difference, which
//! asks exact predicates; what it settles is what that walk would find.

mod axis;
mod boxes;
mod circle;
mod contact;
mod expand;
mod field;
mod impact;
mod intersects;
mod pair;
mod quads;
mod sat;
mod sweep;
mod swept_circle;

pub(crate) use axis::Measure;
pub(crate) use boxes::{apart, beyond};
pub(crate) use circle::{Around, Nearby, circle_reaches, nearby};
pub(crate) use circle::{certainly_nearby, certainly_reaches, certainly_reaches_long};
pub(crate) use contact::{Contact, clip, contact};
pub(super) use expand::{Expanded, expand};
pub(crate) use field::{Field, MOST_IN_A_TILE, Reach, Verdict, fit_a_tile, fits_a_tile};
pub(crate) use impact::{Impact, impact, right_normal, way};
pub(crate) use intersects::intersects;
pub(super) use pair::{Named, Pair};
pub(crate) use quads::{certain_sat, certain_sweep, certainly_intersect};
pub(crate) use sat::{Sat, sat};
pub(crate) use sweep::{Clearance, Sweep, sweep_clearance, swept_collision};
pub(crate) use swept_circle::{Fate, Meeting, certain_fate, swept_circle};
