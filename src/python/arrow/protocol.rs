//! Whether an object exports Arrow data.

use pyo3::intern;
use pyo3::prelude::*;

/// Whether an object gives its content as Arrow arrays. Those of pandas do, but hold objects.
pub(crate) fn gives(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    let py = object.py();
    if object.hasattr(intern!(py, "__arrow_c_array__"))? {
        return Ok(true);
    }
    let module = object.get_type().module()?.to_string();
    let is_pandas = matches!(module.split('.').next(), Some("pandas" | "geopandas"));
    Ok(!is_pandas && object.hasattr(intern!(py, "__arrow_c_stream__"))?)
}
