//! The float filter for the nearest features of two convex rings that are apart, and for their distance: on an edge
//! that one ring is farthest behind, or at one of its ends.

use crate::convex::table::facing_edge::FacingEdge;
use crate::convex::table::lane_corners::Corners;
use crate::convex::table::support_table::SupportTable;
use crate::predicates::bounds::point_edge_filter::EdgeProjection;
use crate::predicates::bounds::square_errors::Squares;
use crate::predicates::numbers::verdict::Verdict;
use crate::simd::lanes::{Lanes, Mask, Vectors};

/// A vertex of one ring and the feature of the other that is nearest to it, where these two are the
/// nearest features of the rings.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FilteredNearestFeatures<L: Lanes> {
    /// Where the rings are certainly apart, and these their nearest features.
    is_certain: L::Mask,
    /// Whether the vertex is nearest to the edge's interior; otherwise to its start.
    pub(super) is_edge: L::Mask,
    /// Whether the edge is one of `a`.
    is_of_a: L::Mask,
    /// The vertex, projected onto the edge.
    pub(super) at: EdgeProjection<L>,
    /// Whether the edge points left as seen from the vertex, as those of rings do.
    faces: L::Mask,
}

impl<L: Lanes> FilteredNearestFeatures<L> {
    /// The distance, and where it is certain.
    #[inline(always)]
    pub(crate) fn distance(&self, size: Vectors<L>) -> (L, L::Mask) {
        let (distance, is_accurate) = self.at.distance(self.is_edge, size);
        (distance, self.is_certain & is_accurate)
    }

    /// By how much the distance exceeds a radius, and where that and its sign are certain.
    #[inline(always)]
    pub(crate) fn distance_beyond(&self, radius: L) -> (L, L::Mask) {
        let (distance, is_accurate) = self.at.distance_beyond(self.is_edge, radius);
        (distance, self.is_certain & is_accurate)
    }

    /// The unit vector from `b` to `a` along the distance.
    #[inline(always)]
    pub(crate) fn direction(&self) -> Vectors<L> {
        let length = (self.is_edge)
            .choose(self.at.edge_squared, self.at.gap_squared)
            .sqrt();
        self.vector_to_a().map(|component| component / length)
    }

    /// A vector from `b` to `a` along the distance: as long as the edge, or from vertex to vertex.
    #[inline(always)]
    pub(super) fn vector_to_a(&self) -> Vectors<L> {
        let EdgeProjection { gap, edge, .. } = self.at;
        let left = edge.turned_left();
        let outward = Vectors::choose(self.faces, left.reversed(), left);
        let to_vertex = Vectors::choose(self.is_edge, outward, gap);
        Vectors::choose(self.is_of_a, to_vertex.reversed(), to_vertex)
    }
}

impl<L: Lanes, R: Corners<L> + ?Sized> FacingEdge<'_, '_, L, R> {
    /// The nearest features of the rings, where these are apart: on the edge that the other ring is farthest
    /// behind, or at one of its ends.
    ///
    /// Of the normals of all edges none separates the rings by more than those beside the nearest features
    /// do. Whatever edge was found, the features are the nearest if no vertex of either ring lies beyond its
    /// own, towards the other.
    #[inline(always)]
    pub(crate) fn nearest(&self) -> FilteredNearestFeatures<L> {
        let zero = self.table.error.all(0.0);
        if self.table.rings.map(Corners::count) == [1, 1] {
            return self.nearest_points();
        }
        let error = Squares::new(self.table.size, zero).error;
        let is_edge = self.at.is_in_region(zero.same(zero), error);
        let corner = self.corner(self.at.dot);
        let is_at_corner = self.faces_alone(corner, self.gap(corner), error);
        let [from, to] = as_exact(self.table, self.ends, self.is_of_a);
        let start = Vectors::choose(is_edge, from, corner);
        let at = EdgeProjection::along(self.gap(start), to - start);
        let is_apart = Verdict::at_least_zero(self.at.cross, self.table.error).no;
        FilteredNearestFeatures {
            is_certain: is_apart & is_edge.either(self.is_alone, is_at_corner),
            is_edge,
            is_of_a: self.is_of_a,
            faces: zero.above(at.cross),
            at,
        }
    }

    #[inline(always)]
    fn nearest_points(&self) -> FilteredNearestFeatures<L> {
        let [a, b] = self.table.rings.map(|ring| ring.corner(0));
        let gap = a - b;
        let zero = gap.x.all(0.0);
        let are_same = gap.x.same(zero) & gap.y.same(zero);
        let none = zero.above(zero);
        FilteredNearestFeatures {
            is_certain: !are_same,
            is_edge: none,
            is_of_a: none,
            at: EdgeProjection::along(gap, Vectors::both(zero)),
            faces: none,
        }
    }
}

/// The ends of an edge in the order in which the exact form takes them. The edge of a segment, which has two
/// sides, keeps the order of its vertices, except against a point, which must lie on its right.
#[inline(always)]
fn as_exact<L: Lanes, R: Corners<L> + ?Sized>(
    table: &SupportTable<'_, L, R>,
    ends: [Vectors<L>; 2],
    is_of_a: L::Mask,
) -> [Vectors<L>; 2] {
    let [a, b] = table.rings;
    let none = is_of_a & !is_of_a;
    let is_segment = |ring: &R, other: &R, is_own: L::Mask| {
        if ring.count() == 2 && other.count() > 1 {
            is_own
        } else {
            none
        }
    };
    let mut edge = ends;
    for (ring, is_it) in [
        (a, is_segment(a, b, is_of_a)),
        (b, is_segment(b, a, !is_of_a)),
    ] {
        let own = [ring.corner(0), ring.corner(ring.count() - 1)];
        edge = Vectors::choose_ends(is_it, own, edge);
    }
    edge
}
