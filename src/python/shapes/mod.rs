//! `Shapes`: the class. Its methods and its indexing are in files of their own, so that what
//! reads arguments may know the class, and its methods may read arguments.

mod attributes;
mod constructor_arguments;
mod constructors;
pub(crate) mod from_sequence;
pub(crate) mod indexing;
mod methods;

use std::sync::Arc;

use numpy::{Element, PyArray1};
use pyo3::prelude::*;

use super::{input::errors, interruptible};
use crate::batch::{ArgumentRow, Column, ExamineError, InvalidRow, Validation};

/// An immutable column of shapes: points, paths and polygons, one or several per row.
///
/// It is validated once and stored once, shared by all calls and threads. Every batch
/// function takes one wherever it takes shapes. None and empty rows are missing: they intersect
/// nothing, and their numbers are NaN. A selection of rows shares the memory of its column.
///
/// Parameters
/// ----------
/// shapes : sequence of shapes, or GeoSeries, or array_like of shape (N, V, 2)
///     The rows: each a polygon as an array_like of shape (V, 2), or as a sequence of such rings, the
///     shell first and then the holes, or any Shapely geometry but a GeometryCollection that is
///     not empty, or a row of a column. Rings in either winding; closing vertices don't count. An
///     array is copied, unless it is float64, C-contiguous and read-only, and so is all that it is a
///     view of, down to an array that owns its memory, bytes or a column. Such an array is shared,
///     and it and its views must stay read-only.
/// check : bool, default True
///     False skips the validation of shapes that are known to be valid. An invalid one then gives
///     meaningless results. `Shapes(column)` validates such a column later.
/// on_invalid : {'raise', 'mask'}, default 'raise'
///     What to do about rows that are invalid or can't be read: raise an error, for the first that
///     can't be read or else the first that is invalid, or make them missing. `is_valid` and
///     `invalid_reason` then tell which they are and why.
///
/// Raises
/// ------
/// ValueError
///     If a row is not a valid shape; the message names the row, the fault and its place.
/// TypeError
///     If a row does not consist of numbers, or is a GeometryCollection.
///
/// Warns
/// -----
/// UserWarning
///     If the rows are single rings in a list, the later ones inside the first: a polygon with holes is
///     a list in the list, ``[[shell, hole]]``.
///
/// Examples
/// --------
/// >>> import carom
/// >>> column = carom.Shapes([
/// ...     [(0, 0), (1, 0), (0, 1)],
/// ...     None,
/// ...     [(1, 0), (2, 0), (2, 1), (1, 1)],
/// ... ])
/// >>> column
/// Shapes(<3 shapes, 1 missing, 7 vertices>)
///
/// The triangle touches the square; the missing row touches nothing:
///
/// >>> carom.intersects_batch(column, column[2])
/// array([ True, False,  True])
#[pyclass(frozen, module = "carom", sequence)]
pub(crate) struct Shapes(pub(crate) Arc<Column>);

impl Shapes {
    /// A column whose rows are examined.
    pub(crate) fn examined(
        name: &'static str,
        py: Python<'_>,
        column: Column,
        validation: Validation,
    ) -> PyResult<Arc<Column>> {
        let rows = column.len();
        let at = |row| ArgumentRow::row(name, &[rows], row);
        Self::examined_rows(py, column, validation, at)
    }

    /// A column whose rows are examined, where `at` names a row in errors.
    pub(crate) fn examined_rows(
        py: Python<'_>,
        column: Column,
        validation: Validation,
        at: impl FnOnce(usize) -> ArgumentRow,
    ) -> PyResult<Arc<Column>> {
        let (rows, longest) = (column.len(), column.longest());
        let work = interruptible::work(rows, longest);
        if interruptible::is_long(work) {
            // A box for each row; a copy where masked rows lose their vertices; an index of the edges.
            let masked = usize::from(validation == Validation::Mask);
            errors::memory(64 * rows + 256 * longest + masked * column.nbytes())?;
        }
        let column = interruptible::run(py, column, work, None, move |column, threads, _| {
            let mut column = std::mem::take(column);
            column.examine(validation, threads).map(|()| column)
        })?;
        match column {
            Ok(column) => Ok(Arc::new(column)),
            Err(ExamineError::OutOfMemory(why)) => Err(why.into()),
            Err(ExamineError::Invalid(row, why)) => Err(InvalidRow::Shape(at(row), why).into()),
        }
    }

    /// An array with a number for each row.
    fn numbers<'py, T: Element>(
        &self,
        py: Python<'py>,
        number: impl Fn(usize) -> T,
    ) -> PyResult<Bound<'py, PyArray1<T>>> {
        errors::memory(self.0.len() * size_of::<T>())?;
        Ok(PyArray1::from_iter(py, (0..self.0.len()).map(number)))
    }

    /// Computes something from the rows, detached from the interpreter. A unit of [`interruptible::work`] pays for so many
    /// vertices: eight of a sum or a copy, one where predicates decide or the answer may need big numbers.
    fn run<T: Send + 'static>(
        &self,
        py: Python<'_>,
        vertices_per_unit: usize,
        run: impl FnOnce(&Column, usize) -> T + Send + 'static,
    ) -> PyResult<T> {
        let work = self
            .0
            .len()
            .saturating_mul(self.0.longest().div_ceil(vertices_per_unit));
        interruptible::run(py, Arc::clone(&self.0), work, None, |column, threads, _| {
            run(column, threads)
        })
    }
}
