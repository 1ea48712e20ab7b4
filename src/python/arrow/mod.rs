//! GeoArrow in and out, over Arrow's C data interface.
//!
//! - [`c_import`], [`c_export`]: the interface's structs, with all unsafe code;
//! - [`chunks`]: the arrays that an object exports;
//! - [`geoarrow`]: the types of polygons;
//! - [`protocol`]: whether an object exports Arrow data;
//! - [`read`], [`write`]: columns from arrays, and arrays from columns.

mod c_export;
mod c_import;
mod chunks;
mod geoarrow;
mod protocol;
mod read;
mod write;

pub(crate) use protocol::gives;
pub(crate) use read::read;
pub(crate) use write::{array, schema, stream};
