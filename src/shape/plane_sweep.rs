//! Meetings of edges found from left to right: the cost grows with V log V whatever the shape,
//! where boxes fail because long slanted edges lie side by side.
//!
//! Shamos and Hoey (1976): the edges that a vertical line crosses are kept in their order along it,
//! and two edges can only meet after they have been neighbours in it. Here edges may have common
//! ends and ends may lie on edges; what meets in an end is found when the line gets there.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::ops::ControlFlow;

use super::convex_hull::order;
use crate::geom::{Edge, Point};
use crate::predicates::{Sign, side, turn};

/// Visits pairs of edges, each by its number: all that have an end of one in common with the
/// other, unless it is two edges and nothing else that meet in an end of both; and so many more
/// that two edges which cross elsewhere are among them. The visitor must stop at the first two
/// that cross or overlap: beyond them the order means nothing.
pub(super) fn meetings(
    edges: impl Iterator<Item = Edge>,
    mut visit: impl FnMut(usize, usize) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let edges: Vec<Active> = edges.enumerate().map(Active::new).collect();
    let mut ends: Vec<(Point, usize)> = edges
        .iter()
        .flat_map(|it| [(it.edge.start, it.number), (it.edge.end, it.number)])
        .collect();
    ends.sort_unstable_by(|first, second| order(first.0, second.0).then(first.1.cmp(&second.1)));
    let mut line: BTreeSet<Entry> = BTreeSet::new();
    for here in ends.chunk_by(|first, second| first.0 == second.0) {
        let point = here[0].0;
        let (below, above) = (Entry::Below(point), Entry::Above(point));
        let mut meeting: Vec<usize> = line.range(below..above).filter_map(Entry::number).collect();
        let starting = here
            .iter()
            .map(|&(_, number)| number)
            .filter(|&number| edges[number].edge.start == point);
        meeting.extend(starting.clone());
        if meeting.len() > 2 || here.len() < meeting.len() {
            for (rank, &first) in meeting.iter().enumerate() {
                for &second in &meeting[rank + 1..] {
                    visit(first, second)?;
                }
            }
        }
        for &(_, number) in here {
            line.remove(&Entry::Edge(edges[number]));
        }
        line.extend(starting.map(|number| Entry::Edge(edges[number])));
        let neighbour = |entry: Option<&Entry>| entry.and_then(Entry::number);
        let lower = neighbour(line.range(..below).next_back());
        let upper = neighbour(line.range(above..).next());
        let lowest = neighbour(line.range(below..above).next());
        let highest = neighbour(line.range(below..above).next_back());
        for (first, second) in [
            (lower, lowest.or(upper)),
            (highest, upper.filter(|_| highest.is_some())),
        ] {
            if let (Some(first), Some(second)) = (first, second) {
                visit(first, second)?;
            }
        }
    }
    ControlFlow::Continue(())
}

/// An edge as it runs to the right, or straight up.
#[derive(Clone, Copy, Debug)]
struct Active {
    edge: Edge,
    number: usize,
}

impl Active {
    fn new((number, edge): (usize, Edge)) -> Self {
        let edge = if order(edge.start, edge.end) == Ordering::Less {
            edge
        } else {
            edge.reversed()
        };
        Self { edge, number }
    }

    /// The order of two edges that one vertical line crosses, from below. It can be told at any
    /// place both reach, so at the start of the later one, and behind it where they touch there.
    fn order(&self, other: &Self) -> Ordering {
        if self.number == other.number {
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
            Sign::Zero => self.number.cmp(&other.number),
        }
    }
}

/// What has a place on the line: an edge, or the place just below or above whatever goes through a
/// point.
#[derive(Clone, Copy, Debug)]
enum Entry {
    Edge(Active),
    Below(Point),
    Above(Point),
}

impl Entry {
    fn number(&self) -> Option<usize> {
        match self {
            Self::Edge(active) => Some(active.number),
            Self::Below(_) | Self::Above(_) => None,
        }
    }
}

impl Ord for Entry {
    fn cmp(&self, other: &Self) -> Ordering {
        let to_point =
            |active: &Active, point: Point, through: Ordering| match side(active.edge, point) {
                Sign::Positive => Ordering::Less,
                Sign::Negative => Ordering::Greater,
                Sign::Zero => through,
            };
        match (self, other) {
            (Self::Edge(first), Self::Edge(second)) => first.order(second),
            (Self::Edge(active), &Self::Below(point)) => to_point(active, point, Ordering::Greater),
            (Self::Edge(active), &Self::Above(point)) => to_point(active, point, Ordering::Less),
            (_, Self::Edge(_)) => other.cmp(self).reverse(),
            // Only ever those of one point.
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
