//! Shapes in any form: an object is classified once and read accordingly. The file is long because there is one
//! case for each form, and single shapes, rows and columns treat them alike.

use std::sync::Arc;

use numpy::{PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyDict, PyString, PyType};

use super::shapely_reader;
use crate::batch::{Column, ColumnBuilder, OnInvalid, Shared};
use crate::geom::Point;
use crate::python::buffer::Claims;
use crate::python::buffer::c_unwind_call::call_method;
use crate::python::input::batch_operand::{Operand, dense};
use crate::python::input::expected_argument::{Argument, ItemShape, NotNumbers};
use crate::python::input::input_error::{self, Place};
use crate::python::input::nested_sequences::{depth, exports_arrow, is_list, items};
use crate::python::input::vector_arguments::points;
use crate::python::shapes::Shapes;
use crate::python::{
    arrow, crs,
    input::{errors, numpy_arrays},
};

/// An object given as shapes, by its kind.
pub(crate) enum Input<'py> {
    Column(Arc<Column>),
    /// A NumPy array, possibly converted from an object with `__array__`.
    Array(Bound<'py, PyAny>),
    /// An array of objects along one axis, none of which is a geometry; of a series, its values.
    Objects(Bound<'py, PyAny>),
    /// An array of this shape, of several axes, whose objects are all missing rows.
    Missing(Vec<usize>),
    /// A list or a tuple that does not start with a geometry.
    List(Bound<'py, PyAny>),
    Geometry(Bound<'py, PyAny>),
    /// Geometries and None in a list, a series or an array.
    Geometries(Bound<'py, PyAny>),
    /// A sequence that starts with a geometry and holds other things too.
    Mixed(Bound<'py, PyAny>),
    /// An object that exports Arrow data.
    Arrow(Bound<'py, PyAny>),
    /// An object that is no shapes but has some; the message after the argument's name.
    Refused(String),
    Other(Bound<'py, PyAny>),
}

/// Classifies an object. An object that exports Arrow data is not converted to an array: that is
/// slow, and producers crash on bad offsets.
pub(crate) fn classify<'py>(object: &Bound<'py, PyAny>) -> PyResult<Input<'py>> {
    let py = object.py();
    if let Ok(column) = object.cast::<Shapes>() {
        return Ok(Input::Column(Arc::clone(&column.get().0)));
    }
    if let Ok(array) = object.cast::<PyUntypedArray>() {
        return classify_array(array, object);
    }
    let class = geometry_class(py)?;
    if is_list(object) {
        let list = Input::List(object.clone());
        return Ok(classify_items(object, class.as_ref(), object)?.unwrap_or(list));
    }
    let class = class.as_ref();
    if is_geometry(object, class)? {
        return Ok(Input::Geometry(object.clone()));
    }
    if exports_arrow(object)? {
        return Ok(Input::Arrow(object.clone()));
    }
    let values = geometry_column(object)?;
    let is_text = object.is_instance_of::<PyString>() || object.is_instance_of::<PyBytes>();
    if is_text || !values.hasattr(intern!(py, "__array__"))? {
        return Ok(Input::Other(object.clone()));
    }
    let array = match call_method(
        &numpy_arrays::numpy(py)?,
        intern!(py, "asarray"),
        (&values,),
    ) {
        // A column of `carom.interop.geopandas` says so what takes it.
        Err(why) if why.is_instance_of::<PyTypeError>(py) => {
            return Ok(Input::Refused(errors::text(&why.value(py).str()?)));
        }
        array => array?,
    };
    let array = array.cast()?;
    let may_be_frame =
        numpy_arrays::dtype(array).0 == b'O' || errors::type_name(object) == "GeoDataFrame";
    if may_be_frame && let Some(found) = in_frame(object, class)? {
        return Ok(Input::Refused(format!("expected shapes, got {found}")));
    }
    classify_array(array, &values)
}

/// What a frame of pandas or one of its rows is, and where its shapes are; `None` for other objects, and for a
/// frame with an active geometry.
fn in_frame(
    object: &Bound<'_, PyAny>,
    class: Option<&Bound<'_, PyAny>>,
) -> PyResult<Option<&'static str>> {
    let py = object.py();
    let is_pandas = object.hasattr(intern!(py, "iloc"))?;
    let geometry = object.getattr_opt(intern!(py, "geometry"))?;
    Ok(match errors::type_name(object).as_str() {
        "GeoDataFrame" if geometry.is_none() => {
            Some("a GeoDataFrame without an active geometry; its method set_geometry names one")
        }
        "DataFrame" if is_pandas => Some(
            "a DataFrame; take its column of geometries, or of WKB that shapely.from_wkb reads",
        ),
        "Series" => match (geometry, class) {
            (Some(geometry), Some(class)) if geometry.is_instance(class)? => {
                Some("a row of a frame; its attribute `geometry` is the shape")
            }
            _ => None,
        },
        _ => None,
    })
}

/// Classifies an object whose values are in this array.
fn classify_array<'py>(
    array: &Bound<'py, PyUntypedArray>,
    object: &Bound<'py, PyAny>,
) -> PyResult<Input<'py>> {
    let py = object.py();
    if numpy_arrays::dtype(array).0 != b'O' {
        return Ok(Input::Array(array.clone().into_any()));
    }
    let flat = array.call_method0(intern!(py, "ravel"))?;
    let list = flat.call_method0(intern!(py, "tolist"))?;
    if let Some(input) = classify_items(&list, geometry_class(py)?.as_ref(), object)? {
        return Ok(input);
    }
    let is_several = array.ndim() > 1 && !array.is_empty();
    if is_several && has_only_missing(&list)? {
        return Ok(Input::Missing(array.shape().to_vec()));
    }
    let array = array.clone();
    Ok(match array.ndim() {
        1 => Input::Objects(array.into_any()),
        _ => Input::Array(array.into_any()),
    })
}

/// Classifies an object whose items are in this list, if the first that is not None is a geometry.
fn classify_items<'py>(
    list: &Bound<'py, PyAny>,
    geometry: Option<&Bound<'py, PyAny>>,
    object: &Bound<'py, PyAny>,
) -> PyResult<Option<Input<'py>>> {
    let Some(geometry) = geometry else {
        return Ok(None);
    };
    // The type of the last geometry, which most often is that of the next.
    let mut found: Option<Bound<'_, PyType>> = None;
    for item in items(list)? {
        let item = item?;
        let class = item.get_type();
        if item.is_none() || found.as_ref().is_some_and(|it| it.is(&class)) {
            continue;
        }
        match (item.is_instance(geometry)?, &found) {
            (true, _) => found = Some(class),
            (false, Some(_)) => return Ok(Some(Input::Mixed(object.clone()))),
            (false, None) => return Ok(None),
        }
    }
    Ok(found.map(|_| Input::Geometries(object.clone())))
}

impl Input<'_> {
    /// Whether it is one shape, rather than a sequence of them.
    pub(crate) fn is_one(&self) -> PyResult<bool> {
        match self {
            Self::Geometry(_) => Ok(true),
            Self::Array(object) | Self::List(object) => Ok(depth(object)? == 2),
            _ => Ok(false),
        }
    }
}

/// One shape, as the only row of a column.
pub(crate) fn polygon(input: &Input<'_>, argument: Argument) -> PyResult<Column> {
    let mut row = ColumnBuilder::default();
    let crs = push_shape(input, argument, &mut row)?;
    Ok(row.build().with_crs(crs))
}

const ARROW: &str = "Arrow data; Shapes.from_arrow makes a column of it, whose rows are shapes";

/// Reads one shape into a row, and gives its coordinate reference system.
fn push_shape(
    shape: &Input<'_>,
    argument: Argument,
    column: &mut ColumnBuilder,
) -> PyResult<Option<Arc<str>>> {
    let rings = match shape {
        Input::Geometry(geometry) => {
            let row = shapely_reader::read(&argument.place(), geometry, false, OnInvalid::Raise)?;
            column.push_shape(row.rings(0));
            return Ok(row.crs().cloned());
        }
        Input::Column(row) if row.len() == 1 => {
            column.push_shape(row.rings(0));
            return Ok(row.crs().cloned());
        }
        Input::Geometries(object) | Input::Mixed(object) => {
            let array = object.cast::<PyUntypedArray>();
            let count = array.map_or_else(|_| object.len(), |array| Ok(array.len()))?;
            return Err(argument.several_geometries(count));
        }
        Input::Missing(shape) => {
            return Err(argument.several_geometries(shape.iter().product()));
        }
        Input::List(list) => rings_of_list(list, argument)?,
        Input::Column(_) => return Err(argument.refusal(NotNumbers::Column)),
        Input::Arrow(_) => return Err(argument.refusal(NotNumbers::Type(ARROW.to_owned()))),
        Input::Refused(why) => return Err(input_error::type_error(argument.place(), why)),
        Input::Array(object) | Input::Objects(object) | Input::Other(object) => {
            vec![points(object, argument)?]
        }
    };
    column.push(rings.iter().map(Vec::as_slice));
    Ok(None)
}

/// The rings of a polygon that is a list of them, or of points.
fn rings_of_list(list: &Bound<'_, PyAny>, argument: Argument) -> PyResult<Vec<Vec<Point>>> {
    if depth(list)? != 3 {
        match points(list, argument) {
            // If one item is a ring, the error names the first item that is not.
            Err(why) if errors::is_refusal(&why, list.py()) && has_ring(list)? => {}
            ring => return Ok(vec![ring?]),
        }
    }
    let ring = |(ring, item): (usize, PyResult<Bound<'_, PyAny>>)| {
        let ring = Some(ring);
        points(&item?, Argument { ring, ..argument })
    };
    list.try_iter()?.enumerate().map(ring).collect()
}

/// Whether this holds for any item of a sequence.
fn any<'py>(
    sequence: &Bound<'py, PyAny>,
    holds: impl Fn(&Bound<'py, PyAny>) -> PyResult<bool>,
) -> PyResult<bool> {
    for item in sequence.try_iter()? {
        if holds(&item?)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether a list has an item that can only be a ring; an empty list counts as one.
fn has_ring(list: &Bound<'_, PyAny>) -> PyResult<bool> {
    any(list, |it| {
        Ok(depth(it)? == 2 || is_list(it) && it.len()? == 0)
    })
}

/// Whether a list has an item that can only be a shape.
pub(crate) fn has_shape(list: &Bound<'_, PyAny>) -> PyResult<bool> {
    let class = geometry_class(list.py())?;
    any(list, |it| {
        let is_geometry = is_geometry(it, class.as_ref())?;
        Ok(is_geometry || depth(it)? >= 2 || is_list(it) && has_ring(it)?)
    })
}

/// Whether all items of a sequence are missing rows.
fn has_only_missing(sequence: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(!any(sequence, |item| Ok(!is_missing(item)?))?)
}

pub(crate) fn is_missing(item: &Bound<'_, PyAny>) -> PyResult<bool> {
    if let Ok(array) = item.cast::<PyUntypedArray>() {
        return Ok(array.is_empty());
    }
    Ok(item.is_none() || is_list(item) && item.len()? == 0)
}

/// The shapes in a sequence as rows, not examined yet. None and empty items are missing.
pub(crate) fn rows(sequence: &Bound<'_, PyAny>, argument: Argument) -> PyResult<Column> {
    let (mut column, mut known) = (ColumnBuilder::default(), None::<(Place, Arc<str>)>);
    for (row, item) in sequence.try_iter()?.enumerate() {
        let item = item?;
        if row.is_multiple_of(1024) && row > 0 {
            // The next rows may double what there is.
            errors::memory(column.nbytes())?;
        }
        if is_missing(&item)? {
            column.push([]);
            continue;
        }
        let own = argument.at(row).on_invalid(OnInvalid::Raise);
        match push_shape(&classify(&item)?, own, &mut column) {
            Err(why)
                if argument.on_invalid == OnInvalid::Mask
                    && errors::is_refusal(&why, item.py()) =>
            {
                column.push_invalid(input_error::reason(item.py(), &why)?);
            }
            Err(why) => return Err(why),
            Ok(None) => {}
            Ok(Some(crs)) => match &known {
                None => known = Some((own.place(), crs)),
                Some((first, of_first)) => {
                    let (names, systems) = ([first, &own.place()], [of_first, &crs]);
                    crs::common(item.py(), names, systems.map(|it| Some(Arc::clone(it))))?;
                }
            },
        }
    }
    Ok(column.build().with_crs(known.map(|(_, crs)| crs)))
}

/// The shapes of a batch argument.
pub(crate) fn shapes(
    name: &'static str,
    object: &Bound<'_, PyAny>,
    on_invalid: OnInvalid,
    claims: &mut Claims,
) -> PyResult<Operand<Arc<Column>>> {
    let argument = Argument::many(name, ItemShape::Ring).on_invalid(on_invalid);
    let column = match classify(object)? {
        Input::Column(column) => column,
        Input::Mixed(object) => Arc::new(rows(&object, argument)?),
        Input::Refused(why) => return Err(input_error::type_error(name, why)),
        Input::Arrow(object) => Arc::new(arrow::read(
            name,
            &object,
            arrow::Request::plain(on_invalid),
        )?),
        Input::Geometry(object) => {
            let row = shapely_reader::read(&name.into(), &object, false, on_invalid)?;
            return Ok(Operand::new(name, Vec::new(), Arc::new(row)));
        }
        Input::Geometries(object) => {
            let rows = shapely_reader::read(&name.into(), &object, false, on_invalid)?;
            let array = object.cast::<PyUntypedArray>();
            let shape = array.map_or_else(|_| vec![rows.len()], |array| array.shape().to_vec());
            return Ok(Operand::new(name, shape, Arc::new(rows)));
        }
        Input::Missing(shape) => {
            let mut rows = ColumnBuilder::default();
            (0..shape.iter().product()).for_each(|_| rows.push([]));
            return Ok(Operand::new(name, shape, Arc::new(rows.build())));
        }
        Input::List(object) | Input::Objects(object) if is_rows(&object)? => {
            Arc::new(rows(&object, argument)?)
        }
        Input::List(list) => match dense(argument, &list, claims, dense_column) {
            // If one item is a shape, the items are rows, and the error names the first that is none.
            Err(why) if errors::is_refusal(&why, list.py()) && has_shape(&list)? => {
                Arc::new(rows(&list, argument)?)
            }
            operand => return operand,
        },
        Input::Objects(object) | Input::Array(object) | Input::Other(object) => {
            return dense(argument, &object, claims, dense_column);
        }
    };
    Ok(Operand::new(name, vec![column.len()], column))
}

fn dense_column(points: Shared<Point>, per_row: usize) -> Arc<Column> {
    Arc::new(Column::dense(points, per_row))
}

/// Whether the items of a sequence are shapes, rather than numbers or points.
fn is_rows(sequence: &Bound<'_, PyAny>) -> PyResult<bool> {
    let list = if is_list(sequence) {
        sequence.clone()
    } else {
        sequence.call_method0(intern!(sequence.py(), "tolist"))?
    };
    Ok(depth(&list)? > 2 || has_only_missing(&list)?)
}

/// The class of all geometries, if Shapely has been imported.
pub(crate) fn geometry_class(py: Python<'_>) -> PyResult<Option<Bound<'_, PyAny>>> {
    // Kept once found: the search takes as long as the rest of a short call.
    static CLASS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    if let Some(class) = CLASS.get(py) {
        return Ok(Some(class.bind(py).clone()));
    }
    let modules = py
        .import(intern!(py, "sys"))?
        .getattr(intern!(py, "modules"))?
        .cast_into::<PyDict>()?;
    let class = match modules.get_item(intern!(py, "shapely"))? {
        Some(shapely) => shapely.getattr_opt(intern!(py, "Geometry"))?,
        None => None,
    };
    if let Some(class) = &class {
        let _ = CLASS.set(py, class.clone().unbind());
    }
    Ok(class)
}

fn is_geometry(object: &Bound<'_, PyAny>, class: Option<&Bound<'_, PyAny>>) -> PyResult<bool> {
    class.map_or(Ok(false), |class| object.is_instance(class))
}

/// The geometries of a GeoDataFrame; any other object as it is.
pub(crate) fn geometry_column<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = object.py();
    if !is_list(object)
        && !object.is_instance_of::<PyUntypedArray>()
        && object.hasattr(intern!(py, "crs"))?
        && let Some(geometry) = object.getattr_opt(intern!(py, "geometry"))?
    {
        return Ok(geometry);
    }
    Ok(object.clone())
}
