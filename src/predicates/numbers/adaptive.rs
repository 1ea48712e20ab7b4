//! Signs and values of polynomials: by the filter where its bound settles them, else exactly.

use super::bounded::Bounded;
use super::exact;
use super::polynomial::Polynomial;
use super::sign::Sign;
use crate::geom::WideFloat;

/// The relative error above which a value is evaluated more precisely: a quarter of what the public
/// bound of 1e-10 leaves to a quotient of two such values and a square.
pub(crate) const TO_TEN_DIGITS: f64 = 1e-11;

/// A quarter of the 1e-12 promised for areas and centroids, which are quotients of two such values.
/// The filter achieves it for hundreds of edges.
pub(crate) const TO_TWELVE_DIGITS: f64 = 2.5e-13;

/// A few units in the last place, for values that move a point, where the error is relative to the
/// extent of the query. The filter achieves it only if hardly anything cancels.
pub(crate) const TO_THE_LAST_PLACE: f64 = 4.0 * f64::EPSILON;

#[inline(always)]
pub(crate) fn sign<P: Polynomial>(polynomial: &P) -> Sign {
    polynomial
        .evaluate::<Bounded>()
        .sign()
        .unwrap_or_else(|| exact::sign(polynomial))
}

#[inline(always)]
pub(crate) fn value<P: Polynomial>(polynomial: &P, tolerance: f64) -> WideFloat {
    polynomial
        .evaluate::<Bounded>()
        .value_within(tolerance)
        .map_or_else(|| exact::value(polynomial, tolerance), WideFloat::from)
}
