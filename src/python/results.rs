//! The classes of results: one scalar and one batch class per query, all alike but for the fields.

use numpy::{PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyEllipsis, PySlice, PyTuple};
use pyo3::{IntoPyObjectExt, intern};

use crate::batch::{Field, FieldKind, FirstContact, LazyResult, QueryResult, SweepWithMtv, Value};
use crate::python::interruptible;
use crate::python::numbers::tuple;
use crate::python::output::{self, Arrays, object, text, value};
use crate::shape::{CirclePolygon, Distance, Sat, SweptCircle};

/// What a scalar result knows: the whole answer, from which any field can be computed, or the
/// fields that were stored in a row of a batch.
pub(crate) enum Answer<R> {
    Whole(R),
    Stored(Box<[Option<Value>]>),
}

impl<R: QueryResult> Answer<R> {
    fn value(&self, field: usize) -> Option<Value> {
        match self {
            Self::Whole(record) => Some(record.value(field)),
            Self::Stored(values) => values[field],
        }
    }

    fn values(&self) -> impl Iterator<Item = Option<Value>> + '_ {
        (0..R::FIELDS.len()).map(|field| self.value(field))
    }

    fn get(&self, py: Python<'_>, field: usize) -> PyResult<Py<PyAny>> {
        let value = interruptible::here(|| self.value(field))?;
        value.map_or_else(|| Ok(py.None()), |value| object(py, value))
    }

    fn truth(&self) -> PyResult<bool> {
        let value = interruptible::here(|| self.value(R::TRUTH))?.ok_or_else(|| {
            PyValueError::new_err(format!(
                "the truth of this result is its field '{}', which was not asked for",
                R::FIELDS[R::TRUTH].name
            ))
        })?;
        Ok(value.says_yes())
    }

    fn repr(&self, class: &str) -> PyResult<String> {
        let values = interruptible::here(|| self.values().collect::<Vec<_>>())?;
        let fields = R::FIELDS.iter().zip(values);
        let fields: Vec<_> = fields
            .map(|(field, value)| format!("{}={}", field.name, text(value)))
            .collect();
        Ok(format!("{class}({})", fields.join(", ")))
    }

    fn all(&self, py: Python<'_>) -> PyResult<Vec<Py<PyAny>>> {
        (0..R::FIELDS.len())
            .map(|field| self.get(py, field))
            .collect()
    }

    /// The inverse of [`Self::all`].
    fn make(values: &Bound<'_, PyAny>) -> PyResult<Self> {
        let values: Vec<Bound<'_, PyAny>> = values.extract()?;
        if values.len() != R::FIELDS.len() {
            return Err(PyTypeError::new_err(format!(
                "expected {} values, got {}",
                R::FIELDS.len(),
                values.len()
            )));
        }
        let fields = R::FIELDS.iter().zip(&values);
        let values = fields.map(|(field, it)| {
            if it.is_none() {
                Ok(None)
            } else {
                value(field.kind, it)
            }
        });
        Ok(Self::Stored(values.collect::<PyResult<_>>()?))
    }
}

fn as_dict<'py>(
    py: Python<'py>,
    fields: &[Field],
    values: Vec<Py<PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (field, value) in fields.iter().zip(values) {
        dict.set_item(field.name, value)?;
    }
    Ok(dict)
}

impl Arrays {
    fn get(&self, py: Python<'_>, field: usize) -> Py<PyAny> {
        let array = self.fields[field].as_ref();
        array.map_or_else(|| py.None(), |array| array.clone_ref(py))
    }

    fn all(&self, py: Python<'_>) -> Vec<Py<PyAny>> {
        (0..self.fields.len())
            .map(|field| self.get(py, field))
            .collect()
    }

    /// Which rows had good operands; where all had, an array that takes no memory.
    fn valid<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        if let Some(valid) = &self.valid {
            return Ok(valid.bind(py).clone());
        }
        let shape = PyTuple::new(py, &self.shape)?;
        let numpy = py.import(intern!(py, "numpy"))?;
        numpy.call_method1("broadcast_to", (true, shape))
    }

    fn len(&self) -> PyResult<usize> {
        let length = self.shape.first().copied();
        length.ok_or_else(|| PyTypeError::new_err("len() of unsized object"))
    }

    fn repr<R: QueryResult>(&self, py: Python<'_>, class: &str) -> PyResult<String> {
        let mut parts = vec![format!("shape={}", tuple(&self.shape))];
        let count = |array: &Bound<'_, PyAny>| array.call_method0("sum")?.extract::<usize>();
        for (field, array) in R::FIELDS.iter().zip(&self.fields) {
            parts.push(match array {
                None => format!("{}=None", field.name),
                Some(array) if field.kind == FieldKind::Bool => {
                    format!("{}=<{} True>", field.name, count(array.bind(py))?)
                }
                Some(array) => {
                    let array = array.bind(py).cast::<PyUntypedArray>()?;
                    format!(
                        "{}=<{} {}>",
                        field.name,
                        array.dtype(),
                        tuple(array.shape())
                    )
                }
            });
        }
        if let Some(valid) = &self.valid {
            parts.push(format!("valid=<{} True>", count(valid.bind(py))?));
        }
        Ok(format!("{class}({})", parts.join(", ")))
    }

    /// The rows that a key chooses: of each field, and whether that is a single row.
    fn index<'py>(
        &self,
        py: Python<'py>,
        fields: &[Field],
        key: &Bound<'py, PyAny>,
    ) -> PyResult<(bool, Self)> {
        let valid = self.valid(py)?.get_item(key)?;
        let shape: Vec<usize> = valid.getattr("shape")?.extract()?;
        let is_row = !valid.is_instance_of::<PyUntypedArray>();
        let mut chosen = Vec::with_capacity(fields.len());
        for (field, array) in fields.iter().zip(&self.fields) {
            let array = array.as_ref().map(|array| {
                array
                    .bind(py)
                    .get_item(deepened(key, field.kind.axes().len())?)
            });
            chosen.push(array.transpose()?.map(Bound::unbind));
        }
        let valid = self.valid.is_some() && !is_row;
        let valid = valid.then(|| self.valid(py)?.get_item(key)).transpose()?;
        let rows = Self {
            shape,
            fields: chosen,
            valid: valid.map(Bound::unbind),
        };
        Ok((is_row, rows))
    }
}

/// A key for the leading dimensions as a key for an array with more: only an ellipsis would
/// reach into the added ones, so they are named.
fn deepened<'py>(key: &Bound<'py, PyAny>, added: usize) -> PyResult<Bound<'py, PyAny>> {
    let py = key.py();
    let mut keys: Vec<Bound<'py, PyAny>> = match key.cast::<PyTuple>() {
        Ok(keys) => keys.iter().collect(),
        Err(_) => vec![key.clone()],
    };
    if !keys.iter().any(|key| key.is(PyEllipsis::get(py))) {
        return Ok(key.clone());
    }
    keys.extend((0..added).map(|_| PySlice::full(py).into_any()));
    PyTuple::new(py, keys)?.into_bound_py_any(py)
}

/// Declares the scalar and the batch class of a query.
macro_rules! results {
    (
        $(#[doc = $scalar_doc:expr])* $scalar:ident,
        $(#[doc = $batch_doc:expr])* $batch:ident,
        $record:ty { $($position:literal $field:ident $field_doc:literal)+ }
    ) => {
        $(#[doc = $scalar_doc])*
        #[pyclass(frozen, module = "carom")]
        pub(crate) struct $scalar(Answer<$record>);

        /// The result that knows the whole answer.
        impl From<$record> for $scalar {
            #[inline]
            fn from(answer: $record) -> Self {
                Self(Answer::Whole(answer))
            }
        }

        #[pymethods]
        impl $scalar {
            $(
                #[doc = $field_doc]
                #[getter]
                fn $field(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
                    self.0.get(py, $position)
                }
            )+

            fn __bool__(&self) -> PyResult<bool> {
                self.0.truth()
            }

            fn __repr__(&self) -> PyResult<String> {
                self.0.repr(stringify!($scalar))
            }

            /// The fields as a table, and in a small picture what has a place: for notebooks.
            fn _repr_html_<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
                output::rich(this.as_any(), "scalar_html")
            }

            /// The fields by name.
            fn _asdict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
                as_dict(py, <$record>::FIELDS, self.0.all(py)?)
            }

            /// A result with these values, in field order.
            #[staticmethod]
            #[pyo3(signature = (values, /))]
            fn _make(values: &Bound<'_, PyAny>) -> PyResult<Self> {
                Answer::make(values).map(Self)
            }

            fn __reduce__<'py>(
                this: &Bound<'py, Self>,
            ) -> PyResult<(Bound<'py, PyAny>, (Vec<Py<PyAny>>,))> {
                let make = this.get_type().getattr("_make")?;
                Ok((make, (this.get().0.all(this.py())?,)))
            }
        }

        $(#[doc = $batch_doc])*
        #[pyclass(frozen, module = "carom")]
        pub(crate) struct $batch(Arrays);

        impl $batch {
            pub(crate) fn new(arrays: Arrays) -> Self {
                Self(arrays)
            }
        }

        #[pymethods]
        impl $batch {
            $(
                #[doc = $field_doc]
                #[getter]
                fn $field(&self, py: Python<'_>) -> Py<PyAny> {
                    self.0.get(py, $position)
                }
            )+

            /// Which rows had good operands: all, unless `on_invalid="mask"`.
            #[getter]
            fn valid<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
                self.0.valid(py)
            }

            /// The shape to which the arguments broadcast.
            #[getter]
            fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
                PyTuple::new(py, &self.0.shape)
            }

            fn __len__(&self) -> PyResult<usize> {
                self.0.len()
            }

            fn __getitem__<'py>(
                &self,
                py: Python<'py>,
                key: &Bound<'py, PyAny>,
            ) -> PyResult<Py<PyAny>> {
                let (is_row, rows) = self.0.index(py, <$record>::FIELDS, key)?;
                if is_row {
                    let values = rows.all(py).into_bound_py_any(py)?;
                    return $scalar(Answer::make(&values)?).into_py_any(py);
                }
                Self(rows).into_py_any(py)
            }

            fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
                Ok(self.0.all(py).into_bound_py_any(py)?.try_iter()?.into_any())
            }

            fn __bool__(&self) -> PyResult<bool> {
                Err(PyValueError::new_err(concat!(
                    "The truth value of a batch result is ambiguous. ",
                    "Use any() or all() of the field that you mean"
                )))
            }

            fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
                self.0.repr::<$record>(py, stringify!($batch))
            }

            /// The first and last rows as a table: for notebooks.
            fn _repr_html_<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
                output::rich(this.as_any(), "batch_html")
            }

            /// The fields by name.
            fn _asdict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
                as_dict(py, <$record>::FIELDS, self.0.all(py))
            }

            /// The rows as a pandas DataFrame.
            ///
            /// Parameters
            /// ----------
            /// index : array_like or pandas.Index, optional
            ///     The labels of the rows; their numbers, by default.
            ///
            /// Returns
            /// -------
            /// pandas.DataFrame
            ///     A column for each number of the fields that were asked for: ``mtv_x`` and
            ///     ``mtv_y`` of a vector, ``contact_0_x`` to ``contact_1_y`` of a contact.
            ///
            /// Raises
            /// ------
            /// ValueError
            ///     If the result has any but one leading dimension, or there are more labels than
            ///     rows or fewer.
            /// ImportError
            ///     If pandas is not installed.
            #[pyo3(signature = (index = None))]
            fn to_pandas<'py>(
                this: &Bound<'py, Self>,
                index: Option<&Bound<'py, PyAny>>,
            ) -> PyResult<Bound<'py, PyAny>> {
                output::frame(this.as_any(), index)
            }

            /// A result of this shape with these arrays, in field order.
            #[staticmethod]
            #[pyo3(signature = (shape, values, valid, /))]
            fn _make(
                shape: Vec<usize>,
                values: Vec<Option<Py<PyAny>>>,
                valid: Option<Py<PyAny>>,
            ) -> PyResult<Self> {
                if values.len() != <$record>::FIELDS.len() {
                    return Err(PyTypeError::new_err("expected one array or None per field"));
                }
                Ok(Self(Arrays { shape, fields: values, valid }))
            }

            fn __reduce__<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
                let (py, arrays) = (this.py(), &this.get().0);
                let valid = arrays.valid.as_ref().map(|valid| valid.clone_ref(py));
                let state = (arrays.shape.clone(), arrays.all(py), valid);
                (this.get_type().getattr("_make")?, state).into_bound_py_any(py)
            }
        }
    };
}

results! {
    /// Whether and how two convex polygons overlap: what `sat` returns.
    ///
    /// True when they intersect.
    SatResult,
    /// What `sat_batch` returns: an array per field, over the rows.
    ///
    /// `result[i]` is the `SatResult` of row i; a field that was not asked for is None.
    SatBatchResult,
    LazyResult<Sat> {
        0 intersects "Whether the polygons intersect; touching counts."
        1 depth "Length of `mtv`; 0 when the polygons are apart or only touch."
        2 mtv "The least translation of a after which it only touches b; zeros when apart."
        3 normal "Unit vector, the way a must move: from b to a; when apart, a separating direction."
        4 separation "`-depth` when the polygons intersect, else the gap along `normal`."
        5 contact "The two ends of the contact, equal for a point; NaN when apart."
    }
}

results! {
    /// Whether, when and where a moving polygon meets another: what `swept_collision` returns.
    ///
    /// True when they meet within the frame.
    SweptCollisionResult,
    /// What `swept_collision_batch` returns: an array per field, over the rows.
    ///
    /// `result[i]` is the `SweptCollisionResult` of row i; a field that was not asked for is None.
    SweptCollisionBatchResult,
    LazyResult<SweepWithMtv> {
        0 intersects "Whether the polygons intersect now, at time 0."
        1 will_intersect "Whether they do at some time from 0 to 1."
        2 time "When they first touch: 0 if they intersect now, inf if they never do."
        3 normal "Unit vector of the contact at that time, from b to a; zeros when never, and \
            when polygons that are not both convex intersect already."
        4 contact "The two ends of the contact at that time, equal for a point; NaN when \
            never, and when polygons that are not both convex intersect already."
        5 mtv "The least translation that clears b from the whole sweep of a; zeros when never. \
            NaN if either polygon is not convex."
    }
}

results! {
    /// How a circle and a polygon stand to each other: what `circle_polygon` returns.
    ///
    /// True when they intersect.
    CirclePolygonResult,
    /// What `circle_polygon_batch` returns: an array per field, over the rows.
    ///
    /// `result[i]` is the `CirclePolygonResult` of row i; a field that was not asked for is None.
    CirclePolygonBatchResult,
    CirclePolygon {
        0 intersects "Whether the circle and the polygon intersect; touching counts."
        1 depth "Radius minus the signed distance of the center from the boundary; 0 when apart."
        2 mtv "The translation of the circle, `depth` along `normal`; zeros when apart."
        3 normal "Unit vector from `closest` to the center; reversed when the center is inside."
        4 closest "The point of the boundary nearest to the center."
        5 feature "What `closest` lies on: \"vertex\" or \"edge\", None in a bad or missing row; in a batch 0, 1 or -1, see `FEATURES`."
        6 index "Which vertex or edge that is, in the caller's order."
        7 distance "The gap between circle and polygon; 0 when they intersect."
    }
}

results! {
    /// Whether, when and where a moving circle meets a polygon: what `swept_circle` returns.
    ///
    /// True when they meet within the frame.
    SweptCircleResult,
    /// What `swept_circle_batch` returns: an array per field, over the rows.
    ///
    /// `result[i]` is the `SweptCircleResult` of row i; a field that was not asked for is None.
    SweptCircleBatchResult,
    SweptCircle {
        0 intersects "Whether the circle and the polygon intersect now, at time 0."
        1 will_intersect "Whether they do at some time from 0 to 1."
        2 time "When they first touch: 0 if they intersect now, inf if they never do."
        3 normal "Unit vector of the contact, from the polygon to the center; zeros when never."
        4 contact "The two ends of the contact at that time, equal for a point; NaN when never."
    }
}

results! {
    /// How far two polygons are apart, and where: what `distance` returns.
    ///
    /// True when they intersect, that is when the distance is 0.
    DistanceResult,
    /// What `distance_batch` returns: an array per field, over the rows.
    ///
    /// `result[i]` is the `DistanceResult` of row i; a field that was not asked for is None.
    DistanceBatchResult,
    Distance {
        0 distance "The length of the gap; 0 when the polygons intersect."
        1 closest_a "The point of a nearest to b; NaN when they intersect."
        2 closest_b "The point of b nearest to a; NaN when they intersect."
    }
}
results! {
    /// What a trajectory touches first: a row of what `first_contact` returns.
    ///
    /// True when it touches something.
    FirstContactResult,
    /// What `first_contact` returns: an array per field, over the trajectories.
    ///
    /// `result[i]` is the `FirstContactResult` of trajectory i.
    FirstContactBatchResult,
    FirstContact {
        0 step "The pose at which the step of the first contact starts; -1 if there is none."
        1 time "When in that step, from 0 to 1; inf if never."
        2 obstacle "The row of the obstacle; -1 if there is none."
        3 normal "Unit vector of the contact, from the obstacle to the footprint; zeros when never, \
            and when polygons that are not both convex intersect already as the step starts."
        4 contact "The two ends of the contact, where it is at that time, equal for a point; NaN \
            where `normal` is zero."
    }
}
