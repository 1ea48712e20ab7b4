//! A ring's vertices eight at a time.

use fearless_simd::{f64x8, prelude::*};

use super::ring::goes_up;
use crate::geom::{Bounds, Point, Vec2};
use crate::predicates::error_bounds::box_error;
use crate::simd::instructions::with_instructions;
use crate::simd::lanes::{Lanes, Mask, Vectors};

/// Vertices looked at together.
pub(super) const LANES: usize = 8;

/// Vertices from which on eight at a time take less time than one after the other.
pub(super) const LONG: usize = 12;

/// Vertices up to which looking at all takes less time than at samples first.
pub(super) const ALL: usize = 64;

/// How many times eight that is.
pub(super) const MOST: usize = ALL / LANES;

/// Every so many vertices one is a sample: few enough lines of memory, which come side by side.
const STRIDE: usize = 16;

/// Vertices up to which there are few samples.
pub(super) const SAMPLED: usize = 512;

pub(super) type Lane<S> = f64x8<S>;

/// Eight vertices from this one on.
#[inline(always)]
fn eight<S: Simd>(simd: S, ring: &[Point], first: usize) -> Vectors<Lane<S>> {
    let [a, b, c, d, e, f, g, h] = *ring[first..].first_chunk().expect("eight vertices");
    let low = Lane::simd_from(simd, [a.x, a.y, b.x, b.y, c.x, c.y, d.x, d.y]);
    let high = Lane::simd_from(simd, [e.x, e.y, f.x, f.y, g.x, g.y, h.x, h.y]);
    let (x, y) = low.deinterleave(high);
    Vectors { x, y }
}

/// A point in every lane.
#[inline(always)]
pub(super) fn everywhere<S: Simd>(simd: S, point: Point) -> Vectors<Lane<S>> {
    Vectors {
        x: Lane::splat(simd, point.x),
        y: Lane::splat(simd, point.y),
    }
}

/// Whether a ring has enough vertices for eight at a time, and so few that all can be looked at.
#[inline(always)]
pub(super) fn is_some(ring: &[Point]) -> bool {
    (LANES..=ALL).contains(&ring.len())
}

/// The first vertex of each eight; the last eight overlap those before them.
#[inline(always)]
pub(super) fn first(block: usize, count: usize) -> usize {
    (block * LANES).min(count - LANES)
}

/// Where eight edges start and end.
#[inline(always)]
pub(super) fn edges<S: Simd>(
    simd: S,
    ring: &[Point],
    block: usize,
) -> (Vectors<Lane<S>>, Vectors<Lane<S>>) {
    let first = first(block, ring.len());
    let start = eight(simd, ring, first);
    let end = if first + LANES < ring.len() {
        eight(simd, ring, first + 1)
    } else {
        start.with(everywhere(simd, ring[0]), slide_to_next)
    };
    (start, end)
}

/// What [`certainly_convex`] finds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Convexity {
    /// Which way the ring runs.
    pub(crate) clockwise: bool,
    /// The box round it, if it was needed.
    pub(crate) bounds: Option<Bounds>,
}

/// What was seen of a ring so far.
struct Seen<S: Simd> {
    low: Vectors<Lane<S>>,
    high: Vectors<Lane<S>>,
    /// The least and the most of the turns.
    least: Lane<S>,
    most: Lane<S>,
    /// NaN where any turn was.
    sum: Lane<S>,
}

impl<S: Simd> Seen<S> {
    /// Nothing.
    #[inline(always)]
    fn new(simd: S) -> Self {
        let least = Lane::splat(simd, f64::INFINITY);
        let most = Lane::splat(simd, f64::NEG_INFINITY);
        Self {
            low: Vectors { x: least, y: least },
            high: Vectors { x: most, y: most },
            least,
            most,
            sum: Lane::splat(simd, 0.0),
        }
    }

    /// Adds vertices and the turns from the edges that arrive there to those that leave.
    #[inline(always)]
    fn with(
        self,
        at: Vectors<Lane<S>>,
        incoming: Vectors<Lane<S>>,
        outgoing: Vectors<Lane<S>>,
    ) -> Self {
        let turn = incoming.cross(outgoing);
        Self {
            low: Vectors {
                x: self.low.x.smaller(at.x),
                y: self.low.y.smaller(at.y),
            },
            high: Vectors {
                x: self.high.x.larger(at.x),
                y: self.high.y.larger(at.y),
            },
            least: self.least.smaller(turn),
            most: self.most.larger(turn),
            sum: self.sum + turn,
        }
    }

    /// Which way all turns go, if beyond doubt.
    #[inline(always)]
    fn turns(&self) -> Option<Convexity> {
        let (low, high) = (self.low, self.high);
        let bounds = Bounds {
            min: Point::new(low.x.reduce_min(), low.y.reduce_min()),
            max: Point::new(high.x.reduce_max(), high.y.reduce_max()),
        };
        let size = size(&bounds);
        let error = box_error(size, size);
        let (least, most) = (self.least.reduce_min(), self.most.reduce_max());
        // A minimum may lose a NaN, a sum can't.
        let are_numbers = self.sum.same(self.sum).all_true();
        let clockwise = most < -error;
        (are_numbers && (clockwise || least > error)).then_some(Convexity {
            clockwise,
            bounds: Some(bounds),
        })
    }
}

/// The width and height of a box.
#[inline(always)]
pub(super) fn size(bounds: &Bounds) -> Vectors<f64> {
    Vectors::from(bounds.max) - Vectors::from(bounds.min)
}

/// As [`super::certainly_convex`], for [`LONG`] rings.
pub(super) fn certainly_convex(ring: &[Point]) -> Option<Convexity> {
    with_instructions!(simd => examine(simd, ring))
}

#[inline(always)]
fn examine<S: Simd>(simd: S, ring: &[Point]) -> Option<Convexity> {
    let count = ring.len();
    let last = count - LANES;
    let (first, end) = (everywhere(simd, ring[0]), everywhere(simd, ring[count - 1]));
    let mut seen = Seen::new(simd);
    let mut at = eight(simd, ring, 0);
    // What leaves the vertices before, the last of which comes first.
    let mut before = first - end;
    let mut last_ascends = goes_up(before).to_bitmask() >> (LANES - 1);
    // Round a convex ring this changes twice.
    let mut changes = 0;
    let mut start = 0;
    while start < count {
        // The last eight overlap those before them. Else each vertex is loaded but once.
        let place = start.min(last);
        let (after, next) = if place + LANES <= last {
            let next = eight(simd, ring, place + LANES);
            (at.with(next, slide_to_next), next)
        } else if place < last {
            (eight(simd, ring, place + 1), eight(simd, ring, last))
        } else {
            (at.with(first, slide_to_next), at)
        };
        let outgoing = after - at;
        let incoming = if place == start {
            before.with(outgoing, slide_to_previous)
        } else {
            at - eight(simd, ring, place - 1)
        };
        seen = seen.with(at, incoming, outgoing);
        let ascends = goes_up(outgoing).to_bitmask() >> (start - place);
        let size = LANES - (start - place);
        changes += ((ascends ^ (ascends << 1 | last_ascends)) & ((1 << size) - 1)).count_ones();
        last_ascends = ascends >> (size - 1);
        (before, at) = (outgoing, next);
        start += size;
    }
    if changes == 2 { seen.turns() } else { None }
}

/// Of eight numbers all but the first, then the first of those that follow.
#[inline(always)]
fn slide_to_next<S: Simd>(numbers: Lane<S>, following: Lane<S>) -> Lane<S> {
    numbers.slide::<1>(following)
}

/// The last of the numbers before, then of eight numbers all but the last.
#[inline(always)]
fn slide_to_previous<S: Simd>(before: Lane<S>, numbers: Lane<S>) -> Lane<S> {
    before.slide::<7>(numbers)
}

/// The best of the vertices seen so far, lane by lane.
struct Best<S: Simd> {
    along: Lane<S>,
    index: Lane<S>,
}

impl<S: Simd> Best<S> {
    #[inline(always)]
    fn offer(seen: Option<Self>, along: Lane<S>, index: Lane<S>) -> Self {
        match seen {
            None => Self { along, index },
            Some(seen) => {
                let is_farther = along.above(seen.along);
                Self {
                    along: is_farther.choose(along, seen.along),
                    index: is_farther.choose(index, seen.index),
                }
            }
        }
    }

    // A whole number, and one of a vertex.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    #[inline(always)]
    fn index(&self) -> usize {
        let most = self.along.all(self.along.reduce_max());
        // Where nothing is a number, any will do.
        let lane = self.along.same(most).to_bitmask().trailing_zeros() as usize;
        self.index.to_array()[lane % LANES] as usize
    }
}

/// How far points lie along a direction.
#[inline(always)]
fn along<L: Lanes>(way: Vec2, points: Vectors<L>) -> L {
    points.x * points.x.all(way.x) + points.y * points.y.all(way.y)
}

/// The numbers from this one on.
#[inline(always)]
fn counted<S: Simd>(simd: S, first: usize) -> Lane<S> {
    let numbers = Lane::simd_from(simd, [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]);
    numbers + Lane::splat(simd, first as f64)
}

/// The vertex farthest along a direction, rounding apart.
#[inline(always)]
pub(super) fn farthest<S: Simd>(simd: S, ring: &[Point], way: Vec2) -> usize {
    let count = ring.len();
    if count <= ALL {
        return farthest_from(simd, ring, 0, count - 1, way);
    }
    if count > SAMPLED {
        return by_halves(ring, way);
    }
    let (samples, mut best) = (count.div_ceil(STRIDE), None);
    for first in (0..samples).step_by(LANES) {
        let [mut x, mut y, mut index] = [[0.0; LANES]; 3];
        for lane in 0..LANES {
            let sample = (first + lane).min(samples - 1) * STRIDE;
            (x[lane], y[lane]) = (ring[sample].x, ring[sample].y);
            index[lane] = sample as f64;
        }
        let points = Vectors {
            x: Lane::simd_from(simd, x),
            y: Lane::simd_from(simd, y),
        };
        let index = Lane::simd_from(simd, index);
        best = Some(Best::offer(best, along(way, points), index));
    }
    let sample = match best {
        Some(best) => best.index(),
        None => 0,
    };
    let first = (sample + count - (STRIDE - 1)) % count;
    farthest_from(simd, ring, first, 2 * (STRIDE - 1), way)
}

/// The vertex farthest along a direction, of this one and so many that follow it; but it may be
/// another beside them.
#[inline(always)]
fn farthest_from<S: Simd>(
    simd: S,
    ring: &[Point],
    first: usize,
    following: usize,
    way: Vec2,
) -> usize {
    let count = ring.len();
    if count < LANES {
        let (mut best, mut most) = (0, f64::NEG_INFINITY);
        for (index, &vertex) in ring.iter().enumerate() {
            let value = along(way, Vectors::from(vertex));
            if value > most {
                (best, most) = (index, value);
            }
        }
        return best;
    }
    let (mut best, mut start, mut left) = (None, first, following + 1);
    loop {
        let block = start.min(count - LANES);
        let value = along(way, eight(simd, ring, block));
        best = Some(Best::offer(best, value, counted(simd, block)));
        let looked_at = block + LANES - start;
        if left <= looked_at {
            return match best {
                Some(best) => best.index(),
                None => first,
            };
        }
        left -= looked_at;
        start = if block + LANES == count {
            0
        } else {
            block + LANES
        };
    }
}

/// How far a place lies inside some of a ring's vertices: the least of its cross products with the
/// edges that lead from one to the next. In their order those are corners of a convex polygon too,
/// which leaves little of the ring out.
#[inline(always)]
pub(super) fn depth_among_samples<S: Simd>(simd: S, ring: &[Point], place: Point) -> f64 {
    let place = everywhere(simd, place);
    if ring.len() < 2 * LANES {
        let corners = samples(simd, ring, 0, LANES);
        return depth(corners, corners, place).reduce_min();
    }
    let [low, high] = [
        samples(simd, ring, 0, 2 * LANES),
        samples(simd, ring, LANES, 2 * LANES),
    ];
    let [first, second] = [depth(low, high, place), depth(high, low, place)];
    first.smaller(second).reduce_min()
}

/// Whether a place beyond doubt lies inside some vertices of a ring, counterclockwise and in this
/// box.
#[inline(always)]
pub(super) fn surely_holds<S: Simd>(
    simd: S,
    ring: &[Point],
    bounds: &Bounds,
    place: Point,
) -> bool {
    let size = size(&bounds.union(&place.into()));
    depth_among_samples(simd, ring, place) > box_error(size, size)
}

/// Eight vertices from the first on, of so many that are spread evenly round the ring.
#[inline(always)]
fn samples<S: Simd>(simd: S, ring: &[Point], first: usize, of: usize) -> Vectors<Lane<S>> {
    let mut eight = [ring[0]; LANES];
    for lane in 0..LANES {
        eight[lane] = ring[(first + lane) * ring.len() / of];
    }
    self::eight(simd, &eight, 0)
}

/// How far a place lies to the left of edges: from each corner to the next, and from the last to
/// the first of those that follow.
#[inline(always)]
fn depth<S: Simd>(
    corners: Vectors<Lane<S>>,
    following: Vectors<Lane<S>>,
    place: Vectors<Lane<S>>,
) -> Lane<S> {
    let next = corners.with(following, slide_to_next);
    (next - corners).cross(place - corners)
}

/// How many vertices after the first the one farthest along a direction is, if it is one of so
/// many that follow it.
#[inline(always)]
pub(super) fn farthest_within<S: Simd>(
    simd: S,
    ring: &[Point],
    first: usize,
    following: usize,
    way: Vec2,
) -> Option<usize> {
    let count = ring.len();
    let found = match following {
        0 => return Some(0),
        // Far more than a look at samples takes.
        _ if following > ALL => farthest(simd, ring, way),
        _ => farthest_from(simd, ring, first, following, way),
    };
    let after = if found < first { found + count } else { found } - first;
    (after <= following).then_some(after)
}

/// The lowest, the rightmost, the highest and the leftmost vertex of a ring in a box.
#[inline(always)]
pub(super) fn extremes<S: Simd>(simd: S, ring: &[Point], bounds: &Bounds) -> Option<[usize; 4]> {
    let (min, max) = (bounds.min, bounds.max);
    let count = ring.len();
    let found = if (LANES..=ALL).contains(&count) {
        let mut bits = [0_u64; 4];
        let mut start = 0;
        loop {
            let block = start.min(count - LANES);
            let Vectors { x, y } = eight(simd, ring, block);
            let places = [(y, min.y), (x, max.x), (y, max.y), (x, min.x)];
            for (bits, (own, extreme)) in bits.iter_mut().zip(places) {
                *bits |= own.same(own.all(extreme)).to_bitmask() << block;
            }
            start += LANES;
            if start >= count {
                break;
            }
        }
        bits.map(|bits| bits.trailing_zeros() as usize % count)
    } else {
        let ways = [(0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)];
        let mut found = [0; 4];
        for (found, (x, y)) in found.iter_mut().zip(ways) {
            *found = farthest(simd, ring, Vec2::new(x, y));
        }
        found
    };
    let [lowest, rightmost, highest, leftmost] = found.map(|index| ring[index]);
    let are_found =
        (lowest.y == min.y) & (rightmost.x == max.x) & (highest.y == max.y) & (leftmost.x == min.x);
    are_found.then_some(found)
}

/// The same as [`farthest`] by halves: where the edges, which turn once round, have turned to the
/// left of the direction by a right angle.
#[inline]
fn by_halves(ring: &[Point], way: Vec2) -> usize {
    use super::Cyclic;
    use crate::predicates::error_bounds::{cross, vector};
    let across = Vec2::new(-way.y, way.x);
    let edge = |index: usize| vector(ring[index], ring[ring.next(index)]);
    let first = edge(0);
    // Without branches, which would be taken at random.
    let past_half = |direction: Vec2| {
        let turned = cross(first, direction);
        let along = first.x * direction.x + first.y * direction.y;
        (turned < 0.0) | ((turned == 0.0) & (along < 0.0))
    };
    let goal_past_half = past_half(across);
    let (mut start, mut size) = (0, ring.len());
    while size > 0 {
        let middle = start + size / 2;
        let direction = edge(middle);
        let same_half = past_half(direction) == goal_past_half;
        let precedes =
            (same_half & (cross(direction, across) > 0.0)) | (!same_half & goal_past_half);
        start = if precedes { middle + 1 } else { start };
        size = if precedes {
            size - size / 2 - 1
        } else {
            size / 2
        };
    }
    if start == ring.len() { 0 } else { start }
}
