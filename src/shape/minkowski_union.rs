//! The translations of one shape that make its interior meet that of another: the union of the open
//! Minkowski differences of their convex pieces, and where a straight path leaves it.
//!
//! The union is never built. Whether a point of a path belongs to it is the question whether it lies
//! strictly to the left of all edges of one of the differences: exact signs, of degree 4 where the point
//! itself is a crossing. A search over pairs of boxes proposes the differences.

use std::cell::RefCell;
use std::cmp::Ordering;
use std::ops::ControlFlow;

use smallvec::SmallVec;

use super::convex_pieces::ConvexPieces;
use crate::broad;
use crate::convex::{Corner, DifferenceEdge, MinkowskiDifference, Owner};
use crate::geom::{Bounds, Displacement, Edge, Motion, Point, Vec2, WideFloat};
use crate::predicates::{Crossing, FrameTime, Sign, cross, length};

/// A point of the plane of translations: the difference `b - a` of two points, given as `[a, b]`.
pub(super) type Translation = [Point; 2];

/// Differences that held the last points, and are tried first for the next.
const RECENT: usize = 3;

/// Relative error of a rough time, and of the path to it.
const ROUGH: f64 = 1e-9;

/// A straight path of translations: an edge, from its start at time 0 to its end at time 1, or a ray.
#[derive(Clone, Copy, Debug)]
pub(super) struct Path {
    pub(super) start: Translation,
    /// None for a ray.
    pub(super) end: Option<Translation>,
    pub(super) velocity: Motion,
}

impl Path {
    /// The ray from no translation along a direction.
    pub(super) fn ray(direction: Vec2) -> Self {
        Self {
            start: [Point::ORIGIN; 2],
            end: None,
            velocity: direction.into(),
        }
    }

    /// The way back along an edge.
    pub(super) fn reversed(&self) -> Option<Self> {
        self.end.map(|end| Self {
            start: end,
            end: Some(self.start),
            velocity: self.velocity.reversed(),
        })
    }

    /// Where along the path it comes nearest to the origin.
    pub(super) fn foot(&self) -> FrameTime {
        let Motion { from, to, .. } = self.velocity;
        let crossing = Crossing {
            line: Edge::new(from, to).turned_clockwise(),
            gap: from_origin(self.start),
            velocity: self.velocity,
        };
        crossing.frame_time().unwrap_or_else(|order| match order {
            Ordering::Greater => FrameTime::End,
            _ => FrameTime::Start,
        })
    }

    /// The translation at a time, to the last place.
    pub(super) fn translation(&self, time: &FrameTime) -> [WideFloat; 2] {
        let at_corner = |[a, b]: Translation| {
            [
                WideFloat::difference(b.x, a.x),
                WideFloat::difference(b.y, a.y),
            ]
        };
        match time {
            FrameTime::Start => at_corner(self.start),
            FrameTime::At(crossing) => crossing.point(from_origin(self.start)),
            FrameTime::End => at_corner(self.end.unwrap_or(self.start)),
        }
    }

    /// About the same, and a bound on the error of each component; NaN where floats overflow.
    pub(super) fn rough_translation(&self, time: &FrameTime) -> (Vec2, f64) {
        let difference = |[a, b]: Translation| b - a;
        let size = |vector: Vec2| vector.x.abs().max(vector.y.abs());
        let start = difference(self.start);
        let crossing = match time {
            FrameTime::Start => return (start, size(start) * f64::EPSILON),
            FrameTime::End => {
                let end = difference(self.end.unwrap_or(self.start));
                return (end, size(end) * f64::EPSILON);
            }
            FrameTime::At(crossing) => crossing,
        };
        let time = crossing.time_within(ROUGH / 8.0).to_f64();
        let step = self.velocity.rounded().map(|it| it * time);
        let error = ROUGH * size(step) + 4.0 * f64::EPSILON * size(start);
        (Vec2::new(start.x + step.x, start.y + step.y), error)
    }

    /// How the path crosses a line through a translation.
    fn crossing(&self, line: Edge, through: Translation) -> Crossing {
        Crossing {
            line,
            gap: between(through, self.start),
            velocity: self.velocity,
        }
    }

    /// Positive if the path leads from right to left across a line.
    fn approach(&self, crossing: &Crossing) -> Sign {
        // An edge lies along an edge of every difference to which the same edge belongs.
        let Motion { from, to, .. } = self.velocity;
        let along = Edge::new(from, to);
        if crossing.line == along || crossing.line == along.reversed() {
            return Sign::Zero;
        }
        crossing.approach()
    }
}

/// From no translation to this one.
fn from_origin([a, b]: Translation) -> Displacement {
    Displacement::between(a, b)
}

/// From one translation to another, in as few terms as possible.
fn between([from_a, from_b]: Translation, [to_a, to_b]: Translation) -> Displacement {
    if from_a == to_a {
        Displacement::between(from_b, to_b)
    } else if from_b == to_b {
        Displacement::between(to_a, from_a)
    } else if to_a == to_b {
        Displacement::between(from_b, from_a)
    } else {
        Displacement::between(from_b, to_b).shifted(Motion::between(to_a, from_a))
    }
}

/// The union of the open differences `b - a` of convex pieces of two shapes.
pub(super) struct MinkowskiUnion<'p> {
    pieces: [&'p ConvexPieces; 2],
    /// The pairs of pieces whose differences held the last points.
    recent: RefCell<SmallVec<[[usize; 2]; RECENT]>>,
    /// The largest coordinate of all differences.
    size: f64,
}

impl<'p> MinkowskiUnion<'p> {
    pub(super) fn new(pieces: [&'p ConvexPieces; 2]) -> Self {
        let [a, b] = pieces.map(|pieces| pieces.tree().bounds());
        let (low, high) = (b.min - a.max, b.max - a.min);
        let size = [low.x, low.y, high.x, high.y];
        Self {
            pieces,
            recent: RefCell::default(),
            size: size.iter().fold(0.0, |size, it| size.max(it.abs())),
        }
    }

    /// The largest coordinate of a translation in the union.
    pub(super) fn size(&self) -> f64 {
        self.size
    }

    /// The first time from the given one at which a path is outside the union. The search ends at a
    /// translation that is not `near`; `None` if no time was found.
    pub(super) fn first_outside(
        &self,
        path: &Path,
        mut time: FrameTime,
        near: impl Fn(Vec2, f64) -> bool,
    ) -> Option<FrameTime> {
        loop {
            let (point, error) = path.rough_translation(&time);
            if !near(point, error) {
                return None;
            }
            match self.leaves_difference(path, &time, point, error) {
                None => return Some(time),
                Some(leave) => time = leave?,
            }
        }
    }

    /// When the path leaves one of the differences that hold it at a time: `None` if there is no such
    /// difference, `Some(None)` if it ends in it.
    fn leaves_difference(
        &self,
        path: &Path,
        time: &FrameTime,
        point: Vec2,
        error: f64,
    ) -> Option<Option<FrameTime>> {
        let mut recent = self.recent.borrow_mut();
        for index in 0..recent.len() {
            if let Some(leave) = self.leave(path, time, recent[index]) {
                recent[..=index].rotate_right(1);
                return Some(leave);
            }
        }
        let error = error + 8.0 * f64::EPSILON * (self.size + point.x.abs() + point.y.abs());
        let mut found = None;
        let [a, b] = self.pieces.map(ConvexPieces::tree);
        // The deeper a point lies in the difference of boxes, the likelier it is in that of their pieces.
        let bound = |a: &Bounds, b: &Bounds| -depth(a, b, point) - error;
        let _ = broad::pairs([a, b], bound, 0.0, |pair, _| {
            if recent.contains(&pair) {
                return ControlFlow::Continue(0.0);
            }
            found = self.leave(path, time, pair);
            if found.is_none() {
                return ControlFlow::Continue(0.0);
            }
            recent.truncate(RECENT - 1);
            recent.insert(0, pair);
            ControlFlow::Break(())
        });
        found
    }

    /// When the path leaves the difference of a pair of pieces, if it is strictly inside at a time.
    fn leave(&self, path: &Path, time: &FrameTime, pair: [usize; 2]) -> Option<Option<FrameTime>> {
        let [a, b] = [0, 1].map(|side| self.pieces[side].ring(pair[side]));
        let difference = MinkowskiDifference::new(a, b, None);
        let mut last: Option<(Crossing, Line)> = None;
        let is_inside = all_edges(difference, |edge| {
            let line = Line::new(&difference, &edge, path.start);
            let crossing = path.crossing(line.direction, line.through);
            let approach = path.approach(&crossing);
            if !line.has_inside(path, time, &crossing, approach) {
                return false;
            }
            if approach == Sign::Negative {
                let crossing = crossing.reversed();
                let is_earlier =
                    |(least, _): &(Crossing, Line)| crossing.compare(least) == Ordering::Less;
                if last.as_ref().is_none_or(is_earlier) {
                    last = Some((crossing, line));
                }
            }
            true
        });
        is_inside.then(|| {
            let (crossing, line) = last?;
            match path.end.map(|end| line.side(end)) {
                Some(Sign::Positive) => None,
                Some(Sign::Zero) => Some(FrameTime::End),
                Some(Sign::Negative) | None => Some(FrameTime::At(crossing)),
            }
        })
    }
}

/// How deep a translation lies in the difference of two boxes; negative outside.
fn depth(a: &Bounds, b: &Bounds, point: Vec2) -> f64 {
    let x = (point.x - (b.min.x - a.max.x)).min((b.max.x - a.min.x) - point.x);
    let y = (point.y - (b.min.y - a.max.y)).min((b.max.y - a.min.y) - point.y);
    x.min(y)
}

/// The line along an edge of a difference.
struct Line {
    direction: Edge,
    /// A translation on it.
    through: Translation,
    /// Another one.
    also: Translation,
}

impl Line {
    /// Through the end of the edge that is equal to a translation, if one is.
    fn new(difference: &MinkowskiDifference<'_>, edge: &DifferenceEdge, at: Translation) -> Self {
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

    /// Whether a point of a path lies strictly to the left.
    fn has_inside(
        &self,
        path: &Path,
        time: &FrameTime,
        crossing: &Crossing,
        approach: Sign,
    ) -> bool {
        let corner = match time {
            FrameTime::Start => path.start,
            FrameTime::End => path.end.unwrap_or(path.start),
            FrameTime::At(at) => {
                let is_same = (at.line == crossing.line || at.line == crossing.line.reversed())
                    && at.gap == crossing.gap;
                return !is_same
                    && match approach {
                        Sign::Zero => crossing.before() == Sign::Positive,
                        Sign::Positive => at.compare(crossing) == Ordering::Greater,
                        Sign::Negative => at.compare(&crossing.reversed()) == Ordering::Less,
                    };
            }
        };
        self.side(corner) == Sign::Positive
    }

    /// On which side a translation lies, positive on the left.
    fn side(&self, translation: Translation) -> Sign {
        if [self.through, self.also].contains(&translation) {
            return Sign::Zero;
        }
        cross(self.direction, between(self.through, translation))
    }
}

/// Whether all edges of a difference pass a test, and it has an interior if either ring has. Rings of less
/// than three vertices are segments and points.
fn all_edges(
    difference: MinkowskiDifference<'_>,
    mut test: impl FnMut(DifferenceEdge) -> bool,
) -> bool {
    let counts = [difference.a.len(), difference.b.len()];
    if counts.iter().all(|&count| count > 2) {
        return difference.edges().all(test);
    }
    let mut any = false;
    let passed = [Owner::A, Owner::B].into_iter().all(|owner| {
        let count = counts[usize::from(owner == Owner::B)];
        let count = if count < 2 { 0 } else { count };
        (0..count).all(|own| {
            any = true;
            let from = difference.edge_start(owner, Corner::new(owner, own, 0));
            test(DifferenceEdge::new(owner, from))
        })
    });
    passed && any
}

/// The length of a vector.
pub(super) fn size([x, y]: [WideFloat; 2]) -> WideFloat {
    (x * x + y * y).sqrt()
}

/// The length of a direction.
pub(super) fn direction_length(direction: Vec2) -> WideFloat {
    length(Motion::from(direction))
}
