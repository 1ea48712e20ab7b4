//! Rows that were read together, and columns of them.

use arrow_buffer::NullBuffer;
use pyo3::prelude::*;

use super::BLOCK;
use crate::batch::{CancelToken, Column, ColumnBuilder};
use crate::geom::Point;
use crate::python::input::errors;
use crate::shape::ShapeKind;

/// An interrupt is looked for once in a block of rows.
pub(super) fn proceed(control: &CancelToken, row: usize) -> PyResult<()> {
    if row.is_multiple_of(BLOCK) {
        control.proceed()?;
    }
    Ok(())
}

/// Rows that are read together.
pub(super) struct Piece {
    pub(super) column: Column,
    /// The rows that are null, although they may have vertices.
    pub(super) nulls: Option<NullBuffer>,
    /// The rows that can't be read, and why.
    pub(super) faults: Vec<(usize, String)>,
}

impl Piece {
    /// Whether a row is missing, although it may have vertices: it is null, or a point without
    /// coordinates, which is how GeoArrow writes an empty one.
    fn is_missing(&self, row: usize) -> bool {
        let is_empty_point = || {
            let point = (self.column.rings(row)).filter(|it| it.kind() == ShapeKind::Point);
            point.is_some_and(|point| {
                let Point { x, y } = point.ring(0)[0];
                x.is_nan() && y.is_nan()
            })
        };
        self.nulls.as_ref().is_some_and(|nulls| nulls.is_null(row)) || is_empty_point()
    }

    fn push_to(&self, row: usize, column: &mut ColumnBuilder) {
        if let Ok(fault) = self.faults.binary_search_by_key(&row, |(bad, _)| *bad) {
            column.push_invalid(self.faults[fault].1.clone());
        } else {
            let shape = self.column.rings(row);
            column.push_shape(shape.filter(|_| !self.is_missing(row)));
        }
    }
}

/// The rows of all pieces as one column, in order: that of the pieces, or for each row the number of a piece and of a
/// row in it. Without a copy if there is one piece, whose missing rows have no vertices.
pub(super) fn joined(
    mut pieces: Vec<Piece>,
    order: Option<Vec<[usize; 2]>>,
    control: &CancelToken,
) -> PyResult<Column> {
    let is_whole = |piece: &Piece| {
        let is_copied = |row| piece.is_missing(row) && piece.column.rings(row).is_some();
        let is_nowhere = |vertex: &Point| vertex.x.is_nan() && vertex.y.is_nan();
        let may_be_missing = piece.nulls.is_some()
            || !piece.column.are_plain() && piece.column.memory().iter().any(is_nowhere);
        piece.faults.is_empty() && !(may_be_missing && (0..piece.column.len()).any(is_copied))
    };
    if order.is_none() && pieces.len() == 1 && is_whole(&pieces[0]) {
        return Ok(pieces.remove(0).column);
    }
    // The copy, whose lists grow by doubling.
    errors::memory(2 * pieces.iter().map(|it| it.column.nbytes()).sum::<usize>())?;
    let mut column = ColumnBuilder::default();
    let mut push = |piece: usize, row: usize| {
        proceed(control, row)?;
        pieces[piece].push_to(row, &mut column);
        PyResult::Ok(())
    };
    if let Some(order) = order {
        order
            .into_iter()
            .try_for_each(|[piece, row]| push(piece, row))?;
    } else {
        let mut rows = (pieces.iter().enumerate())
            .flat_map(|(number, piece)| (0..piece.column.len()).map(move |row| (number, row)));
        rows.try_for_each(|(piece, row)| push(piece, row))?;
    }
    Ok(column.build())
}
