//! Plane sweep for intersecting edges: V log V for every shape, also where the boxes of long slanted
//! edges overlap in vain.
//!
//! Shamos and Hoey (1976): the edges that a vertical line crosses are kept in their order along it,
//! and two edges can only meet after they were neighbours in it. Here edges may have common ends, and
//! ends may lie on edges; edges that meet in an end are found when the line reaches it.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::ops::ControlFlow;

use crate::geom::{Edge, Point};
use crate::predicates::{Sign, side, turn};
use crate::shape::parts::convex_hull::order;

/// What the sweep finds, edges by their indices.
pub(crate) enum Event<'e> {
    /// The line reaches an end of an edge.
    Vertex(Vertex<'e>),
    /// Two edges became neighbours on the line, so that they may meet to the right of it.
    Neighbours([usize; 2]),
}

/// A point that is an end of some edges.
pub(crate) struct Vertex<'e> {
    pub(crate) point: Point,
    /// All edges that hold the point, while no two to the left of it cross or overlap.
    pub(crate) edges: &'e [usize],
    /// The edges that run on to the right of the point, from below.
    pub(super) onward: &'e [usize],
    /// The edge directly below the point.
    pub(crate) below: Option<usize>,
}

/// Visits all ends of edges from left to right, and pairs of neighbours, among them the first two edges that
/// cross elsewhere. The visitor must break at the first two that cross or overlap, because the order is
/// undefined to the right of them.
pub(crate) fn sweep<B>(
    edges: impl Iterator<Item = Edge>,
    mut visit: impl FnMut(Event<'_>) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let edges: Vec<DirectedEdge> = edges.enumerate().map(DirectedEdge::new).collect();
    let mut ends: Vec<(Point, usize)> = edges
        .iter()
        .flat_map(|it| [(it.edge.start, it.index), (it.edge.end, it.index)])
        .collect();
    ends.sort_unstable_by(|first, second| order(first.0, second.0).then(first.1.cmp(&second.1)));
    let mut line: BTreeSet<Entry> = BTreeSet::new();
    let (mut through, mut onward) = (Vec::new(), Vec::new());
    for here in ends.chunk_by(|first, second| first.0 == second.0) {
        let point = here[0].0;
        let (lowest, highest) = (Entry::Below(point), Entry::Above(point));
        let starting = here
            .iter()
            .map(|&(_, index)| index)
            .filter(|&index| edges[index].edge.start == point);
        through.clear();
        through.extend(line.range(lowest..highest).filter_map(Entry::index));
        through.extend(starting.clone());
        for &(_, index) in here {
            line.remove(&Entry::Edge(edges[index]));
        }
        line.extend(starting.map(|index| Entry::Edge(edges[index])));
        onward.clear();
        onward.extend(line.range(lowest..highest).filter_map(Entry::index));
        let below = line.range(..lowest).next_back().and_then(Entry::index);
        let above = line.range(highest..).next().and_then(Entry::index);
        visit(Event::Vertex(Vertex {
            point,
            edges: &through,
            onward: &onward,
            below,
        }))?;
        let neighbours = [
            (below, onward.first().copied().or(above)),
            (onward.last().copied(), above),
        ];
        for (first, second) in neighbours {
            if let (Some(first), Some(second)) = (first, second) {
                visit(Event::Neighbours([first, second]))?;
            }
        }
    }
    ControlFlow::Continue(())
}

/// An edge, directed to the right, or up if it is vertical.
#[derive(Clone, Copy, Debug)]
pub(super) struct DirectedEdge {
    pub(crate) edge: Edge,
    pub(crate) index: usize,
}

impl DirectedEdge {
    pub(crate) fn new((index, edge): (usize, Edge)) -> Self {
        let edge = if order(edge.start, edge.end) == Ordering::Less {
            edge
        } else {
            edge.reversed()
        };
        Self { edge, index }
    }

    /// The order of two edges along a vertical line that crosses both, from below. It is the same for
    /// every such line: decided at the start of the later edge, and to its right if they touch there.
    pub(crate) fn order(&self, other: &Self) -> Ordering {
        if self.index == other.index {
            return Ordering::Equal;
        }
        if order(self.edge.start, other.edge.start) == Ordering::Greater {
            return other.order(self).reverse();
        }
        let side = match side(self.edge, other.edge.start) {
            Sign::Zero => turn(self.edge, other.edge),
            side => side,
        };
        match side {
            Sign::Positive => Ordering::Less,
            Sign::Negative => Ordering::Greater,
            Sign::Zero => self.index.cmp(&other.index),
        }
    }
}

/// A position on the line: an edge, or just below or above all edges through a point.
#[derive(Clone, Copy, Debug)]
enum Entry {
    Edge(DirectedEdge),
    Below(Point),
    Above(Point),
}

impl Entry {
    fn index(&self) -> Option<usize> {
        match self {
            Self::Edge(directed) => Some(directed.index),
            Self::Below(_) | Self::Above(_) => None,
        }
    }
}

impl Ord for Entry {
    fn cmp(&self, other: &Self) -> Ordering {
        let to_point = |directed: &DirectedEdge, point: Point, through: Ordering| match side(
            directed.edge,
            point,
        ) {
            Sign::Positive => Ordering::Less,
            Sign::Negative => Ordering::Greater,
            Sign::Zero => through,
        };
        match (self, other) {
            (Self::Edge(first), Self::Edge(second)) => first.order(second),
            (Self::Edge(directed), &Self::Below(point)) => {
                to_point(directed, point, Ordering::Greater)
            }
            (Self::Edge(directed), &Self::Above(point)) => {
                to_point(directed, point, Ordering::Less)
            }
            (_, Self::Edge(_)) => other.cmp(self).reverse(),
            // Entries of one point: two points are never compared.
            (Self::Below(_), Self::Above(_)) => Ordering::Less,
            (Self::Above(_), Self::Below(_)) => Ordering::Greater,
            (Self::Below(_), Self::Below(_)) | (Self::Above(_), Self::Above(_)) => Ordering::Equal,
        }
    }
}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Entry {}
