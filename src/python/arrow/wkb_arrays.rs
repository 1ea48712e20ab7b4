//! Columns from Arrow arrays of WKB.

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef};
use arrow_schema::DataType;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};

use super::BLOCK;
use super::request::Request;
use crate::batch::{CancelToken, Column, Stop};
use crate::geom::Point;
use crate::python::buffer::arrow_decoding::bytes_of;
use crate::python::readers::wkb_reader::WkbRows;
use crate::python::{input::errors, interruptible, readers::shapely_reader};

/// Bytes of the objects for one value of WKB, besides its own bytes. A point takes some 300; of larger
/// shapes, the bytes of the value come on top.
const WKB_OBJECTS: usize = 512;

/// The shapes of binary arrays, not validated yet; the SRID of the rows that have one, and the first of these.
pub(super) fn read(
    name: &str,
    py: Python<'_>,
    chunks: &[ArrayRef],
    request: Request<'_>,
) -> PyResult<(Column, Option<(u32, usize)>)> {
    let Request {
        drop_z, on_invalid, ..
    } = request;
    // Chunks may share their buffers.
    let bytes = chunks.iter().map(bytes_of).fold(0, usize::saturating_add);
    let rows = chunks.iter().map(Array::len).fold(0, usize::saturating_add);
    errors::memory(rows.saturating_mul(size_of::<usize>()).max(bytes))?;
    let theirs = chunks.to_vec();
    let work = rows.max(bytes / size_of::<Point>());
    let read = move |chunks: &mut Vec<_>, _, control: &_| shapes(chunks, drop_z, control);
    let read = interruptible::run(py, theirs, work, None, read)??;
    let srid = read.srid(name)?;
    let column = shapely_reader::with_left(py, read, |rows| {
        let values = objects(py, chunks, rows)?;
        shapely_reader::read_wkb(name, values.as_any(), rows, drop_z, on_invalid)
    })?;
    Ok((column, srid))
}

/// Whether an array of a type has binary values.
pub(super) fn is_binary(of: &DataType) -> bool {
    matches!(
        of,
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView
    )
}

/// The values of a binary array, or of one of nulls without a type.
pub(super) fn values_of(array: &ArrayRef) -> Box<dyn Iterator<Item = Option<&[u8]>> + '_> {
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

/// The rows of binary arrays.
fn shapes(chunks: &[ArrayRef], drop_z: bool, control: &CancelToken) -> Result<WkbRows, Stop> {
    let mut rows = WkbRows::new(drop_z);
    rows.reserve(chunks.iter().map(Array::len).sum())?;
    for value in chunks.iter().flat_map(values_of) {
        control.proceed()?;
        rows.push(value)?;
    }
    Ok(rows)
}

/// Some values of binary arrays as a list of bytes.
fn objects<'py>(
    py: Python<'py>,
    chunks: &[ArrayRef],
    rows: &[usize],
) -> PyResult<Bound<'py, PyList>> {
    let chosen = || {
        let mut rows = rows.iter().peekable();
        let values = chunks.iter().flat_map(values_of).enumerate();
        values.filter_map(move |(row, value)| rows.next_if_eq(&&row).and(value))
    };
    // A value is copied to an object of its own, of which Shapely makes another.
    let bytes: usize = chosen().map(<[u8]>::len).sum();
    errors::memory(bytes.saturating_add(WKB_OBJECTS * rows.len()))?;
    let list = PyList::empty(py);
    for (place, value) in chosen().enumerate() {
        if place.is_multiple_of(BLOCK) {
            py.check_signals()?;
        }
        list.append(PyBytes::new(py, value))?;
    }
    Ok(list)
}
