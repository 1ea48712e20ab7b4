//! Float filter for a circle and a convex ring: whether they intersect, and the nearest feature.
//!
//! Each edge stands for the Voronoi regions of its interior and of its start: where a vertex is
//! nearest, the center lies before the edge that leaves it. Distances do not depend on which side of
//! a region's border the center is on: there the vertex and the edge are equally near, but for the
//! square of an error.

use crate::convex::table::lane_corners::Corners;
use crate::geom::{Bounds, Circle};
use crate::predicates::bounds::point_edge_filter::{Closeness, EdgeProjection, LeastDistance};
use crate::predicates::bounds::square_errors::Squares;
use crate::predicates::numbers::unrounded_grid::Grid;
use crate::predicates::numbers::verdict::Verdict;
use crate::simd::lanes::{Lanes, Mask, Vectors};

/// A circle beside a shape.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CircleInBox<L> {
    pub(crate) center: Vectors<L>,
    pub(crate) radius: L,
    /// Width and height of the box round the shape and the center.
    pub(crate) size: Vectors<L>,
}

impl CircleInBox<f64> {
    /// A circle and the bounding box of a shape.
    #[inline]
    pub(crate) fn new(circle: Circle, bounds: Bounds) -> Self {
        Self {
            center: circle.center.into(),
            radius: circle.radius,
            size: bounds.union(&circle.center.into()).size(),
        }
    }
}

impl<L: Lanes> CircleInBox<L> {
    /// Where no number of the circle is NaN, and its radius is not negative.
    #[inline(always)]
    pub(super) fn is_circle(&self) -> L::Mask {
        let Vectors { x, y } = self.center;
        x.same(x) & y.same(y) & self.radius.at_least(self.radius.all(0.0))
    }
}

/// A counterclockwise ring, a circle, and the bounds on the errors of their products.
pub(crate) struct RingAndCircle<'r, L, R: ?Sized> {
    pub(super) ring: &'r R,
    pub(super) circle: CircleInBox<L>,
    pub(super) squares: Squares<L>,
    /// Whether the radius is a sum of three rounded terms.
    pub(super) is_sum: bool,
}

impl<'r, L: Lanes, R: Corners<L> + ?Sized> RingAndCircle<'r, L, R> {
    /// A ring in the box between two corners, and a circle, whose radius may be a sum of three rounded terms.
    #[inline(always)]
    pub(crate) fn new(
        ring: &'r R,
        sides: [Vectors<L>; 2],
        (center, radius): (Vectors<L>, L),
        is_sum: bool,
    ) -> Self {
        let size = size_with(center, sides);
        Self {
            ring,
            circle: CircleInBox {
                center,
                radius,
                size,
            },
            squares: squares_of(size, radius, is_sum),
            is_sum,
        }
    }

    #[inline(always)]
    pub(super) fn projection(&self, index: usize) -> EdgeProjection<L> {
        let [start, end] = self.ring.ends(index);
        EdgeProjection::new(self.circle.center, start, end)
    }

    /// The bounds with errors of zero in the lanes where all coordinates and the radius are on a
    /// grid on which nothing is rounded. None if there is no such lane.
    #[inline(always)]
    pub(super) fn squares_on_grid(&self) -> Option<Squares<L>> {
        if self.is_sum {
            return None;
        }
        let CircleInBox {
            center,
            radius,
            size,
        } = self.circle;
        let span = size.x.larger(size.y).larger(radius);
        let grid = Grid::for_products_of_squares(span);
        let is_usual = span.all(f64::INFINITY).above(self.squares.error);
        let mut is_exact = is_usual & grid.holds_both(center) & grid.holds(radius);
        for index in 0..self.ring.count() {
            is_exact = is_exact & grid.holds_both(self.ring.corner(index));
        }
        is_exact.any().then(|| self.squares.exact(is_exact))
    }
}

/// The bounds for a circle beside a ring in a box of this size.
#[inline(always)]
pub(crate) fn squares_of<L: Lanes>(size: Vectors<L>, radius: L, is_sum: bool) -> Squares<L> {
    let squares = Squares::new(size, radius);
    if is_sum { squares.of_sum() } else { squares }
}

/// Width and height of the box round a box and a point.
#[inline(always)]
pub(super) fn size_with<L: Lanes>(point: Vectors<L>, [low, high]: [Vectors<L>; 2]) -> Vectors<L> {
    high.with(point, L::larger) - low.with(point, L::smaller)
}

/// Whether a circle reaches a ring.
#[inline(always)]
pub(crate) fn circle_reaches<L: Lanes, R: Corners<L> + ?Sized>(
    around: &RingAndCircle<'_, L, R>,
) -> Verdict<L> {
    let radius = around.circle.radius;
    let mut closeness = Closeness::of_none(radius);
    for index in 0..around.ring.count() {
        closeness = closeness.with(&around.projection(index), radius);
    }
    let mut verdict = closeness.verdict(radius, &around.squares);
    if verdict.undecided().any()
        && let Some(squares) = around.squares_on_grid()
    {
        verdict = closeness.verdict(radius, &squares);
    }
    let is_circle = around.circle.is_circle();
    Verdict {
        yes: verdict.yes & is_circle,
        no: verdict.no & is_circle,
    }
}

/// The feature of a ring that is nearest to the center of a circle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FilteredCircle<L: Lanes> {
    /// Where the feature is certain, and its numbers accurate.
    pub(crate) is_certain: L::Mask,
    /// Whether circle and polygon intersect.
    pub(crate) intersects: L::Mask,
    /// Whether the feature is an edge.
    pub(crate) is_edge: L::Mask,
    /// Index of the edge, or of the vertex.
    pub(crate) position: L,
    /// The radius less the signed distance of the center, negative inside.
    pub(crate) overlap: L,
    /// Outward unit normal.
    pub(crate) normal: Vectors<L>,
    /// The point of the feature nearest to the center.
    pub(crate) closest: Vectors<L>,
}

impl<L: Lanes> FilteredCircle<L> {
    /// The answer for the edge nearest to the center, or for its start where the center lies before the edge.
    /// It is certain where the center lies in the Voronoi region of one of them and the numbers are accurate.
    /// The left of the edge counts as inside, the region of the start as outside.
    #[inline(always)]
    pub(crate) fn of_edge(
        [start, end]: [Vectors<L>; 2],
        circle: &CircleInBox<L>,
        squares: &Squares<L>,
    ) -> Self {
        let CircleInBox {
            center,
            radius,
            size,
        } = *circle;
        let (error, zero) = (squares.error, radius.all(0.0));
        let at = EdgeProjection::new(center, start, end);
        let is_edge = at.dot.above(zero);
        let (per_length, overlap, is_known) = at.overlap(is_edge, radius, size, error.same(zero));
        let outward = Vectors::new(
            is_edge.choose(at.edge.y, at.gap.x),
            is_edge.choose(zero - at.edge.x, at.gap.y),
        );
        // The step to the closest point is taken from the nearer end: the shorter step is rounded less.
        let is_late = (at.dot + at.dot).above(at.edge_squared);
        let from = Vectors::choose(is_late, end, start);
        let fraction = at.edge.dot(center - from) / at.edge_squared;
        let foot = from.with(at.edge, |from, edge| from + edge * fraction);
        Self {
            is_certain: at.is_in_region(is_edge, error) & is_known & circle.is_circle(),
            intersects: overlap.at_least(zero),
            is_edge,
            position: zero.all(f64::NAN),
            overlap,
            normal: outward.map(|component| component * per_length + zero),
            closest: Vectors::choose(is_edge, foot, start),
        }
    }

    #[inline(always)]
    fn choose(mask: L::Mask, yes: &Self, no: &Self) -> Self {
        Self {
            is_certain: mask.either(yes.is_certain, no.is_certain),
            intersects: mask.either(yes.intersects, no.intersects),
            is_edge: mask.either(yes.is_edge, no.is_edge),
            position: mask.choose(yes.position, no.position),
            overlap: mask.choose(yes.overlap, no.overlap),
            normal: Vectors::choose(mask, yes.normal, no.normal),
            closest: Vectors::choose(mask, yes.closest, no.closest),
        }
    }

    /// The answer for a polygon with a radius of its own, which the circle's includes: the closest point is on its
    /// rounded boundary.
    #[inline(always)]
    #[must_use]
    pub(crate) fn rounded_by(self, rounding: L) -> Self {
        let is_sharp = rounding.same(rounding.all(0.0));
        let beside = self
            .closest
            .with(self.normal.times(rounding), |core, step| core + step);
        Self {
            closest: Vectors::choose(is_sharp, self.closest, beside),
            ..self
        }
    }

    /// Penetration depth; zero where apart.
    #[inline(always)]
    pub(crate) fn depth(&self) -> L {
        self.intersects.choose(self.overlap, self.overlap.all(0.0))
    }

    /// The gap; zero where they intersect.
    #[inline(always)]
    pub(crate) fn distance(&self) -> L {
        let zero = self.overlap.all(0.0);
        self.intersects.choose(zero, zero - self.overlap)
    }

    /// Minimum translation of the circle; zero where apart.
    #[inline(always)]
    pub(crate) fn mtv(&self) -> Vectors<L> {
        let depth = self.depth();
        // The sum makes a negative zero a positive one.
        self.normal
            .map(|component| component * depth + depth.all(0.0))
    }

    /// The position in the caller's order, where clockwise rings of this many vertices have been
    /// reversed: edge n of the reversed ring is edge `count - 2 - n`, cyclically.
    #[inline(always)]
    pub(crate) fn index(&self, clockwise: L::Mask, count: usize) -> L {
        let all = |number: usize| self.position.all(number as f64);
        let last = all(count - 1);
        let turned = last - self.position;
        let before = self.position.same(last).choose(last, turned - all(1));
        clockwise.choose(self.is_edge.choose(before, turned), self.position)
    }
}

impl FilteredCircle<f64> {
    /// An answer with a decision and the kind of the nearest feature, but without numbers.
    pub(crate) fn without_numbers(intersects: bool, is_edge: bool) -> Self {
        Self {
            is_certain: false,
            intersects,
            is_edge,
            position: f64::NAN,
            overlap: f64::NAN,
            normal: Vectors::both(f64::NAN),
            closest: Vectors::both(f64::NAN),
        }
    }
}

/// The nearest feature of a ring.
#[inline(always)]
pub(crate) fn nearest_feature<L: Lanes, R: Corners<L> + ?Sized>(
    around: &RingAndCircle<'_, L, R>,
) -> FilteredCircle<L> {
    let nearest = nearest_within(around, &around.squares);
    if (!nearest.is_certain).any()
        && let Some(squares) = around.squares_on_grid()
    {
        let exact = nearest_within(around, &squares);
        return FilteredCircle::choose(nearest.is_certain, &nearest, &exact);
    }
    nearest
}

/// The nearest feature, certain as far as these bounds tell.
#[inline(always)]
fn nearest_within<L: Lanes, R: Corners<L> + ?Sized>(
    around: &RingAndCircle<'_, L, R>,
    squares: &Squares<L>,
) -> FilteredCircle<L> {
    let (is_nearest, ends, position) = nearest_edge(around, squares);
    let nearest = FilteredCircle::of_edge(ends, &around.circle, squares);
    FilteredCircle {
        is_certain: is_nearest & nearest.is_certain,
        position,
        ..nearest
    }
}

/// The edge that is nearest to the center, or that leaves the nearest vertex: whether it certainly is, its ends and its
/// index.
#[inline(always)]
pub(super) fn nearest_edge<L: Lanes, R: Corners<L> + ?Sized>(
    around: &RingAndCircle<'_, L, R>,
    squares: &Squares<L>,
) -> (L::Mask, [Vectors<L>; 2], L) {
    let error = squares.error;
    let mut least = LeastDistance::new(&around.projection(0), error);
    let ([mut start, mut end], mut position) = (around.ring.ends(0), error.all(0.0));
    for index in 1..around.ring.count() {
        let is_nearer = least.offer(&around.projection(index), error);
        let [from, to] = around.ring.ends(index);
        start = Vectors::choose(is_nearer, from, start);
        end = Vectors::choose(is_nearer, to, end);
        position = is_nearer.choose(error.all(index as f64), position);
    }
    (least.is_certain(error), [start, end], position)
}
