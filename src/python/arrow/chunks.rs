//! The arrays that an object exports over Arrow's PyCapsule interface.

use arrow_schema::{ArrowError, Field};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;

use super::c_import::{self, ImportedArray};
use super::geoarrow::{self, Coordinates};
use crate::python::interruptible;
use crate::python::shapely::{self, Geometries};

/// Arrays of polygons, and how their coordinates lie. Nothing in their buffers is read yet.
type Chunks = (Coordinates, Vec<ImportedArray>);

/// The arrays of polygons that an argument exports.
pub(super) fn import(name: &str, object: &Bound<'_, PyAny>, drop_z: bool) -> PyResult<Chunks> {
    let py = object.py();
    if !matches!(shapely::geometries(object)?, Geometries::None) {
        return Err(PyTypeError::new_err(format!(
            "{name}: expected Arrow data, got Shapely geometries; see Polygons.from_shapely"
        )));
    }
    let importer = Importer { name, drop_z };
    if let Some(export) = object.getattr_opt(intern!(py, "__arrow_c_array__"))? {
        return importer.one_chunk(&export.call0()?);
    }
    if let Some(export) = object.getattr_opt(intern!(py, "__arrow_c_stream__"))? {
        return importer.all_chunks(&export.call0()?);
    }
    Err(PyTypeError::new_err(format!(
        "{name}: expected an object with __arrow_c_array__ or __arrow_c_stream__, got {}",
        object.get_type().qualname()?
    )))
}

struct Importer<'a> {
    name: &'a str,
    drop_z: bool,
}

impl Importer<'_> {
    /// The array in what `__arrow_c_array__` returned.
    fn one_chunk(&self, exported: &Bound<'_, PyAny>) -> PyResult<Chunks> {
        let name = self.name;
        let (schema, array) = exported.extract().map_err(|_| {
            PyTypeError::new_err(format!(
                "{name}: __arrow_c_array__ gave no pair of capsules"
            ))
        })?;
        let field = interruptible::here(|| c_import::field(name, &schema))??;
        let field = field.map_err(|why| self.refused(&why))?;
        let coordinates = self.coordinates(&field)?;
        let array = interruptible::here(|| c_import::array(name, &array, field.data_type()))??;
        Ok((coordinates, vec![array.map_err(|why| self.refused(&why))?]))
    }

    /// The arrays in what `__arrow_c_stream__` returned. The producer may take its time for each,
    /// and may need the interpreter.
    fn all_chunks(&self, exported: &Bound<'_, PyAny>) -> PyResult<Chunks> {
        let (py, name) = (exported.py(), self.name);
        let capsule = exported.cast().map_err(|_| {
            PyTypeError::new_err(format!("{name}: __arrow_c_stream__ gave no capsule"))
        })?;
        let mut stream = c_import::stream(name, capsule)?.map_err(|why| self.refused(&why))?;
        let field = interruptible::here(|| py.detach(|| stream.field()))?;
        let field = field.map_err(|why| self.refused(&why))?;
        let coordinates = self.coordinates(&field)?;
        let mut chunks = Vec::new();
        loop {
            py.check_signals()?;
            let next = interruptible::here(|| py.detach(|| stream.next(field.data_type())))?;
            match next.map_err(|why| self.refused(&why))? {
                Some(chunk) => chunks.push(chunk),
                None => return Ok((coordinates, chunks)),
            }
        }
    }

    fn coordinates(&self, field: &Field) -> PyResult<Coordinates> {
        let name = self.name;
        let coordinates = geoarrow::coordinates(field)
            .map_err(|what| PyTypeError::new_err(format!("{name}: {what}")))?;
        if coordinates.dimensions() > 2 && !self.drop_z {
            return Err(PyValueError::new_err(format!(
                "{name}: the coordinates have Z or M; pass drop_z=True to leave it out"
            )));
        }
        Ok(coordinates)
    }

    fn refused(&self, why: &ArrowError) -> PyErr {
        PyValueError::new_err(format!("{}: {why}", self.name))
    }
}
