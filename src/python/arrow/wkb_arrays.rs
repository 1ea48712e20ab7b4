//! Columns from Arrow arrays of WKB.

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};

use super::BLOCK;
use crate::batch::{CancelToken, Column, OnInvalid, Stop};
use crate::geom::Point;
use crate::python::wkb_reader::{Unread, WkbRows};
use crate::python::{errors, interruptible, shapely_reader};

/// Bytes of the objects for one value of WKB, besides its own bytes. A point takes some 300; of larger
/// shapes, the bytes of the value come on top.
const WKB_OBJECTS: usize = 512;

/// The shapes of binary arrays, not validated yet.
pub(super) fn read(
    name: &str,
    py: Python<'_>,
    chunks: &[ArrayRef],
    drop_z: bool,
    on_invalid: OnInvalid,
) -> PyResult<Column> {
    let bytes = chunks.iter().map(Array::get_buffer_memory_size).sum();
    // Nulls have no buffers.
    let rows = chunks.iter().map(Array::len).fold(0, usize::saturating_add);
    errors::memory(rows.saturating_mul(size_of::<usize>()).max(bytes))?;
    let theirs = chunks.to_vec();
    let work = rows.max(bytes / size_of::<Point>());
    let read = |chunks: &mut Vec<_>, _, control: &_| shapes(chunks, control);
    if let Some(column) = interruptible::run(py, theirs, work, None, read)?? {
        return Ok(column);
    }
    // A value is copied to an object of its own, of which Shapely makes another.
    errors::memory(bytes.saturating_add(WKB_OBJECTS * rows))?;
    let values = objects(py, chunks)?;
    shapely_reader::read_wkb(name, values.as_any(), drop_z, on_invalid)
}

/// The values of a binary array, or of one of nulls without a type.
fn values_of(array: &ArrayRef) -> Box<dyn Iterator<Item = Option<&[u8]>> + '_> {
    if let Some(array) = array.as_binary_opt::<i32>() {
        Box::new(array.iter())
    } else if let Some(array) = array.as_binary_opt::<i64>() {
        Box::new(array.iter())
    } else if let Some(array) = array.as_binary_view_opt() {
        Box::new(array.iter())
    } else {
        Box::new(std::iter::repeat_n(None, array.len()))
    }
}

/// The rows of binary arrays, if each is missing or as GEOS writes a shape in the plane.
///
/// Shapely takes many times as long, as it makes an object for each row.
fn shapes(chunks: &[ArrayRef], control: &CancelToken) -> Result<Option<Column>, Stop> {
    let mut rows = WkbRows::default();
    for value in chunks.iter().flat_map(values_of) {
        control.proceed()?;
        match rows.push(value) {
            Ok(()) => {}
            Err(Unread::Form) => return Ok(None),
            Err(Unread::Memory(why)) => return Err(why.into()),
        }
    }
    Ok(Some(rows.build()))
}

/// The values of binary arrays as a list of bytes, None where they are null.
fn objects<'py>(py: Python<'py>, chunks: &[ArrayRef]) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::empty(py);
    for (row, value) in chunks.iter().flat_map(values_of).enumerate() {
        if row.is_multiple_of(BLOCK) {
            py.check_signals()?;
        }
        list.append(value.map(|value| PyBytes::new(py, value)))?;
    }
    Ok(list)
}
