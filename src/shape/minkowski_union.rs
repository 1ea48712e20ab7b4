//! The translations of one shape that make its interior meet that of another: the union of the open
//! Minkowski differences of their convex pieces, and where a straight path leaves it.
//!
//! The union is never built. Whether a point of a path belongs to it is the question whether it lies
//! strictly to the left of all edges of one of the differences: exact signs, of degree 4 where the point
//! itself is a crossing. A search over pairs of boxes proposes the differences.

use std::cell::RefCell;
use std::cmp::Ordering;
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::rc::Rc;

use smallvec::SmallVec;

use super::convex_pieces::ConvexPieces;
use crate::broad;
use crate::convex::{Corner, Cyclic, DifferenceEdge, MinkowskiDifference, Owner};
use crate::geom::{Bounds, Displacement, Edge, Motion, Point, Vec2, WideFloat};
use crate::predicates::{Crossing, FrameTime, Rough, Sign, cross};

/// A point of the plane of translations: the difference `b - a` of two points, given as `[a, b]`.
pub(super) type Translation = [Point; 2];

/// Differences that held the last points, and are tried first for the next.
const RECENT: usize = 3;

/// Relative error of a rough time, and of the path to it.
const ROUGH: f64 = 1e-9;

/// Error of the path where it underflows: four of the least floats, each half of which a product loses.
const UNDERFLOW: f64 = f64::from_bits(4);

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

    /// About the same.
    fn rough_point(&self, time: &FrameTime) -> RoughPoint {
        let difference = |[a, b]: Translation| b - a;
        let (start, velocity) = (difference(self.start), self.velocity.rounded());
        let (at, error) = match time {
            FrameTime::Start => (start, 0.0),
            FrameTime::End => (difference(self.end.unwrap_or(self.start)), 0.0),
            FrameTime::At(crossing) => {
                let time = crossing.time_within(ROUGH / 8.0);
                // Where the direction is long and the shapes are small, the time is no float.
                let step = velocity.map(|it| (WideFloat::from(it) * time).to_f64());
                let error = ROUGH * size(step) + 4.0 * f64::EPSILON * size(start) + UNDERFLOW;
                (Vec2::new(start.x + step.x, start.y + step.y), error)
            }
        };
        RoughPoint {
            at,
            error: error + f64::EPSILON * size(at),
            velocity,
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

/// A point of a path, rounded.
pub(super) struct RoughPoint {
    pub(super) at: Vec2,
    /// Bounds the error of each component; NaN where floats overflow. In a union it also covers the
    /// roundings of lines through other points, and of products with them: six of half a unit in the last
    /// place of the largest coordinate.
    pub(super) error: f64,
    /// Of the path.
    velocity: Vec2,
}

/// The larger component of a vector.
fn size(vector: Vec2) -> f64 {
    vector.x.abs().max(vector.y.abs())
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
    /// The lines round some differences.
    lines: RefCell<LinesOfPairs>,
    /// The largest coordinates of all differences, upwards along each axis and downwards.
    sides: [f64; 4],
}

/// The lines round the differences of pairs of pieces, and how many they are.
type LinesOfPairs = (HashMap<[usize; 2], Lines>, usize);

/// The lines round a difference.
type Lines = Rc<[(DifferenceEdge, RoughLine)]>;

/// Pairs of vertices up to which pieces are separated by trying all.
const FEW_PAIRS: usize = 64;

/// Lines of differences that are kept: some megabytes.
const MOST_LINES: usize = 1 << 16;

impl<'p> MinkowskiUnion<'p> {
    pub(super) fn new(pieces: [&'p ConvexPieces; 2]) -> Self {
        let [a, b] = pieces.map(|pieces| pieces.tree().bounds());
        let (low, high) = (b.min - a.max, b.max - a.min);
        Self {
            pieces,
            recent: RefCell::default(),
            lines: RefCell::default(),
            sides: [high.x, high.y, -low.x, -low.y],
        }
    }

    /// The largest coordinate of a translation in the union.
    pub(super) fn size(&self) -> f64 {
        self.sides.iter().fold(0.0, |size, it| size.max(it.abs()))
    }

    /// The directions of the axes, the one in which the union ends first coming first.
    pub(super) fn axes(&self) -> [[f64; 2]; 4] {
        let [right, up, left, down] = self.sides;
        let mut axes = [
            (right, [1.0, 0.0]),
            (up, [0.0, 1.0]),
            (left, [-1.0, 0.0]),
            (down, [0.0, -1.0]),
        ];
        axes.sort_by(|one, other| one.0.total_cmp(&other.0));
        axes.map(|(_, axis)| axis)
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
            let mut point = path.rough_point(&time);
            if !near(&point) {
                return None;
            }
            point.error += 8.0 * f64::EPSILON * (self.size() + size(point.at));
            match self.cover(path, &time, &point) {
                Cover::Nothing => return Some(time),
                Cover::Until(leave) => time = leave,
                Cover::ToTheEnd => return None,
            }
        }
    }

    /// How long one of the differences that hold a point of a path covers the path.
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
        let [a, b] = self.pieces.map(ConvexPieces::tree);
        // The deeper a point lies in the difference of boxes, the likelier it is in that of their pieces.
        let bound = |a: &Bounds, b: &Bounds| -depth(a, b, point.at) - point.error;
        let _ = broad::pairs([a, b], bound, 0.0, |pair, _| {
            if recent.contains(&pair) || self.surely_excludes(pair, point) {
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

    /// Whether a point certainly is not in the difference of a pair of pieces, since an edge of one separates it
    /// from the other, moved there. Most pairs whose boxes meet are long and thin, and their lines are not
    /// needed; of large pieces the lines say so faster.
    fn surely_excludes(&self, pair: [usize; 2], point: &RoughPoint) -> bool {
        let difference = self.difference(pair);
        let MinkowskiDifference { a, b, .. } = difference;
        if a.len() * b.len() > FEW_PAIRS {
            return false;
        }
        let is_right = |direction: Vec2, of_a: Point, of_b: Point| {
            let line = RoughLine::through(direction, of_b - of_a);
            line.side(point).sign() == Some(Sign::Negative)
        };
        (0..b.len()).any(|index| {
            let Edge { start, end } = b.edge(index);
            a.iter().all(|&vertex| is_right(end - start, vertex, start))
        }) || (0..a.len()).any(|index| {
            let Edge { start, end } = a.edge(index);
            b.iter().all(|&vertex| is_right(start - end, start, vertex))
        })
    }

    /// How long the difference of a pair of pieces covers the path, if a point of it is strictly inside.
    fn cover_by(
        &self,
        path: &Path,
        time: &FrameTime,
        point: &RoughPoint,
        pair: [usize; 2],
    ) -> Cover {
        let difference = self.difference(pair);
        let exact = |edge: &DifferenceEdge| Line::new(&difference, edge, path.start);
        let lines = self.lines(pair);
        let (mut least, mut first) = (SmallVec::<[f64; 16]>::new(), f64::INFINITY);
        for (edge, line) in &*lines {
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
        let [a, b] = [0, 1].map(|side| self.pieces[side].ring(pair[side]));
        MinkowskiDifference::new(a, b, None)
    }

    /// The lines round the difference of a pair of pieces.
    fn lines(&self, pair: [usize; 2]) -> Lines {
        let (known, count) = &mut *self.lines.borrow_mut();
        if let Some(lines) = known.get(&pair) {
            return Rc::clone(lines);
        }
        let lines = RoughLine::round(self.difference(pair));
        *count += lines.len();
        if *count > MOST_LINES {
            known.clear();
            *count = lines.len();
        }
        known.insert(pair, Rc::clone(&lines));
        lines
    }
}

/// How far on from a point a path is covered.
#[allow(clippy::large_enum_variant)] // It lives on the stack.
enum Cover {
    /// The point itself is not.
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

    /// How a path crosses it.
    fn crossing(&self, path: &Path) -> Crossing {
        Crossing {
            line: self.direction,
            gap: between(self.through, path.start),
            velocity: path.velocity,
        }
    }

    /// Whether a point of a path lies strictly to the left.
    fn has_inside(&self, path: &Path, time: &FrameTime) -> bool {
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
    fn side(&self, translation: Translation) -> Sign {
        if [self.through, self.also].contains(&translation) {
            return Sign::Zero;
        }
        cross(self.direction, between(self.through, translation))
    }
}

/// A line along an edge of a difference, rounded.
struct RoughLine {
    direction: Vec2,
    through: Vec2,
    /// The sum of the absolute components of the direction.
    length: f64,
}

impl RoughLine {
    /// The lines round a difference. Rings of less than three vertices are segments and points.
    fn round(difference: MinkowskiDifference<'_>) -> Lines {
        let line = |edge: DifferenceEdge| {
            let along = difference.direction(&edge);
            let (a, b) = difference.vertices(edge.from);
            (edge, Self::through(along.end - along.start, b - a))
        };
        let counts = [difference.a.len(), difference.b.len()];
        if counts.iter().all(|&count| count > 2) {
            return difference.edges().map(line).collect();
        }
        let edges_of = |owner: Owner| {
            let count = counts[usize::from(owner == Owner::B)];
            let count = if count < 2 { 0 } else { count };
            let start = move |own| difference.edge_start(owner, Corner::new(owner, own, 0));
            (0..count).map(move |own| DifferenceEdge::new(owner, start(own)))
        };
        let edges = [Owner::A, Owner::B].into_iter().flat_map(edges_of);
        edges.map(line).collect()
    }

    #[inline(always)]
    fn through(direction: Vec2, through: Vec2) -> Self {
        Self {
            direction,
            through,
            length: direction.x.abs() + direction.y.abs(),
        }
    }

    /// How far a point lies to the left, times the length of the direction.
    #[inline(always)]
    fn side(&self, point: &RoughPoint) -> Rough {
        let gap = Vec2::new(point.at.x - self.through.x, point.at.y - self.through.y);
        Rough {
            value: self.direction.cross(gap),
            error: self.length * point.error,
        }
    }

    /// How that changes along the path of the point.
    fn rate(&self, point: &RoughPoint) -> Rough {
        Rough {
            value: self.direction.cross(point.velocity),
            error: self.length * 4.0 * f64::EPSILON * size(point.velocity),
        }
    }
}
