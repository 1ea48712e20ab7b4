//! How a column is made: the constructor and the static methods of `Shapes`. The file is
//! long because of its docstrings.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::{Shapes, constructor_arguments, from_sequence};
use crate::batch::{Column, OnInvalid, Validation};
use crate::python::input::input_error::{self, Place};
use crate::python::input::keywords::Keywords;
use crate::python::readers::shape_input::{self, Input};
use crate::python::{
    arrow, crs,
    input::errors,
    interruptible,
    readers::{from_ragged, shapely_reader},
};
use crate::shape::ShapeKind;

#[pymethods]
impl Shapes {
    #[new]
    #[pyo3(
        signature = (shapes, **keywords),
        text_signature = "(shapes, *, check=True, on_invalid='raise')"
    )]
    fn new(shapes: &Bound<'_, PyAny>, keywords: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let how = examination("Shapes", keywords)?;
        match shape_input::classify(shapes)? {
            Input::Column(column)
                if how.validation == Validation::Trust || column.is_validated() =>
            {
                Ok(Self(column))
            }
            input => {
                let rows = from_sequence::sequence("shapes", input, how.on_invalid, true)?;
                Self::examined("shapes", shapes.py(), rows, how.validation).map(Self)
            }
        }
    }

    /// A column of polygons from one array of vertices and where its rings and polygons start.
    ///
    /// The arrays are those that `shapely.to_ragged_array` gives.
    ///
    /// Parameters
    /// ----------
    /// coords : array_like, shape (C, 2)
    ///     All vertices, ring after ring. A read-only array is shared, as by `Shapes` itself;
    ///     others are copied.
    /// ring_offsets : array_like of int, shape (R + 1,)
    ///     Where each ring starts in `coords`, and where the last ends.
    /// polygon_offsets : array_like of int, shape (N + 1,), optional
    ///     Where each polygon starts among the rings, its shell first, and where the last ends;
    ///     one ring each, by default.
    /// shape_offsets : array_like of int, shape (M + 1,), optional
    ///     Where each row starts among the polygons, and where the last ends; one polygon each, by
    ///     default. Rows of several polygons are multipolygons.
    /// check : bool, default True
    ///     False skips the validation of shapes that are known to be valid.
    /// on_invalid : {'raise', 'mask'}, default 'raise'
    ///     Whether the first invalid row is an error, or invalid rows are missing, as in `Shapes`.
    ///
    /// Returns
    /// -------
    /// Shapes
    ///     The column; a polygon without rings, or whose ring is empty, is missing.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If the offsets don't rise from 0 to the length of what they divide, or a row is not a
    ///     valid polygon.
    /// TypeError
    ///     If `coords` does not consist of numbers, or offsets are not integers.
    ///
    /// Examples
    /// --------
    /// A square with a hole, and a triangle:
    ///
    /// >>> import carom
    /// >>> coords = [(0, 0), (4, 0), (4, 4), (0, 4), (1, 1), (2, 1), (1, 2), (5, 0), (6, 0), (5, 1)]
    /// >>> column = carom.Shapes.from_ragged(coords, [0, 4, 7, 10], [0, 2, 3])
    /// >>> column.area
    /// array([15.5,  0.5])
    #[staticmethod]
    #[pyo3(signature = (
        coords, ring_offsets, polygon_offsets = None, shape_offsets = None, **keywords
    ), text_signature = "(coords, ring_offsets, polygon_offsets=None, shape_offsets=None, *, check=True, on_invalid='raise')")]
    fn from_ragged(
        coords: &Bound<'_, PyAny>,
        ring_offsets: &Bound<'_, PyAny>,
        polygon_offsets: Option<&Bound<'_, PyAny>>,
        shape_offsets: Option<&Bound<'_, PyAny>>,
        keywords: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let how = examination("Shapes.from_ragged", keywords)?;
        let levels = [polygon_offsets, shape_offsets];
        let column = from_ragged::shapes(coords, ring_offsets, levels, how.on_invalid)?;
        Self::examined("shapes", coords.py(), column, how.validation).map(Self)
    }

    /// A column of Shapely's geometries.
    ///
    /// Batch functions take Shapely's geometries too, and validate them at each call; a column once.
    ///
    /// Parameters
    /// ----------
    /// geoms : sequence of shapely.Geometry, or GeoSeries, or GeoDataFrame
    ///     The geometries, in an array, a list or a series; of a GeoDataFrame its geometry. None and
    ///     empty geometries of any type are missing rows. A LinearRing is a path.
    /// drop_z : bool, default False
    ///     Whether Z and M coordinates are left out; else geometries that have them are refused.
    /// check : bool, default True
    ///     False skips the validation of shapes that are known to be valid.
    /// on_invalid : {'raise', 'mask'}, default 'raise'
    ///     Whether the first invalid row is an error, or invalid rows are missing, as in `Shapes`.
    ///
    /// Returns
    /// -------
    /// Shapes
    ///     The column, with the given rings without closing vertices.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If a row is not valid, has an empty part, or has Z.
    /// TypeError
    ///     If a row is a GeometryCollection that is not empty, which ``explode()`` of GeoPandas and
    ///     ``shapely.get_parts`` take apart, or is not a geometry.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> import shapely
    /// >>> column = carom.Shapes.from_shapely([shapely.box(0, 0, 1, 1), None])
    /// >>> column
    /// Shapes(<2 shapes, 1 missing, 4 vertices>)
    /// >>> carom.intersects_batch(column, shapely.box(1, 0, 2, 1))
    /// array([ True, False])
    #[staticmethod]
    #[pyo3(
        signature = (geoms, **keywords),
        text_signature = "(geoms, *, drop_z=False, check=True, on_invalid='raise')"
    )]
    fn from_shapely(
        geoms: &Bound<'_, PyAny>,
        keywords: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let how = examination("Shapes.from_shapely", keywords)?;
        if let Some(class) = shape_input::geometry_class(geoms.py())?
            && geoms.is_instance(&class)?
        {
            return Err(from_sequence::single_geometry("geoms"));
        }
        let rows = shape_input::geometry_column(geoms)?;
        let column = shapely_reader::read_column("geoms", &rows, how.drop_z, how.on_invalid)?;
        Self::examined("geoms", geoms.py(), column, how.validation).map(Self)
    }

    /// A column of the shapes in Arrow data: an array, a table, or what else exports either.
    ///
    /// GeoArrow's types of points, lines and polygons are taken, one or several per row, its unions and its boxes, which
    /// are polygons here; WKB of ISO or PostGIS; of each in one chunk or many, encoded by a dictionary or by runs, or as
    /// views. Lists of coordinates without an extension name are told apart by the names of the lists, by the encoding
    /// that GeoParquet states, or by `kind`, and else refused. Interleaved float64 coordinates in one chunk are not
    /// copied. If their memory belongs to a NumPy array, that must not be written any more.
    ///
    /// Parameters
    /// ----------
    /// obj : object with ``__arrow_c_array__`` or ``__arrow_c_stream__``
    ///     The shapes: an array or a chunked one, or a table, record batch, reader or relation of pyarrow, DuckDB, SedonaDB,
    ///     polars or GeoPandas' ``to_arrow()``. Null rows and empty shapes are missing, as are points whose coordinates
    ///     are all NaN and boxes whose least x or y is above the greatest.
    /// column : str, optional
    ///     The column of a table; by default GeoParquet's primary column, or else the one whose type has the name of
    ///     shapes.
    /// kind : str, optional
    ///     What the rows are, one of `carom.KINDS` or "box", where the data leave it open.
    /// check : bool, default True
    ///     False skips the validation of shapes that are known to be valid.
    /// on_invalid : {'raise', 'mask'}, default 'raise'
    ///     Whether the first invalid row is an error, or invalid rows are missing, as in `Shapes`.
    /// drop_z : bool, default False
    ///     Whether Z and M coordinates are left out; else rows that have one are invalid. A NaN is none.
    ///
    /// Returns
    /// -------
    /// Shapes
    ///     The column; its `crs` is what the metadata, the SRIDs of the rows or GeoParquet state.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If a row is not valid, a part, ring or vertex is null, or coordinates have Z; if a table has no or several
    ///     columns of shapes, or none of the name; if the kind is open, or `kind` contradicts the data; if rows have
    ///     different reference systems; if edges are not straight in the plane; if structures contradict themselves.
    /// TypeError
    ///     If the object doesn't export Arrow data, or its type is WKT or is not one of shapes.
    /// ImportError
    ///     If a row is WKB of something else than a shape, and Shapely, which says what it is, is not installed.
    ///
    /// See Also
    /// --------
    /// to_wkb : the way back.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> column = carom.Shapes([[(0, 0), (1, 0), (0, 1)], None])
    /// >>> carom.Shapes.from_arrow(column) == column
    /// True
    #[staticmethod]
    #[pyo3(
        signature = (obj, **keywords),
        text_signature = "(obj, *, column=None, kind=None, check=True, on_invalid='raise', drop_z=False)"
    )]
    fn from_arrow(obj: &Bound<'_, PyAny>, keywords: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let how = examination("Shapes.from_arrow", keywords)?;
        from_sequence::refuse_geometries("obj", obj)?;
        let request = arrow::Request {
            column: how.column.as_deref(),
            kind: how.kind,
            drop_z: how.drop_z,
            on_invalid: how.on_invalid,
        };
        let column = arrow::read("obj", obj, request)?;
        Self::examined("obj", obj.py(), column, how.validation).map(Self)
    }

    /// The rows of several columns as one.
    ///
    /// Parameters
    /// ----------
    /// columns : sequence of Shapes
    ///     The columns, whose rows follow each other.
    ///
    /// Returns
    /// -------
    /// Shapes
    ///     The column, with the rows' radii, their `invalid_reason` and the coordinate reference system of the columns
    ///     that have one. The rows are not validated again.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If two columns have different coordinate reference systems.
    /// TypeError
    ///     If `columns` is no sequence of columns.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> points = carom.Shapes.from_points([(0, 0), (1, 0)])
    /// >>> carom.Shapes.concat([points, carom.Shapes([[(0, 0), (1, 0), (0, 1)]]), points[:1]])
    /// Shapes(<4 shapes, 6 vertices: 3 points, 1 polygon>)
    #[staticmethod]
    fn concat(columns: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (py, mut all, mut known) = (columns.py(), Vec::new(), None::<(Place, Arc<str>)>);
        let expected =
            |item: &Bound<'_, PyAny>, name: &Place| errors::not_a(item, name, "a column of Shapes");
        let items = columns
            .try_iter()
            .map_err(|_| errors::not_a(columns, "columns", "a sequence of columns"));
        for (position, item) in items?.enumerate() {
            let (item, name) = (item?, Place::from("columns").row(position));
            let column = Arc::clone(
                &item
                    .cast::<Self>()
                    .map_err(|_| expected(&item, &name))?
                    .get()
                    .0,
            );
            if let Some(own) = column.crs() {
                let (first, of_first) =
                    known.get_or_insert_with(|| (name.clone(), Arc::clone(own)));
                let systems = [Some(Arc::clone(of_first)), Some(Arc::clone(own))];
                crs::common(py, [first, &name], systems)?;
            }
            all.push(column);
        }
        let work = all
            .iter()
            .map(|it| it.len() + it.memory().len())
            .fold(0, usize::saturating_add);
        let column = interruptible::run(py, all, work, None, |columns, threads, control| {
            Column::concat(columns, threads, control)
        })??;
        Ok(Self(Arc::new(column.with_crs(known.map(|(_, crs)| crs)))))
    }

    /// A pickled column; unpickling must not refuse rows that were not validated.
    #[staticmethod]
    #[pyo3(signature = (coords, ring_offsets, polygon_offsets, shape_offsets, attributes, faults, crs = None))]
    fn _restored(
        coords: &Bound<'_, PyAny>,
        ring_offsets: &Bound<'_, PyAny>,
        polygon_offsets: &Bound<'_, PyAny>,
        shape_offsets: Option<&Bound<'_, PyAny>>,
        attributes: Option<(Vec<i8>, Vec<f64>)>,
        faults: Vec<(usize, String)>,
        crs: Option<String>,
    ) -> PyResult<Self> {
        let (kinds, radii) = attributes.unwrap_or_default();
        let levels = [Some(polygon_offsets), shape_offsets];
        let column = from_ragged::shapes(coords, ring_offsets, levels, OnInvalid::Raise)?;
        let mut lengths = [kinds.len(), radii.len()].into_iter();
        if lengths.any(|it| it != 0 && it != column.len()) {
            return Err(input_error::value_error(
                Place::none(),
                "expected as many kinds and radii as rows",
            ));
        }
        let column = column
            .of_kinds(from_ragged::kinds(&kinds)?, radii)
            .with_faults(faults)
            .with_crs(crs.map(Arc::from));
        Self::examined("shapes", coords.py(), column, Validation::Trust).map(Self)
    }

    /// A column of points, or of circles.
    ///
    /// Parameters
    /// ----------
    /// xy : array_like, shape (N, 2)
    ///     The points. A read-only array is shared, as by `Shapes` itself; others are copied.
    /// radius : float or array_like, shape (1,) or (N,), default 0.0
    ///     The radius of all rows or of each; a point with a radius is a circle.
    /// on_invalid : {'raise', 'mask'}, default 'raise'
    ///     Whether a point that is NaN, infinite or masked, or a bad radius, is an error, or such rows are
    ///     missing, as in `Shapes`.
    ///
    /// Returns
    /// -------
    /// Shapes
    ///     The column, whose rows are of the kind "point".
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If a coordinate is NaN or infinite, or a radius is negative, infinite or NaN.
    /// TypeError
    ///     If an argument does not consist of numbers.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> circles = carom.Shapes.from_points([(0, 0), (3, 0)], radius=[1, 2])
    /// >>> carom.colliding_pairs(circles)
    /// array([[0],
    ///        [1]])
    #[staticmethod]
    #[pyo3(
        signature = (xy, radius = None, **keywords),
        text_signature = "(xy, radius=0.0, *, on_invalid='raise')"
    )]
    fn from_points(
        xy: &Bound<'_, PyAny>,
        radius: Option<&Bound<'_, PyAny>>,
        keywords: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let on_invalid = examination("Shapes.from_points", keywords)?.on_invalid;
        let points = constructor_arguments::points(xy, on_invalid)?;
        Self::rounded("xy", xy.py(), points, radius, on_invalid)
    }

    /// A column of segments, or of capsules.
    ///
    /// Parameters
    /// ----------
    /// ends : array_like, shape (N, 2, 2)
    ///     The two ends of each segment.
    /// radius : float or array_like, shape (1,) or (N,), default 0.0
    ///     The radius of all rows or of each; a segment with a radius is a capsule.
    /// on_invalid : {'raise', 'mask'}, default 'raise'
    ///     Whether an end that is NaN, infinite or masked, or a bad radius, is an error, or such rows are
    ///     missing, as in `Shapes`.
    ///
    /// Returns
    /// -------
    /// Shapes
    ///     The column, whose rows are of the kind "path".
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If a coordinate is NaN or infinite, or a radius is negative, infinite or NaN.
    /// TypeError
    ///     If an argument does not consist of numbers.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> capsules = carom.Shapes.from_segments([[(0, 0), (4, 0)], [(5, 0), (5, 3)]], radius=0.5)
    /// >>> carom.intersects(capsules[0], capsules[1])
    /// True
    #[staticmethod]
    #[pyo3(
        signature = (ends, radius = None, **keywords),
        text_signature = "(ends, radius=0.0, *, on_invalid='raise')"
    )]
    fn from_segments(
        ends: &Bound<'_, PyAny>,
        radius: Option<&Bound<'_, PyAny>>,
        keywords: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let on_invalid = examination("Shapes.from_segments", keywords)?.on_invalid;
        let segments = constructor_arguments::segments(ends, on_invalid)?;
        Self::rounded("ends", ends.py(), segments, radius, on_invalid)
    }

    /// A column of open paths, or of rounded ones.
    ///
    /// Parameters
    /// ----------
    /// coords : array_like, shape (C, 2)
    ///     All vertices, path after path.
    /// offsets : array_like of int, shape (N + 1,)
    ///     Where each path starts in `coords`, and where the last ends.
    /// radius : float or array_like, shape (1,) or (N,), default 0.0
    ///     The radius of all rows or of each.
    /// on_invalid : {'raise', 'mask'}, default 'raise'
    ///     Whether the first invalid path or radius is an error, or such rows are missing, as in `Shapes`.
    ///     Bad offsets are an error in both cases.
    ///
    /// Returns
    /// -------
    /// Shapes
    ///     The column, whose rows are of the kind "path"; a path without vertices is missing.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If the offsets don't rise from 0 to the number of vertices, a path has one vertex, a
    ///     coordinate is NaN or infinite, or a radius is negative, infinite or NaN.
    /// TypeError
    ///     If an argument does not consist of numbers.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> paths = carom.Shapes.from_paths([(0, 0), (2, 0), (2, 2), (5, 0), (5, 1)], [0, 3, 5])
    /// >>> carom.distance(paths[0], paths[1]).distance
    /// 3.0
    #[staticmethod]
    #[pyo3(
        signature = (coords, offsets, radius = None, **keywords),
        text_signature = "(coords, offsets, radius=0.0, *, on_invalid='raise')"
    )]
    fn from_paths(
        coords: &Bound<'_, PyAny>,
        offsets: &Bound<'_, PyAny>,
        radius: Option<&Bound<'_, PyAny>>,
        keywords: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let on_invalid = examination("Shapes.from_paths", keywords)?.on_invalid;
        let paths = from_ragged::paths(coords, offsets, on_invalid)?;
        Self::rounded("paths", coords.py(), paths, radius, on_invalid)
    }
}

fn stated(kind: &str) -> PyResult<arrow::Stated> {
    arrow::stated_by_user(kind).ok_or_else(|| {
        let names: Vec<_> = ShapeKind::ALL.iter().map(|kind| kind.name()).collect();
        let names = names.join(", ");
        input_error::value_error(
            "kind",
            format!("expected one of {names}, box, got '{kind}'"),
        )
    })
}

/// How rows are read and examined.
struct Examination {
    on_invalid: OnInvalid,
    validation: Validation,
    drop_z: bool,
    /// The column of a table, and the kind of its shapes.
    column: Option<String>,
    kind: Option<arrow::Stated>,
}

fn examination(function: &str, given: Option<&Bound<'_, PyDict>>) -> PyResult<Examination> {
    let keywords = Keywords::of(function, given)?;
    let on_invalid = keywords.on_invalid()?;
    Ok(Examination {
        on_invalid,
        validation: on_invalid.validation(keywords.boolean("check", true)?),
        drop_z: keywords.boolean("drop_z", false)?,
        column: keywords.text("column")?,
        kind: keywords
            .text("kind")?
            .map(|kind| stated(&kind))
            .transpose()?,
    })
}
