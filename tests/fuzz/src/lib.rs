//! Fuzz targets, one function per family of queries.
//!
//! Each decodes bytes into degenerate inputs (see [`scene`]), compares the answers with those of an
//! exact oracle ([`exact`]) that shares nothing with the crate, the scalar form with the batch
//! ([`rows`]), and the instruction sets with each other ([`instruction_sets`]). It returns the bits of the answers.

pub mod exact;
pub mod instruction_sets;
pub mod rows;
pub mod scene;

mod circles;
mod columns;
mod moving;
mod pairs;
mod predicates;
mod raw;
mod turning;

pub use circles::circles;
pub use columns::columns;
pub use moving::moving;
pub use pairs::pairs;
pub use predicates::predicates;
pub use raw::raw;
pub use turning::turning;

/// The bits of all answers to an input; `None` if the bytes make no valid input.
pub type Answers = Option<Vec<u64>>;
