//! An edge of one ring and the vertex of the other that lies deepest behind it, in floats with a bound on the error:
//! how the edge that the other ring is farthest behind is found, and whether the rings are near each other there. The
//! first ring may be displaced.

use super::axis::Axis;
use super::lane_corners::Corners;
use super::support_table::{EdgeSupport, SupportTable};
use crate::predicates::bounds::error_bounds::ROUNDINGS;
use crate::predicates::bounds::point_edge_filter::EdgeProjection;
use crate::predicates::bounds::square_errors::Squares;
use crate::simd::lanes::{Lanes, Mask, Vectors};

/// An edge of one ring and the vertex of the other that lies deepest behind it.
pub(crate) struct FacingEdge<'t, 'r, L: Lanes, R: ?Sized> {
    pub(crate) table: &'t SupportTable<'r, L, R>,
    /// By how much the ring of the vertex is displaced, as seen from that of the edge.
    shift: Option<Vectors<L>>,
    pub(crate) ends: [Vectors<L>; 2],
    /// Whether the edge is one of `a`.
    pub(crate) is_of_a: L::Mask,
    pub(crate) vertex: Vectors<L>,
    /// Whether the vertex is certainly the deepest.
    pub(crate) is_alone: L::Mask,
    /// The vertex, projected onto the edge.
    pub(crate) at: EdgeProjection<L>,
}

impl<'t, 'r, L: Lanes, R: Corners<L> + ?Sized> FacingEdge<'t, 'r, L, R> {
    /// An edge of `a` or `b`, where `a` may be displaced.
    #[inline(always)]
    pub(crate) fn new(
        table: &'t SupportTable<'r, L, R>,
        FoundEdge { ends, is_of_a }: FoundEdge<L>,
        mut shift: Option<Vectors<L>>,
    ) -> Self {
        // Not by `Option::map`, in which the lanes' operations would be calls.
        if let Some(shift) = &mut shift {
            *shift = Vectors::choose(is_of_a, shift.reversed(), *shift);
        }
        let (vertex, is_alone) = table.deepest(ends, is_of_a);
        let [start, end] = ends;
        let at = EdgeProjection::along(displaced(vertex - start, shift), end - start);
        Self {
            table,
            shift,
            ends,
            is_of_a,
            vertex,
            is_alone,
            at,
        }
    }

    #[inline(always)]
    pub(crate) fn of_axis(table: &'t SupportTable<'r, L, R>, axis: &Axis<L>) -> Self {
        let (ends, is_of_a) = table.find_edge(
            #[inline(always)]
            |index| axis.equals(&super::axis::axis(table, index)),
        );
        Self::new(table, FoundEdge { ends, is_of_a }, None)
    }

    /// The edge that the other ring is farthest behind, but for rounding. If `a` is displaced, the rings have three
    /// vertices or more, and no vector between vertices, displaced or not, may be longer than the size of the table.
    #[inline(always)]
    pub(crate) fn farthest(table: &'t SupportTable<'r, L, R>, shift: Option<Vectors<L>>) -> Self {
        Self::new(table, FoundEdge::farthest(table, shift), shift)
    }

    /// The end of the edge that is nearer to a position along it, which is given times the edge's
    /// length.
    #[inline(always)]
    pub(crate) fn corner(&self, position: L) -> Vectors<L> {
        let is_late = (position + position).above(self.at.edge_squared);
        Vectors::choose(is_late, self.ends[1], self.ends[0])
    }

    /// The vector from an end of the edge to the vertex.
    #[inline(always)]
    pub(crate) fn gap(&self, corner: Vectors<L>) -> Vectors<L> {
        displaced(self.vertex - corner, self.shift)
    }

    /// Whether no vertex of either ring lies as far as the corner, or the vertex, in the direction of a step
    /// from the ring of the edge to the other, given the error of products with the step.
    #[inline(always)]
    pub(crate) fn faces_alone(&self, corner: Vectors<L>, step: Vectors<L>, error: L) -> L::Mask {
        let zero = error.all(0.0);
        let back = step.reversed();
        let mut is_alone = zero.same(zero);
        let of_rings = self.table.rings.into_iter();
        for (ring, is_own) in of_rings.zip([self.is_of_a, !self.is_of_a]) {
            let from = Vectors::choose(is_own, corner, self.vertex);
            let ahead = Vectors::choose(is_own, step, back);
            for index in 0..ring.count() {
                let other = ring.corner(index) - from;
                let is_itself = other.x.same(zero) & other.y.same(zero);
                is_alone = is_alone & (is_itself | (zero - error).above(ahead.dot(other)));
            }
        }
        is_alone
    }

    /// Where vertex and edge are within a distance of each other.
    #[inline(always)]
    pub(crate) fn is_near(&self, distance: L, squares: &Squares<L>) -> L::Mask {
        let zero = distance.all(0.0);
        let square = distance * distance;
        let gap = self.gap(self.corner(self.at.dot));
        let from_line = self.at.cross * self.at.cross - square * self.at.edge_squared;
        let is_beside = self.at.is_in_region(zero.same(zero), squares.error);
        (zero - squares.error).at_least(gap.length_squared() - square)
            | (is_beside & (zero - squares.error_of_products).at_least(from_line))
    }

    /// Where the rings are farther than a distance apart: along the edge's normal, or along the line from
    /// an end to the vertex.
    ///
    /// The vertex is the deepest within twice the error of a depth, and its own is off by as much again.
    #[inline(always)]
    pub(crate) fn are_beyond(&self, distance: L, squares: &Squares<L>) -> L::Mask {
        let zero = distance.all(0.0);
        let square = distance * distance;
        let error = self.table.error;
        let gap = zero - self.at.cross - (error + error + error + error);
        let most = square * self.at.edge_squared * zero.all(1.0 + ROUNDINGS);
        let beyond_edge = gap.above(zero) & (gap * gap).above(most);
        let corner = self.corner(self.at.dot);
        let step = self.gap(corner);
        let beyond_corner = (step.length_squared() - square).above(squares.error);
        if !(beyond_corner & !beyond_edge).any() {
            return beyond_edge;
        }
        beyond_edge | (beyond_corner & self.faces_alone(corner, step, squares.error))
    }
}

// Not by `Option::map_or`, whose closure stays a call, compiled without the tile's instructions.
#[inline(always)]
fn displaced<L: Lanes>(gap: Vectors<L>, shift: Option<Vectors<L>>) -> Vectors<L> {
    match shift {
        Some(shift) => gap + shift,
        None => gap,
    }
}

/// How far the rings, with `a` displaced, overlap along an edge's normal: the square with the overlap's sign, times the
/// squared length of the edge; and that squared length.
#[inline(always)]
fn depth<L: Lanes>(edge: &EdgeSupport<L>, shift: Option<Vectors<L>>) -> (L, L) {
    let overlap = edge.overlap_displaced(shift);
    (overlap * overlap.abs(), edge.direction.length_squared())
}

pub(crate) struct FoundEdge<L: Lanes> {
    pub(crate) ends: [Vectors<L>; 2],
    pub(crate) is_of_a: L::Mask,
}

impl<L: Lanes> FoundEdge<L> {
    /// The edge that the other ring is farthest behind, but for rounding, with `a` displaced.
    #[inline(always)]
    pub(crate) fn farthest<R: Corners<L> + ?Sized>(
        table: &SupportTable<'_, L, R>,
        shift: Option<Vectors<L>>,
    ) -> Self {
        let mut found = Self::first(table);
        let (mut square, mut length_squared) = depth(&table.edges[0], shift);
        for (index, edge) in table.edges.iter().enumerate().skip(1) {
            let (its_square, its_length) = depth(edge, shift);
            let is_farther = (square * its_length).above(its_square * length_squared);
            square = is_farther.choose(its_square, square);
            length_squared = is_farther.choose(its_length, length_squared);
            found.replace(is_farther, table, index);
        }
        found
    }

    /// `yes` in the lanes where the mask is set, else `no`.
    #[inline(always)]
    pub(crate) fn choose(mask: L::Mask, yes: &Self, no: &Self) -> Self {
        Self {
            ends: Vectors::choose_ends(mask, yes.ends, no.ends),
            is_of_a: mask.either(yes.is_of_a, no.is_of_a),
        }
    }

    #[inline(always)]
    pub(crate) fn first<R: Corners<L> + ?Sized>(table: &SupportTable<'_, L, R>) -> Self {
        let zero = table.error.all(0.0);
        Self {
            ends: table.rings[0].ends(0),
            is_of_a: zero.same(zero),
        }
    }

    /// Replaces the edge in the lanes of a mask by another one, given by its index in the table.
    #[inline(always)]
    pub(crate) fn replace<R: Corners<L> + ?Sized>(
        &mut self,
        mask: L::Mask,
        table: &SupportTable<'_, L, R>,
        index: usize,
    ) {
        let count_of_a = table.rings[0].count();
        let ends = if index < count_of_a {
            self.is_of_a = self.is_of_a | mask;
            table.rings[0].ends(index)
        } else {
            self.is_of_a = self.is_of_a & !mask;
            table.rings[1].ends(index - count_of_a)
        };
        self.ends = Vectors::choose_ends(mask, ends, self.ends);
    }
}
