//! Queries about one pair of rings, as far as floats can tell: how the support table is filled, and what it says.

use fearless_simd::prelude::*;
use smallvec::{SmallVec, smallvec};

use super::intersects::overlaps;
use super::quad_pair::QuadPair;
use super::sat::FilteredSat;
use crate::convex::cyclic::Cyclic;
use crate::convex::one::minkowski_difference::{
    Corner, DifferenceEdge, MinkowskiDifference, OriginPath, Owner,
};
use crate::convex::table::axis::axis;
use crate::convex::table::lane_corners::span;
use crate::convex::table::support_table::{EdgeSupport, SupportTable};
use crate::geom::{Edge, Motion, Point};
use crate::predicates::bounds::error_bounds::{box_error, certainly_positive};
use crate::predicates::signs::depth_comparison::{depth_range, may_be_least};
use crate::simd::instructions::with_instructions;
use crate::simd::lanes::Scratch;
use crate::simd::load::{LANES, MOST_IN_A_TILE};

/// Pairs of vertices above which rotating calipers take less time than comparing all of them, where no tile takes the
/// rings. They round differently from a tile.
const CALIPERS_FROM: usize = 400;

/// Whether two rings intersect, or else the positions of the edges, those of `a` first, of which one may separate
/// them.
pub(crate) fn intersects(
    difference: &MinkowskiDifference<'_>,
) -> Result<bool, SmallVec<[usize; 4]>> {
    with_table([difference.a, difference.b], |table| {
        let verdict = overlaps(table.rings, table.size, table.least_overlap());
        verdict.decided().ok_or_else(|| {
            let may_separate =
                |&position: &usize| !certainly_positive(table.edges[position].overlap, table.error);
            (0..table.edges.len()).filter(may_separate).collect()
        })
    })
}

/// Edges that the filter can't tell apart.
pub(crate) type Candidates = SmallVec<[DifferenceEdge; 4]>;

/// Overlap and minimum translation vector, and the edge whose normal gives the axis. If the filter can't
/// decide: the candidate edges, in order, which contain the first edge that separates and the edge of least
/// overlap; `None` if all edges are candidates.
pub(crate) fn sat(
    difference: &MinkowskiDifference<'_>,
) -> Result<(FilteredSat<f64>, DifferenceEdge), Option<Candidates>> {
    with_table([difference.a, difference.b], |table| {
        let (sat, least) = super::sat(table);
        if sat.is_certain {
            let position = (0..table.edges.len()).find(|&index| least.equals(&axis(table, index)));
            let position = position.expect("the axis is that of an edge");
            return Ok((sat, difference_edge(difference, position)));
        }
        let candidates = least_candidates(table);
        if candidates.len() == table.edges.len() {
            return Err(None);
        }
        let candidates = candidates.into_iter();
        let mut edges: SmallVec<_> = candidates
            .map(|it| difference_edge(difference, it))
            .collect();
        edges.sort_by(|one, other| difference.order(one, other));
        Err(Some(edges))
    })
}

/// The positions of the edges that may have the least overlap, or separate.
fn least_candidates(table: &SupportTable<'_, f64, [Point]>) -> SmallVec<[usize; 4]> {
    let ranges: SmallVec<[_; 16]> = (table.edges.iter())
        .map(|edge| depth_range(edge.overlap, table.error, edge.direction.length_squared()))
        .collect();
    let most = ranges
        .iter()
        .fold(f64::INFINITY, |most, range| most.min(range[1]));
    (0..ranges.len())
        .filter(|&position| may_be_least(ranges[position], most))
        .collect()
}

/// Whether and when the origin enters the difference.
pub(crate) fn swept_collision(
    difference: &MinkowskiDifference<'_>,
    motion: Motion,
) -> Option<OriginPath> {
    // A sum of several parts is rounded more often than the error bounds allow for.
    let factor = if motion.steps == 0.0 { 1.0 } else { 2.0 };
    let speed = motion.size().times(factor);
    let velocity = motion.rounded();
    let is_exact = motion.vector().is_some();
    with_table([difference.a, difference.b], |table| {
        let sweep = super::swept_collision(table, velocity, speed, is_exact);
        if !sweep.is_certain {
            return None;
        }
        if sweep.intersects {
            return Some(OriginPath::Inside);
        }
        if !sweep.will_intersect {
            return Some(OriginPath::Misses);
        }
        let velocity_error = box_error(table.size, speed);
        let mut candidates = (0..table.edges.len()).filter(|&position| {
            let edge = &table.edges[position];
            sweep.may_be_entry(edge, table.error, velocity, velocity_error)
        });
        let mut next = || Some(difference_edge(difference, candidates.next()?));
        let edge = match [next(), next(), next()] {
            [only, None, None] => only,
            // Of two the path crosses one between its ends, exactly.
            [Some(first), Some(second), None] => [first, second]
                .into_iter()
                .find(|edge| difference.is_entered(edge, motion)),
            _ => None,
        };
        Some(OriginPath::Enters(edge, Some(sweep.time)))
    })
}

/// Fills the support table of a pair in the fastest way, for a query.
#[inline(always)]
pub(crate) fn with_table<T>(
    [a, b]: [&[Point]; 2],
    query: impl FnOnce(&SupportTable<'_, f64, [Point]>) -> T,
) -> T {
    if let (Ok(a), Ok(b)) = (<&[Point; 4]>::try_from(a), <&[Point; 4]>::try_from(b)) {
        return with_instructions!(simd => {
            let quads = QuadPair::new(simd, [a, b]);
            query(&quads.table(&quads.edges()))
        });
    }
    let size = span([a, b]);
    let scratch = EdgeSupport::scratch(0.0);
    let mut edges: SmallVec<[EdgeSupport<f64>; 16]> = smallvec![scratch; a.len() + b.len()];
    let [least, most] = [a.len().min(b.len()), a.len().max(b.len())];
    query(
        &if most > MOST_IN_A_TILE && a.len() * b.len() > CALIPERS_FROM {
            SupportTable::by_calipers([a, b], size, &mut edges)
        } else if least >= LANES {
            with_instructions!(simd => SupportTable::by_blocks(simd, [a, b], size, &mut edges))
        } else {
            SupportTable::new([a, b], size, &mut edges)
        },
    )
}

/// An edge of the table on the difference, from the corner where it starts.
fn difference_edge(difference: &MinkowskiDifference<'_>, position: usize) -> DifferenceEdge {
    let (a, b) = (difference.a, difference.b);
    let deepest = |Edge { start, end }: Edge, others: &[Point]| {
        let depth = |index: usize| (end - start).cross(others[index] - start);
        (1..others.len()).fold(0, |best, index| {
            if depth(index) > depth(best) {
                index
            } else {
                best
            }
        })
    };
    let (owner, own, other) = match position.checked_sub(a.len()) {
        None => (Owner::A, position, deepest(a.edge(position), b)),
        Some(position) => (Owner::B, position, deepest(b.edge(position), a)),
    };
    let near = Corner::new(owner, own, other);
    DifferenceEdge::new(owner, difference.edge_start(owner, near))
}
