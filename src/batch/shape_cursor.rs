//! Reads the shapes of an operand one by one.

use std::hint::black_box;

use crate::batch::polygon_rows::PolygonRows;
use crate::invalid_shape::InvalidShape;
use crate::shape::Shape;

/// Reads polygons one by one. A row of the operand that the next row of the answer takes again is
/// not validated again.
pub(super) struct ShapeCursor<'a> {
    rings: PolygonRows<'a>,
    last: Option<(usize, Result<Option<Shape<'a>>, InvalidShape>)>,
}

impl<'a> ShapeCursor<'a> {
    pub(super) fn new(rings: PolygonRows<'a>) -> Self {
        Self { rings, last: None }
    }

    /// Reads memory of the polygons of some rows of the answer.
    pub(super) fn prefetch(&self, rows: &[usize]) {
        let PolygonRows {
            column, rows: map, ..
        } = self.rings;
        let read = rows.iter().map(|&row| column.read_ahead(map.at(row)));
        black_box(read.sum::<f64>());
    }

    /// The polygon of a row of the answer: see [`PolygonRows::polygon`].
    #[inline]
    pub(super) fn at(
        &mut self,
        row: usize,
        check: bool,
    ) -> Result<Option<&Shape<'a>>, InvalidShape> {
        let row = self.rings.rows.at(row);
        if self.last.as_ref().is_none_or(|(last, _)| *last != row) {
            self.last = Some((row, self.rings.polygon(row, check)));
        }
        let (_, polygon) = self.last.as_ref().expect("just read");
        polygon.as_ref().map(Option::as_ref).map_err(|why| *why)
    }
}
