//! The methods of `Shapes`. The file is long because of its docstrings.

use std::sync::Arc;

use numpy::PyArray1;
use pyo3::IntoPyObjectExt;
use pyo3::basic::CompareOp;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use super::{Shapes, constructor_arguments};
use crate::batch::affine::moved;
use crate::batch::{Column, OnInvalid, Validation};
use crate::geom::DisplayNumber;
use crate::python::{
    arrow, buffer, crs,
    input::{affine_arguments, errors},
    python_calls,
};
use crate::shape::ShapeKind;

impl Shapes {
    /// How many rows have each kind, and the radii, if there are other rows than polygons or radii.
    fn kinds_and_radii(&self) -> String {
        if self.0.are_plain() {
            return String::new();
        }
        let mut counts = [0; ShapeKind::ALL.len()];
        let (mut least, mut greatest) = (f64::INFINITY, 0.0_f64);
        for row in 0..self.0.len() {
            if let Some(kind) = self.kind_of(row) {
                counts[kind as usize] += 1;
                least = least.min(self.0.radius(row));
                greatest = greatest.max(self.0.radius(row));
            }
        }
        let kinds = ShapeKind::ALL.iter().zip(counts);
        let kinds = kinds.filter(|&(_, count)| count > 0);
        let kinds: Vec<_> = kinds
            .map(|(kind, count)| {
                let plural = if count == 1 { "" } else { "s" };
                format!("{count} {}{plural}", kind.name())
            })
            .collect();
        let radii = match (DisplayNumber(least), DisplayNumber(greatest)) {
            _ if greatest == 0.0 => String::new(),
            (least, greatest) if least.0 == greatest.0 => format!(", radius {greatest}"),
            (least, greatest) => format!(", radius {least} to {greatest}"),
        };
        match &kinds[..] {
            [] => String::new(),
            kinds => format!(": {}{radii}", kinds.join(", ")),
        }
    }
}

#[pymethods]
impl Shapes {
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
        python_calls::call(this.py(), "carom.interop.shapely", "geometries", (this,))
    }

    /// The rows as well-known binary.
    ///
    /// Returns
    /// -------
    /// ndarray of object, shape (N,)
    ///     For each row ISO's WKB of two dimensions in little-endian bytes; None where it is missing. A
    ///     coordinate reference system has no place in it.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If a row has a radius, which WKB can't express.
    ///
    /// See Also
    /// --------
    /// from_arrow : reads WKB from an Arrow array.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> points = carom.Shapes.from_points([(1, 2)])
    /// >>> points.to_wkb()[0].hex()
    /// '0101000000000000000000f03f0000000000000040'
    fn to_wkb<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let rows = arrow::wkb_objects(py, &self.0)?;
        python_calls::call(py, "numpy", "array", (rows, "object"))
    }

    /// The type of `__arrow_c_array__`: GeoArrow's type of the rows, with interleaved coordinates.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        arrow::schema(py, &self.0)
    }

    /// The rows as a GeoArrow array of the type of their kind, or as WKB if they are of several. A row
    /// with a radius raises ValueError. A requested schema of binary data gives WKB, one of structs separated
    /// coordinates. The metadata state the coordinate reference system.
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

    fn __contains__(this: &Bound<'_, Self>, item: &Bound<'_, PyAny>) -> PyResult<bool> {
        let _ = (this, item);
        Err(PyTypeError::new_err(
            "a column does not search for a row; intersects_batch tells which rows meet a shape, and \
             == whether two columns have the same rows",
        ))
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
        let (shapes, vertices) = (self.0.len(), self.0.vertices());
        let plural = if shapes == 1 { "" } else { "s" };
        let corners = if vertices == 1 { "vertex" } else { "vertices" };
        let details = self.kinds_and_radii();
        format!("Shapes(<{shapes} shape{plural}{missing}, {vertices} {corners}{details}>)")
    }

    /// A picture of a column that has few vertices, else None: for notebooks.
    fn _repr_svg_<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        python_calls::notebook_display(this.as_any(), "shapes_svg")
    }

    /// A table of the first and last rows of a column that has no picture: for notebooks.
    fn _repr_html_<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        python_calls::notebook_display(this.as_any(), "shapes_html")
    }

    fn __reduce__<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let (py, column) = (this.py(), this.get());
        let levels = column.offsets(py)?;
        // The kinds and the radii.
        errors::memory(column.0.len() * (1 + size_of::<f64>()))?;
        let level = |level| levels.get_item(level).ok();
        let kind = |row| column.0.kind(row).map_or(-1, |kind| kind as i8);
        let kinds = PyArray1::from_iter(py, (0..column.0.len()).map(kind));
        let state = (
            buffer::column_array(py, &column.0, Column::coords)?,
            level(0),
            level(1),
            level(2),
            if column.0.are_plain() {
                None
            } else {
                Some((kinds, column.radius(py)?))
            },
            (0..column.0.len())
                .filter_map(|row| Some((row, column.0.fault(row)?)))
                .collect::<Vec<_>>(),
            column.0.crs().map(|crs| &**crs),
        );
        let make = this.get_type().getattr("_restored")?;
        (make, state).into_bound_py_any(py)
    }

    fn __copy__(this: Bound<'_, Self>) -> Bound<'_, Self> {
        this
    }

    fn __deepcopy__<'py>(this: Bound<'py, Self>, memo: &Bound<'py, PyAny>) -> Bound<'py, Self> {
        let _ = memo;
        this
    }

    /// The same shapes with another coordinate reference system; no coordinate changes.
    ///
    /// Parameters
    /// ----------
    /// crs : dict, str, int, pyproj.CRS or None
    ///     PROJJSON as a dict, text such as ``"EPSG:32633"``, an EPSG code, or a system of pyproj; None drops the
    ///     system.
    ///
    /// Returns
    /// -------
    /// Shapes
    ///     The column, which shares all memory.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If `crs` is empty, or a dict that JSON can't hold.
    /// TypeError
    ///     If `crs` is something else.
    ///
    /// Examples
    /// --------
    /// >>> import carom
    /// >>> column = carom.Shapes.from_points([(500_000, 0)]).with_crs("EPSG:32633")
    /// >>> column.crs
    /// 'EPSG:32633'
    /// >>> carom.nearest(column, column.with_crs("EPSG:32634"))
    /// Traceback (most recent call last):
    ///     ...
    /// carom.InputValueError: a has the CRS EPSG:32633 and b the CRS EPSG:32634; bring them into one with to_crs(), or set it by with_crs()
    fn with_crs(&self, crs: &Bound<'_, PyAny>) -> PyResult<Self> {
        let crs = crs::text(crs)?;
        Ok(Self(Arc::new(Column::clone(&self.0).with_crs(crs))))
    }

    /// The same shapes with other radii: the sets of all points within that distance of them.
    ///
    /// Parameters
    /// ----------
    /// radius : float or array_like, shape (1,) or (N,)
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
        self.0.compact_selection()?;
        // The list of radii twice, and what is known of each row.
        errors::memory(64 * self.0.len())?;
        let radii = constructor_arguments::radii(radius, self.0.len(), OnInvalid::Raise)?;
        let column = self.run(radius.py(), 1, move |column, threads| {
            column.with_radius(&radii, threads)
        })??;
        Ok(Self(Arc::new(column)))
    }

    /// A column of the shapes, translated by one offset each or all by the same.
    ///
    /// Parameters
    /// ----------
    /// offset : array_like, shape (2,), (1, 2) or (N, 2)
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
    /// carom.InputValueError: shapes[0]: all vertices lie on one line: the area is zero; a segment is a row of Shapes.from_segments, or a LineString of Shapely
    fn translate(&self, offset: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = offset.py();
        self.0.compact_selection()?;
        errors::memory(2 * self.0.nbytes())?;
        let moves = affine_arguments::offsets(offset, self.0.len())?;
        let moved = self.run(py, 8, move |column, _| {
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
    fn affine_transform(&self, matrix: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = matrix.py();
        self.0.compact_selection()?;
        errors::memory(2 * self.0.nbytes())?;
        let map = affine_arguments::affine(matrix)?;
        let radii: Vec<f64> = (0..self.0.len()).map(|row| self.0.radius(row)).collect();
        let is_rounded = radii.iter().any(|&radius| radius != 0.0);
        let radii = is_rounded.then(|| affine_arguments::scaled(&map, &radii));
        let radii = radii.transpose()?;
        let images = self.run(py, 8, move |column, threads| {
            let images = column.mapped(|_, point| map.image(point));
            match radii {
                Some(radii) => images.with_radius(&radii, threads),
                None => Ok(images),
            }
        })??;
        Self::examined("shapes", py, images, Validation::Raise).map(Self)
    }
}
