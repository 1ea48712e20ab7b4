//! The edges of the Minkowski difference `{b - a}` of two convex rings, by merging.
//!
//! Both rings' edges, those of `a` reversed, are sorted by angle already; merging them costs one
//! turn test an edge (de Berg et al., "Computational Geometry", section 13.3).

use super::ring::Cyclic;
use crate::geom::{Displacement, Edge, Motion, Point, Vec2, WideFloat};
use crate::predicates::{self, Crossing, Length, Sign, TO_TEN_DIGITS, length};

/// A corner of the difference: vertex `b` of the second ring less vertex `a` of the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Corner {
    pub(crate) a: usize,
    pub(crate) b: usize,
}

/// Which ring an edge of the difference comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Owner {
    A,
    B,
}

/// An edge of the difference, from the corner `from` on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DifferenceEdge {
    pub(crate) owner: Owner,
    pub(crate) from: Corner,
    pub(crate) support: Support,
}

/// A direction along the difference of the difference, counterclockwise, and how the origin lies to
/// the line of the edge there: to its left by `direction × gap / |direction|`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Support {
    pub(crate) direction: Edge,
    /// From a vertex of b to a vertex of a that both lie on the edge.
    pub(crate) gap: Displacement,
}

impl DifferenceEdge {
    /// When the origin, moving by `velocity`, reaches the line of this edge.
    #[inline(always)]
    pub(crate) fn crossing(&self, velocity: Motion) -> Crossing {
        Crossing {
            line: self.support.direction,
            gap: self.support.gap,
            velocity,
        }
    }

    /// Whether another edge has the same direction.
    pub(crate) fn runs_along(&self, other: &Self) -> bool {
        let [line, direction] = [self, other].map(|edge| edge.support.direction);
        predicates::turn(line, direction) == Sign::Zero
            && predicates::dot(line, direction.displacement()) == Sign::Positive
    }
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

    /// The outward normal of the edge: from b to a.
    pub(crate) fn normal(&self) -> [WideFloat; 2] {
        right_normal(self.direction)
    }

    /// The shortest way for a to get out along the normal.
    pub(crate) fn translation(&self) -> Vec2 {
        let depth = self.depth();
        let [x, y] = self.normal();
        Vec2::new((x * depth).to_f64(), (y * depth).to_f64())
    }
}

/// The unit vector to the right of an edge: the outward one on a counterclockwise ring.
pub(crate) fn right_normal(edge: Edge) -> [WideFloat; 2] {
    let length = length(edge);
    [
        WideFloat::difference(edge.end.y, edge.start.y) / length,
        WideFloat::difference(edge.start.x, edge.end.x) / length,
    ]
}

/// Walks round the difference of a difference.
#[derive(Debug)]
pub(crate) struct MinkowskiDifference<'r, R: ?Sized = [Point]> {
    a: &'r R,
    b: &'r R,
    /// How far the first shape is from where its vertices say, as seen from the second.
    offset: Option<Motion>,
}

impl<R: ?Sized> Clone for MinkowskiDifference<'_, R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R: ?Sized> Copy for MinkowskiDifference<'_, R> {}

/// What looks at one corner holds for shapes of any kind with their inside on the left.
impl<'r, R: Cyclic + ?Sized> MinkowskiDifference<'r, R> {
    /// Of two shapes with their inside on the left of each edge.
    #[inline]
    pub(crate) fn new(a: &'r R, b: &'r R) -> Self {
        Self { a, b, offset: None }
    }

    /// The same shapes, the first moved by this much.
    pub(crate) fn moved(self, offset: Option<Motion>) -> Self {
        Self { offset, ..self }
    }

    /// How far the first shape is from where its vertices say.
    pub(crate) fn offset(&self) -> Option<Motion> {
        self.offset
    }

    /// The first shape.
    pub(crate) fn a(&self) -> &'r R {
        self.a
    }

    /// The second shape.
    pub(crate) fn b(&self) -> &'r R {
        self.b
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
        Displacement {
            shift: self.offset,
            ..Displacement::between(b, a)
        }
    }

    /// An edge of the difference by the ring it comes from and the corner it starts at.
    #[inline(always)]
    pub(crate) fn edge(&self, owner: Owner, from: Corner) -> DifferenceEdge {
        let direction = match owner {
            Owner::A => self.a.edge(from.a).reversed(),
            Owner::B => self.b.edge(from.b),
        };
        DifferenceEdge {
            owner,
            from,
            support: Support {
                direction,
                gap: self.gap(from),
            },
        }
    }

    /// The corner that an edge leads to.
    #[inline(always)]
    pub(crate) fn end(&self, edge: &DifferenceEdge) -> Corner {
        let Corner { a, b } = edge.from;
        match edge.owner {
            Owner::A => Corner {
                a: self.a.next(a),
                b,
            },
            Owner::B => Corner {
                a,
                b: self.b.next(b),
            },
        }
    }

    /// The edge that leaves a corner; of two parallel ones, that of `a`.
    #[inline(always)]
    pub(crate) fn leaving(&self, corner: Corner) -> DifferenceEdge {
        let of_a = self.edge(Owner::A, corner);
        let of_b = self.edge(Owner::B, corner);
        if predicates::turn(of_a.support.direction, of_b.support.direction) == Sign::Negative {
            of_b
        } else {
            of_a
        }
    }

    /// The edge of `a` that would arrive at a corner.
    pub(crate) fn before_by_a(&self, corner: Corner) -> DifferenceEdge {
        let a = self.a.previous(corner.a);
        self.edge(Owner::A, Corner { a, ..corner })
    }

    /// The edge of `b` that would arrive at a corner.
    pub(crate) fn before_by_b(&self, corner: Corner) -> DifferenceEdge {
        let b = self.b.previous(corner.b);
        self.edge(Owner::B, Corner { b, ..corner })
    }

    /// The edge that arrives at a corner; of two parallel ones, that of `b`, which comes last.
    pub(crate) fn arriving(&self, corner: Corner) -> DifferenceEdge {
        let (of_a, of_b) = (self.before_by_a(corner), self.before_by_b(corner));
        if predicates::turn(of_a.support.direction, of_b.support.direction) == Sign::Negative {
            of_a
        } else {
            of_b
        }
    }

    /// On which side of the origin's path a corner lies; zero if the path leads right to it.
    pub(crate) fn ahead(&self, corner: Corner, velocity: Motion) -> Sign {
        predicates::between(velocity.displacement(), self.gap(corner))
    }

    /// Whether the origin, moving by `velocity`, crosses an edge from outside and between its ends
    /// within the frame.
    pub(crate) fn is_entered(&self, edge: &DifferenceEdge, velocity: Motion) -> bool {
        let crossing = edge.crossing(velocity);
        let ahead = |corner| self.ahead(corner, velocity);
        crossing.approach() == Sign::Positive
            && crossing.before() == Sign::Negative
            && crossing.after() != Sign::Negative
            && ahead(edge.from).times(ahead(self.end(edge))) == Sign::Negative
    }

    /// The edges between whose right normals a contact at a corner has its normal.
    ///
    /// Where a vertex sits in a notch of the other shape, those are the sides of the notch.
    pub(crate) fn sides(&self, corner: Corner) -> [DifferenceEdge; 2] {
        let [before_a, after_a] = [self.before_by_a(corner), self.edge(Owner::A, corner)];
        let [before_b, after_b] = [self.before_by_b(corner), self.edge(Owner::B, corner)];
        let reflex = |before: DifferenceEdge, after: DifferenceEdge| {
            predicates::turn(before.support.direction, after.support.direction) == Sign::Negative
        };
        if reflex(before_a, after_a) {
            [before_a, after_a]
        } else if reflex(before_b, after_b) {
            [before_b, after_b]
        } else {
            [self.arriving(corner), self.leaving(corner)]
        }
    }
}

impl<'r> MinkowskiDifference<'r> {
    /// Of two convex rings, counterclockwise.
    #[inline]
    pub(crate) fn convex(a: &'r [Point], b: &'r [Point]) -> Self {
        Self::new(a, b)
    }

    /// All edges, counterclockwise from the lowest corner; of parallel ones, that of `a` first.
    #[inline(always)]
    pub(crate) fn edges(self) -> impl Iterator<Item = DifferenceEdge> {
        let mut left_of_a = self.a.len();
        let mut left_of_b = self.b.len();
        let mut corner = Corner {
            a: highest(self.a),
            b: lowest(self.b),
        };
        std::iter::from_fn(move || {
            // Until one ring is used up, the two next edges are less than half a turn apart: both
            // follow the last one, and no convex ring turns by half a turn at a vertex.
            let edge = match (left_of_a, left_of_b) {
                (0, 0) => return None,
                (_, 0) => self.edge(Owner::A, corner),
                (0, _) => self.edge(Owner::B, corner),
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

    /// The edge as a walk round the difference comes to it, if it does: where no vertex of the
    /// other ring lies deeper behind the edge. Round a convex ring the depth rises once and falls
    /// once, so that a look at its neighbours is enough. Of two parallel edges a walk takes that of
    /// a first.
    pub(crate) fn true_edge(&self, owner: Owner, from: Corner) -> Option<DifferenceEdge> {
        let edge = self.edge(owner, from);
        let (ring, vertex) = match owner {
            Owner::A => (self.b, from.b),
            Owner::B => (self.a, from.a),
        };
        let (before, after) = (ring.previous(vertex), ring.next(vertex));
        let [before_is, after_is] = [before, after].map(|neighbour| {
            let step = Displacement::between(ring[vertex], ring[neighbour]);
            predicates::cross(edge.support.direction, step)
        });
        // The difference has the vertices of a with the opposite sign.
        let deeper = match owner {
            Owner::A => Sign::Negative,
            Owner::B => Sign::Positive,
        };
        if before_is == deeper || after_is == deeper {
            return None;
        }
        Some(match owner {
            // It comes to an edge of a from the start of b's parallel one.
            Owner::A if before_is == Sign::Zero => self.edge(owner, Corner { b: before, ..from }),
            Owner::B if before_is == Sign::Zero => {
                self.edge(Owner::A, Corner { a: before, ..from })
            }
            Owner::B if after_is == Sign::Zero => self.edge(Owner::A, from),
            Owner::A | Owner::B => edge,
        })
    }

    /// The support in a direction that need not be an edge's.
    pub(crate) fn support(&self, direction: Edge) -> Support {
        let farther = |best: Point, point: Point| {
            predicates::cross(direction, Displacement::between(best, point))
        };
        let leftmost = |best, &point: &Point| match farther(best, point) {
            Sign::Positive => point,
            _ => best,
        };
        let rightmost = |best, &point: &Point| match farther(best, point) {
            Sign::Negative => point,
            _ => best,
        };
        let a = self.a[1..].iter().fold(self.a[0], leftmost);
        let b = self.b[1..].iter().fold(self.b[0], rightmost);
        Support {
            direction,
            gap: Displacement {
                shift: self.offset,
                ..Displacement::between(b, a)
            },
        }
    }
}

/// The lowest vertex, of several the leftmost: the edges that follow go from angle 0 up.
#[inline]
fn lowest(ring: &[Point]) -> usize {
    extreme(ring, |point, best| {
        point.y < best.y || (point.y == best.y && point.x < best.x)
    })
}

/// The highest vertex, of several the rightmost: the lowest of the ring turned by half a turn.
#[inline]
fn highest(ring: &[Point]) -> usize {
    extreme(ring, |point, best| {
        point.y > best.y || (point.y == best.y && point.x > best.x)
    })
}

#[inline]
fn extreme(ring: &[Point], better: impl Fn(Point, Point) -> bool) -> usize {
    let mut best = 0;
    for index in 1..ring.len() {
        if better(ring[index], ring[best]) {
            best = index;
        }
    }
    best
}
