//! Exact 2-D collision queries: overlap, minimum translation, time of impact, circles, distance.
//!
//! Every yes or no is exactly right for the `f64`s given; every number is accurate to within the
//! bounds that its field states. Conventions are in [`geom`].
//!
//! The map, lowest first; a module uses only those above it:
//! - [`geom`]: points, vectors, circles, boxes, motions;
//! - [`invalid_shape`]: why a shape is invalid, with positions, which are points;
//! - [`simd`]: lanes, the instruction set in use, loading a tile;
//! - [`predicates`]: the only place where signs are decided, first by a filter, then exactly;
//! - [`convex`]: the narrow phase on convex rings;
//! - `broad`: boxes and trees, which propose candidate pairs;
//! - [`shape`]: any polygon, with or without holes: validation, and the same queries;
//! - [`batch`]: many queries at once, bit for bit the same results;
//! - `python`: the bindings, behind the feature `python`.
//!
//! How to add a query, file by file, as `overlap_area` was added:
//! 1. `tests/reference/oracle`: a slow implementation in exact fractions, which shares nothing with
//!    this crate;
//! 2. [`predicates`]: every new sign or value as a `Polynomial`, which `tests/core/predicates.rs` checks
//!    against rationals; a value with quotients over `Ball`s, as in `area_of_pieces.rs`;
//! 3. `src/shape/rest/overlap_area.rs`: the query on two `Boundary`s; for convex pairs, if that is measured to be much
//!    faster, `src/convex/one/overlap_area.rs`. Where two boundaries meet, and what lies in the other shape, is found by
//!    `src/shape/relate`;
//! 4. in the same file: one function of two [`shape::Shape`]s that chooses between them,
//!    exported in `src/shape/mod.rs`; if it refuses shapes, why in [`invalid_shape`];
//! 5. the query for rows, with its fields in `src/batch/queries/query_result.rs`: one with a kernel for eight rows is a
//!    `TileQuery` in `shape_queries.rs` or `moving_queries.rs`, one without is two functions for `PairBatch`;
//! 6. `src/python/queries/overlap_area.rs`: the functions `overlap_area` and `overlap_area_batch`, exported in
//!    `src/python/mod.rs`, their keywords in `keywords.rs`; a result with several fields is a class in `results.rs`,
//!    one with a single field the number or the array itself;
//! 7. `python/carom/__init__.py` and `_core.pyi`: the names, and their types;
//! 8. `tests/test_overlap_area.py`: against the reference, scalar against batch, one example of each
//!    boundary case; the functions go into the tables of `tests/test_bad_input.py`, and so does invalid input, and the
//!    twin into that of `tests/test_crs.py`;
//! 9. `tests/fixed_scene.py`: a call whose result has the same bits on all machines, which changes
//!    the hashes in `tests/test_instructions.py`;
//! 10. `python/docs/overlap_area.md`, with its links in `index.md` and `api.md`, and `CHANGELOG.md`: the page and the
//!     entry; `tests/bench`: a row beside the peer's.

pub mod batch;
mod broad;
pub mod convex;
pub mod geom;
pub mod invalid_shape;
pub mod predicates;
#[cfg(feature = "python")]
mod python;
pub mod shape;
pub mod simd;
