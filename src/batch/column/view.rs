//! A column, borrowed to read many of its rows.

use std::ops::Range;

use super::examined_rows::ExaminedRows;
use super::kinds_radii_faults::KindsRadiiFaults;
use super::layout::{Layout, RowSelection};
use crate::geom::{Bounds, Point};
use crate::shape::{Rings, Shape, ShapeKind, open};
use crate::simd::load::LANES;

/// The bounding boxes of a column's rows, or of those that are convex: see [`ExaminedRows`].
#[derive(Clone, Copy)]
pub(crate) struct RowBoxes<'a> {
    stored: &'a [Bounds],
    selection: &'a RowSelection,
    /// Tells which rows are convex, if the boxes of others do not count.
    examined: Option<&'a ExaminedRows>,
}

impl<'a> RowBoxes<'a> {
    /// The box of a row; empty if the row is missing, or does not count.
    #[inline(always)]
    pub(crate) fn at(self, row: usize) -> Bounds {
        let row = self.selection.stored(row);
        match self.examined {
            Some(examined) if examined.winding(row).is_none() => Bounds::EMPTY,
            _ => self.stored[row],
        }
    }

    /// The boxes of eight consecutive rows, if they are consecutive in memory.
    #[inline(always)]
    pub(crate) fn eight(self, first: usize) -> Option<&'a [Bounds; LANES]> {
        match (self.selection, self.examined) {
            (RowSelection::Run(rows), None) => self.stored.get(rows.start + first..)?.first_chunk(),
            _ => None,
        }
    }
}

/// Rings that are consecutive in memory, with the same number of vertices.
#[derive(Clone, Copy)]
pub(crate) struct EvenRings {
    /// The stored row that is row 0 of the column.
    pub(crate) first: usize,
    pub(crate) per_row: usize,
    /// Vertices per ring without closing ones: of every convex ring, or of the first ring if the
    /// column was not examined.
    pub(crate) size: usize,
}

/// A borrowed column.
#[derive(Clone, Copy)]
pub(crate) struct View<'a> {
    pub(super) coords: &'a [Point],
    pub(super) layout: &'a Layout,
    pub(super) attributes: &'a KindsRadiiFaults,
    pub(super) selection: &'a RowSelection,
    pub(super) examined: Option<&'a ExaminedRows>,
}

impl<'a> View<'a> {
    pub(crate) fn has_radii(self) -> bool {
        self.attributes.radii.is_some()
    }

    pub(super) fn len(self) -> usize {
        self.selection.len()
    }

    /// The rings of a row; `None` if it is missing.
    #[inline(always)]
    pub(crate) fn rings(self, row: usize) -> Option<Rings<'a>> {
        let row = self.selection.stored(row);
        self.stored_rings(row)
    }

    #[inline(always)]
    fn stored_rings(self, row: usize) -> Option<Rings<'a>> {
        let (span, offsets) = self.layout.span_and_offsets(row);
        if span.is_empty() {
            return None;
        }
        if self.attributes.are_plain() {
            return Some(match offsets {
                [] => Rings::from(&self.coords[span]),
                offsets => Rings::new(self.coords, offsets),
            });
        }
        let kind = self.attributes.kind(row);
        let rings = match offsets {
            [] => Rings::of_one(&self.coords[span], kind),
            offsets => Rings::of_kind(self.coords, offsets, kind, self.layout.polygons(row)),
        };
        Some(rings.with_radius(self.attributes.radius(row)))
    }

    /// Whether a row could not be read.
    pub(crate) fn is_unread(self, row: usize) -> bool {
        let row = self.selection.stored(row);
        self.attributes.fault(row).is_some()
    }

    /// The radius of a row, though it may be missing.
    pub(crate) fn radius(self, row: usize) -> f64 {
        self.attributes.radius(self.selection.stored(row))
    }

    /// The radii of eight consecutive rows, if they are consecutive in memory.
    #[inline(always)]
    pub(crate) fn eight_radii(self, first: usize) -> Option<[f64; LANES]> {
        match (self.selection, &self.attributes.radii) {
            (RowSelection::Run(rows), Some(radii)) => {
                radii.get(rows.start + first..)?.first_chunk().copied()
            }
            _ => None,
        }
    }

    /// Where the polygons of a row start among all rings, and where the last one ends; empty if the row
    /// is one polygon.
    pub(super) fn polygons(self, row: usize) -> &'a [usize] {
        let row = self.selection.stored(row);
        match self.attributes.kind(row) {
            ShapeKind::MultiPolygon => self.layout.polygons(row),
            _ => &[],
        }
    }

    /// The polygon of a row of an examined column; `None` if it is missing.
    #[inline(always)]
    pub(crate) fn polygon(self, row: usize) -> Option<Shape<'a>> {
        let row = self.selection.stored(row);
        // A closure that stays a call returns the rings in memory: that took a twentieth of the time of short answers.
        self.examined?.polygon(
            row,
            #[inline(always)]
            || self.stored_rings(row),
        )
    }

    /// The rings of a row of an examined column; `None` if it is missing.
    #[inline(always)]
    pub(super) fn examined_rings(self, row: usize) -> Option<Rings<'a>> {
        let row = self.selection.stored(row);
        if self.examined?.is_missing(row) {
            return None;
        }
        self.stored_rings(row)
    }

    /// Reads memory of a row that lies apart from that of its neighbors into the cache: see
    /// [`ExaminedRows::read_ahead`].
    #[inline]
    pub(crate) fn read_ahead(self, row: usize) -> f64 {
        let row = self.selection.stored(row);
        self.examined
            .map_or(0.0, |examined| examined.read_ahead(row))
    }

    /// The point of a row of an examined column, if it is one of one vertex.
    #[inline]
    pub(crate) fn point(self, row: usize) -> Option<Point> {
        let row = self.selection.stored(row);
        let is_point = self.examined?.is_single_point(row);
        is_point.then(|| self.coords[self.layout.span(row).start])
    }

    /// The ring of a row that was found to be convex, and whether it is clockwise.
    #[inline]
    pub(crate) fn convex(self, row: usize) -> Option<(&'a [Point], bool)> {
        let row = self.selection.stored(row);
        let clockwise = self.examined?.winding(row)?;
        Some((open(&self.coords[self.layout.span(row)]), clockwise))
    }

    /// The ring of a row of a column that was not examined, if it may be a convex polygon.
    #[inline]
    pub(crate) fn unexamined_ring(self, row: usize) -> Option<&'a [Point]> {
        let rings = self.rings(row)?;
        let is_ring = rings.len() == 1 && rings.kind().is_polygonal();
        is_ring.then(|| rings.ring(0))
    }

    /// The box of a stored row, without the radius.
    pub(super) fn core_bounds(self, row: usize) -> Bounds {
        let vertices = self.coords[self.layout.span(row)].iter();
        vertices.copied().map(Bounds::from).collect()
    }

    /// The box of a stored row.
    pub(super) fn bounds(self, row: usize) -> Bounds {
        self.core_bounds(row).grown(self.attributes.radius(row))
    }

    /// The boxes of the rows of an examined column; with `convex`, of convex rows alone.
    pub(crate) fn boxes(self, convex: bool) -> Option<RowBoxes<'a>> {
        let examined = self.examined?;
        Some(RowBoxes {
            stored: examined.boxes(|row| self.bounds(row)),
            selection: self.selection,
            examined: (convex && !examined.are_convex).then_some(examined),
        })
    }

    /// How the rings lie, if they are consecutive in memory and the convex ones have the same number
    /// of vertices.
    pub(crate) fn even(self) -> Option<EvenRings> {
        let (&Layout::Even(per_row), RowSelection::Run(rows)) = (self.layout, self.selection)
        else {
            return None;
        };
        if self.examined.is_none() && !self.attributes.are_plain() {
            return None;
        }
        let size = match self.examined {
            // Rows with and without closing vertices differ in size.
            Some(examined) => examined.size()?,
            None => open(self.coords.get(..per_row)?).len(),
        };
        (!rows.is_empty() && per_row > 0).then_some(EvenRings {
            first: rows.start,
            per_row,
            size,
        })
    }

    /// The vertices of eight stored rows, `stride` each, and the kinds of the rows, if they were
    /// examined: see [`ExaminedRows::eight`].
    #[inline(always)]
    pub(crate) fn eight(
        self,
        first: usize,
        stride: usize,
    ) -> Option<(&'a [Point], Option<[u64; 2]>)> {
        let vertices = self.coords.get(first * stride..)?.get(..LANES * stride)?;
        let kinds = match self.examined {
            None => None,
            Some(examined) => Some(examined.eight(first)?),
        };
        Some((vertices, kinds))
    }

    /// The first `count` of the `stride` vertices of a stored row, and whether it is clockwise, if it is
    /// known to be convex. `Err` if it is known not to be a convex ring with so many vertices.
    #[inline(always)]
    pub(crate) fn even_ring(
        self,
        row: usize,
        stride: usize,
        count: usize,
    ) -> Result<(&'a [Point], Option<bool>), &'a [Point]> {
        let ring = &self.coords[row * stride..][..count];
        match self.examined {
            None => Ok((ring, None)),
            Some(examined) => match examined.winding(row) {
                None => Err(ring),
                clockwise => Ok((ring, clockwise)),
            },
        }
    }

    /// `count` vertices from the first of a row on, or the last ones of the column.
    pub(crate) fn vertices(self, row: usize, count: usize) -> &'a [Point] {
        let start = self.layout.span(self.selection.stored(row)).start;
        &self.coords[start.min(self.coords.len() - count)..][..count]
    }

    /// Whether all stored rows are convex or missing, or the column was not examined.
    pub(crate) fn are_convex(self) -> bool {
        self.examined.is_none_or(|examined| examined.are_convex)
    }

    /// Whether any row may be convex.
    pub(crate) fn has_convex(self) -> bool {
        self.examined.is_none_or(ExaminedRows::has_convex)
    }

    #[inline]
    pub(crate) fn is_examined(self) -> bool {
        self.examined.is_some()
    }

    /// The vertices of each ring of a row, without closing ones.
    pub(super) fn spans(self, row: usize) -> impl Iterator<Item = Range<usize>> + use<'a> {
        let row = self.selection.stored(row);
        let (whole, offsets) = self.layout.span_and_offsets(row);
        let (one, offsets) = match offsets {
            _ if whole.is_empty() => (None, &[][..]),
            [] => (Some(whole), &[][..]),
            offsets => (None, offsets),
        };
        let several = offsets.windows(2).map(|ends| ends[0]..ends[1]);
        one.into_iter().chain(several).map(move |span| {
            if self.attributes.kind(row).is_polygonal() {
                let length = open(&self.coords[span.clone()]).len();
                span.start..span.start + length
            } else {
                span
            }
        })
    }
}
