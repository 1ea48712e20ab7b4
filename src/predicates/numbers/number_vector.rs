//! Vectors of numbers of any type: displacements and motions as predicates take them.

use super::polynomial::Number;
use crate::geom::{Displacement, Edge, Motion, Point, Vec2};

#[derive(Clone, Copy, Debug)]
pub(crate) struct Vector<N> {
    x: N,
    y: N,
}

impl<N> From<[N; 2]> for Vector<N> {
    #[inline(always)]
    fn from([x, y]: [N; 2]) -> Self {
        Self { x, y }
    }
}

impl<N: Number> Vector<N> {
    #[inline(always)]
    pub(crate) fn of(v: Vec2) -> Self {
        [N::of(v.x), N::of(v.y)].into()
    }

    #[inline(always)]
    pub(crate) fn between(from: Point, to: Point) -> Self {
        [N::difference(to.x, from.x), N::difference(to.y, from.y)].into()
    }

    #[inline(always)]
    pub(crate) fn along(edge: Edge) -> Self {
        Self::between(edge.start, edge.end)
    }

    #[inline(always)]
    pub(crate) fn plus(&self, other: &Self) -> Self {
        [self.x.plus(&other.x), self.y.plus(&other.y)].into()
    }

    #[inline(always)]
    pub(crate) fn minus(&self, other: &Self) -> Self {
        [self.x.minus(&other.x), self.y.minus(&other.y)].into()
    }

    /// The vector turned left by a quarter.
    #[inline(always)]
    pub(crate) fn left(&self) -> Self {
        [N::of(0.0).minus(&self.y), self.x.clone()].into()
    }

    /// The vector turned by the angle of this cosine and sine.
    #[inline(always)]
    pub(crate) fn turned(&self, [cos, sin]: &[N; 2]) -> Self {
        self.times(cos).plus(&self.left().times(sin))
    }

    /// The vector turned by the opposite angle.
    #[inline(always)]
    pub(crate) fn turned_back(&self, [cos, sin]: &[N; 2]) -> Self {
        self.times(cos).minus(&self.left().times(sin))
    }

    #[inline(always)]
    pub(crate) fn components(self) -> [N; 2] {
        [self.x, self.y]
    }

    #[inline(always)]
    pub(crate) fn times(&self, factor: &N) -> Self {
        [self.x.times(factor), self.y.times(factor)].into()
    }

    #[inline(always)]
    pub(crate) fn cross(&self, other: &Self) -> N {
        self.x.times(&other.y).minus(&self.y.times(&other.x))
    }

    #[inline(always)]
    pub(crate) fn dot(&self, other: &Self) -> N {
        self.x.times(&other.x).plus(&self.y.times(&other.y))
    }

    #[inline(always)]
    pub(crate) fn length_squared(&self) -> N {
        self.x.squared().plus(&self.y.squared())
    }
}

impl Displacement {
    #[inline(always)]
    pub(crate) fn vector<N: Number>(&self) -> Vector<N> {
        let vector = Vector::between(self.from, self.to);
        match self.shift {
            None => vector,
            Some(shift) => vector.plus(&shift.terms()),
        }
    }
}

impl Motion {
    #[inline(always)]
    pub(crate) fn terms<N: Number>(&self) -> Vector<N> {
        if let Some(vector) = self.vector() {
            return Vector::of(vector);
        }
        let straight = Vector::between(self.from, self.to);
        if self.steps == 0.0 {
            return straight;
        }
        let drift = if self.drift_from == Vec2::ZERO {
            Vector::of(self.drift)
        } else {
            [
                N::difference(self.drift.x, self.drift_from.x),
                N::difference(self.drift.y, self.drift_from.y),
            ]
            .into()
        };
        straight.plus(&drift.times(&N::of(self.steps)))
    }
}
