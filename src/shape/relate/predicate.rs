//! The predicates of DE-9IM.

use super::intersections::{Intersections, Pattern};

/// A predicate of two shapes, as DE-9IM defines it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Predicate {
    /// They have a point in common.
    #[default]
    Intersects,
    /// No point of the second lies outside the first, and their interiors meet.
    Contains,
    /// The second contains the first.
    Within,
    /// No point of the second lies outside the first.
    Covers,
    /// The second covers the first.
    CoveredBy,
    /// Every point of the second lies in the interior of the first.
    ContainsProperly,
    /// They meet, and their interiors don't.
    Touches,
    /// They have the same dimension, as has what they share, and each has a part outside the other.
    Overlaps,
    /// Their interiors meet in less than the larger dimension, and not all of the one of least dimension lies in the
    /// other.
    Crosses,
    /// They are the same set of points.
    Equals,
    /// They have no point in common.
    Disjoint,
}

/// What decides a predicate of shapes of given dimensions.
#[derive(Debug)]
pub(super) enum Criterion {
    /// It holds of no such shapes.
    Never,
    /// It holds if a common point exists, or if none does.
    CommonPoint(bool),
    /// It holds if the intersections of the shapes have this pattern.
    Pattern(Pattern),
}

impl Predicate {
    /// All of them.
    pub const ALL: [Self; 11] = [
        Self::Intersects,
        Self::Contains,
        Self::Within,
        Self::Covers,
        Self::CoveredBy,
        Self::ContainsProperly,
        Self::Touches,
        Self::Overlaps,
        Self::Crosses,
        Self::Equals,
        Self::Disjoint,
    ];

    /// The name in Python.
    pub fn name(self) -> &'static str {
        match self {
            Self::Intersects => "intersects",
            Self::Contains => "contains",
            Self::Within => "within",
            Self::Covers => "covers",
            Self::CoveredBy => "covered_by",
            Self::ContainsProperly => "contains_properly",
            Self::Touches => "touches",
            Self::Overlaps => "overlaps",
            Self::Crosses => "crosses",
            Self::Equals => "equals",
            Self::Disjoint => "disjoint",
        }
    }

    /// Whether it holds of `a` and `b` exactly if it holds of `b` and `a`.
    pub fn is_symmetric(self) -> bool {
        !matches!(
            self,
            Self::Contains | Self::Within | Self::Covers | Self::CoveredBy | Self::ContainsProperly
        )
    }

    /// What decides the predicate, given the dimensions of both shapes: 0 for points, 1 for paths, 2 for polygons.
    pub(super) fn criterion(self, [first, second]: [u8; 2]) -> Criterion {
        use Intersections as I;
        let outside_first = I::EI | I::EB;
        let outside_second = I::IE | I::BE;
        Criterion::Pattern(match self {
            Self::Intersects => return Criterion::CommonPoint(true),
            Self::Disjoint => return Criterion::CommonPoint(false),
            Self::Contains => Pattern::new(&[I::II], outside_first),
            Self::Within => Pattern::new(&[I::II], outside_second),
            Self::Covers => Pattern::new(&[I::II | I::IB | I::BI | I::BB], outside_first),
            Self::CoveredBy => Pattern::new(&[I::II | I::IB | I::BI | I::BB], outside_second),
            Self::ContainsProperly => Pattern::new(&[I::II], I::BI | I::BB | outside_first),
            Self::Touches => Pattern::new(&[I::IB | I::BI | I::BB], I::II),
            Self::Equals => Pattern::new(&[I::II], outside_first | outside_second),
            Self::Overlaps if first != second => return Criterion::Never,
            Self::Overlaps if first == 1 => Pattern::new(&[I::LINE, I::IE, I::EI], I::NONE),
            Self::Overlaps => Pattern::new(&[I::II, I::IE, I::EI], I::NONE),
            Self::Crosses if first < second => Pattern::new(&[I::II, I::IE], I::NONE),
            Self::Crosses if first > second => Pattern::new(&[I::II, I::EI], I::NONE),
            Self::Crosses if first == 1 => Pattern::new(&[I::II], I::LINE),
            Self::Crosses => return Criterion::Never,
        })
    }
}
