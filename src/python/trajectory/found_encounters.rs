//! What `encounters` finds: pairs of bodies, and fields of each.

use numpy::{PyArray1, PyArrayMethods};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict, PyIterator, PyTuple};
use smallvec::SmallVec;

use crate::batch::{Encounter, FieldKind, QueryResult, Value};
use crate::broad::row_number;
use crate::geom::Vec2;
use crate::python::input::errors;
use crate::python::output::result_methods::{SHORT, position, values_by_line};
use crate::python::python_calls;
use crate::python::queries::joins::pair_array;

/// The pairs that `encounters` finds; unpacks into the arrays that were computed.
///
/// Attributes
/// ----------
/// pairs : ndarray of int64, shape (2, K)
///     Rows of a and of b, sorted.
/// step : ndarray of int64, shape (K,)
///     The pose at which the step of the first contact starts.
/// time : ndarray of float64, shape (K,)
///     When in that step, from 0 to 1.
/// normal : ndarray of float64, shape (K, 2)
///     Unit vector of the contact, from b to a; zeros where shapes that are not both convex overlap as they first meet.
/// contact : ndarray of float64, shape (K, 2, 2)
///     The two ends of the contact, equal for a point; NaN where `normal` is zero.
/// at : ndarray of float64, shape (K,)
///     The time of the first contact by the times of the trajectories; None without times.
/// distance : ndarray of float64, shape (K,)
///     How near they come at all; 0 where they touch.
/// distance_step : ndarray of int64, shape (K,)
///     The pose at which the step of the least distance starts.
/// distance_time : ndarray of float64, shape (K,)
///     When in that step it is reached, from 0 to 1.
#[pyclass(frozen, module = "carom")]
pub(crate) struct Encounters {
    /// Rows of a and of b, sorted.
    #[pyo3(get)]
    pairs: Py<PyAny>,
    /// One for each field of an [`Encounter`].
    fields: Vec<Option<Py<PyAny>>>,
}

macro_rules! getters {
    ($($name:ident: $kind:ident $doc:literal)+) => {
        #[pymethods]
        impl Encounters {
            $(
                #[doc = $doc]
                #[getter]
                fn $name<'py>(&self, py: Python<'py>) -> Option<&Bound<'py, PyAny>> {
                    const POSITION: usize =
                        position(Encounter::FIELDS, stringify!($name), FieldKind::$kind);
                    self.fields[POSITION].as_ref().map(|array| array.bind(py))
                }
            )+
        }
    };
}

getters! {
    step: Index "The pose at which the step of the first contact starts, shape (K,)."
    time: Float "When in that step, from 0 to 1, shape (K,)."
    normal: Vector "Unit vector of the contact, from b to a, shape (K, 2)."
    contact: Segment "The two ends of the contact, shape (K, 2, 2)."
    at: Float "The time of the first contact by the times of the trajectories, shape (K,)."
    distance: Float "How near they come at all, shape (K,); 0 where they touch."
    distance_step: Index "The pose at which the step of the least distance starts, shape (K,)."
    distance_time: Float "When in that step it is reached, from 0 to 1, shape (K,)."
}

#[pymethods]
impl Encounters {
    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.tuple(py)?.try_iter()
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.pairs.bind(py).get_item(0)?.len()
    }

    #[allow(clippy::unused_self)] // Python's protocol needs it.
    fn __bool__(&self) -> PyResult<bool> {
        Err(pyo3::exceptions::PyValueError::new_err(
            "The truth value of the result is ambiguous. Use len() of it",
        ))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let count = self.__len__(py)?;
        if count <= SHORT {
            let computed = self.computed(py);
            return values_by_line(
                "Encounters",
                computed.into_iter().map(|(name, it)| (name, Ok(it))),
            );
        }
        let names: Vec<_> = self
            .computed(py)
            .into_iter()
            .map(|(name, _)| name)
            .collect();
        Ok(format!(
            "Encounters(<{count} pairs>, with {})",
            names.join(", ")
        ))
    }

    /// The arrays that were computed by name; the others are None.
    fn _asdict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let fields = Encounter::FIELDS.iter().zip(&self.fields);
        let fields =
            fields.map(|(field, array)| (field.name, array.as_ref().map(|it| it.bind(py))));
        let all = std::iter::once(("pairs", Some(self.pairs.bind(py)))).chain(fields);
        all.into_py_dict(py)
    }

    /// The arrays that were computed, for unpacking: the pairs first.
    fn _astuple<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        self.tuple(py)
    }

    /// The pairs as a pandas DataFrame.
    ///
    /// Returns
    /// -------
    /// pandas.DataFrame
    ///     A row for each pair: the rows ``a`` and ``b``, and a column for each number of the fields that were computed,
    ///     such as ``normal_x`` and ``normal_y``.
    ///
    /// Raises
    /// ------
    /// ImportError
    ///     If pandas is not installed.
    fn to_pandas<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        python_calls::call(this.py(), "carom.interop.pandas", "frame_of_pairs", (this,))
    }

    /// A result with these arrays.
    #[staticmethod]
    #[pyo3(signature = (pairs, fields, /))]
    fn _make(pairs: Py<PyAny>, fields: Vec<Option<Py<PyAny>>>) -> PyResult<Self> {
        if fields.len() != Encounter::FIELDS.len() {
            return Err(pyo3::exceptions::PyTypeError::new_err(
                "expected one array or None per field",
            ));
        }
        Ok(Self { pairs, fields })
    }

    fn __reduce__<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let (py, fields) = (this.py(), this.get());
        let make = this.get_type().getattr("_make")?;
        (make, (&fields.pairs, &fields.fields)).into_bound_py_any(py)
    }
}

impl Encounters {
    /// The arrays that were computed, with their names.
    fn computed<'py>(&self, py: Python<'py>) -> Vec<(&'static str, Bound<'py, PyAny>)> {
        let fields = Encounter::FIELDS.iter().zip(&self.fields);
        let fields = fields.filter_map(|(field, array)| {
            let array = array.as_ref()?;
            Some((field.name, array.bind(py).clone()))
        });
        let all = std::iter::once(("pairs", self.pairs.bind(py).clone())).chain(fields);
        all.collect()
    }

    fn tuple<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.computed(py).into_iter().map(|(_, array)| array))
    }

    /// The wanted fields of all encounters.
    pub(super) fn new(py: Python<'_>, found: &[Encounter], wanted: &[usize]) -> PyResult<Self> {
        errors::memory(found.len().saturating_mul(16 * size_of::<f64>()))?;
        let rows = found.iter().map(Encounter::rows);
        let array = |position: usize| -> PyResult<Py<PyAny>> {
            let values = found.iter().map(|it| it.value(position));
            let kind = Encounter::FIELDS[position].kind;
            if kind == FieldKind::Index {
                let integers = values.map(|value| match value {
                    Value::Index(index) => index,
                    _ => -1,
                });
                return Ok(PyArray1::from_iter(py, integers).into_any().unbind());
            }
            let numbers = values.flat_map(|value| match value {
                Value::Float(number) => SmallVec::from_slice(&[number]),
                Value::Vector(Vec2 { x, y }) => SmallVec::from_slice(&[x, y]),
                Value::Segment([p, q]) => SmallVec::from_slice(&[p.x, p.y, q.x, q.y]),
                _ => SmallVec::<[f64; 4]>::new(),
            });
            let axes = [&[found.len()], kind.axes()].concat();
            Ok(PyArray1::from_iter(py, numbers)
                .reshape(axes)?
                .into_any()
                .unbind())
        };
        let fields = (0..Encounter::FIELDS.len()).map(|position| {
            let is_wanted = wanted.contains(&position);
            is_wanted.then(|| array(position)).transpose()
        });
        Ok(Self {
            fields: fields.collect::<PyResult<_>>()?,
            pairs: pair_array(py, rows.map(|rows| rows.map(row_number)))?
                .into_any()
                .unbind(),
        })
    }
}
