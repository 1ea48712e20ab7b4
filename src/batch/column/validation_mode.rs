//! How strictly the rows of a column are examined, and why they can't be.

use crate::batch::memory::OutOfMemory;
use crate::invalid_shape::InvalidShape;

/// How rows are examined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Validation {
    /// The first invalid row is an error.
    Raise,
    /// Invalid rows count as missing.
    Mask,
    /// Rows are taken to be valid. Those that can't be read count as missing.
    Trust,
}

/// Why rows can't be examined.
#[derive(Debug, PartialEq)]
pub enum ExamineError {
    /// The number of the first row that is invalid, and what is wrong with it.
    Invalid(usize, InvalidShape),
    /// There is no memory for what is kept of the rows.
    OutOfMemory(OutOfMemory),
}

impl From<OutOfMemory> for ExamineError {
    fn from(why: OutOfMemory) -> Self {
        Self::OutOfMemory(why)
    }
}
