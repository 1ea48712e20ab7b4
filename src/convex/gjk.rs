//! Large convex rings, by steps towards the origin (Gilbert, Johnson and Keerthi, 1988): each step
//! asks only which corner of the Minkowski difference lies farthest in a direction, which a look at
//! eight vertices at a time finds in either ring.
//!
//! Floats choose the directions; exact predicates decide what was found. What the steps leave open
//! goes to the walk round the difference.

use fearless_simd::Simd;

use super::Ring;
use super::filter::EdgeId;
use super::minkowski::{Corner, DifferenceEdge, MinkowskiDifference, Owner};
use super::ring::Cyclic;
use super::simd_ring;
use super::swept_collision::Passage;
use crate::geom::{Bounds, Displacement, Edge, Motion, Point, Vec2};
use crate::predicates::error_bounds::{self, box_error, cross, vector};
use crate::predicates::{Sign, between, dot, turn};
use crate::simd::instructions::with_instructions;
use crate::simd::lanes::Vectors;

/// Pairs of vertices above which this takes less time than a look at every edge.
const LARGE: usize = 150;

/// Steps after which the walk takes over. Each about halves the range of directions, and shapes
/// that neither nearly touch nor are needles need five.
const STEPS: usize = 24;

/// The relative error that gap and speed may each have where their quotient is the time: a fifth
/// of what the public contract allows for both.
const ACCURATE: f64 = 2e-11;

/// Whether rings are so large that a look at every edge would take longer.
pub(super) fn pays(a: usize, b: usize) -> bool {
    a * b > LARGE
}

/// The boxes round two rings, if they are at hand.
#[inline]
pub(super) fn boxes(a: &Ring<'_>, b: &Ring<'_>) -> Option<[Bounds; 2]> {
    Some([a.known_bounds()?, b.known_bounds()?])
}

/// Whether two rings have a point in common.
#[inline]
pub(super) fn intersects(
    difference: MinkowskiDifference<'_>,
    boxes: Option<[Bounds; 2]>,
) -> Option<bool> {
    if boxes.is_some_and(|[a, b]| !a.meets(&b)) {
        return Some(false);
    }
    with_instructions!(simd => meets_now(simd, difference, boxes))
}

/// Whether rings of which no more is known than that their boxes meet have a point in common.
#[inline(always)]
fn meets_now<S: Simd>(
    simd: S,
    difference: MinkowskiDifference<'_>,
    boxes: Option<[Bounds; 2]>,
) -> Option<bool> {
    let reach = SweptExtent::new(boxes, None);
    if let Some(boxes) = boxes
        && shared_middle(simd, difference, boxes, reach.error).is_some()
    {
        return Some(true);
    }
    meets(simd, difference, reach, start(difference, boxes))
}

/// The middle of what two boxes share, if it lies inside both rings beyond doubt.
#[inline(always)]
pub(super) fn shared_middle<S: Simd>(
    simd: S,
    difference: MinkowskiDifference<'_>,
    [box_a, box_b]: [Bounds; 2],
    error: f64,
) -> Option<Point> {
    let middle = |low: f64, other_low: f64, high: f64, other_high: f64| {
        0.5 * error_bounds::larger(low, other_low) + 0.5 * error_bounds::smaller(high, other_high)
    };
    let place = Point::new(
        middle(box_a.min.x, box_b.min.x, box_a.max.x, box_b.max.x),
        middle(box_a.min.y, box_b.min.y, box_a.max.y, box_b.max.y),
    );
    let in_a = simd_ring::depth_among_samples(simd, difference.a(), place);
    let in_b = simd_ring::depth_among_samples(simd, difference.b(), place);
    ((in_a > error) & (in_b > error)).then_some(place)
}

/// Whether, and through which edge of the difference, the origin enters it.
pub(super) fn swept_collision(
    difference: MinkowskiDifference<'_>,
    velocity: Motion,
    boxes: Option<[Bounds; 2]>,
) -> Option<Passage> {
    let boxes = boxes.map(|[a, b]| [difference.offset().map_or(a, |offset| a.moved(offset)), b]);
    if boxes.is_some_and(|[a, b]| !a.swept(velocity).meets(&b)) {
        return Some(Passage::Never);
    }
    with_instructions!(simd => passage(simd, difference, velocity, boxes))
}

#[inline(always)]
fn passage<S: Simd>(
    simd: S,
    difference: MinkowskiDifference<'_>,
    velocity: Motion,
    boxes: Option<[Bounds; 2]>,
) -> Option<Passage> {
    let way = start(difference, boxes);
    let may_overlap = boxes.is_none_or(|[a, b]| a.meets(&b));
    // What is shifted by an offset is left to exact predicates.
    let boxes = boxes.filter(|_| difference.offset().is_none());
    if may_overlap && meets_now(simd, difference, boxes) == Some(true) {
        return Some(Passage::Overlap);
    }
    let passage = entry(simd, difference, velocity);
    if passage.is_none() {
        let moving = SweptExtent::new(boxes, Some(velocity));
        if meets(simd, difference, moving, way) == Some(false) {
            return Some(Passage::Never);
        }
    }
    passage
}

/// Whither to look first: from the middle of one shape to that of the other.
#[inline(always)]
fn start(difference: MinkowskiDifference<'_>, boxes: Option<[Bounds; 2]>) -> Vec2 {
    let way = match boxes {
        Some([a, b]) => {
            let middle = |low: f64, high: f64| 0.5 * low + 0.5 * high;
            let middles = [a, b]
                .map(|Bounds { min, max }| Point::new(middle(min.x, max.x), middle(min.y, max.y)));
            vector(middles[0], middles[1])
        }
        None => -rounded(difference.gap(Corner { a: 0, b: 0 })),
    };
    if way == Vec2::ZERO {
        Vec2::new(1.0, 0.0)
    } else {
        way
    }
}

/// What corners may be shifted by, and how well products of such are known.
#[derive(Clone, Copy)]
struct SweptExtent {
    velocity: Option<Motion>,
    /// No corner is farther from the origin in either component, shifted or not.
    size: Vec2,
    /// The most by which the cross product of two rounded corners can be wrong.
    error: f64,
}

impl SweptExtent {
    /// Of rings in boxes. A shifted corner is a rounded sum of a rounded difference and a vector:
    /// with the product and the sum, the product of two such has six of the eight roundings that
    /// the bound allows for.
    #[inline(always)]
    fn new(boxes: Option<[Bounds; 2]>, velocity: Option<Motion>) -> Self {
        let path = velocity.map(Motion::vector);
        let size = match (boxes, path) {
            (Some([a, b]), None | Some(Some(_))) => {
                let size = simd_ring::size(&a.union(&b));
                let speed = path.flatten().unwrap_or(Vec2::ZERO);
                Vec2::new(size.x + speed.x.abs(), size.y + speed.y.abs())
            }
            _ => Vec2::new(f64::INFINITY, f64::INFINITY),
        };
        let error = box_error(Vectors::from(size), Vectors::from(size));
        Self {
            velocity,
            size,
            error,
        }
    }

    /// The corner of all that the difference passes that is farthest along a direction, if this
    /// one is farthest of the difference.
    #[inline(always)]
    fn shifted(&self, difference: MinkowskiDifference<'_>, corner: Corner, way: Vec2) -> Spot {
        let gap = difference.gap(corner);
        let gap = match self.velocity {
            Some(velocity) if along(way, velocity.rounded()) > 0.0 => gap.after(velocity),
            _ => gap,
        };
        Spot {
            gap,
            rounded: rounded(gap),
        }
    }

    /// On which side of one spot's direction another lies.
    #[inline(always)]
    fn between(&self, first: &Spot, second: &Spot) -> Sign {
        let value = cross(first.rounded, second.rounded);
        if value.abs() > self.error {
            Sign::of(value)
        } else {
            between(first.gap, second.gap)
        }
    }

    /// Whether a spot beyond doubt does not lie short of the origin along a direction.
    #[inline(always)]
    fn is_beyond(&self, spot: &Spot, way: Vec2) -> bool {
        let across = Vec2::new(way.y, -way.x);
        let value = along(way, spot.rounded);
        self.error.is_finite() && value > error_bounds::cross_error(across, self.size)
    }
}

/// A corner, shifted or not, and the same rounded.
#[derive(Clone, Copy)]
struct Spot {
    gap: Displacement,
    rounded: Vec2,
}

/// Whether the difference, or with a velocity all that it passes, holds the origin.
#[inline(always)]
fn meets<S: Simd>(
    simd: S,
    difference: MinkowskiDifference<'_>,
    reach: SweptExtent,
    way: Vec2,
) -> Option<bool> {
    let velocity = reach.velocity;
    let corner = farthest(simd, difference, way);
    let near = reach.shifted(difference, corner, way);
    if !reach.is_beyond(&near, way) && separates(difference, velocity, way, corner)? {
        return Some(false);
    }
    let way = -near.rounded;
    let corner = farthest(simd, difference, way);
    let far = reach.shifted(difference, corner, way);
    if !reach.is_beyond(&far, way) && separates(difference, velocity, way, corner)? {
        return Some(false);
    }
    // The origin lies to the left of what leads from the first to the second.
    let [mut from, mut to] = match reach.between(&near, &far) {
        Sign::Positive => [near, far],
        Sign::Negative => [far, near],
        Sign::Zero => return None,
    };
    for _ in 0..STEPS {
        let (start, end) = (from.rounded, to.rounded);
        let way = Vec2::new(start.y - end.y, end.x - start.x);
        let corner = farthest(simd, difference, way);
        let apex = reach.shifted(difference, corner, way);
        if !reach.is_beyond(&apex, way) && separates(difference, velocity, way, corner)? {
            return Some(false);
        }
        if apex.gap == from.gap || apex.gap == to.gap {
            return None;
        }
        // Weights of the triangle's corners, of which that of the apex is above zero: where none
        // is below, the triangle holds the origin, be it on its difference.
        if reach.between(&to, &apex) == Sign::Negative {
            from = apex;
        } else if reach.between(&apex, &from) == Sign::Negative {
            to = apex;
        } else {
            return Some(true);
        }
    }
    None
}

/// Whether the difference lies short of the origin along a direction, in which this corner was
/// found to be farthest, now and with a velocity at the end; `None` where it can't be told.
#[inline(always)]
fn separates(
    difference: MinkowskiDifference<'_>,
    velocity: Option<Motion>,
    way: Vec2,
    far: Corner,
) -> Option<bool> {
    if !way.is_finite() {
        return None;
    }
    let line = Edge::from_origin(way);
    let is_short = |gap| dot(line, gap) == Sign::Negative;
    let is_short_after = |velocity| is_short(difference.gap(far).after(velocity));
    if !(is_short(difference.gap(far)) && velocity.is_none_or(is_short_after)) {
        return Some(false);
    }
    // Round a convex ring the way along a direction rises once and falls once.
    let is_farthest = |ring: &[Point], vertex: usize, line: Edge| {
        let rise = |index| dot(line, ring.edge(index).displacement());
        rise(ring.previous(vertex)) != Sign::Negative && rise(vertex) != Sign::Positive
    };
    let proven = is_farthest(difference.a(), far.a, line)
        && is_farthest(difference.b(), far.b, line.reversed());
    proven.then_some(true)
}

/// Corners at one of which, or on an edge beside one, the difference is nearest to the origin, if
/// rounding does not mislead the search.
pub(super) fn approach(
    difference: MinkowskiDifference<'_>,
    boxes: Option<[Bounds; 2]>,
) -> [Corner; 2] {
    with_instructions!(simd => approach_with(simd, difference, start(difference, boxes)))
}

#[inline(always)]
fn approach_with<S: Simd>(simd: S, difference: MinkowskiDifference<'_>, way: Vec2) -> [Corner; 2] {
    let near = farthest(simd, difference, way);
    let mut base = [
        near,
        farthest(simd, difference, -rounded(difference.gap(near))),
    ];
    for _ in 0..STEPS {
        let [from, to] = base;
        let (start, end) = (rounded(difference.gap(from)), rounded(difference.gap(to)));
        let apex = farthest(simd, difference, -nearest_between(start, end));
        if apex == from || apex == to {
            break;
        }
        let middle = rounded(difference.gap(apex));
        let [first, second] = [nearest_between(start, middle), nearest_between(middle, end)];
        base = if along(first, first) < along(second, second) {
            [from, apex]
        } else {
            [apex, to]
        };
    }
    base
}

/// The point of a segment that is nearest to the origin, rounding apart.
#[inline(always)]
fn nearest_between(start: Vec2, end: Vec2) -> Vec2 {
    let step = Vec2::new(end.x - start.x, end.y - start.y);
    let part = -along(start, step) / along(step, step);
    let part = error_bounds::larger(0.0, error_bounds::smaller(1.0, part));
    Vec2::new(start.x + part * step.x, start.y + part * step.y)
}

/// What comes of the path, if it crosses an edge from outside and between its ends within the
/// frame, or ends before it, or passes by.
#[inline(always)]
fn entry<S: Simd>(
    simd: S,
    difference: MinkowskiDifference<'_>,
    velocity: Motion,
) -> Option<Passage> {
    let path = velocity.rounded();
    let left = Vec2::new(-path.y, path.x);
    let ways = [-left, left];
    let corners = [
        farthest(simd, difference, ways[0]),
        farthest(simd, difference, ways[1]),
    ];
    for (way, corner) in ways.into_iter().zip(corners) {
        if along(way, rounded(difference.gap(corner))) < 0.0
            && separates(difference, Some(velocity), way, corner)?
        {
            return Some(Passage::Never);
        }
    }
    let [mut right, mut left] = corners;
    for _ in 0..STEPS {
        let [start, end] = [right, left].map(|corner| rounded(difference.gap(corner)));
        let way = Vec2::new(end.y - start.y, start.x - end.x);
        let apex = farthest(simd, difference, way);
        if apex == right || apex == left {
            break;
        }
        if cross(path, rounded(difference.gap(apex))) > 0.0 {
            left = apex;
        } else {
            right = apex;
        }
    }
    let of_a = difference.edge(Owner::A, right);
    let of_b = difference.edge(Owner::B, right);
    let next_of_b = difference.edge(Owner::B, difference.end(&of_a));
    let edges = [of_a, of_b, next_of_b];
    let edges = edges.into_iter().filter(|edge| is_edge(difference, edge));
    for edge in edges {
        if difference.is_entered(&edge, velocity) {
            let named: EdgeId = (edge.owner, edge.from);
            return Some(Passage::Entry(Some(named), time(&edge, velocity)));
        }
        let crossing = edge.crossing(velocity);
        if crossing.before() == Sign::Negative && crossing.after() == Sign::Negative {
            return Some(Passage::Never);
        }
    }
    None
}

/// When the path reaches the line of an edge that it enters through, if floats are good enough.
#[inline(always)]
fn time(edge: &DifferenceEdge, velocity: Motion) -> Option<f64> {
    let (line, gap) = (edge.support.direction, edge.support.gap);
    if gap.shift.is_some() {
        return None;
    }
    let direction = vector(line.start, line.end);
    let (gap, path) = (vector(gap.from, gap.to), velocity.rounded());
    let absolute = |vector: Vec2| Vec2::new(vector.x.abs(), vector.y.abs());
    let (reach, speed) = (absolute(gap), velocity.size());
    // What is summed of several parts is rounded more often than the bound allows for.
    let factor = if velocity.steps == 0.0 { 1.0 } else { 2.0 };
    let largest = |vector: Vec2| error_bounds::larger(vector.x, vector.y);
    let largest = error_bounds::larger(
        error_bounds::larger(largest(reach), largest(speed)),
        largest(absolute(direction)),
    );
    let [gap, pace] = [gap, path].map(|vector| cross(direction, vector));
    let is_sure = error_bounds::is_usual(largest)
        & (gap.abs() * ACCURATE > error_bounds::cross_error(direction, reach))
        & (pace.abs() * ACCURATE > factor * error_bounds::cross_error(direction, speed));
    is_sure.then(|| error_bounds::smaller(-gap / pace, 1.0))
}

/// Whether a walk round the difference comes to this edge.
fn is_edge(difference: MinkowskiDifference<'_>, edge: &DifferenceEdge) -> bool {
    let turned_from = |other: DifferenceEdge| turn(other.support.direction, edge.support.direction);
    difference.leaving(edge.from).owner == edge.owner
        && match edge.owner {
            Owner::A => turned_from(difference.before_by_b(edge.from)) == Sign::Positive,
            Owner::B => turned_from(difference.before_by_a(edge.from)) != Sign::Negative,
        }
}

/// The corner farthest along a direction, or another where rounding misleads the search.
#[inline(always)]
fn farthest<S: Simd>(simd: S, difference: MinkowskiDifference<'_>, way: Vec2) -> Corner {
    Corner {
        a: simd_ring::farthest(simd, difference.a(), way),
        b: simd_ring::farthest(simd, difference.b(), -way),
    }
}

#[inline(always)]
fn along(way: Vec2, vector: Vec2) -> f64 {
    way.x * vector.x + way.y * vector.y
}

#[inline(always)]
fn rounded(gap: Displacement) -> Vec2 {
    let Vec2 { x, y } = vector(gap.from, gap.to);
    let shift = gap.shift.map_or(Vec2::ZERO, Motion::rounded);
    Vec2::new(x + shift.x, y + shift.y)
}
