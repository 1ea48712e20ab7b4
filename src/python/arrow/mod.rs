//! GeoArrow in and out, over Arrow's C data interface.
//!
//! - [`geoarrow`]: which types hold shapes;
//! - [`wkb`]: shapes in well-known binary;
//! - [`read`], [`write`]: columns from arrays, and arrays from columns.

mod geoarrow;
mod read;
mod write;

pub(crate) use read::read;
pub(crate) use write::{array, schema, stream};
