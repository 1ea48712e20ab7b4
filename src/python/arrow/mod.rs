//! GeoArrow in and out, over Arrow's C data interface.
//!
//! - [`geoarrow`]: which types hold shapes;
//! - [`read`], [`write`]: columns from arrays, and arrays from columns; [`wkb_arrays`]: columns from arrays of WKB.

mod geoarrow;
mod read;
mod wkb_arrays;
mod write;

/// How many rows are read before an interrupt is looked for.
const BLOCK: usize = 1 << 16;

pub(crate) use read::read;
pub(crate) use write::{array, schema, stream};
