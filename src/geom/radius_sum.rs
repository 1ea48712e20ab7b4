//! The sum of radii and margins, not rounded.

/// The sum of up to three radii and margins, each finite and 0 or more, not rounded.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RadiusSum {
    /// Zeros come last. Terms whose sum is exact are added.
    terms: [f64; 3],
}

impl RadiusSum {
    /// No radius.
    pub const ZERO: Self = Self { terms: [0.0; 3] };

    /// The sum of these.
    #[inline]
    pub fn new(radii: [f64; 3]) -> Self {
        // The common case, at the cost of two sums.
        if radii[0] + radii[1] + radii[2] == 0.0 {
            return Self::ZERO;
        }
        radii.into_iter().fold(Self::ZERO, Self::plus)
    }

    /// The sum with one more term, of three at most.
    #[inline]
    fn plus(self, radius: f64) -> Self {
        let mut terms = self.terms;
        if radius != 0.0 {
            let free = terms
                .iter()
                .position(|&term| term == 0.0 || is_exact_sum(term, radius));
            terms[free.expect("three terms at most")] += radius;
        }
        Self { terms }
    }

    /// The terms, not zero; none for a sum of 0.
    #[inline]
    pub fn terms(&self) -> impl Iterator<Item = f64> {
        self.terms.into_iter().take_while(|&term| term != 0.0)
    }

    /// Whether it is 0.
    #[inline]
    pub fn is_zero(&self) -> bool {
        self.terms[0] == 0.0
    }

    /// The sum, if it is a float.
    #[inline]
    pub fn exactly(&self) -> Option<f64> {
        (self.terms[1] == 0.0).then_some(self.terms[0])
    }
}

/// The sum of a single radius.
impl From<f64> for RadiusSum {
    #[inline]
    fn from(radius: f64) -> Self {
        Self {
            terms: [radius, 0.0, 0.0],
        }
    }
}

/// Whether the sum of two positive numbers is a float (Dekker, 1971).
#[inline]
fn is_exact_sum(first: f64, second: f64) -> bool {
    let (larger, smaller) = (first.max(second), first.min(second));
    let sum = larger + smaller;
    sum.is_finite() && sum - larger == smaller
}
