//! The boundary of any polygon: the corners of all rings, with the interior on the left of every
//! edge, and a tree of boxes over the edges.

use std::ops::{ControlFlow, Range};

use smallvec::SmallVec;

use super::edge_block::EdgeBlock;
use crate::broad::{self, BoxTree};
use crate::convex::Cyclic;
use crate::geom::{Bounds, Edge, Point};
use crate::simd::tile::LANES;

/// Edges per box. Consecutive edges lie near each other, so that a tree over runs of them prunes as
/// well as one over edges, and is built in an eighth of the time.
const RUN: usize = LANES;

/// The boundary of a polygon: a counterclockwise shell and clockwise holes.
#[derive(Clone, Debug)]
pub(crate) struct Boundary {
    /// The corners of all rings.
    pub(crate) corners: Vec<Corner>,
    /// The shell first.
    pub(crate) rings: SmallVec<[BoundaryRing; 1]>,
    runs: SmallVec<[Range<usize>; 4]>,
    /// The edges of each run.
    blocks: Vec<EdgeBlock>,
    /// The boxes of all [`Boundary::run`]s of edges.
    pub(crate) tree: BoxTree,
}

/// A vertex where a ring turns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Corner {
    pub(crate) point: Point,
    /// Its index among the caller's vertices of all rings.
    pub(crate) position: u32,
    /// The index of its ring.
    pub(crate) ring: u32,
}

/// One ring of a boundary.
#[derive(Clone, Debug)]
pub(crate) struct BoundaryRing {
    /// The indices of its corners.
    pub(crate) corners: Range<usize>,
    /// The index of its first vertex among the caller's vertices of all rings.
    pub(crate) first: usize,
    /// Whether the caller's ring has the opposite orientation.
    pub(crate) reversed: bool,
}

impl Boundary {
    /// The boundary through the corners of each ring, in the order of the rings.
    pub(crate) fn new(corners: Vec<Corner>, rings: SmallVec<[BoundaryRing; 1]>) -> Self {
        let (mut runs, mut blocks) = (SmallVec::new(), Vec::new());
        for Range { start, end } in rings.iter().map(|ring| ring.corners.clone()) {
            for first in (start..end).step_by(RUN) {
                let run = first..(first + RUN).min(end);
                let last = if run.end == end { start } else { run.end };
                let starts = corners[run.clone()].iter().map(|corner| corner.point);
                blocks.push(EdgeBlock::new(starts, corners[last].point));
                runs.push(run);
            }
        }
        Self {
            corners,
            rings,
            runs,
            tree: BoxTree::new(blocks.iter().map(|block| *block.bounds())),
            blocks,
        }
    }

    /// The boundary of a counterclockwise ring, every vertex of which is a corner.
    pub(crate) fn of_ring(ring: &[Point]) -> Self {
        let corner = |(position, &point)| Corner {
            point,
            position,
            ring: 0,
        };
        let only = BoundaryRing {
            corners: 0..ring.len(),
            first: 0,
            reversed: false,
        };
        Self::new((0..).zip(ring).map(corner).collect(), [only].into())
    }

    /// The memory it owns, without itself.
    pub(crate) fn nbytes(&self) -> usize {
        self.corners.capacity() * size_of::<Corner>()
            + broad::heap_bytes(&self.rings)
            + broad::heap_bytes(&self.runs)
            + self.blocks.capacity() * size_of::<EdgeBlock>()
            + self.tree.nbytes()
    }

    /// The bounding box.
    pub(crate) fn bounds(&self) -> Bounds {
        self.tree.bounds()
    }

    /// The indices of the edges in a box of the tree.
    pub(crate) fn run(&self, index: usize) -> Range<usize> {
        self.runs[index].clone()
    }

    /// The same edges as a block.
    pub(super) fn block(&self, index: usize) -> &EdgeBlock {
        &self.blocks[index]
    }

    /// The ring that a corner and the edge from it belong to.
    pub(crate) fn ring_of(&self, index: usize) -> usize {
        self.corners[index].ring as usize
    }

    /// The index of an edge within the caller's ring.
    pub(crate) fn edge_in_ring(&self, index: usize) -> usize {
        let ring = &self.rings[self.ring_of(index)];
        let start = if ring.reversed {
            self.next(index)
        } else {
            index
        };
        self.corners[start].position as usize - ring.first
    }

    /// Visits all edges whose box passes the test, until the visitor breaks.
    pub(crate) fn search(
        &self,
        may_matter: impl Fn(&Bounds) -> bool,
        mut visit: impl FnMut(usize, Edge) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.tree.search(&may_matter, |run| {
            for index in self.run(run) {
                let edge = self.edge(index);
                if may_matter(&edge.into()) {
                    visit(index, edge)?;
                }
            }
            ControlFlow::Continue(())
        })
    }
}

/// Zero where two boxes have a point in common, else infinite.
#[inline(always)]
pub(crate) fn zero_if_met(a: &Bounds, b: &Bounds) -> f64 {
    if a.meets(b) { 0.0 } else { f64::INFINITY }
}

/// Visits the pairs of edges, one of each boundary, for which a lower bound of what the search
/// minimises, such as their distance, is not above the limit. The visitor returns the new limit.
///
/// The boxes of `a` are prepared (moved, swept, scaled), each once for many boxes of `b`; `bound`
/// takes a prepared box of `a` and a box of `b`, `bound_of_runs` the boxes of two runs of edges.
pub(crate) fn edge_pairs(
    [a, b]: [&Boundary; 2],
    prepare: impl Fn(Bounds) -> Bounds,
    bound: impl Fn(&Bounds, &Bounds) -> f64,
    bound_of_runs: impl Fn(&Bounds, &Bounds) -> f64,
    mut limit: f64,
    mut visit: impl FnMut([usize; 2], [Edge; 2]) -> ControlFlow<(), f64>,
) -> ControlFlow<()> {
    let trees = [&a.tree, &b.tree];
    broad::pairs(trees, bound_of_runs, limit, |runs, [box_a, box_b]| {
        let whole_a = prepare(*box_a);
        let mut near_b: SmallVec<[(usize, Edge, Bounds); RUN]> = SmallVec::new();
        for j in b.run(runs[1]) {
            let edge = b.edge(j);
            let own = Bounds::from(edge);
            if bound(&whole_a, &own) <= limit {
                near_b.push((j, edge, own));
            }
        }
        for i in a.run(runs[0]) {
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

/// Visits the pairs of edges of one boundary whose boxes have a point in common, each pair once,
/// until the visitor breaks.
pub(crate) fn own_edge_pairs(
    boundary: &Boundary,
    mut visit: impl FnMut(usize, usize) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let boxes = |run: usize| -> SmallVec<[(usize, Bounds); RUN]> {
        let edges = boundary.run(run);
        edges.map(|k| (k, boundary.edge(k).into())).collect()
    };
    broad::own_pairs(&boundary.tree, |[first, second]| {
        let own = boxes(first);
        if first == second {
            for (position, (i, box_i)) in own.iter().enumerate() {
                let later = own[position + 1..].iter();
                for (j, _) in later.filter(|(_, box_j)| box_i.meets(box_j)) {
                    visit(*i, *j)?;
                }
            }
            return ControlFlow::Continue(());
        }
        let all: Bounds = own.iter().map(|(_, bounds)| *bounds).collect();
        for (j, box_j) in boxes(second).iter().filter(|(_, it)| it.meets(&all)) {
            for (i, _) in own.iter().filter(|(_, box_i)| box_i.meets(box_j)) {
                visit(*i, *j)?;
            }
        }
        ControlFlow::Continue(())
    })
}

impl Cyclic for Boundary {
    #[inline(always)]
    fn vertex(&self, index: usize) -> Point {
        self.corners[index].point
    }

    #[inline(always)]
    fn next(&self, index: usize) -> usize {
        let ring = &self.rings[self.ring_of(index)].corners;
        if index + 1 == ring.end {
            ring.start
        } else {
            index + 1
        }
    }

    #[inline(always)]
    fn previous(&self, index: usize) -> usize {
        let ring = &self.rings[self.ring_of(index)].corners;
        if index == ring.start {
            ring.end - 1
        } else {
            index - 1
        }
    }
}
