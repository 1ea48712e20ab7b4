//! Polygons in well-known binary; Shapely reads everything else.

use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_array::cast::AsArray;

use crate::batch::memory::{self, OutOfMemory};
use crate::batch::{CancelToken, Column, Stop};
use crate::geom::Point;

/// Little-endian, and the type of polygons in the plane.
const HEAD: &[u8] = b"\x01\x03\x00\x00\x00";

/// The values of a binary array, or of one of nulls without a type.
pub(super) fn values(array: &ArrayRef) -> Box<dyn Iterator<Item = Option<&[u8]>> + '_> {
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

/// The rows, if each is missing or as GEOS writes a polygon in the plane that is not empty.
///
/// Shapely takes many times as long, as it makes an object for each row.
pub(super) fn polygons(chunks: &[ArrayRef], control: &CancelToken) -> Result<Option<Column>, Stop> {
    let mut points = Vec::new();
    let (mut rings, mut rows) = (vec![0], vec![0]);
    for value in chunks.iter().flat_map(values) {
        control.proceed()?;
        if let Some(value) = value
            && !push_polygon(value, &mut points, &mut rings)?
        {
            return Ok(None);
        }
        memory::reserve(&mut rows, 1)?;
        rows.push(rings.len() - 1);
    }
    points.shrink_to_fit();
    Ok(Some(Column::of_parts(Arc::new(points), rings, Some(rows))))
}

/// Appends the rings of a polygon. False if the bytes are another shape, or in another form.
fn push_polygon(
    value: &[u8],
    points: &mut Vec<Point>,
    rings: &mut Vec<usize>,
) -> Result<bool, OutOfMemory> {
    let Some((parts @ 1.., mut rest)) = value.strip_prefix(HEAD).and_then(count) else {
        return Ok(false);
    };
    for _ in 0..parts {
        let Some((ring, after)) = split_ring(rest) else {
            return Ok(false);
        };
        let (start, size) = (points.len(), ring.len() / size_of::<Point>());
        memory::reserve(points, size)?;
        memory::reserve(rings, 1)?;
        let (numbers, _) = ring.as_chunks::<{ size_of::<f64>() }>();
        let vertices = numbers.chunks_exact(2).map(|vertex| {
            let [x, y] = [vertex[0], vertex[1]].map(f64::from_le_bytes);
            Point::new(x, y)
        });
        points.extend(vertices);
        // A ring with a NaN at its ends is left to Shapely, too.
        if size < 4 || points[start] != points[points.len() - 1] {
            return Ok(false);
        }
        rings.push(points.len());
        rest = after;
    }
    Ok(rest.is_empty())
}

/// The vertices of a ring, and the bytes after it.
fn split_ring(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (size, rest) = count(bytes)?;
    rest.split_at_checked(size.checked_mul(size_of::<Point>())?)
}

/// How many items follow, and the bytes after this number.
fn count(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let (number, rest) = bytes.split_first_chunk()?;
    Some((usize::try_from(u32::from_le_bytes(*number)).ok()?, rest))
}
