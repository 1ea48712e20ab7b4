//! Overlap of a convex ring and a point with a radius, as far as floats can tell.

use super::circle_polygon::{CircleInBox, RingAndCircle, nearest_edge};
use super::contact::FilteredContact;
use super::sat::FilteredSat;
use crate::convex::table::axis::Measure;
use crate::convex::table::lane_corners::Corners;
use crate::predicates::bounds::point_edge_filter::EdgeProjection;
use crate::predicates::bounds::square_errors::Squares;
use crate::simd::lanes::{Lanes, Mask, Vectors};

/// Overlap of a ring and a point whose radius includes that of the ring and the margin.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FilteredPointSat<L: Lanes> {
    /// Where the decision is certain, and size and normal are accurate.
    pub(crate) is_certain: L::Mask,
    /// Whether they intersect.
    pub(crate) intersects: L::Mask,
    /// The size of the overlap or of the gap.
    pub(crate) size: L,
    /// From the ring to the point.
    pub(crate) normal: Vectors<L>,
    /// Where the point is nearest to a vertex, and lies before the edge that leaves it and past the one that ends there,
    /// both by more than any error: otherwise that edge ties with its end, and nothing is certain. Not where errors are
    /// zero: there the point may lie on the perpendicular to an edge through the vertex.
    is_off_vertex: L::Mask,
    /// Whether it is nearest to an edge's interior.
    is_edge: L::Mask,
    /// The nearest vertex; of an edge its start.
    vertex: Vectors<L>,
}

/// Overlap of a ring and a point.
#[inline(always)]
pub(crate) fn sat_of_point<L: Lanes, R: Corners<L> + ?Sized>(
    around: &RingAndCircle<'_, L, R>,
) -> FilteredPointSat<L> {
    let sat = within(around, &around.squares);
    if (!sat.is_certain).any()
        && let Some(squares) = around.squares_on_grid()
    {
        let exact = within(around, &squares);
        return FilteredPointSat::choose(sat.is_certain, &sat, &exact);
    }
    sat
}

/// The overlap, certain as far as these bounds tell.
#[inline(always)]
fn within<L: Lanes, R: Corners<L> + ?Sized>(
    around: &RingAndCircle<'_, L, R>,
    squares: &Squares<L>,
) -> FilteredPointSat<L> {
    let (is_nearest, ends, _) = nearest_edge(around, squares);
    let mut sat = FilteredPointSat::of_edge(ends, &around.circle, squares);
    sat.is_certain = sat.is_certain & is_nearest;
    sat
}

impl<L: Lanes> FilteredPointSat<L> {
    /// The overlap, given the ends of the edge that is nearest to the point, or whose start is. It is certain where the point
    /// lies in the Voronoi region of one of them and the numbers are accurate.
    #[inline(always)]
    pub(super) fn of_edge(
        [start, end]: [Vectors<L>; 2],
        circle: &CircleInBox<L>,
        squares: &Squares<L>,
    ) -> Self {
        let zero = circle.radius.all(0.0);
        let at = EdgeProjection::new(circle.center, start, end);
        let is_edge = at.dot.above(zero);
        let inside = is_edge & at.cross.above(zero);
        let (distance, is_accurate) = at.distance(is_edge, circle.size);
        let (beyond, is_known) = at.distance_beyond(is_edge, circle.radius);
        let length = is_edge.choose(at.edge_squared, at.gap_squared).sqrt();
        let outward = Vectors::choose(is_edge, at.edge.turned_left().reversed(), at.gap);
        let is_certain = at.is_in_region(is_edge, squares.error)
            & inside.either(is_accurate, is_known)
            & circle.is_circle();
        Self {
            is_certain,
            intersects: inside | zero.above(beyond),
            size: inside.choose(distance + circle.radius, beyond.abs()),
            // The sum makes a negative zero a positive one.
            normal: outward.map(
                #[inline(always)]
                |component| component / length + zero,
            ),
            is_off_vertex: is_certain & !is_edge & squares.error.above(zero),
            is_edge,
            vertex: start,
        }
    }

    #[inline(always)]
    fn choose(mask: L::Mask, yes: &Self, no: &Self) -> Self {
        Self {
            is_certain: mask.either(yes.is_certain, no.is_certain),
            intersects: mask.either(yes.intersects, no.intersects),
            size: mask.choose(yes.size, no.size),
            normal: Vectors::choose(mask, yes.normal, no.normal),
            is_off_vertex: mask.either(yes.is_off_vertex, no.is_off_vertex),
            is_edge: mask.either(yes.is_edge, no.is_edge),
            vertex: Vectors::choose(mask, yes.vertex, no.vertex),
        }
    }

    /// The overlap of the first shape with the second, of which the point is one.
    #[inline(always)]
    pub(crate) fn sat(&self, point_is_b: bool) -> FilteredSat<L> {
        let (size, normal) = (self.size, self.normal);
        FilteredSat {
            is_certain: self.is_certain,
            intersects: self.intersects,
            measure: Measure {
                size,
                normal: if point_is_b {
                    normal.reversed()
                } else {
                    normal
                },
            },
        }
    }

    /// The contact of these shapes, which have these radii.
    #[inline(always)]
    pub(crate) fn contact(
        &self,
        center: Vectors<L>,
        point_is_b: bool,
        radii: [L; 2],
    ) -> FilteredContact<L> {
        let (core, is_of_b, is_known) = self.core_of_contact(center, point_is_b);
        let sat = self.sat(point_is_b);
        let mut contact = FilteredContact::of_point((core, is_of_b), &sat, radii);
        contact.is_certain = contact.is_certain & (is_known | !self.intersects);
        contact
    }

    /// The core of the contact: the point; but where the point is `a` and a vertex of `b` is nearest to it, that vertex. With
    /// masks of where the core belongs to `b`, and of where the choice is certain.
    #[inline(always)]
    pub(crate) fn core_of_contact(
        &self,
        center: Vectors<L>,
        point_is_b: bool,
    ) -> (Vectors<L>, L::Mask, L::Mask) {
        let all = self.is_edge | !self.is_edge;
        if point_is_b {
            return (center, all, all);
        }
        let core = Vectors::choose(self.is_edge, center, self.vertex);
        (core, !self.is_edge, self.is_edge | self.is_off_vertex)
    }
}
