//! Shapely's geometries are recognised here and taken apart by `carom.interop.shapely`. Shapely is
//! imported for nobody who hasn't done so.

use numpy::{PyArrayDescrMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::batch::Column;
use crate::python::polygons::Polygons;
use crate::python::{arrow, input, numbers};

/// What an argument has to do with Shapely.
pub(crate) enum Geometries {
    /// Nothing.
    None,
    /// It is a geometry.
    One,
    /// It holds geometries and None.
    Many,
    /// It starts with a geometry and holds other things too.
    Mixed,
}

/// What an argument has to do with Shapely, judged by the first item that is something.
pub(crate) fn geometries(object: &Bound<'_, PyAny>) -> PyResult<Geometries> {
    if let Ok(array) = object.cast::<PyUntypedArray>()
        && array.dtype().kind() != b'O'
    {
        return Ok(Geometries::None);
    }
    let Some(class) = class(object.py())? else {
        return Ok(Geometries::None);
    };
    if object.is_instance(&class)? {
        return Ok(Geometries::One);
    }
    match items(object)? {
        Some(items) => kind_of_items(&items, &class),
        None => Ok(Geometries::None),
    }
}

/// The items of a list, a series, or an array of objects of any shape.
fn items<'py>(object: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    if numbers::is_list(object) {
        return Ok(Some(object.clone()));
    }
    if arrow::gives(object)? {
        // Arrow's data hold no geometries, and are not made into an array of objects to look: that
        // takes long, and producers crash on bad offsets.
        return Ok(None);
    }
    if object.is_instance_of::<PyUntypedArray>() {
        let flat = object.call_method0(intern!(object.py(), "ravel"))?;
        return flat.call_method0(intern!(object.py(), "tolist")).map(Some);
    }
    input::list_of_objects(&geometry_column(object)?)
}

fn kind_of_items(items: &Bound<'_, PyAny>, class: &Bound<'_, PyAny>) -> PyResult<Geometries> {
    let mut kind = Geometries::None;
    for item in items.try_iter()? {
        let item = item?;
        if item.is_none() {
            continue;
        }
        let is_first = matches!(kind, Geometries::None);
        kind = match (item.is_instance(class)?, is_first) {
            (true, _) => Geometries::Many,
            (false, true) => return Ok(Geometries::None),
            (false, false) => return Ok(Geometries::Mixed),
        };
    }
    Ok(kind)
}

/// The class of all geometries, if Shapely has been imported.
fn class(py: Python<'_>) -> PyResult<Option<Bound<'_, PyAny>>> {
    let modules = py
        .import(intern!(py, "sys"))?
        .getattr(intern!(py, "modules"))?
        .cast_into::<PyDict>()?;
    match modules.get_item(intern!(py, "shapely"))? {
        Some(shapely) => shapely.getattr_opt(intern!(py, "Geometry")),
        None => Ok(None),
    }
}

/// The geometry of a GeoDataFrame; of anything else, itself.
fn geometry_column<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = object.py();
    if !numbers::is_list(object)
        && !object.is_instance_of::<PyUntypedArray>()
        && object.hasattr(intern!(py, "crs"))?
        && let Some(geometry) = object.getattr_opt(intern!(py, "geometry"))?
    {
        return Ok(geometry);
    }
    Ok(object.clone())
}

/// Whether an object is a geometry.
pub(crate) fn is_geometry(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    match class(object.py())? {
        Some(class) => object.is_instance(&class),
        None => Ok(false),
    }
}

/// The rows of many geometries along one axis, not examined yet.
pub(crate) fn read_column(name: &str, object: &Bound<'_, PyAny>, drop_z: bool) -> PyResult<Column> {
    if let Ok(array) = object.cast::<PyUntypedArray>()
        && array.ndim() != 1
    {
        let shape = numbers::tuple(array.shape());
        return Err(PyValueError::new_err(format!(
            "{name}: expected a sequence of polygons, got an array of shape {shape}"
        )));
    }
    read(name, object, drop_z)
}

/// The rows of a geometry or of many, not examined yet.
pub(crate) fn read(name: &str, object: &Bound<'_, PyAny>, drop_z: bool) -> PyResult<Column> {
    let py = object.py();
    let (coords, rings, polygons): (Bound<'_, PyAny>, Bound<'_, PyAny>, Bound<'_, PyAny>) = py
        .import(intern!(py, "carom.interop.shapely"))?
        .call_method1("ragged", (name, geometry_column(object)?, drop_z))?
        .extract()?;
    Polygons::ragged_of(&coords, &rings, Some(&polygons))
}

/// Refuses arguments that have coordinate reference systems, and different ones.
pub(crate) fn refuse_different_crs(
    [(name, object), (other_name, other)]: [(&str, &Bound<'_, PyAny>); 2],
) -> PyResult<()> {
    if let Some(one) = crs(object)?
        && let Some(two) = crs(other)?
        && !one.is(&two)
        && !one.eq(&two)?
    {
        return Err(PyValueError::new_err(format!(
            "{name} has the CRS {one} and {other_name} the CRS {two}; bring them into one with \
             to_crs()"
        )));
    }
    Ok(())
}

fn crs<'py>(object: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    if numbers::is_list(object)
        || object.is_instance_of::<PyUntypedArray>()
        || object.is_instance_of::<Polygons>()
    {
        return Ok(None);
    }
    let crs = object.getattr_opt(intern!(object.py(), "crs"))?;
    Ok(crs.filter(|crs| !crs.is_none()))
}
