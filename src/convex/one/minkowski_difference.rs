//! The edges of the Minkowski difference `{b - a}` of two convex rings, by merging.
//!
//! Both rings' edges, those of `a` reversed, are sorted by angle already; merging them costs one
//! turn test an edge (de Berg et al., "Computational Geometry", section 13.3). The file is
//! long because it has all exact predicates about the edges and corners of the difference.

use std::cmp::Ordering;

use crate::convex::cyclic::Cyclic;
use crate::geom::{Displacement, Edge, Motion, Point, Vec2, WideFloat, WideVector};
use crate::predicates::{self, Crossing, Length, Sign, TO_TEN_DIGITS, length};

/// A corner of the difference: vertex `b` of the second ring less vertex `a` of the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Corner {
    pub(crate) a: usize,
    pub(crate) b: usize,
}

impl Corner {
    /// The corner of vertex `own` of the owner and vertex `other` of the other ring.
    #[inline(always)]
    pub(crate) fn new(owner: Owner, own: usize, other: usize) -> Self {
        let (a, b) = match owner {
            Owner::A => (own, other),
            Owner::B => (other, own),
        };
        Self { a, b }
    }

    /// The corner with another vertex of the owner.
    #[inline(always)]
    fn with(self, owner: Owner, own: usize) -> Self {
        match owner {
            Owner::A => Self { a: own, ..self },
            Owner::B => Self { b: own, ..self },
        }
    }
}

/// Which ring an edge of the difference comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Owner {
    A,
    B,
}

/// An edge of the difference that starts at the corner `from`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DifferenceEdge {
    pub(crate) owner: Owner,
    pub(crate) from: Corner,
}

impl DifferenceEdge {
    #[inline(always)]
    pub(crate) fn new(owner: Owner, from: Corner) -> Self {
        Self { owner, from }
    }
}

/// The supporting line of the difference in a direction, counterclockwise: the origin lies
/// `direction × gap / |direction|` to its left.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Support {
    pub(crate) direction: Edge,
    /// From a vertex of b to a vertex of a that both lie on the edge.
    pub(crate) gap: Displacement,
}

impl Support {
    /// Positive when the shapes overlap along this edge's normal, negative when it separates them.
    #[inline(always)]
    pub(crate) fn overlap(&self) -> Sign {
        predicates::cross(self.direction, self.gap)
    }

    /// The size of the overlap or of the gap.
    #[inline(always)]
    pub(crate) fn length(&self) -> Length {
        Length::Across(self.direction, self.gap)
    }

    /// The size of the overlap or of the gap, as a number.
    pub(crate) fn depth(&self) -> WideFloat {
        self.length().value(TO_TEN_DIGITS)
    }

    /// The shortest way for a to get out along the normal.
    pub(crate) fn translation(&self) -> Vec2 {
        (right_normal(self.direction) * self.depth()).to_vec2()
    }
}

/// The unit vector to the right of an edge: the outward one on a counterclockwise ring.
pub(crate) fn right_normal(edge: Edge) -> WideVector {
    WideVector::between(edge.start, edge.end).turned_right() / length(edge)
}

/// The Minkowski difference `{b - a}` of two shapes with their inside on the left of each edge.
#[derive(Debug)]
pub(crate) struct MinkowskiDifference<'r, R: ?Sized = [Point]> {
    pub(crate) a: &'r R,
    pub(crate) b: &'r R,
    /// Displacement of the first shape relative to the second, beyond what the vertices say.
    pub(crate) offset: Option<Motion>,
}

impl<R: ?Sized> Clone for MinkowskiDifference<'_, R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R: ?Sized> Copy for MinkowskiDifference<'_, R> {}

/// Questions about one corner, for shapes of any kind.
impl<'r, R: Cyclic + ?Sized> MinkowskiDifference<'r, R> {
    #[inline]
    pub(crate) fn new(a: &'r R, b: &'r R, offset: Option<Motion>) -> Self {
        Self { a, b, offset }
    }

    /// The two vertices that a corner is the difference of.
    #[inline(always)]
    pub(crate) fn vertices(&self, corner: Corner) -> (Point, Point) {
        (self.a.vertex(corner.a), self.b.vertex(corner.b))
    }

    /// From `b` to `a` at a corner.
    #[inline(always)]
    pub(crate) fn gap(&self, corner: Corner) -> Displacement {
        let (a, b) = self.vertices(corner);
        self.offset_gap(a, b)
    }

    /// From a vertex of `b` to one of `a`.
    #[inline(always)]
    fn offset_gap(&self, a: Point, b: Point) -> Displacement {
        Displacement::new(b, a, self.offset)
    }

    /// The direction of an edge, counterclockwise on the difference.
    #[inline(always)]
    pub(crate) fn direction(&self, edge: &DifferenceEdge) -> Edge {
        match edge.owner {
            Owner::A => self.a.edge(edge.from.a).reversed(),
            Owner::B => self.b.edge(edge.from.b),
        }
    }

    /// The supporting line along an edge.
    #[inline(always)]
    pub(crate) fn support(&self, edge: &DifferenceEdge) -> Support {
        Support {
            direction: self.direction(edge),
            gap: self.gap(edge.from),
        }
    }

    /// When the origin, moving by `velocity`, reaches the line of an edge.
    #[inline(always)]
    pub(crate) fn crossing(&self, edge: &DifferenceEdge, velocity: Motion) -> Crossing {
        Crossing {
            line: self.direction(edge),
            gap: self.gap(edge.from),
            velocity,
        }
    }

    /// Whether two edges have the same direction.
    pub(crate) fn are_parallel(&self, first: &DifferenceEdge, second: &DifferenceEdge) -> bool {
        let [first, second] = [first, second].map(|edge| self.direction(edge));
        predicates::have_same_direction(first, second)
    }

    /// The sign of the turn from one edge to another.
    #[inline(always)]
    fn turn(&self, first: &DifferenceEdge, second: &DifferenceEdge) -> Sign {
        predicates::turn(self.direction(first), self.direction(second))
    }

    /// The corner that an edge leads to.
    #[inline(always)]
    pub(crate) fn end(&self, edge: &DifferenceEdge) -> Corner {
        let DifferenceEdge { owner, from } = *edge;
        let next = match owner {
            Owner::A => self.a.next(from.a),
            Owner::B => self.b.next(from.b),
        };
        from.with(owner, next)
    }

    /// The edge that leaves a corner; of two parallel ones, that of `a`.
    #[inline(always)]
    pub(crate) fn leaving(&self, corner: Corner) -> DifferenceEdge {
        let [of_a, of_b] = [Owner::A, Owner::B].map(|owner| DifferenceEdge::new(owner, corner));
        self.first(of_a, of_b)
    }

    /// Of two edges that leave a corner, the first one counterclockwise.
    #[inline(always)]
    fn first(&self, of_a: DifferenceEdge, of_b: DifferenceEdge) -> DifferenceEdge {
        if self.turn(&of_a, &of_b) == Sign::Negative {
            of_b
        } else {
            of_a
        }
    }

    /// Of two edges that arrive at a corner, the last one.
    fn last(&self, of_a: DifferenceEdge, of_b: DifferenceEdge) -> DifferenceEdge {
        if self.turn(&of_a, &of_b) == Sign::Negative {
            of_a
        } else {
            of_b
        }
    }

    /// The edge of one shape that ends at a corner.
    pub(crate) fn before(&self, owner: Owner, corner: Corner) -> DifferenceEdge {
        let previous = match owner {
            Owner::A => self.a.previous(corner.a),
            Owner::B => self.b.previous(corner.b),
        };
        DifferenceEdge::new(owner, corner.with(owner, previous))
    }

    /// The edge that arrives at a corner; of two parallel ones, that of `b`, which comes last.
    pub(crate) fn arriving(&self, corner: Corner) -> DifferenceEdge {
        let [of_a, of_b] = [Owner::A, Owner::B].map(|owner| self.before(owner, corner));
        self.last(of_a, of_b)
    }

    /// The two edges at a corner.
    pub(crate) fn beside(&self, corner: Corner) -> [DifferenceEdge; 2] {
        [self.arriving(corner), self.leaving(corner)]
    }

    /// On which side of the origin's path a corner lies; zero if the path leads right to it.
    pub(crate) fn ahead(&self, corner: Corner, velocity: Motion) -> Sign {
        predicates::cross(velocity, self.gap(corner))
    }

    /// Whether the origin, moving by `velocity`, crosses an edge from outside and between its ends
    /// within the frame.
    pub(crate) fn is_entered(&self, edge: &DifferenceEdge, velocity: Motion) -> bool {
        let ahead = |corner| self.ahead(corner, velocity);
        self.crossing(edge, velocity).is_entry()
            && ahead(edge.from).times(ahead(self.end(edge))) == Sign::Negative
    }

    /// Two edges for a contact at a corner: its normal lies between their right normals.
    ///
    /// The first shape moves by `velocity`. Where a vertex sits in a notch of the other shape, those are the
    /// sides of the notch.
    pub(crate) fn sides(&self, corner: Corner, velocity: Motion) -> [DifferenceEdge; 2] {
        let facing = [Owner::A, Owner::B].map(|owner| self.edges_facing(owner, corner, velocity));
        let is_notch = |[before, after]: &&[_; 2]| self.turn(before, after) == Sign::Negative;
        if let Some(notch) = facing.iter().find(is_notch) {
            return *notch;
        }
        let [[before_a, after_a], [before_b, after_b]] = facing;
        [self.last(before_a, before_b), self.first(after_a, after_b)]
    }

    /// The edges of one shape at a corner that face the other shape before it arrives there.
    pub(crate) fn edges_facing(
        &self,
        owner: Owner,
        corner: Corner,
        velocity: Motion,
    ) -> [DifferenceEdge; 2] {
        let back = velocity.reversed();
        let facing = match owner {
            Owner::A => self.a.edges_facing(corner.a, velocity.displacement()),
            Owner::B => self.b.edges_facing(corner.b, back.displacement()),
        };
        facing.map(|own| DifferenceEdge::new(owner, corner.with(owner, own)))
    }
}

impl MinkowskiDifference<'_> {
    /// All edges, counterclockwise from the lowest corner; of parallel ones, that of `a` first.
    #[inline(always)]
    pub(crate) fn edges(self) -> impl Iterator<Item = DifferenceEdge> {
        let mut left_of_a = self.a.len();
        let mut left_of_b = self.b.len();
        let mut corner = Corner {
            a: lowest(self.a, -1.0),
            b: lowest(self.b, 1.0),
        };
        std::iter::from_fn(move || {
            // Until one ring is used up, the two next edges are less than half a turn apart: both
            // follow the last one, and no convex ring turns by half a turn at a vertex.
            let edge = match (left_of_a, left_of_b) {
                (0, 0) => return None,
                (_, 0) => DifferenceEdge::new(Owner::A, corner),
                (0, _) => DifferenceEdge::new(Owner::B, corner),
                _ => self.leaving(corner),
            };
            match edge.owner {
                Owner::A => left_of_a -= 1,
                Owner::B => left_of_b -= 1,
            }
            corner = self.end(&edge);
            Some(edge)
        })
    }

    /// The edges of both rings, of which one or both may be a segment or a point, which has no edge: those of `a` first.
    pub(crate) fn edges_of_rings(self) -> impl Iterator<Item = DifferenceEdge> {
        let edges_of = move |owner: Owner, count: usize| {
            let count = if count < 2 { 0 } else { count };
            // The vertex that faces an edge is near the one that faces the edge before.
            let mut near = 0;
            (0..count).map(move |own| {
                let from = self.edge_start(owner, Corner::new(owner, own, near));
                near = match owner {
                    Owner::A => from.b,
                    Owner::B => from.a,
                };
                DifferenceEdge::new(owner, from)
            })
        };
        edges_of(Owner::A, self.a.len()).chain(edges_of(Owner::B, self.b.len()))
    }

    /// The order of two edges in [`Self::edges`].
    pub(crate) fn order(&self, edge: &DifferenceEdge, other: &DifferenceEdge) -> Ordering {
        let [first, second] = [edge, other].map(|edge| self.direction(edge));
        let is_in_first_half =
            |Edge { start, end }: Edge| end.y > start.y || end.y == start.y && end.x > start.x;
        let halves = [first, second].map(|direction| !is_in_first_half(direction));
        halves[0]
            .cmp(&halves[1])
            .then_with(|| match predicates::turn(first, second) {
                Sign::Positive => Ordering::Less,
                Sign::Negative => Ordering::Greater,
                Sign::Zero => (edge.owner == Owner::B).cmp(&(other.owner == Owner::B)),
            })
    }

    /// The corner where the edge of one ring at a corner starts on the difference: at the vertex of
    /// the other ring deepest behind it, found by exact steps from the corner given. Round a convex
    /// ring the depth rises once and falls once.
    ///
    /// Of two deepest vertices, the ends of a parallel edge, [`Self::edges`] comes to an edge of `a`
    /// from the start, to one of `b` from the end.
    pub(crate) fn edge_start(&self, owner: Owner, corner: Corner) -> Corner {
        let Corner { a, b } = corner;
        let (edge, own, others, near) = match owner {
            Owner::A => (self.a.edge(a), a, self.b, b),
            Owner::B => (self.b.edge(b), b, self.a, a),
        };
        let step = |from: usize, to: usize| {
            predicates::cross(edge, Displacement::between(others[from], others[to]))
        };
        let mut deepest = near;
        while step(deepest, others.next(deepest)) == Sign::Positive {
            deepest = others.next(deepest);
        }
        if deepest == near {
            while step(deepest, others.previous(deepest)) == Sign::Positive {
                deepest = others.previous(deepest);
            }
        }
        let parallel = match owner {
            Owner::A => others.previous(deepest),
            Owner::B => others.next(deepest),
        };
        if step(deepest, parallel) == Sign::Zero {
            deepest = parallel;
        }
        Corner::new(owner, own, deepest)
    }

    /// An edge as [`Self::edges`] gives it, if no vertex of the other ring lies deeper behind it
    /// than that of the corner given. Of two parallel edges it is that of `a`.
    pub(crate) fn true_edge(&self, owner: Owner, corner: Corner) -> Option<DifferenceEdge> {
        let from = self.edge_start(owner, corner);
        let edge = DifferenceEdge { owner, from };
        if from != corner {
            let [deepest, given] = [from, corner].map(|corner| self.vertices(corner));
            let step = match owner {
                Owner::A => Displacement::between(given.1, deepest.1),
                Owner::B => Displacement::between(deepest.0, given.0),
            };
            if predicates::cross(self.direction(&edge), step) != Sign::Zero {
                return None;
            }
        }
        let parallel = self.before(Owner::A, from);
        let is_second = owner == Owner::B && self.turn(&parallel, &edge) == Sign::Zero;
        Some(if is_second { parallel } else { edge })
    }

    /// The supporting line in a direction that need not be an edge's.
    pub(crate) fn support_along(&self, direction: Edge) -> Support {
        let leftmost = |ring: &[Point], direction: Edge| {
            let farther = |best: Point, &point: &Point| {
                let step = Displacement::between(best, point);
                if predicates::cross(direction, step) == Sign::Positive {
                    point
                } else {
                    best
                }
            };
            ring[1..].iter().fold(ring[0], farther)
        };
        let a = leftmost(self.a, direction);
        let b = leftmost(self.b, direction.reversed());
        Support {
            direction,
            gap: self.offset_gap(a, b),
        }
    }
}

/// The lowest vertex, of several the leftmost: the edges that follow go from angle 0 up. With a
/// `sign` of -1 the highest, of several the rightmost.
#[inline]
fn lowest(ring: &[Point], sign: f64) -> usize {
    let key = |index: usize| (sign * ring[index].y, sign * ring[index].x);
    (1..ring.len()).fold(
        0,
        |best, index| {
            if key(index) < key(best) { index } else { best }
        },
    )
}

/// What the origin does within a frame in which it moves along a straight path.
pub(crate) enum OriginPath {
    /// It does not get to the difference.
    Misses,
    /// It starts inside the difference or on its boundary.
    Inside,
    /// It enters, through this edge and at this time, if they are known.
    Enters(Option<DifferenceEdge>, Option<f64>),
}
