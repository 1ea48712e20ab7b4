//! The boundary of any shape: the corners of all rings, with the interior on the left of every
//! edge, and a tree of boxes over the edges.

pub(super) mod boundary_feature;
pub(super) mod edge_block;
pub(super) mod edge_pairs;
pub(super) mod interior_angle;
pub(super) mod nearest_edge_filter;
pub(super) mod point_in_polygon;
mod point_locator;
pub(super) mod ring_corners;

use std::ops::{ControlFlow, Range};
use std::sync::OnceLock;

use smallvec::{SmallVec, smallvec};

use super::kind::ShapeKind;
use crate::broad::{self, BoxTree};
use crate::convex::Cyclic;
use crate::geom::{Bounds, Displacement, Edge, Point};
use crate::predicates::is_within_angle;
use crate::simd::load::LANES;
use edge_block::EdgeBlock;
use point_locator::PointLocator;

/// Number of blocks up to which searches use no tree, and up to which several points share a block.
pub(super) const FEW: usize = 8;

/// The boundary of a shape: of polygons counterclockwise shells and clockwise holes. A path is a ring
/// there and back, a polygon of width zero; a point is a ring of one corner.
///
/// Its edges are kept in blocks of eight. Consecutive edges lie near each other, so that a tree over
/// blocks prunes as well as one over edges, and is built in an eighth of the time.
///
/// What most queries about small shapes read comes first and lies together: few lines of the cache.
#[derive(Clone, Debug)]
#[repr(C)]
pub(crate) struct Boundary {
    bounds: Bounds,
    /// The blocks of edges, ring after ring, in the order of the tree. A path is stored as a ring there and back: the
    /// blocks that hold only the way back come last.
    pub(super) blocks: SmallVec<[EdgeBlock; 1]>,
    pub(crate) kind: ShapeKind,
    /// Of each polygon the shell first.
    pub(crate) rings: SmallVec<[BoundaryRing; 1]>,
    pub(crate) corners: Vec<BoundaryCorner>,
    /// The boxes of all blocks.
    tree: BoxTree,
    /// A tree without the blocks that hold only the way back of a path; `None` if there are none.
    there: Option<Box<BoxTree>>,
    /// A tree for points in polygons, made when first needed.
    locator: OnceLock<Box<PointLocator>>,
}

/// A vertex where a ring turns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BoundaryCorner {
    pub(crate) point: Point,
    /// Its index among the caller's vertices of all rings.
    pub(crate) position: u32,
    pub(crate) ring: u32,
}

#[derive(Clone, Debug)]
pub(crate) struct BoundaryRing {
    /// The indices of its corners.
    pub(crate) corners: Range<usize>,
    /// The index of its first vertex among the caller's vertices of all rings.
    pub(crate) first: usize,
    /// Whether the caller's ring has the opposite orientation.
    pub(crate) reversed: bool,
    /// The index of the point, path or polygon that it belongs to.
    pub(crate) part: usize,
    pub(crate) is_hole: bool,
}

impl Boundary {
    /// The boundary through the corners of each ring, in the order of the rings.
    pub(crate) fn new(
        corners: Vec<BoundaryCorner>,
        rings: SmallVec<[BoundaryRing; 1]>,
        kind: ShapeKind,
    ) -> Self {
        let are_points = kind.is_of_points() && corners.len() <= FEW * LANES;
        let spans: SmallVec<[Range<usize>; 1]> = if are_points {
            smallvec![0..corners.len()]
        } else {
            rings.iter().map(|ring| ring.corners.clone()).collect()
        };
        let count = spans.iter().map(|span| span.len().div_ceil(LANES)).sum();
        let mut blocks = SmallVec::<[EdgeBlock; 1]>::with_capacity(count);
        for span in spans {
            for first in span.clone().step_by(LANES) {
                let edges = first..(first + LANES).min(span.end);
                let vertex =
                    |index| corners[if index == span.end { span.start } else { index }].point;
                let block = EdgeBlock::new(edges, vertex, are_points);
                blocks.push(if kind.is_polygonal() || are_points {
                    block
                } else {
                    let there = span.len() / 2;
                    let past = first - span.start;
                    block.of_path([there + 1, there.max(1)].map(|it| it.saturating_sub(past)))
                });
            }
        }
        blocks.sort_by_key(|block| !block.is_there());
        let there = blocks.partition_point(EdgeBlock::is_there);
        let tree_of = |blocks: &[EdgeBlock]| BoxTree::new(blocks.iter().map(|it| it.bounds));
        let tree = tree_of(&blocks);
        Self {
            bounds: tree.bounds(),
            there: (there < blocks.len()).then(|| Box::new(tree_of(&blocks[..there]))),
            blocks,
            kind,
            rings,
            corners,
            tree,
            locator: OnceLock::new(),
        }
    }

    /// The boundary of a counterclockwise ring, every vertex of which is a corner; `reversed` if the caller's has the
    /// opposite orientation.
    pub(crate) fn of_ring(ring: &[Point], reversed: bool) -> Self {
        let corner = |(position, &point)| BoundaryCorner {
            point,
            position,
            ring: 0,
        };
        let positions = 0..u32::try_from(ring.len()).expect("fewer than 2^32 vertices");
        let corners = if reversed {
            positions.rev().zip(ring).map(corner).collect()
        } else {
            positions.zip(ring).map(corner).collect()
        };
        Self::of_one(corners, reversed)
    }

    /// The boundary through the corners of one ring of a polygon.
    pub(super) fn of_one(corners: Vec<BoundaryCorner>, reversed: bool) -> Self {
        let only = BoundaryRing {
            corners: 0..corners.len(),
            first: 0,
            reversed,
            part: 0,
            is_hole: false,
        };
        Self::new(corners, [only].into(), ShapeKind::Polygon)
    }

    /// The boundary of a point: a ring of one corner.
    pub(crate) fn of_point(point: Point) -> Self {
        Self {
            kind: ShapeKind::Point,
            ..Self::of_ring(&[point], false)
        }
    }

    /// Bytes of heap memory that the boundary owns.
    pub(crate) fn nbytes(&self) -> usize {
        self.corners.capacity() * size_of::<BoundaryCorner>()
            + broad::heap_bytes(&self.rings)
            + broad::heap_bytes(&self.blocks)
            + self.tree.nbytes()
            + (self.there.as_ref()).map_or(0, |tree| size_of::<BoxTree>() + tree.nbytes())
            + (self.locator.get()).map_or(0, |it| size_of::<PointLocator>() + it.nbytes())
    }

    /// Reads the memory that queries about small shapes need, so that it is in the cache. The result only
    /// keeps the compiler from removing the reads. Of a boundary with many blocks, which queries read in
    /// part, only the boxes at the top of the tree are read.
    #[inline]
    pub(crate) fn read_ahead(&self) -> f64 {
        let blocks = self.blocks_there();
        self.bounds.max.x
            + if blocks.len() > FEW {
                self.tree_there().read_ahead()
            } else {
                blocks.iter().map(EdgeBlock::read_ahead).sum()
            }
    }

    pub(crate) fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// A tree over the boxes of all blocks.
    pub(crate) fn tree(&self) -> &BoxTree {
        &self.tree
    }

    /// A tree without the blocks that hold only the way back of a path: the same edges in the other direction.
    pub(super) fn tree_there(&self) -> &BoxTree {
        self.there.as_deref().unwrap_or(&self.tree)
    }

    /// The blocks in that tree.
    pub(super) fn blocks_there(&self) -> &[EdgeBlock] {
        &self.blocks[..self.tree_there().len()]
    }

    /// A tree for points in polygons.
    pub(super) fn locator(&self) -> &PointLocator {
        self.locator.get_or_init(|| {
            let ends = self.rings.iter().map(|ring| ring.corners.end);
            let locator = PointLocator::new(self.blocks_there(), self.tree_there(), ends);
            Box::new(locator)
        })
    }

    /// A block of edges not far from a point, though not always the nearest.
    pub(super) fn block_near(&self, point: Point) -> &EdgeBlock {
        &self.blocks[self.tree_there().near(point)]
    }

    /// The ring that a corner and the edge from it belong to.
    #[inline(always)]
    pub(crate) fn ring_of(&self, index: usize) -> usize {
        // The corners, which lie elsewhere in memory, are not read.
        if self.rings.len() == 1 {
            return 0;
        }
        self.corners[index].ring as usize
    }

    /// The number of points, paths or polygons.
    pub(crate) fn parts(&self) -> usize {
        self.rings.last().map_or(0, |ring| ring.part + 1)
    }

    /// Visits a corner of each part whose box passes the test, and perhaps corners of others and of holes, until the
    /// visitor breaks.
    pub(super) fn search_parts(
        &self,
        may_matter: impl Fn(&Bounds) -> bool,
        mut visit: impl FnMut(usize) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if self.parts() <= FEW * LANES {
            let mut shells = self.rings.iter().filter(|ring| !ring.is_hole);
            return shells.try_for_each(|ring| visit(ring.corners.start));
        }
        self.locator()
            .search_rings(self.blocks_there(), may_matter, visit)
    }

    /// The vertices of the caller's ring at the ends of an edge, in the caller's order.
    pub(crate) fn ends_in_ring(&self, index: usize) -> [usize; 2] {
        let ring = &self.rings[self.ring_of(index)];
        let mut ends = [index, self.next(index)];
        if ring.reversed {
            ends.reverse();
        }
        ends.map(|corner| self.corners[corner].position as usize - ring.first)
    }

    /// The corners at the same point as one of them that may bound the same part of the outside: those of a
    /// single polygon do not, since its rings touch in points.
    pub(super) fn corners_at(&self, corner: usize) -> SmallVec<[usize; 2]> {
        if self.kind.is_polygonal() && self.parts() == 1 {
            return smallvec![corner];
        }
        let (point, mut found) = (self.vertex(corner), SmallVec::new());
        let _ = self.search(
            |bounds| bounds.meets(&point.into()),
            |index, edge| {
                found.extend((edge.start == point).then_some(index));
                ControlFlow::Continue(())
            },
        );
        found
    }

    /// Visits all edges whose box passes the test, until the visitor breaks.
    pub(crate) fn search(
        &self,
        may_matter: impl Fn(&Bounds) -> bool,
        mut visit: impl FnMut(usize, Edge) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.search_blocks(&may_matter, |block| {
            for index in block.range() {
                let edge = self.edge(index);
                if may_matter(&edge.into()) {
                    visit(index, edge)?;
                }
            }
            ControlFlow::Continue(())
        })
    }

    /// Visits all blocks of edges whose box passes the test, until the visitor breaks.
    pub(super) fn search_blocks(
        &self,
        may_matter: impl Fn(&Bounds) -> bool,
        mut visit: impl FnMut(&EdgeBlock) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        // Of one block the tree, which lies elsewhere in memory, tells no more.
        if let [only] = &*self.blocks {
            return if may_matter(&self.bounds) {
                visit(only)
            } else {
                ControlFlow::Continue(())
            };
        }
        self.tree
            .search(may_matter, |index| visit(&self.blocks[index]))
    }

    /// Branch and bound: visits the blocks for whose box a lower bound, 0 or more, of what the search
    /// minimises is not above the limit, those with the least bound first. The visitor returns the new
    /// limit. The tree is [`Self::tree`] or [`Self::tree_there`].
    pub(super) fn search_least<'b>(
        &'b self,
        tree: &BoxTree,
        bound: impl Fn(&Bounds) -> f64,
        mut limit: f64,
        mut visit: impl FnMut(&'b EdgeBlock) -> f64,
    ) {
        // A bound of NaN becomes 0, which excludes nothing.
        let bound = |own: &Bounds| bound(own).max(0.0);
        // Testing a few blocks in turn takes less time than sorting them: with the tree, circles' gaps from
        // 32-gons took a sixth more instructions.
        if tree.len() <= FEW {
            for block in &self.blocks[..tree.len()] {
                if bound(&block.bounds) <= limit {
                    limit = visit(block);
                }
            }
            return;
        }
        let bound = |own: &Bounds| Some(bound(own));
        let visit = |index: usize| ControlFlow::Continue(visit(&self.blocks[index]));
        let _ = tree.branch_and_bound(bound, limit, visit);
    }
}

impl Cyclic for Boundary {
    #[inline(always)]
    fn vertex(&self, index: usize) -> Point {
        match &*self.blocks {
            // The block is in the cache, and the corners lie elsewhere in memory.
            [only] => only.start(index),
            _ => self.corners[index].point,
        }
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

    fn edges_facing(&self, vertex: usize, direction: Displacement) -> [usize; 2] {
        let mut facing = [self.previous(vertex), vertex];
        let others = self.corners_at(vertex).into_iter();
        for corner in others.filter(|&corner| corner != vertex) {
            let [before, after] = [self.previous(corner), corner];
            let back = |edge: usize| self.edge(edge).reversed().displacement();
            if is_within_angle(back(facing[0]), back(before), direction) {
                facing[0] = before;
            }
            let on = |edge: usize| self.edge(edge).displacement();
            if is_within_angle(direction, on(after), on(facing[1])) {
                facing[1] = after;
            }
        }
        facing
    }
}
