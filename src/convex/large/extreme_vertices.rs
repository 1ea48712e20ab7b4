//! The vertices of a ring farthest along a direction, found eight at a time.

use fearless_simd::prelude::*;

use crate::convex::table::load_vertices::eight;
use crate::geom::{Bounds, Point, Vec2};
use crate::simd::instructions::with_instructions;
use crate::simd::lanes::{Lanes, Mask, Vectors};
use crate::simd::load::{LANES, Lane};

/// Vertices up to which comparing all takes less time than comparing samples first.
pub(crate) const ALL: usize = 64;

/// Distance of samples, in vertices: the fewest, and the part of a longer stretch. The samples lie in
/// few cache lines, loaded side by side.
const STRIDE: usize = 16;
const SAMPLES: usize = 32;

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
pub(crate) fn farthest<S: Simd>(simd: S, ring: &[Point], direction: Vec2) -> usize {
    farthest_from(simd, ring, 0, ring.len(), direction)
}

/// [`farthest`], compiled for the instructions of this machine.
pub(crate) fn farthest_vertex(ring: &[Point], direction: Vec2) -> usize {
    with_instructions!(simd => farthest(simd, ring, direction))
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
            let points = Vectors::new(Lane::simd_from(simd, x), Lane::simd_from(simd, y));
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
