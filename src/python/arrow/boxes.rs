//! Boxes along the axes, as polygons.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef};
use arrow_buffer::NullBuffer;
use pyo3::prelude::*;

use super::geoarrow::SIDES;
use super::lists::{Reader, doubles, refused_coordinates};
use super::piece::{Piece, proceed};
use crate::batch::Column;
use crate::geom::Point;
use crate::python::input::errors;

/// The boxes of an array. Those whose least x or y is above the greatest are empty, and so missing, as are those of NaN
/// alone.
pub(super) fn piece(reader: &Reader<'_>, array: &ArrayRef) -> PyResult<Piece> {
    let sides = array.as_struct();
    errors::memory(array.len().saturating_mul(4 * size_of::<Point>()))?;
    let of = |side: &str| doubles(&sides[side]);
    let [left, bottom, right, top] = [of(SIDES[0])?, of(SIDES[1])?, of(SIDES[2])?, of(SIDES[3])?];
    let others = [('Z', "zmin"), ('M', "mmin")].into_iter();
    let others = others.filter(|(_, side)| !reader.drop_z && sides.column_by_name(side).is_some());
    let others: Vec<_> = others
        .map(|(name, side)| Ok((name, side, of(side)?)))
        .collect::<PyResult<_>>()?;
    let (mut points, mut is_given) = (Vec::with_capacity(4 * array.len()), Vec::new());
    let mut faults = Vec::new();
    for row in 0..array.len() {
        proceed(reader.control, row)?;
        let [left, bottom, right, top] = [left[row], bottom[row], right[row], top[row]];
        points.extend(
            [(left, bottom), (right, bottom), (right, top), (left, top)]
                .map(|(x, y)| Point::new(x, y)),
        );
        let is_empty =
            left > right || bottom > top || [left, bottom, right, top].iter().all(|it| it.is_nan());
        is_given.push(!is_empty && sides.is_valid(row));
        if !is_given[row] {
            continue;
        }
        let is_null = |side: &&&str| sides[**side].is_null(row);
        let given = others
            .iter()
            .filter(|(_, side, it)| !it[row].is_nan() && sides[*side].is_valid(row));
        let given: Vec<_> = given.map(|(name, ..)| *name).collect();
        let null = SIDES
            .iter()
            .find(is_null)
            .map(|side| vec![format!("{side} is null")]);
        if let Some(why) = null.or_else(|| refused_coordinates(&given)) {
            reader.fault(row, &why, &mut faults)?;
        }
    }
    Ok(Piece {
        column: Column::of_rows(Arc::new(points), array.len(), 4),
        nulls: Some(NullBuffer::from(is_given)),
        faults,
    })
}
