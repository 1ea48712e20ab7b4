//! GeoArrow in, by [`source`] and [`read`], and out, by [`write`], over Arrow's C data interface.

mod boxes;
mod geoarrow;
mod lists;
mod piece;
mod read;
mod request;
mod source;
mod unions;
mod wkb_arrays;
mod write;

/// How many rows are read before an interrupt is looked for.
const BLOCK: usize = 1 << 16;

pub(crate) use geoarrow::{Stated, stated_by_user};
pub(crate) use read::read;
pub(crate) use request::Request;
pub(crate) use write::{array, schema, stream, wkb_objects};
