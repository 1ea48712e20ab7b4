//! The boundary of a polygon as the general forms see it: all rings' corners, with the inside on
//! the left of every edge, and boxes round runs of edges.

use std::ops::{ControlFlow, Range};

use smallvec::SmallVec;

use crate::broad::{self, BoxTree};
use crate::convex::Cyclic;
use crate::geom::{Bounds, Edge, Motion, Point};

/// Edges that share a box. Consecutive edges lie near each other, so that a tree over runs of them
/// prunes as well as one over edges, and is made in an eighth of the time.
const RUN: usize = 8;

/// The boundary of a polygon: a counterclockwise shell and clockwise holes.
#[derive(Clone, Debug)]
pub(crate) struct Boundary {
    corners: Vec<Corner>,
    rings: SmallVec<[BoundaryRing; 1]>,
    runs: SmallVec<[Range<usize>; 4]>,
    tree: BoxTree,
}

/// A vertex where a ring turns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Corner {
    /// Where it is.
    pub(crate) point: Point,
    /// Its number among all the caller's vertices.
    pub(crate) position: u32,
    /// Its ring.
    pub(crate) ring: u32,
}

/// One ring of an boundary.
#[derive(Clone, Debug)]
pub(crate) struct BoundaryRing {
    /// Its corners.
    pub(crate) corners: Range<usize>,
    /// Where its vertices start among all the caller's.
    pub(crate) first: usize,
    /// Whether the caller's ring runs the other way.
    pub(crate) reversed: bool,
}

impl Boundary {
    /// The boundary through the corners of each ring, in the order of the rings.
    pub(crate) fn new(corners: Vec<Corner>, rings: SmallVec<[BoundaryRing; 1]>) -> Self {
        let mut runs = SmallVec::new();
        for ring in &rings {
            let starts = ring.corners.clone().step_by(RUN);
            runs.extend(starts.map(|start| start..(start + RUN).min(ring.corners.end)));
        }
        let mut boundary = Self {
            corners,
            rings,
            runs,
            tree: BoxTree::single(Bounds::EMPTY),
        };
        let round = |run: &Range<usize>| -> Bounds {
            let end = boundary.vertex(boundary.next(run.end - 1));
            let starts = boundary.corners[run.clone()].iter();
            let points = starts.map(|corner| corner.point).chain([end]);
            points.map(Bounds::from).collect()
        };
        let boxes = boundary.runs.iter().map(round);
        boundary.tree = BoxTree::new(boxes);
        boundary
    }

    /// The boundary of a ring of true corners that runs counterclockwise.
    pub(crate) fn of_ring(ring: &[Point]) -> Self {
        let corner = |(position, &point)| Corner {
            point,
            position,
            ring: 0,
        };
        let whole = BoundaryRing {
            corners: 0..ring.len(),
            first: 0,
            reversed: false,
        };
        Self::new((0..).zip(ring).map(corner).collect(), [whole].into())
    }

    /// How much memory it holds apart from itself.
    pub(crate) fn nbytes(&self) -> usize {
        let spilled = |is_spilled, capacity, size| usize::from(is_spilled) * capacity * size;
        self.corners.capacity() * size_of::<Corner>()
            + spilled(
                self.rings.spilled(),
                self.rings.capacity(),
                size_of::<BoundaryRing>(),
            )
            + spilled(
                self.runs.spilled(),
                self.runs.capacity(),
                size_of::<Range<usize>>(),
            )
            + self.tree.nbytes()
    }

    /// The box round it.
    pub(crate) fn bounds(&self) -> Bounds {
        self.tree.bounds()
    }

    /// Boxes round its edges, for [`Boundary::run`] of them at a time.
    pub(crate) fn tree(&self) -> &BoxTree {
        &self.tree
    }

    /// The edges in a box of the tree.
    pub(crate) fn run(&self, number: usize) -> Range<usize> {
        self.runs[number].clone()
    }

    /// All corners.
    pub(crate) fn corners(&self) -> &[Corner] {
        &self.corners
    }

    /// All rings, the shell first.
    pub(crate) fn rings(&self) -> &[BoundaryRing] {
        &self.rings
    }

    /// The ring that a corner and the edge from it belong to.
    pub(crate) fn ring_of(&self, index: usize) -> usize {
        self.corners[index].ring as usize
    }

    /// The number of an edge within the caller's ring, as a caller counts edges.
    pub(crate) fn edge_in_ring(&self, index: usize) -> usize {
        let ring = &self.rings[self.ring_of(index)];
        let start = if ring.reversed {
            self.next(index)
        } else {
            index
        };
        self.corners[start].position as usize - ring.first
    }

    /// Visits all edges whose box may matter, until told to stop.
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

/// Which pairs of edges may hold what is sought, judged by boxes.
pub(crate) trait PairBound {
    /// A bound for what lies in two boxes: above the limit, it is not what is sought.
    fn bound(&self, a: &Bounds, b: &Bounds) -> f64;

    /// The box of an edge of `a` as [`Self::bound_of_edges`] wants it.
    fn prepared(&self, a: Bounds) -> Bounds {
        a
    }

    /// A bound for two edges, that of `a` prepared: cheaper, or else the same.
    fn bound_of_edges(&self, prepared: &Bounds, b: &Bounds) -> f64 {
        self.bound(prepared, b)
    }
}

/// Points that two edges, the first one moved, have in common.
pub(crate) struct Common {
    pub(crate) shift: Option<Motion>,
}

impl PairBound for Common {
    #[inline(always)]
    fn bound(&self, a: &Bounds, b: &Bounds) -> f64 {
        zero_if_met(&self.prepared(*a), b)
    }

    #[inline(always)]
    fn prepared(&self, a: Bounds) -> Bounds {
        self.shift.map_or(a, |shift| a.moved(shift))
    }

    #[inline(always)]
    fn bound_of_edges(&self, prepared: &Bounds, b: &Bounds) -> f64 {
        zero_if_met(prepared, b)
    }
}

/// Zero where two boxes may have a point in common, else infinite.
#[inline(always)]
pub(crate) fn zero_if_met(a: &Bounds, b: &Bounds) -> f64 {
    if a.meets(b) { 0.0 } else { f64::INFINITY }
}

/// Visits the pairs of edges, one of either boundary, whose boxes' bound is not above the limit.
/// The visitor returns the limit from then on.
pub(crate) fn edge_pairs(
    [a, b]: [&Boundary; 2],
    sought: &impl PairBound,
    limit: f64,
    mut visit: impl FnMut([usize; 2], [Edge; 2]) -> ControlFlow<(), f64>,
) -> ControlFlow<()> {
    let mut limit = limit;
    let bound = |a: &Bounds, b: &Bounds| sought.bound(a, b);
    broad::pairs([&a.tree, &b.tree], bound, limit, |runs, [box_a, box_b]| {
        let whole_a = sought.prepared(*box_a);
        let mut near_b: SmallVec<[(usize, Edge, Bounds); RUN]> = SmallVec::new();
        for j in b.run(runs[1]) {
            let edge = b.edge(j);
            let own = Bounds::from(edge);
            if sought.bound_of_edges(&whole_a, &own) <= limit {
                near_b.push((j, edge, own));
            }
        }
        for i in a.run(runs[0]) {
            let edge = a.edge(i);
            let own = sought.prepared(edge.into());
            if sought.bound_of_edges(&own, box_b) > limit {
                continue;
            }
            for &(j, other, others) in &near_b {
                if sought.bound_of_edges(&own, &others) <= limit {
                    limit = visit([i, j], [edge, other])?;
                }
            }
        }
        ControlFlow::Continue(limit)
    })
}

/// Visits the pairs of edges of one boundary whose boxes have a point in common, each pair once,
/// until told to stop.
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
