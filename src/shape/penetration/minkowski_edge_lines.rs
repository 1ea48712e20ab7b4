//! The lines along the edges of a Minkowski difference, exact and in floats.

use std::cmp::Ordering;

use super::translation_path::{Path, Translation, between};
use crate::convex::{Corner, DifferenceEdge, MinkowskiDifference};
use crate::geom::Edge;
use crate::predicates::{Crossing, FrameTime, RoughLine, Sign, cross};

/// The lines around a difference.
pub(super) type Lines = Vec<(DifferenceEdge, RoughLine)>;

/// The line along an edge of a difference.
pub(super) struct Line {
    direction: Edge,
    /// An end of the edge.
    through: Translation,
    /// The other end of the edge.
    also: Translation,
}

impl Line {
    /// Through the end of the edge that is equal to a translation, if one is.
    pub(crate) fn new(
        difference: &MinkowskiDifference<'_>,
        edge: &DifferenceEdge,
        at: Translation,
    ) -> Self {
        let translation = |corner: Corner| -> Translation { difference.vertices(corner).into() };
        let (start, end) = (translation(edge.from), translation(difference.end(edge)));
        let (through, also) = if end == at {
            (end, start)
        } else {
            (start, end)
        };
        Self {
            direction: difference.direction(edge),
            through,
            also,
        }
    }

    pub(crate) fn crossing(&self, path: &Path) -> Crossing {
        Crossing {
            line: self.direction,
            gap: between(self.through, path.start),
            velocity: path.velocity,
        }
    }

    /// Whether a point of a path lies strictly to the left.
    pub(super) fn has_inside(&self, path: &Path, time: &FrameTime) -> bool {
        let at = match time {
            FrameTime::Start => return self.side(path.start) == Sign::Positive,
            FrameTime::End => {
                return self.side(path.end.unwrap_or(path.start)) == Sign::Positive;
            }
            FrameTime::At(at) => at,
        };
        let crossing = self.crossing(path);
        let is_same = (at.line == crossing.line || at.line == crossing.line.reversed())
            && at.gap == crossing.gap;
        !is_same
            && match path.approach(&crossing) {
                Sign::Zero => crossing.before() == Sign::Positive,
                Sign::Positive => at.compare(&crossing) == Ordering::Greater,
                Sign::Negative => at.compare(&crossing.reversed()) == Ordering::Less,
            }
    }

    /// On which side a translation lies, positive on the left.
    pub(crate) fn side(&self, translation: Translation) -> Sign {
        if [self.through, self.also].contains(&translation) {
            return Sign::Zero;
        }
        cross(self.direction, between(self.through, translation))
    }
}

/// The lines around a difference. Rings of less than three vertices are segments and points.
pub(super) fn lines_around(difference: MinkowskiDifference<'_>) -> Lines {
    let line = |edge: DifferenceEdge| {
        let along = difference.direction(&edge);
        let (a, b) = difference.vertices(edge.from);
        (edge, RoughLine::through(along.end - along.start, b - a))
    };
    let counts = [difference.a.len(), difference.b.len()];
    let mut lines = Vec::with_capacity(counts[0] + counts[1]);
    if counts.iter().all(|&count| count > 2) {
        lines.extend(difference.edges().map(line));
    } else {
        lines.extend(difference.edges_of_rings().map(line));
    }
    lines
}
