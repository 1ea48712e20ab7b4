//! Shapes in any form, and as well-known binary.

pub(super) mod from_ragged;
pub(super) mod shape_input;
pub(super) mod shapely_reader;
pub(super) mod wkb_reader;
pub(super) mod wkb_writer;
