//! Overlaps of rings that touch up to rounding, as neighbours do in a map that was turned: by products that keep their
//! rounding errors.

use super::axis::{Axis, LeastOverlap, Measure, axis};
use super::lane_corners::Corners;
use super::support_table::SupportTable;
use crate::predicates::bounds::error_bounds::box_error;
use crate::predicates::numbers::compensated_differences::{Compensated, PRECISE};
use crate::predicates::numbers::verdict::Verdict;
use crate::predicates::signs::depth_comparison::has_margin;
use crate::simd::lanes::{Lanes, Mask, Scratch, Vectors};
use crate::simd::load::MOST_IN_A_TILE;

/// How far a ring reaches behind an edge of another, times the edge's length.
#[derive(Clone, Copy, Debug)]
struct PreciseOverlap<L> {
    overlap: L,
    /// Bound on its error; zero where the overlap is exactly zero.
    error: L,
    /// The overlap as the exact form computes it; NaN where two vertices are equally deep, and it could be of either.
    value: L,
}

impl<L: Lanes> Scratch<L> for PreciseOverlap<L> {
    #[inline(always)]
    fn scratch(like: L) -> Self {
        Self {
            overlap: like,
            error: like,
            value: like,
        }
    }
}

impl<L: Lanes> PreciseOverlap<L> {
    /// The overlap behind the edge that starts at a vertex, given the error bound of cross products in the rings' common
    /// bounding box.
    #[inline(always)]
    fn behind<R: Corners<L> + ?Sized>(ring: &R, index: usize, others: &R, error: L) -> Self {
        let [start, end] = ring.ends(index);
        let edge = Compensated::new(end, start);
        let zero = error.all(0.0);
        let nothing = zero.all(f64::NEG_INFINITY);
        let [mut deepest, mut value] = [nothing; 2];
        let mut touches = zero.above(zero);
        for other in 0..others.count() {
            let vertex = others.corner(other);
            let gap = Compensated::new(vertex, start);
            let (rounded, is_accurate) = edge.rounded_cross(&gap);
            let (depth, is_exact) = edge.cross(&gap);
            // At an end of the edge the product need not tell that it is zero.
            let is_end = are_same(vertex, start) | are_same(vertex, end);
            let is_on_line = is_end | (is_exact & depth.same(zero));
            let depth = is_on_line.choose(nothing, depth);
            let own = is_accurate.choose(rounded, depth);
            let is_unclear = depth.same(deepest) & !own.same(value);
            value = depth.above(deepest).choose(own, value);
            value = is_unclear.choose(zero.all(f64::NAN), value);
            deepest = deepest.larger(depth);
            touches = touches | is_on_line;
        }
        let error = error * error.all(PRECISE);
        let is_zero = touches & (zero - error).above(deepest);
        Self {
            overlap: is_zero.choose(zero, deepest),
            error: is_zero.choose(zero, error),
            value: is_zero.choose(zero, value),
        }
    }

    /// Whether it is at least zero.
    #[inline(always)]
    fn verdict(&self) -> Verdict<L> {
        Verdict::at_least_zero(self.overlap, self.error)
    }
}

#[inline(always)]
fn are_same<L: Lanes>(one: Vectors<L>, other: Vectors<L>) -> L::Mask {
    one.x.same(other.x) & one.y.same(other.y)
}

/// Whether two rings, whose common bounding box has this size, have a point in common, in the lanes that are open. Not
/// inlined: few kernels need it, and all share it.
#[inline(never)]
pub(crate) fn overlaps_precisely<L: Lanes, R: Corners<L> + ?Sized>(
    [a, b]: [&R; 2],
    size: Vectors<L>,
    open: L::Mask,
) -> Verdict<L> {
    size.x.vectorize(
        #[inline(always)]
        || {
            let error = box_error(size, size);
            let (mut yes, mut no) = (open, open & !open);
            for [ring, others] in [[a, b], [b, a]] {
                for index in 0..ring.count() {
                    let is_behind = rough_overlap(ring, index, others).above(error);
                    if (open & !is_behind).any() {
                        let verdict = PreciseOverlap::behind(ring, index, others, error).verdict();
                        yes = yes & (is_behind | verdict.yes);
                        no = no | (open & verdict.no);
                    }
                }
            }
            Verdict { yes, no }
        },
    )
}

#[inline(always)]
fn rough_overlap<L: Lanes, R: Corners<L> + ?Sized>(ring: &R, index: usize, others: &R) -> L {
    let (start, edge) = (ring.corner(index), ring.edge_vector(index));
    let mut deepest = edge.cross(others.corner(0) - start);
    for other in 1..others.count() {
        deepest = deepest.larger(edge.cross(others.corner(other) - start));
    }
    deepest
}

/// The most edges of two rings in a tile.
const MOST_EDGES: usize = 2 * MOST_IN_A_TILE;

/// Of two rings in the lanes that are open: where they certainly meet and the least overlap is certain; its size and
/// normal, as the exact form finds them, to the bit; and its axis in the table, with that of the other lanes. Not inlined,
/// as [`overlaps_precisely`].
#[inline(never)]
pub(crate) fn least_precisely<L: Lanes, R: Corners<L> + ?Sized>(
    table: &SupportTable<'_, L, R>,
    open: L::Mask,
    others: &Axis<L>,
) -> (L::Mask, Measure<L>, Axis<L>) {
    if table.is_thin() || table.edges.len() > MOST_EDGES {
        return (open & !open, Measure::of(others), *others);
    }
    table.error.vectorize(
        #[inline(always)]
        || {
            let mut scratch = [PreciseOverlap::scratch(table.error); MOST_EDGES];
            let overlaps = &mut scratch[..table.edges.len()];
            let are_known = measure(table, open, overlaps);
            let least = LeastOverlap::of(
                overlaps.len(),
                #[inline(always)]
                |index| precise_axis(table, overlaps, index),
            );
            let zero = table.error.all(0.0);
            let error = table.error * zero.all(PRECISE);
            let is_touch = least.overlap.same(zero) & is_of_one_line(table, overlaps);
            let is_least = least.overlap.above(zero) & least.is_certain(least.overlap, error);
            let mut found = least.axis.depth.error.all(f64::NAN);
            let mut own = *others;
            let mut is_found = zero.above(zero);
            for (index, overlap) in overlaps.iter().enumerate() {
                let at = precise_axis(table, overlaps, index);
                let is_this = least.axis.equals(&at) & !is_found;
                is_found = is_found | is_this;
                let is_precise = !overlap.error.same(table.error);
                found = (is_this & is_precise).choose(overlap.value, found);
                own = Axis::choose(open & is_this, &axis(table, index), &own);
            }
            // Others find the edge by its axis in the table: it must be the only one that has it, or the first.
            let [mut has_twin, mut is_seen] = [zero.above(zero); 2];
            for index in 0..overlaps.len() {
                let is_same = own.equals(&axis(table, index));
                has_twin = has_twin | (is_same & is_seen);
                is_seen = is_seen | is_same;
            }
            let is_chosen = is_touch | (is_least & !has_twin);
            let is_certain = are_known & is_chosen & found.same(found);
            let length = least.axis.depth.length_squared.sqrt();
            let Vectors { x, y } = least.axis.direction;
            let measure = Measure {
                size: found / length,
                normal: Vectors::new(y / length, (zero - x) / length),
            };
            (is_certain, measure, own)
        },
    )
}

#[inline(always)]
fn precise_axis<L: Lanes, R: ?Sized>(
    table: &SupportTable<'_, L, R>,
    overlaps: &[PreciseOverlap<L>],
    index: usize,
) -> Axis<L> {
    let PreciseOverlap { overlap, error, .. } = overlaps[index];
    Axis::new(table.edges[index].direction, overlap, error)
}

/// Measures the overlaps that are too near to zero for floats, and returns where then all have a sign.
#[inline(always)]
fn measure<L: Lanes, R: Corners<L> + ?Sized>(
    table: &SupportTable<'_, L, R>,
    open: L::Mask,
    overlaps: &mut [PreciseOverlap<L>],
) -> L::Mask {
    let [a, b] = table.rings;
    let mut are_known = open;
    for (index, into) in overlaps.iter_mut().enumerate() {
        let (overlap, error) = (table.edges[index].overlap, table.error);
        let is_enough = has_margin(overlap.abs(), error);
        *into = PreciseOverlap {
            overlap,
            error,
            value: overlap,
        };
        if (open & !is_enough).any() {
            let (ring, start, others) = match index.checked_sub(a.count()) {
                None => (a, index, b),
                Some(start) => (b, start, a),
            };
            let precise = PreciseOverlap::behind(ring, start, others, error);
            are_known = are_known & (is_enough | !precise.verdict().undecided());
            *into = PreciseOverlap {
                overlap: is_enough.choose(overlap, precise.overlap),
                error: is_enough.choose(error, precise.error),
                value: precise.value,
            };
        }
    }
    are_known
}

/// Whether all edges with an overlap of zero have one direction. The first of these is then the one that the exact form
/// chooses, as those of `a` come first.
#[inline(always)]
fn is_of_one_line<L: Lanes, R: ?Sized>(
    table: &SupportTable<'_, L, R>,
    overlaps: &[PreciseOverlap<L>],
) -> L::Mask {
    let zero = table.error.all(0.0);
    let mut first = Vectors::both(zero);
    let [mut is_found, mut has_other] = [zero.above(zero); 2];
    for (edge, overlap) in table.edges.iter().zip(overlaps) {
        let is_zero = overlap.overlap.same(zero);
        has_other = has_other | (is_zero & is_found & !are_same(edge.direction, first));
        first = Vectors::choose(is_zero & !is_found, edge.direction, first);
        is_found = is_found | is_zero;
    }
    !has_other
}
