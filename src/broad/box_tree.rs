//! A static tree of boxes, and searches in one tree and over pairs of boxes.

use std::ops::{ControlFlow, Range};
use std::sync::OnceLock;

use smallvec::{Array, SmallVec};

use super::packing::{FAN_OUT, packed};
use crate::geom::{Bounds, Point};

/// Pairs of boxes, a line of the cache each, that [`BoxTree::read_ahead`] reads.
const TOP: usize = 16;

/// A bounding volume hierarchy of boxes, each identified by its index, packed from the top after Lee and Lee, "OMT" (2003).
#[derive(Clone, Debug)]
pub(crate) struct BoxTree {
    /// The boxes of the leaves, then of the inner nodes, level by level. The last node is the root, a leaf if it
    /// is the only one.
    boxes: SmallVec<[Bounds; 1]>,
    leaves: usize,
    /// The index of each leaf, the first child of each inner node, and the number of the root. Empty where there is
    /// at most one inner node and the leaves are in order: so for few boxes, without another allocation.
    links: Vec<u32>,
    /// The lowest index in each inner node, found when first needed.
    lowest: OnceLock<Vec<u32>>,
}

/// The index of a node; leaves come first.
pub(crate) type Node = usize;

impl BoxTree {
    /// A tree of these boxes; no search finds empty ones.
    pub(crate) fn new(leaves: impl ExactSizeIterator<Item = Bounds>) -> Self {
        let count = leaves.len();
        let (boxes, links) = if count <= FAN_OUT {
            let mut boxes: SmallVec<[Bounds; 1]> = leaves.collect();
            if count != 1 {
                boxes.push(boxes.iter().copied().collect());
            }
            (boxes, Vec::new())
        } else {
            packed(leaves)
        };
        Self {
            boxes,
            leaves: count,
            links,
            lowest: OnceLock::new(),
        }
    }

    /// Bytes of heap memory that the tree owns.
    pub(crate) fn nbytes(&self) -> usize {
        let lowest = self.lowest.get().map_or(0, Vec::capacity);
        heap_bytes(&self.boxes) + (self.links.capacity() + lowest) * size_of::<u32>()
    }

    fn root(&self) -> Node {
        self.boxes.len() - 1
    }

    /// The union of all boxes.
    pub(crate) fn bounds(&self) -> Bounds {
        self.at(self.root())
    }

    #[inline(always)]
    fn at(&self, node: Node) -> Bounds {
        self.boxes[node]
    }

    pub(crate) fn len(&self) -> usize {
        self.leaves
    }

    /// The indices of all boxes, neighbours in space close together.
    pub(crate) fn indices(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.len()).filter_map(|node| self.leaf(node))
    }

    /// Reads the boxes at the top of a tree of many, so that they are in the cache. The result only keeps the
    /// compiler from removing the reads.
    pub(crate) fn read_ahead(&self) -> f64 {
        if self.links.is_empty() {
            return 0.0;
        }
        let top = self.boxes.iter().rev().step_by(2).take(TOP);
        top.map(|bounds| bounds.min.x).sum()
    }

    /// The index of a box not far from a point: from the root down, always the child nearest to it, the first of
    /// equals.
    pub(crate) fn near(&self, point: Point) -> usize {
        let mut node = self.root();
        loop {
            if let Some(index) = self.leaf(node) {
                return index;
            }
            let mut least = f64::INFINITY;
            let children = self.children(node);
            node = children.start;
            for child in children {
                let distance = self.at(child).squared_distance_below(&point.into());
                if distance < least {
                    (least, node) = (distance, child);
                }
            }
        }
    }

    /// The index of the box, if the node is a leaf.
    #[inline(always)]
    fn leaf(&self, node: Node) -> Option<usize> {
        let is_leaf = node < self.leaves;
        is_leaf.then(|| self.links.get(node).map_or(node, |&index| index as usize))
    }

    #[inline(always)]
    fn children(&self, node: Node) -> Range<Node> {
        // The children of the next inner node follow those of this one, those of the lowest level the leaves.
        match self.links.get(node..node + 2) {
            Some(&[first, next]) => first as usize..next as usize,
            _ => 0..self.leaves,
        }
    }

    /// Visits the indices of all boxes that pass the test, until the visitor breaks.
    pub(crate) fn search(
        &self,
        may_matter: impl Fn(&Bounds) -> bool,
        mut visit: impl FnMut(usize) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let test = |bounds: &Bounds| may_matter(bounds).then_some(());
        self.search_for(test, |index, ()| visit(index))
    }

    /// Visits the boxes that pass the test: the index of each, and what the test returns for it, until the visitor breaks.
    #[inline(always)]
    pub(crate) fn search_for<T>(
        &self,
        test: impl Fn(&Bounds) -> Option<T>,
        mut visit: impl FnMut(usize, T) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut open: SmallVec<[Node; 64]> = SmallVec::new();
        if test(&self.bounds()).is_some() {
            open.push(self.root());
        }
        while let Some(node) = open.pop() {
            for child in self.children(node) {
                let Some(passed) = test(&self.at(child)) else {
                    continue;
                };
                match self.leaf(child) {
                    Some(index) => visit(index, passed)?,
                    None => open.push(child),
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn lowest(&self, node: Node) -> usize {
        if let Some(index) = self.leaf(node) {
            return index;
        }
        let lowest = self.lowest.get_or_init(|| {
            let mut found: Vec<u32> = Vec::with_capacity(self.root() + 1 - self.leaves);
            for node in self.leaves..=self.root() {
                let children = self.children(node).map(|child| match self.leaf(child) {
                    Some(index) => u32::try_from(index).expect("fewer than 2^32 boxes"),
                    None => found[child - self.leaves],
                });
                found.push(children.min().unwrap_or(0));
            }
            found
        });
        lowest[node - self.leaves] as usize
    }

    /// Branch and bound: visits the indices of the boxes whose `bound` is not above the limit, depth
    /// first and those with the least bound first. Boxes without a bound are left out. The visitor
    /// returns the new limit.
    pub(crate) fn branch_and_bound(
        &self,
        bound: impl Fn(&Bounds) -> Option<f64>,
        limit: f64,
        visit: impl FnMut(usize) -> ControlFlow<(), f64>,
    ) -> ControlFlow<()> {
        self.ranked_branch_and_bound(bound, limit, |_| 0, |_, _| false, visit)
    }

    /// Branch and bound, where of boxes with the same bound those with the lowest index come first. Left out is what
    /// `is_late`, given a box and the lowest index in it.
    pub(crate) fn lowest_first(
        &self,
        bound: impl Fn(&Bounds) -> Option<f64>,
        limit: f64,
        is_late: impl Fn(&Bounds, usize) -> bool,
        visit: impl FnMut(usize) -> ControlFlow<(), f64>,
    ) -> ControlFlow<()> {
        let lowest = |node| self.lowest(node);
        self.ranked_branch_and_bound(bound, limit, lowest, is_late, visit)
    }

    #[inline(always)]
    fn ranked_branch_and_bound(
        &self,
        bound: impl Fn(&Bounds) -> Option<f64>,
        mut limit: f64,
        rank: impl Fn(Node) -> usize,
        is_late: impl Fn(&Bounds, usize) -> bool,
        mut visit: impl FnMut(usize) -> ControlFlow<(), f64>,
    ) -> ControlFlow<()> {
        let mut open: SmallVec<[(f64, usize, Node); 64]> = SmallVec::new();
        let root = self.root();
        open.extend(bound(&self.bounds()).map(|least| (least, rank(root), root)));
        while let Some((least, first, node)) = open.pop() {
            if least > limit || is_late(&self.at(node), first) {
                continue;
            }
            if let Some(index) = self.leaf(node) {
                limit = visit(index)?;
                continue;
            }
            let others = open.len();
            for child in self.children(node) {
                match bound(&self.at(child)) {
                    Some(least) if least <= limit => open.push((least, rank(child), child)),
                    _ => {}
                }
            }
            sort_ranked(&mut open[others..]);
        }
        ControlFlow::Continue(())
    }
}

/// Nodes with their bounds and ranks: those to visit first come last. Apart from the search, so that it is compiled
/// once, as is [`sort_pairs`].
fn sort_ranked(open: &mut [(f64, usize, Node)]) {
    open.sort_unstable_by(|first, second| {
        second.0.total_cmp(&first.0).then(second.1.cmp(&first.1))
    });
}

/// Pairs of nodes with their bounds: those to visit first come last.
fn sort_pairs(open: &mut [(f64, Node, Node)]) {
    open.sort_unstable_by(|first, second| second.0.total_cmp(&first.0));
}

/// The memory that a list has allocated.
pub(crate) fn heap_bytes<A: Array>(list: &SmallVec<A>) -> usize {
    usize::from(list.spilled()) * list.capacity() * size_of::<A::Item>()
}

/// Branch and bound: visits the pairs of boxes, one of each tree, whose `bound` is not above the
/// limit, depth first and those with the least bound first. The visitor gets the indices and the
/// boxes, and returns the new limit.
pub(crate) fn pairs(
    [a, b]: [&BoxTree; 2],
    bound: impl Fn(&Bounds, &Bounds) -> f64,
    mut limit: f64,
    mut visit: impl FnMut([usize; 2], [&Bounds; 2]) -> ControlFlow<(), f64>,
) -> ControlFlow<()> {
    let mut open: SmallVec<[(f64, Node, Node); 64]> = SmallVec::new();
    let roots = (a.root(), b.root());
    open.push((bound(&a.bounds(), &b.bounds()), roots.0, roots.1));
    while let Some((least, of_a, of_b)) = open.pop() {
        // A comparison with NaN is false, so that NaN excludes nothing.
        if least > limit {
            continue;
        }
        let leaves = (a.leaf(of_a), b.leaf(of_b));
        let (box_a, box_b) = (a.at(of_a), b.at(of_b));
        if let (Some(first), Some(second)) = leaves {
            limit = visit([first, second], [&box_a, &box_b])?;
            continue;
        }
        let others = open.len();
        if leaves.0.is_none() && (leaves.1.is_some() || is_larger(&box_a, &box_b)) {
            let pair = |child| (bound(&a.at(child), &box_b), child, of_b);
            open.extend(a.children(of_a).map(pair));
        } else {
            let pair = |child| (bound(&box_a, &b.at(child)), of_a, child);
            open.extend(b.children(of_b).map(pair));
        }
        sort_pairs(&mut open[others..]);
    }
    ControlFlow::Continue(())
}

/// Visits the pairs of boxes, one of each tree, that have a point in common, until the visitor breaks.
pub(crate) fn meeting_pairs(
    [a, b]: [&BoxTree; 2],
    mut visit: impl FnMut([usize; 2]) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let mut open: SmallVec<[(Node, Node); 64]> = SmallVec::new();
    if a.bounds().meets(&b.bounds()) {
        open.push((a.root(), b.root()));
    }
    while let Some((of_a, of_b)) = open.pop() {
        let leaves = (a.leaf(of_a), b.leaf(of_b));
        if let (Some(first), Some(second)) = leaves {
            visit([first, second])?;
            continue;
        }
        let (box_a, box_b) = (a.at(of_a), b.at(of_b));
        if leaves.0.is_none() && (leaves.1.is_some() || is_larger(&box_a, &box_b)) {
            let meets = |child: &Node| a.at(*child).meets(&box_b);
            open.extend(a.children(of_a).filter(meets).map(|child| (child, of_b)));
        } else {
            let meets = |child: &Node| b.at(*child).meets(&box_a);
            open.extend(b.children(of_b).filter(meets).map(|child| (of_a, child)));
        }
    }
    ControlFlow::Continue(())
}

/// Visits the pairs of boxes of one tree that have a point in common, each pair once and each box
/// with itself, until the visitor breaks.
pub(crate) fn own_pairs<B>(
    tree: &BoxTree,
    mut visit: impl FnMut([usize; 2]) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let mut open: SmallVec<[(Node, Node); 64]> = SmallVec::new();
    open.push((tree.root(), tree.root()));
    while let Some((first, second)) = open.pop() {
        let leaves = (tree.leaf(first), tree.leaf(second));
        if let (Some(one), Some(other)) = leaves {
            visit([one, other])?;
        } else if first == second {
            let children = tree.children(first);
            for child in children.clone() {
                let box_of_child = tree.at(child);
                let meets = |other: &Node| *other == child || tree.at(*other).meets(&box_of_child);
                let others = (child..children.end).filter(meets);
                open.extend(others.map(|other| (child, other)));
            }
        } else {
            let (box_1, box_2) = (tree.at(first), tree.at(second));
            let into_first = leaves.1.is_some() || leaves.0.is_none() && is_larger(&box_1, &box_2);
            let (inner, whole, box_of_whole) = if into_first {
                (first, second, box_2)
            } else {
                (second, first, box_1)
            };
            let meets = |child: &Node| tree.at(*child).meets(&box_of_whole);
            let children = tree.children(inner).filter(meets);
            open.extend(children.map(|child| (child, whole)));
        }
    }
    ControlFlow::Continue(())
}

fn is_larger(first: &Bounds, second: &Bounds) -> bool {
    let size = |bounds: &Bounds| (bounds.max.x - bounds.min.x).max(bounds.max.y - bounds.min.y);
    size(first) > size(second)
}
