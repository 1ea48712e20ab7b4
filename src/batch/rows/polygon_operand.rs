//! The polygons of an operand: which of them takes part in a row of the answer.

use super::row_map::RowMap;
use crate::batch::Rows;
use crate::batch::column::{EvenRings, RowBoxes, View};
use crate::batch::tile::tile_rows::TileRows;
use crate::geom::{Bounds, Point};
use crate::invalid_shape::{InvalidRing, InvalidShape};
use crate::shape::Shape;
use crate::simd::load::LANES;

/// The polygons of an operand, for a part of the answer.
#[derive(Clone, Copy)]
pub(crate) struct PolygonOperand<'a> {
    pub(crate) column: View<'a>,
    pub(crate) rows: RowMap<'a>,
    even: Option<EvenRings>,
    refused: Option<InvalidShape>,
}

impl<'a> PolygonOperand<'a> {
    /// The rows of a column that a map chooses, all but for the fault of the only one, if it has one.
    pub(crate) fn new(column: View<'a>, rows: RowMap<'a>, refused: Option<InvalidShape>) -> Self {
        Self {
            column,
            rows,
            even: column.even(),
            refused,
        }
    }

    /// The radii for the rows of a tile, if some rows have any.
    #[inline(always)]
    pub(crate) fn eight_radii(&self, rows: &TileRows) -> Option<[f64; LANES]> {
        if !self.column.has_radii() {
            return None;
        }
        let run = self.rows.run(rows);
        if let Some(radii) = run.and_then(|first| self.column.eight_radii(first)) {
            return Some(radii);
        }
        let mut radii = [0.0; LANES];
        for (lane, radius) in radii.iter_mut().enumerate() {
            *radius = self.column.radius(self.rows.at(rows.row(lane)));
        }
        Some(radii)
    }

    /// The shape of an examined column that takes part in all rows, if it is one and not missing.
    pub(crate) fn only(&self) -> Option<Shape<'a>> {
        match self.rows.rows {
            Rows::One if self.refused.is_none() => self.column.polygon(0),
            _ => None,
        }
    }

    /// The radius of the shape of a row of the answer.
    pub(crate) fn radius(&self, row: usize) -> f64 {
        self.column.radius(self.rows.at(row))
    }

    /// The point of a row of the answer, if the column was examined and the row is one.
    pub(crate) fn point(&self, row: usize) -> Option<Point> {
        self.column.point(self.rows.at(row))
    }

    #[inline(always)]
    pub(crate) fn eight_boxes(&self, boxes: RowBoxes<'a>, rows: &TileRows) -> [Bounds; LANES] {
        let run = self.rows.run(rows).and_then(|first| boxes.eight(first));
        if let Some(eight) = run {
            return *eight;
        }
        let mut eight = [Bounds::EMPTY; LANES];
        for (lane, bounds) in eight.iter_mut().enumerate() {
            *bounds = boxes.at(self.rows.at(rows.row(lane)));
        }
        eight
    }

    /// Vertices per ring, if that is the same for all convex rows; without closing vertices if the
    /// first row has one.
    #[inline]
    pub(crate) fn size(&self) -> Option<usize> {
        Some(self.even?.size)
    }

    /// The rings of `count` vertices in memory, if all are known to be at a stride: those of an examined
    /// column perhaps with closing vertices between them.
    #[inline(always)]
    fn strided(&self, count: usize) -> Option<EvenRings> {
        self.even
            .filter(|even| even.per_row == count || even.size == count && self.column.is_examined())
    }

    /// The vertices for the rows of a tile, if they are consecutive in memory at a stride, `count` of each
    /// to be taken; and, if the rows were examined, a bit for each that is convex and one for each of these
    /// that is clockwise.
    #[inline(always)]
    pub(crate) fn run(
        &self,
        rows: &TileRows,
        count: usize,
    ) -> Option<(&'a [Point], Option<[u64; 2]>)> {
        let (even, first) = (self.strided(count)?, self.rows.run(rows)?);
        self.column.eight(even.first + first, even.per_row)
    }

    /// The ring of a row, which has `count` vertices, and whether it is clockwise, if it is known to be
    /// convex. If the row has no such ring: `Err` with other vertices.
    #[inline]
    pub(crate) fn ring_of(
        &self,
        row: usize,
        count: usize,
    ) -> Result<(&'a [Point], Option<bool>), &'a [Point]> {
        if let Some(even) = self.strided(count) {
            // Without a look at the vertices, which need not be in the cache yet.
            let row = even.first + self.rows.at(row);
            return self.column.even_ring(row, even.per_row, count);
        }
        let ring = self.ring(row).filter(|(ring, _)| ring.len() == count);
        ring.ok_or_else(|| self.column.vertices(self.rows.at(row), count))
    }

    /// The only ring of a row, and whether it is clockwise, if it is known to be convex. `None` if the row is
    /// missing, has holes, or is known not to be convex.
    #[inline]
    pub(crate) fn ring(&self, row: usize) -> Option<(&'a [Point], Option<bool>)> {
        let row = self.rows.at(row);
        if self.column.is_examined() {
            let (ring, clockwise) = self.column.convex(row)?;
            return Some((ring, Some(clockwise)));
        }
        Some((self.column.unexamined_ring(row)?, None))
    }

    /// The polygon of a row of the operand; `None` if it is missing, or invalid and not to be
    /// checked.
    #[inline(always)]
    pub(crate) fn polygon(
        &self,
        row: usize,
        check: bool,
    ) -> Result<Option<Shape<'a>>, InvalidShape> {
        if let Some(why) = self.refused {
            return Err(why);
        }
        if self.column.is_examined() {
            return Ok(self.column.polygon(row));
        }
        match self.column.rings(row) {
            None if check && self.column.is_unread(row) => Err(InvalidShape::Ring {
                ring: 0,
                why: InvalidRing::Empty,
            }),
            None => Ok(None),
            Some(rings) if check => Shape::new(rings).map(Some),
            Some(rings) => Ok(Shape::trusted(rings).ok()),
        }
    }
}
