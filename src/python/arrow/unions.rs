//! Shapes of several kinds: a union with a child for each kind and for each set of coordinates.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, Int64Array};
use arrow_schema::DataType;
use pyo3::prelude::*;

use super::geoarrow::{self, Encoding, Stated};
use super::lists::{Reader, RowNumbers};
use super::piece::Piece;
use crate::batch::{ColumnBuilder, OnInvalid};
use crate::python::buffer::arrow_decoding::taken;
use crate::python::input::input_error;
use crate::python::readers::wkb_reader::KINDS;

/// Reads the rows of a union: a piece for each child that has some, and for each row the numbers of its piece and of the
/// row in it.
pub(super) fn add(
    reader: &Reader<'_>,
    array: &ArrayRef,
    pieces: &mut Vec<Piece>,
    order: &mut Vec<[usize; 2]>,
) -> PyResult<()> {
    let (union, DataType::Union(fields, _)) = (array.as_union(), array.data_type()) else {
        unreachable!("a union")
    };
    let refused = |what: String| input_error::value_error(reader.name, what);
    // For each child its rows, and where they are in it.
    let mut rows = vec![(Vec::new(), Vec::<i64>::new()); fields.len()];
    let position = |id| fields.iter().position(|(own, _)| own == id);
    let first = order.len();
    for row in 0..array.len() {
        let id = union.type_ids()[row];
        let Some(child) = position(id) else {
            let row = reader.row(row);
            return Err(refused(format!("the union has no child {id}, at {row}")));
        };
        let place = match union.offsets() {
            Some(offsets) => i64::from(offsets[row]),
            // Its memory holds fewer.
            None => i64::try_from(row).unwrap_or(i64::MAX),
        };
        order.push([child, rows[child].0.len()]);
        rows[child].0.push(row);
        rows[child].1.push(place);
    }
    let mut piece_of = vec![0; fields.len()];
    for (child, ((id, field), (rows, places))) in fields.iter().zip(rows).enumerate() {
        if rows.is_empty() {
            continue;
        }
        piece_of[child] = pieces.len();
        let places: ArrayRef = Arc::new(Int64Array::from(places));
        let items = taken(union.child(id), &places).map_err(|why| refused(why.to_string()))?;
        let numbers = rows.iter().map(|&row| reader.number(row)).collect();
        let own = Reader {
            rows: RowNumbers::Listed(numbers),
            ..*reader
        };
        // The last digit of the number is that of the kind, the tens tell the coordinates.
        pieces.push(match usize::try_from(id % 10).unwrap_or(0) {
            digit @ 1..=6 => {
                let kind = KINDS[digit - 1];
                let encoding =
                    geoarrow::encoding(reader.name, field, None, Some(Stated::Kind(kind)))?;
                let Encoding::Lists(kind, mut coordinates) = encoding else {
                    return Err(refused(format!(
                        "child {id} of the union is no {}",
                        kind.name()
                    )));
                };
                // A list without letters in it may be of either.
                if id / 10 == 2 && coordinates == ['x', 'y', 'z'] {
                    coordinates[2] = 'm';
                }
                own.piece(&items, kind, &coordinates)?
            }
            7 => collections(&own, &items)?,
            _ => {
                return Err(refused(format!(
                    "no kind has the number {id} of a child of the union"
                )));
            }
        });
    }
    for place in &mut order[first..] {
        place[0] = piece_of[place[0]];
    }
    Ok(())
}

const COLLECTION: &str = "expected points, lines or polygons, got a GeometryCollection; take its parts first, with \
                          explode() in GeoPandas or shapely.get_parts";

/// The rows of a child of collections, which are refused unless they are null.
fn collections(reader: &Reader<'_>, items: &ArrayRef) -> PyResult<Piece> {
    let (mut faults, mut rows) = (Vec::new(), ColumnBuilder::default());
    for row in 0..items.len() {
        rows.push([]);
        if items.is_null(row) {
            continue;
        }
        if reader.on_invalid == OnInvalid::Raise {
            return Err(input_error::type_error(reader.row(row), COLLECTION));
        }
        faults.push((row, COLLECTION.to_owned()));
    }
    Ok(Piece {
        column: rows.build(),
        nulls: None,
        faults,
    })
}
