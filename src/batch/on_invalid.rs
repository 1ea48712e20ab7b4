//! What to do about rows whose operands are invalid.

/// What to do about a row whose operands are invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnInvalid {
    /// Refuse the whole call, and report the first such row.
    Raise,
    /// Leave the row blank and answer the others.
    Mask,
}
