//! Polynomials of the input, whose signs and values are what is decided and computed.

use super::number::Number;

/// A polynomial of the input's coordinates, written once and evaluated over any [`Number`].
pub trait Polynomial {
    /// Its value.
    fn evaluate<N: Number>(&self) -> N;
}
