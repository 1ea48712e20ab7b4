//! What is known of the DE-9IM matrix of two shapes, and the part of it that a predicate needs.
//!
//! Evidence is added piece by piece: a piece of boundary that lies in the other shape tells that several of the
//! nine intersections are not empty. The search ends as soon as the predicate is decided. An intersection for which
//! the whole search found no evidence is empty.

use std::ops::{BitOr, ControlFlow};

/// Which of the intersections of the interior (I), boundary (B) and exterior (E) of one shape with those of another
/// are known not to be empty. `IB` is the interior of the first and the boundary of the second.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Intersections(u16);

impl Intersections {
    pub(super) const NONE: Self = Self(0);
    pub(super) const II: Self = Self(1);
    pub(super) const IB: Self = Self(1 << 1);
    pub(super) const IE: Self = Self(1 << 2);
    pub(super) const BI: Self = Self(1 << 3);
    pub(super) const BB: Self = Self(1 << 4);
    pub(super) const BE: Self = Self(1 << 5);
    pub(super) const EI: Self = Self(1 << 6);
    pub(super) const EB: Self = Self(1 << 7);
    /// The interiors of two paths share a stretch.
    pub(super) const LINE: Self = Self(1 << 8);

    /// The union, also in constants.
    pub(super) const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    fn has_any(self, of: Self) -> bool {
        self.0 & of.0 != 0
    }

    /// These intersections with the two shapes exchanged.
    pub(super) fn transposed(self) -> Self {
        let mirrored = [
            (Self::IB, Self::BI),
            (Self::IE, Self::EI),
            (Self::BE, Self::EB),
        ];
        let fixed = Self::II | Self::BB | Self::LINE;
        let mut transposed = Self(self.0 & fixed.0);
        for (one, other) in mirrored {
            for (from, to) in [(one, other), (other, one)] {
                if self.has_any(from) {
                    transposed = transposed | to;
                }
            }
        }
        transposed
    }
}

impl BitOr for Intersections {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        self.and(other)
    }
}

/// What decides a predicate: of each needed set one intersection is not empty, and all forbidden ones are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pattern {
    needed: [Intersections; 3],
    forbidden: Intersections,
}

impl Pattern {
    pub(super) fn new(needed: &[Intersections], forbidden: Intersections) -> Self {
        let needed = std::array::from_fn(|index| needed.get(index).copied().unwrap_or_default());
        Self { needed, forbidden }
    }

    pub(super) fn transposed(self) -> Self {
        Self {
            needed: self.needed.map(Intersections::transposed),
            forbidden: self.forbidden.transposed(),
        }
    }

    fn has_all_needed(self, found: Intersections) -> bool {
        let mut needed = self.needed.into_iter();
        needed.all(|needed| needed == Intersections::NONE || found.has_any(needed))
    }
}

#[derive(Debug)]
pub(super) struct PredicateSearch {
    pattern: Pattern,
    found: Intersections,
}

impl PredicateSearch {
    pub(super) fn new(pattern: Pattern) -> Self {
        let found = Intersections::NONE;
        Self { pattern, found }
    }

    /// Adds evidence. It breaks with the answer once that is decided.
    #[inline]
    pub(super) fn add(&mut self, evidence: Intersections) -> ControlFlow<bool> {
        self.found = self.found | evidence;
        let Pattern { forbidden, .. } = self.pattern;
        if self.found.has_any(forbidden) {
            return ControlFlow::Break(false);
        }
        if forbidden == Intersections::NONE && self.pattern.has_all_needed(self.found) {
            return ControlFlow::Break(true);
        }
        ControlFlow::Continue(())
    }

    /// Whether such evidence could still change the answer.
    pub(super) fn wants(&self, evidence: Intersections) -> bool {
        let Pattern { needed, forbidden } = self.pattern;
        let open = needed
            .into_iter()
            .filter(|needed| !self.found.has_any(*needed));
        evidence.has_any(open.fold(forbidden, Intersections::and))
    }

    /// The answer after all evidence was added.
    pub(super) fn answer(&self) -> bool {
        !self.found.has_any(self.pattern.forbidden) && self.pattern.has_all_needed(self.found)
    }
}
