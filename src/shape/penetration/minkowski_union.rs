//! The translations of one shape that make its interior meet that of another: the union of the open
//! Minkowski differences of their convex pieces, and where a straight path leaves it.
//!
//! The union is never built. Whether a point of a path belongs to it is the question whether it lies
//! strictly to the left of all edges of one of the differences: exact signs, of degree 4 where the point
//! itself is a crossing. A search over pairs of boxes proposes the differences.

use std::cell::RefCell;
use std::cmp::Ordering;
use std::ops::ControlFlow;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::minkowski_edge_lines::{Line, Lines, lines_around};
use super::translation_path::Path;
use crate::broad;
use crate::convex::{DifferenceEdge, MinkowskiDifference};
use crate::geom::{Bounds, Vec2};
use crate::predicates::{Crossing, FrameTime, RoughPoint, Sign};
use crate::shape::parts::convex_pieces::ConvexPieces;

/// Number of differences that are tried first for a point: those that contained the points before
/// it.
const RECENT: usize = 3;

/// The union of the open differences `b - a` of convex pieces of two shapes.
pub(super) struct MinkowskiUnion<'p> {
    pieces: [&'p ConvexPieces; 2],
    /// The pairs of pieces whose differences contained the last points.
    recent: RefCell<SmallVec<[[usize; 2]; RECENT]>>,
    /// The lines around some differences.
    lines: RefCell<LinesOfPairs>,
    /// The largest coordinates of all differences, upwards along each axis and downwards.
    sides: [f64; 4],
}

/// The lines around the differences of pairs of pieces.
#[derive(Default)]
struct LinesOfPairs {
    known: FxHashMap<[usize; 2], Lines>,
    count: usize,
}

/// Lines of differences that are kept: some megabytes.
const MOST_LINES: usize = 1 << 16;

impl LinesOfPairs {
    /// Those around the difference of a pair.
    fn around(&mut self, pair: [usize; 2], difference: MinkowskiDifference<'_>) -> &Lines {
        if self.count > MOST_LINES {
            *self = Self::default();
        }
        self.known.entry(pair).or_insert_with(|| {
            let lines = lines_around(difference);
            self.count += lines.len();
            lines
        })
    }
}

impl<'p> MinkowskiUnion<'p> {
    pub(crate) fn new(pieces: [&'p ConvexPieces; 2]) -> Self {
        let [a, b] = pieces.map(|pieces| pieces.tree.bounds());
        let (low, high) = (b.min - a.max, b.max - a.min);
        Self {
            pieces,
            recent: RefCell::default(),
            lines: RefCell::default(),
            sides: [high.x, high.y, -low.x, -low.y],
        }
    }

    /// The largest coordinate of a translation in the union.
    pub(crate) fn extent(&self) -> f64 {
        self.sides.iter().fold(0.0, |size, it| size.max(it.abs()))
    }

    /// The directions of the axes, the one in which the union ends first coming first.
    pub(crate) fn axes(&self) -> [Vec2; 4] {
        let [right, up, left, down] = self.sides;
        let mut axes = [
            (right, 1.0, 0.0),
            (up, 0.0, 1.0),
            (left, -1.0, 0.0),
            (down, 0.0, -1.0),
        ];
        axes.sort_by(|one, other| one.0.total_cmp(&other.0));
        axes.map(|(_, x, y)| Vec2::new(x, y))
    }

    /// The first time from the given one at which a path is outside the union. The search ends at a
    /// translation that is not `near`; `None` if no time was found.
    pub(super) fn first_outside(
        &self,
        path: &Path,
        mut time: FrameTime,
        near: impl Fn(&RoughPoint) -> bool,
    ) -> Option<FrameTime> {
        loop {
            let point = path.rough_point(&time);
            if !near(&point) {
                return None;
            }
            let point = point.within(self.extent());
            match self.cover(path, &time, &point) {
                Cover::Nothing => return Some(time),
                Cover::Until(leave) => time = leave,
                Cover::ToTheEnd => return None,
            }
        }
    }

    /// How far one of the differences that contain a point of a path covers the path.
    fn cover(&self, path: &Path, time: &FrameTime, point: &RoughPoint) -> Cover {
        let mut recent = self.recent.borrow_mut();
        for index in 0..recent.len() {
            let cover = self.cover_by(path, time, point, recent[index]);
            if !matches!(cover, Cover::Nothing) {
                recent[..=index].rotate_right(1);
                return cover;
            }
        }
        let mut found = Cover::Nothing;
        let [a, b] = self.pieces.map(|pieces| &pieces.tree);
        // The deeper a point lies in the difference of boxes, the likelier it is in that of their pieces.
        let bound = |a: &Bounds, b: &Bounds| -depth(a, b, point.at) - point.error;
        let _ = broad::pairs([a, b], bound, 0.0, |pair, _| {
            if recent.contains(&pair) {
                return ControlFlow::Continue(0.0);
            }
            found = self.cover_by(path, time, point, pair);
            if matches!(found, Cover::Nothing) {
                return ControlFlow::Continue(0.0);
            }
            recent.truncate(RECENT - 1);
            recent.insert(0, pair);
            ControlFlow::Break(())
        });
        found
    }

    /// How far the difference of a pair of pieces covers a path, from a point that is strictly inside.
    fn cover_by(
        &self,
        path: &Path,
        time: &FrameTime,
        point: &RoughPoint,
        pair: [usize; 2],
    ) -> Cover {
        let difference = self.difference(pair);
        let exact = |edge: &DifferenceEdge| Line::new(&difference, edge, path.start);
        let known = &mut *self.lines.borrow_mut();
        let lines = known.around(pair, difference);
        let (mut least, mut first) = (SmallVec::<[f64; 16]>::new(), f64::INFINITY);
        for (edge, line) in lines {
            let side = line.side(point);
            let is_left = side.sign().map(|it| it == Sign::Positive);
            if !is_left.unwrap_or_else(|| exact(edge).has_inside(path, time)) {
                return Cover::Nothing;
            }
            let [earliest, latest] = side.times(&line.rate(point));
            least.push(earliest);
            first = first.min(latest);
        }
        if lines.is_empty() {
            return Cover::Nothing;
        }
        // Also where one is not a number.
        let may_be_first = |earliest: f64| earliest <= first || earliest.is_nan();
        let mut last: Option<(Crossing, Line)> = None;
        for ((edge, _), &earliest) in lines.iter().zip(&least) {
            if !may_be_first(earliest) {
                continue;
            }
            let line = exact(edge);
            let crossing = line.crossing(path);
            if path.approach(&crossing) == Sign::Negative {
                let crossing = crossing.reversed();
                let is_earlier =
                    |(least, _): &(Crossing, Line)| crossing.compare(least) == Ordering::Less;
                if last.as_ref().is_none_or(is_earlier) {
                    last = Some((crossing, line));
                }
            }
        }
        let Some((crossing, line)) = last else {
            return Cover::ToTheEnd;
        };
        match path.end.map(|end| line.side(end)) {
            Some(Sign::Positive) => Cover::ToTheEnd,
            Some(Sign::Zero) => Cover::Until(FrameTime::End),
            Some(Sign::Negative) | None => Cover::Until(FrameTime::At(crossing)),
        }
    }

    fn difference(&self, pair: [usize; 2]) -> MinkowskiDifference<'_> {
        let [a, b] = [0, 1].map(|side| &self.pieces[side].rings[pair[side]]);
        MinkowskiDifference::new(a, b, None)
    }
}

/// How far a path is covered from one of its points on.
#[allow(clippy::large_enum_variant)] // It lives on the stack.
enum Cover {
    /// The point itself is not covered.
    Nothing,
    /// Until this time.
    Until(FrameTime),
    ToTheEnd,
}

/// How deep a translation lies in the difference of two boxes; negative outside.
fn depth(a: &Bounds, b: &Bounds, point: Vec2) -> f64 {
    let x = (point.x - (b.min.x - a.max.x)).min((b.max.x - a.min.x) - point.x);
    let y = (point.y - (b.min.y - a.max.y)).min((b.max.y - a.min.y) - point.y);
    x.min(y)
}
