//! The nearest features of two shapes without their radii, the first displaced or moving.

use crate::convex::{
    Cyclic, NearestFeatures, advanced, contact_beside, foot_displaced, right_normal,
};
use crate::geom::{Displacement, Edge, Motion, Point, RadiusSum, Vec2, WideFloat, WideVector};
use crate::predicates::{
    Least, Length, Sign, TO_TEN_DIGITS, TO_THE_LAST_PLACE, cross, dot, dot_value,
    have_same_direction, length,
};
use crate::shape::checked_shape::Shape;
use crate::shape::rest::distance::{candidates, core_distance};
use crate::shape::rest::intersects::intersect_moved;

/// The nearest features of two shapes that are apart.
#[derive(Clone, Copy)]
pub(crate) struct NearestCores {
    /// From a point of `b` to one of `a`.
    gap: Displacement,
    between: Features,
    /// The vertices; where an edge is nearest, of the other shape.
    vertices: [Point; 2],
    /// Whether the features are those at the end of the frame.
    at_end: bool,
}

#[derive(Clone, Copy)]
enum Features {
    Vertices,
    /// A vertex of `a` and an edge of `b`.
    EdgeOfB(Edge),
    /// A vertex of `b` and an edge of `a`.
    EdgeOfA(Edge),
    /// A vertex that passes another.
    Passing(Motion),
}

impl NearestCores {
    /// The nearest features of two shapes at rest, the first displaced by an offset, given their
    /// corners. `None` if the shapes have a point in common.
    pub(crate) fn new(
        [a, b]: [&Shape<'_>; 2],
        corners: [&[Point]; 2],
        offset: Option<Motion>,
    ) -> Option<Self> {
        if offset.is_some() {
            let meet = intersect_moved(a.boundary(), b.boundary(), offset);
            return (!meet).then(|| Self::among(corners, offset));
        }
        core_distance(a, b).nearest.map(Self::from)
    }

    /// The nearest of all pairs of features, the first shape displaced by an offset.
    fn among([a, b]: [&[Point]; 2], offset: Option<Motion>) -> Self {
        let mut least = Least::default();
        let mut rank = 0;
        for i in 0..a.len() {
            for j in 0..b.len() {
                for nearest in candidates([a.edge(i), b.edge(j)], offset) {
                    least.offer(Self::displaced(nearest, offset, false), Self::length, rank);
                    rank += 1;
                }
            }
        }
        least.found().expect("shapes have vertices")
    }

    /// A vertex of `a`, displaced at the start, that passes one of `b` within the frame.
    pub(crate) fn passing(
        vertices: [Point; 2],
        offset: Option<Motion>,
        velocity: Motion,
    ) -> Option<Self> {
        let gap = Displacement::new(vertices[1], vertices[0], offset);
        let passes = dot(velocity, gap) == Sign::Negative
            && dot(velocity, gap.after(velocity)) == Sign::Positive;
        passes.then_some(Self {
            gap,
            between: Features::Passing(velocity),
            vertices,
            at_end: false,
        })
    }

    /// These features of two shapes at the end of the frame, the first displaced by all its motion, or at the
    /// start.
    pub(crate) fn displaced(nearest: NearestFeatures, shift: Option<Motion>, at_end: bool) -> Self {
        let found = Self::from(nearest);
        Self {
            gap: Displacement { shift, ..found.gap },
            at_end,
            ..found
        }
    }

    /// How the distance changes while the first shape moves on by `velocity`.
    pub(crate) fn slope(&self, velocity: Motion) -> Sign {
        match self.between {
            Features::Vertices => dot(velocity, self.gap),
            Features::EdgeOfA(edge) | Features::EdgeOfB(edge) => {
                cross(edge, velocity.displacement()).times(cross(edge, self.gap))
            }
            Features::Passing(_) => Sign::Zero,
        }
    }

    /// The distance, to ten digits.
    pub(crate) fn distance(&self) -> WideFloat {
        match self.between {
            Features::Vertices => dot_value(self.gap, self.gap, TO_TEN_DIGITS).sqrt(),
            _ => self.length().value(TO_TEN_DIGITS),
        }
    }

    /// When they are so near, in a frame in which the first shape moves by `velocity`.
    pub(crate) fn time(&self) -> WideFloat {
        match self.between {
            Features::Passing(velocity) => {
                let path = velocity.displacement();
                let time = -dot_value(path, self.gap, TO_TEN_DIGITS)
                    / dot_value(path, path, TO_TEN_DIGITS);
                if time > WideFloat::ONE {
                    WideFloat::ONE
                } else {
                    time
                }
            }
            _ if self.at_end => WideFloat::ONE,
            _ => WideFloat::ZERO,
        }
    }

    /// The points of `a` and of `b` at that time.
    pub(crate) fn points(&self) -> [Point; 2] {
        let [of_a, of_b] = self.vertices;
        let shift = self.gap.shift;
        let moved = |point| match (self.between, shift) {
            (Features::Passing(velocity), _) => {
                let time = -dot_value(velocity, self.gap, TO_THE_LAST_PLACE)
                    / dot_value(velocity, velocity.displacement(), TO_THE_LAST_PLACE);
                let shift = shift.map_or(WideVector::ZERO, Motion::wide);
                advanced(point, shift + velocity.wide() * time)
            }
            (_, None) => point,
            (_, Some(shift)) => advanced(point, shift.wide()),
        };
        match self.between {
            Features::Vertices | Features::Passing(_) => [moved(of_a), of_b],
            Features::EdgeOfB(edge) => [moved(of_a), foot_displaced(edge, of_a, shift)],
            Features::EdgeOfA(edge) => {
                let foot = foot_displaced(edge, of_b, shift.map(Motion::reversed));
                [moved(foot), of_b]
            }
        }
    }

    /// The distance.
    pub(crate) fn length(&self) -> Length {
        match self.between {
            Features::Vertices => Length::Whole(self.gap),
            Features::EdgeOfA(edge) | Features::EdgeOfB(edge) => Length::Across(edge, self.gap),
            Features::Passing(velocity) => Length::AcrossMotion(velocity, self.gap),
        }
    }

    /// The unit vector from `b` to `a`.
    pub(crate) fn direction(&self) -> WideVector {
        let signed = |right: WideVector, is_left: bool| if is_left { -right } else { right };
        match self.between {
            Features::Vertices => {
                let length = self.length().value(TO_TEN_DIGITS);
                let axes = [Vec2::new(1.0, 0.0), Vec2::new(0.0, 1.0)].map(Edge::from_origin);
                let [x, y] = axes.map(|axis| dot_value(axis, self.gap, TO_TEN_DIGITS));
                WideVector::new(x, y) / length
            }
            Features::EdgeOfA(edge) | Features::EdgeOfB(edge) => {
                signed(right_normal(edge), cross(edge, self.gap) == Sign::Positive)
            }
            Features::Passing(velocity) => {
                let right = velocity.wide().turned_right() / length(velocity);
                signed(right, cross(velocity, self.gap) == Sign::Positive)
            }
        }
    }

    /// The ends of the edge in contact, of shapes that are within the sum of their radii, clipped to the other shape; and
    /// whether that edge is one of `b`.
    pub(crate) fn contact(
        &self,
        [a, b]: [&[Point]; 2],
        offset: Option<Motion>,
        radius: RadiusSum,
    ) -> ([Point; 2], bool) {
        let [of_a, of_b] = self.vertices;
        let beside_a = |reference, vertex| {
            let shift = offset.map(Motion::reversed);
            let contact = contact_beside(reference, b, vertex, shift, radius);
            (contact, true)
        };
        let beside_b = |reference| {
            let contact = contact_beside(reference, a, of_a, offset, radius);
            (contact, false)
        };
        match self.between {
            Features::EdgeOfA(edge) => beside_a(self.facing(edge, Sign::Positive), of_b),
            Features::EdgeOfB(edge) => {
                let edge = self.facing(edge, Sign::Negative);
                let mut of_a = edges_at(a, of_a);
                let of_both = of_a.find(|it| have_same_direction(edge, it.reversed()));
                of_both.map_or_else(|| beside_b(edge), |of_a| beside_a(of_a, edge.start))
            }
            Features::Vertices => {
                // The edge at a vertex that has the gap along its outward normal.
                let across = |shape, vertex, side| {
                    edges_at(shape, vertex)
                        .find(|&it| dot(it, self.gap) == Sign::Zero && cross(it, self.gap) == side)
                };
                if let Some(edge) = across(a, of_a, Sign::Positive) {
                    beside_a(edge, of_b)
                } else if let Some(edge) = across(b, of_b, Sign::Negative) {
                    beside_b(edge)
                } else {
                    ([of_b; 2], true)
                }
            }
            Features::Passing(_) => ([of_b; 2], true),
        }
    }

    /// The edge in the direction that has the gap from `b` to `a` on this side: those of paths have either.
    fn facing(&self, edge: Edge, side: Sign) -> Edge {
        if cross(edge, self.gap) == side {
            edge
        } else {
            edge.reversed()
        }
    }
}

/// The edges of a convex shape that end and start at a vertex.
fn edges_at(shape: &[Point], vertex: Point) -> impl Iterator<Item = Edge> {
    let at = shape.iter().position(|&point| point == vertex);
    at.into_iter().flat_map(|at| shape.edges_at(at))
}

impl From<NearestFeatures> for NearestCores {
    fn from(nearest: NearestFeatures) -> Self {
        let (vertices, between) = match nearest {
            NearestFeatures::Vertices { a, b } => ([a, b], Features::Vertices),
            NearestFeatures::VertexOfA { a, edge } => ([a, edge.start], Features::EdgeOfB(edge)),
            NearestFeatures::VertexOfB { b, edge } => ([edge.start, b], Features::EdgeOfA(edge)),
        };
        let gap = Displacement::between(vertices[1], vertices[0]);
        Self {
            gap,
            between,
            vertices,
            at_end: false,
        }
    }
}
