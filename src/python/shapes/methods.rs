//! The methods of `Shapes`. Most of this long file is their docstrings, which pyo3 takes from one
//! `impl` block.

use std::sync::Arc;

use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods};
use pyo3::IntoPyObjectExt;
use pyo3::basic::CompareOp;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};

use super::{Shapes, reading, rounding};
use crate::batch::affine::moved;
use crate::batch::{Column, OnInvalid, Validation};
use crate::geom::Point;
use crate::python::input::{self, Input};
use crate::python::{affine_arguments, arrow, buffer, keywords, output, ragged, shapely};
use crate::shape::{self, Polygon};

#[pymethods]
impl Shapes {
    #[new]
    #[pyo3(
        signature = (shapes, *, check = true, on_invalid = None),
        text_signature = "(shapes, *, check=True, on_invalid='raise')"
    )]
    fn new(
        shapes: &Bound<'_, PyAny>,
        check: bool,
        on_invalid: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let (on_invalid, validation) = validation(check, on_invalid)?;
        match input::classify(shapes)? {
            Input::Column(column) if !check || column.is_validated() => Ok(Self(column)),
            input => {
                let rows = reading::sequence("shapes", input, on_invalid)?;
                Self::examined("shapes", shapes.py(), rows, validation).map(Self)
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
        coords, ring_offsets, polygon_offsets = None, shape_offsets = None, *,
        check = true, on_invalid = None
    ), text_signature = "(coords, ring_offsets, polygon_offsets=None, shape_offsets=None, *, check=True, on_invalid='raise')")]
    fn from_ragged(
        coords: &Bound<'_, PyAny>,
        ring_offsets: &Bound<'_, PyAny>,
        polygon_offsets: Option<&Bound<'_, PyAny>>,
        shape_offsets: Option<&Bound<'_, PyAny>>,
        check: bool,
        on_invalid: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let (_, validation) = validation(check, on_invalid)?;
        let levels = [polygon_offsets, shape_offsets];
        let column = ragged::shapes(coords, ring_offsets, levels, None)?;
        Self::examined("shapes", coords.py(), column, validation).map(Self)
    }

    /// A column of Shapely's geometries.
    ///
    /// Batch functions take Shapely's geometries too, and validate them at each call; a column once.
    ///
    /// Parameters
    /// ----------
    /// geoms : sequence of shapely.Geometry, or GeoSeries, or GeoDataFrame
    ///     The geometries, in an array, a list or a series; of a GeoDataFrame its geometry. None and
    ///     empty geometries are missing rows. A LinearRing is a path.
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
    ///     If a row is a GeometryCollection, which ``explode()`` of GeoPandas and
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
        signature = (geoms, *, drop_z = false, check = true, on_invalid = None),
        text_signature = "(geoms, *, drop_z=False, check=True, on_invalid='raise')"
    )]
    fn from_shapely(
        geoms: &Bound<'_, PyAny>,
        drop_z: bool,
        check: bool,
        on_invalid: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let (on_invalid, validation) = validation(check, on_invalid)?;
        if let Some(class) = input::geometry_class(geoms.py())?
            && geoms.is_instance(&class)?
        {
            return Err(reading::single_geometry("geoms"));
        }
        let rows = input::geometry_column(geoms)?;
        let column = shapely::read_column("geoms", &rows, drop_z, on_invalid)?;
        Self::examined("geoms", geoms.py(), column, validation).map(Self)
    }

    /// The rows as Shapely's geometries.
    ///
    /// Returns
    /// -------
    /// ndarray of object, shape (N,)
    ///     A geometry for each row, with the same coordinates and without the radius; None where it is
    ///     missing.
    ///
    /// Raises
    /// ------
    /// ImportError
    ///     If Shapely is not installed.
    /// ValueError
    ///     If Shapely can't represent an unchecked row: a ring of fewer than three vertices, or one
    ///     that begins with NaN.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> carom.Shapes([[(0, 0), (1, 0), (0, 1)], None]).to_shapely()
    /// array([<POLYGON ((0 0, 1 0, 0 1, 0 0))>, None], dtype=object)
    fn to_shapely<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        output::call(this.py(), "carom.interop.shapely", "geometries", (this,))
    }

    /// A column of the shapes in an Arrow array.
    ///
    /// Arrays of GeoArrow's types of points, lines and polygons are taken, one or several per row, in
    /// one chunk or many; plain lists of coordinates as polygons if two deep, as multipolygons if
    /// three deep; and WKB, which Shapely reads. Interleaved float64 coordinates in one chunk are not
    /// copied. If their memory belongs to a NumPy array, that must not be written any more.
    ///
    /// Parameters
    /// ----------
    /// obj : object with ``__arrow_c_array__`` or ``__arrow_c_stream__``
    ///     The shapes: of pyarrow an array or a table's column, of GeoPandas ``to_arrow()``. Null rows
    ///     are missing, and so are points whose coordinates are NaN.
    /// drop_z : bool, default False
    ///     Whether Z and M coordinates are left out; else they are refused.
    /// check : bool, default True
    ///     False skips the validation of shapes that are known to be valid.
    /// on_invalid : {'raise', 'mask'}, default 'raise'
    ///     Whether the first invalid row is an error, or invalid rows are missing, as in `Shapes`.
    ///
    /// Returns
    /// -------
    /// Shapes
    ///     The column.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If a row is not valid, a part, ring or vertex is null, or coordinates have Z.
    /// TypeError
    ///     If the object doesn't export Arrow data, or its type is WKT, is not one of shapes, or is
    ///     ambiguous: points and paths need the name of their extension type.
    /// ImportError
    ///     If the data are WKB and Shapely is not installed.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> column = carom.Shapes([[(0, 0), (1, 0), (0, 1)], None])
    /// >>> carom.Shapes.from_arrow(column) == column
    /// True
    #[staticmethod]
    #[pyo3(
        signature = (obj, *, drop_z = false, check = true, on_invalid = None),
        text_signature = "(obj, *, drop_z=False, check=True, on_invalid='raise')"
    )]
    fn from_arrow(
        obj: &Bound<'_, PyAny>,
        drop_z: bool,
        check: bool,
        on_invalid: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let (on_invalid, validation) = validation(check, on_invalid)?;
        reading::refuse_geometries("obj", obj)?;
        let column = arrow::read("obj", obj, drop_z, on_invalid)?;
        Self::examined("obj", obj.py(), column, validation).map(Self)
    }

    /// The type of `__arrow_c_array__`: GeoArrow's type of the rows, with interleaved coordinates.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        arrow::schema(py, &self.0)
    }

    /// The rows as a GeoArrow array of the type of their kind; polygons with multipolygons, paths with
    /// multipaths and points with multipoints as several, other mixtures as WKB. A row with a radius
    /// raises ValueError. Of a requested schema, only separated coordinates are respected.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
        arrow::array(py, &self.0, requested_schema)
    }

    /// The rows as a stream of one GeoArrow array.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        arrow::stream(py, &self.0, requested_schema)
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __getitem__(&self, py: Python<'_>, key: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.item(py, key)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let memory = buffer::column_array(py, &self.0, Column::memory)?;
        let rows = (0..self.0.len()).map(|row| self.row(&memory, row));
        let rows: Vec<_> = rows.collect::<PyResult<_>>()?;
        Ok(rows.into_bound_py_any(py)?.try_iter()?.into_any())
    }

    fn __richcmp__(
        &self,
        py: Python<'_>,
        other: &Bound<'_, PyAny>,
        comparison: CompareOp,
    ) -> PyResult<Py<PyAny>> {
        let Ok(other) = other.cast::<Self>() else {
            return Ok(py.NotImplemented());
        };
        match comparison {
            CompareOp::Eq => (self.0 == other.get().0).into_py_any(py),
            CompareOp::Ne => (self.0 != other.get().0).into_py_any(py),
            _ => Ok(py.NotImplemented()),
        }
    }

    #[classattr]
    const __hash__: Option<Py<PyAny>> = None;

    fn __repr__(&self) -> String {
        let missing = match self.0.missing() {
            0 => String::new(),
            count => format!(", {count} missing"),
        };
        let plural = if self.0.len() == 1 { "" } else { "s" };
        let (shapes, vertices) = (self.0.len(), self.0.vertices());
        format!("Shapes(<{shapes} shape{plural}{missing}, {vertices} vertices>)")
    }

    /// A picture of a column that has few vertices, else None: for notebooks.
    fn _repr_svg_<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        output::notebook_display(this.as_any(), "shapes_svg")
    }

    /// A table of the first and last rows of a column that has no picture: for notebooks.
    fn _repr_html_<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        output::notebook_display(this.as_any(), "shapes_html")
    }

    fn __reduce__<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let (py, column) = (this.py(), this.get());
        let levels = column.offsets(py)?;
        let level = |level| levels.get_item(level).ok();
        let state = (
            buffer::column_array(py, &column.0, Column::coords)?,
            level(0),
            level(1),
            level(2),
            (!column.0.are_plain()).then(|| (column.kind(py), column.radius(py))),
            (0..column.0.len())
                .filter_map(|row| Some((row, column.0.fault(row)?)))
                .collect::<Vec<_>>(),
        );
        let make = this.get_type().getattr("_restored")?;
        (make, state).into_bound_py_any(py)
    }

    /// A pickled column; unpickling must not refuse rows that were not validated.
    #[staticmethod]
    fn _restored(
        coords: &Bound<'_, PyAny>,
        ring_offsets: &Bound<'_, PyAny>,
        polygon_offsets: &Bound<'_, PyAny>,
        shape_offsets: Option<&Bound<'_, PyAny>>,
        attributes: Option<(Vec<i8>, Vec<f64>)>,
        faults: Vec<(usize, String)>,
    ) -> PyResult<Self> {
        let (kinds, radii) = attributes.unwrap_or_default();
        let kinds = ragged::kinds(&kinds)?;
        let levels = [Some(polygon_offsets), shape_offsets];
        let column = ragged::shapes(coords, ring_offsets, levels, Some((kinds, radii)))?;
        let column = column.with_faults(faults);
        Self::examined("shapes", coords.py(), column, Validation::Trust).map(Self)
    }

    fn __copy__(this: Bound<'_, Self>) -> Bound<'_, Self> {
        this
    }

    fn __deepcopy__<'py>(this: Bound<'py, Self>, memo: &Bound<'py, PyAny>) -> Bound<'py, Self> {
        let _ = memo;
        this
    }

    /// All vertices, ring after ring, without closing ones: a read-only array of shape (C, 2).
    ///
    /// A view of the column's memory if the rows are stored in order and without closing vertices;
    /// otherwise a copy that is made on first use, and kept.
    #[getter]
    fn coords<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        buffer::column_array(py, &self.0, Column::coords)
    }

    /// The pair (ring_offsets, polygon_offsets): where rings start in `coords`, and where polygons
    /// start among the rings; each with its end as a last item. Read-only arrays of int64.
    ///
    /// If a row is a multipolygon, a third array follows: where rows start among the polygons. Each path
    /// and each point is a ring, and all of a row count as one polygon.
    #[getter]
    fn offsets<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let array = |offsets: &Vec<usize>| {
            let offsets = offsets.iter().map(|&offset| offset.cast_signed() as i64);
            read_only(PyArray1::from_iter(py, offsets).into_any())
        };
        let offsets = self.0.offsets();
        let levels = [
            Some(&offsets.rings),
            offsets.polygons.as_ref(),
            offsets.shapes.as_ref(),
        ];
        let arrays = levels.into_iter().flatten().map(array);
        PyTuple::new(py, arrays.collect::<PyResult<Vec<_>>>()?)
    }

    /// What each row is, shape (N,), int8: an index into `carom.KINDS`, -1 where missing.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> column = carom.Shapes.from_points([(0, 0), (1, 0)])
    /// >>> column.kind
    /// array([0, 0], dtype=int8)
    /// >>> carom.KINDS[column.kind[0]]
    /// 'point'
    #[getter]
    fn kind<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i8>> {
        let kind = |row| self.0.kind(row).map_or(-1, |kind| kind as i8);
        PyArray1::from_iter(py, (0..self.0.len()).map(kind))
    }

    /// The radius of each row, shape (N,); 0 for shapes without.
    #[getter]
    fn radius<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        let radius = |row| self.0.radius(row);
        PyArray1::from_iter(py, (0..self.0.len()).map(radius))
    }

    /// Whether each row is a valid shape or missing, shape (N,): False for those that
    /// ``on_invalid="mask"`` made missing.
    #[getter]
    fn is_valid<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        let is_valid = |row| self.0.fault(row).is_none();
        PyArray1::from_iter(py, (0..self.0.len()).map(is_valid))
    }

    /// What is wrong with each row, an array of object, shape (N,): None for valid and missing rows,
    /// and a sentence for those that ``on_invalid="mask"`` made missing.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> bow = [(0, 0), (1, 1), (1, 0), (0, 1)]
    /// >>> column = carom.Shapes([bow, None], on_invalid="mask")
    /// >>> column.is_valid
    /// array([False,  True])
    /// >>> column.invalid_reason[0]
    /// 'the ring meets itself: edge 0 and edge 2 have the point (0.5, 0.5) in common'
    #[getter]
    fn invalid_reason<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let reasons = output::call(py, "numpy", "full", (self.0.len(), py.None(), "object"))?;
        for row in 0..self.0.len() {
            if let Some(why) = self.0.fault(row) {
                reasons.set_item(row, why)?;
            }
        }
        Ok(reasons)
    }

    /// The same shapes with other radii: the sets of all points within that distance of them.
    ///
    /// Parameters
    /// ----------
    /// radius : float or array_like, shape (N,)
    ///     The radius of all rows or of each, in the unit of the coordinates; it replaces the radius
    ///     that a row has.
    ///
    /// Returns
    /// -------
    /// Shapes
    ///     The column, which shares the vertices.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If a radius is negative, infinite or NaN, or there are not as many as rows.
    /// TypeError
    ///     If `radius` does not consist of numbers.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> capsule = carom.Shapes.from_segments([[(0, 0), (4, 0)]]).with_radius(0.5)
    /// >>> capsule.bounds
    /// array([[-0.5, -0.5,  4.5,  0.5]])
    fn with_radius(&self, radius: &Bound<'_, PyAny>) -> PyResult<Self> {
        let radii = rounding::radii(radius, self.0.len())?;
        let column = self.run(radius.py(), move |column, threads| {
            column.with_radius(&radii, threads)
        })?;
        Ok(Self(Arc::new(column)))
    }

    /// A column of points, or of circles.
    ///
    /// Parameters
    /// ----------
    /// xy : array_like, shape (N, 2)
    ///     The points. A read-only array is shared, as by `Shapes` itself; others are copied.
    /// radius : float or array_like, shape (N,), default 0.0
    ///     The radius of all rows or of each; a point with a radius is a circle.
    ///
    /// Returns
    /// -------
    /// Shapes
    ///     The column, whose rows are of the kind "point".
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If a coordinate is NaN or infinite, or a radius is not finite or negative.
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
    #[pyo3(signature = (xy, radius = None), text_signature = "(xy, radius=0.0)")]
    fn from_points(xy: &Bound<'_, PyAny>, radius: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let py = xy.py();
        Self::rounded("xy", py, rounding::points(xy)?, radius)
    }

    /// A column of segments, or of capsules.
    ///
    /// Parameters
    /// ----------
    /// ends : array_like, shape (N, 2, 2)
    ///     The two ends of each segment.
    /// radius : float or array_like, shape (N,), default 0.0
    ///     The radius of all rows or of each; a segment with a radius is a capsule.
    ///
    /// Returns
    /// -------
    /// Shapes
    ///     The column, whose rows are of the kind "path".
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If a coordinate is NaN or infinite, or a radius is not finite or negative.
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
    #[pyo3(signature = (ends, radius = None), text_signature = "(ends, radius=0.0)")]
    fn from_segments(ends: &Bound<'_, PyAny>, radius: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let py = ends.py();
        Self::rounded("ends", py, rounding::segments(ends)?, radius)
    }

    /// A column of open paths, or of rounded ones.
    ///
    /// Parameters
    /// ----------
    /// coords : array_like, shape (C, 2)
    ///     All vertices, path after path.
    /// offsets : array_like of int, shape (N + 1,)
    ///     Where each path starts in `coords`, and where the last ends.
    /// radius : float or array_like, shape (N,), default 0.0
    ///     The radius of all rows or of each.
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
    ///     coordinate is NaN or infinite, or a radius is not finite or negative.
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
        signature = (coords, offsets, radius = None),
        text_signature = "(coords, offsets, radius=0.0)"
    )]
    fn from_paths(
        coords: &Bound<'_, PyAny>,
        offsets: &Bound<'_, PyAny>,
        radius: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let py = coords.py();
        Self::rounded("paths", py, ragged::paths(coords, offsets)?, radius)
    }

    /// Least x, least y, greatest x and greatest y of each row, shape (N, 4); NaN where missing.
    #[getter]
    fn bounds<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let numbers = |column: &Column, row| match column.bounds(row) {
            bounds if bounds.is_empty() => [f64::NAN; 4],
            bounds => bounds.numbers(),
        };
        let bounds = self.run(py, move |column, _| {
            let rows = 0..column.len();
            rows.flat_map(|row| numbers(column, row))
                .collect::<Vec<_>>()
        })?;
        bounds.into_pyarray(py).reshape([self.0.len(), 4])
    }

    /// Whether each row is convex, up to rounding; False where missing.
    #[getter]
    fn is_convex<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let is_convex = |polygon: Option<Polygon<'_>>| polygon.is_some_and(|it| it.is_convex());
        self.each(py, is_convex)
    }

    /// The area of each row without its holes and its radius, shape (N,); NaN where missing.
    ///
    /// The relative error is at most 1e-12, also of slivers and far from the origin.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> carom.Shapes([[(0, 0), (4, 0), (4, 3)], None]).area
    /// array([ 6., nan])
    #[getter]
    fn area<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let area = |row: Option<Polygon<'_>>| row.map_or(f64::NAN, |it| shape::area(&it));
        self.each(py, area)
    }

    /// The centroid of each row without its holes and its radius, shape (N, 2); NaN where missing.
    ///
    /// That of paths is weighted by length, that of points is their mean.
    ///
    /// The error is at most one unit in the last place of the coordinates plus 1e-12 of the longer
    /// side of the bounding box.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> carom.Shapes([[(0, 0), (3, 0), (0, 3)], None]).centroid
    /// array([[ 1.,  1.],
    ///        [nan, nan]])
    #[getter]
    fn centroid<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let centroid = |row: Option<Polygon<'_>>| {
            let Point { x, y } = row.map_or(Point::NAN, |it| shape::centroid(&it));
            [x, y]
        };
        let centroids = self.run(py, move |column, threads| column.each(threads, centroid))?;
        let numbers = centroids.into_flattened().into_pyarray(py);
        numbers.reshape([self.0.len(), 2])
    }

    /// How many bytes of memory the column holds.
    ///
    /// They are coordinates, offsets, row properties, and what was computed on first use: by `coords`
    /// and `offsets`, and by batches, which keep a bounding box for each row.
    ///
    /// Shared memory counts in each column: a slice has the size of the whole column. A pickled
    /// copy has its own rows only.
    ///
    /// Examples
    /// --------
    /// For each quad four vertices, and one number of 4 bytes:
    ///
    /// >>> import carom
    /// >>> import numpy as np
    /// >>> column = carom.Shapes(np.array([[(0, 0), (1, 0), (1, 1), (0, 1)]] * 1000))
    /// >>> column.nbytes
    /// 68000
    /// >>> column[:10].nbytes
    /// 68000
    #[getter]
    fn nbytes(&self) -> usize {
        self.0.nbytes()
    }

    /// A column of the shapes, translated by one offset each or all by the same.
    ///
    /// Parameters
    /// ----------
    /// offset : array_like, shape (2,) or (N, 2)
    ///     How far to move, along x and y.
    ///
    /// Returns
    /// -------
    /// Shapes
    ///     The moved shapes, with their radii; missing rows stay missing.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If an offset is NaN or infinite, or a moved row is no longer valid.
    /// TypeError
    ///     If `offset` does not consist of numbers.
    ///
    /// See Also
    /// --------
    /// swept_collision_batch : takes displacements without rounding.
    /// affine_transform : also rotates and scales.
    ///
    /// Notes
    /// -----
    /// Each coordinate is rounded to the nearest float64. Rounding can make a ring cross itself or a
    /// hole cross its shell, so all rows are validated again.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> column = carom.Shapes([[(0, 0), (1, 0), (0, 1)], None])
    /// >>> column.translate((10, 0)).bounds
    /// array([[10.,  0., 11.,  1.],
    ///        [nan, nan, nan, nan]])
    ///
    /// Far from the origin, rounding moves all vertices to one line:
    ///
    /// >>> column.translate((1e17, 0))
    /// Traceback (most recent call last):
    /// ValueError: shapes[0]: all vertices lie on one line: the area is zero
    #[pyo3(signature = (offset))]
    fn translate(&self, offset: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = offset.py();
        let moves = affine_arguments::offsets(offset, self.0.len())?;
        let moved = self.run(py, move |column, _| {
            column.mapped(|row, point| moved(point, moves[row % moves.len()]))
        })?;
        Self::examined("shapes", py, moved, Validation::Raise).map(Self)
    }

    /// A column of the shapes' images under an affine map.
    ///
    /// Parameters
    /// ----------
    /// matrix : array_like, shape (6,) or (2, 3)
    ///     The map `x' = a x + b y + xoff`, `y' = d x + e y + yoff`: as `[a, b, d, e, xoff, yoff]`,
    ///     the order of `shapely.affinity.affine_transform`, or as `[[a, b, xoff], [d, e, yoff]]`,
    ///     the upper rows of a homogeneous matrix.
    ///
    /// Returns
    /// -------
    /// Shapes
    ///     The images; missing rows stay missing. Radii are scaled by the map.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If a number is NaN or infinite, if the map is singular (decided exactly), if an image is
    ///     not valid, or if rows have a radius and the map is not a similarity: a rotation or
    ///     reflection, scaled and translated.
    /// TypeError
    ///     If `matrix` does not consist of numbers.
    ///
    /// See Also
    /// --------
    /// translate : translates each row by its own offset.
    /// place : one footprint at many poses.
    ///
    /// Notes
    /// -----
    /// Products and sums are rounded to float64 one by one, from the left, so the images are the
    /// same on every processor. All rows are validated again.
    ///
    /// Examples
    /// --------
    /// A rotation by a quarter turn, and a translation by 5 along x:
    ///
    /// >>> import carom
    /// >>> column = carom.Shapes([[(0, 0), (2, 0), (0, 1)]])
    /// >>> column.affine_transform([[0, -1, 5], [1, 0, 0]])[0]
    /// array([[5., 0.],
    ///        [5., 2.],
    ///        [4., 0.]])
    /// >>> column.affine_transform([0, -1, 1, 0, 5, 0]).area
    /// array([1.])
    #[pyo3(signature = (matrix))]
    fn affine_transform(&self, matrix: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = matrix.py();
        let map = affine_arguments::affine(matrix)?;
        let radii: Vec<f64> = (0..self.0.len()).map(|row| self.0.radius(row)).collect();
        let is_rounded = radii.iter().any(|&radius| radius != 0.0);
        let radii = is_rounded.then(|| affine_arguments::scaled(&map, &radii));
        let radii = radii.transpose()?;
        let images = self.run(py, move |column, threads| {
            let images = column.mapped(|_, point| map.image(point));
            match radii {
                Some(radii) => images.with_radius(&radii, threads),
                None => images,
            }
        })?;
        Self::examined("shapes", py, images, Validation::Raise).map(Self)
    }
}

/// How rows are read and examined, by the keywords of the constructors.
fn validation(
    check: bool,
    on_invalid: Option<&Bound<'_, PyAny>>,
) -> PyResult<(OnInvalid, Validation)> {
    let on_invalid = on_invalid.map_or(Ok(OnInvalid::Raise), keywords::on_invalid)?;
    let validation = match on_invalid {
        _ if !check => Validation::Trust,
        OnInvalid::Mask => Validation::Mask,
        OnInvalid::Raise => Validation::Raise,
    };
    Ok((on_invalid, validation))
}

fn read_only(array: Bound<'_, PyAny>) -> PyResult<Bound<'_, PyAny>> {
    array.call_method1("setflags", (false,))?;
    Ok(array)
}
