//! The error for a shape that is not convex where it must be.

use crate::invalid_shape::InvalidShape;

/// A valid shape that is not convex, given to a query for convex ones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Concave {
    /// The index of the operand.
    pub operand: usize,
    /// Where it is not convex.
    pub why: InvalidShape,
}
