//! The attributes of `Shapes`.

use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use super::Shapes;
use crate::batch::Column;
use crate::geom::{Bounds, Point};
use crate::python::{buffer, crs, input::errors, python_calls};
use crate::shape::{self, Shape, ShapeKind};

impl Shapes {
    /// What a row is; `None` where it is missing.
    pub(super) fn kind_of(&self, row: usize) -> Option<ShapeKind> {
        match self.0.kind(row) {
            // A path whose vertices all coincide is a point.
            Some(ShapeKind::Path) if self.0.is_point(row) => Some(ShapeKind::Point),
            kind => kind,
        }
    }
}

#[pymethods]
impl Shapes {
    /// All vertices, ring after ring, without closing ones: a read-only array of shape (C, 2).
    ///
    /// A view of the column's memory if the rows are stored in order and without closing vertices;
    /// otherwise a copy that is made on first use, and kept.
    #[getter]
    fn coords<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        self.0.compact()?;
        buffer::column_array(py, &self.0, Column::coords)
    }

    /// The pair (ring_offsets, polygon_offsets): where rings start in `coords`, and where polygons
    /// start among the rings; each with its end as a last item. Read-only arrays of int64.
    ///
    /// If a row is a multipolygon, a third array follows: where rows start among the polygons. Each path
    /// and each point is a ring, and all of a row count as one polygon.
    #[getter]
    pub(super) fn offsets<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        self.0.compact()?;
        let array = |offsets: &Vec<usize>| {
            errors::memory(offsets.len() * size_of::<i64>())?;
            let offsets = offsets.iter().map(|&offset| offset.cast_signed() as i64);
            let array = PyArray1::from_iter(py, offsets).into_any();
            // Not writable.
            array.call_method1("setflags", (false,)).map(|_| array)
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
    fn kind<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i8>>> {
        let kind = |row| self.kind_of(row).map_or(-1, |kind| kind as i8);
        self.numbers(py, kind)
    }

    /// The radius of each row, shape (N,); 0 for shapes without.
    #[getter]
    pub(super) fn radius<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.numbers(py, |row| self.0.radius(row))
    }

    /// The coordinate reference system that the data stated: PROJJSON as a dict, text, or None.
    ///
    /// Functions of two columns refuse those of different systems. Coordinates are x, y whatever the order of
    /// a system's axes, so that EPSG:4326 and OGC:CRS84 are the same here. `with_crs` sets it; slices, moved
    /// shapes, pickles and exports keep it, and ``==`` ignores it.
    #[getter]
    fn crs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        crs::to_python(py, self.0.crs())
    }

    /// Whether each row is a valid shape or missing, shape (N,): False for those that
    /// ``on_invalid="mask"`` made missing. Rows of a column made with ``check=False`` were not looked at
    /// and count as valid.
    #[getter]
    fn is_valid<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<bool>>> {
        self.numbers(py, |row| self.0.fault(row).is_none())
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
        let reasons = python_calls::call(py, "numpy", "full", (self.0.len(), py.None(), "object"))?;
        for row in 0..self.0.len() {
            if let Some(why) = self.0.fault(row) {
                reasons.set_item(row, why)?;
            }
        }
        Ok(reasons)
    }

    /// Least x, least y, greatest x and greatest y of each row, shape (N, 4); NaN where missing.
    #[getter]
    fn bounds<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        errors::memory(3 * self.0.len() * size_of::<[f64; 4]>())?;
        let numbers = |bounds: Bounds| match bounds {
            bounds if bounds.is_empty() => [f64::NAN; 4],
            bounds => bounds.numbers(),
        };
        let bounds = self.run(py, 8, move |column, _| {
            let bounds = column.each_bounds().into_iter().map(numbers);
            bounds.collect::<Vec<_>>()
        })?;
        let bounds = bounds.into_flattened();
        bounds.into_pyarray(py).reshape([self.0.len(), 4])
    }

    /// Whether each row is convex, up to rounding; False where missing.
    #[getter]
    fn is_convex<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<bool>>> {
        errors::memory(self.0.len())?;
        let is_convex = |row: Option<Shape<'_>>| row.is_some_and(|it| it.is_convex());
        let are_convex = self.run(py, 1, move |column, threads| {
            column.each(threads, is_convex)
        })?;
        Ok(are_convex.into_pyarray(py))
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
        errors::memory(self.0.len() * size_of::<f64>())?;
        // One row is not divided among threads: up to 500,000 vertices are summed in the calling thread, within 0.25 s
        // even if that takes big numbers.
        let per_unit = if self.0.len() == 1 { 32 } else { 8 };
        let areas = self.run(py, per_unit, Column::areas)?;
        Ok(areas.into_pyarray(py))
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
        let centroid = |row: Option<Shape<'_>>| {
            let Point { x, y } = row.map_or(Point::NAN, |it| shape::centroid(&it));
            [x, y]
        };
        errors::memory(self.0.len() * size_of::<Point>())?;
        let centroids = self.run(py, 1, move |column, threads| column.each(threads, centroid))?;
        let numbers = centroids.into_flattened().into_pyarray(py);
        numbers.reshape([self.0.len(), 2])
    }

    /// How many bytes of memory the column holds.
    ///
    /// They are coordinates, offsets, row properties, and what was computed on first use: by `coords`
    /// and `offsets`, and by `bounds` and batches, which keep a bounding box for each row, and trees over
    /// the edges of polygons of many vertices.
    ///
    /// Shared memory counts in each column: a slice has the size of the whole column. A pickled
    /// copy has its own rows only.
    ///
    /// Examples
    /// --------
    /// For each quad four vertices of 16 bytes, and what is known of it:
    ///
    /// >>> import carom
    /// >>> import numpy as np
    /// >>> column = carom.Shapes(np.array([[(0, 0), (1, 0), (1, 1), (0, 1)]] * 1000))
    /// >>> 64_000 <= column.nbytes < 70_000
    /// True
    /// >>> column[:10].nbytes == column.nbytes
    /// True
    #[getter]
    fn nbytes(&self) -> usize {
        self.0.nbytes()
    }
}
