//! Where the shapes of an object lie that exports Arrow data: in an array, or in a column of a table.

use std::borrow::Cow;
use std::sync::Arc;

use arrow_array::{Array, ArrayRef};
use arrow_schema::{DataType, Field};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use super::geoarrow::{self, EXTENSION_METADATA, Encoding, Stated};
use super::wkb_arrays::{is_binary, values_of};
use crate::python::buffer::arrow_decoding::{integers, type_of_lists};
use crate::python::buffer::arrow_ffi::{ExportedArray, arrow_field};
use crate::python::buffer::arrow_stream::ArrowStream;
use crate::python::input::input_error::{self, Place};
use crate::python::python_calls::call;
use crate::python::{crs, input::errors, interruptible};

const MODULE: &str = "carom.interop.arrow";

/// The key of GeoParquet's metadata in those of a schema.
const GEO: &str = "geo";

/// The shapes as they are stored.
pub(super) struct Source {
    pub(super) encoding: Encoding,
    pub(super) chunks: Vec<ArrayRef>,
    /// The coordinate reference system that the metadata state.
    pub(super) crs: Option<Arc<str>>,
}

impl Source {
    /// The shapes of an object, in the column of this name if it is a table, which are said to be of this kind.
    pub(super) fn new(
        name: &'static str,
        object: &Bound<'_, PyAny>,
        column: Option<&str>,
        kind: Option<Stated>,
    ) -> PyResult<Self> {
        let py = object.py();
        let (whole, mut arrays) = exported(name, object)?;
        let shapes = ShapesField::of(name, py, &whole, column)?;
        let encoding = geoarrow::encoding(name, &shapes.field, shapes.of_file.as_deref(), kind)?;
        let mut chunks = Vec::new();
        let mut of_rows = SystemOfRows {
            name,
            known: None,
            row: 0,
        };
        while let Some(array) = arrays.next(py)? {
            let import = |path: &[usize]| {
                interruptible::here(|| py.detach(|| array.import(whole.data_type(), path)))?
            };
            let chunk = import(&shapes.path)?;
            if let Some(path) = &shapes.crs_path {
                of_rows.add(py, &chunk, &import(path)?)?;
            }
            chunks.push(chunk);
        }
        let metadata = Place::from(name).within("the type of ");
        let (row, of_rows) = of_rows.known.unzip();
        let names = [row.as_ref().unwrap_or(&metadata), &metadata];
        let crs = crs::agreed(py, names, [of_rows, shapes.crs])?;
        Ok(Self {
            encoding,
            chunks,
            crs,
        })
    }
}

/// The arrays that an object exports. The producer of a stream may take its time for each, and may need the interpreter.
enum Exported {
    One(Option<ExportedArray>),
    Stream(ArrowStream),
}

impl Exported {
    fn next(&mut self, py: Python<'_>) -> PyResult<Option<ExportedArray>> {
        match self {
            Self::One(array) => Ok(array.take()),
            Self::Stream(stream) => {
                py.check_signals()?;
                interruptible::here(|| py.detach(|| stream.next()))?
            }
        }
    }
}

/// The type of what an object exports, and the arrays.
fn exported(name: &'static str, object: &Bound<'_, PyAny>) -> PyResult<(Field, Exported)> {
    let py = object.py();
    if let Some(export) = object.getattr_opt(intern!(py, "__arrow_c_array__"))? {
        let (schema, array) = export.call0()?.extract().map_err(|_| {
            let what = "__arrow_c_array__ gave no pair of capsules";
            input_error::type_error(name, what)
        })?;
        let field = interruptible::here(|| arrow_field(name, &schema))??;
        let array = ExportedArray::new(name, &array)?;
        return Ok((field, Exported::One(Some(array))));
    }
    let Some(export) = object.getattr_opt(intern!(py, "__arrow_c_stream__"))? else {
        let expected = "an object with __arrow_c_array__ or __arrow_c_stream__";
        let why = errors::not_a(object, name, expected);
        for method in ["collect", "to_table", "read_all", "fetch_arrow_table"] {
            if object.hasattr(method)? {
                let advice = format!("; its method {method}() gives one");
                return Err(input_error::with_advice(py, &why, &advice));
            }
        }
        return Err(why);
    };
    let export = export.call0()?;
    let capsule: &Bound<'_, PyCapsule> = export
        .cast()
        .map_err(|_| input_error::type_error(name, "__arrow_c_stream__ gave no capsule"))?;
    let mut stream = ArrowStream::new(name, capsule)?;
    let field = interruptible::here(|| py.detach(|| stream.field()))??;
    Ok((field, Exported::Stream(stream)))
}

/// Which part of the exported arrays are the shapes, and what is said about them.
struct ShapesField {
    /// The path to the shapes through nested structs, and their field.
    path: Vec<usize>,
    field: Field,
    /// The path to a coordinate reference system for each row.
    crs_path: Option<Vec<usize>>,
    /// The encoding that the metadata of GeoParquet state.
    of_file: Option<String>,
    crs: Option<Arc<str>>,
}

impl ShapesField {
    fn of(name: &str, py: Python<'_>, whole: &Field, column: Option<&str>) -> PyResult<Self> {
        let geo = whole.metadata().get(GEO);
        let (mut path, mut field) = (Vec::new(), whole);
        if column.is_some() || is_table(whole) {
            let DataType::Struct(columns) = whole.data_type() else {
                return Err(input_error::value_error(
                    name,
                    "column is given, but the data are not a table",
                ));
            };
            let names: Vec<_> = (columns.iter())
                .map(|it| (it.name().as_str(), geoarrow::is_named(it)))
                .collect();
            let arguments = (name, names, column, geo);
            let position = call(py, MODULE, "chosen_column", arguments)?.extract::<usize>()?;
            path.push(position);
            field = &columns[position];
        }
        let column = (!path.is_empty()).then(|| field.name().as_str());
        let mut metadata = vec![field.metadata().get(EXTENSION_METADATA)];
        let mut crs_path = None;
        if let Some([wkb, crs]) = wkb_and_crs(field) {
            let DataType::Struct(inner) = field.data_type() else {
                unreachable!("a struct")
            };
            crs_path = Some([&path[..], &[crs]].concat());
            path.push(wkb);
            field = &inner[wkb];
            metadata.push(field.metadata().get(EXTENSION_METADATA));
        }
        let metadata = metadata
            .into_iter()
            .flatten()
            .find(|it| !matches!(it.as_str(), "" | "{}"));
        let (mut of_file, mut crs) = (None, None);
        if metadata.is_some() || (geo.is_some() && column.is_some()) {
            let arguments = (name, column, metadata, geo);
            (of_file, crs) = call(py, MODULE, "stated", arguments)?
                .extract::<(Option<String>, Option<String>)>()?;
        }
        // The name and the metadata stay; the type is that of the decoded items.
        let field = field.clone().with_data_type(plain(field.data_type()));
        Ok(Self {
            path,
            field,
            crs_path,
            of_file,
            crs: crs.map(Arc::from),
        })
    }
}

/// The type of the items of dictionaries and runs, and of list views as lists; other types as they are.
fn plain(of: &DataType) -> DataType {
    match of {
        DataType::Dictionary(_, items) => plain(items),
        DataType::RunEndEncoded(_, items) => plain(items.data_type()),
        of => type_of_lists(of),
    }
}

/// Whether a field is that of a table's rows: a struct that is none of coordinates, boxes, or WKB with its system.
fn is_table(field: &Field) -> bool {
    matches!(field.data_type(), DataType::Struct(_))
        && !geoarrow::is_named(field)
        && geoarrow::coordinates(field.data_type()).is_none()
        && !geoarrow::is_box(field.data_type())
        && wkb_and_crs(field).is_none()
}

/// The positions of WKB and of its coordinate reference system in a struct of both, as some libraries have it.
fn wkb_and_crs(field: &Field) -> Option<[usize; 2]> {
    let DataType::Struct(fields) = field.data_type() else {
        return None;
    };
    let position = |names: &[&str]| {
        fields
            .iter()
            .position(|it| names.contains(&it.name().as_str()))
    };
    let found = [
        position(&["wkb_geometry", "wkb", "item"])?,
        position(&["crs", "srid"])?,
    ];
    (fields.len() == 2).then_some(found)
}

/// The systems of rows, which must be one.
struct SystemOfRows {
    name: &'static str,
    known: Option<(Place, Arc<str>)>,
    /// The number of the next row.
    row: usize,
}

impl SystemOfRows {
    /// Adds the systems of an array's rows; those of missing shapes don't count.
    fn add(&mut self, py: Python<'_>, shapes: &ArrayRef, systems: &ArrayRef) -> PyResult<()> {
        let first = self.row;
        self.row += shapes.len();
        let mut last = None;
        for (row, system) in texts(self.name, systems)?.enumerate() {
            if shapes.is_null(row) || system.is_none() || system == last {
                continue;
            }
            let place = Place::from(self.name).row(first + row);
            let own = system.as_deref().map(Arc::from);
            match &self.known {
                None => self.known = own.map(|own| (place, own)),
                Some((first, known)) => {
                    crs::agreed(py, [&place, first], [own, Some(Arc::clone(known))])?;
                }
            }
            last = system;
        }
        Ok(())
    }
}

/// The systems of rows, as text or as SRIDs.
fn texts<'a>(
    name: &str,
    systems: &'a ArrayRef,
) -> PyResult<Box<dyn Iterator<Item = Option<Cow<'a, str>>> + 'a>> {
    if systems.data_type().is_integer() {
        let srids = integers(systems).map_err(errors::internal)?;
        let srids: Vec<_> = srids.iter().collect();
        return Ok(Box::new(srids.into_iter().map(|srid| {
            srid.filter(|&srid| srid > 0)
                .map(|srid| format!("EPSG:{srid}").into())
        })));
    }
    if !is_binary(systems.data_type()) {
        let found = systems.data_type();
        return Err(input_error::type_error(
            name,
            format!("expected text or integers as the reference systems of rows, got {found}"),
        ));
    }
    let text = |bytes: Option<&'a [u8]>| {
        bytes
            .filter(|it| !it.is_empty())
            .map(String::from_utf8_lossy)
    };
    Ok(Box::new(values_of(systems).map(text)))
}
