//! A ring's vertices eight at a time: convexity, extreme vertices, points inside. One file, since all
//! share the loading of eight vertices and of the edges from them.

use fearless_simd::{f64x8, prelude::*};

use crate::geom::{Bounds, Point, Vec2};
use crate::predicates::error_bounds::{box_error, certainly_positive};
use crate::simd::instructions::with_instructions;
use crate::simd::lanes::{Lanes, Mask, Vectors};
use crate::simd::tile;

/// Vertices compared at once.
pub(super) const LANES: usize = 8;

/// Vertices from which on eight at a time take less time than one by one.
pub(super) const LONG: usize = 12;

/// Vertices up to which comparing all takes less time than comparing samples first.
pub(super) const ALL: usize = 64;

/// Distance of samples, in vertices: the fewest, and the part of a longer stretch. The samples lie in
/// few cache lines, loaded side by side.
const STRIDE: usize = 16;
const SAMPLES: usize = 32;

pub(super) type Lane<S> = f64x8<S>;

/// Eight vertices from `first` on.
#[inline(always)]
fn eight<S: Simd>(simd: S, ring: &[Point], first: usize) -> Vectors<Lane<S>> {
    tile::points(simd, ring[first..].first_chunk().expect("eight vertices"))
}

/// The first vertex of a block of eight; the last block overlaps the one before.
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
        start.with(tile::splat(simd, ring[0]), slide_to_next)
    };
    (start, end)
}

/// A ring that is certainly convex.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Convexity {
    /// Its winding.
    pub(crate) clockwise: bool,
    /// Its bounding box, if that was computed.
    pub(crate) bounds: Option<Bounds>,
}

/// Whether an edge goes to the right, or straight up.
#[inline(always)]
pub(super) fn ascending<L: Lanes>(edge: Vectors<L>) -> L::Mask {
    let zero = edge.x.all(0.0);
    edge.x.above(zero) | (edge.x.same(zero) & edge.y.above(zero))
}

/// The bounding box of the vertices visited so far, and the range of the turns there.
struct Visited<S: Simd> {
    low: Vectors<Lane<S>>,
    high: Vectors<Lane<S>>,
    least_turn: Lane<S>,
    most_turn: Lane<S>,
    /// NaN if any turn is NaN.
    sum_of_turns: Lane<S>,
}

impl<S: Simd> Visited<S> {
    #[inline(always)]
    fn none(simd: S) -> Self {
        let infinity = Lane::splat(simd, f64::INFINITY);
        let minus_infinity = Lane::splat(simd, f64::NEG_INFINITY);
        Self {
            low: Vectors::both(infinity),
            high: Vectors::both(minus_infinity),
            least_turn: infinity,
            most_turn: minus_infinity,
            sum_of_turns: Lane::splat(simd, 0.0),
        }
    }

    /// Adds vertices with the edges that end and those that start there.
    #[inline(always)]
    fn with(
        self,
        vertices: Vectors<Lane<S>>,
        incoming: Vectors<Lane<S>>,
        outgoing: Vectors<Lane<S>>,
    ) -> Self {
        let turn = incoming.cross(outgoing);
        Self {
            low: self.low.with(vertices, Lane::smaller),
            high: self.high.with(vertices, Lane::larger),
            least_turn: self.least_turn.smaller(turn),
            most_turn: self.most_turn.larger(turn),
            sum_of_turns: self.sum_of_turns + turn,
        }
    }

    /// The winding, if all turns certainly go to one side.
    #[inline(always)]
    fn convexity(&self) -> Option<Convexity> {
        let (low, high) = (self.low, self.high);
        let bounds = Bounds {
            min: Point::new(low.x.reduce_min(), low.y.reduce_min()),
            max: Point::new(high.x.reduce_max(), high.y.reduce_max()),
        };
        let size = size(&bounds);
        let error = box_error(size, size);
        let (least, most) = (self.least_turn.reduce_min(), self.most_turn.reduce_max());
        // A minimum may lose a NaN, a sum can't.
        let are_numbers = self.sum_of_turns.same(self.sum_of_turns).all_true();
        let clockwise = certainly_positive(-most, error);
        (are_numbers && (clockwise || certainly_positive(least, error))).then_some(Convexity {
            clockwise,
            bounds: Some(bounds),
        })
    }
}

/// The width and height of a bounding box.
#[inline(always)]
pub(super) fn size(bounds: &Bounds) -> Vectors<f64> {
    bounds.max - bounds.min
}

/// The same as [`super::certainly_convex`], for rings of [`LONG`] and more vertices.
pub(super) fn certainly_convex(ring: &[Point]) -> Option<Convexity> {
    with_instructions!(simd => convexity(simd, ring))
}

#[inline(always)]
fn convexity<S: Simd>(simd: S, ring: &[Point]) -> Option<Convexity> {
    let count = ring.len();
    let last_block = count - LANES;
    let first = tile::splat(simd, ring[0]);
    let mut visited = Visited::none(simd);
    let mut vertices = eight(simd, ring, 0);
    // The edges of the block before; of the first block the one that ends there comes last.
    let mut before = first - tile::splat(simd, ring[count - 1]);
    let mut last_ascends = ascending(before).to_bitmask() >> (LANES - 1);
    // Round a convex ring this changes twice.
    let mut changes = 0;
    let mut start = 0;
    while start < count {
        // The last block overlaps the one before. Else each vertex is loaded but once.
        let block = start.min(last_block);
        let (ends, next) = if block + LANES <= last_block {
            let next = eight(simd, ring, block + LANES);
            (vertices.with(next, slide_to_next), next)
        } else if block < last_block {
            (eight(simd, ring, block + 1), eight(simd, ring, last_block))
        } else {
            (vertices.with(first, slide_to_next), vertices)
        };
        let outgoing = ends - vertices;
        let incoming = if block == start {
            before.with(outgoing, slide_to_previous)
        } else {
            vertices - eight(simd, ring, block - 1)
        };
        visited = visited.with(vertices, incoming, outgoing);
        let ascends = ascending(outgoing).to_bitmask() >> (start - block);
        let size = LANES - (start - block);
        changes += ((ascends ^ (ascends << 1 | last_ascends)) & ((1 << size) - 1)).count_ones();
        last_ascends = ascends >> (size - 1);
        (before, vertices) = (outgoing, next);
        start += size;
    }
    if changes == 2 {
        visited.convexity()
    } else {
        None
    }
}

/// All but the first of eight numbers, then the first of the following eight.
#[inline(always)]
fn slide_to_next<S: Simd>(numbers: Lane<S>, following: Lane<S>) -> Lane<S> {
    numbers.slide::<1>(following)
}

/// The last of the eight numbers before, then all but the last of eight.
#[inline(always)]
fn slide_to_previous<S: Simd>(before: Lane<S>, numbers: Lane<S>) -> Lane<S> {
    before.slide::<7>(numbers)
}

/// The farthest vertex so far, lane by lane.
struct Farthest<S: Simd> {
    position: Lane<S>,
    index: Lane<S>,
}

impl<S: Simd> Farthest<S> {
    #[inline(always)]
    fn of(so_far: Option<Self>, position: Lane<S>, index: Lane<S>) -> Self {
        match so_far {
            None => Self { position, index },
            Some(so_far) => {
                let is_farther = position.above(so_far.position);
                Self {
                    position: is_farther.choose(position, so_far.position),
                    index: is_farther.choose(index, so_far.index),
                }
            }
        }
    }

    // The number is the index of a vertex.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    #[inline(always)]
    fn index(&self) -> usize {
        let most = self.position.all(self.position.reduce_max());
        // If all positions are NaN, any lane will do.
        let lane = self.position.same(most).to_bitmask().trailing_zeros() as usize;
        self.index.to_array()[lane % LANES] as usize
    }
}

/// The positions of points along a direction.
#[inline(always)]
fn along<L: Lanes>(direction: Vec2, points: Vectors<L>) -> L {
    points.x * points.x.all(direction.x) + points.y * points.y.all(direction.y)
}

/// The vertex farthest along a direction, rounding apart.
#[inline(always)]
pub(super) fn farthest<S: Simd>(simd: S, ring: &[Point], direction: Vec2) -> usize {
    farthest_from(simd, ring, 0, ring.len(), direction)
}

/// The vertex farthest along a direction in a stretch of so many vertices from `first` on, rounding
/// apart; it may be one beside the stretch.
#[inline(always)]
fn farthest_from<S: Simd>(
    simd: S,
    ring: &[Point],
    mut first: usize,
    mut size: usize,
    direction: Vec2,
) -> usize {
    let count = ring.len();
    let wrapped = |index: usize| if index < count { index } else { index - count };
    while size > ALL {
        // The position rises and falls once: the farthest vertex lies beside the farthest sample.
        let stride = STRIDE.max(size / SAMPLES);
        let (samples, mut best) = (size.div_ceil(stride), None);
        for block in (0..samples).step_by(LANES) {
            let [mut x, mut y, mut index] = [[0.0; LANES]; 3];
            for lane in 0..LANES {
                let sample = wrapped(first + (block + lane).min(samples - 1) * stride);
                (x[lane], y[lane]) = (ring[sample].x, ring[sample].y);
                index[lane] = sample as f64;
            }
            let points = Vectors {
                x: Lane::simd_from(simd, x),
                y: Lane::simd_from(simd, y),
            };
            let position = along(direction, points);
            best = Some(Farthest::of(best, position, Lane::simd_from(simd, index)));
        }
        let sample = match best {
            Some(best) => best.index(),
            None => first,
        };
        first = wrapped(sample + count - (stride - 1));
        size = 2 * stride - 1;
    }
    if count < LANES {
        let (mut best, mut most) = (0, f64::NEG_INFINITY);
        for (index, &vertex) in ring.iter().enumerate() {
            let position = along(direction, Vectors::from(vertex));
            if position > most {
                (best, most) = (index, position);
            }
        }
        return best;
    }
    let lanes = Lane::simd_from(simd, [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]);
    let (mut best, mut start, mut left) = (None, first, size);
    loop {
        let block = start.min(count - LANES);
        let position = along(direction, eight(simd, ring, block));
        let index = lanes + Lane::splat(simd, block as f64);
        let farthest = Farthest::of(best, position, index);
        let compared = block + LANES - start;
        if left <= compared {
            return farthest.index();
        }
        best = Some(farthest);
        left -= compared;
        start = wrapped(block + LANES);
    }
}

/// How far a point lies inside the polygon of some of a ring's vertices, which is convex too and
/// leaves out little of the ring: the least cross product of its edges with the point.
#[inline(always)]
pub(super) fn depth_among_samples<S: Simd>(simd: S, ring: &[Point], point: Point) -> f64 {
    let point = tile::splat(simd, point);
    if ring.len() < 2 * LANES {
        let corners = samples(simd, ring, 0, LANES);
        return depth(corners, corners, point).reduce_min();
    }
    let [low, high] = [
        samples(simd, ring, 0, 2 * LANES),
        samples(simd, ring, LANES, 2 * LANES),
    ];
    let [first, second] = [depth(low, high, point), depth(high, low, point)];
    first.smaller(second).reduce_min()
}

/// Whether a point certainly lies inside a counterclockwise ring with these bounds, as far as some
/// of its vertices tell.
#[inline(always)]
pub(super) fn surely_holds<S: Simd>(
    simd: S,
    ring: &[Point],
    bounds: &Bounds,
    point: Point,
) -> bool {
    let size = size(&bounds.union(&point.into()));
    certainly_positive(
        depth_among_samples(simd, ring, point),
        box_error(size, size),
    )
}

/// Eight samples from the first on, of so many at equal distances round the ring.
#[inline(always)]
fn samples<S: Simd>(simd: S, ring: &[Point], first: usize, of: usize) -> Vectors<Lane<S>> {
    let mut eight = [ring[0]; LANES];
    for lane in 0..LANES {
        eight[lane] = ring[(first + lane) * ring.len() / of];
    }
    self::eight(simd, &eight, 0)
}

/// How far a point lies to the left of the edges from each corner to the next, the last one to the
/// first of the corners that follow.
#[inline(always)]
fn depth<S: Simd>(
    corners: Vectors<Lane<S>>,
    following: Vectors<Lane<S>>,
    point: Vectors<Lane<S>>,
) -> Lane<S> {
    let next = corners.with(following, slide_to_next);
    (next - corners).cross(point - corners)
}

/// How many vertices after `first` the one farthest along a direction is, if it is one of so many
/// that follow.
#[inline(always)]
pub(super) fn farthest_within<S: Simd>(
    simd: S,
    ring: &[Point],
    first: usize,
    following: usize,
    direction: Vec2,
) -> Option<usize> {
    if following == 0 {
        return Some(0);
    }
    let found = farthest_from(simd, ring, first, following + 1, direction);
    let wraps = found < first;
    let after = if wraps { found + ring.len() } else { found } - first;
    (after <= following).then_some(after)
}

/// The lowest, the rightmost, the highest and the leftmost vertex of a ring with these bounds.
#[inline(always)]
pub(super) fn extremes<S: Simd>(simd: S, ring: &[Point], bounds: &Bounds) -> Option<[usize; 4]> {
    let (min, max) = (bounds.min, bounds.max);
    let count = ring.len();
    // For 64-gons that are apart SAT takes a tenth fewer instructions than by `farthest`.
    let found = if (LANES..=ALL).contains(&count) {
        let mut bits = [0_u64; 4];
        let mut start = 0;
        loop {
            let block = start.min(count - LANES);
            let Vectors { x, y } = eight(simd, ring, block);
            let extremes = [(y, min.y), (x, max.x), (y, max.y), (x, min.x)];
            for (bits, (own, extreme)) in bits.iter_mut().zip(extremes) {
                *bits |= own.same(own.all(extreme)).to_bitmask() << block;
            }
            start += LANES;
            if start >= count {
                break;
            }
        }
        bits.map(|bits| bits.trailing_zeros() as usize % count)
    } else {
        let directions = [(0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)];
        let mut found = [0; 4];
        for (found, (x, y)) in found.iter_mut().zip(directions) {
            *found = farthest(simd, ring, Vec2::new(x, y));
        }
        found
    };
    let [lowest, rightmost, highest, leftmost] = found.map(|index| ring[index]);
    let are_found =
        (lowest.y == min.y) & (rightmost.x == max.x) & (highest.y == max.y) & (leftmost.x == min.x);
    are_found.then_some(found)
}
