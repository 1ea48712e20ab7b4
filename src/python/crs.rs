//! The coordinate reference systems of columns, which `carom.interop.crs` reads and compares.

use std::sync::Arc;

use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;

use super::input::input_error::{self, Place};
use super::python_calls::call;
use crate::batch::Column;

const MODULE: &str = "carom.interop.crs";

/// What a column keeps of a system given by a user or by another library.
pub(crate) fn text(crs: &Bound<'_, PyAny>) -> PyResult<Option<Arc<str>>> {
    if crs.is_none() {
        return Ok(None);
    }
    let text = call(crs.py(), MODULE, "crs_text", (crs,))?;
    Ok(Some(text.extract::<&str>()?.into()))
}

/// The system of a series or a frame of GeoPandas; `None` of other objects.
pub(crate) fn of_object(object: &Bound<'_, PyAny>) -> PyResult<Option<Arc<str>>> {
    let crs = object.getattr_opt("crs")?;
    crs.map_or(Ok(None), |crs| text(&crs))
}

/// The system of an SRID, which is the number of an EPSG code; `None` if it is 0.
pub(crate) fn of_srid(srid: u32) -> Option<Arc<str>> {
    (srid > 0).then(|| format!("EPSG:{srid}").into())
}

/// The error for two rows of an argument that have these SRIDs.
pub(crate) fn two_srids(name: &str, [(row, srid), (first, of_first)]: [(usize, u32); 2]) -> PyErr {
    let [row, first] = [row, first].map(|row| Place::from(name).row(row));
    input_error::from_python(MODULE, "two_srids", (&row, srid, &first, of_first))
}

/// A system as users get it: PROJJSON as a dict, other text as it is, or None.
pub(crate) fn to_python<'py>(
    py: Python<'py>,
    crs: Option<&Arc<str>>,
) -> PyResult<Bound<'py, PyAny>> {
    match crs {
        Some(text) if text.starts_with('{') => call(py, "json", "loads", (&**text,)),
        Some(text) => (&**text).into_bound_py_any(py),
        None => Ok(py.None().into_bound(py)),
    }
}

/// Refuses two columns that have different systems. The names are those of the arguments.
pub(crate) fn refuse_different(
    py: Python<'_>,
    names: [&str; 2],
    columns: [&Column; 2],
) -> PyResult<()> {
    let names = names.map(Place::from);
    common(
        py,
        names.each_ref(),
        columns.map(|column| column.crs().cloned()),
    )
    .map(drop)
}

/// The system of two things that have the same one, or of the one that has one.
pub(crate) fn common(
    py: Python<'_>,
    names: [&Place; 2],
    systems: [Option<Arc<str>>; 2],
) -> PyResult<Option<Arc<str>>> {
    one_of(py, "refuse_different", names, systems)
}

/// The system of a column of which two parts may state it.
pub(crate) fn agreed(
    py: Python<'_>,
    names: [&Place; 2],
    systems: [Option<Arc<str>>; 2],
) -> PyResult<Option<Arc<str>>> {
    one_of(py, "refuse_contradiction", names, systems)
}

/// The one system of two things, which a function of the module refuses if they differ.
fn one_of(
    py: Python<'_>,
    refuse: &str,
    names: [&Place; 2],
    systems: [Option<Arc<str>>; 2],
) -> PyResult<Option<Arc<str>>> {
    match systems {
        [Some(one), Some(other)] => {
            if one != other {
                let arguments = (&*one, &*other, (names[0], names[1]));
                call(py, MODULE, refuse, arguments)?;
            }
            Ok(Some(one))
        }
        [one, other] => Ok(one.or(other)),
    }
}
