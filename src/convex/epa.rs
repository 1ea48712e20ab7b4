//! Overlap and the way out of large rings, by expanding a polygon inside the Minkowski difference
//! where it comes nearest to the origin (van den Bergen, 2001).
//!
//! The chords of that polygon are no farther from the origin than the difference behind them. Where
//! every chord but one is farther than an edge of the difference, no other edge can be nearer,
//! however the corners were found: floats may choose them, and only the nearest edge itself is
//! checked by exact predicates. Between rings of some dozens of vertices a look at all, eight edges
//! at a time, takes less time than that, and tells the nearest edge wherever only one comes in
//! question. With d(c) the distance of a chord's line, e a bound on its error
//! and m the least distance of an edge, d > m + 2 e leaves no doubt.

use fearless_simd::prelude::*;
use smallvec::SmallVec;

use super::filter::EdgeId;
use super::filter::axis::{Axis, EQUALLY_GOOD, Measure, ROUNDINGS, TINY, is_accurate};
use crate::convex::gjk::shared_middle;
use crate::convex::minkowski::{Corner, DifferenceEdge, MinkowskiDifference, Owner};
use crate::convex::ring::Cyclic;
use crate::convex::simd_ring::{self, LANES, Lane, extremes, farthest, farthest_within, size};
use crate::geom::{Bounds, Point, Vec2};
use crate::predicates::Sign;
use crate::predicates::error_bounds::{box_error, cross, error_along, vector};
use crate::simd::instructions::with_instructions;
use crate::simd::lanes::{Lanes, Mask, Vectors};

/// What is known of two rings' overlap.
pub(in crate::convex) struct EpaResult {
    /// Whether they intersect.
    pub(in crate::convex) intersects: bool,
    /// The edge of least overlap, or one that separates.
    pub(in crate::convex) named: EdgeId,
    /// What is measured along it, if floats are good enough.
    pub(in crate::convex) measure: Option<Measure<f64>>,
}

/// Overlap and the way out of two rings in these boxes, where floats can tell.
pub(in crate::convex) fn epa(
    difference: MinkowskiDifference<'_>,
    boxes: [Bounds; 2],
) -> Option<EpaResult> {
    with_instructions!(simd => epa_with(simd, difference, boxes))
}

#[inline(always)]
fn epa_with<S: Simd>(
    simd: S,
    difference: MinkowskiDifference<'_>,
    [box_a, box_b]: [Bounds; 2],
) -> Option<EpaResult> {
    let space = Space::new(difference, &box_a.union(&box_b))?;
    if !box_a.meets(&box_b) {
        return space.beside(simd, box_a, box_b);
    }
    if let Some(middle) = shared_middle(simd, difference, [box_a, box_b], space.error())
        && let Some(result) = space.nearest_of_all(simd, middle)
    {
        return Some(result);
    }
    let [low_a, right_a, high_a, left_a] = extremes(simd, difference.a(), &box_a)?;
    let [low_b, right_b, high_b, left_b] = extremes(simd, difference.b(), &box_b)?;
    // Between these the edges of both rings run in one quadrant, in which no sum of them cancels.
    let corners = [
        (high_a, low_b),
        (left_a, right_b),
        (low_a, high_b),
        (right_a, left_b),
    ];
    let corners = corners.map(|(a, b)| Corner { a, b });
    let [first, second, third, fourth] = corners;
    let mut open: SmallVec<[Chord; 32]> = SmallVec::new();
    for [from, to] in [
        [first, second],
        [second, third],
        [third, fourth],
        [fourth, first],
    ] {
        let edges = [
            after(difference.a(), from.a, to.a),
            after(difference.b(), from.b, to.b),
        ];
        space.push(&mut open, from, to, edges)?;
    }
    // The nearest last, where it is looked at first.
    open.sort_unstable_by(|one, other| other.distance.total_cmp(&one.distance));
    let mut least = NearestEdge {
        edge: None,
        distance: f64::INFINITY,
        second: f64::INFINITY,
    };
    let most = 24 + (difference.a().len() + difference.b().len()) / 4;
    for _ in 0..most {
        let Some(chord) = open.pop() else {
            return space.nearest(&least);
        };
        if chord.distance > least.distance + space.doubt {
            continue;
        }
        match chord.edges {
            [1, 0] => least.offer((Owner::A, chord.from), chord.distance),
            [0, 1] => least.offer((Owner::B, chord.from), chord.distance),
            _ => match space.divide(simd, &mut open, &chord) {
                Step::Divided => {}
                Step::Apart(apart) => return Some(apart),
                Step::Hidden => return None,
            },
        }
        if least.distance < -space.doubt {
            return space.separating(&[least.edge?]);
        }
    }
    None
}

/// How many steps lead from one vertex to another.
#[inline(always)]
fn after(ring: &[Point], from: usize, to: usize) -> usize {
    if to < from {
        to + ring.len() - from
    } else {
        to - from
    }
}

/// A stretch of the difference's difference and the chord that cuts it off.
#[derive(Clone, Copy)]
struct Chord {
    from: Corner,
    to: Corner,
    /// How many edges of either ring there are between.
    edges: [usize; 2],
    direction: Vec2,
    /// The distance of the origin from its line, negative if it is beyond.
    distance: f64,
}

/// What came of dividing a stretch.
enum Step {
    /// It was divided.
    Divided,
    /// The origin lies beyond.
    Apart(EpaResult),
    /// Rounding hides the place.
    Hidden,
}

/// The nearest edge so far.
struct NearestEdge {
    edge: Option<EdgeId>,
    distance: f64,
    /// The distance of the next.
    second: f64,
}

impl NearestEdge {
    #[inline(always)]
    fn offer(&mut self, edge: EdgeId, distance: f64) {
        if distance < self.distance {
            self.second = self.distance;
            (self.edge, self.distance) = (Some(edge), distance);
        } else {
            self.second = self.second.min(distance);
        }
    }
}

/// Two rings and how well distances are known.
struct Space<'r> {
    difference: MinkowskiDifference<'r>,
    size: Vectors<f64>,
    /// Twice the most by which a distance can be wrong.
    doubt: f64,
}

impl<'r> Space<'r> {
    /// Of the rings in a box, if it is a usual one.
    ///
    /// A chord's direction is a sum of two differences of the same sign, rounded twice in all, and
    /// its gap a difference: with the product and the sum, five roundings of terms whose sizes sum
    /// to `|d.x| size.y + |d.y| size.x`, at most the length times `size.x + size.y`. The length
    /// has five roundings of a distance that is no more than that sum. `box_error` allows for
    /// eight, so twice that much covers both.
    #[inline(always)]
    fn new(difference: MinkowskiDifference<'r>, bounds: &Bounds) -> Option<Self> {
        let size = size(bounds);
        let one = Vectors { x: 1.0, y: 1.0 };
        box_error(size, size).is_finite().then(|| Self {
            difference,
            size,
            doubt: 4.0 * error_along(one, size),
        })
    }

    /// The most by which a cross product can be wrong.
    #[inline(always)]
    fn error(&self) -> f64 {
        box_error(self.size, self.size)
    }

    /// The nearest edge of rings that share this place, if a look at all of them takes little time
    /// and no other can be as near.
    #[inline(always)]
    fn nearest_of_all<S: Simd>(&self, simd: S, middle: Point) -> Option<EpaResult> {
        let (a, b) = (self.difference.a(), self.difference.b());
        if !(simd_ring::is_some(a) && simd_ring::is_some(b)) {
            return None;
        }
        let reaches = [
            EdgeDepths::new(simd, a, b, middle),
            EdgeDepths::new(simd, b, a, middle),
        ];
        let least = EdgeDepths::least(&reaches)?;
        // Two centered products and their difference make ten roundings of terms of which the doubt
        // allows for 32: no such distance is wrong by more than half of it.
        let limit = least.sqrt() + 4.0 * self.doubt;
        let [of_a, of_b] = [reaches[0].within(limit), reaches[1].within(limit)];
        let is_sure = least.sqrt() > 4.0 * self.doubt && of_a.count_ones() + of_b.count_ones() == 1;
        if !is_sure {
            return None;
        }
        let (owner, ring, other, bits) = if of_a == 0 {
            (Owner::B, b, a, of_b)
        } else {
            (Owner::A, a, b, of_a)
        };
        let index = bits.trailing_zeros() as usize;
        let edge = ring.edge(index);
        let direction = vector(edge.start, edge.end);
        let deepest = farthest(simd, other, Vec2::new(-direction.y, direction.x));
        let from = match owner {
            Owner::A => Corner {
                a: index,
                b: deepest,
            },
            Owner::B => Corner {
                a: deepest,
                b: index,
            },
        };
        let edge = self.difference.true_edge(owner, from)?;
        Some(self.result(true, edge))
    }

    /// From b to a at a corner, rounded.
    #[inline(always)]
    fn gap(&self, corner: Corner) -> Vec2 {
        let (a, b) = self.difference.vertices(corner);
        vector(b, a)
    }

    /// Adds the chord of a stretch, unless it is but a corner. None if it is too short.
    #[inline(always)]
    fn push(
        &self,
        open: &mut SmallVec<[Chord; 32]>,
        from: Corner,
        to: Corner,
        edges: [usize; 2],
    ) -> Option<()> {
        if edges == [0, 0] {
            return Some(());
        }
        let (start_a, start_b) = self.difference.vertices(from);
        let (end_a, end_b) = self.difference.vertices(to);
        let (of_a, of_b) = (vector(end_a, start_a), vector(start_b, end_b));
        let direction = Vec2::new(of_a.x + of_b.x, of_a.y + of_b.y);
        let square = Vectors::from(direction).length_squared();
        let is_usual = square > TINY;
        if is_usual {
            open.push(Chord {
                from,
                to,
                edges,
                direction,
                distance: cross(direction, self.gap(from)) / square.sqrt(),
            });
        }
        is_usual.then_some(())
    }

    /// Divides a stretch where it lies farthest from its chord; or tells that the origin lies
    /// beyond.
    #[inline(always)]
    fn divide<S: Simd>(&self, simd: S, open: &mut SmallVec<[Chord; 32]>, chord: &Chord) -> Step {
        let Chord { from, to, .. } = *chord;
        let (a, b) = (self.difference.a(), self.difference.b());
        let [count_a, count_b] = chord.edges;
        let way = Vec2::new(-chord.direction.y, chord.direction.x);
        let (of_a, of_b) = if chord.edges == [1, 1] {
            // The edge that turns less comes first, that of a if they are parallel.
            let of_a = vector(a[to.a], a[from.a]);
            let of_b = vector(b[from.b], b[to.b]);
            if cross(of_a, of_b) >= 0.0 {
                (1, 0)
            } else {
                (0, 1)
            }
        } else {
            let of_a = farthest_within(simd, a, from.a, count_a, way);
            let of_b = farthest_within(simd, b, from.b, count_b, -way);
            let (Some(of_a), Some(of_b)) = (of_a, of_b) else {
                return Step::Hidden;
            };
            (of_a, of_b)
        };
        let rest = [count_a - of_a, count_b - of_b];
        if [of_a, of_b] == [0, 0] || rest == [0, 0] {
            return Step::Hidden;
        }
        let wrapped = |ring: &[Point], index: usize| {
            if index < ring.len() {
                index
            } else {
                index - ring.len()
            }
        };
        let middle = Corner {
            a: wrapped(a, from.a + of_a),
            b: wrapped(b, from.b + of_b),
        };
        if cross(chord.direction, self.gap(middle)) < 0.0 {
            let edges = [
                self.difference.arriving(middle),
                self.difference.leaving(middle),
            ];
            let edges = edges.map(|edge| (edge.owner, edge.from));
            if let Some(apart) = self.separating(&edges) {
                return Step::Apart(apart);
            }
        }
        let size = open.len();
        if self.push(open, from, middle, [of_a, of_b]).is_none()
            || self.push(open, middle, to, rest).is_none()
        {
            return Step::Hidden;
        }
        if let [.., first, second] = &mut open[size..]
            && first.distance < second.distance
        {
            std::mem::swap(first, second);
        }
        Step::Divided
    }

    /// The edge that is nearest, if no other can be nearer.
    fn nearest(&self, least: &NearestEdge) -> Option<EpaResult> {
        let &NearestEdge {
            edge,
            distance,
            second,
        } = least;
        let is_inside = distance > self.doubt;
        let is_least = second > distance + self.doubt;
        let as_good = 2.0 * self.doubt <= EQUALLY_GOOD * distance;
        let (owner, from) = edge?;
        let edge = self.difference.true_edge(owner, from)?;
        (is_inside && (is_least || as_good)).then(|| self.result(true, edge))
    }

    /// Of boxes apart: an edge beside the corner that lies nearest separates the rings.
    #[inline(always)]
    fn beside<S: Simd>(&self, simd: S, box_a: Bounds, box_b: Bounds) -> Option<EpaResult> {
        // Whither a would have to go to meet b.
        let way = if box_a.max.x < box_b.min.x {
            Vec2::new(1.0, 0.0)
        } else if box_b.max.x < box_a.min.x {
            Vec2::new(-1.0, 0.0)
        } else if box_a.max.y < box_b.min.y {
            Vec2::new(0.0, 1.0)
        } else {
            Vec2::new(0.0, -1.0)
        };
        let corner = Corner {
            a: farthest(simd, self.difference.a(), way),
            b: farthest(simd, self.difference.b(), -way),
        };
        let edges = [
            self.difference.arriving(corner),
            self.difference.leaving(corner),
        ];
        self.separating(&edges.map(|edge| (edge.owner, edge.from)))
    }

    /// The first of some edges that separates the rings beyond doubt.
    ///
    /// Where the difference lies short of the origin along a direction, one of the two edges at
    /// its farthest corner does: else the origin would lie in the corner between their lines.
    fn separating(&self, edges: &[EdgeId]) -> Option<EpaResult> {
        let true_edge = |&(owner, from): &EdgeId| self.difference.true_edge(owner, from);
        let mut edges = edges.iter().filter_map(true_edge);
        edges
            .find(|edge| edge.support.overlap() == Sign::Negative)
            .map(|edge| self.result(false, edge))
    }

    fn result(&self, intersects: bool, edge: DifferenceEdge) -> EpaResult {
        let direction = edge.support.direction;
        let direction = vector(direction.start, direction.end);
        let overlap = cross(direction, self.gap(edge.from));
        let error = error_along(direction.into(), self.size);
        let axis = Axis::new(direction.into(), overlap, error);
        let is_sure = axis.length_squared > TINY && error > 0.0 && is_accurate(&axis, error);
        EpaResult {
            intersects,
            named: (edge.owner, edge.from),
            measure: is_sure.then(|| Measure::of(&axis)),
        }
    }
}

/// How deep another ring lies behind the edges of one, eight edges at a time.
struct EdgeDepths<S: Simd> {
    /// The square of the depth, times that of the length.
    squares: [Lane<S>; simd_ring::MOST],
    lengths_squared: [Lane<S>; simd_ring::MOST],
    /// How many edges there are.
    count: usize,
    is_usual: bool,
}

impl<S: Simd> EdgeDepths<S> {
    #[inline(always)]
    fn new(simd: S, ring: &[Point], others: &[Point], middle: Point) -> Self {
        let zero = Lane::splat(simd, 0.0);
        let [mut squares, mut lengths_squared] = [[zero; simd_ring::MOST]; 2];
        let mut centered = [Vectors { x: 0.0, y: 0.0 }; simd_ring::ALL];
        let centered = &mut centered[..others.len()];
        for index in 0..others.len() {
            centered[index] = Vectors::from(others[index]) - Vectors::from(middle);
        }
        let middle = simd_ring::everywhere(simd, middle);
        let [mut least, mut shortest] = [Lane::splat(simd, f64::INFINITY); 2];
        for block in 0..ring.len().div_ceil(LANES) {
            let (start, end) = simd_ring::edges(simd, ring, block);
            let direction = end - start;
            let (fours, rest) = centered.as_chunks::<4>();
            let mut deepest = Lane::splat(simd, f64::NEG_INFINITY);
            for four in fours {
                let [first, second] = [
                    along(direction, four[0]).larger(along(direction, four[1])),
                    along(direction, four[2]).larger(along(direction, four[3])),
                ];
                deepest = deepest.larger(first.larger(second));
            }
            for other in rest {
                deepest = deepest.larger(along(direction, *other));
            }
            let overlap = deepest - direction.cross(start - middle);
            squares[block] = overlap * overlap;
            lengths_squared[block] = direction.length_squared();
            least = least.smaller(overlap);
            shortest = shortest.smaller(lengths_squared[block]);
        }
        Self {
            squares,
            lengths_squared,
            count: ring.len(),
            is_usual: least.reduce_min() > 0.0 && shortest.reduce_min() > TINY,
        }
    }

    /// The least square of a depth, if all are above zero.
    #[inline(always)]
    fn least(all: &[Self; 2]) -> Option<f64> {
        if !(all[0].is_usual && all[1].is_usual) {
            return None;
        }
        let (mut square, mut length_squared) = (all[0].squares[0], all[0].lengths_squared[0]);
        for reaches in all {
            for block in 0..reaches.count.div_ceil(LANES) {
                let (own, length) = (reaches.squares[block], reaches.lengths_squared[block]);
                let is_less = (square * length).above(own * length_squared);
                square = is_less.choose(own, square);
                length_squared = is_less.choose(length, length_squared);
            }
        }
        Some((square / length_squared).reduce_min())
    }

    /// A bit for each edge that the other ring lies no deeper behind, or hardly.
    #[inline(always)]
    fn within(&self, depth: f64) -> u64 {
        let limit = depth * depth * (1.0 + ROUNDINGS);
        let mut bits = 0;
        for block in 0..self.count.div_ceil(LANES) {
            let (own, length) = (self.squares[block], self.lengths_squared[block]);
            let found = !own.above(length * length.all(limit));
            bits |= found.to_bitmask() << simd_ring::first(block, self.count);
        }
        bits
    }
}

/// `direction × vector` for directions and one vector.
#[inline(always)]
fn along<S: Simd>(direction: Vectors<Lane<S>>, vector: Vectors<f64>) -> Lane<S> {
    direction.x * direction.x.all(vector.y) - direction.y * direction.y.all(vector.x)
}
