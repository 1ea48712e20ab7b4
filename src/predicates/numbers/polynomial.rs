//! Polynomials of the input, whose signs and values are what is decided and computed, and the number types over which
//! they are evaluated.

/// A number type with sums, differences and products only, so that one definition of a polynomial
/// serves the filter and all exact evaluations.
pub trait Number: Clone {
    /// `a - b`, as precise as the type allows.
    fn difference(a: f64, b: f64) -> Self;
    /// `a`, exactly.
    fn of(a: f64) -> Self;
    /// The sum.
    fn plus(&self, other: &Self) -> Self;
    /// The difference.
    fn minus(&self, other: &Self) -> Self;
    /// The product.
    fn times(&self, other: &Self) -> Self;

    /// The square.
    fn squared(&self) -> Self {
        self.times(self)
    }
}

/// A polynomial of the input's coordinates, written once and evaluated over any [`Number`].
pub trait Polynomial {
    /// Its value.
    fn evaluate<N: Number>(&self) -> N;
}
