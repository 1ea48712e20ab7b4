//! Area and first moments of the region on the left of edges, as sums over the edges.

use super::adaptive::value;
use super::exact;
use super::filter::Bounded;
use super::number::{Number, Polynomial, Vector};
use crate::geom::{Edge, Point, WideFloat};

/// Twice the area. Degree 2.
#[derive(Clone, Debug)]
pub struct TwiceArea<E> {
    /// The origin; near the edges, so that little cancels.
    pub origin: Point,
    /// The edges of all rings.
    pub edges: E,
}

/// Six times the first moment along an axis, from the origin. Degree 3.
#[derive(Clone, Debug)]
pub struct Moment<E> {
    /// The region.
    pub area: TwiceArea<E>,
    /// Whether along y instead of x.
    pub along_y: bool,
}

/// Twice the area of the triangle from a point to an edge. The edge, not its end, is a factor: it
/// is short, so that the terms of many edges add up to little more than the area.
#[inline(always)]
fn triangle<N: Number>(origin: Point, edge: Edge) -> N {
    Vector::between(origin, edge.start).cross(&Vector::along(edge))
}

impl<E: Iterator<Item = Edge> + Clone> Polynomial for TwiceArea<E> {
    #[inline(always)]
    fn evaluate<N: Number>(&self) -> N {
        let triangles = self.edges.clone().map(|edge| triangle(self.origin, edge));
        sum(triangles)
    }
}

impl<E: Iterator<Item = Edge> + Clone> Polynomial for Moment<E> {
    #[inline(always)]
    fn evaluate<N: Number>(&self) -> N {
        let TwiceArea { origin, edges } = &self.area;
        let along = |point: Point| {
            if self.along_y {
                N::difference(point.y, origin.y)
            } else {
                N::difference(point.x, origin.x)
            }
        };
        sum(edges.clone().map(|edge| {
            let both = along(edge.start).plus(&along(edge.end));
            triangle::<N>(*origin, edge).times(&both)
        }))
    }
}

/// The value of [`TwiceArea`].
pub(crate) fn twice_area<E>(area: &TwiceArea<E>, tolerance: f64) -> WideFloat
where
    E: Iterator<Item = Edge> + Clone,
{
    value(area, tolerance)
}

/// The value of [`Moment`], with an absolute error below `error`.
pub(crate) fn moment<E>(moment: &Moment<E>, error: f64) -> WideFloat
where
    E: Iterator<Item = Edge> + Clone,
{
    let attempt = moment.evaluate::<Bounded>();
    if attempt.error() < error {
        WideFloat::from(attempt.value())
    } else {
        exact::value(moment, 0.0)
    }
}

/// Terms per partial sum.
const BLOCK: usize = 64;

/// A sum of partial sums: each term is rounded few times, which keeps the error bound small.
#[inline(always)]
fn sum<N: Number>(terms: impl Iterator<Item = N>) -> N {
    let (mut total, mut block) = (N::of(0.0), N::of(0.0));
    for (index, term) in terms.enumerate() {
        block = block.plus(&term);
        if index % BLOCK == BLOCK - 1 {
            total = total.plus(&block);
            block = N::of(0.0);
        }
    }
    total.plus(&block)
}
