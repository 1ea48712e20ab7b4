//! GeoArrow in and out, over Arrow's C data interface.
//!
//! - [`geoarrow`]: which types hold shapes;
//! - [`source`]: the arrays that an object exports, of a table those of one column;
//! - [`read`]: columns from arrays: of [`lists`], [`boxes`], [`unions`] in [`piece`]s, of [`wkb_arrays`] at once;
//! - [`write`]: arrays from columns.

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
