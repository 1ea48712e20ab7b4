//! What is asked of an object that exports Arrow data.

use super::geoarrow::Stated;
use crate::batch::OnInvalid;

/// How the shapes of an object are found and read.
#[derive(Clone, Copy)]
pub(crate) struct Request<'a> {
    /// The column of a table.
    pub(crate) column: Option<&'a str>,
    pub(crate) kind: Option<Stated>,
    /// Whether Z and M are left out, instead of refused.
    pub(crate) drop_z: bool,
    pub(crate) on_invalid: OnInvalid,
}

impl Request<'_> {
    /// What functions ask that take shapes in any form.
    pub(crate) fn plain(on_invalid: OnInvalid) -> Self {
        Self {
            column: None,
            kind: None,
            drop_z: false,
            on_invalid,
        }
    }
}
