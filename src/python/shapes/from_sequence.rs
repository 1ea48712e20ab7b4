//! How a column is read from any sequence of shapes.

use std::sync::Arc;

use numpy::{PyUntypedArray, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyList;

use super::Shapes;
use crate::batch::{Column, OnInvalid, Validation};
use crate::python::buffer::c_unwind_call::call_method;
use crate::python::input::expected_argument::{Argument, ItemShape, reader};
use crate::python::input::input_error;
use crate::python::input::nested_sequences::{asarray, depth};
use crate::python::input::rings_taken_for_rows::{looks_like_rings, warn_of_rings};
use crate::python::input::vector_arguments::kept_points;
use crate::python::readers::shape_input::{Input, classify, has_shape, rows};
use crate::python::{
    arrow, crs,
    input::{errors, numpy_arrays},
    readers::{from_ragged, shapely_reader},
};

/// A sequence of shapes as a column, its rows validated; a column as it is.
pub(crate) fn column(name: &'static str, object: &Bound<'_, PyAny>) -> PyResult<Arc<Column>> {
    let (py, input) = (object.py(), classify(object)?);
    column_of(name, input, py, [true, true], OnInvalid::Raise)
}

/// Two sequences of shapes as columns of one reference system, their rows validated.
pub(crate) fn two_columns(
    names: [&'static str; 2],
    objects: [&Bound<'_, PyAny>; 2],
) -> PyResult<[Arc<Column>; 2]> {
    let py = objects[0].py();
    let read = |position: usize| match classify(objects[position])? {
        Input::Column(column) => Ok(column),
        input => sequence(names[position], input, OnInvalid::Raise, true).map(Arc::new),
    };
    let one = read(0)?;
    // A reader can be read once.
    let other = if objects[0].is(objects[1]) {
        Arc::clone(&one)
    } else {
        read(1)?
    };
    // Shapes in another system than they are taken for may be invalid.
    crs::refuse_different(py, names, [&one, &other])?;
    let examined = |name, column: Arc<Column>| {
        if column.is_examined() {
            return Ok(column);
        }
        Shapes::examined(name, py, Arc::unwrap_or_clone(column), Validation::Raise)
    };
    if Arc::ptr_eq(&one, &other) {
        drop(other);
        let both = examined(names[0], one)?;
        return Ok([Arc::clone(&both), both]);
    }
    Ok([examined(names[0], one)?, examined(names[1], other)?])
}

/// The column of an input, where `check` is whether its rows are validated; on `warns` see [`sequence`].
pub(crate) fn column_of(
    name: &'static str,
    input: Input<'_>,
    py: Python<'_>,
    [check, warns]: [bool; 2],
    on_invalid: OnInvalid,
) -> PyResult<Arc<Column>> {
    if let Input::Column(column) = input {
        return Ok(column);
    }
    let rows = sequence(name, input, on_invalid, warns)?;
    Shapes::examined(name, py, rows, on_invalid.validation(check))
}

/// The rows of a sequence of shapes in any form but a column, not examined yet. With `warns`, rings of a list that
/// look like those of one polygon are warned of.
pub(crate) fn sequence(
    name: &'static str,
    input: Input<'_>,
    on_invalid: OnInvalid,
    warns: bool,
) -> PyResult<Column> {
    let argument = Argument::one(name, ItemShape::Ring).on_invalid(on_invalid);
    let sequence = match input {
        Input::Column(column) => return Ok(column.unexamined()),
        Input::Arrow(object) => {
            return arrow::read(name, &object, arrow::Request::plain(on_invalid));
        }
        Input::Geometries(object) => {
            return shapely_reader::read_column(name, &object, false, on_invalid);
        }
        Input::Geometry(_) => return Err(single_geometry(name)),
        Input::Refused(why) => return Err(input_error::type_error(name, why)),
        Input::Array(array) => match *array.cast::<PyUntypedArray>()?.shape() {
            [rows, per_row, _] => {
                let many = Argument::many(name, ItemShape::Ring).on_invalid(on_invalid);
                let (points, losses) = kept_points(&array, many)?;
                let column = Column::of_rows(points, rows, per_row);
                return Ok(from_ragged::without_lost(column, losses));
            }
            _ if is_bounds(&array)? => return Err(bounds(name)),
            [_, _] => return Err(points_of_one(name)),
            [] => return Err(errors::not_a(&array, name, SEQUENCE)),
            _ => array,
        },
        Input::Missing(shape) => return Err(shapely_reader::several_axes(name, &shape)),
        Input::List(list) if depth(&list)? < 3 && is_bounds(&list)? => return Err(bounds(name)),
        Input::List(list) if depth(&list)? == 2 && !has_shape(&list)? => {
            return Err(points_of_one(name));
        }
        Input::Other(object) => list_of(name, &object)?,
        Input::List(object) | Input::Objects(object) | Input::Mixed(object) => object,
    };
    let column = rows(&sequence, argument)?;
    if warns && depth(&sequence)? == 3 && looks_like_rings(&column) {
        warn_of_rings(sequence.py(), name)?;
    }
    Ok(column)
}

/// Refuses geometries where Arrow data is expected.
pub(crate) fn refuse_geometries(name: &str, object: &Bound<'_, PyAny>) -> PyResult<()> {
    match classify(object)? {
        Input::Geometry(_) | Input::Geometries(_) | Input::Mixed(_) => {
            Err(input_error::type_error(
                name,
                "expected Arrow data, got Shapely geometries; see Shapes.from_shapely",
            ))
        }
        _ => Ok(()),
    }
}

/// The error for one geometry where several are expected.
pub(crate) fn single_geometry(name: &str) -> PyErr {
    input_error::type_error(
        name,
        "expected a sequence of shapes, got a single geometry; put it in a list",
    )
}

fn points_of_one(name: &str) -> PyErr {
    input_error::value_error(
        name,
        "expected a sequence of shapes, got the points of one; put it in a list, or \
         make a row of each point with Shapes.from_points",
    )
}

/// Whether an object is four numbers, or several times four. Where all are NaN they are missing rows.
fn is_bounds(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    let py = object.py();
    let array = match asarray(object, None) {
        Err(why) if errors::is_refusal(&why, py) => return Ok(false),
        array => array?,
    };
    let are_four = matches!(array.shape(), [4] | [_, 4]);
    if !are_four || !matches!(numpy_arrays::dtype(&array).0, b'f' | b'i' | b'u') {
        return Ok(false);
    }
    let finite = call_method(&numpy_arrays::numpy(py)?, "isfinite", (array,))?;
    call_method(&finite, "any", (py.None(),))?.is_truthy()
}

fn bounds(name: &str) -> PyErr {
    input_error::value_error(
        name,
        "expected a sequence of shapes, got four numbers for each; if they are bounds, \
         shapely.box(xmin, ymin, xmax, ymax) makes rectangles of them",
    )
}

const SEQUENCE: &str = "a sequence of shapes";

/// Any iterable but text as a list.
fn list_of<'py>(name: &str, object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let wrong = || errors::not_a(object, name, SEQUENCE);
    if let Some(reader) = reader(object)? {
        return Err(input_error::with_advice(
            object.py(),
            &wrong(),
            &format!("; {reader}"),
        ));
    }
    let list = object.py().get_type::<PyList>().call1((object,));
    list.map_err(|why| {
        if errors::is_refusal(&why, object.py()) {
            wrong()
        } else {
            why
        }
    })
}
