//! Whether a shape is valid, and where it is not.

pub(super) mod nesting;
pub(super) mod plane_sweep;
pub(super) mod validate;
