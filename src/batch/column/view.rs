//! A column resolved for many looks at its rows.

use std::ops::Range;

use super::{Layout, RowSelection};
use crate::batch::row_kinds::RowKinds;
use crate::batch::rows::EvenRings;
use crate::geom::{Bounds, Point};
use crate::shape::{Polygon, Rings, open};
use crate::simd::tile::LANES;

/// Boxes round the rows of a column.
#[derive(Clone, Copy)]
pub(in crate::batch) struct RowBoxes<'a> {
    of_base: &'a [Bounds],
    chosen: &'a RowSelection,
}

impl<'a> RowBoxes<'a> {
    /// The box round a row.
    #[inline(always)]
    pub(in crate::batch) fn at(self, row: usize) -> Bounds {
        self.of_base[self.chosen.of_base(row)]
    }

    /// Those round eight rows that follow one another, if they lie in memory so.
    #[inline(always)]
    pub(in crate::batch) fn eight(self, first: usize) -> Option<&'a [Bounds; LANES]> {
        match self.chosen {
            RowSelection::Run(rows) => self.of_base.get(rows.start + first..)?.first_chunk(),
            RowSelection::Listed(_) => None,
        }
    }
}

/// A column whose parts have been looked up.
#[derive(Clone, Copy)]
pub(in crate::batch) struct View<'a> {
    pub(super) coords: &'a [Point],
    pub(super) layout: &'a Layout,
    pub(super) chosen: &'a RowSelection,
    pub(super) known: Option<&'a RowKinds>,
}

impl<'a> View<'a> {
    /// The rings of a row; `None` if it is missing.
    #[inline]
    pub(in crate::batch) fn rings(self, row: usize) -> Option<Rings<'a>> {
        self.rings_of_base(self.chosen.of_base(row))
    }

    #[inline]
    fn rings_of_base(self, row: usize) -> Option<Rings<'a>> {
        let span = self.layout.span(row);
        if span.is_empty() {
            return None;
        }
        Some(match self.layout.offsets(row) {
            [] => Rings::from(&self.coords[span]),
            offsets => Rings::new(self.coords, offsets),
        })
    }

    /// The polygon of a row of an examined column; `None` if it is missing.
    #[inline]
    pub(in crate::batch) fn polygon(self, row: usize) -> Option<Polygon<'a>> {
        let row = self.chosen.of_base(row);
        self.known?.polygon(row, || self.rings_of_base(row))
    }

    /// The box round a row that is known to be convex as it is, if it was kept.
    #[inline]
    pub(in crate::batch) fn known_bounds(self, row: usize) -> Option<Bounds> {
        self.known?.bounds(self.chosen.of_base(row))
    }

    /// The boxes round the rows, if they are kept or `all` rows of the base are about to be looked
    /// at; empty ones round those that are not convex as they are.
    pub(in crate::batch) fn boxes(self, all: bool) -> Option<RowBoxes<'a>> {
        let known = self.known?;
        let is_whole = matches!(self.chosen, RowSelection::Run(rows) if rows.len() == known.rows());
        let of_base = if all && is_whole {
            known.boxes(|row| &self.coords[self.layout.span(row)])
        } else {
            known.kept_boxes()?
        };
        Some(RowBoxes {
            of_base,
            chosen: self.chosen,
        })
    }

    /// Its rings, if they lie in memory one after the other, and all of its convex ones have as many
    /// vertices.
    pub(in crate::batch) fn even(self) -> Option<EvenRings<'a>> {
        let (&Layout::Even(per_row), RowSelection::Run(rows)) = (self.layout, self.chosen) else {
            return None;
        };
        let vertices = &self.coords[rows.start * per_row..rows.end * per_row];
        let size = match self.known {
            // Of rows with and without closing vertices each has a size of its own.
            Some(known) => known.size()?,
            None => open(vertices.get(..per_row)?).len(),
        };
        Some(EvenRings {
            vertices,
            per_row,
            size,
            known: self.known.map(|known| known.codes().part(rows.clone())),
        })
    }

    /// The ring of a row that is known to be convex as it is, and whether it runs clockwise.
    #[inline]
    pub(in crate::batch) fn convex(self, row: usize) -> Option<(&'a [Point], bool)> {
        let row = self.chosen.of_base(row);
        let clockwise = self.known?.convex(row)?;
        Some((open(&self.coords[self.layout.span(row)]), clockwise))
    }

    /// Whether it is known what each row is.
    #[inline]
    pub(in crate::batch) fn is_examined(self) -> bool {
        self.known.is_some()
    }

    /// Where the vertices of each ring of a row lie.
    pub(super) fn spans(self, row: usize) -> impl Iterator<Item = Range<usize>> + use<'a> {
        let row = self.chosen.of_base(row);
        let whole = self.layout.span(row);
        let is_missing = whole.is_empty();
        let (one, offsets) = match self.layout.offsets(row) {
            _ if is_missing => (None, &[][..]),
            [] => (Some(whole), &[][..]),
            offsets => (None, offsets),
        };
        let several = offsets.windows(2).map(|ends| ends[0]..ends[1]);
        one.into_iter().chain(several).map(move |span| {
            let length = open(&self.coords[span.clone()]).len();
            span.start..span.start + length
        })
    }

    pub(super) fn copied(self, rows: usize, total: usize) -> Vec<Point> {
        let mut coords = Vec::with_capacity(total);
        for span in (0..rows).flat_map(|row| self.spans(row)) {
            coords.extend_from_slice(&self.coords[span]);
        }
        coords
    }
}
