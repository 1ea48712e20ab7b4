//! Searches for pairs of edges of boundaries: those whose boxes meet, or for which a bound is least.

use std::ops::ControlFlow;

use smallvec::SmallVec;

use super::edge_block::{EdgeBlock, avoided_sides, boxes_meeting, is_monotone, ones};
use super::{Boundary, FEW};
use crate::broad::{self, BoxTree};
use crate::convex::Cyclic;
use crate::geom::{Bounds, Edge};
use crate::simd::load::LANES;

/// Visits the pairs of blocks, one of each boundary, whose boxes have a point in common, until the
/// visitor breaks. Of a path, which is a ring there and back, only the edges of the way there are
/// visited.
pub(crate) fn meeting_blocks(
    [a, b]: [&Boundary; 2],
    mut visit: impl FnMut(&EdgeBlock, &EdgeBlock) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let (blocks_a, blocks_b) = (a.blocks_there(), b.blocks_there());
    // Without trees, small shapes take a fifth less time.
    if blocks_a.len() * blocks_b.len() <= FEW * FEW {
        let met = |bounds: Bounds| move |block: &&EdgeBlock| block.bounds.meets(&bounds);
        let mut near = blocks_a.iter().filter(met(b.bounds()));
        return near.try_for_each(|of_a| {
            let mut near = blocks_b.iter().filter(met(of_a.bounds));
            near.try_for_each(|of_b| visit(of_a, of_b))
        });
    }
    let trees = [a.tree_there(), b.tree_there()];
    broad::meeting_pairs(trees, |[of_a, of_b]| {
        visit(&blocks_a[of_a], &blocks_b[of_b])
    })
}

/// Zero where two boxes have a point in common, else infinite.
#[inline(always)]
pub(crate) fn zero_if_met(a: &Bounds, b: &Bounds) -> f64 {
    if a.meets(b) { 0.0 } else { f64::INFINITY }
}

/// Branch and bound: visits the pairs of blocks, one of each boundary, for whose boxes a lower bound of
/// what the search minimises is not above the limit, until the visitor breaks. It returns the new limit.
/// The trees are [`Boundary::tree`] or [`Boundary::tree_there`].
pub(crate) fn block_pairs<'b>(
    [a, b]: [&'b Boundary; 2],
    tree: impl Fn(&Boundary) -> &BoxTree,
    bound: impl Fn(&Bounds, &Bounds) -> f64,
    limit: f64,
    mut visit: impl FnMut([&'b EdgeBlock; 2]) -> ControlFlow<(), f64>,
) -> ControlFlow<()> {
    broad::pairs([tree(a), tree(b)], bound, limit, |[of_a, of_b], _| {
        visit([&a.blocks[of_a], &b.blocks[of_b]])
    })
}

/// Visits the pairs of edges, one of each boundary, for which a lower bound of what the search
/// minimises, such as their distance, is not above the limit. The visitor returns the new limit.
///
/// The boxes of `a` are prepared (moved, swept, scaled), each once for many boxes of `b`; `bound`
/// takes a prepared box of `a` and a box of `b`, `bound_of_blocks` the boxes of two blocks of edges.
pub(crate) fn edge_pairs(
    [a, b]: [&Boundary; 2],
    prepare: impl Fn(Bounds) -> Bounds,
    bound: impl Fn(&Bounds, &Bounds) -> f64,
    bound_of_blocks: impl Fn(&Bounds, &Bounds) -> f64,
    mut limit: f64,
    mut visit: impl FnMut([usize; 2], [Edge; 2]) -> ControlFlow<(), f64>,
) -> ControlFlow<()> {
    let trees = [a.tree(), b.tree()];
    broad::pairs(trees, bound_of_blocks, limit, |blocks, [box_a, box_b]| {
        let whole_a = prepare(*box_a);
        let mut near_b: SmallVec<[(usize, Edge, Bounds); LANES]> = SmallVec::new();
        for j in b.blocks[blocks[1]].range() {
            let edge = b.edge(j);
            let own = Bounds::from(edge);
            if bound(&whole_a, &own) <= limit {
                near_b.push((j, edge, own));
            }
        }
        for i in a.blocks[blocks[0]].range() {
            let edge = a.edge(i);
            let own = prepare(edge.into());
            if bound(&own, box_b) > limit {
                continue;
            }
            for &(j, other, others) in &near_b {
                if bound(&own, &others) <= limit {
                    limit = visit([i, j], [edge, other])?;
                }
            }
        }
        ControlFlow::Continue(limit)
    })
}

/// Whether a condition holds for any pair of edges, one of each boundary, whose boxes have a point in common,
/// those of `a` prepared.
pub(crate) fn any_met(
    boundaries: [&Boundary; 2],
    prepare: impl Fn(Bounds) -> Bounds,
    mut condition: impl FnMut([usize; 2], [Edge; 2]) -> bool,
) -> bool {
    let bound_of_blocks = |a: &Bounds, b: &Bounds| zero_if_met(&prepare(*a), b);
    let visit = |corners: [usize; 2], edges: [Edge; 2]| {
        if condition(corners, edges) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(0.0)
        }
    };
    edge_pairs(
        boundaries,
        &prepare,
        zero_if_met,
        bound_of_blocks,
        0.0,
        visit,
    )
    .is_break()
}

/// What a look at the edges of two blocks costs, in exact tests of a pair of edges.
const BLOCKS_COST: usize = 4;

/// Visits the pairs of edges of one boundary of polygons whose boxes have a point in common, each pair once,
/// until the visitor breaks, or until that has cost as much as `most` exact tests of pairs: then it
/// breaks without a value. Left out are edges that follow each other in a block, which share a corner and nothing
/// else, since corners at which a ring turns back were refused before; and all edges of neighbouring blocks along
/// which x and y are monotone.
pub(crate) fn own_edge_pairs<B>(
    boundary: &Boundary,
    most: usize,
    mut visit: impl FnMut(usize, usize) -> ControlFlow<B>,
) -> ControlFlow<Option<B>> {
    let mut left = most;
    let mut spend = |cost: usize| {
        left = left.saturating_sub(cost);
        if left == 0 {
            ControlFlow::Break(None)
        } else {
            ControlFlow::Continue(())
        }
    };
    let avoided = avoided_sides(&boundary.blocks);
    let ring_of = |block: usize| boundary.ring_of(boundary.blocks[block].range().start);
    // Consecutive edges of a ring along which x and y are each monotone have no points in common but for
    // their common corners.
    let are_chain = |one: usize, other: usize| {
        let are_neighbours = one.abs_diff(other) == 1 && ring_of(one) == ring_of(other);
        is_monotone(avoided[one] & avoided[other]) && (one == other || are_neighbours)
    };
    broad::own_pairs(boundary.tree(), |[one, other]| {
        spend(BLOCKS_COST)?;
        if are_chain(one, other) {
            return ControlFlow::Continue(());
        }
        let is_same = one == other;
        let [first, second] = [one, other].map(|index| &boundary.blocks[index]);
        for (i, meeting) in boxes_meeting(second, first).into_iter().enumerate() {
            let meeting = if is_same {
                // Each pair once, and without the next edge.
                meeting & u64::MAX << i << 2
            } else {
                meeting
            };
            for j in ones(meeting) {
                spend(1)?;
                let [i, j] = [second.range().start + i, first.range().start + j];
                visit(i, j).map_break(Some)?;
            }
        }
        ControlFlow::Continue(())
    })
}
